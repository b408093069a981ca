package finding

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

//go:generate go run gen_diagnostics.go ../../../docs/diagnostics.md

// MaxFindings is how many findings, and how many changes, are printed before
// the rest is counted.
const MaxFindings = 100

// Text writes findings for people: `file:line:col: level[CODE]:
// message`, the source line with a caret, further facts, the hint. Of more
// than 100 the most serious are shown, in the order of their places, and the
// others counted.
func Text(w io.Writer, findings diag.List, opt words.Options) error {
	p := words.NewPrinter(opt.MaskingFiles(findings))
	Print(p, findings)
	return p.Print(w)
}

// Print writes findings for people, as [Text] does.
func Print(p *words.Printer, findings diag.List) {
	shown, rest := serious(Folded(findings.Sorted(), p.Opt), MaxFindings)
	var last diag.Span
	for _, x := range AllOf(p.Opt, shown) {
		// The line that editors and problem matchers read.
		where, level := words.Clean(cmp.Or(x.Position, "promptc"))+":", fmt.Sprintf("%s[%s]:", x.Level, x.Rule)
		p.Line(p.Paint(words.Bold, where), " ", p.Paint(levelStyle(x.Level), level), " ", words.Clean(x.Message))
		// Several findings about the same words need them only once.
		if x.At != last {
			p.Excerpt(x.At)
		}
		last = x.At
		for _, line := range x.Detail {
			p.Line("  ", words.Clean(line))
		}
		if x.hint != "" {
			p.Line("  ", p.Paint(words.Cyan, "hint:"), " ", words.Clean(x.hint))
		}
	}
	if len(rest) > 0 {
		p.Line("and ", Levels(rest), " more")
	}
}

// Folded gives findings with one note instead of many that say the same of
// several files, which has the number of the others and two of their places.
// Formats that programs read have all of them.
func Folded(findings diag.List, opt words.Options) diag.List {
	const few = 3 // that stand each by itself
	key := func(d diag.Diagnostic) string {
		if d.Level != diag.Note || !d.Span.Known() || len(d.Detail) > 0 {
			return ""
		}
		return fmt.Sprintf("%s %q %q", d.Code, d.What, d.Hint)
	}
	same := map[string]diag.List{}
	for _, d := range findings {
		if k := key(d); k != "" && (len(same[k]) == 0 || same[k][len(same[k])-1].Span.File != d.Span.File) {
			same[k] = append(same[k], d)
		}
	}
	var out diag.List
	for _, d := range findings {
		all := same[key(d)]
		switch {
		case len(all) <= few:
			out = append(out, d)
		case d.Span == all[0].Span:
			out = append(out, d.WithDetail(diag.Say("same-elsewhere", diag.Count(len(all)-1), opt.Line(all[1].Span), opt.Line(all[2].Span))))
		}
	}
	return out
}

func levelStyle(l diag.Level) words.Style {
	switch l {
	case diag.Error:
		return words.Red
	case diag.Warning:
		return words.Yellow
	default:
		return words.Cyan
	}
}

// serious gives at most n findings, errors before warnings before notes, but
// in their order; and those that are left.
func serious(findings diag.List, n int) (shown, rest diag.List) {
	if len(findings) <= n {
		return findings, nil
	}
	room := map[diag.Level]int{}
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		room[level] = min(n, findings.Count(level))
		n -= room[level]
	}
	for _, d := range findings {
		if room[d.Level] > 0 {
			room[d.Level]--
			shown = append(shown, d)
		} else {
			rest = append(rest, d)
		}
	}
	return shown, rest
}

// Levels counts findings: "1 error, 2 warnings".
func Levels(findings diag.List) string {
	var parts []string
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		if n := findings.Count(level); n > 0 {
			parts = append(parts, words.Count(n, level.String()))
		}
	}
	return strings.Join(parts, ", ")
}

// ExplainCode writes what a code means: code, level and title, then the
// explanation, and how a manifest sets it where it can.
func ExplainCode(w io.Writer, e diag.Entry, opt words.Options) error {
	p := words.NewPrinter(opt)
	head := fmt.Sprintf("%s[%s]:", e.Level, e.Code)
	p.Line(p.Paint(levelStyle(e.Level), head), " ", p.Paint(words.Bold, e.Title))
	p.Line()
	p.Line(e.Explanation)
	if e.Settable() {
		p.Line()
		p.Line("Set it under `checks`: `{code: ", string(e.Code), ", level: error}`, or `warn`; or leave it")
		p.Line("out: `{code: ", string(e.Code), ", level: off, reason: …}`.")
	}
	_, err := io.WriteString(w, p.String()) // our own words and examples
	return err
}

// ExplainCodes lists codes with their titles.
func ExplainCodes(w io.Writer, entries []diag.Entry, opt words.Options) error {
	p := words.NewPrinter(opt)
	for _, e := range entries {
		p.Line(string(e.Code), "  ", p.Paint(levelStyle(e.Level), fmt.Sprintf("%-7s", e.Level)), "  ", e.Title)
	}
	_, err := io.WriteString(w, p.String()) // our own words
	return err
}

// stage is the part of the pipeline whose codes begin with a digit.
type stage struct {
	digit byte
	name  string
	asks  string
}

// stages lists the digits of diag.Code.
func stages() []stage {
	return []stage{
		{'1', "load", "Reading the manifest and its sources: files, paths, encodings, YAML and front matter."},
		{'2', "validate", "Comparing what was read with its schema: unknown keys, missing fields, wrong types, names."},
		{'3', "resolve", "Looking up names, deciding conditions, laying out the variants."},
		{'4', "render", "Turning sources into the text of sections."},
		{'5', "compose", "Putting a variant together and holding it against its budgets. Errors from here on do not keep a build from writing."},
		{'6', "lint", "What only the assembled variants show."},
		{'7', "snapshot", "Comparing with the files on disk."},
		{'8', "diff", "Comparing two states of a project."},
	}
}

// CodesMarkdown writes the page of all codes: a table, and a section for each
// code.
func CodesMarkdown(w io.Writer) error {
	return codesMarkdown(w, diag.Codes())
}

func codesMarkdown(w io.Writer, all []diag.Entry) error {
	p := words.NewPrinter(words.Options{})
	p.WriteString(`<!-- generated by go generate ./pipeline/output/finding; do not edit -->

# Diagnostics

Every finding has a code that never changes its meaning. ` + "`promptc explain CODE`" + ` prints what stands here.

An **error** makes the exit status 1. A **warning** or a **note** does so only with ` + "`--strict`" + `. Under
[` + "`checks`" + `](manifest.md#checks) a manifest says what warnings, notes and all findings of lint count as.
Notes that say the same of more than three files are printed once, with their number and three places; JSON, SARIF and JUnit list each.
`)
	for _, s := range stages() {
		var rows []diag.Entry
		for _, e := range all {
			if len(e.Code) > 2 && e.Code[2] == s.digit {
				rows = append(rows, e)
			}
		}
		if len(rows) == 0 {
			continue
		}
		p.WriteString("\n## " + s.name + "\n\n" + s.asks + "\n\n| code | level | finding |\n|---|---|---|\n")
		for _, e := range rows {
			p.WriteString(fmt.Sprintf("| [%s](#%s) | %s | %s |\n", e.Code, strings.ToLower(string(e.Code)), e.Level, words.CellText(e.Title)))
		}
		for _, e := range rows {
			p.WriteString(fmt.Sprintf("\n### %s\n\n**%s: %s**\n\n%s\n", e.Code, e.Level, e.Title, strings.TrimSpace(e.Explanation)))
		}
	}
	_, err := io.WriteString(w, p.String()) // our own words and examples
	return err
}

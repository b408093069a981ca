package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// MaxFindings is how many findings, and how many changes, are printed before
// the rest is counted.
const MaxFindings = 100

// Diagnostics writes findings for people: `file:line:col: level[CODE]:
// message`, the source line with a caret, further facts, the hint. Of more
// than 100 the most serious are shown, in the order of their places, and the
// others counted.
func Diagnostics(w io.Writer, findings diag.List, opt Options) error {
	p := NewPrinter(opt.MaskingFiles(findings))
	PrintTo(p, findings)
	return p.Print(w)
}

// Summary writes one line that counts the findings, says what became of the
// run, and counts what settings left out; nothing when there is none of it.
func Summary(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	p := NewPrinter(opt.Masking(r))
	printSummary(p, r, did)
	return p.Print(w)
}

func PrintTo(p *Printer, findings diag.List) {
	shown, rest := serious(Folded(findings.Sorted(), p.Opt), MaxFindings)
	var last diag.Span
	for _, x := range ProblemsOf(p.Opt, shown) {
		// The line that editors and problem matchers read.
		where, level := Clean(cmp.Or(x.Position, "promptc"))+":", fmt.Sprintf("%s[%s]:", x.Level, x.Rule)
		p.Line(p.Paint(Bold, where), " ", p.Paint(levelStyle(x.Level), level), " ", Clean(x.Message))
		// Several findings about the same words need them only once.
		if x.At != last {
			p.Excerpt(x.At)
		}
		last = x.At
		for _, line := range x.Detail {
			p.Line("  ", Clean(line))
		}
		if x.hint != "" {
			p.Line("  ", p.Paint(Cyan, "hint:"), " ", Clean(x.hint))
		}
	}
	if len(rest) > 0 {
		p.Line("and ", Levels(rest), " more")
	}
}

// Folded gives findings with one note instead of many that say the same of
// several files, which has the number of the others and two of their places.
// Formats that programs read have all of them.
func Folded(findings diag.List, opt Options) diag.List {
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

func levelStyle(l diag.Level) Style {
	switch l {
	case diag.Error:
		return Red
	case diag.Warning:
		return Yellow
	default:
		return Cyan
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
			parts = append(parts, Count(n, level.String()))
		}
	}
	return strings.Join(parts, ", ")
}

func printSummary(p *Printer, r *prompt.Result, did Outcome) {
	findings := r.Findings.Sorted()
	var parts []string
	if len(findings) > 0 {
		parts = append(parts, Levels(findings))
	}
	switch {
	case len(findings) == 0:
	case r.Stopped && did.Command == "check":
		parts = append(parts, "nothing was compared")
	case findings.HasErrors() && did.Command != "build":
	case findings.HasErrors() && !did.Snapshots && !did.Artifacts:
		parts = append(parts, "nothing was written")
	case findings.HasErrors():
		parts = append(parts, "the build is complete")
	case p.Opt.Strict:
		parts = append(parts, "strict: they count as errors")
	}
	if n := len(r.Off); n > 0 {
		parts = append(parts, Count(n, "finding")+" off (checks)")
	}
	if len(parts) > 0 {
		p.Line(strings.Join(parts, "; "))
	}
}

// nearby is how many bytes of a line are looked at on either side of a caret:
// more than any window shows, and little enough that a line of many megabytes
// costs nothing.
const nearby = 4096

// Excerpt writes the source line of a place with its number, and a caret line
// below. A file without text has nothing to show.
func (p *Printer) Excerpt(at diag.Span) {
	if !at.Known() || at.File.Text == "" {
		return
	}
	number := at.File.LineAt(at.Start)
	source, caret := p.Quote(at, quoteWidth)
	p.Line(p.Paint(Dim, fmt.Sprintf("%5d |", number)), " ", source)
	p.Line(p.Paint(Dim, strings.Repeat(" ", max(5, len(strconv.Itoa(number))))+" |"), " ", p.Paint(Red, caret))
}

// Quote gives the line of a place as a terminal may get it, at most width
// columns of it, and the line that points at the place.
func (p *Printer) Quote(at diag.Span, width int) (source, caret string) {
	text := at.File.Text
	start := min(max(at.Start, 0), len(text))
	begin := strings.LastIndexByte(text[:start], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	stop := min(max(at.End, start), end)

	left, right := RuneStart(text, max(begin, start-nearby)), RuneStart(text, min(end, start+nearby))
	line := Cells(maskedLine(at.File, left, right))
	expandTabs(line)
	first, last := reach(line, start-left, stop-left)
	return window(line, first, last, width, left > begin, right < end)
}

// RuneStart moves an offset back to where its code point begins.
func RuneStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// reach gives the cells [first, last) that hold the bytes [start, stop);
// both are len(line) for a place behind the last character.
func reach(line []cell, start, stop int) (first, last int) {
	for first < len(line) && line[first].to <= start {
		first++
	}
	last = first
	for last < len(line) && line[last].from < stop {
		last++
	}
	return first, last
}

// window writes as many cells around the place as fit, with an ellipsis where
// some are left out, and the caret below the place.
func window(line []cell, first, last, width int, cutLeft, cutRight bool) (source, caret string) {
	from := 0
	if cutLeft || span(line[:min(last+1, len(line))]) > width {
		// A third of the window before the place tells where it stands.
		from = first
		for from > 0 && span(line[from-1:first]) <= width/3 {
			from--
		}
	}
	before, after := "", ""
	if cutLeft || from > 0 {
		before, width = "…", width-1
	}
	to := len(line)
	if cutRight || span(line[from:]) > width {
		after = "…"
		to = from + fitting(line[from:], width-1)
	}
	var b strings.Builder
	for _, c := range line[from:to] {
		b.WriteString(c.Text)
	}
	indent := utf8.RuneCountInString(before) + span(line[from:first])
	length := max(1, span(line[first:max(first, min(last, to))]))
	return before + b.String() + after, strings.Repeat(" ", indent) + "^" + strings.Repeat("~", length-1)
}

// fitting counts the leading cells that take at most width columns together.
func fitting(line []cell, width int) int {
	for i, c := range line {
		if width -= c.width; width < 0 {
			return i
		}
	}
	return len(line)
}

// span gives the columns of some cells.
func span(line []cell) int {
	n := 0
	for _, c := range line {
		n += c.width
	}
	return n
}

const (
	// MaxHunkLines is how many lines of one file's difference are printed
	// before the rest is counted.
	MaxHunkLines = 200
	// MaxLine is the length in bytes from which a line of a difference is
	// shown around what differs only.
	MaxLine = 1000
	// keptAround is what such a line keeps on either side, in bytes.
	keptAround = 120
)

// Shorten keeps the start of a very long line, and counts the characters that it
// leaves out.
func Shorten(text string) string {
	if len(text) <= MaxLine {
		return text
	}
	_, to := KeptPart(text, 0)
	return text[:to] + Omitted(text[to:])
}

func Omitted(text string) string {
	if text == "" {
		return ""
	}
	return "…(" + Count(utf8.RuneCountInString(text), "more character") + ")…"
}

// ExplainCode writes what a code means: code, level and title, then the
// explanation, and how a manifest sets it where it can.
func ExplainCode(w io.Writer, e diag.Entry, opt Options) error {
	p := NewPrinter(opt)
	head := fmt.Sprintf("%s[%s]:", e.Level, e.Code)
	p.Line(p.Paint(levelStyle(e.Level), head), " ", p.Paint(Bold, e.Title))
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
func ExplainCodes(w io.Writer, entries []diag.Entry, opt Options) error {
	p := NewPrinter(opt)
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
	p := NewPrinter(Options{})
	p.WriteString(`<!-- generated by go generate ./pipeline/output/report; do not edit -->

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
			p.WriteString(fmt.Sprintf("| [%s](#%s) | %s | %s |\n", e.Code, strings.ToLower(string(e.Code)), e.Level, CellText(e.Title)))
		}
		for _, e := range rows {
			p.WriteString(fmt.Sprintf("\n### %s\n\n**%s: %s**\n\n%s\n", e.Code, e.Level, e.Title, strings.TrimSpace(e.Explanation)))
		}
	}
	_, err := io.WriteString(w, p.String()) // our own words and examples
	return err
}

// CellText keeps a text within one cell of a Markdown table.
func CellText(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

package validate

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// skillFile is what the Agent Skills specification calls the file of a skill.
const skillFile = "SKILL.md"

// skill reports where a skill leaves the Agent Skills specification in what its
// schema cannot say. What common clients take all the same is a note.
func (d *documents) skill(doc *prompt.Doc) {
	d.fileOfSkill(doc)
	d.folder(doc)
	if n := doc.Front.Field("compatibility"); n.IsScalar() && n.Kind != prompt.Null && strings.TrimSpace(n.Text.Str) == "" {
		d.outside(diag.Warning, n.At, "say-what-skill-needs", "compatibility-blank")
	}
	if n := doc.Front.Field("metadata"); n != nil {
		for _, f := range n.Fields {
			if !f.Value.IsScalar() {
				d.outside(diag.Note, f.KeyAt, "programs-differ", "metadata-not-text", f.Key, is(f.Value))
			}
		}
	}
	d.allowedTools(doc.Front.Field("allowed-tools"))
}

// outside adds a finding about a rule of an outside format.
func (d *documents) outside(level diag.Level, at diag.Span, hint, key string, args ...any) {
	found := diag.New(diag.OutsideLimit, at, key, args...).WithHint(hint)
	found.Level = level
	d.found = append(d.found, found)
}

// fileOfSkill reports a file that is not called as programs look for it.
func (d *documents) fileOfSkill(doc *prompt.Doc) {
	name := path.Base(doc.File.Path)
	at := diag.Whole(doc.File)
	switch {
	case name == skillFile:
	case strings.EqualFold(name, skillFile):
		d.outside(diag.Note, at, "rename-skill-file", "skill-file-name", name, skillFile)
	default:
		d.outside(diag.Warning, at, "rename-skill-file", "skill-file-name", name, skillFile)
	}
}

// folder reports a skill that is not called like its folder.
func (d *documents) folder(doc *prompt.Doc) {
	name := doc.Front.Field("name")
	folder := path.Base(path.Dir(doc.File.Path))
	if !name.IsScalar() || name.Text.Str == "" || folder == "." || name.Text.Str == folder {
		return
	}
	d.outside(diag.Warning, name.At, "rename-skill-or-folder", "skill-in-folder", name.Text.Str, folder)
}

// allowedTools reports tools that are not one text with blanks between them.
func (d *documents) allowedTools(n *prompt.Node) {
	switch {
	case n == nil || n.Kind == prompt.Null:
	case n.Kind == prompt.Sequence:
		d.outside(diag.Note, n.At, "write-tools-as-text", "tools-are-list")
	case n.IsScalar() && commaBetween(n.Text.Str):
		d.outside(diag.Note, n.At, "write-tools-as-text", "tools-have-commas")
	}
}

// commaBetween reports whether a comma stands outside parentheses.
func commaBetween(s string) bool {
	depth := 0
	for _, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				return true
			}
		}
	}
	return false
}

// lettersOfOthers reports whether a name of a skill follows the specification
// but for letters outside ASCII, which its reference validator takes where they
// are small.
func lettersOfOthers(name string) bool {
	if name == "" || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") || strings.Contains(name, "--") {
		return false
	}
	for _, r := range name {
		if r != '-' && !unicode.IsDigit(r) && !unicode.IsLetter(r) || unicode.ToLower(r) != r {
			return false
		}
	}
	return true
}

// advised is how long a format's documentation wants the text of a file: fewer
// lines and tokens than these; 0 is no advice. From the Agent Skills
// specification and Cursor's page on rules, 2026-11.
var advised = []struct {
	kind, suffix, says string
	lines, tokens      int
}{
	{"skills", ".md", "the Agent Skills specification", 500, 5000},
	{"rules", ".mdc", "Cursor", 500, 0},
}

// long reports a text that is longer than its format advises: it is read whole
// whenever it is read.
func (d *documents) long(doc *prompt.Doc, kind *prompt.Kind) {
	for _, a := range advised {
		if a.kind != kind.Name || !strings.HasSuffix(doc.File.Path, a.suffix) {
			continue
		}
		at := firstLine(doc.Body.Span(0, len(doc.Body.Str)))
		lines := strings.Count(doc.Body.Str, "\n") + 1
		tokens := (utf8.RuneCountInString(doc.Body.Str) + 3) / 4 // as chars/4 counts them
		switch {
		case lines >= a.lines:
			d.outside(diag.Note, at, "split-long-text", "text-has-lines", diag.Count(lines), a.says, diag.Count(a.lines))
		case a.tokens > 0 && tokens >= a.tokens:
			d.outside(diag.Note, at, "split-long-text", "text-has-tokens", diag.Count(tokens), a.says, diag.Count(a.tokens))
		}
	}
}

package load

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// savedHeader is the first line of the snapshot files of vitest, jest and bun, and
// entryStart how each of their entries begins.
var savedHeader = regexp.MustCompile(`^\s*// (?:Jest|Vitest|Bun) Snapshot v\d`)

const entryStart = "exports[`"

// isJS tells a snapshot file of vitest or jest by what it begins with: a prompt
// may show an entry further on.
func isJS(_, text string) bool {
	return savedHeader.MatchString(text) || strings.HasPrefix(strings.TrimLeft(text, " \t\n"), entryStart)
}

// savedParser reads a snapshot file of vitest or jest. Programs write these
// files, so that it takes what they write and no other JavaScript.
type savedParser struct {
	file *diag.File
	pos  int
}

func readJS(doc *language.Doc) *diag.Diagnostic {
	p := savedParser{file: doc.File}
	saved, bad := p.entries()
	doc.Body, doc.Saved = ground.Verbatim(diag.Span{File: doc.File, End: len(doc.File.Text)}), saved
	return bad
}

// entries gives the entries of a file; never nil without a finding.
func (p *savedParser) entries() ([]language.Saved, *diag.Diagnostic) {
	out := []language.Saved{}
	for p.next() {
		start := p.pos
		if !p.skip("exports[") {
			return nil, p.bad(start)
		}
		name, nameAt, bad := p.template()
		if bad != nil {
			return nil, bad
		}
		if !p.skip("]") || !p.skip(" ") || !p.skip("=") || !p.skip(" ") {
			return nil, p.bad(start)
		}
		value, at, bad := p.template()
		if bad != nil {
			return nil, bad
		}
		p.skip(";")
		out = append(out, language.Saved{Name: name.Str, NameAt: nameAt, Value: value, At: at})
	}
	p.unquote(out)
	return out, nil
}

// next goes on to the next entry, over blank lines and comments.
func (p *savedParser) next() bool {
	for p.pos < len(p.file.Text) {
		rest := p.file.Text[p.pos:]
		switch {
		case strings.IndexByte(" \t\n", rest[0]) >= 0:
			p.pos++
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			p.pos += len(line)
		default:
			return true
		}
	}
	return false
}

func (p *savedParser) skip(s string) bool {
	if !strings.HasPrefix(p.file.Text[p.pos:], s) {
		return false
	}
	p.pos += len(s)
	return true
}

func (p *savedParser) bad(start int) *diag.Diagnostic {
	d := diag.New(diag.SavedSyntax, firstLine(p.file, start), "no-saved-entry").WithHint("entry-written-exports-name")
	return &d
}

// savedText is a text in backticks, and jsEscape what does not stand for itself
// in it.
var (
	savedText = regexp.MustCompile("^`(?s:[^`\\\\]|\\\\.)*`")
	jsEscape  = regexp.MustCompile(`(?s:\\.?)|\$\{`)
)

// jsEscapes are those that the programs write, and what they stand for.
var jsEscapes = map[string]string{
	"\\`": "`", `\\`: `\`, `\$`: "$", `\"`: `"`, `\'`: "'", `\{`: "{", `\n`: "\n", `\t`: "\t",
}

// template reads a text in backticks, its escapes undone, and gives its place
// with the backticks.
func (p *savedParser) template() (ground.Text, diag.Span, *diag.Diagnostic) {
	start := p.pos
	if !p.skip("`") {
		return ground.Text{}, diag.Span{}, p.bad(start)
	}
	whole := p.file.Text[start:]
	text := savedText.FindString(whole)
	for _, m := range jsEscape.FindAllStringIndex(cmp.Or(text, whole), -1) {
		if jsEscapes[whole[m[0]:m[1]]] == "" {
			return ground.Text{}, diag.Span{}, p.bad(start + m[0])
		}
	}
	if text == "" {
		return ground.Text{}, diag.Span{}, savedBad(p.file, start, "entry-never-ends")
	}
	p.pos = start + len(text)
	at := diag.Span{File: p.file, Start: start, End: p.pos}
	inner := ground.Verbatim(at).Slice(1, len(text)-1)
	return unescaped(inner, jsEscape, func(e string) string { return jsEscapes[e] }), at, nil
}

// unquote takes off what the programs put around a value: a line break at either
// end where it has several lines, and the quotes of a text.
func (p *savedParser) unquote(all []language.Saved) {
	for i := range all {
		s := &all[i]
		t := s.Value
		if n := len(t.Str); n > 2 && t.Str[0] == '\n' && t.Str[n-1] == '\n' {
			t = t.Slice(1, n-1)
		}
		s.Value = t
		if n := len(t.Str); n >= 2 && t.Str[0] == '"' && t.Str[n-1] == '"' {
			s.Value, s.IsText = t.Slice(1, n-1), true
		}
	}
	if !escapes(all) {
		return
	}
	for i := range all {
		if all[i].IsText {
			all[i].Value = unescaped(all[i].Value, quotedEscape, func(e string) string { return e[1:] })
		}
	}
}

// escapes reports whether a file has a backslash before each quote and each
// backslash of its texts, as old versions and one setting write them. It shows
// in the quotes: either all of them have one, or none needs any.
func escapes(all []language.Saved) bool {
	quotes := 0
	for _, s := range all {
		t := s.Value.Str
		for i := 0; i < len(t); i++ {
			switch t[i] {
			case '"':
				return false
			case '\\':
				if i++; i == len(t) || t[i] != '"' && t[i] != '\\' {
					return false
				}
				if t[i] == '"' {
					quotes++
				}
			}
		}
	}
	return quotes > 0
}

// quotedEscape is a backslash in a quoted text whose quotes have one.
var quotedEscape = regexp.MustCompile(`\\["\\]`)

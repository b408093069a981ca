package load

import (
	"regexp"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
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

func readJS(doc *prompt.Doc) *diag.Diagnostic {
	p := savedParser{file: doc.File}
	saved, bad := p.entries()
	doc.Body, doc.Saved = prompt.Verbatim(diag.Span{File: doc.File, End: len(doc.File.Text)}), saved
	return bad
}

// entries gives the entries of a file; never nil without a finding.
func (p *savedParser) entries() ([]prompt.Saved, *diag.Diagnostic) {
	out := []prompt.Saved{}
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
		out = append(out, prompt.Saved{Name: name.Str, NameAt: nameAt, Value: value, At: at})
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

// template reads a text in backticks, its escapes undone, and gives its place
// with the backticks.
func (p *savedParser) template() (prompt.Text, diag.Span, *diag.Diagnostic) {
	var b prompt.Builder
	text, start := p.file.Text, p.pos
	if !p.skip("`") {
		return prompt.Text{}, diag.Span{}, p.bad(start)
	}
	for {
		n := strings.IndexAny(text[p.pos:], "`\\$")
		if n < 0 {
			return prompt.Text{}, diag.Span{}, savedBad(p.file, start, "entry-never-ends")
		}
		b.WriteText(prompt.Verbatim(diag.Span{File: p.file, Start: p.pos, End: p.pos + n}))
		p.pos += n
		switch text[p.pos] {
		case '`':
			p.pos++
			return b.Text(), diag.Span{File: p.file, Start: start, End: p.pos}, nil
		case '$':
			if strings.HasPrefix(text[p.pos:], "${") {
				return prompt.Text{}, diag.Span{}, p.bad(p.pos)
			}
			b.WriteText(prompt.Verbatim(diag.Span{File: p.file, Start: p.pos, End: p.pos + 1}))
			p.pos++
		default:
			end := min(p.pos+2, len(text))
			c, ok := unescaped(text[p.pos+1 : end])
			if !ok {
				return prompt.Text{}, diag.Span{}, p.bad(p.pos)
			}
			b.WriteText(prompt.Derived(c, diag.Span{File: p.file, Start: p.pos, End: end}))
			p.pos = end
		}
	}
}

// unescaped gives what a backslash and a character stand for.
func unescaped(c string) (string, bool) {
	switch c {
	case "`", "\\", "$", "\"", "'", "{":
		return c, true
	case "n":
		return "\n", true
	case "t":
		return "\t", true
	default:
		return "", false
	}
}

// unquote takes off what the programs put around a text: a line break at either
// end where it has several lines, and quotes.
func (p *savedParser) unquote(all []prompt.Saved) {
	for i := range all {
		s := &all[i]
		t := s.Value
		if n := len(t.Str); n > 2 && t.Str[0] == '\n' && t.Str[n-1] == '\n' {
			t = t.Slice(1, n-1)
		}
		s.Value = prompt.Text{}
		if n := len(t.Str); n >= 2 && t.Str[0] == '"' && t.Str[n-1] == '"' {
			s.Value, s.IsText = t.Slice(1, n-1), true
		}
	}
	if !escapes(all) {
		return
	}
	for i := range all {
		if all[i].IsText {
			all[i].Value = withoutEscapes(all[i].Value)
		}
	}
}

// escapes reports whether a file has a backslash before each quote and each
// backslash of its texts, as old versions and one setting write them. It shows
// in the quotes: either all of them have one, or none needs any.
func escapes(all []prompt.Saved) bool {
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

// withoutEscapes undoes the escapes of a quoted text.
func withoutEscapes(t prompt.Text) prompt.Text {
	var b prompt.Builder
	for at := 0; ; {
		n := strings.IndexByte(t.Str[at:], '\\')
		if n < 0 {
			b.WriteText(t.Slice(at, len(t.Str)))
			return b.Text()
		}
		b.WriteText(t.Slice(at, at+n))
		pair := t.Slice(at+n, min(at+n+2, len(t.Str)))
		at += len(pair.Str) + n
		b.WriteText(prompt.Derived(pair.Str[1:], pair.Span(0, len(pair.Str))))
	}
}

package load

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Lines of syrupy's files. Each entry has a name, a value and an end; the lines
// of the value are indented, so that no text can hold one of these.
const (
	amberExtension = ".ambr"
	amberVersion   = "# serializer version: "
	amberName      = "# name: "
	amberIndent    = "  "
)

// isAmber tells a file of syrupy by its name: its first line may be the heading
// of a text, too.
func isAmber(name, _ string) bool { return extension(name) == amberExtension }

// amberReader reads a file of syrupy line by line.
type amberReader struct {
	file *diag.File
	pos  int // where the next line begins
	out  []language.Saved
}

func readAmber(doc *language.Doc) *diag.Diagnostic {
	r := amberReader{file: doc.File, out: []language.Saved{}}
	bad := r.entries()
	if bad == nil {
		doc.Body = ground.Verbatim(diag.Span{File: doc.File, End: len(doc.File.Text)})
		doc.Saved = r.out
	}
	return bad
}

// line takes the next line, without its end; false behind the last.
func (r *amberReader) line() (line string, at int, ok bool) {
	at = r.pos
	if at >= len(r.file.Text) {
		return "", at, false
	}
	line, _, _ = strings.Cut(r.file.Text[at:], "\n")
	r.pos = at + len(line) + 1
	return line, at, true
}

// isAmberEnd tells the line behind a value, as it is and as it was before files
// had a version.
func isAmberEnd(line string) bool { return line == "# ---" || line == "---" }

func (r *amberReader) entries() *diag.Diagnostic {
	for first := true; ; first = false {
		line, at, ok := r.line()
		switch {
		case !ok:
			return nil
		case first && strings.HasPrefix(line, amberVersion): // projects give it words of their own
		case strings.HasPrefix(line, amberName):
			if bad := r.entry(line, at); bad != nil {
				return bad
			}
		case strings.TrimSpace(line) != "":
			return savedBad(r.file, at, "no-amber-entry")
		}
	}
}

// entry reads the value behind a name, up to the line that ends it.
func (r *amberReader) entry(line string, at int) *diag.Diagnostic {
	name := strings.TrimSpace(line[len(amberName):])
	start := at + len(amberName)
	if name == "" {
		return savedBad(r.file, at, "no-amber-entry")
	}
	s := language.Saved{Name: name, NameAt: diag.Span{File: r.file, Start: start, End: start + len(name)}}
	var lines []diag.Span // without their indents and ends
	s.At = diag.Span{File: r.file, Start: r.pos, End: r.pos}
	for {
		line, at, ok := r.line()
		if !ok {
			return savedBad(r.file, s.NameAt.Start-len(amberName), "entry-never-ends")
		}
		if isAmberEnd(line) {
			break
		}
		if line != "" && !strings.HasPrefix(line, amberIndent) {
			return savedBad(r.file, at, "no-amber-entry")
		}
		s.At.End = at + len(line)
		lines = append(lines, diag.Span{File: r.file, Start: min(at+len(amberIndent), s.At.End), End: s.At.End})
	}
	if s.Value, s.IsText = amberText(lines); !s.IsText {
		s.Value = joined(lines)
	}
	r.out = append(r.out, s)
	return nil
}

// amberText gives the string that a value stands for: between lines of quotes,
// or as Python prints it; false for any other value.
func amberText(lines []diag.Span) (ground.Text, bool) {
	if len(lines) == 1 {
		return pythonString(lines[0])
	}
	last := len(lines) - 1
	quotes := func(i int) string { return ground.Verbatim(lines[i]).Str }
	if last < 1 || quotes(0) != quotes(last) || quotes(0) != "'''" && quotes(0) != "'" {
		return ground.Text{}, false
	}
	return joined(lines[1:last]), true
}

// joined gives lines with the breaks between them.
func joined(lines []diag.Span) ground.Text {
	var b ground.Builder
	for i, at := range lines {
		if i+1 < len(lines) {
			at.End++ // with its line break
		}
		b.WriteText(ground.Verbatim(at))
	}
	return b.Text()
}

// pythonEscape is a backslash with what it may stand in front of.
var pythonEscape = regexp.MustCompile(`\\(?:[\\'"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})`)

// pythonString reads a string as Python prints it.
func pythonString(at diag.Span) (ground.Text, bool) {
	str := ground.Verbatim(at).Str
	n := len(str)
	if n < 2 || str[0] != str[n-1] || str[0] != '\'' && str[0] != '"' {
		return ground.Text{}, false
	}
	at.Start, at.End = at.Start+1, at.End-1
	if strings.ContainsAny(pythonEscape.ReplaceAllString(str[1:n-1], ""), `\`+str[:1]) {
		return ground.Text{}, false
	}
	return unescaped(ground.Verbatim(at), pythonEscape, pythonCharacter), true
}

// pythonCharacter gives the character of an escape.
func pythonCharacter(escape string) string {
	switch escape[1] {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case 'x', 'u', 'U':
		c, _ := strconv.ParseUint(escape[2:], 16, 32) // of digits
		return string(rune(c))
	default:
		return escape[1:]
	}
}

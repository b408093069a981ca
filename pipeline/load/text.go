package load

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// maxBytes limits one file. Prompts are far smaller; what is larger was named
// by mistake.
const maxBytes = 1 << 20

// normalised is a file whose bytes on disk are not its text.
type normalised struct {
	file      *diag.File
	bom, crlf bool
}

func (n normalised) what() string {
	switch {
	case n.bom && n.crlf:
		return "byte order mark, CRLF"
	case n.bom:
		return "byte order mark"
	default:
		return "CRLF"
	}
}

// normalise makes a File of what is on disk: without byte order mark, lines
// ended by LF. It reports what no text may hold; then the second result is
// false, and the file serves only as a place.
func (r *run) normalise(name string, data []byte) (*diag.File, bool) {
	if enc := otherEncoding(data); enc != "" {
		file := &diag.File{Path: name}
		r.found = append(r.found, diag.New(diag.NotText, diag.Whole(file), "the file is encoded as %s, not as UTF-8", enc).
			WithHint("save the file as UTF-8"))
		return file, false
	}
	text, bom := strings.CutPrefix(string(data), "\uFEFF")
	crlf := strings.Contains(text, "\r\n")
	text = lineFeeds(text)
	file := &diag.File{Path: name, Text: text}
	if !utf8.ValidString(text) {
		// Every invalid byte becomes one replacement character, so that
		// lines and columns hold and the text can be printed.
		file.Text = string([]rune(text))
		r.found = append(r.found, invalidUTF8(file, data))
		return file, false
	}
	if bom || crlf {
		r.changed = append(r.changed, normalised{file: file, bom: bom, crlf: crlf})
	}
	before := len(r.found)
	if d, ok := nulCharacter(file, data); ok {
		r.found = append(r.found, d)
	}
	if d, ok := conflicts(file); ok {
		r.found = append(r.found, d)
	}
	if len(r.found) > before {
		return file, false
	}
	if d, ok := pointer(file); ok {
		r.found = append(r.found, d)
	}
	return file, true
}

// lineFeeds ends every line with LF alone. Of several CRs before it Git takes one
// away at each commit: all of them are the line break, so that a text stays what
// it is.
func lineFeeds(text string) string {
	if !strings.Contains(text, "\r\n") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if body, ended := strings.CutSuffix(line, "\n"); ended {
			line = strings.TrimRight(body, "\r") + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func otherEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return "UTF-16 (little endian)"
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return "UTF-16 (big endian)"
	default:
		return ""
	}
}

func invalidUTF8(file *diag.File, data []byte) diag.Diagnostic {
	first, count := -1, 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			if first < 0 {
				first = i
			}
			count++
		}
		i += size
	}
	at := strings.IndexRune(file.Text, utf8.RuneError)
	// A genuine replacement character may stand before the first bad byte.
	seen := utf8.RuneCountInString(lineFeeds(strings.TrimPrefix(string(data[:first]), "\uFEFF")))
	for offset := range file.Text {
		if seen == 0 {
			at = offset
			break
		}
		seen--
	}
	d := diag.New(diag.NotText, diag.Span{File: file, Start: at, End: at + len("\uFFFD")},
		"byte 0x%02x at offset %d is not UTF-8", data[first], first)
	if count > 1 {
		d = d.WithDetail(diag.Number(count) + " such bytes in the file")
	}
	return d.WithHint("save the file as UTF-8")
}

func nulCharacter(file *diag.File, data []byte) (diag.Diagnostic, bool) {
	at := strings.IndexByte(file.Text, 0)
	if at < 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.New(diag.NotText, diag.Span{File: file, Start: at, End: at + 1},
		"NUL character at offset %d", bytes.IndexByte(data, 0))
	if n := strings.Count(file.Text, "\x00"); n > 1 {
		d = d.WithDetail(diag.Number(n) + " such characters in the file")
	}
	return d.WithHint("is this a text file? remove the character"), true
}

// conflicts finds what an unfinished merge leaves behind: an opening marker,
// then the divider, then the closing one, each starting a line. The labels
// SEARCH and REPLACE belong to an edit format that prompts teach. One finding
// stands for all conflicts of a file.
func conflicts(file *diag.File) (diag.Diagnostic, bool) {
	const (
		outside = iota
		opened
		divided
	)
	var places []diag.Span
	var ends []int
	state, open, line := outside, diag.Span{}, 0
	if !strings.Contains(file.Text, "<<<<<<< ") {
		return diag.Diagnostic{}, false
	}
	for start := 0; start < len(file.Text); {
		text, _, _ := strings.Cut(file.Text[start:], "\n")
		line++
		switch {
		case state != divided && marker(text, "<<<<<<< ", "SEARCH"):
			state, open = opened, diag.Span{File: file, Start: start, End: start + len(text)}
		case state == opened && strings.HasPrefix(text, "======="):
			state = divided
		case state == divided && marker(text, ">>>>>>> ", "REPLACE"):
			places, ends = append(places, open), append(ends, line)
			state = outside
		}
		start += len(text) + 1
	}
	if len(places) == 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.New(diag.ConflictMarkers, places[0], "unresolved merge conflict up to line %d", ends[0]).
		WithHint("decide between the two sides and remove the marker lines")
	if len(places) > 1 {
		d = d.WithDetail(fmt.Sprintf("%s conflicts in the file, the last up to line %d", diag.Number(len(places)), ends[len(ends)-1]))
	}
	return d, true
}

func marker(line, prefix, except string) bool {
	label, ok := strings.CutPrefix(line, prefix)
	return ok && strings.TrimSpace(label) != except
}

func tooLarge(at diag.Span, name string) diag.Diagnostic {
	return diag.New(diag.FileTooLarge, at, "%q is larger than 1 MiB", name).
		WithHint("is this the right file? split it, or narrow the path")
}

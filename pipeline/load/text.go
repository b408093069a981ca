package load

import (
	"bytes"
	"regexp"
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

// what is the key of the words for it.
func (n normalised) what() string {
	switch {
	case n.bom && n.crlf:
		return "has-mark-and-crlf"
	case n.bom:
		return "has-mark"
	default:
		return "has-crlf"
	}
}

// normalise makes a File of what is on disk: without byte order mark, lines
// ended by LF. It reports what no text may hold; then the second result is
// false, and the file serves only as a place.
func (r *run) normalise(name string, data []byte) (*diag.File, bool) {
	if enc := otherEncoding(data); enc != "" {
		file := &diag.File{Path: name}
		r.found = append(r.found, diag.New(diag.NotText, diag.Whole(file), "file-encoded-not-utf", enc).
			WithHint("save-file-utf-8"))
		return file, false
	}
	text, bom := strings.CutPrefix(string(data), "\uFEFF")
	crlf := strings.Contains(text, "\r\n")
	if crlf {
		text = lineBreak.ReplaceAllString(text, "\n")
	}
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

// lineBreak is a line break of Windows. Of several CRs before an LF Git takes one
// away at each commit: all of them are the line break, so that a text stays what
// it is.
var lineBreak = regexp.MustCompile("\r+\n")

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
	first := invalid(string(data))
	before := strings.TrimPrefix(string(data[:first]), "\uFEFF")
	at := len(lineBreak.ReplaceAllString(before, "\n"))
	d := diag.New(diag.NotText, diag.Span{File: file, Start: at, End: at + len("\uFFFD")},
		"byte-offset-not-utf", data[first], first)
	return d.WithHint("save-file-utf-8")
}

// invalid gives the offset of the first byte that is not UTF-8, -1 for none.
func invalid(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func nulCharacter(file *diag.File, data []byte) (diag.Diagnostic, bool) {
	at := strings.IndexByte(file.Text, 0)
	if at < 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.New(diag.NotText, diag.Span{File: file, Start: at, End: at + 1},
		"nul-character-offset", bytes.IndexByte(data, 0))
	return d.WithHint("text-file-remove-character"), true
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
	d := diag.New(diag.ConflictMarkers, places[0], "unresolved-merge-conflict-up", ends[0]).
		WithHint("decide-between-two-sides")
	if len(places) > 1 {
		d = d.WithDetail(diag.Say("conflicts-in-file", diag.Count(len(places)), ends[len(ends)-1]))
	}
	return d, true
}

func marker(line, prefix, except string) bool {
	label, ok := strings.CutPrefix(line, prefix)
	return ok && strings.TrimSpace(label) != except
}

func tooLarge(at diag.Span, name string) diag.Diagnostic {
	return diag.New(diag.FileTooLarge, at, "larger-1-mib", name).
		WithHint("right-file-split-narrow")
}

// pointerVersion starts every file that Git LFS keeps in a file's stead, and
// maxPointer is how long one may be in bytes, by its specification.
const (
	pointerVersion = "version https://git-lfs.github.com/spec/v1\n"
	maxPointer     = 1024
)

// pointer finds a file that only says which file belongs there. It stays what
// it is: in what Git keeps, that is all there is.
func pointer(file *diag.File) (diag.Diagnostic, bool) {
	rest, ok := strings.CutPrefix(file.Text, pointerVersion)
	if !ok || len(file.Text) >= maxPointer {
		return diag.Diagnostic{}, false
	}
	var id, size string
	for line := range strings.Lines(rest) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "oid":
			id, _ = strings.CutPrefix(value, "sha256:")
		case "size":
			size = value
		}
	}
	if len(id) != 64 || strings.Trim(id, "0123456789abcdef") != "" || size == "" || strings.Trim(size, "0123456789") != "" {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.LFSPointer, diag.Whole(file), "git-lfs-pointer-not", file.Path).
		WithHint("run-git-lfs-pull"), true
}

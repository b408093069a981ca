package load

import (
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// body gives the text from start on without leading Markdown comments (where
// asked) and without outer blank lines. The first line that has text keeps
// its indentation, the last one its trailing blanks.
func (r *run) body(file *diag.File, start int, comments bool) (prompt.Text, bool) {
	for comments {
		rest := file.Text[start:]
		open := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
		if !strings.HasPrefix(rest[open:], "<!--") {
			break
		}
		// `<!-->` is a whole comment, so that the end may overlap the start.
		end := strings.Index(rest[open+len("<!"):], "-->")
		if end < 0 {
			line, _, _ := strings.Cut(rest[open:], "\n")
			at := diag.Span{File: file, Start: start + open, End: start + open + len(line)}
			r.found = append(r.found, diag.New(diag.CommentUnterminated, at, "the comment at the start is never closed").
				WithHint("close it with `-->`"))
			return prompt.Text{}, false
		}
		start += open + len("<!") + end + len("-->")
	}
	text := file.Text[start:]
	if first := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }); first >= 0 {
		// Behind a comment in the same line, text starts with its first
		// character; in a line of its own, with the line.
		if line := strings.LastIndexByte(text[:first], '\n') + 1; line > 0 || start == 0 || file.Text[start-1] == '\n' {
			first = line
		}
		start += first
		text = text[first:]
	}
	kept := strings.TrimRightFunc(text, unicode.IsSpace)
	if kept == "" {
		return prompt.Text{}, true
	}
	end, _, _ := strings.Cut(text[len(kept):], "\n")
	return prompt.Verbatim(diag.Span{File: file, Start: start, End: start + len(kept) + len(end)}), true
}

// whole gives the text of a plain file: everything but the line breaks at its
// end.
func whole(file *diag.File) prompt.Text {
	return prompt.Verbatim(diag.Span{File: file, Start: 0, End: len(strings.TrimRight(file.Text, "\n"))})
}

package load

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// labels finds the items `- **Label:** value` of a body's bullet lists.
func (r *run) labels(body prompt.Text) []prompt.Label {
	if len(body.Segs) == 0 {
		return nil
	}
	at := body.Segs[0].At // a body is one verbatim piece of its file
	bullets, deep := markdown.Bullets(body.Str)
	if deep != nil {
		blanks := len(body.Str[deep.Start:]) - len(strings.TrimLeft(body.Str[deep.Start:], " \t"))
		r.found = append(r.found, diag.New(diag.TooComplex,
			diag.Span{File: at.File, Start: at.Start + deep.Start + blanks, End: at.Start + deep.End},
			"lists-quotes-nested-deeper", markdown.MaxContainers).WithHint("right-file"))
		return nil
	}
	var out []prompt.Label
	for _, lines := range bullets {
		if label, ok := readLabel(body, lines); ok {
			out = append(out, label)
		}
	}
	return out
}

func readLabel(body prompt.Text, lines []markdown.Span) (prompt.Label, bool) {
	if len(lines) == 0 {
		return prompt.Label{}, false
	}
	first := trimmed(body, lines[0].Start, lines[0].End)
	start, end, rest, ok := cutLabel(first.Str)
	if !ok {
		return prompt.Label{}, false
	}
	name := first.Slice(start, end).Trim(white)
	if name.Str == "" {
		return prompt.Label{}, false
	}
	var value prompt.Builder
	for i := range lines {
		line := first.Slice(rest, len(first.Str)).Trim(white)
		if i > 0 {
			line = trimmed(body, lines[i].Start, lines[i].End)
		}
		if line.Str != "" && value.Len() > 0 {
			value.WriteString(" ")
		}
		value.WriteText(line)
	}
	whole := trimmed(body, lines[0].Start, lines[len(lines)-1].End)
	return prompt.Label{Name: name, Value: value.Text(), Placed: whole.Span(0, len(whole.Str))}, true
}

// cutLabel gives the label s[start:end] of a line and where its value starts.
// The label ends at the first colon, or full-width colon; emphasis around it
// closes before or behind the colon. A plain colon must be followed by a
// blank, so that `http://…` is no label.
func cutLabel(s string) (start, end, rest int, ok bool) {
	start = len(s) - len(strings.TrimLeft(s, "*_"))
	open := s[:start]
	end = strings.IndexAny(s, ":：")
	if end < start || strings.Contains(s[:end], "`") { // a colon in code ends no label
		return 0, 0, 0, false
	}
	full := strings.HasPrefix(s[end:], "：")
	rest = end + 1
	if full {
		rest = end + len("：")
	}
	if open != "" {
		if name := strings.TrimRight(s[start:end], white); strings.HasSuffix(name, open) {
			end = start + len(name) - len(open)
		} else if strings.HasPrefix(s[rest:], open) {
			rest += len(open)
		} else {
			return 0, 0, 0, false
		}
	}
	return start, end, rest, full || rest == len(s) || s[rest] == ' ' || s[rest] == '\t'
}

// white is what is trimmed around labels and values; the last one is the
// blank of Chinese and Japanese text.
const white = " \t\n\u3000"

func trimmed(t prompt.Text, start, end int) prompt.Text {
	return t.Slice(start, end).Trim(white)
}

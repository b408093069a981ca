package load

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/match"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxContainers limits how deep lists and quotes may be nested where labels
// are looked for: goldmark takes seconds for what is nested by the thousand.
const maxContainers = 100

// labels finds the items `- **Label:** value` of a body's bullet lists.
// Markdown's block structure decides what is an item, so that code and nested
// lists are left alone.
func (r *run) labels(body prompt.Text) []prompt.Label {
	if len(body.Segs) == 0 {
		return nil
	}
	at := body.Segs[0].At // a body is one verbatim piece of its file
	if line := deepLine(body.Str); line >= 0 {
		end := strings.IndexByte(body.Str[line:]+"\n", '\n')
		blanks := len(body.Str[line:]) - len(strings.TrimLeft(body.Str[line:], " \t"))
		r.found = append(r.found, diag.New(diag.TooComplex,
			diag.Span{File: at.File, Start: at.Start + line + blanks, End: at.Start + line + end},
			"lists and quotes nested deeper than %d levels", maxContainers).WithHint("is this the right file?"))
		return nil
	}
	source := []byte(body.Str)
	doc := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(source))
	var out []prompt.Label
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		list, ok := block.(*ast.List)
		if !ok || list.IsOrdered() {
			continue
		}
		for item := list.FirstChild(); item != nil; item = item.NextSibling() {
			first := item.FirstChild()
			if first == nil || first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph {
				continue
			}
			if label, ok := readLabel(body, first.Lines()); ok {
				out = append(out, label)
			}
		}
	}
	return out
}

// deepLine gives the start of the first line that may be nested deeper than
// maxContainers, or -1. It counts generously: two columns of indentation can
// go on with a level that the lines before have opened, and every marker can
// open another.
func deepLine(s string) int {
	open := 0
	for start := 0; start < len(s); {
		line, _, _ := strings.Cut(s[start:], "\n")
		if strings.TrimSpace(line) != "" {
			columns, markers := containerPrefix(line)
			open = min(open, columns/2+markers) + markers
			if open > maxContainers {
				return start
			}
		}
		start += len(line) + 1
	}
	return -1
}

var listMarker = match.Regexp{Expr: `^(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)`}

func containerPrefix(line string) (columns, markers int) {
	for line != "" {
		switch {
		case line[0] == ' ':
			columns++
			line = line[1:]
		case line[0] == '\t':
			columns += 4
			line = line[1:]
		case line[0] == '>':
			markers++
			line = line[1:]
		default:
			m := listMarker.Compiled().FindString(line)
			if m == "" {
				return columns, markers
			}
			markers++
			line = line[len(strings.TrimRight(m, " \t")):]
		}
	}
	return columns, markers
}

func readLabel(body prompt.Text, lines *text.Segments) (prompt.Label, bool) {
	if lines.Len() == 0 {
		return prompt.Label{}, false
	}
	first := trimmed(body, lines.At(0).Start, lines.At(0).Stop)
	start, end, rest, ok := cutLabel(first.Str)
	if !ok {
		return prompt.Label{}, false
	}
	name := first.Slice(start, end).Trim(white)
	if name.Str == "" {
		return prompt.Label{}, false
	}
	var value prompt.Builder
	for i := range lines.Len() {
		line := first.Slice(rest, len(first.Str)).Trim(white)
		if i > 0 {
			line = trimmed(body, lines.At(i).Start, lines.At(i).Stop)
		}
		if line.Str != "" && value.Len() > 0 {
			value.WriteString(" ")
		}
		value.WriteText(line)
	}
	whole := trimmed(body, lines.At(0).Start, lines.At(lines.Len()-1).Stop)
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

package render

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// lineBreaks are the characters that end a line anywhere: besides those of
// ASCII the next-line, line-separator and paragraph-separator characters.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

var brokenLine = regexp.MustCompile(`[\s\v\x{85}\x{2028}\x{2029}]*[` + lineBreaks + `][\s\v\x{85}\x{2028}\x{2029}]*`)

// oneLine collapses every run of white space that holds a line break to one
// space.
func oneLine(t prompt.Text) prompt.Text {
	t = trimmed(t)
	if !strings.ContainsAny(t.Str, lineBreaks) {
		return t
	}
	var edits []edit
	for _, m := range brokenLine.FindAllStringIndex(t.Str, -1) {
		edits = append(edits, edit{start: m[0], end: m[1], str: " "})
	}
	return plain(t).edited(edits).text
}

// trimmed gives a text without outer white space.
func trimmed(t prompt.Text) prompt.Text {
	const space = " \t" + lineBreaks
	start := len(t.Str) - len(strings.TrimLeft(t.Str, space))
	end := max(start, len(strings.TrimRight(t.Str, space)))
	if start == 0 && end == len(t.Str) {
		return t
	}
	return plain(t).slice(start, end).text
}

// xmlEscapes are the characters that XML text and attributes in double quotes
// cannot hold as they are. The apostrophe can stand in both, and is left.
var xmlEscapes = []struct{ raw, escaped string }{
	{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {`"`, "&quot;"},
}

// escapeXML replaces what XML would misread.
func escapeXML(p passage) passage {
	var edits []edit
	for i := range len(p.text.Str) {
		for _, e := range xmlEscapes {
			if p.text.Str[i] == e.raw[0] {
				edits = append(edits, edit{start: i, end: i + 1, str: e.escaped})
			}
		}
	}
	return p.edited(edits)
}

// summaryRunes is how much of a tool's description a native line shows, in
// code points (the conformance document, item 10).
const summaryRunes = 160

// summary gives a description as one line of at most summaryRunes code
// points, and `...` where more was there.
func summary(t prompt.Text) passage {
	t = oneLine(t)
	at := runeOffset(t.Str, summaryRunes)
	if at == len(t.Str) {
		return plain(t)
	}
	var w writer
	w.write(plain(t).slice(0, at))
	w.literal("...")
	return w.passage()
}

// runeOffset gives the byte offset after n code points, or the length.
func runeOffset(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// fence gives a code fence that no line of the text can close: longer than
// any run of backticks in it, three at least.
func fence(s string) string {
	longest, run := 2, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// blank reports whether a text has nothing to read: white space alone.
func blank(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// runesIn counts code points.
func runesIn(s string) int { return utf8.RuneCountInString(s) }

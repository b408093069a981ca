package render

import (
	"regexp"
	"strings"
)

// lineBreaks are the characters that end a line anywhere: besides those of
// ASCII the next-line, line-separator and paragraph-separator characters.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

var brokenLine = regexp.MustCompile(`[\s\v\x{85}\x{2028}\x{2029}]*[\n\r\v\f\x{85}\x{2028}\x{2029}][\s\v\x{85}\x{2028}\x{2029}]*`)

// oneLine collapses every run of white space that holds a line break to one
// space, and drops white space at both ends.
func oneLine(p passage) passage {
	p = trimmed(p)
	if !strings.ContainsAny(p.text.Str, lineBreaks) {
		return p
	}
	var edits []edit
	for _, m := range brokenLine.FindAllStringIndex(p.text.Str, -1) {
		edits = append(edits, edit{start: m[0], end: m[1], str: " "})
	}
	return p.edited(edits)
}

// trimmed gives a text without outer white space.
func trimmed(p passage) passage {
	const space = " \t" + lineBreaks
	s := p.text.Str
	start := len(s) - len(strings.TrimLeft(s, space))
	end := max(start, len(strings.TrimRight(s, space)))
	if start == 0 && end == len(s) {
		return p
	}
	return p.slice(start, end)
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
func summary(p passage) passage {
	p = oneLine(p)
	at := runeOffset(p.text.Str, summaryRunes)
	if at == len(p.text.Str) {
		return p
	}
	var w writer
	w.write(p.slice(0, at))
	w.literal("...")
	return w.passage()
}

// beforeSlot gives the offset, or the start of the slot that it lies in.
func beforeSlot(p passage, at int) int {
	for _, s := range p.slots {
		if s.Start < at && at < s.End {
			return s.Start
		}
	}
	return at
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

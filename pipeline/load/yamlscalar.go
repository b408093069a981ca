package load

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func emptyPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quotedStyles == 0
}

// scalar reads a scalar, of which the library has decoded the text.
func (c *converter) scalar(n *yaml.Node, out *converted) {
	out.node = &prompt.Node{Kind: prompt.String}
	out.end = out.start
	// The library takes a number that no float holds for a text.
	asText := n.Style&yaml.TaggedStyle != 0 && n.Tag == "!!str" || n.Tag == "!"
	if n.Style&quotedStyles == 0 && !asText || emptyPlain(n) {
		out.node.Kind = plainKind(n.Value)
	}
	if !emptyPlain(n) {
		out.node.Text, out.end = c.text.scalar(n.Value, n.Style, out.start)
	}
}

// scalar gives a decoded text with the places of its characters, and the end of
// the scalar. A text that is not found in its source has one place for all of it.
func (y *yamlText) scalar(text string, style yaml.Style, start int) (out prompt.Text, end int) {
	at, quote := start, ""
	switch {
	case style&yaml.DoubleQuotedStyle != 0:
		quote = `"`
	case style&yaml.SingleQuotedStyle != 0:
		quote = `'`
	case style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		if at = y.lineEnd(start); at < len(y.src) {
			at += breakAt(y.src, at)
		}
	}
	if out, end, ok := align(y.src, text, at+len(quote), quote, y.span); ok && strings.HasPrefix(y.src[end:], quote) {
		return out, end + len(quote)
	}
	if end = y.lineEnd(start); quote != "" {
		end = closing(y.src, start, quote[0])
	}
	var whole textMap
	whole.put(text, y.span(start, end))
	return whole.Text(), end
}

// align finds a decoded text of YAML or JSON in its source from a place on, and
// gives its end there. An escape stands for one character; folding, breaks and indentation only turn white space into
// other white space; all else has to be equal.
func align(src, text string, at int, quote string, span func(start, end int) diag.Span) (prompt.Text, int, bool) {
	var out textMap
	for {
		same := 0
		for same < len(text) && at+same < len(src) && text[same] == src[at+same] && (quote != `"` || text[same] != '\\') {
			same++
		}
		out.put(text[:same], span(at, at+same))
		at, text = at+same, text[same:]
		if text == "" || at == len(src) {
			// A last line break may be in the text alone.
			out.put(text, span(at, at))
			return out.Text(), at, text == "" || text == "\n"
		}
		from, taken := src[at:], 0
		switch {
		case quote == `'` && from[0] == '\'' && src[at-1] == '\'': // the second of two
			at++
			continue
		case quote == `"` && from[0] == '\\':
			var r rune
			if r, taken = utf8.DecodeRuneInString(text); len(from) < 2 || breakAt(from, 1) > 0 {
				return prompt.Text{}, at, false
			}
			same = min(escapeLength(from[1], r), len(from))
		default:
			taken = len(text) - len(strings.TrimLeft(text, yamlSpace))
			if same = len(from) - len(strings.TrimLeft(from, yamlSpace)); same == 0 {
				return prompt.Text{}, at, false
			}
		}
		out.put(text[:taken], span(at, at+same))
		at, text = at+same, text[taken:]
	}
}

// escapeLength gives the bytes of the escape for a character from the letter
// behind its backslash.
func escapeLength(letter byte, r rune) int {
	switch {
	case letter == 'x':
		return len(`\x00`)
	case letter == 'u' && r > 0xFFFF: // two halves, in JSON
		return len(`\u0000\u0000`)
	case letter == 'u':
		return len(`\u0000`)
	case letter == 'U':
		return len(`\U00000000`)
	default:
		return len(`\n`)
	}
}

// closing gives the end of a scalar in quotes.
func closing(src string, at int, quote byte) int {
	for at++; at < len(src); at++ {
		switch {
		case src[at] == '\\' && quote == '"', quote == '\'' && strings.HasPrefix(src[at:], "''"):
			at++
		case src[at] == quote:
			return at + 1
		}
	}
	return len(src)
}

// textMap puts decoded text together, piece by piece with its source.
type textMap struct {
	b prompt.Builder
	// run is the verbatim text not yet handed to b.
	run diag.Span
}

// verbatim appends a span byte for byte. Neighbours become one segment.
func (m *textMap) verbatim(at diag.Span) {
	if m.run.Known() && m.run.End == at.Start {
		m.run.End = at.End
		return
	}
	m.flush()
	m.run = at
}

// put appends text that was made from a span. A segment of equal lengths
// claims equal bytes, so where lengths agree and bytes do not, the text goes
// without a place.
func (m *textMap) put(text string, at diag.Span) {
	source := at.File.Text[at.Start:at.End]
	switch {
	case text == "":
	case source == text:
		m.verbatim(at)
	case source == "" || len(source) == len(text):
		m.flush()
		m.b.WriteString(text)
	default:
		m.flush()
		m.b.WriteText(prompt.Derived(text, at))
	}
}

func (m *textMap) flush() {
	if m.run.Known() {
		m.b.WriteText(prompt.Verbatim(m.run))
		m.run = diag.Span{}
	}
}

// Text gives what was put.
func (m *textMap) Text() prompt.Text {
	m.flush()
	return m.b.Text()
}

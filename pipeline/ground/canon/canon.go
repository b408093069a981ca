// Package canon turns a Node into canonical JSON: keys sorted by bytes,
// arrays in order, numbers as written, strings in UTF-8 with the fewest
// possible escapes. Equal values give equal bytes, whatever their source's
// layout was.
package canon

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// Indent gives a node as JSON over several lines, indented by two spaces,
// without a final line break. Empty mappings and sequences are {} and [].
func Indent(n *ground.Node) string {
	w := writer{indent: true}
	w.node(n, 0)
	return w.b.String()
}

// Compact gives a node as JSON on one line, without spaces and without a
// final line break.
func Compact(n *ground.Node) string {
	w := writer{}
	w.node(n, 0)
	return w.b.String()
}

// Inline gives a node as JSON on one line with a space after each colon and comma,
// as Python's json module writes it and prompts show it.
func Inline(n *ground.Node) string {
	w := writer{spaced: true}
	w.node(n, 0)
	return w.b.String()
}

// Listed is Inline for a mapping whose entries keep their order. It concerns the
// outermost mapping alone.
func Listed(fields ...ground.Field) string {
	w := writer{spaced: true}
	w.mapping(fields, 0)
	return w.b.String()
}

// Object gives a mapping as Indent does, but with the named keys in the order
// of first, before all others. It concerns the outermost mapping alone.
func Object(n *ground.Node, first []string) string {
	w := writer{indent: true}
	w.mapping(ranked(n.Fields, first), 0)
	return w.b.String()
}

type writer struct {
	b      strings.Builder
	indent bool
	spaced bool
}

func (w *writer) node(n *ground.Node, depth int) {
	switch {
	case n == nil || n.Kind == ground.Null:
		w.b.WriteString("null")
	case n.Kind == ground.Mapping:
		w.mapping(ranked(n.Fields, nil), depth)
	case n.Kind == ground.Sequence:
		w.sequence(n.Items, depth)
	case n.Kind == ground.Bool:
		w.b.WriteString(strconv.FormatBool(n.IsTrue()))
	case n.Kind == ground.String:
		w.string(n.Text.Str)
	default:
		w.b.WriteString(n.Text.Str)
	}
}

func (w *writer) mapping(fields []ground.Field, depth int) {
	w.b.WriteByte('{')
	for i, f := range fields {
		w.next(i, depth+1)
		w.string(f.Key)
		w.b.WriteByte(':')
		if w.indent || w.spaced {
			w.b.WriteByte(' ')
		}
		w.node(f.Value, depth+1)
	}
	if len(fields) > 0 {
		w.line(depth)
	}
	w.b.WriteByte('}')
}

func (w *writer) sequence(items []*ground.Node, depth int) {
	w.b.WriteByte('[')
	for i, item := range items {
		w.next(i, depth+1)
		w.node(item, depth+1)
	}
	if len(items) > 0 {
		w.line(depth)
	}
	w.b.WriteByte(']')
}

// next begins an element.
func (w *writer) next(i, depth int) {
	if i > 0 {
		w.b.WriteByte(',')
		if w.spaced {
			w.b.WriteByte(' ')
		}
	}
	w.line(depth)
}

func (w *writer) line(depth int) {
	if !w.indent {
		return
	}
	w.b.WriteByte('\n')
	for range depth {
		w.b.WriteString("  ")
	}
}

// string writes a JSON string. Only the quote, the backslash and what JSON
// forbids (U+0000 to U+001F) are escaped; bytes that are no UTF-8 become
// U+FFFD, so that the output is JSON whatever went in.
func (w *writer) string(s string) {
	const hex = "0123456789abcdef"
	w.b.WriteByte('"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				w.b.WriteString(s[start:i])
				w.b.WriteString("\uFFFD")
				start = i + 1
			}
			i += size
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' {
			i++
			continue
		}
		w.b.WriteString(s[start:i])
		if short := strings.IndexByte("\"\\\n\r\t\b\f", c); short >= 0 {
			w.b.WriteByte('\\')
			w.b.WriteByte(`"\nrtbf`[short])
		} else {
			w.b.WriteString(`\u00`)
			w.b.WriteByte(hex[c>>4])
			w.b.WriteByte(hex[c&15])
		}
		i++
		start = i
	}
	w.b.WriteString(s[start:])
	w.b.WriteByte('"')
}

// ranked gives the fields in canonical order: those of first as listed there,
// the rest by the bytes of their keys.
func ranked(fields []ground.Field, first []string) []ground.Field {
	out := slices.Clone(fields)
	rank := func(key string) int {
		if i := slices.Index(first, key); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(out, func(a, b ground.Field) int {
		if d := rank(a.Key) - rank(b.Key); d != 0 {
			return d
		}
		return strings.Compare(a.Key, b.Key)
	})
	return out
}

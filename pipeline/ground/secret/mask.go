package secret

import (
	"html"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
)

// Shown is how many characters of a key may be shown.
const Shown = 4

// leastPart is how many bytes in a row of a known key, behind those that may be
// shown, are masked wherever they stand.
const leastPart = 8

// Known are keys that were found in a project. The zero Known has none.
type Known struct {
	parts map[string]bool // each leastPart bytes of the keys
}

// Add adds a key.
func (k *Known) Add(m Match) {
	if k.parts == nil {
		k.parts = map[string]bool{}
	}
	key, _, _ := strings.Cut(m.Text, "-----END ")
	for i := Shown; i+leastPart <= len(key); i++ {
		k.parts[key[i:i+leastPart]] = true
	}
}

// Hidden returns from where on a key may not be shown.
func (m Match) Hidden(text string) int {
	from := m.Shown
	for range Shown {
		_, size := utf8.DecodeRuneInString(text[from:m.End])
		from += size
	}
	return from
}

// Mask returns a text with a star for each byte of its keys, and of parts of the
// known ones, but for their first characters. Line breaks stay, so that offsets
// and lines are what they were.
func (k *Known) Mask(text string) string {
	if len(text) < leastPart {
		return text
	}
	out := []byte(text)
	star := func(from, to int) {
		for i := from; i < to; i++ {
			if text[i] != '\n' {
				out[i] = '*'
			}
		}
	}
	for _, m := range Find(text) {
		star(m.Hidden(text), m.End)
	}
	for v, depth := whole(text), 0; v != nil && depth <= deepest && len(k.parts) > 0; v, depth = v.decode(), depth+1 {
		for i := 0; i+leastPart <= len(v.text); i++ {
			if k.parts[v.text[i:i+leastPart]] {
				star(v.start(i), v.end(i+leastPart))
			}
		}
	}
	return string(out)
}

// Mask is Known.Mask where no keys are known.
func Mask(text string) string { return new(Known).Mask(text) }

// deepest is how many escapes are decoded inside each other: JSON in JSON in YAML.
const deepest = 3

// view is a text as its escapes decode, without characters that nobody sees.
type view struct {
	text  string
	parts []part
	of    *view // what this view decodes, nil for the text itself, which is its one part
}

// part says that the view goes on at a byte with what stands in its text at from.
// Size is the length there of one decoded byte, 0 of what stands there verbatim.
type part struct{ at, from, size int }

// whole is a text as it stands.
func whole(text string) *view { return &view{text: text, parts: []part{{}}} }

// start returns the place in the text of a byte of the view.
func (v *view) start(i int) int {
	p := v.parts[sort.Search(len(v.parts), func(k int) bool { return v.parts[k].at > i })-1]
	if v.of != nil {
		return v.of.start(p.from + i - p.at)
	}
	return p.from + i - p.at
}

// end returns the place in the text where what ends at a byte of the view does.
func (v *view) end(i int) int {
	p := v.parts[sort.Search(len(v.parts), func(k int) bool { return v.parts[k].at >= i })-1]
	i = p.from + max(p.size, i-p.at)
	if v.of != nil {
		return v.of.end(i)
	}
	return i
}

// odd has a bit for each byte that an escape or an unseen character may begin
// with.
var odd = [4]uint64{0x10000060ffffd9ff, 0x8000000010000000, 0xffffffffffffffff, 0xffffffffffffffff}

// decode returns what a view says without its escapes: those of JSON, YAML,
// HTML, addresses and workflow commands, styles of a terminal, hidden characters and
// their names. Nil where it has none.
func (v *view) decode() *view {
	text, out := v.text, &view{of: v}
	var b strings.Builder
	last := 0
	for i := 0; i < len(text); {
		if c := text[i]; odd[c>>6]>>(c&63)&1 == 0 {
			i++
			continue
		}
		size, instead, ok := escape(text[i:])
		if !ok {
			i += size
			continue
		}
		if i > last {
			out.parts = append(out.parts, part{b.Len(), last, 0})
			b.WriteString(text[last:i])
		}
		if instead != 0 {
			out.parts = append(out.parts, part{b.Len(), i, size})
			b.WriteByte(instead)
		}
		i += size
		last = i
	}
	if last == 0 {
		return nil
	}
	out.parts = append(out.parts, part{b.Len(), last, 0})
	b.WriteString(text[last:])
	out.text = b.String()
	return out
}

// escape reads what a text begins with: how long it is, and what it says, 0 for
// nothing.
func escape(text string) (size int, instead byte, ok bool) {
	switch c := text[0]; {
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRuneInString(text)
		return size, 0, r != utf8.RuneError && chars.Hidden(r)
	case c == '%':
		return number(text, 1, 2)
	case c == '&':
		end := strings.IndexByte(text[:min(len(text), len("&amp;"))], ';') + 1
		said := html.UnescapeString(text[:end])
		return max(end, 1), (said + "\x00")[0], len(said) == 1
	case c == '<':
		end := strings.IndexByte(text[:min(len(text), len("<U+10FFFF>"))], '>')
		_, err := strconv.ParseUint(strings.TrimPrefix(text[:max(end, 0)], "<U+"), 16, 32)
		return max(end, 0) + 1, 0, strings.HasPrefix(text, "<U+") && err == nil
	case c == '\\':
		return backslash(text)
	case strings.HasPrefix(text, "\x1b["):
		return strings.IndexByte(text+"m", 'm') + 1, 0, strings.Contains(text[:min(len(text), 12)], "m")
	default:
		return 1, 0, true
	}
}

// backslash reads an escape of JSON or YAML.
func backslash(text string) (size int, instead byte, ok bool) {
	if len(text) == 1 {
		return 1, 0, false
	}
	switch c := text[1]; c {
	case 'n', 'r':
		return 2, '\n', true
	case 't':
		return 2, '\t', true
	case 'x':
		return number(text, 2, 2)
	case 'u':
		return number(text, 2, 4)
	case 'U':
		return number(text, 2, 8)
	case '\n': // a line that goes on in YAML
		return len(text) - len(strings.TrimLeft(text[2:], " \t")), 0, true
	default:
		return 2, c, c > ' ' && c < 0x7f && !isAlnum(c)
	}
}

// number reads the hexadecimal digits of an escape.
func number(text string, from, digits int) (size int, instead byte, ok bool) {
	if len(text) < from+digits {
		return 1, 0, false
	}
	code, err := strconv.ParseUint(text[from:from+digits], 16, 32)
	switch {
	case err != nil:
		return 1, 0, false
	case code >= ' ' && code < 0x7f || code == '\n' || code == '\t':
		return from + digits, byte(code), true
	default:
		return from + digits, 0, chars.Hidden(rune(code))
	}
}

package secret

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Shown is how many characters of a key may be shown.
const Shown = 4

// leastPart is how many bytes in a row of a known key, behind those that may be
// shown, are masked wherever they stand.
const leastPart = 8

// Known are keys that were found in a project. The zero Known has none.
type Known struct {
	parts  []uint64 // what each leastPart bytes of the keys are
	sorted bool
}

// Add adds a key.
func (k *Known) Add(m Match) {
	key, _, _ := strings.Cut(m.Text, "-----END ")
	for i := Shown; i+leastPart <= len(key); i++ {
		k.parts = append(k.parts, pack(key[i:]))
	}
	k.sorted = false
}

func (k *Known) has(part uint64) bool {
	_, found := slices.BinarySearch(k.parts, part)
	return found
}

// pack gives the first leastPart bytes of a text.
func pack(s string) (n uint64) {
	for i := range leastPart {
		n = n<<8 | uint64(s[i])
	}
	return n
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
	var out []byte
	star := func(from, to int) {
		if out == nil {
			out = []byte(text)
		}
		for i := from; i < to; i++ {
			if text[i] != '\n' {
				out[i] = '*'
			}
		}
	}
	for _, m := range Find(text) {
		star(m.Hidden(text), m.End)
	}
	if len(k.parts) == 0 {
		return masked(text, out)
	}
	if !k.sorted {
		slices.Sort(k.parts)
		k.parts, k.sorted = slices.Compact(k.parts), true
	}
	for v, depth := (&view{text: text, parts: []part{{}}}), 0; v != nil && depth <= deepest; v, depth = v.decode(), depth+1 {
		for i := 0; i+leastPart <= len(v.text); i++ {
			if k.has(pack(v.text[i:])) {
				star(v.start(i), v.end(i+leastPart))
			}
		}
	}
	return masked(text, out)
}

func masked(text string, out []byte) string {
	if out == nil {
		return text
	}
	return string(out)
}

// Mask is Known.Mask where no keys are known.
func Mask(text string) string { return new(Known).Mask(text) }

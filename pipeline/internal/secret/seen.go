package secret

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/internal/chars"
)

// FindSeen is Find for what a reader sees: a character that nobody sees, and
// that stands in a key, does not keep it from being found.
func FindSeen(text string) []Match { return both(text, seenIn(text, false)) }

// both gives the keys of a text, and those of what is seen of it.
func both(text string, v *view) []Match {
	out := Find(text)
	if v == nil {
		return out
	}
	for _, m := range Find(v.text) {
		m.Start, m.Shown, m.End = v.start(m.Start), v.start(m.Shown), v.end(m.End)
		out = append(out, m)
	}
	return apart(out)
}

// apart gives matches in order, and of those that overlap the longer.
func apart(all []Match) []Match {
	slices.SortStableFunc(all, func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	kept := all[:0]
	for _, m := range all {
		last := len(kept) - 1
		switch {
		case last < 0 || kept[last].End <= m.Start:
			kept = append(kept, m)
		case m.End-m.Start > kept[last].End-kept[last].Start:
			kept[last] = m
		}
	}
	return kept
}

// view is a text without some of its characters, or with others in their place.
type view struct {
	text  string
	steps []step
}

// step is a byte of the view from which on it stands elsewhere in the text: at
// next, where the byte before it ended at last.
type step struct{ at, last, next int }

// start gives the place of a byte of the view.
func (v *view) start(i int) int {
	n := sort.Search(len(v.steps), func(k int) bool { return v.steps[k].at > i }) - 1
	if n < 0 {
		return i
	}
	return v.steps[n].next + i - v.steps[n].at
}

// end gives where the text of what ends at a byte of the view does.
func (v *view) end(i int) int {
	n := sort.Search(len(v.steps), func(k int) bool { return v.steps[k].at >= i })
	if n < len(v.steps) && v.steps[n].at == i {
		return v.steps[n].last
	}
	return v.start(i)
}

// oddBytes has a bit for each byte of a character that may not be seen, and
// shownBytes also for those that begin names and escapes.
var (
	oddBytes   = [4]uint64{0xffffd9ff, 0x8000000000000000, 0xffffffffffffffff, 0xffffffffffffffff}
	shownBytes = [4]uint64{0x10000000ffffd9ff, 0x8000000010000000, 0xffffffffffffffff, 0xffffffffffffffff}
)

// seenIn gives what is seen of a text; nil where that is all of it. Of a text
// that is shown, names of characters and escapes are read, too.
func seenIn(text string, shown bool) *view {
	v, at := view{}, 0
	stops := &oddBytes
	if shown {
		stops = &shownBytes
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if c := text[i]; stops[c>>6]>>(c&63)&1 == 0 {
			i++
			continue
		}
		size, instead, odd := unseen(text, i)
		if !odd {
			i += size
			continue
		}
		b.WriteString(text[at:i])
		if n := len(v.steps); n == 0 || v.steps[n-1].at != b.Len() {
			v.steps = append(v.steps, step{b.Len(), i, i})
		}
		v.steps[len(v.steps)-1].next = i
		if instead != 0 {
			b.WriteByte(instead)
			v.steps = append(v.steps, step{at: b.Len(), last: i + size})
		}
		i += size
		v.steps[len(v.steps)-1].next = i
		at = i
	}
	if len(v.steps) == 0 {
		return nil
	}
	b.WriteString(text[at:])
	v.text = b.String()
	return &v
}

// unseen tells whether a character at one of the stops is not seen as it stands,
// and what it is seen as, 0 for nothing.
func unseen(text string, i int) (size int, instead byte, odd bool) {
	switch c := text[i]; {
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRuneInString(text[i:])
		return size, 0, r != utf8.RuneError && chars.Hidden(r)
	case c == '<':
		return name(text, i)
	case c == '\\':
		return escape(text, i)
	default:
		return 1, 0, true
	}
}

// name reads the name of a character: `<U+200B>`.
func name(text string, i int) (int, byte, bool) {
	const longest = len("<U+10FFFF>")
	rest := text[i:min(len(text), i+longest)]
	end := strings.IndexByte(rest, '>')
	if !strings.HasPrefix(rest, "<U+") || end < 0 {
		return 1, 0, false
	}
	if _, err := strconv.ParseUint(rest[3:end], 16, 32); err != nil {
		return 1, 0, false
	}
	return end + 1, 0, true
}

// escape reads an escape for a character of a key, or for one that is not seen.
func escape(text string, i int) (int, byte, bool) {
	rest := text[i+1:]
	if rest == "" {
		return 1, 0, false
	}
	digits := 0
	switch rest[0] {
	case '/':
		return 2, '/', true
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits == 0 || len(rest) <= digits {
		return 1, 0, false
	}
	code, err := strconv.ParseUint(rest[1:1+digits], 16, 32)
	switch {
	case err != nil:
		return 1, 0, false
	case code > ' ' && code < 0x7f:
		return 2 + digits, byte(code), true
	default:
		return 2 + digits, 0, chars.Hidden(rune(code))
	}
}

package chars

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Alike gives the ASCII character that a character looks like.
func Alike(r rune) (byte, bool) {
	switch {
	case r < 0x80:
		return 0, false
	case r >= 0xFF01 && r <= 0xFF5E: // fullwidth
		return byte(r - 0xFF01 + '!'), true
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		return letters[int(r-0x1D400)%len(letters)], true
	case r >= 0x1D7CE && r <= 0x1D7FF: // mathematical digits
		return byte('0' + (r-0x1D7CE)%10), true
	}
	if a, ok := alikeOf(r); ok {
		return a.like, true
	}
	return 0, false
}

func alikeOf(r rune) (look, bool) {
	i, found := slices.BinarySearchFunc(alikes, r, func(a look, r rune) int { return int(a.char - r) })
	if !found {
		return look{}, false
	}
	return alikes[i], true
}

// Plain gives a name with the ASCII characters that its own look like, and
// without those that are not seen.
func Plain(name string) string {
	out := make([]rune, 0, len(name))
	for _, r := range name {
		if like, ok := Alike(r); ok {
			r = rune(like)
		} else if Hidden(r) {
			continue
		}
		out = append(out, r)
	}
	return string(out)
}

// Odd is a character of a name that is not what it looks like.
type Odd struct {
	Start, End int
	Char       rune
	// Like is the ASCII character that it looks like, 0 for none.
	Like byte
	// Mixed says that the name has ASCII letters, too.
	Mixed bool
}

// Says describes the character, as `U+0435 CYRILLIC SMALL LETTER IE, which looks
// like "e"`.
func (o Odd) Says() string {
	switch {
	case o.Like == 0 && o.Mixed:
		return Name(o.Char) + ", a letter of another alphabet"
	case o.Like == 0:
		return Name(o.Char)
	}
	return fmt.Sprintf("%s, which looks like %q", Name(o.Char), string(rune(o.Like)))
}

// foreign are scripts whose letters nobody puts between Latin ones.
var foreign = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu}

// InName finds the first character of a name that is not seen, or is not what
// it looks like: one that looks like ASCII, in a name that has ASCII letters or
// has nothing but such characters; and a letter of another script in a word of
// ASCII letters.
func InName(name string) (Odd, bool) {
	if runs := ScanName(name); len(runs) > 0 {
		_, size := utf8.DecodeRuneInString(name[runs[0].Start:])
		r, _ := utf8.DecodeRuneInString(name[runs[0].Start:])
		return Odd{Start: runs[0].Start, End: runs[0].Start + size, Char: r}, true
	}
	ascii, all := false, true // has ASCII letters; its letters all look like ASCII
	var alike, other *Odd
	for i, r := range name {
		if r < 0x80 {
			ascii = ascii || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
			continue
		}
		like, ok := Alike(r)
		found := &Odd{Start: i, End: i + utf8.RuneLen(r), Char: r, Like: like}
		switch {
		case ok:
			alike = first(alike, found)
		case r == utf8.RuneError:
			return Odd{}, false
		default:
			all = false
			if unicode.In(r, foreign...) && amongASCII(name, found) {
				other = first(other, found)
			}
		}
	}
	switch {
	case alike != nil && (ascii || all):
		alike.Mixed = ascii
		return *alike, true
	case other != nil:
		other.Mixed = true
		return *other, true
	default:
		return Odd{}, false
	}
}

// amongASCII reports whether a letter stands next to an ASCII one: `λ-calculus`
// is two words.
func amongASCII(name string, o *Odd) bool {
	before, _ := utf8.DecodeLastRuneInString(name[:o.Start])
	after, _ := utf8.DecodeRuneInString(name[o.End:])
	is := func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) }
	return is(before) || is(after)
}

func first(a, b *Odd) *Odd {
	if a == nil {
		return b
	}
	return a
}

package chars

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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
	for _, a := range alikes {
		if strings.ContainsRune(a.like, r) {
			return a.char, true
		}
	}
	return 0, false
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

// Composed gives a text with each letter and its accents as one character, where there is
// one: file systems and keyboards write the same name in both ways.
func Composed(text string) string { return norm.NFC.String(text) }

// Odd is a character of a name that is not what it looks like.
type Odd struct {
	Start, End int
	Char       rune
	// Like is the ASCII character that it looks like, 0 for none.
	Like byte
	// Mixed says that the name has ASCII letters, too.
	Mixed bool
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

// alikes are the characters that fonts draw like an ASCII letter, digit or mark
// of a name. The pairs are facts of Unicode's confusables.txt (UTS #39), of the
// scripts that are written with such letters; a capital that it puts with "l" is
// here put with "I". Blocks of the whole alphabet are not here: see Alike.
var alikes = []struct {
	char byte
	like string
}{
	{'-', "\u2010\u2011\u2012\u2013\u2043\u2212\u2cba\ufe58"},
	{'.', "\u2024\ua4f8"},
	{'/', "\u2044\u2215\u2cc6"},
	{'2', "\u01a7\u03e8\ua644\ua75a"},
	{'3', "\u01b7\u021c\u0417\u04e0\u2ccc\ua76a\ua7ab"},
	{'4', "\u13ce"},
	{'5', "\u01bc"},
	{'6', "\u0431\u13ee\u2cd2"},
	{'8', "\u0222\u0223"},
	{'9', "\u2cca\ua76e"},
	{':', "\u0589\u05c3\u2236\ua4fd"},
	{'A', "\u0391\u0410\u13aa\ua4ee"},
	{'B', "\u0392\u0412\u13f4\u212c\ua4d0\ua7b4"},
	{'C', "\u03f9\u0421\u13df\u2102\u212d\u216d\u2ca4\ua4da"},
	{'D', "\u13a0\u2145\u216e\ua4d3"},
	{'E', "\u0395\u0415\u13ac\u2130\ua4f0"},
	{'F', "\u03dc\u2131\ua4dd\ua798"},
	{'G', "\u050c\u13c0\u13f3\ua4d6"},
	{'H', "\u0397\u041d\u13bb\u210b\u210c\u210d\u2c8e\ua4e7"},
	{'I', "\u0196\u0399\u0406\u04c0\u2110\u2111\u2160\u2c92"},
	{'J', "\u037f\u0408\u13ab\ua4d9\ua7b2"},
	{'K', "\u039a\u041a\u13e6\u212a\u2c94\ua4d7"},
	{'L', "\u13de\u2112\u216c\u2cd0\ua4e1"},
	{'M', "\u039c\u03fa\u041c\u13b7\u2133\u216f\u2c98\ua4df"},
	{'N', "\u039d\u2115\u2c9a\ua4e0"},
	{'O', "\u039f\u041e\u0555\u2c9e\ua4f3"},
	{'P', "\u03a1\u0420\u13e2\u2119\u2ca2\ua4d1"},
	{'Q', "\u211a"},
	{'R', "\u01a6\u13a1\u13d2\u211b\u211c\u211d\ua4e3"},
	{'S', "\u0405\u054f\u13d5\u13da\ua4e2"},
	{'T', "\u03a4\u0422\u13a2\u2ca6\ua4d4"},
	{'U', "\u054d\ua4f4"},
	{'V', "\u0474\u13d9\u2164\ua4e6"},
	{'W', "\u051c\u13b3\u13d4\ua4ea"},
	{'X', "\u03a7\u0425\u2169\u2cac\ua4eb\ua7b3"},
	{'Y', "\u03a5\u03d2\u0423\u04ae\u13a9\u13bd\u2ca8\ua4ec"},
	{'Z', "\u0396\u13c3\u2124\u2128\ua4dc\U000102f5"},
	{'a', "\u0251\u03b1\u0430"},
	{'b', "\u0184\u042c\u13cf"},
	{'c', "\u03f2\u0441\u1d04\u217d\u2ca5\uabaf"},
	{'d', "\u0501\u13e7\u2146\u217e\ua4d2"},
	{'e', "\u0435\u04bd\u212e\u212f\u2147\uab32"},
	{'f', "\u017f\u0584\u1e9d\ua799\uab35"},
	{'g', "\u018d\u0261\u0581\u1d83\u210a"},
	{'h', "\u04bb\u0570\u13c2\u210e"},
	{'i', "\u0269\u026a\u037a\u03b9\u0456\u04cf\u13a5\u1fbe\u2148\u2170\ua647\uab75"},
	{'j', "\u03f3\u0458\u2149"},
	{'l', "\u01c0\u05c0\u05d5\u05df\u2113\u217c\ua4f2"},
	{'n', "\u0578\u057c"},
	{'o', "\u03bf\u03c3\u043e\u0585\u05e1\u1d0f\u1d11\u2134\u2c9f\uab3d"},
	{'p', "\u03c1\u03f1\u0440\u2ca3"},
	{'q', "\u051b\u0563\u0566"},
	{'r', "\u0433\u1d26\u2c85\uab47\uab48\uab81"},
	{'s', "\u01bd\u0455\ua731\uabaa"},
	{'u', "\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52"},
	{'v', "\u03bd\u0475\u05d8\u1d20\u2174\uaba9"},
	{'w', "\u026f\u0461\u051d\u0561\u1d21\uab83"},
	{'x', "\u0445\u2179"},
	{'y', "\u0263\u028f\u03b3\u0443\u04af\u1d8c\u1eff\u213d\uab5a"},
	{'z', "\u1d22\uab93"},
}

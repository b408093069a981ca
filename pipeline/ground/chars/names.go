package chars

import (
	"fmt"
	"unicode"
)

// Name gives a character as `U+200B ZERO WIDTH SPACE`, or as `U+0435 (Cyrillic)`
// where only its script is known here.
func Name(r rune) string {
	if name := nameOf(r); name != "" {
		return fmt.Sprintf("%U %s", r, name)
	}
	for script, table := range unicode.Scripts { // a character is in one of them
		if unicode.Is(table, r) && table != unicode.Common && table != unicode.Inherited {
			return fmt.Sprintf("%U (%s)", r, script)
		}
	}
	return fmt.Sprintf("%U", r)
}

func nameOf(r rune) string {
	switch {
	case r >= 0xFE00 && r <= 0xFE0F:
		return fmt.Sprintf("VARIATION SELECTOR-%d", r-0xFE00+1)
	case r >= 0xE0100 && r <= 0xE01EF:
		return fmt.Sprintf("VARIATION SELECTOR-%d", r-0xE0100+17)
	case unicode.Is(unicode.Co, r):
		return "PRIVATE USE"
	case r == cancelTag:
		return "CANCEL TAG"
	case isTag(r):
		return "TAG"
	}
	for i := range names {
		if names[i].char == r {
			return names[i].name
		}
	}
	return ""
}

// names are the names of what is not seen and people meet, from Unicode's
// UnicodeData.txt and, for controls, NameAliases.txt.
var names = []struct {
	char rune
	name string
}{
	{0x0007, "ALERT"},
	{0x0008, "BACKSPACE"},
	{0x0009, "CHARACTER TABULATION"},
	{0x000A, "LINE FEED"},
	{0x000B, "LINE TABULATION"},
	{0x000C, "FORM FEED"},
	{0x000D, "CARRIAGE RETURN"},
	{0x001B, "ESCAPE"},
	{0x007F, "DELETE"},
	{0x0085, "NEXT LINE"},
	{0x009B, "CONTROL SEQUENCE INTRODUCER"},
	{0x00A0, "NO-BREAK SPACE"},
	{0x00AD, "SOFT HYPHEN"},
	{0x034F, "COMBINING GRAPHEME JOINER"},
	{0x061C, "ARABIC LETTER MARK"},
	{0x115F, "HANGUL CHOSEONG FILLER"},
	{0x1160, "HANGUL JUNGSEONG FILLER"},
	{0x180B, "MONGOLIAN FREE VARIATION SELECTOR ONE"},
	{0x180C, "MONGOLIAN FREE VARIATION SELECTOR TWO"},
	{0x180D, "MONGOLIAN FREE VARIATION SELECTOR THREE"},
	{0x180E, "MONGOLIAN VOWEL SEPARATOR"},
	{0x180F, "MONGOLIAN FREE VARIATION SELECTOR FOUR"},
	{0x2000, "EN QUAD"},
	{0x2001, "EM QUAD"},
	{0x2002, "EN SPACE"},
	{0x2003, "EM SPACE"},
	{0x2004, "THREE-PER-EM SPACE"},
	{0x2005, "FOUR-PER-EM SPACE"},
	{0x2006, "SIX-PER-EM SPACE"},
	{0x2007, "FIGURE SPACE"},
	{0x2008, "PUNCTUATION SPACE"},
	{0x2009, "THIN SPACE"},
	{0x200A, "HAIR SPACE"},
	{0x200B, "ZERO WIDTH SPACE"},
	{0x200C, "ZERO WIDTH NON-JOINER"},
	{0x200D, "ZERO WIDTH JOINER"},
	{0x200E, "LEFT-TO-RIGHT MARK"},
	{0x200F, "RIGHT-TO-LEFT MARK"},
	{0x2013, "EN DASH"},
	{0x2014, "EM DASH"},
	{0x2028, "LINE SEPARATOR"},
	{0x2029, "PARAGRAPH SEPARATOR"},
	{0x202A, "LEFT-TO-RIGHT EMBEDDING"},
	{0x202B, "RIGHT-TO-LEFT EMBEDDING"},
	{0x202C, "POP DIRECTIONAL FORMATTING"},
	{0x202D, "LEFT-TO-RIGHT OVERRIDE"},
	{0x202E, "RIGHT-TO-LEFT OVERRIDE"},
	{0x202F, "NARROW NO-BREAK SPACE"},
	{0x205F, "MEDIUM MATHEMATICAL SPACE"},
	{0x2060, "WORD JOINER"},
	{0x2066, "LEFT-TO-RIGHT ISOLATE"},
	{0x2067, "RIGHT-TO-LEFT ISOLATE"},
	{0x2068, "FIRST STRONG ISOLATE"},
	{0x2069, "POP DIRECTIONAL ISOLATE"},
	{0x2212, "MINUS SIGN"},
	{0x2800, "BRAILLE PATTERN BLANK"},
	{0x3000, "IDEOGRAPHIC SPACE"},
	{0x3164, "HANGUL FILLER"},
	{0xFEFF, "ZERO WIDTH NO-BREAK SPACE"},
	{0xFF1A, "FULLWIDTH COLON"},
	{0xFFA0, "HALFWIDTH HANGUL FILLER"},
	{0xFFFD, "REPLACEMENT CHARACTER"},
	{0xE0001, "LANGUAGE TAG"},
}

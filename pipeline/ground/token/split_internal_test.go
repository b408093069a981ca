package token

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// treacherous are the runes and strings that the split patterns tell apart, at
// the borders of ASCII, of the categories and of the contractions.
func treacherous() []string {
	all := []string{
		"a", "S", "the", "Don", "HTTPServer", "ß", "ſ", "\u212a", "İ", "ı", "ǅ", "ǈ", "ʰ", "ª", "日", "本語", "ไทย", "ำ", "Ж", "щ", "ﬁ", "𝒜", "𐐀", "𐐨",
		"0", "12", "345", "½", "٣", "ⅷ", "²", "๙", "𝟘",
		".", "...", ",", "!", "’", "“", "{", "\"", "==", "$", "€", "🙂", "🇫", "👩\u200d👩", "\u00ad", "_", "@", "[", "`", "{",
		"'", "''", "'s", "'S", "’s", "'ſ", "'t", "'T", "'re", "'RE", "'rE", "'Re", "'ve", "'m", "'M", "'ll", "'lL", "'d", "'D", "'r", "'v", "'l", "'x", "re", "LL",
		"\u212a's", "/", "//", "./", "\n/", "\r\n/", "-", "<|endoftext|>",
		" ", "  ", "       ", "         ", "\t", "\u00a0", "\u3000", "\u2028", "\u2029", "\u0085", "\v", "\f", "\x1c", "\x1f", "\u1680", "\u180e", "\u200a", "\u202f", "\u205f",
		"\n", "\r", "\r\n", "\n\n", "\n\r", " \n", "\n ", " \n \n", ".\n\n",
		"\u0301", "\ufe0f", "\u20e3", "\u0903", "\u0488", "\U000e0100", "\u0300\u0301",
		"\u200d", "\ufeff", "\u200b", "\x00", "\x7f", "\u0080", "\u009f", "\ue000", "\u0378", "\ufffd", "\uffff", "\U000f0000", "\U0010ffff", "\ud7ff",
	}
	for _, r := range "\u007f\u0080\u07ff\u0800\ufffe\U00010000\U00020000" {
		all = append(all, string(r))
	}
	return all
}

// jumble joins strings at random.
func jumble(random *rand.Rand, from []string, most int) string {
	var b strings.Builder
	for range 1 + random.IntN(most) {
		b.WriteString(from[random.IntN(len(from))])
	}
	return b.String()
}

func TestPiecesAreThoseOfThePatterns(t *testing.T) {
	atoms := treacherous()
	random := rand.New(rand.NewPCG(2, 3))
	for _, e := range ours() {
		e.reference.load()
		engine := newEngine(e)
		check := func(text string) {
			var want, got []string
			for m, _ := e.reference.split.FindStringMatch(text); m != nil; m, _ = e.reference.split.FindNextMatch(m) {
				want = append(want, m.String())
			}
			for at := 0; at < len(text); {
				end := engine.split(text, at)
				if end <= at {
					t.Fatalf("%s: %+q is stuck at %d", e.name, text, at)
				}
				got = append(got, text[at:end])
				at = end
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %+q is split into\n%+q, want\n%+q", e.name, text, got, want)
			}
		}
		for _, a := range atoms {
			check(a)
			for _, b := range atoms[:rounds(len(atoms))] {
				check(a + b)
				check("x" + a + b + "Ab")
				check(" " + a + b + " y")
			}
		}
		for range rounds(5_000) {
			check(jumble(random, atoms, 7))
		}
	}
}

func TestThreeRunesOfAnyCategoryStartAsInThePatterns(t *testing.T) {
	// One of each category and length, and those of the contractions.
	var few []string
	seen := make(map[string]int)
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		key := string(rune('a'+categoryOf(r))) + string(rune('0'+utf8.RuneLen(r)))
		if seen[key]++; seen[key] <= 1 || strings.ContainsRune("ſ\u212astrmdvleSTRMDVLE", r) {
			few = append(few, string(r))
		}
	}
	for _, e := range ours() {
		e.reference.load()
		engine := newEngine(e)
		for _, a := range few {
			for _, b := range few {
				for _, c := range few {
					text := a + b + c
					m, err := e.reference.split.FindStringMatch(text)
					if err != nil {
						t.Fatal(err)
					}
					if got, want := text[:engine.split(text, 0)], m.String(); got != want {
						t.Fatalf("%s: %+q starts with %+q, want %+q", e.name, text, got, want)
					}
				}
			}
		}
	}
}

package token_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/token"
)

// cuttable names the encodings whose parts are counted apart, quick those of
// them that are not counted with the library.
func cuttable() []string { return append(quick(), "p50k_base", "r50k_base") }

func quick() []string { return []string{"o200k_base", "cl100k_base"} }

// atoms are texts whose joints are treacherous: each class of rune that the
// split patterns tell apart, and beginnings and ends of longer tokens.
func atoms() []string {
	return []string{
		"", "a", "S", "the", "Don", "ǅ", "ʰ", "ß", "日", "本語", "ไทย", "ำ", "Ж", "ſ",
		"1", "12", "345", "½", "٣", "ⅷ",
		".", "...", ",", "!", "’", "“", "{", "\"", "==", "$", "€", "🙂", "🇫", "👩\u200d👩",
		"'", "''", "'s", "'S", "'r", "'l", "e", "l", "t", "ve", "re",
		"/", "//", "./", "\n/", "-", "<|endoftext|>",
		" ", "  ", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "\v", "\x1c",
		"\n", "\r", "\r\n", "\n\n", " \n", "\n ", " \n \n", ".\n\n",
		"\u0301", "\ufe0f", "\u20e3", "\u0903",
		"\u200d", "\ufeff", "\u200b", "\x00", "\x7f", "\ue000", "\u0378", "\ufffd",
	}
}

// checkJoin compares Sum and Prefixes with counts of the joined text.
func checkJoin(t *testing.T, c *token.Counter, parts []string) {
	t.Helper()
	whole := make([]int, len(parts))
	for i := range parts {
		whole[i] = c.Count(strings.Join(parts[:i+1], ""))
	}
	if d := cmp.Diff(whole, c.Prefixes(parts)); d != "" {
		t.Errorf("%s: Prefixes(%+q): %s", c.Name(), parts, d)
	}
	checkSum(t, c, parts)
}

func checkSum(t *testing.T, c *token.Counter, parts []string) {
	t.Helper()
	want := c.Count(strings.Join(parts, ""))
	if got := c.Sum(parts); got != want {
		t.Errorf("%s: Sum(%+q) = %d, want %d", c.Name(), parts, got, want)
	}
}

// split cuts a text between runes at random, into at most n parts.
func split(r *rand.Rand, text string, n int) []string {
	var parts []string
	for range n - 1 {
		if text == "" {
			break
		}
		at := r.IntN(len(text) + 1)
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(text), 6) + 1) // neighbouring joints
		}
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
		parts = append(parts, text[:at])
		text = text[at:]
	}
	return append(parts, text)
}

func TestSumOfSplitTextEqualsCount(t *testing.T) {
	all := vectors(t)
	for _, name := range cuttable() {
		r := rand.New(rand.NewPCG(1, 2))
		c := newCounter(t, name)
		for i, v := range all {
			if !slices.Contains(quick(), name) && i%8 != 0 {
				continue // the library is slow
			}
			checkSum(t, c, split(r, v.Text, 12))
			checkJoin(t, c, split(r, v.Text, 4))
		}
	}
}

func TestSumOfShuffledTextsEqualsCount(t *testing.T) {
	all := vectors(t)
	for _, name := range cuttable() {
		r := rand.New(rand.NewPCG(3, 4))
		c := newCounter(t, name)
		for range 300 {
			var parts []string
			for range 1 + r.IntN(6) {
				parts = append(parts, all[r.IntN(len(all))].Text, atoms()[r.IntN(len(atoms()))])
			}
			checkSum(t, c, parts)
		}
	}
}

func TestSumOfEveryPairOfAtomsEqualsCount(t *testing.T) {
	atoms := atoms()
	for _, name := range token.Names() {
		c := newCounter(t, name)
		for _, a := range atoms {
			for _, b := range atoms {
				checkSum(t, c, []string{a, b})
				// With context on both sides, which is where a wrong cut shows.
				checkSum(t, c, []string{"x " + a, b + " x"})
				checkSum(t, c, []string{" " + a + b, b + a})
			}
		}
	}
}

func TestSumOfAdversarialJoinsEqualsCount(t *testing.T) {
	atoms := atoms()
	for _, name := range token.Names() {
		rounds := 500
		if slices.Contains(quick(), name) {
			rounds = 8000
		}
		r := rand.New(rand.NewPCG(5, 6))
		c := newCounter(t, name)
		for i := range rounds {
			var parts []string
			for range 2 + r.IntN(8) {
				var part strings.Builder
				for range 1 + r.IntN(3) {
					part.WriteString(atoms[r.IntN(len(atoms))])
				}
				parts = append(parts, part.String())
			}
			if i%10 == 0 {
				checkJoin(t, c, parts)
				continue
			}
			checkSum(t, c, parts)
		}
	}
}

func TestSumOfKnownJoins(t *testing.T) {
	joins := [][]string{
		{".", "\n\n"},
		{"Stop.", "\n", "\n", "Go"},
		{"don", "'", "t"},
		{"don", "'", "r", "e", "ad"},
		{"'", "s"},
		{"12", "34", "56"},
		{"日本", "語", "。", "次"},
		{"👩", "\u200d", "👩"},
		{"e", "\u0301", "e"},
		{"यह", " ह", "ै", "।"}, // a letter and a mark that are one token
		{" ", " ", " ", "x"},
		{"path", "/", "\n", "/", "to"},
		{".\n", "/", "\n/x"},
		{strings.Repeat("a", 700), strings.Repeat("a", 700), "b 1"},
		{strings.Repeat(" ", 500), strings.Repeat("\n", 300), " x"},
		{"", "", ""},
		{},
	}
	for _, name := range token.Names() {
		c := newCounter(t, name)
		for _, parts := range joins {
			checkJoin(t, c, parts)
		}
	}
}

func TestWrongBytesDoNotPanicAndStillAddUp(t *testing.T) {
	joins := [][]string{
		{"a\xff", "\xfeb"},
		{"\xe6\x97", "\xa5", "1"},
		{"x\xf0", "\x9f\x99\x82 1"},
		{"\xed\xa0\x80", "\x80"},
		{"word\xe6", " \x97\xa5 word"},
		{"a word\xe6", "\x97\xa5", "word"}, // the bytes of one letter
		{"a caf\xc3", "\xa9 x"},
		{"12\xd9", "\xa3", "45"},         // of one digit
		{"x.\n\xe3", "\x80\x80", "\n y"}, // of one space
	}
	for _, name := range token.Names() {
		if name == "chars/4" {
			continue // adds code points part by part, as documented
		}
		c := newCounter(t, name)
		for _, parts := range joins {
			checkJoin(t, c, parts)
		}
	}
}

func FuzzSum(f *testing.F) {
	f.Add("First.\n\nDon't stop 12345 日本語 e\u0301 👩\u200d👩 /\n/x", uint64(1))
	for i, a := range atoms() {
		b := atoms()[(i*7+3)%len(atoms())]
		f.Add(a+b+" "+b+a+"1"+a, uint64(i))
	}
	f.Add("\xe6\x97\xa5\xff 1\xe6 a", uint64(9))
	var counters []*token.Counter
	for _, name := range token.Names() {
		counters = append(counters, newCounter(f, name))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 300 {
			text = text[:300] // the encodings are quadratic in unbroken runs
		}
		r := rand.New(rand.NewPCG(seed, 0))
		parts := split(r, text, 2+r.IntN(8))
		for _, c := range counters {
			if c.Name() == "chars/4" && !utf8.ValidString(text) {
				continue
			}
			checkJoin(t, c, parts)
		}
	})
}

// FuzzJoins cuts what the fuzzer makes up, and what is treacherous, in parts. The
// counter is a new one each time, since one remembers its parts.
func FuzzJoins(f *testing.F) {
	for i, a := range atoms() {
		f.Add("x"+a+a+" "+a+"1/\n"+a, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for _, c := range []byte(text[:min(len(text), 200)]) {
			b.WriteString(atoms()[int(c)%len(atoms())])
		}
		for _, name := range cuttable() {
			c := newCounter(t, name)
			checkJoin(t, c, split(r, text, 2+r.IntN(12)))
			checkJoin(t, c, split(r, b.String(), 2+r.IntN(12)))
		}
	})
}

func TestSumAllocatesItsStateAlone(t *testing.T) {
	if token.Raced {
		t.Skip("under the race detector, a pool forgets on purpose")
	}
	parts := []string{"# Title", "\n\n", "Some text, don't you know.", "\n\n", "- **12**: 日本語!", "\n", "/ path", "\n\n", strings.Repeat("Long. ", 1000)}
	for _, name := range quick() {
		c := newCounter(t, name)
		c.Sum(parts)
		if n := testing.AllocsPerRun(50, func() { c.Sum(parts) }); n > 1 {
			t.Errorf("%s: a sum of known parts allocates %v times", name, n)
		}
	}
}

func BenchmarkVariants(b *testing.B) {
	var sections []string
	for i := range 40 {
		body := strings.Repeat(fmt.Sprintf("Rule %d: answer in plain words, don't guess.\n", i), 12)
		sections = append(sections, fmt.Sprintf("## Section %d\n\n%s", i, body))
	}
	variant := func(i int) []string {
		var parts []string
		for j, s := range sections {
			if j%5 != i%5 {
				parts = append(parts, s, "\n\n")
			}
		}
		return parts
	}
	c := newCounter(b, "o200k_base")
	c.Count("x") // builds the table
	var size int64
	for _, part := range variant(0) {
		size += int64(len(part))
	}
	b.Run("sum", func(b *testing.B) {
		b.SetBytes(size)
		for i := 0; b.Loop(); i++ {
			c.Sum(variant(i))
		}
	})
	b.Run("count", func(b *testing.B) {
		b.SetBytes(size)
		for i := 0; b.Loop(); i++ {
			c.Count(strings.Join(variant(i), ""))
		}
	})
}

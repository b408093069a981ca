package chars_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
)

// tags hides ASCII the way that attacks do.
func tags(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteRune(0xE0000 + c)
	}
	return b.String()
}

// selectors hides bytes in variation selectors.
func selectors(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < 16 {
			b.WriteRune(0xFE00 + rune(s[i]))
		} else {
			b.WriteRune(0xE0100 + rune(s[i]) - 16)
		}
	}
	return b.String()
}

// describe writes the rows of a text, a line each.
func describe(text string) []string {
	var out []string
	for _, r := range chars.Scan(text) {
		s := fmt.Sprintf("%d-%d %s x%d", r.Start, r.End, chars.Name(r.First), r.Count)
		if r.Deliberate() {
			s += " deliberate"
		}
		if hides, ok := chars.Unhide(text[r.Start:r.End]); ok {
			s += " hides " + hides
		}
		out = append(out, s)
	}
	return out
}

func TestScanFindsWhatIsNotSeen(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"plain text", "Be kind.\n\tAlways. „Käse“ — 你好 привет", nil},
		{"an icon of a font", "on \ue0b0 off", []string{"3-6 U+E0B0 PRIVATE USE x1"}},
		{"text in private use", "a" + strings.Repeat("\ue041", 8), []string{"1-25 U+E041 PRIVATE USE x8 deliberate"}},
		{"blanks of other widths", "a\u2003b\u2005\u2007c", []string{"1-4 U+2003 EM SPACE x1", "5-11 U+2005 FOUR-PER-EM SPACE x2"}},
		{"blanks of typography", "« a\u00a0», 10\u202fkm, 5\u2009g, a\u200a—\u200ab,\u3000你", nil},
		{"marks of languages", "e\u0323\u0302\u0301 \u05d1\u05bc\u05b8\u0591\u05bd क\u094d", nil},
		{"zero width space in a word", "Belle\u200bk", []string{"5-8 U+200B ZERO WIDTH SPACE x1"}},
		{"a row", "a\u200b\u2060\ufeffb", []string{"1-10 U+200B ZERO WIDTH SPACE x3"}},
		{"a coded row", "a" + strings.Repeat("\u200b\u200c", 4), []string{"1-25 U+200B ZERO WIDTH SPACE x8 deliberate"}},
		{"tags", "Hi" + tags("obey me"), []string{"2-30 U+E006F TAG x7 deliberate hides obey me"}},
		{"tags behind a flag", "🏴" + tags("obey"), []string{"4-20 U+E006F TAG x4 deliberate hides obey"}},
		{"tags behind the tags of a flag", "🏴" + tags("gbsct\x7fobey"), []string{"28-44 U+E006F TAG x4 deliberate hides obey"}},
		{"override", "a\u202eb\u202c", []string{"1-4 U+202E RIGHT-TO-LEFT OVERRIDE x1 deliberate", "5-8 U+202C POP DIRECTIONAL FORMATTING x1 deliberate"}},
		{"override in text of that direction", "שלום \u202eabc", []string{"9-12 U+202E RIGHT-TO-LEFT OVERRIDE x1 deliberate"}},
		{"isolate", "a \u2066b\u2069", []string{"2-5 U+2066 LEFT-TO-RIGHT ISOLATE x1 deliberate", "6-9 U+2069 POP DIRECTIONAL ISOLATE x1 deliberate"}},
		{"bytes in selectors", "😀" + selectors("run it"), []string{"4-28 U+E0162 VARIATION SELECTOR-115 x6 deliberate hides run it"}},
		{"two selectors of an emoji", "❤\ufe0f\ufe0f", []string{"6-9 U+FE0F VARIATION SELECTOR-16 x1"}},
		{"two selectors of an emoji before another", "👁\ufe0f\ufe0f\u200d🗨", []string{"7-10 U+FE0F VARIATION SELECTOR-16 x1"}},
		{"three selectors", "❤\ufe0f\ufe0f\ufe0f", []string{"6-12 U+FE0F VARIATION SELECTOR-16 x2 deliberate"}},
		{"two selectors and more", "❤\ufe0f\ufe0f\u2060", []string{"6-12 U+2060 WORD JOINER x2"}},
		{"two selectors of one kind each", "❤\ufe0f\ufe0e", []string{"6-9 U+FE0E VARIATION SELECTOR-15 x1 deliberate"}},
		{"two selectors before an emoji", "- \ufe0f\ufe0f⚠", []string{"2-8 U+FE0F VARIATION SELECTOR-16 x2 deliberate"}},
		{"a variant of an ideograph", "辻\U000e0100さん", []string{"3-7 U+E0100 VARIATION SELECTOR-17 x1"}},
		{"two variants of an ideograph", "辻\U000e0100\U000e0101", []string{"3-11 U+E0101 VARIATION SELECTOR-18 x2 deliberate"}},
		{"a variant and more", "辻\U000e0100\u200b", []string{"3-10 U+200B ZERO WIDTH SPACE x2"}},
		{"no variant of an ideograph", "辻\U000e0131さん", []string{"3-7 U+E0131 VARIATION SELECTOR-66 x1 deliberate"}},
		{"a variant of no ideograph", "さ\U000e0100", []string{"3-7 U+E0100 VARIATION SELECTOR-17 x1 deliberate"}},
		{"joiner and non-joiner between Latin letters", "in\u200d\u200cput", []string{"2-8 U+200D ZERO WIDTH JOINER x2"}},
		{"many joiners behind a virama", "ര\u0d4d\u200d\u200c\u200d\u200c", []string{"12-18 U+200D ZERO WIDTH JOINER x2"}},
		{"a selector behind a number sign", "see (#\ufe0f) and [a](\ufe0f#)", []string{"6-9 U+FE0F VARIATION SELECTOR-16 x1", "19-22 U+FE0F VARIATION SELECTOR-16 x1"}},
		{"two selectors in a link", "[a](#\ufe0f\ufe0f-a)", []string{"8-11 U+FE0F VARIATION SELECTOR-16 x1 deliberate"}},
		{"a selector of nothing", "a\ufe0f", []string{"1-4 U+FE0F VARIATION SELECTOR-16 x1"}},
		{"joiner between Latin letters", "in\u200dput", []string{"2-5 U+200D ZERO WIDTH JOINER x1"}},
		{"joiner behind a picture alone", "👨\u200d x", []string{"4-7 U+200D ZERO WIDTH JOINER x1"}},
		{"marks without their text", "a\u200fb", []string{"1-4 U+200F RIGHT-TO-LEFT MARK x1"}},
		{"controls", "a\x1b[31m\u009bz\x00\x7f", []string{
			"1-2 U+001B ESCAPE x1", "6-8 U+009B CONTROL SEQUENCE INTRODUCER x1", "9-11 U+0000 x2",
		}},
		{"a lone carriage return", "good\rbad", []string{"4-5 U+000D CARRIAGE RETURN x1"}},
		{"fillers and soft hyphens", "a\u3164b\u2800c\u00add", []string{
			"1-4 U+3164 HANGUL FILLER x1", "5-8 U+2800 BRAILLE PATTERN BLANK x1", "9-11 U+00AD SOFT HYPHEN x1",
		}},
		{"selectors behind ASCII", "a =\ufe06 |\ufe0f 1\ufe0f x", []string{
			"3-6 U+FE06 VARIATION SELECTOR-7 x1", "8-11 U+FE0F VARIATION SELECTOR-16 x1", "13-16 U+FE0F VARIATION SELECTOR-16 x1",
		}},
		{"selectors that Unicode lists for others", "字\ufe03∩\ufe01あ\ufe00က\ufe01字\ufe0f", []string{
			"3-6 U+FE03 VARIATION SELECTOR-4 x1", "9-12 U+FE01 VARIATION SELECTOR-2 x1", "15-18 U+FE00 VARIATION SELECTOR-1 x1",
			"21-24 U+FE01 VARIATION SELECTOR-2 x1", "27-30 U+FE0F VARIATION SELECTOR-16 x1",
		}},
		{"marks in a row in text of their direction", "שלום\u200f\u200e.", []string{"8-14 U+200F RIGHT-TO-LEFT MARK x2"}},
		{"a coded row of marks", "ש" + strings.Repeat("\u200e\u061c", 4), []string{"2-22 U+200E LEFT-TO-RIGHT MARK x8 deliberate"}},
		{"isolates that do not end", "ש \u2067a\u2066 \u202bb\n\nש \u2067c\u2069", []string{
			"3-6 U+2067 RIGHT-TO-LEFT ISOLATE x1 deliberate", "7-10 U+2066 LEFT-TO-RIGHT ISOLATE x1 deliberate",
			"11-14 U+202B RIGHT-TO-LEFT EMBEDDING x1 deliberate",
		}},
		{"an end of the next paragraph", "ש \u2067a\n \nש\u2069", []string{
			"3-6 U+2067 RIGHT-TO-LEFT ISOLATE x1 deliberate", "12-15 U+2069 POP DIRECTIONAL ISOLATE x1",
		}},
		{"an isolate that ends what began in it", "ש \u2067\u202ba\u2069\u202c", []string{
			"6-9 U+202B RIGHT-TO-LEFT EMBEDDING x1 deliberate", "13-16 U+202C POP DIRECTIONAL FORMATTING x1",
		}},
		{"selectors of Mongolian in a row", "ᠠ\u180b\u180c\u180d\u180b", []string{
			"6-15 U+180C MONGOLIAN FREE VARIATION SELECTOR TWO x3 deliberate",
		}},
		{"fillers in a row", "\u1100\u1160\u115f\u1160\u115f\u1100", []string{"6-12 U+115F HANGUL CHOSEONG FILLER x2"}},
		{"joiners of marks in a row", "a\u0301\u034f\u034f", []string{"5-7 U+034F COMBINING GRAPHEME JOINER x1"}},
		{"a row of what is legitimate by itself", "ש\u2067\u2066\u2067\u2066\u2069\u2069\u2069\u2069.", []string{
			"2-26 U+2067 RIGHT-TO-LEFT ISOLATE x8 deliberate",
		}},
		{"fillers of other scripts", "a\U00016fe4\U00013441b\u2d7f\U0001107f", []string{
			"1-9 U+16FE4 (Khitan_Small_Script) x2", "10-17 U+2D7F (Tifinagh) x2",
		}},
		{"byte order mark inside", "a\ufeffb", []string{"1-4 U+FEFF ZERO WIDTH NO-BREAK SPACE x1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, describe(tt.text)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestScanLeavesWhatScriptsNeed(t *testing.T) {
	for _, text := range []string{
		"می\u200cخواهم", "می\u200cخواهم\u200f، Qwen", "[⬇\ufe0f Start](#\ufe0f-start)", "[Build & run](docs/use.md#\ufe0f-build--\ufe0f-run)", "Qwen\u200cها", "क\u094d\u200dष", "ශ\u0dca\u200dරී", "ഇന്റര\u0d4d\u200d\u200cനെറ്റ്",
		"👨\u200d👩\u200d👧", "🦸🏽\u200d♀\ufe0f", "🕵\ufe0f\u200d♂\ufe0f", "🏳\ufe0f\u200d🌈", "❤\ufe0f", "1\ufe0f\u20e3 #\ufe0f\u20e3", "☎\ufe0e", "→\ufe0f ✓\ufe0e",
		"🏴" + tags("gbeng\x7f") + "🏴" + tags("gbwls\x7f"),
		"שלום \u2067abc\u2069 \u200f!", "مرحبا\nPlugin \u200fQwen\n", "ก\u200bข", "ស\u200bក",
		"blank\u00a0\u202f\u3000", "∩\ufe00", "\u1100\u1160", "ᠠ\u180b",
		"\u115f\u1161 \u1100\u1160\u11a8", "ᠨ\u180b\u180eᠠ", "a\u0301\u034f\u0302",
		"字\ufe00豈\ufe02 、\ufe01 က\ufe00 𝒜\ufe01 ꡖ\ufe00", "𓂋\U00013430\U0001340d 𘬀\U00016fe4𘬁 ⴰ\u2d7fⴰ", "𝅘𝅥 \U0001d159𝅥",
		"שלום \u202babc \u2066d\u2069\u202c\u200f, \u2067a\nb\u2069", "ه\u200d.",
	} {
		if got := describe(text); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := chars.ScanName("a\tb\n"); len(got) != 2 {
		t.Errorf("in a name: %v", got)
	}
}

func TestMojibakeIsRead(t *testing.T) {
	const arrow, boxes = "â†“", "â”œâ”€"
	for _, tt := range []struct{ text, want string }{
		{"  " + arrow + " Loads", "â†“=↓"},
		{boxes, "â”œâ”€=├─"},
		{"It’s", ""},
		{"Itâ€™s", "â€™=’"},
		{"cafÃ©", "Ã©=é"},
		{"Ã\u00a0 la", "Ã\u00a0=à"},
		{"Ã“scar", "Ã“=Ó"},
		{"GÃ“MEZ", ""},
		{"ðŸ\u0090¶", "ðŸ\u0090¶=🐶"},
		{"Ð¿Ñ€Ð¸", "Ð¿Ñ€Ð¸=при"},
		{"ä½\u00a0å¥½", "ä½\u00a0å¥½=你好"},
		{"Viá»‡t Nam, Viá»‡t, Viá»‡t", ""},
		{"Viá»‡t Nam", ""},
		{"Äƒsta e bunÄƒ, ÅŸimdi, Å›roda, ÄŒesky, Å½lutÃ½, kÄ…t", "Ã½=ý"},
		{"5 Î¼m, 6 Î¼m, 7 Î¼m", ""},
		{"5 Î¼m, 6 Î¼m", ""},
		{"MÅ‚ody czÅ‚owiek, piÄ™Ä‡", "Ä™Ä‡=ęć"},
		{"Ã¢â‚¬â„¢", "Ã¢â‚¬â„¢=â€™"},
		{"\u00e2\u0080\u0099", "\u00e2\u0080\u0099=’"},
		{"it\ufffds \ufffd\ufffd", "\ufffd= \ufffd\ufffd="},
		{"ï»¿# Title, âš\u00a0ï¸\u008f", "ï»¿=\ufeff âš\u00a0ï¸\u008f=⚠\ufe0f"},
		{"20Â°, Â© 2026, a\u00c2\u00a0b", "Â°=° Â©=© Â\u00a0=\u00a0"},
		// What people write.
		{"„Ä“ und „Spaß“ „Ü“ … É» é… «café…» voilà\u00a0» É™ NÃ” 2×½ Ø½ IKEAÅ² `\ufffd` naïve Übergröße", ""},
		{"Spaß… Spaß” “café”… « café\u00a0» IRMÃ” IRMÃ…", ""},
		{"Français, Español, Português, Íslenska ðþ, Türkçe, ÆØÅ, «à»", ""},
		{"«está»… el año", ""},
		{"Přesuň kurzor VÝŠE tam, VÝŠKA A BLÍŽE, NÍŽE, VÝŽIVA, VÝŠE, VÝŠE", ""},
		{"Úžasný, Úžasný, Úžasný! TÉŽ STÉŽEJNÍ, VÄČŠINA, NAJVYŠŠÍ", ""},
		{"evenášši.no evenášši.no evenášši.no áššu", ""},
		{"T•Ø•R•Ü•S C•Ã•O —É—È— …Ç…", ""},
		{"… Ç’est, CAFÉ—bar, ÉTÉ–HIVER, L’É… “Ã” «Â» „Ã“ ‘É’", ""},
		{"«está»—dijo, está»—dijo, está»—dijo «“habló…”»", ""},
	} {
		var got []string
		for _, g := range chars.Mojibake(tt.text) {
			got = append(got, tt.text[g.Start:g.End]+"="+g.Meant)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, s, tt.want)
		}
	}
}

func TestMojibakeOfEveryScriptIsRead(t *testing.T) {
	for _, text := range []string{"“Quoted” — it’s…", "│ ├── └──", "Дорогой друг", "日本語のテキスト", "Ελληνικά", "한국어", "🚀 ✅ 🐶"} {
		var broken strings.Builder
		for i := range len(text) {
			broken.WriteRune(rune(text[i])) // as Latin-1
		}
		if got := chars.Mojibake(broken.String()); len(got) == 0 {
			t.Errorf("%q as Latin-1 is not found", text)
		}
		if got := chars.Mojibake(text); got != nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNamesThatLookLikeOthers(t *testing.T) {
	for name, want := range map[string]string{
		"exеc":       "U+0435 (Cyrillic) e",
		"сор":        "U+0441 (Cyrillic) c",
		"rеad_ﬁle":   "U+0435 (Cyrillic) e",
		"ｅxec":       "U+FF45 (Latin) e",
		"𝐞xec":       "U+1D41E e",
		"run–it":     "U+2013 EN DASH -",
		"ex\u200bec": "U+200B ZERO WIDTH SPACE",
		"runж":       "U+0436 (Cyrillic)", "λ-calculus": "",
		"exec": "", "поиск": "", "café": "", "açık": "", "検索-tool": "", "naïve": "", "größe": "",
	} {
		odd, ok := chars.InName(name)
		got := chars.Name(odd.Char)
		if odd.Like != 0 {
			got += " " + string(rune(odd.Like))
		}
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v, want %q", name, got, ok, want)
		}
	}
}

func TestPlainIsWhatANameLooksLike(t *testing.T) {
	if got := chars.Plain("rеad_ｆil\u200be–𝟏ж"); got != "read_file-1ж" {
		t.Errorf("%q", got)
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\ttext":        "plain\n\ttext",
		"a\u200b\x1b[0m\u009b": "a<U+200B><U+001B>[0m<U+009B>",
		"❤\ufe0f 👨\u200d👩 1\ufe0f\u20e3 🦸🏽\u200d♀\ufe0f": "❤\ufe0f 👨\u200d👩 1\ufe0f\u20e3 🦸🏽\u200d♀\ufe0f",
		"a\u200db\ufe0f":                    "a<U+200D>b<U+FE0F>",
		"\U0001fa7d\u200d👩\u200d\U0001fa7d": "<U+1FA7D><U+200D>👩<U+200D><U+1FA7D>", // of no emoji as yet
		"bad \xff byte":                     "bad \xff byte",
		tags("x"):                           "<U+E0078>",
		"\u202e\u2066\u00a0":                "<U+202E><U+2066><U+00A0>",
	} {
		if got := chars.Visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSafeNamesBytesToo(t *testing.T) {
	if got := chars.Safe("a\xff\u200b\n"); got != "a<FF><U+200B>\n" {
		t.Error(got)
	}
}

func TestTameLeavesWhatIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"می\u200cخواهم 👨\u200d👩 10\u00a0km\n": "می\u200cخواهم 👨\u200d👩 10\u00a0km\n",
		"a\x1b[2Jb\r\u009bc\u202e\xff\x9b":    "a<U+001B>[2Jb<U+000D><U+009B>c<U+202E><FF><9B>",
	} {
		if got := chars.Tame(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// shapes are texts of 256 KiB that could make a reader slow.
func shapes() map[string]string {
	const size = 1 << 18
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1)[:size/len(s)*len(s)] }
	return map[string]string{
		"ascii": fill("abc def "), "tags": fill("\U000E0041"), "flags": fill("🏴\U000E0067\U000E0062"), "selectors": fill("\ufe0f"),
		"joiners": fill("\u200d"), "family": fill("👨\u200d"), "tones": "👨" + fill("🏽") + "\u200d👨", "toned": fill("🏽\u200d"),
		"isolates on one line": fill("a\u2066"), "marks on many lines": fill("a\u200f\n"), "marks on one line": fill("\u200fa"),
		"mojibake": fill("â€™"), "leads": fill("ð"), "leads and one": fill("ðŸ"), "lost": fill("\ufffd"), "lost and found": fill("\ufffda"),
		"controls": fill("\x1b"), "invalid": fill("\xff"), "han": fill("好"), "arabic": fill("ا\u200c"), "cyrillic": fill("ж"),
		"pairs": "ש" + fill("\u2066a\u2069"), "begun": "ש" + fill("a\u202b"), "begun in paragraphs": fill("ש\u2067a\n\n"), "begun and ended": "ש" + fill("\u2066\u202b\u2069a"),
		"isolates on lines": fill("ש\u2067\n"), "looks": fill("❤\ufe0f❤\ufe0e"), "pictures": fill("❤\ufe0f"), "seven in a row": fill("ק\u2066\u2069\u2066\u2069\u2066\u2069\u200e"),
		"eight in a row": fill("ק\u2066\u2069\u2066\u2069\u2066\u2069\u2066\u2069"), "jamo": fill("\u1100\u1160"), "filled": fill("\u115f"), "lines of persian": fill("می\u200cخوا\n"),
		"selected": fill("👨\ufe0f\u200d"), "reselected": fill("👨\ufe0f\ufe0f\u200d"), "joined": fill("\ufe0f\u200d👨"), "variants": fill("辻\U000e0100"), "anchors": fill("](#\ufe0f-"), "anchor": "[](#" + fill("a\ufe0f"), "virama": fill("\u0d4d\u200d\u200c"), "mixed": fill("a\u200b\u2066â†“\ufe0f\ufe0f\u00ad"),
	}
}

func TestEveryShapeEnds(t *testing.T) {
	for _, text := range shapes() {
		chars.Scan(text)
		holds(t, text[:len(text)/8]) // names and messages are no longer
	}
}

func BenchmarkScan(b *testing.B) {
	for name, text := range shapes() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				chars.Scan(text)
				chars.Mojibake(text)
			}
		})
	}
}

func FuzzChars(f *testing.F) {
	for _, s := range []string{"a\u200bb", "â†“", "Ã¢â‚¬â„¢", "🏴" + tags("gbsct\x7f"), "👨🏽\u200d👩", "\u2066שלום", "\ufe0f\ufe0f", "exеc", "\xff\u009b", "ש\u2067\u202b\n\n\u2069", "\u1100\u1160\u115f", "❤\ufe0f\xff", "\xef\ufe0f", "🏨\x9f\u200d👩"} {
		f.Add(s)
	}
	f.Fuzz(holds)
}

// holds holds of a text that what is found lies in it, one behind the other, and that
// what is made safe to show stays so.
func holds(t *testing.T, s string) {
	t.Helper()
	last := 0
	for _, r := range chars.ScanName(s) {
		if r.Start < last || r.End <= r.Start || r.End > len(s) || utf8.RuneCountInString(s[r.Start:r.End]) != r.Count {
			t.Fatalf("%.80q: %+v", s, r)
		}
		last = r.End
		chars.Unhide(s[r.Start:r.End])
	}
	last = 0
	for _, g := range chars.Mojibake(s) {
		if g.Start < last || g.End <= g.Start || g.End > len(s) {
			t.Fatalf("%.80q: %+v", s, g)
		}
		last = g.End
	}
	if o, ok := chars.InName(s); ok && s[o.Start:o.End] != string(o.Char) && utf8.ValidString(s) {
		t.Fatalf("%.80q: %+v", s, o)
	}
	if tame := chars.Tame(s); chars.Tame(tame) != tame {
		t.Fatalf("%.80q is tame only once", s)
	}
	seen := chars.Safe(s)
	if chars.Visible(seen) != seen {
		t.Fatalf("%.80q is not seen as it is shown", seen)
	}
	if slices.ContainsFunc([]rune(seen), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 }) {
		t.Fatalf("%.80q has a control", seen)
	}
}

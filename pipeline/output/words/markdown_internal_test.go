package words

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

func TestCodeSpans(t *testing.T) {
	for _, c := range []struct{ text, span, cell, html string }{
		{"soul", "`soul`", "`soul`", "<code>soul</code>"},
		{"", "`(empty)`", "`(empty)`", "<code>(empty)</code>"},
		{"a|b", "`a|b`", "`a\\|b`", "<code>a|b</code>"},
		{`a\|b\`, "`a\\|b\\`", "`a\\<U+007C>b\\`", `<code>a\|b\</code>`},
		{"`x`", "`` `x` ``", "`` `x` ``", "<code>`x`</code>"},
		{"a ``` b", "````a ``` b````", "````a ``` b````", "<code>a ``` b</code>"},
		{" a ", "`  a  `", "`  a  `", "<code> a </code>"},
		{"  ", "`  `", "`  `", "<code>  </code>"},
		{"a\n\n<b>\x00\t\u2028", "`a<U+000A><U+000A><b><U+0000><U+0009><U+2028>`", "`a<U+000A><U+000A><b><U+0000><U+0009><U+2028>`", "<code>a&lt;U+000A&gt;&lt;U+000A&gt;&lt;b&gt;&lt;U+0000&gt;&lt;U+0009&gt;&lt;U+2028&gt;</code>"},
		{"\xff</code>&amp;", "`<FF></code>&amp;`", "`<FF></code>&amp;`", "<code>&lt;FF&gt;&lt;/code&gt;&amp;amp;</code>"},
		{strings.Repeat("`", 300) + "x`", "`` <U+0060 × 300>x` ``", "`` <U+0060 × 300>x` ``", "<code>&lt;U+0060 × 300&gt;x`</code>"},
	} {
		if got := CodeSpan(c.text); got != c.span {
			t.Errorf("CodeSpan(%q) = %s, want %s", c.text, got, c.span)
		}
		if got := TableSpan(c.text); got != c.cell {
			t.Errorf("TableSpan(%q) = %s, want %s", c.text, got, c.cell)
		}
		if got := SpanHTML(c.text); got != c.html {
			t.Errorf("SpanHTML(%q) = %s, want %s", c.text, got, c.html)
		}
	}
}

func TestCodeSpansAreShort(t *testing.T) {
	for _, unit := range []string{"a", "`a", "\x01", "世"} {
		if n := Characters(CodeSpan(strings.Repeat(unit, 1<<20/len(unit)))); n > 3*MaxLine {
			t.Errorf("a text of 1 MiB of %q takes %d characters", unit, n)
		}
	}
}

func TestFencesAreLongerThanWhatTheyHold(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"", "```diff\n```\n"},
		{"a\n", "```diff\na\n```\n"},
		{"a", "```diff\na\n```\n"},
		{" ```\n+<b>\n```` \n~~~~~~\n", "`````diff\n ```\n+<b>\n```` \n~~~~~~\n`````\n"},
		{"a\r\n\x1b[1m\tb\n", "```diff\na<U+000D>\n<U+001B>[1m\tb\n```\n"},
		{strings.Repeat("`", 1000) + "\n", "```diff\n<U+0060 × 1,000>\n```\n"},
	} {
		if got := Fence("diff", c.body); got != c.want {
			t.Errorf("fence of %q:\n%s\nwant:\n%s", c.body, got, c.want)
		}
	}
}

func TestASheetIsFilledInOrder(t *testing.T) {
	s := NewSheet("end\n")
	s.Block("title\n")
	long := strings.Repeat("a", 9_999) + "\n"
	if left := s.Fill(20_500, []string{long, long, long, "short\n"}); left != 2 {
		t.Errorf("%d blocks are left out of a share for two, want the two last", left)
	}
	if left := s.Fill(15_000, []string{long, "b\n", long, "c\n"}); left != 2 {
		t.Errorf("%d blocks are left out, want the first that does not fit and what follows", left)
	}
	if left := s.Fill(MaxMarkdown, []string{long, long, long, long}); left != 2 {
		t.Errorf("%d blocks are left out, want those beyond the whole", left)
	}
	var b strings.Builder
	if err := s.Print(&b, "end\n", new(secret.Known)); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if want := "title\n" + long + long + long + "b\n" + long + long + "end\n"; got != want {
		t.Errorf("got %d characters, want %d:\n%.200s", Characters(got), Characters(want), got)
	}
}

func TestCharactersAreThoseOfUTF16(t *testing.T) {
	if n := Characters("a世🦊"); n != 4 {
		t.Errorf("counted %d", n)
	}
}

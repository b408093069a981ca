package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/token"
)

// benchText is a text of one kind.
type benchText struct{ name, text string }

// benchTexts gives what prompts are made of, from the repository itself and, so
// that it is always the same, written out here.
func benchTexts(tb testing.TB) []benchText {
	tb.Helper()
	return []benchText{
		{"prose", files(tb, "../../docs/manifest.md", "../../docs/architecture.md", "../../README.md")},
		{"code", files(tb, "*.go", "../compose/*.go")},
		{"json", files(tb, "../../schema/*.json")},
		{"cjk", varied("源代码的编写者应当遵守规则，不得随意更改。今天天气很好，我们去公园散步吧！日本語の文章は、漢字と仮名を交ぜて書く。プログラムは設計どおりに動くとは限らない。")},
		{"emoji", varied("🙂👩\u200d👩\u200d👧🇫🇷🔥✨👍🏽🎉❤️🚀😀😂🥲🤖🧪📦✅⚠️🇯🇵👋🏿🧑\u200d💻🍕🌍⏱️🪄💡")},
		{"run", strings.Repeat("a", 100_000)},
	}
}

// files joins files, so many of them that there are some 100 KB.
func files(tb testing.TB, patterns ...string) string {
	tb.Helper()
	var b strings.Builder
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(names) == 0 {
			tb.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				tb.Fatal(err)
			}
			b.Write(data)
		}
	}
	return b.String()
}

// varied makes 100 KB of the runes of a text, in ever other orders, so that the
// same pieces do not come again: what is remembered of pieces is of no use.
func varied(text string) string {
	runes := []rune(text)
	var b strings.Builder
	for step := 1; b.Len() < 100_000; step++ {
		for i := range runes {
			b.WriteRune(runes[(i*step+i*i/7)%len(runes)])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// BenchmarkCount counts each text with the counter and with tiktoken-go, in turn.
// The library needs seconds for one round of "run".
func BenchmarkCount(b *testing.B) {
	for _, name := range cuttable() {
		c := newCounter(b, name)
		for _, bt := range benchTexts(b) {
			want := c.Count(bt.text)
			if !utf8.ValidString(bt.text) {
				b.Fatalf("%s is no text", bt.name)
			}
			b.Run(name+"/"+bt.name+"/ours", func(b *testing.B) {
				b.SetBytes(int64(len(bt.text)))
				b.ReportAllocs()
				for b.Loop() {
					c.Count(bt.text)
				}
			})
			b.Run(name+"/"+bt.name+"/tiktoken", func(b *testing.B) {
				count := token.Library(name)
				b.SetBytes(int64(len(bt.text)))
				b.ReportAllocs()
				for b.Loop() {
					if n := count(bt.text); n != want {
						b.Fatalf("%d tokens, want %d", n, want)
					}
				}
			})
		}
	}
}

func TestCountDoesNotAllocate(t *testing.T) {
	if token.Raced {
		t.Skip("under the race detector, a pool forgets on purpose")
	}
	for _, name := range cuttable() {
		c := newCounter(t, name)
		for _, bt := range benchTexts(t) {
			c.Count(bt.text) // the first call takes memory that is kept
			if n := testing.AllocsPerRun(5, func() { c.Count(bt.text) }); n != 0 {
				t.Errorf("%s: counting %s allocates %v times", name, bt.name, n)
			}
		}
	}
}

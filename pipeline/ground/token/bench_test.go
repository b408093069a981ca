package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/benchpair"
	"github.com/promptc-build/promptc/pipeline/ground/token"
)

// benchText is a text of one kind.
type benchText struct{ name, text string }

// benchTexts gives what prompts are made of, from the repository itself and, so
// that it is always the same, written out here.
func benchTexts(tb testing.TB) []benchText {
	tb.Helper()
	return []benchText{
		{"prose", files(tb, "../../../docs/manifest.md", "../../../docs/architecture.md", "../../../README.md")},
		{"code", files(tb, "*.go", "../../assembly/compose/*.go")},
		{"tools", files(tb, "../../../sources/*/tools/*.json", "../../../sources/*/mcp/*.json")},
		{"cjk", varied("源代码的编写者应当遵守规则，不得随意更改。今天天气很好，我们去公园散步吧！日本語の文章は、漢字と仮名を交ぜて書く。プログラムは設計どおりに動くとは限らない。")},
		{"emoji", varied("🙂👩\u200d👩\u200d👧🇫🇷🔥✨👍🏽🎉❤️🚀😀😂🥲🤖🧪📦✅⚠️🇯🇵👋🏿🧑\u200d💻🍕🌍⏱️🪄💡")},
		{"run", strings.Repeat("a", 100_000)},
	}
}

// benchRuns gives 100 KB of one character, for some that are merged in ways of
// their own.
func benchRuns() []benchText {
	var runs []benchText
	for _, run := range []benchText{
		{"letter", "a"}, {"digit", "7"}, {"space", " "}, {"newline", "\n"}, {"dash", "-"}, {"han", "的"}, {"emoji", "🙂"},
	} {
		runs = append(runs, benchText{run.name, strings.Repeat(run.text, 100_000/len(run.text))})
	}
	return runs
}

// files joins files.
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

// BenchmarkCount counts each text with the counter and, by turns, with
// tiktoken-go. The library is so much slower that the counter has many turns for
// one of its.
func BenchmarkCount(b *testing.B) {
	for _, name := range quick() {
		c, library := newCounter(b, name), token.Library(name)
		for _, bt := range benchTexts(b) {
			b.Run(name+"/"+bt.name, func(b *testing.B) {
				want := c.Count(bt.text)
				var l benchpair.Pair
				for b.Loop() {
					for range 10 {
						l.Ours(func() { c.Count(bt.text) })
					}
					l.Peers(func() {
						if n := library(bt.text); n != want {
							b.Fatalf("%d tokens, want %d", n, want)
						}
					})
				}
				l.ReportSpeedup(b)
				b.ReportMetric(testing.AllocsPerRun(5, func() { c.Count(bt.text) }), "ours-allocs")
			})
		}
	}
}

// BenchmarkCountRun counts one character, over and over. The library is left
// out: it needs seconds for each, as it does in "run" above.
func BenchmarkCountRun(b *testing.B) {
	for _, name := range quick() {
		c := newCounter(b, name)
		for _, run := range benchRuns() {
			b.Run(name+"/"+run.name, func(b *testing.B) {
				var l benchpair.Pair
				for b.Loop() {
					l.Ours(func() { c.Count(run.text) })
				}
				l.Report(b)
			})
		}
	}
}

func TestCountDoesNotAllocate(t *testing.T) {
	if token.Raced {
		t.Skip("under the race detector, a pool forgets on purpose")
	}
	for _, name := range quick() {
		c := newCounter(t, name)
		for _, bt := range append(benchTexts(t), benchRuns()...) {
			c.Count(bt.text) // the first call takes memory that is kept
			if n := testing.AllocsPerRun(1, func() { c.Count(bt.text) }); n != 0 {
				t.Errorf("%s: counting %s allocates %v times", name, bt.name, n)
			}
		}
	}
}

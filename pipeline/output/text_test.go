package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func diagnostics(t *testing.T, list diag.List, opt words.Options) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return finding.Text(w, list, opt) })
}

func TestDiagnosticWithCaretDetailAndHint(t *testing.T) {
	f := &diag.File{Path: "prompts.yaml", Text: strings.Repeat("\n", 40) +
		"      - {id: tools, source: tool, when: {tools: {not: none}}}\n"}
	span := at(f, "tool,")
	span.End--
	list := diag.List{
		diag.Diagnostic{Code: "PC3002", Level: diag.Error, Span: span, What: diag.Verbatim(`section "tools" names the unknown source "tool"`)}.
			WithDetail(diag.Verbatim("known: soul, tools")).WithHint("did-you-mean", "tools"),
		{Code: "PC9999", Level: diag.Warning, What: diag.Verbatim("no manifest")},
	}
	equal(t, diagnostics(t, list, words.Options{}), `prompts.yaml:41:29: error[PC3002]: section "tools" names the unknown source "tool"
   41 |       - {id: tools, source: tool, when: {tools: {not: none}}}
      |                             ^~~~
  known: soul, tools
  hint: did you mean "tools"?
promptc: warning[PC9999]: no manifest
`)
	coloured := diagnostics(t, list, words.Options{Color: true})
	if !strings.Contains(coloured, "\x1b[1;31merror[PC3002]:\x1b[0m") {
		t.Errorf("no red level in %q", coloured)
	}
	if got := diagnostics(t, list, words.Options{Base: "../kit"}); !strings.HasPrefix(got, "../kit/prompts.yaml:41:29: ") {
		t.Errorf("no base in %q", got)
	}
}

func TestSameWordsAreQuotedOnce(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: "one\n"}
	list := diag.List{
		{Code: "PC1001", Span: at(f, "one"), What: diag.Verbatim("first")},
		{Code: "PC1002", Span: at(f, "one"), What: diag.Verbatim("second")},
	}
	equal(t, diagnostics(t, list, words.Options{}), `a.md:1:1: error[PC1001]: first
    1 | one
      | ^~~
a.md:1:1: error[PC1002]: second
`)
}

// Each case marks its span with [ and ] in the source.
func TestCaretStandsBelowItsWords(t *testing.T) {
	long := strings.Repeat("a", 200)
	for _, c := range []struct{ name, source, line, caret string }{
		{"plain", "ab [cd] ef", "ab cd ef", "   ^~"},
		{"empty span", "ab[]cd", "abcd", "  ^"},
		{"end of line", "abcd[]", "abcd", "    ^"},
		{"empty line", "[]\nab", "", "^"},
		{"several lines", "ab[cd\nef]", "abcd", "  ^~"},
		{"only the line break", "ab[\n]ef", "ab", "  ^"},
		{"tabs", "\ta\t[b]\t", "    a   b   ", "        ^"},
		{"tab in the span", "a[\tb]", "a   b", " ^~~~"},
		{"cjk", "名前: [太郎]です", "名前: 太郎です", "      ^~~~"},
		{"full width", "[ＡＢ]", "ＡＢ", "^~~~"},
		{"ideographic space", "　[a]", "　a", "  ^"},
		{"hangul", "한[글]", "한글", "  ^~"},
		{"decomposed hangul", "\u1112\u1161\u11ab[b]", "\u1112\u1161\u11abb", "  ^"},
		{"emoji", "🚀[go]", "🚀go", "  ^~"},
		{"emoji with a selector", "❤\ufe0f[x]", "❤\ufe0fx", "  ^"},
		{"text selector", "❤\ufe0e[x]", "❤\ufe0ex", " ^"},
		{"keycap", "1\ufe0f\u20e3[x]", "1\ufe0f\u20e3x", "  ^"},
		{"joined emoji", "👩\u200d💻[x]", "👩\u200d💻x", "  ^"},
		{"joined emoji in the span", "a[👨\u200d👩\u200d👧]b", "a👨\u200d👩\u200d👧b", " ^~"},
		{"flag", "🇩🇪[x]", "🇩🇪x", "  ^"},
		{"skin tone", "👍🏽[x]", "👍🏽x", "  ^"},
		{"combining", "e\u0301[x]", "e\u0301x", " ^"},
		{"combining in the span", "[e\u0301x]", "e\u0301x", "^~"},
		{"combining first", "\u0301[x]", "◌\u0301x", " ^"},
		{"zero width space", "a\u200b[b]", "a<U+200B>b", "         ^"},
		{"joiner between letters", "a\u200d[b]", "a<U+200D>b", "         ^"},
		{"bidi override", "\u202e[b]", "<U+202E>b", "        ^"},
		{"escape", "\x1b[31m[b]", "<U+001B>[31mb", "            ^"},
		{"c1", "\u009b[b]", "<U+009B>b", "        ^"},
		{"tag", "\U000e0041[b]", "<U+E0041>b", "         ^"},
		{"carriage return", "a\r[b]", "a<U+000D>b", "         ^"},
		{"no-break space", "a\u00a0[b]", "a<U+00A0>b", "         ^"},
		{"invalid byte", "a\xff[b]", "a<FF>b", "     ^"},
		{"long, at the end", long + "[b]", "…" + long[:33] + "b", strings.Repeat(" ", 34) + "^"},
		{"long, at the start", "[b]" + long, "b" + long[:98] + "…", "^"},
		{"long span", "[" + long + "]", long[:99] + "…", "^" + strings.Repeat("~", 98)},
		{"exactly as wide as may be", "[b]" + long[:99], "b" + long[:99], "^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, span := marked(c.source)
			f := &diag.File{Path: "a.md", Text: text}
			span.File = f
			got := diagnostics(t, diag.List{{Code: "PC1001", Span: span, What: diag.Verbatim("m")}}, words.Options{})
			_, got, _ = strings.Cut(got, "\n")
			want := strings.TrimRight("    1 | "+c.line, " ") + "\n      | " + c.caret + "\n"
			if got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// marked takes the marks out of a source: the last [ and the ] after it.
func marked(source string) (string, diag.Span) {
	start := strings.LastIndex(source, "[")
	end := start + strings.Index(source[start:], "]") - 1
	return source[:start] + source[start+1:end+1] + source[end+2:], diag.Span{Start: start, End: end}
}

func TestSpanOutsideTheFileIsClamped(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: "abc"}
	for _, s := range []diag.Span{{File: f, Start: 90, End: 99}, {File: f, Start: -4, End: 2}, {File: f, Start: 2, End: 1}} {
		if got := diagnostics(t, diag.List{{Code: "PC1001", Span: s, What: diag.Verbatim("m")}}, words.Options{}); !strings.Contains(got, "^") {
			t.Errorf("%v: no caret in %q", s, got)
		}
	}
}

func TestFileWithoutTextHasNoExcerpt(t *testing.T) {
	got := diagnostics(t, diag.List{{Code: "PC7001", Span: diag.Span{File: &diag.File{Path: "snapshots/notes\x1b.txt"}}, What: diag.Verbatim("m\x07")}}, words.Options{})
	equal(t, got, "snapshots/notes<U+001B>.txt:1:1: error[PC7001]: m<U+0007>\n")
}

func TestOfManyTheMostSeriousAreShown(t *testing.T) {
	var list diag.List
	for i := range 150 {
		list = append(list, diag.Diagnostic{Code: "PC1001", Level: diag.Warning, What: diag.Verbatim(fmt.Sprintf("w%03d", i))})
	}
	f := &diag.File{Path: "z.md", Text: "z"}
	for i := range 3 {
		list = append(list, diag.Diagnostic{Code: "PC1002", Level: diag.Error, Span: at(f, "z"), What: diag.Verbatim(fmt.Sprintf("e%d", i))})
	}
	list = append(list, diag.Diagnostic{Code: "PC1003", Level: diag.Note, What: diag.Verbatim("n")})
	got := diagnostics(t, list, words.Options{})
	for _, want := range []string{"e0", "e2", "w096", "and 53 warnings, 1 note more\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the output", want)
		}
	}
	if strings.Contains(got, "w097") {
		t.Error("more than 100 findings are shown")
	}
}

func TestHugeLineIsQuick(t *testing.T) {
	f := &diag.File{Path: "a.json", Text: strings.Repeat("字\u200b", 2<<20)}
	got := diagnostics(t, diag.List{{Code: "PC1001", Span: diag.Span{File: f, Start: len(f.Text) / 2, End: len(f.Text)}, What: diag.Verbatim("m")}}, words.Options{})
	if len(got) > 2000 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestSummary(t *testing.T) {
	e := diag.Diagnostic{Code: "PC1001", What: diag.Verbatim("a")}
	w := diag.Diagnostic{Code: "PC1002", Level: diag.Warning, What: diag.Verbatim("b")}
	wrote := run.Outcome{Command: "build", Snapshots: true, Artifacts: true}
	for _, c := range []struct {
		name string
		r    prompt.Result
		did  run.Outcome
		opt  words.Options
		want string
	}{
		{"nothing", prompt.Result{}, wrote, words.Options{}, ""},
		{"stopped", prompt.Result{Findings: diag.List{e}, Stopped: true}, run.Outcome{Command: "build"}, words.Options{}, "1 error; nothing was written\n"},
		{"over budget", prompt.Result{Findings: diag.List{e, w}}, wrote, words.Options{}, "1 error, 1 warning; the build is complete\n"},
		{"check", prompt.Result{Findings: diag.List{e}}, run.Outcome{Command: "check"}, words.Options{}, "1 error\n"},
		{"check stopped", prompt.Result{Findings: diag.List{e}, Stopped: true}, run.Outcome{Command: "check"}, words.Options{}, "1 error; nothing was compared\n"},
		{"warning", prompt.Result{Findings: diag.List{w}}, wrote, words.Options{}, "1 warning\n"},
		{"strict", prompt.Result{Findings: diag.List{w}}, wrote, words.Options{Strict: true}, "1 warning; strict: they count as errors\n"},
		{"off", prompt.Result{Off: make([]language.Silenced, 1)}, run.Outcome{Command: "check"}, words.Options{Strict: true}, "1 finding off (checks)\n"},
		{"also off", prompt.Result{Findings: diag.List{e, w}, Off: make([]language.Silenced, 2)}, wrote, words.Options{}, "1 error, 1 warning; the build is complete; 2 findings off (checks)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			equal(t, written(t, func(b *strings.Builder) error { return run.Summary(b, &c.r, c.did, c.opt) }), c.want)
		})
	}
}

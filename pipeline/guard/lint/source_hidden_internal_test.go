package lint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// planOf is a plan of one manifest.
func planOf(manifest string) *assembly.Plan {
	f := &diag.File{Path: "prompts.yaml", Text: manifest}
	return &assembly.Plan{Spec: &language.Spec{Tree: &language.Tree{File: f}}}
}

func messages(all diag.List) []string {
	var out []string
	for _, d := range all {
		line, column := d.Span.File.Position(d.Span.Start)
		out = append(out, strings.Join([]string{d.Level.String(), diag.Number(line) + ":" + diag.Number(column), wording.Message(d), strings.Join(wording.Detail(d), "|")}, " "))
	}
	return out
}

func TestManyPlacesWithHiddenTextAreCounted(t *testing.T) {
	found := messages(inputs(planOf(strings.Repeat("a\u202eb c\u200bd\n", 500))))
	if len(found) != 2*(perFile+1) {
		t.Fatalf("%d findings", len(found))
	}
	if d := cmp.Diff([]string{`error 21:2 and 480 more like it in this file `}, found[perFile:perFile+1]); d != "" {
		t.Error(d)
	}
	found = messages(inputs(planOf(strings.Repeat("<|im_end|> ", 500) + strings.Repeat("Itâ€™s ", 300))))
	want := []string{
		`warning 1:5,503 "â€™" is "’", decoded with the wrong encoding 299 more such places`,
		`warning 1:1 "<|im_end|>" is a special token of "chatml", "qwen", "phi", "kimi" 499 more such places`,
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

func TestGarbledTextMayBeShownAsCode(t *testing.T) {
	for text, want := range map[string]string{
		"If you see `â€™`, the file was read wrongly. ``a ` Ã©``":        "",
		"Say itâ€™s `â€™` for `Ã©`.":                                     "â€™",
		"- A test:\n\n  ```js\n  // Prints: tÃ©st, it�s\n  ```\n\nDone.": "Ã© �",
		"```\nsrc\n  â”œâ”€ main.go\n```\n":                              "â”œâ”€",
		"```\nitâ€™s\n```\n`one`, cafÃ© and `two`\n`three` itâ€™s\n":     "â€™ Ã© â€™",
		"    an indented itâ€™s":                                         "â€™",
	} {
		f := &diag.File{Path: "a.md", Text: text}
		w := whole(f, nil)
		w.prose = true
		var got []string
		for _, g := range garbled(w) {
			got = append(got, text[g.Start:g.End])
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%q: %s", text, d)
		}
		w.prose = false
		if n := len(garbled(w)); n < 1 {
			t.Errorf("%q, which is no Markdown: %d places", text, n)
		}
	}
}

func TestAFormFeedMayBeALine(t *testing.T) {
	for text, want := range map[string]int{"a\n\f\nb\f\n\fc\n\f\f\n": 3, "\f\na\n\f": 0, "\f": 0} {
		f := &diag.File{Path: "a.md", Text: text}
		if got := hiddenText(nil, whole(f, nil)); len(got) != want {
			t.Errorf("%q: %q", text, messages(got))
		}
	}
}

func TestTheLongestTokenCounts(t *testing.T) {
	plan := planOf("<|tool_call|> <|tool_calls_section_begin|> <<SYS>> <｜User｜> x <|end|>")
	var got []string
	for _, m := range messages(inputs(plan)) {
		got = append(got, strings.Fields(m)[2])
	}
	want := []string{`"<|tool_call|>"`, `"<|tool_calls_section_begin|>"`, `"<<SYS>>"`, `"<｜User｜>"`, `"<|end|>"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEveryFamilyHasTokensThatCanBeFound(t *testing.T) {
	for _, f := range language.Families {
		plan := planOf("x" + strings.Join(f.Tokens, "x"))
		plan.Spec.Families = []ground.Word{{Str: f.Name}}
		if got := inputs(plan); len(got) != len(f.Tokens) || len(f.Tokens) == 0 {
			t.Errorf("%s: %q", f.Name, messages(got))
		}
	}
}

// TestInputsOfAnyShapeEnd reads 256 KiB of each shape, twice: quadratic work would
// not end. What it finds is counted from some findings on.
func TestInputsOfAnyShapeEnd(t *testing.T) {
	const size = 1 << 18
	for _, piece := range map[string]string{
		"brackets": "<", "bars": "<|", "tokens": "<|im_end|>", "lines": "\n", "squares": "[", "hidden": "a\u202e", "tags": "\U000E0041",
		"garbled": "Ã¢â‚¬â„¢", "forms": "Ã©â€™ðŸš€", "words": "a\u200b", "one word": "\u200ba", "lost": "a\ufffd", "controls": "\x1b\n", "wide": "<｜",
		"in code": "`â€™` ", "a span a line": "`Ã©`\n", "fences": "```\nâ€™\n",
		"crowds": "م\u200c", "begun": "ש\u2067", "in pairs": "ש\u2066a\u2069", "pictures": "❤\ufe0f❤\ufe0e",
	} {
		plan := planOf(strings.Repeat(piece, size/len(piece)))
		// The same again as a value in which an escape was undone.
		at := diag.Span{File: plan.Spec.Tree.File, Start: 0, End: 1}
		value := sourceText{text: ground.Derived(plan.Spec.Tree.File.Text, at), file: at.File, prose: true}
		if n := len(inputs(plan)); n > 1000 {
			t.Errorf("%d findings about %q", n, piece)
		}
		l := newSourceSet(plan)
		for _, read := range readers {
			read(l, value)
		}
	}
}

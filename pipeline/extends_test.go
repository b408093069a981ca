package pipeline_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/tests/testproject"
)

// What a manifest gets from policies is what it would have written itself.
func TestExtendsIsWhatTheManifestWouldSay(t *testing.T) {
	for _, tt := range []struct{ name, policies, extends, whole string }{
		{"nothing", "a: {}", "extends: a.yaml\nprompts: {p: {PROMPT}}", "prompts: {p: {PROMPT}}"},
		{"an empty list", "", "extends: []\nprompts: {p: {PROMPT}}", "prompts: {p: {PROMPT}}"},
		{
			"names by name", "a: {slots: {s: {max_tokens: 3}, r: {max_tokens: 4}}, fragments: {f: From a., g: And g.}}",
			"extends: a.yaml\nslots: {r: {max_tokens: 9}}\nfragments: {f: Own.}\nprompts: {p: {PROMPT}}",
			"slots: {s: {max_tokens: 3}, r: {max_tokens: 9}}\nfragments: {f: Own., g: And g.}\nprompts: {p: {PROMPT}}",
		},
		{
			"the last wins", "a: {fragments: {f: From a., g: Of a.}} | b: {fragments: {f: From b.}}",
			"extends: [a.yaml, b.yaml]\nprompts: {p: {PROMPT}}", "fragments: {f: From b., g: Of a.}\nprompts: {p: {PROMPT}}",
		},
		{
			"a policy wins over what it extends, also where another extends that later",
			"a: {fragments: {f: From a.}} | b: {extends: a.yaml, fragments: {f: From b.}} | c: {extends: a.yaml, fragments: {g: From c.}}",
			"extends: [b.yaml, c.yaml]\nprompts: {p: {PROMPT}}", "fragments: {f: From b., g: From c.}\nprompts: {p: {PROMPT}}",
		},
		{
			"checks stand before", "a: {checks: [{code: PC6003, level: warn}, {code: PC6029, level: error}]}",
			"extends: a.yaml\nchecks: [{code: PC6003, level: error}]\nprompts: {p: {axes: {x: [1, 2]}, PROMPT}}",
			"checks: [{code: PC6003, level: warn}, {code: PC6029, level: error}, {code: PC6003, level: error}]\nprompts: {p: {axes: {x: [1, 2]}, PROMPT}}",
		},
		{
			"a row that leaves nothing out", "a: {checks: [{code: PC6003, level: off, paths: other/**, reason: r}]}",
			"extends: a.yaml\nprompts: {p: {PROMPT}}", "prompts: {p: {PROMPT}}",
		},
		{
			"defaults by key", "a: {defaults: {budget: {tokens: 3, chars: 90, over: warn}, axes: {x: [1, 2], y: [3]}}}",
			"extends: a.yaml\nprompts: {p: {budget: {tokens: 2}, axes: {x: [7]}, PROMPT}, q: {PROMPT}}",
			"prompts: {p: {budget: {tokens: 2, chars: 90, over: warn}, axes: {x: [7], y: [3]}, PROMPT}, q: {budget: {tokens: 3, chars: 90, over: warn}, axes: {x: [1, 2], y: [3]}, PROMPT}}",
		},
		{
			"a budget of cases as a whole", "a: {defaults: {budget: {chars: 1}}}",
			"extends: a.yaml\nprompts: {p: {budget: [{value: {tokens: 9}}], PROMPT}}", "prompts: {p: {budget: [{value: {tokens: 9}}], PROMPT}}",
		},
		{
			"expectations of both", "a: {defaults: {expect: [{contains: Nowhere.}]}}",
			"extends: a.yaml\nprompts: {p: {expect: [{lacks: Text}], PROMPT}}", "prompts: {p: {expect: [{contains: Nowhere.}, {lacks: Text}], PROMPT}}",
		},
		{
			"no axes where files have them", "a: {defaults: {axes: {x: [1, 2]}}}",
			"extends: a.yaml\nprompts: {p: {rendered: file.md}}", "prompts: {p: {rendered: file.md}}",
		},
		{
			"families and limits", "a: {families: [openai], limits: {text: windsurf, rules: codex}}",
			"extends: a.yaml\nsources: {long: {path: long.md}}\nprompts: {p: {sections: [{id: a, source: long}]}}",
			"families: [openai]\nsources: {long: {path: long.md, limits: windsurf}}\nprompts: {p: {sections: [{id: a, source: long}]}}",
		},
		{
			"tokenizers", "a: {tokenizers: {t: {base: chars/4, factor: 3, error: 0.1}}}",
			"extends: a.yaml\ntokenizer: t\nprompts: {p: {PROMPT}}", "tokenizers: {t: {base: chars/4, factor: 3, error: 0.1}}\ntokenizer: t\nprompts: {p: {PROMPT}}",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want, got := assembledBy(t, "", tt.whole), assembledBy(t, tt.policies, tt.extends)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-whole +extends):\n%s", diff)
			}
		})
	}
}

// assembledBy writes what becomes of a manifest and its policies, without places.
func assembledBy(t *testing.T, policies, manifest string) string {
	t.Helper()
	const sections = `sections: [{id: a, text: "Text. {{f}} {{g}} {{s}} {{r}}", expand: true}]`
	all := testproject.Of("file.md", "A file.\n", "long.md", strings.Repeat("A long <|im_start|> line.\n", 1000))
	if !strings.Contains(policies+manifest, "fragments") {
		manifest = strings.ReplaceAll(manifest, "PROMPT", `sections: [{id: a, text: "Text."}]`)
	}
	if !strings.Contains(policies+manifest, "slots") {
		manifest = strings.ReplaceAll(manifest, "PROMPT", `sections: [{id: a, text: "Text. {{f}} {{g}}", expand: true}]`)
	}
	all["prompts.yaml"] = &fstest.MapFile{Data: []byte("version: 1\n" + strings.ReplaceAll(manifest, "PROMPT", sections) + "\n")}
	for p := range strings.SplitSeq(policies, " | ") {
		if name, text, ok := strings.Cut(p, ": "); ok {
			all[name+".yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(text, "{", "{version: 1, ", 1))}
		}
	}
	r := testproject.Compile(t, all, pipeline.Composed)
	var out strings.Builder
	for _, a := range r.Artifacts {
		limits := a.Variant.Budget
		fmt.Fprintln(&out, a.Variant.Name, a.Text(), a.Use, limits.Tokens, limits.Chars, limits.Warn)
	}
	for _, d := range r.Findings {
		fmt.Fprintln(&out, d.Code, d.Level, d.Variant, d.Prompts)
		if d.Code < "PC5" && d.Level == diag.Error {
			t.Error(d.Code, d.What)
		}
	}
	for _, s := range r.Off {
		fmt.Fprintln(&out, "off", s.Finding.Code)
	}
	return out.String()
}

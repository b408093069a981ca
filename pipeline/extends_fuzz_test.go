package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/tests/testproject"
)

// Whatever policies hold, they end in findings or in a build, and twice in the same.
func TestPoliciesOfAnyShape(t *testing.T) {
	skipIfShort(t)
	const rounds = 600
	random := rand.New(rand.NewPCG(18, 3))
	errors := 0
	for range rounds {
		files := testproject.Of("x.md", "Text.\n")
		for _, name := range []string{"a.yaml", "b.yaml", "c.yaml"} {
			files[name] = &fstest.MapFile{Data: []byte("version: 1\n" + keysOfPolicy(random, 6))}
		}
		files["prompts.yaml"] = &fstest.MapFile{Data: []byte("version: 1\nextends: [a.yaml, b.yaml]\n" +
			strings.NewReplacer("extends:", "x-e:", "locked:", "x-l:", "limits:", "x-s:", "defaults:", "x-d:").Replace(keysOfPolicy(random, 3)) +
			"sources: {x: {path: x.md}}\nprompts:\n  p: {" + inner(random, "budget") + ", sections: [{id: a, source: x}]}\n")}
		var said [2]string
		for i := range said {
			r := testproject.Compile(t, files, pipeline.Composed)
			if i == 0 && r.Findings.HasErrors() {
				errors++
			}
			for _, d := range r.Findings {
				if d.Span.Known() {
					said[i] += fmt.Sprintln(d.Span.File.Path, d.Span.Start, d.Code, d.What)
				}
				if d.Code == diag.LockedSetting && !d.Span.Known() {
					t.Errorf("%v has no place:\n%s", d, files["a.yaml"].Data)
				}
			}
		}
		if said[0] != said[1] {
			t.Fatalf("said once:\n%s\nand then:\n%s", said[0], said[1])
		}
	}
	if errors == 0 || errors == rounds {
		t.Errorf("%d of %d were wrong", errors, rounds)
	}
}

// policyValues are what a key of a policy may hold, right or wrong.
var policyValues = map[string][]string{
	"extends":    {"c.yaml", "[c.yaml]", "[]", "{c: d}", "a.yaml"},
	"locked":     {"[budget]", "[checks, expect, families]", "[limits, slots, fragments, tokenizers]", "[budget.tokens, budget.growth]", "budget", "{a: b}", "[1, [2]]"},
	"checks":     {"[{code: PC6003, level: error}]", "[{code: [PC6039, PC6003], level: warn}]", "[{code: PC6035, level: off, reason: r}]", "3", "{a: b}", "[x]"},
	"families":   {"openai", "[qwen, openai]", "{a: b}", "[[x]]"},
	"limits":     {"{text: codex}", "{text: [windsurf, codex], rules: moltis}", "codex", "[codex]", "{text: {a: b}}"},
	"slots":      {"{s: {max_tokens: 2}}", "{s: {max_tokens: 3}}", "[s]", "{s: 3}", "null"},
	"fragments":  {"{f: Text.}", "{f: Other.}", "{s: Text.}", "f", "{f: [{value: {a: b}}]}"},
	"tokenizers": {"{t: {base: chars/4, factor: 2, error: 0}}", "{t: {}}", "[t]"},
	"defaults":   {"{BUDGET}", "{BUDGET, expect: [{contains: Text.}]}", "{axes: {m: [a, b]}}", "{axes: {m: auto}, BUDGET}", "[BUDGET]", "3", "{expect: {a: b}, axes: [m]}"},
	"budget":     {"{tokens: 9}", "{tokens: 20, growth: 5%, warn_at: 90%}", "{chars: 30, over: warn}", "{tokens: [{value: 3}]}", "[{value: {tokens: 30}}]", "null", "{tokens: null}", "x", "{growth_tokens: 0, plus: [{when: {m: a}, chars: 2}]}"},
}

var policyKeys = []string{"extends", "locked", "checks", "families", "limits", "slots", "fragments", "tokenizers", "defaults"}

func keysOfPolicy(random *rand.Rand, most int) string {
	var out strings.Builder
	for _, i := range random.Perm(len(policyKeys))[:random.IntN(most+1)] {
		fmt.Fprintln(&out, inner(random, policyKeys[i]))
	}
	return out.String()
}

// inner writes a key with a value, mostly a right one.
func inner(random *rand.Rand, key string) string {
	values := policyValues[key]
	n := len(values)
	if random.IntN(4) > 0 {
		n = 2
	}
	value := values[random.IntN(n)]
	if head, rest, ok := strings.Cut(value, "BUDGET"); ok {
		value = head + inner(random, "budget") + rest
	}
	return key + ": " + value
}

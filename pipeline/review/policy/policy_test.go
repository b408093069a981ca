package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// judgedManifest has a place for each part of a policy.
const judgedManifest = `version: 1
tokenizer: chars/4
FAMILIES
checks: [CHECKS]
sources: {a: {path: a.md LIMITS}}
prompts:
  p:
    axes: {m: [x, y]}
    budget: {BUDGET}
    expect: [EXPECT]
    sections:
      - {id: a, source: a, budget: {SECTION}}
      - {id: b, text: Two., when: {m: y}}
  q:
    axes: {m: [x, y]}
    sections: [{id: a, text: Three.}]
`

// judgedBy fills the places of judgedManifest.
func judgedBy(t *testing.T, name, parts string) review.Side {
	t.Helper()
	text := judgedManifest
	for part := range strings.SplitSeq(parts, " | ") {
		key, value, _ := strings.Cut(part, "=")
		text = strings.Replace(text, key, value, 1)
	}
	for _, key := range []string{"FAMILIES", "CHECKS", "LIMITS", "BUDGET", "EXPECT", "SECTION"} {
		text = strings.Replace(text, key, "", 1)
	}
	text = strings.NewReplacer("expect: []", "expect: [{lacks: nothing}]", "budget: {}", "budget: {growth_tokens: 9}", "checks: []", "").Replace(text)
	r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: testproject.Of("prompts.yaml", text, "a.md", "One.\n"), Manifest: "prompts.yaml", Until: pipeline.Composed})
	if err != nil || r.Stopped {
		t.Fatal(err, r.Findings)
	}
	return review.Side{Name: name, Result: r}
}

// A policy is compared by what it means for each variant, file and prompt, not by
// how it is written.
func TestPolicyIsWeakenedByWhatAllowsMore(t *testing.T) {
	for _, tt := range []struct{ name, was, is, want string }{
		{"tokens", "BUDGET=tokens: 20", "BUDGET=tokens: 21", "tokens 20 → 21 p: all"},
		{"fewer tokens", "BUDGET=tokens: 20", "BUDGET=tokens: 19", ""},
		{"chars", "BUDGET=chars: 90", "BUDGET=chars: 91", "chars 90 → 91 p: all"},
		{"tool tokens", "BUDGET=tool_tokens: 9", "BUDGET=tool_tokens: 10", "tool_tokens 9 → 10 p: all"},
		{"growth", "BUDGET=growth: 5%", "BUDGET=growth: 900%", "growth 5% → 900% p: all"},
		{"growth in tokens", "BUDGET=growth_tokens: 5", "BUDGET=tokens: 5", "growth_tokens 5 →  p: all"},
		{"a warning that comes later", "BUDGET=tokens: 20, warn_at: 50%", "BUDGET=tokens: 20, warn_at: 90%", "warn_at 50% → 90% p: all"},
		{"no error", "BUDGET=tokens: 20", "BUDGET=tokens: 20, over: warn", "over error → warn p: all"},
		{"an error", "BUDGET=tokens: 20, over: warn", "BUDGET=tokens: 20", ""},
		{"a section's", "SECTION=tokens: 5", "SECTION=tokens: 6", "a tokens 5 → 6 p: all"},
		{"in some variants", "BUDGET=tokens: 20", "BUDGET=tokens: [{when: {m: x}, value: 25}, {value: 15}]", "tokens 20 → 25 p: m=x"},
		{"written otherwise", "BUDGET=tokens: 20", "BUDGET=tokens: [{when: {m: x}, value: 20}, {value: 20}]", ""},
		{"what raises it", "BUDGET=tokens: 20", "BUDGET=tokens: 15, plus: [{when: {m: y}, tokens: 6}]", "plus.tokens 0 → 6 p: m=y"},

		{"an expectation", "EXPECT={contains: One.}", "EXPECT={section: a}", "expect {contains: \"One.\"} →  p: all"},
		{"of fewer variants", "EXPECT={contains: One.}", "EXPECT={when: {m: x}, contains: One.}", "expect {contains: \"One.\"} → {when: {m: x}, contains: \"One.\"} p: all"},
		{"of the same variants", "EXPECT={when: {m: x}, contains: One.}", "EXPECT={when: {m: {not: y}}, contains: One.}", ""},
		{"in two entries", "EXPECT={contains: One.}", "EXPECT={when: {m: x}, contains: One.}, {when: {m: y}, contains: One.}", ""},
		{"of an order", "EXPECT={order: [a, b]}", "EXPECT={order: [b, a]}", "expect {order: [a, b]} →  p: all"},

		{"off", "CHECKS={code: PC6003, level: error}", "CHECKS={code: PC6003, level: off, reason: r}", "checks {code: PC6003, level: error} → {code: PC6003, level: off, reason: r} p: all; q: all"},
		{"no error any more", "CHECKS={code: PC6003, level: error}", "", "checks {code: PC6003, level: error} →  p: all; q: all"},
		{"off for one prompt", "", "CHECKS={code: PC6003, level: off, prompts: q, reason: r}", "checks  → {code: PC6003, level: off, prompts: q, reason: r} q: all"},
		{"an error for one prompt", "", "CHECKS={code: PC6003, level: error, prompts: q}", ""},
		{"fewer exceptions", "CHECKS={code: PC6003, level: off, reason: r}", "CHECKS={code: PC6003, level: off, prompts: q, reason: s}", ""},
		{"no exception", "CHECKS={code: [PC6003, PC6004], level: off, reason: r}", "CHECKS={code: PC6004, level: off, reason: r}", ""},
		{"a rule behind its exception", "CHECKS={code: PC6003, level: off, reason: r, prompts: q}, {code: PC6003, level: error}", "CHECKS={code: PC6003, level: error}, {code: PC6003, level: off, reason: r, prompts: q}", "checks PC6003 error → PC6003 off q: all"},
		{"a file that is not there yet", "", "CHECKS={code: PC6035, level: off, reason: r, paths: later/**}", "checks  → {code: PC6035, level: off, paths: later/**, reason: r} p: all; q: all"},

		{"families", "", "FAMILIES=families: [openai]", "families  → openai p: all; q: all"},
		{"other families", "FAMILIES=families: [openai]", "FAMILIES=families: [openai, qwen]", ""},
		{"programs that read a source", "LIMITS=, limits: [codex, windsurf]", "LIMITS=, limits: [codex]", "limits a: [codex, windsurf] → a: codex p: all; q: all"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			was, is := judgedBy(t, "base", tt.was), judgedBy(t, "head", tt.is)
			d, _ := pipeline.Compare(was, is, was)
			if diff := cmp.Diff(tt.want, weakened(d)); diff != "" {
				t.Error(diff)
			}
			if d, _ := pipeline.Compare(was, is, review.Side{}); weakened(d) != "" {
				t.Error("the head's own policy is weakened:", weakened(d))
			}
			if d, _ := pipeline.Compare(is, is, was); (weakened(d) == "") != (tt.want == "") {
				t.Error("another one than the base's:", weakened(d))
			}
		})
	}
}

// weakened writes what is weaker, an edit a line.
func weakened(d *review.Difference) string {
	var out []string
	for _, e := range d.Edits {
		if e.Kind != review.PolicyWeakened {
			continue
		}
		var reached []string
		for _, r := range e.Reach {
			reached = append(reached, r.Pair.ID+": "+setcover.NewCover(r.Pair.Head).Describe(r.In))
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s → %s %s", e.Section, e.Name, side(e.From, e.Was), side(e.To, e.Is), strings.Join(reached, "; "))))
	}
	return strings.Join(out, "\n")
}

// side writes a side of an edit.
func side(name string, v review.Value) string {
	switch v := v.(type) {
	case nil:
		return name
	case review.Share:
		return fmt.Sprintf("%g%%", float64(v)*100)
	case review.OnlyWarns:
		return map[review.OnlyWarns]string{true: "warn", false: "error"}[v]
	default:
		return strings.Trim(fmt.Sprint(v), "{}")
	}
}

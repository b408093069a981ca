package diff_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review"
)

// clocked is a prompt of 100 tokens a section, in some order; that of clock
// changes with each request.
func clocked(order ...string) map[string]string {
	var b strings.Builder
	b.WriteString("version: 1\ntokenizer: chars/4\nslots: {now: {example: noon, max_tokens: 4, volatile: true}}\n")
	b.WriteString("prompts:\n  agent:\n    join: \"\\n\"\n    sections:\n")
	for _, id := range order {
		text := strings.Repeat(id[:1], 399)
		if id == "clock" {
			text = "{{now}}"
		}
		fmt.Fprintf(&b, "      - {id: %s, expand: true, text: %q}\n", id, text)
	}
	return map[string]string{"prompts.yaml": b.String()}
}

// cacheLines gives the edits of stable prefixes alone.
func cacheLines(d *review.Difference) []string {
	var out []string
	told := false
	for _, line := range editLines(d) {
		if !strings.HasPrefix(line, " ") {
			told = strings.HasPrefix(line, "cache-")
		}
		if told {
			out = append(out, line)
		}
	}
	return out
}

func TestTheStablePrefixEndsWhereItChanges(t *testing.T) {
	plain := func(order ...string) map[string]string {
		files := clocked(order...)
		files["prompts.yaml"] = strings.Replace(files["prompts.yaml"], ", volatile: true", "", 1)
		return files
	}
	longer := clocked("clock", "a", "b")
	longer["prompts.yaml"] = strings.Replace(longer["prompts.yaml"], "aaa", "aaa, and more", 1)
	tests := []struct {
		name       string
		base, head map[string]string
		want       []string
	}{
		{name: "the clock from first to last", base: clocked("clock", "a", "b"), head: clocked("a", "b", "clock"), want: []string{
			`cache-changed "slot now of clock" → "slot now of clock" at prompts.yaml:10`, "  agent 1: all, -200 tokens",
		}},
		{name: "and back", base: clocked("a", "b", "clock"), head: clocked("clock", "a", "b"), want: []string{
			`cache-changed "slot now of clock" → "slot now of clock" shorter at prompts.yaml:8`, "  agent 1: all, +200 tokens",
		}},
		{name: "a step forward", base: clocked("a", "b", "clock"), head: clocked("a", "clock", "b"), want: []string{
			`cache-changed "slot now of clock" → "slot now of clock" shorter at prompts.yaml:9`, "  agent 1: all, +100 tokens",
		}},
		{name: "a text grew", base: clocked("clock", "a", "b"), head: longer},
		{name: "a new section, whole or behind it", base: clocked("a", "clock"), head: clocked("a", "b", "clock", "c")},
		{name: "what stays the same in another order", base: clocked("a", "b", "clock"), head: clocked("b", "a", "clock")},
		{name: "a clock that came", base: clocked("a", "b"), head: clocked("clock", "a", "b"), want: []string{
			`cache-changed "" → "slot now of clock" shorter at prompts.yaml:8`, "  agent 1: all, +202 tokens",
		}},
		{name: "a clock that went", base: clocked("a", "clock", "b"), head: clocked("a", "b"), want: []string{
			`cache-changed "slot now of clock" → "" at prompts.yaml:9 of the base`, "  agent 1: all, -102 tokens",
		}},
		{name: "a slot that changes now", base: plain("a", "clock", "b"), head: clocked("a", "clock", "b"), want: []string{
			`cache-changed "" → "slot now of clock" shorter at prompts.yaml:9`, "  agent 1: all, +102 tokens",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := toolStates(t, tt.base, tt.head)
			if diff := cmp.Diff(tt.want, cacheLines(d)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTiersLeaveTheStablePrefix: what changes in the system text takes all tiers
// of a conversation with it.
func TestTiersLeaveTheStablePrefix(t *testing.T) {
	base := ownFiles(t)
	head := withEdit(t, base, "prompts.yaml", "- {id: system-extra, source: system-extra}", "- {id: system-extra, source: system-extra, volatile: true}")
	d, _ := toolStates(t, base, head)
	got := cacheLines(d)
	if len(got) != 2 || !strings.Contains(got[0], `cache-changed "the prompt" → "section system-extra" shorter at prompts.yaml:`) ||
		!strings.HasPrefix(got[1], "  coder 12: all, +") {
		t.Errorf("edits:\n%s", strings.Join(got, "\n"))
	}
	d, _ = toolStates(t, head, base)
	got = cacheLines(d)
	if len(got) != 2 || !strings.Contains(got[0], `cache-changed "section system-extra" → "the prompt" at prompts.yaml:`) ||
		!strings.HasPrefix(got[1], "  coder 12: all, -") {
		t.Errorf("edits:\n%s", strings.Join(got, "\n"))
	}
}

// TestEditsAreClassedAsAnAgentIsTold goes through the events, on this
// repository's own prompts.
func TestEditsAreClassedAsAnAgentIsTold(t *testing.T) {
	skipIfShort(t)
	base := ownFiles(t)
	tests := []struct {
		name, path, from, to string
		want                 map[review.EditKind]review.Event
	}{
		{
			"a text of everybody", "sources/persona/SOUL.md", "### What you protect", "### What you guard",
			map[review.EditKind]review.Event{review.TextChanged: review.PromptUpdated},
		},
		{
			"a template of a mode", "sources/modes/templates/planning/tier2.txt", "\n", "\nLook twice.\n",
			map[review.EditKind]review.Event{review.TextChanged: review.ModeChanged},
		},
		{
			"a skill", "sources/persona/skills/commit/SKILL.md", "description: ", "description: Really. ",
			map[review.EditKind]review.Event{review.TextChanged: review.SkillsUpdated},
		},
		{
			"a budget", "prompts.yaml", "budget: {tokens: 700, warn_at: 90%}", "budget: {tokens: 710, warn_at: 90%}",
			map[review.EditKind]review.Event{review.BudgetChanged: ""},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			head := maps.Clone(base)
			if !strings.Contains(head[tt.path], tt.from) {
				t.Fatalf("%s lacks %q", tt.path, tt.from)
			}
			head[tt.path] = strings.Replace(head[tt.path], tt.from, tt.to, 1)
			d, _ := toolStates(t, base, head)
			got := map[review.EditKind]review.Event{}
			for _, e := range d.Edits {
				got[e.Kind] = e.Event
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s\n%s", diff, strings.Join(editLines(d), "\n"))
			}
		})
	}
}

func TestValuesOfTheAxisModeAreAnEventOfTheirOwn(t *testing.T) {
	files := func(axes string) map[string]string {
		return map[string]string{"prompts.yaml": "version: 1\nprompts: {agent: {axes: {" + axes + "}, sections: [{id: a, text: A.}]}}\n"}
	}
	for _, tt := range []struct {
		base, head string
		want       review.Event
	}{
		{"mode: [a, b], tier: [1, 2]", "mode: [a, b, c], tier: [1, 2]", review.ModeChanged},
		{"mode: [a, b], tier: [1, 2]", "mode: [a], tier: [1, 2]", review.ModeChanged},
		{"mode: [a, b], tier: [1, 2]", "mode: [a, b], tier: [1, 2, 3]", review.PromptUpdated},
	} {
		d, _ := toolStates(t, files(tt.base), files(tt.head))
		if len(d.Edits) != 1 || d.Edits[0].Event != tt.want {
			t.Errorf("%s → %s: %v", tt.base, tt.head, editLines(d))
		}
	}
}

func TestEntriesOfRegistriesAreClassedBySourceAndSelection(t *testing.T) {
	files := func(content, selects string) map[string]string {
		return map[string]string{
			"prompts.yaml": `version: 1
sources: {all: {kind: registry, path: "all.yaml"}}
prompts: {agent: {sections: [{id: intro, text: Work.}, {id: entries, source: all, select: {` + selects + `}}]}}
`,
			"all.yaml": `- {id: plain, name: Plain, description: A., tags: [x], source: static, content: "Be plain."}
- {id: near, name: Near, description: A., tags: [x], source: mcp, serverName: hub, content: "` + content + `"}
`,
		}
	}
	for _, tt := range []struct {
		selects, from, to string
		want              review.Event
	}{
		{"tags: [x]", "Be plain.", "Be very plain.", review.SkillsUpdated},
		{"ids: [plain, near]", "Be plain.", "Be very plain.", review.PromptUpdated},
		{"ids: [plain, near], tags: [x]", "Be plain.", "Be very plain.", review.SkillsUpdated},
		{"tags: [x]", "Be near.", "Be very near.", review.MCPUpdated},
		{"ids: [plain, near]", "Be near.", "Be very near.", review.MCPUpdated},
	} {
		base := files("Be near.", tt.selects)
		d, _ := toolStates(t, base, withEdit(t, base, "all.yaml", tt.from, tt.to))
		if len(d.Edits) != 1 || d.Edits[0].Event != tt.want {
			t.Errorf("%s, %s: want %s, got\n%s", tt.selects, tt.to, tt.want, strings.Join(editLines(d), "\n"))
			for _, e := range d.Edits {
				t.Logf("%s is %q", e.Kind, e.Event)
			}
		}
	}
}

package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// The four systems of the conformance document, as this repository's own prompts
// say them: what is in, in which order, how long it may be.

// saidBy gives the ids of the sections of a variant, in the order in which they
// are emitted.
func saidBy(a *assembly.Artifact) []string {
	var out []string
	for _, p := range a.Parts {
		if p.Section >= 0 {
			out = append(out, a.Build.Prompt.Sections[p.Section].ID.Str)
		}
	}
	return out
}

// variants gives the artifacts of a prompt by the part of the name behind it.
func variants(r *prompt.Result, id string) map[string]*assembly.Artifact {
	out := map[string]*assembly.Artifact{}
	for _, a := range r.Artifacts {
		if a.Build.Prompt.ID.Str == id {
			out[strings.TrimPrefix(strings.TrimPrefix(a.Variant.Name, id), "/")] = a
		}
	}
	return out
}

func TestPersonaSaysItsPartsInOrder(t *testing.T) {
	r := compile(t, testproject.Ourselves(t))
	persona := variants(r, "persona")
	if len(persona) != 5 {
		t.Errorf("%d variants, want 5", len(persona))
	}
	use := strings.Fields("use-exec use-files use-write use-search use-web use-browser use-memory use-schedule")
	for _, tc := range []struct {
		variant, before, after string
		uses                   []string
		least, most            int
	}{
		{"entry=full,tools=native", "intro identity soul user project-context runtime skills workspace memory-hint tools guidelines", "use-output silent-replies session-notes", use, 1750, 2500},
		{"entry=full,tools=fallback", "intro identity soul user project-context runtime skills workspace memory-hint tools guidelines", "use-output silent-replies session-notes", use[:2], 1750, 2500},
		{"entry=simple,tools=native", "intro project-context memory-hint tools guidelines", "use-output silent-replies", use, 900, 1600},
		{"entry=simple,tools=fallback", "intro project-context memory-hint tools guidelines", "use-output silent-replies", use[:2], 900, 1600},
		{"entry=minimal,tools=none", "intro guidelines", "", nil, 0, 100},
	} {
		a := persona[tc.variant]
		if a == nil {
			t.Fatalf("there is no %s", tc.variant)
		}
		want := slices.Concat(strings.Fields(tc.before), tc.uses, strings.Fields(tc.after))
		if diff := cmp.Diff(want, saidBy(a)); diff != "" {
			t.Errorf("%s: %s", tc.variant, diff)
		}
		if a.Tokens < tc.least || a.Tokens > tc.most {
			t.Errorf("%s has %d tokens, want %d to %d", tc.variant, a.Tokens, tc.least, tc.most)
		}
	}
	for id, size := range map[string][2]int{"persona-core": {350, 700}, "persona-large": {3000, 3750}} {
		if a := variants(r, id)[""]; a.Tokens < size[0] || a.Tokens > size[1] {
			t.Errorf("%s has %d tokens, want %d to %d", id, a.Tokens, size[0], size[1])
		}
	}
}

// TestContributorsCompeteAsDeclared holds the table of the contributors: phase,
// priority, and a star for sticky.
func TestContributorsCompeteAsDeclared(t *testing.T) {
	r := compile(t, testproject.Ourselves(t))
	const want = `identity constraint 100*
contract constraint 99*
clock constraint 95*
runtime constraint 94*
user-memory constraint 88*
footprint constraint 85*
preferences constraint 70
task task 80
session-files memory 78
project-memory memory 75
agent-memory memory 70
memory memory 60
workspace memory 50
episodic memory 40
tool-guidance tools 90*
recent-turns history 30
request user 100*
`
	budgets := map[string]int{"16k": 16_384, "4k": 4_096, "1k": 1_024}
	declared := map[string]bool{} // in any variant
	for name, a := range variants(r, "contributors") {
		for i, s := range a.Build.Prompt.Sections {
			if a.Variant.Uses[i].Unit < 0 {
				continue // the variant does not have it
			}
			place := a.Variant.Uses[i].Place
			phase, star := a.Variant.Layout.Order[place.Phase], ""
			if place.Sticky {
				star = "*"
			}
			declared[fmt.Sprintf("%s %s %g%s", s.ID.Str, phase, place.Priority, star)] = true
			weight := 1.0
			if s.ID.Str == "session-files" && strings.Contains(name, "session=long") {
				weight = 1.2
			}
			if place.Weight != weight {
				t.Errorf("%s: %s weighs %g, want %g", name, s.ID.Str, place.Weight, weight)
			}
		}
		_, window, _ := strings.Cut(name, "window=")
		if l := a.Variant.Layout; a.Variant.Budget.Tokens != budgets[window] || l.StickyFirst || l.Stop {
			t.Errorf("%s: budget %d, layout %+v", name, a.Variant.Budget.Tokens, l)
		}
	}
	all := strings.Split(strings.TrimSpace(want), "\n")
	slices.Sort(all)
	if diff := cmp.Diff(all, slices.Sorted(maps.Keys(declared))); diff != "" {
		t.Error(diff)
	}
}

// TestNothingIsShortenedWhileThereIsRoom: where a section stands on a lower rung,
// or is dropped, the next fuller one did not fit.
func TestNothingIsShortenedWhileThereIsRoom(t *testing.T) {
	for name, a := range variants(compile(t, testproject.Ourselves(t)), "contributors") {
		for _, ch := range a.Choices {
			id := a.Build.Prompt.Sections[ch.Section].ID.Str
			if len(ch.Steps) > len(ch.Tried) || !ch.Kept && len(ch.Tried) == 0 {
				t.Errorf("%s: %s is on rung %d, and nothing says why", name, id, len(ch.Steps))
			}
			for _, x := range ch.Tried {
				if x.Over <= 0 {
					t.Errorf("%s: rung %d of %s fits, and was not taken", name, x.Step, id)
				}
			}
			if strings.HasSuffix(name, "16k") && (len(ch.Tried) > 0 || !ch.Kept) {
				t.Errorf("%s: %s is not at its fullest", name, id)
			}
		}
	}
}

func TestModesSayTheirPartsInOrder(t *testing.T) {
	modes := variants(compile(t, testproject.Ourselves(t)), "modes")
	budgets := []int{200, 500, 1000, 1500, 1500}
	contexts := []int{4096, 8192, 16384, 32768, 0}
	for _, mode := range []string{"", "developer", "planning", "debugger", "user"} {
		for tier := 1; tier <= 5; tier++ {
			for extra := range 4 {
				goal, mcp := extra&1 > 0, extra&2 > 0
				if (goal || mcp) && mode != "developer" {
					continue
				}
				name, want, budget := fmt.Sprintf("tier=%d", tier), []string{"template", "mandates"}, budgets[tier-1]
				if mode != "" {
					name = "mode=" + mode + "," + name
				}
				if goal {
					name, want, budget = name+",goal=active", append(want, "goal", "goal-markers"), budget+300
				}
				if mcp {
					name, want, budget = name+",mcp=on", append(want, "mcp-prompts"), budget+200
				}
				if tier > 1 {
					want = append(want, "skills")
				}
				a := modes[name]
				if a == nil {
					t.Fatalf("there is no %s", name)
				}
				if diff := cmp.Diff(append(want, "sanity", "instructions"), saidBy(a)); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				if a.Variant.Budget.Tokens != budget || a.Variant.Context != contexts[tier-1] {
					t.Errorf("%s: budget %d of a context of %d", name, a.Variant.Budget.Tokens, a.Variant.Context)
				}
			}
		}
	}
}

// TestCoderSaysWhatTheSeedNames holds what the files of the coder have to say.
func TestCoderSaysWhatTheSeedNames(t *testing.T) {
	fsys := testproject.Ourselves(t)
	for file, wants := range map[string][]string{
		"sources/coder/system.md": {
			"expert coding agent", "## How you work", "Search the map", "Trace what depends", "Ask for the files", "## The symbol map",
			"## Edit blocks", "## When an edit did not apply", "## What you may rely on",
		},
		"sources/coder/system_reminder.md": {"Close every block", "Copy the present lines exactly", "occur once", "Keep blocks small", "No placeholders"},
		"sources/coder/commit.md": {
			"expert software engineer", "a type (`feat`, `fix`", "imperative", "at most 50 characters", "72 characters", "the message alone",
		},
		"sources/coder/fixtures/first-turn.yaml": {"Path aliases: @l/ is linkwatch/", "<-i @l/cli.py"},
		"sources/coder/fixtures/long-chat.yaml":  {"Path aliases: @l/ is linkwatch/", "<-i @l/cli.py"},
		"sources/coder/fixtures/review.yaml":     {"Path aliases: @l/ is linkwatch/", "<-i @l/cli.py"},
	} {
		for _, want := range wants {
			if !strings.Contains(string(fsys[file].Data), want) {
				t.Errorf("%s does not say %q", file, want)
			}
		}
	}
	if n := len(variants(compile(t, fsys), "coder")); n < 12 {
		t.Errorf("coder has %d variants, want 12", n)
	}
}

package pipeline_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// edited gives this repository with one passage of a file replaced.
func edited(t *testing.T, name, old, with string) fstest.MapFS {
	t.Helper()
	fsys := testproject.Ourselves(t)
	text := string(fsys[name].Data)
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%s holds %q %d times", name, old, n)
	}
	fsys[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, with, 1))}
	return fsys
}

func findings(r *prompt.Result, code diag.Code) []string {
	var out []string
	for _, d := range r.Findings {
		if d.Code == code {
			out = append(out, wording.Message(d))
		}
	}
	return out
}

// TestABudgetBelowTheCountIsFound lowers the budget of every tier to one
// token less than its largest variant uses.
func TestABudgetBelowTheCountIsFound(t *testing.T) {
	skipIfShort(t)
	r := compile(t, testproject.Ourselves(t))
	for tier, budget := range []int{200, 500, 1000} {
		name, use := "", 0
		for _, a := range r.Artifacts {
			if a.Build.Prompt.ID.Str == "modes" && a.Variant.Budget.Tokens == budget && strings.Contains(a.Variant.Name, fmt.Sprintf("tier=%d", tier+1)) && a.Use > use {
				name, use = a.Variant.Name, a.Use
			}
		}
		low := compile(t, edited(t, "prompts.yaml",
			fmt.Sprintf("{when: {tier: %d}, value: %d}", tier+1, budget), fmt.Sprintf("{when: {tier: %d}, value: %d}", tier+1, use-1)))
		want := fmt.Sprintf("%q is %d tokens, over its budget of %d by 1", name, use, use-1)
		found := strings.Join(findings(low, diag.OverTokens), "\n")
		if !strings.Contains(found, want) {
			t.Errorf("tier %d: want %q among\n%s", tier+1, want, found)
		}
		for _, a := range low.Artifacts {
			if a.Variant.Name == name && a.Use != use {
				t.Errorf("%s is composed otherwise when it is over budget", name)
			}
		}
	}
}

func TestEveryModeIsWithinItsTier(t *testing.T) {
	r := compile(t, testproject.Ourselves(t))
	n := 0
	for _, a := range r.Artifacts {
		if a.Build.Prompt.ID.Str != "modes" {
			continue
		}
		n++
		if a.Use > a.Variant.Budget.Tokens {
			t.Errorf("%s uses %d tokens of %d", a.Variant.Name, a.Use, a.Variant.Budget.Tokens)
		}
	}
	if n != 40 {
		t.Errorf("modes has %d variants, want 40", n)
	}
}

// TestARemovedTemplateIsReported holds that the fallback is one note, and in
// the outline.
func TestARemovedTemplateIsReported(t *testing.T) {
	fsys := testproject.Ourselves(t)
	delete(fsys, "sources/modes/templates/planning/tier4.txt")
	r := compile(t, fsys)
	if n := len(findings(r, diag.FallbackUsed)); n != 1 {
		t.Errorf("%d notes of a fallback, want 1: %v", n, r.Findings)
	}
	for _, o := range r.Delta.Wanted {
		if o.Path == "snapshots/modes/outline.txt" && !strings.Contains(o.Content(), "(fallback)") {
			t.Errorf("the outline says nothing of the fallback:\n%s", o.Content())
		}
	}
}

// TestAUsersTemplateCountsAtOnce: the mode `user` says what `assistant` says of
// the tier until it has a file of its own.
func TestAUsersTemplateCountsAtOnce(t *testing.T) {
	skipIfShort(t)
	fsys := testproject.Ourselves(t)
	text := func(name string) string {
		for _, a := range compile(t, fsys).Artifacts {
			if a.Variant.Name == name {
				return a.Text()
			}
		}
		t.Fatalf("there is no %s", name)
		return ""
	}
	if text("modes/mode=user,tier=3") != text("modes/tier=3") {
		t.Error("without templates of its own, user does not say what assistant says")
	}
	fsys["sources/modes/templates/user/tier3.txt"] = &fstest.MapFile{Data: []byte("You are mine.\n")}
	if !strings.HasPrefix(text("modes/mode=user,tier=3"), "You are mine.\n\n# Core Mandates\n") {
		t.Error("a template of the user's does not count")
	}
	if text("modes/mode=user,tier=4") != text("modes/tier=4") {
		t.Error("a template of the user's counts in another tier")
	}
	delete(fsys, "sources/modes/templates/assistant/tier2.txt")
	delete(fsys, "sources/modes/templates/developer/tier4.txt")
	for _, name := range []string{"modes/mode=user,tier=2", "modes/tier=2", "modes/mode=developer,tier=4"} {
		if !strings.HasPrefix(text(name), string(fsys["sources/modes/templates/developer/tier3.txt"].Data[:40])) {
			t.Errorf("developer's third tier is not the last resort of %s", name)
		}
	}
}

// TestContributorsAreNineAndReallyDrop holds that the small windows of this
// repository's own prompt drop sections and step others down, and that the
// budget that is named brings each of them back.
func TestContributorsAreNineAndReallyDrop(t *testing.T) {
	skipIfShort(t)
	r := compile(t, testproject.Ourselves(t))
	n, dropped, stepped := 0, 0, 0
	for _, a := range r.Artifacts {
		if a.Build.Prompt.ID.Str != "contributors" {
			continue
		}
		n++
		windows := pipeline.Windows(r, a)
		for _, ch := range a.Choices {
			if len(ch.Steps) > 0 {
				stepped++
			}
			if ch.Kept {
				continue
			}
			if id := a.Build.Prompt.Sections[ch.Section].ID.Str; id == "task" {
				t.Errorf("%s drops the task", a.Variant.Name)
			}
			dropped++
			for _, other := range pipeline.WithBudget(r, a, windows[ch.Section]).Choices {
				if other.Section == ch.Section && !other.Kept {
					t.Errorf("%s: a budget of %d does not bring section %d back", a.Variant.Name, windows[ch.Section], ch.Section)
				}
			}
		}
	}
	if n != 9 || dropped < 5 || stepped < 5 {
		t.Errorf("%d variants, %d dropped, %d stepped down", n, dropped, stepped)
	}
}

package output_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// competing is the first variant of persona as the layout `phases` composes
// it: soul stepped down, skills and memory found no place.
func competing() (*persona, *assembly.Artifact) {
	p := newPersona()
	a := p.result.Artifacts[0]
	a.Variant.Layout.On = true
	a.Parts[2].Rendering.Unit.Step = "short"
	a.Out = []assembly.Omission{{Section: 2, Reason: assembly.OutBudget}, {Section: 3, Reason: assembly.OutBudget}}
	a.Choices = []assembly.Choice{
		{Section: 0, Phase: "constraint", Score: 100, Sticky: true, Kept: true, Tokens: 1, Left: -1},
		{Section: 2, Phase: "memory", Score: 78 * 1.2, Tokens: 1412, Left: 6, CharsLeft: -1},
		{Section: 3, Phase: "memory", Score: 0.5, Tokens: 9, Left: 6, CharsLeft: -1, Steps: []string{"compact", "names"}},
		{Section: 1, Phase: "tools", Score: 1e6, Sticky: true, Kept: true, Tokens: 13, Left: -1, Steps: []string{"short"}},
	}
	return p, a
}

func (p *persona) explainWith(t *testing.T, a *assembly.Artifact, with ledger.With) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return ledger.Explain(w, p.result, a, with, words.Options{}) })
}

func TestExplainNamesWhatWasDropped(t *testing.T) {
	p, a := competing()
	got := p.explainWith(t, a, ledger.With{Windows: map[int]int{2: 1426, 3: 23}})
	equal(t, got, `persona/entry=full,tools=native                  14 of 20 tokens (70 %), o200k_base

section      phase                 score  tokens  share  total  from
intro        constraint, sticky      100       1    7 %      1  prompts.yaml:5
soul~short   tools, sticky       1000000      13   93 %     14  sources/persona/SOUL.md:11-12
dropped      skills  memory, score 93.6, 1,412 tokens, 6 left, back at 1,426
dropped      memory  memory, score 0.5, 9 tokens, 6 left, back at 23
steps        memory  no step fits
steps        soul  stepped down to short
headroom     6 tokens
`)
}

func TestExplainNamesEveryStepOfASequence(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	unit := a.Parts[2].Rendering.Unit
	unit.Step, unit.Index = "names", 7
	a.Variant.Uses = []assembly.Use{{}, {Steps: []assembly.StepUse{{Label: "compact", Unit: 6}, {Label: "names", Unit: 7}, {Label: "none", Unit: 8}}}}
	if got := p.explain(t, 0); !strings.Contains(got, "\nsteps        soul  stepped down to compact, then names\n") {
		t.Error(got)
	}
}

func TestExplainSaysWhatIf(t *testing.T) {
	p, a := competing()
	a.Variant.Budget.Tokens, a.Variant.Context = 8192, 16384
	head, _, _ := strings.Cut(p.explainWith(t, a, ledger.With{Budget: 8192}), "\n")
	equal(t, head, `persona/entry=full,tools=native                  14 of 8,192 tokens (0 %), 0.1 % of a 16,384 context, o200k_base (what if: budget 8,192)`)
}

func TestExplainSaysWhatHasToShrink(t *testing.T) {
	p, a := competing()
	a.Variant.Budget = language.Limits{Tokens: 10, Chars: 80, ToolTokens: -1}
	for i := range a.Choices {
		a.Choices[i].Left = min(0, a.Choices[i].Left)
	}
	got := p.explainWith(t, a, ledger.With{})
	for _, want := range []string{
		"dropped      skills  memory, score 93.6, 1,412 tokens, 0 left\n",
		"headroom     none: over by 4 tokens, none: over by 7 characters\n",
		"shrink       the sticky sections by 4 tokens and 7 characters: soul 13, intro 1\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestExplainShowsTheNoticeAndTheGoal(t *testing.T) {
	p, a := competing()
	end := a.Parts[len(a.Parts)-1]
	a.Parts = append(a.Parts[:len(a.Parts)-1],
		assembly.Part{Section: -1, Text: "\n\n", Start: end.Start, Total: 14},
		assembly.Part{Section: -1, Text: "Left out: skills.", Start: end.Start + 2, Total: 17},
		assembly.Part{Section: -1, Text: "\n", Start: end.Start + 19, Total: 17})
	a.Notice, a.Tokens, a.Use = true, 17, 17
	a.Parts[0].Rendering.Progress = &language.Progress{Completed: 1, Total: 3}
	got := p.explainWith(t, a, ledger.With{})
	for _, want := range []string{
		"\n(notice)                                          3   18 %     17\n",
		"\nintro progress  1 of 3 (33 %)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "100 %") {
		t.Errorf("the notice is charged to a section:\n%s", got)
	}
}

func TestExplainJSONHasTheFigures(t *testing.T) {
	p, a := competing()
	a.Variant.Budget.Tokens = 10
	a.Parts[0].Rendering.Progress = &language.Progress{Total: 2}
	with := ledger.With{Windows: map[int]int{2: 1426}, Budget: 10}
	got := written(t, func(w *strings.Builder) error { return ledger.JSON(w, p.result, a, with, words.Options{}) })
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"choices": `[
			{"section": "intro", "phase": "constraint", "score": 100, "sticky": true, "kept": true, "tokens": 1, "steps": []},
			{"section": "skills", "phase": "memory", "score": 93.6, "sticky": false, "kept": false, "tokens": 1412, "left": 6, "steps": [], "window": 1426},
			{"section": "memory", "phase": "memory", "score": 0.5, "sticky": false, "kept": false, "tokens": 9, "left": 6, "steps": ["compact", "names"]},
			{"section": "soul", "phase": "tools", "score": 1000000, "sticky": true, "kept": true, "tokens": 13, "steps": ["short"]}
		]`,
		"shrink":  `{"tokens": 4, "characters": 0, "sections": [{"id": "soul", "tokens": 13}, {"id": "intro", "tokens": 1}]}`,
		"what_if": `{"budget": 10}`,
	} {
		if diff := cmp.Diff(value(t, want), value(t, string(doc[key]))); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
	if !strings.Contains(got, `"progress": {
        "completed": 0,
        "total": 2
      }`) {
		t.Error(got)
	}
}

func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err, text)
	}
	return v
}

func TestOverStickyIsABudget(t *testing.T) {
	r := &prompt.Result{Findings: diag.List{diag.New(diag.OverSticky, diag.Span{}, "names", "over")}}
	if got := run.Judge(r, run.Outcome{}, words.Options{}); got != finding.Budget {
		t.Error(got)
	}
}

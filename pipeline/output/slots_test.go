package output_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// slotted is competing with slots in a kept and in a dropped section, and a
// budget in characters that one of the dropped exceeded.
func slotted() (*persona, *assembly.Artifact) {
	p, a := competing()
	a.Parts[0].Rendering.Slots = []assembly.SlotAt{{Slot: &language.Slot{Name: word("clock"), MaxTokens: 4}}}
	a.Choices[0].Slots, a.Choices[1].Slots = 4, 6
	a.Choices[0].Tokens += 4
	a.Choices[1].CharsLeft = -1
	a.Choices[2].Chars, a.Choices[2].CharsLeft = 1200, 40
	a.Use += 4
	a.Variant.Budget.Chars = 100
	return p, a
}

func TestExplainKeepsSlotsApartFromTheText(t *testing.T) {
	p, a := slotted()
	got := p.explainWith(t, a, ledger.With{})
	equal(t, got, `persona/entry=full,tools=native                  18 of 20 tokens (90 %; text 14, slots 4), 87 of 100 characters (87 %), o200k_base

section      phase                 score  tokens  slots  share  total  from
intro        constraint, sticky      100       1     +4    7 %      1  prompts.yaml:5
soul~short   tools, sticky       1000000      13          93 %     14  sources/persona/SOUL.md:11-12
dropped      skills  memory, score 93.6, 1,406 tokens, +6 for slots, 6 left
dropped      memory  memory, score 0.5, 9 tokens, 6 left, 1,200 characters, 40 left
steps        memory  no step fits
steps        soul  stepped down to short
slot         clock  up to 4 tokens
headroom     2 tokens, 13 characters
`)
}

func TestExplainNamesWhatWasBehindTheStop(t *testing.T) {
	p, a := slotted()
	a.Choices[2].Ended = true
	got := p.explainWith(t, a, ledger.With{Windows: map[int]int{2: 1426, 3: 23}})
	for _, want := range []string{
		"dropped      skills  memory, score 93.6, 1,406 tokens, +6 for slots, 6 left, back at 1,426\n",
		"dropped      memory  memory, score 0.5, 9 tokens, behind the stop, back at 23\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestExplainJSONKeepsSlotsApartFromTheText(t *testing.T) {
	p, a := slotted()
	a.Choices[2].Ended = true
	a.Variant.Budget.Tokens = 10
	got := written(t, func(w *strings.Builder) error {
		return ledger.JSON(w, p.result, a, ledger.With{}, words.Options{})
	})
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"choices": `[
			{"section": "intro", "phase": "constraint", "score": 100, "sticky": true, "kept": true, "tokens": 1, "slot_tokens": 4, "steps": []},
			{"section": "skills", "phase": "memory", "score": 93.6, "sticky": false, "kept": false, "tokens": 1406, "slot_tokens": 6, "left": 6, "steps": []},
			{"section": "memory", "phase": "memory", "score": 0.5, "sticky": false, "kept": false, "tokens": 9, "left": 6, "chars": 1200, "chars_left": 40, "ended": true, "steps": ["compact", "names"]},
			{"section": "soul", "phase": "tools", "score": 1000000, "sticky": true, "kept": true, "tokens": 13, "steps": ["short"]}
		]`,
		"shrink": `{"tokens": 8, "characters": 0, "sections": [{"id": "soul", "tokens": 13}, {"id": "intro", "tokens": 1, "slot_tokens": 4}]}`,
		"steps":  `[{"section": "memory", "steps": ["compact", "names"]}, {"section": "soul", "steps": ["short"]}]`,
	} {
		if diff := cmp.Diff(value(t, want), value(t, string(doc[key]))); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
	if !strings.Contains(got, "\"tokens\": 1,\n      \"slot_tokens\": 4,\n      \"total\": 1,") {
		t.Error(got)
	}
}

// Only what always stays has to shrink; tools without a text take no room.
func TestOnlyStickySectionsHaveToShrink(t *testing.T) {
	p, a := slotted()
	a.Variant.Budget.Tokens = 10
	a.Choices[1] = assembly.Choice{Section: 2, Kept: true, Tokens: 7}
	a.Choices[2] = assembly.Choice{Section: 3, Kept: true, Sticky: true, Steps: []string{"compact", "names"}}
	if got, want := p.explainWith(t, a, ledger.With{}), "\nshrink       the sticky sections by 8 tokens: soul 13, intro 1 (+4 for slots)\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
	for i := range a.Choices {
		a.Choices[i].Sticky = false
	}
	if got := p.explainWith(t, a, ledger.With{}); strings.Contains(got, "shrink") {
		t.Error(got)
	}
}

func TestExplainNamesTheStepsOfSectionsWithoutText(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	tools := &assembly.Rendering{Unit: &assembly.Unit{Index: 8, Step: "schemas"}, Tools: []*language.Tool{{Name: "exec"}}}
	a.Used = []*assembly.Rendering{a.Parts[0].Rendering, a.Parts[2].Rendering, tools, nil}
	a.Variant.Order = []int{2, 0, 1, 3}
	a.Variant.Uses = []assembly.Use{{}, {}, {Steps: []assembly.StepUse{{Label: "declare", Unit: 7}, {Label: "schemas", Unit: 8}}}, {}}
	if got := p.explain(t, 0); !strings.Contains(got, "\nsteps        skills  stepped down to declare, then schemas\n") {
		t.Error(got)
	}
}

package compose_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/promptc-build/promptc/pipeline/compose"
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// contest is a random prompt under the layout `phases`.
type contest struct {
	sections []section
	places   []prompt.PhasePlace
	rules    prompt.PhaseRules
}

func randomContest(random *rand.Rand) contest {
	c := contest{rules: prompt.PhaseRules{
		On: true, Order: prompt.Phases(), StickyFirst: random.IntN(2) == 0, Stop: random.IntN(2) == 0, Notice: random.IntN(3) == 0,
	}}
	for i := range 1 + random.IntN(9) {
		s := section{id: fmt.Sprintf("s%d", i)}
		size := 1 + random.IntN(120)
		for range 1 + random.IntN(3) {
			s.texts = append(s.texts, text(size))
			size = 1 + size/3
		}
		if random.IntN(8) == 0 {
			s.texts = []string{""} // nothing to say
		}
		c.sections = append(c.sections, s)
		c.places = append(c.places, prompt.PhasePlace{
			Phase: random.IntN(len(c.rules.Order)), Priority: float64(random.IntN(4)), Weight: 1, Sticky: random.IntN(4) == 0,
		})
	}
	return c
}

// compose gives the contest's outcome under a budget.
func (c contest) compose(t *testing.T, budget int) (*prompt.Artifact, diag.List) {
	t.Helper()
	p, renderings := plan(limit(budget), c.sections...)
	v := p.Builds[0].Variants[0]
	v.Layout = c.rules
	for i := range v.Uses {
		v.Uses[i].Place = c.places[i]
	}
	artifacts, found := compose.Run(p, renderings, counters(t))
	return artifacts[0], found
}

func kept(a *prompt.Artifact) map[int]bool {
	out := map[int]bool{}
	for _, ch := range a.Choices {
		out[ch.Section] = ch.Kept
	}
	return out
}

func TestPhasesHoldWhatTheyPromise(t *testing.T) {
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 11))
		c := randomContest(random)
		whole, _ := c.compose(t, -1)
		for range 6 {
			budget := random.IntN(whole.Use + 20)
			a, found := c.compose(t, budget)
			c.mustHold(t, fmt.Sprintf("seed %d, budget %d", seed, budget), a, found, budget, whole)
			larger, _ := c.compose(t, budget+1+random.IntN(40))
			c.mustGrow(t, fmt.Sprintf("seed %d, budget %d", seed, budget), a, larger)
		}
	}
}

func (c contest) mustHold(t *testing.T, name string, a *prompt.Artifact, found diag.List, budget int, whole *prompt.Artifact) {
	t.Helper()
	emitted := a.Text()
	if count := counters(t)("").Count(emitted); count != a.Tokens {
		t.Errorf("%s: the ledger says %d tokens, the text has %d", name, a.Tokens, count)
	}
	stepped := false
	for _, ch := range a.Choices {
		if ch.Sticky && !ch.Kept {
			t.Errorf("%s: the sticky section %d is dropped", name, ch.Section)
		}
		stepped = stepped || len(ch.Steps) > 0
	}
	over := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.OverSticky })
	if (a.Use > budget) != over && len(a.Parts) > 0 {
		t.Errorf("%s: %d tokens, and an error says so: %v", name, a.Use, over)
	}
	if whole.Use <= budget && (stepped || emitted != whole.Text()) {
		t.Errorf("%s: the whole fits with %d tokens, but something stepped down or went", name, whole.Use)
	}
	c.mustBeOrdered(t, name, a)
}

// mustBeOrdered holds the emitted order: sections of one phase by score, and
// by id where scores are equal.
func (c contest) mustBeOrdered(t *testing.T, name string, a *prompt.Artifact) {
	t.Helper()
	var order []int
	for _, p := range a.Parts {
		if p.Section >= 0 {
			order = append(order, p.Section)
		}
	}
	for i := 1; i < len(order); i++ {
		x, y := c.places[order[i-1]], c.places[order[i]]
		if c.rules.StickyFirst && x.Sticky != y.Sticky {
			if y.Sticky {
				t.Errorf("%s: a sticky section stands behind another", name)
			}
			continue
		}
		idsInOrder := c.sections[order[i-1]].id < c.sections[order[i]].id
		switch {
		case x.Phase < y.Phase, x.Phase == y.Phase && x.Score() > y.Score():
		case x.Phase == y.Phase && x.Score() == y.Score() && idsInOrder:
		default:
			t.Errorf("%s: %s stands before %s", name, c.sections[order[i-1]].id, c.sections[order[i]].id)
		}
	}
}

// mustGrow holds that under `fill: stop` a larger budget keeps all that a
// smaller one kept. (A notice charges the smaller one more, never less.)
func (c contest) mustGrow(t *testing.T, name string, small, large *prompt.Artifact) {
	t.Helper()
	if !c.rules.Stop || c.rules.Notice {
		return
	}
	have := kept(large)
	for section, was := range kept(small) {
		if was && !have[section] {
			t.Errorf("%s: more budget drops section %d", name, section)
		}
	}
}

// TestWindowsBringSectionsBack holds that the budget that explain names for a
// dropped section has it, and that one token less has not.
func TestWindowsBringSectionsBack(t *testing.T) {
	named := 0
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 13))
		c := randomContest(random)
		whole, _ := c.compose(t, -1)
		p, renderings := plan(limit(random.IntN(whole.Use+1)), c.sections...)
		v := p.Builds[0].Variants[0]
		v.Layout = c.rules
		for i := range v.Uses {
			v.Uses[i].Place = c.places[i]
		}
		artifacts, _ := compose.Run(p, renderings, counters(t))
		for section, window := range compose.Windows(renderings, counters(t), artifacts[0]) {
			named++
			with, _ := c.compose(t, window)
			without, _ := c.compose(t, window-1)
			if !kept(with)[section] || kept(without)[section] {
				t.Errorf("seed %d: %d tokens are not what section %d needs", seed, window, section)
			}
		}
		for _, ch := range artifacts[0].Choices {
			if _, ok := compose.Windows(renderings, counters(t), artifacts[0])[ch.Section]; !ch.Kept && !ok {
				t.Errorf("seed %d: no window brings section %d back", seed, ch.Section)
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d windows were tried", named)
	}
}

func TestNoticeIsChargedAndNamesWhatIsDropped(t *testing.T) {
	c := contest{
		sections: []section{{id: "a", texts: []string{text(40)}}, {id: "b", texts: []string{text(400)}}, {id: "c", texts: []string{text(40)}}},
		places:   []prompt.PhasePlace{{Phase: 0, Priority: 3, Weight: 1}, {Phase: 1, Priority: 2, Weight: 1}, {Phase: 2, Priority: 1, Weight: 1}},
		rules:    prompt.PhaseRules{On: true, Order: prompt.Phases(), Notice: true},
	}
	a, _ := c.compose(t, 40)
	want := text(40) + "\n\n" + text(40) + "\n\n[Left out to fit: b]\n"
	if a.Text() != want || !a.Notice || a.Tokens > 40 {
		t.Errorf("emits %q, %d tokens", a.Text(), a.Tokens)
	}
	all, _ := c.compose(t, 400)
	if all.Notice {
		t.Error("a notice where nothing is dropped")
	}
}

// TestWhatStepsDownToNoTextIsNotDropped: schemas beside the text cost nothing
// of it, so a section that is nothing else stays.
func TestWhatStepsDownToNoTextIsNotDropped(t *testing.T) {
	tool := &prompt.Tool{Name: "t", Canonical: "{}\n"}
	c := contest{
		sections: []section{{id: "role", texts: []string{text(40)}}, {id: "tools", texts: []string{text(80), ""}, tools: []*prompt.Tool{tool}}},
		places:   []prompt.PhasePlace{{Phase: 0, Priority: 1, Weight: 1, Sticky: true}, {Phase: 3, Priority: 1, Weight: 1}},
		rules:    prompt.PhaseRules{On: true, Order: prompt.Phases()},
	}
	a, found := c.compose(t, 5)
	if len(a.Beside) != 1 || a.Text() != text(40)+"\n" {
		t.Errorf("%d tools beside %q", len(a.Beside), a.Text())
	}
	if len(found) != 1 || found[0].Code != diag.OverSticky {
		t.Errorf("findings: %v", found)
	}
}

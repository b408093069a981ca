package compose_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// contest is a random prompt under the layout `phases`.
type contest struct {
	sections []section
	places   []assembly.PhasePlace
	rules    assembly.PhaseRules
	// chars says that the budget is in characters.
	chars bool
}

func randomContest(random *rand.Rand) contest {
	c := contest{rules: assembly.PhaseRules{
		On: true, Order: assembly.Phases(), StickyFirst: random.IntN(2) == 0, Stop: random.IntN(2) == 0, Notice: random.IntN(3) == 0,
	}}
	for i := range 1 + random.IntN(9) {
		s := section{id: fmt.Sprintf("s%d", i)}
		size := 1 + random.IntN(120)
		for range 1 + random.IntN(3) {
			s.texts = append(s.texts, text(size))
			size = random.IntN(1 + size)
		}
		if random.IntN(8) == 0 {
			s.texts = []string{""} // nothing to say
		}
		if random.IntN(3) == 0 {
			join := text(random.IntN(20))
			s.join = &join
		}
		c.sections = append(c.sections, s)
		c.places = append(c.places, assembly.PhasePlace{
			Phase: random.IntN(len(c.rules.Order)), Priority: float64(random.IntN(4)), Weight: 1, Sticky: random.IntN(4) == 0,
		})
	}
	return c
}

// compose gives the contest's outcome under a budget.
func (c contest) compose(t *testing.T, budget int) (*assembly.Artifact, diag.List) {
	t.Helper()
	l := limit(budget)
	if c.chars {
		l.Tokens, l.Chars = -1, budget
	}
	p, renderings := plan(l, c.sections...)
	v := p.Builds[0].Variants[0]
	v.Layout = c.rules
	for i := range v.Uses {
		v.Uses[i].Place = c.places[i]
	}
	artifacts, found := compose.Run(p, renderings, counters(t))
	return artifacts[0], found
}

func kept(a *assembly.Artifact) map[int]bool {
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
		c.chars = random.IntN(4) == 0
		whole, _ := c.compose(t, -1)
		for range 6 {
			budget := random.IntN(c.use(whole) + 20)
			a, found := c.compose(t, budget)
			c.mustHold(t, fmt.Sprintf("seed %d, budget %d", seed, budget), a, found, budget, whole)
			larger, _ := c.compose(t, budget+1+random.IntN(40))
			c.mustGrow(t, fmt.Sprintf("seed %d, budget %d", seed, budget), a, larger)
		}
	}
}

func (c contest) mustHold(t *testing.T, name string, a *assembly.Artifact, found diag.List, budget int, whole *assembly.Artifact) {
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
	over := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.OverSticky || d.Code == diag.OverChars })
	if (c.use(a) > budget) != over && len(a.Parts) > 0 {
		t.Errorf("%s: %d of what is limited, and an error says so: %v", name, c.use(a), over)
	}
	if c.use(whole) <= budget && (stepped || emitted != whole.Text()) {
		t.Errorf("%s: the whole fits with %d, but something stepped down or went", name, c.use(whole))
	}
	c.mustBeOrdered(t, name, a)
	if emitted != c.plainly(budget) {
		t.Errorf("%s: emits\n%q, by its rules\n%q", name, emitted, c.plainly(budget))
	}
}

// standing is a section of a contest on a rung.
type standing struct{ section, step int }

// plainly meets a budget as the manual says it, by counting the whole text
// again at each trial, and gives the text.
func (c contest) plainly(budget int) string {
	var walk []int
	for i, s := range c.sections {
		if s.texts[0] != "" {
			walk = append(walk, i)
		}
	}
	slices.SortFunc(walk, func(i, j int) int {
		x, y := c.places[i], c.places[j]
		return cmp.Or(cmp.Compare(x.Phase, y.Phase), cmp.Compare(y.Score(), x.Score()), cmp.Compare(c.sections[i].id, c.sections[j].id))
	})
	var whole []standing
	for _, i := range walk {
		whole = append(whole, standing{i, 0})
	}
	if all := c.laid(whole, nil); c.size(all) <= budget {
		return all
	}
	sticky := c.steppedDown(walk, budget)
	if c.rules.Notice {
		if out := c.walked(walk, sticky, budget, true); c.size(out) <= budget {
			return out
		}
	}
	return c.walked(walk, sticky, budget, false)
}

func (c contest) size(text string) int {
	if c.chars {
		return len(text)
	}
	return (len(text) + 3) / 4
}

// use is what a text has of what the budget limits.
func (c contest) use(a *assembly.Artifact) int {
	if c.chars {
		return a.Chars
	}
	return a.Use
}

// steppedDown lets the sticky sections step down while they alone are over.
func (c contest) steppedDown(walk []int, budget int) map[int]int {
	steps := map[int]int{}
	for {
		var alone []standing
		lowest := -1
		for _, i := range walk {
			if !c.places[i].Sticky {
				continue
			}
			alone = append(alone, standing{i, steps[i]})
			texts := c.sections[i].texts
			end := steps[i] == len(texts)-1 || texts[steps[i]] == ""
			if !end && (lowest < 0 || c.places[i].Score() <= c.places[lowest].Score()) {
				lowest = i
			}
		}
		if c.size(c.laid(alone, nil)) <= budget || lowest < 0 {
			return steps
		}
		steps[lowest]++
	}
}

// walked takes the others in, each on the fullest rung that fits.
func (c contest) walked(walk []int, steps map[int]int, budget int, notice bool) string {
	var in []standing
	open := map[int]bool{} // what a notice names
	for _, i := range walk {
		if c.places[i].Sticky {
			in = append(in, standing{i, steps[i]})
		} else {
			open[i] = true
		}
	}
	named := func() []int {
		if !notice {
			return nil
		}
		return slices.DeleteFunc(slices.Clone(walk), func(i int) bool { return !open[i] })
	}
	for _, i := range walk {
		if c.places[i].Sticky {
			continue
		}
		taken := false
		delete(open, i)
		for step, text := range c.sections[i].texts {
			then := append(slices.Clone(in), standing{i, step})
			if taken = text == "" || c.size(c.laid(then, named())) <= budget; taken {
				in = then
				break
			}
		}
		if open[i] = !taken; !taken && c.rules.Stop {
			break
		}
	}
	return c.laid(in, named())
}

// laid emits sections, in the order of the walk or the sticky ones first, with a
// notice of those that are named.
func (c contest) laid(in []standing, named []int) string {
	in = slices.Clone(in)
	slices.SortFunc(in, func(a, b standing) int {
		x, y := c.places[a.section], c.places[b.section]
		if c.rules.StickyFirst && x.Sticky != y.Sticky {
			if x.Sticky {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.Phase, y.Phase), cmp.Compare(y.Score(), x.Score()), cmp.Compare(c.sections[a.section].id, c.sections[b.section].id))
	})
	var out strings.Builder
	add := func(join *string, text string) {
		switch {
		case out.Len() == 0:
		case join != nil:
			out.WriteString(*join)
		default:
			out.WriteString("\n\n")
		}
		out.WriteString(text)
	}
	for _, s := range in {
		if text := c.sections[s.section].texts[s.step]; text != "" {
			add(c.sections[s.section].join, text)
		}
	}
	var ids []string
	for _, i := range named {
		ids = append(ids, c.sections[i].id)
	}
	if len(ids) > 0 {
		add(nil, "[Left out to fit: "+strings.Join(ids, ", ")+"]")
	}
	if out.Len() > 0 {
		out.WriteString("\n")
	}
	return out.String()
}

// mustBeOrdered holds the emitted order: sections of one phase by score, and
// by id where scores are equal.
func (c contest) mustBeOrdered(t *testing.T, name string, a *assembly.Artifact) {
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
// smaller one kept, where nothing steps down: a fuller form takes the room of
// what comes behind it. (A notice charges the smaller one more, never less.)
func (c contest) mustGrow(t *testing.T, name string, small, large *assembly.Artifact) {
	t.Helper()
	laddered := slices.ContainsFunc(c.sections, func(s section) bool { return len(s.texts) > 1 })
	if !c.rules.Stop || c.rules.Notice || laddered {
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
// dropped section has it, and that no other between that and its own has.
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
			for budget := v.Budget.Tokens; budget <= window; budget++ {
				a, _ := c.compose(t, budget)
				if in := a.Used[section] != nil; in != (budget == window) {
					t.Errorf("seed %d: explain names %d tokens for section %d; with %d it is in: %v", seed, window, section, budget, in)
				}
			}
		}
		for _, ch := range artifacts[0].Choices {
			if _, ok := compose.Windows(renderings, counters(t), artifacts[0])[ch.Section]; !ch.Kept && !ok && !c.vanishes(ch.Section) {
				t.Errorf("seed %d: no window brings section %d back", seed, ch.Section)
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d windows were tried", named)
	}
}

// vanishes reports whether a section has a rung without text.
func (c contest) vanishes(section int) bool { return slices.Contains(c.sections[section].texts, "") }

func TestNoticeIsChargedAndNamesWhatIsDropped(t *testing.T) {
	c := contest{
		sections: []section{{id: "a", texts: []string{text(40)}}, {id: "b", texts: []string{text(400)}}, {id: "c", texts: []string{text(40)}}},
		places:   []assembly.PhasePlace{{Phase: 0, Priority: 3, Weight: 1}, {Phase: 1, Priority: 2, Weight: 1}, {Phase: 2, Priority: 1, Weight: 1}},
		rules:    assembly.PhaseRules{On: true, Order: assembly.Phases(), Notice: true},
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
	tool := &language.Tool{Name: "t", Canonical: "{}\n"}
	c := contest{
		sections: []section{{id: "role", texts: []string{text(40)}}, {id: "tools", texts: []string{text(80), ""}, tools: []*language.Tool{tool}}},
		places:   []assembly.PhasePlace{{Phase: 0, Priority: 1, Weight: 1, Sticky: true}, {Phase: 3, Priority: 1, Weight: 1}},
		rules:    assembly.PhaseRules{On: true, Order: assembly.Phases()},
	}
	a, found := c.compose(t, 5)
	if len(a.Beside) != 1 || a.Text() != text(40)+"\n" {
		t.Errorf("%d tools beside %q", len(a.Beside), a.Text())
	}
	if len(found) != 1 || found[0].Code != diag.OverSticky {
		t.Errorf("findings: %v", found)
	}
}

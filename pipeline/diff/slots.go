package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// slotPair is a slot that is declared otherwise than before; a side is nil
// where it does not declare it.
type slotPair struct {
	was, is *prompt.Slot
	edit    *prompt.Edit
}

// slots finds the slots that are declared otherwise, for the variants that emit
// them.
func (r *run) slots() {
	changed := r.slotPairs()
	r.slotPlaces(changed)
	if len(changed) == 0 {
		return
	}
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if !t.both() {
				continue
			}
			for i := range changed {
				changed[i].reach(t)
			}
		}
	}
	for i := range changed {
		if len(changed[i].edit.Reach) > 0 {
			r.add(changed[i].edit)
		}
	}
}

// reach adds a variant that emits the slot on either side. Where it may grow to
// another size than before, that is what the edit is worth.
func (s *slotPair) reach(t twin) {
	before, after := emits(t.base, s.was), emits(t.head, s.is)
	switch {
	case before+after == 0:
	case s.was != nil && s.is != nil && s.was.MaxTokens != s.is.MaxTokens:
		// Of places that come or go other edits speak, with what it may grow to now.
		reachBy(s.edit, t, before*(s.is.MaxTokens-s.was.MaxTokens))
	default:
		reach(s.edit, t)
	}
}

// emits counts the places of a slot in an artifact.
func emits(a *prompt.Artifact, s *prompt.Slot) int {
	n := 0
	for _, x := range a.Used {
		if x == nil || s == nil {
			continue
		}
		for _, at := range x.Slots {
			if at.Slot.Name.Str == s.Name.Str {
				n++
			}
		}
	}
	return n
}

// slotPairs gives the slots that differ, in the order of the head, then those
// that only the base declares.
func (r *run) slotPairs() []slotPair {
	was, is := slotsOf(r.d.Base.Result), slotsOf(r.d.Head.Result)
	named := func(all []*prompt.Slot, name string) *prompt.Slot {
		if i := slices.IndexFunc(all, func(s *prompt.Slot) bool { return s.Name.Str == name }); i >= 0 {
			return all[i]
		}
		return nil
	}
	var out []slotPair
	for _, s := range is {
		old := named(was, s.Name.Str)
		from, to := slotWords(old, s)
		if from != to {
			e := &prompt.Edit{Kind: prompt.SlotChanged, Name: s.Name.Str, From: from, To: to, At: s.Name.At}
			out = append(out, slotPair{was: old, is: s, edit: e})
		}
	}
	for _, s := range was {
		if named(is, s.Name.Str) == nil {
			from, _ := slotWords(s, nil)
			e := &prompt.Edit{Kind: prompt.SlotChanged, Name: s.Name.Str, From: from, At: s.Name.At, InBase: true}
			out = append(out, slotPair{was: s, edit: e})
		}
	}
	return out
}

func slotsOf(r *prompt.Result) []*prompt.Slot {
	if r == nil || r.Spec == nil {
		return nil
	}
	return r.Spec.Slots
}

// slotWords gives what two declarations of a slot say where they differ; all
// that one says where it is alone.
func slotWords(was, is *prompt.Slot) (from, to string) {
	a, b := slotFacts(was), slotFacts(is)
	var before, after []string
	for i := range a {
		if was != nil && is != nil && a[i] == b[i] {
			continue
		}
		if was != nil && (is != nil || a[i].told) {
			before = append(before, a[i].words)
		}
		if is != nil && (was != nil || b[i].told) {
			after = append(after, b[i].words)
		}
	}
	return strings.Join(before, ", "), strings.Join(after, ", ")
}

// slotFact is one thing that is declared of a slot. Told says that it is worth
// a word where there is nothing to compare it with.
type slotFact struct {
	words string
	told  bool
}

func slotFacts(s *prompt.Slot) [4]slotFact {
	if s == nil {
		return [4]slotFact{}
	}
	not := func(yes bool, word string) slotFact {
		return slotFact{either(yes, word, "not "+word), yes}
	}
	return [4]slotFact{
		{"max_tokens " + strconv.Itoa(s.MaxTokens), true},
		not(s.Optional, "optional"),
		not(s.Volatile, "volatile"),
		{"example " + strconv.Quote(s.Example.Str), false},
	}
}

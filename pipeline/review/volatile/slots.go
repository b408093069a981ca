package volatile

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// slotPair is a slot that is declared otherwise than before; a side is nil
// where it does not declare it.
type slotPair struct {
	was, is *language.Slot
	edit    *review.Edit
}

// slots finds the slots that are declared otherwise, for the variants that emit
// them, and those that sections have now or no longer.
func (f *finder) slots() {
	changed := slotPairs(pairing.Slots(f.two.Base), pairing.Slots(f.two.Head))
	said := map[string]bool{} // what is declared on one side only is said once
	for _, s := range changed {
		said[s.edit.Name] = said[s.edit.Name] || s.was == nil || s.is == nil
	}
	for _, p := range f.two.Pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		assembledAlike := (p.Base.Prompt.Rendered == nil) == (p.Head.Prompt.Rendered == nil)
		sections := pairing.Sections(p, false)
		for _, t := range f.two.Twins(p) {
			if !t.Both() {
				continue
			}
			for _, s := range changed {
				s.reach(t)
			}
			for _, at := range sections {
				if was, is := t.Used(at); was != is && assembledAlike {
					f.places(t, at, was, is, said)
				}
			}
		}
	}
	for _, s := range changed {
		if len(s.edit.Reach) > 0 {
			f.edits = append(f.edits, s.edit)
		}
	}
}

// slotPairs gives the slots that differ, in the order of the head, then those
// that only the base declares.
func slotPairs(was, is []*language.Slot) []slotPair {
	like := func(all []*language.Slot, s *language.Slot) *language.Slot {
		if i := slices.IndexFunc(all, func(o *language.Slot) bool { return o.Name.Str == s.Name.Str }); i >= 0 {
			return all[i]
		}
		return nil
	}
	var out []slotPair
	for _, s := range is {
		old := like(was, s)
		if before, after := declared(old), declared(s); before != after {
			out = append(out, slotPair{old, s, &review.Edit{Kind: review.SlotChanged, Name: s.Name.Str, Was: before, Is: after, At: s.Name.At}})
		}
	}
	for _, s := range was {
		if like(is, s) == nil {
			e := &review.Edit{Kind: review.SlotChanged, Name: s.Name.Str, Was: declared(s), At: s.Name.At, InBase: true}
			out = append(out, slotPair{s, nil, e})
		}
	}
	return out
}

// reach adds a variant that emits the slot on either side. Where it may grow to
// another size than before, that is what the edit is worth.
func (s slotPair) reach(t pairing.Twin) {
	before, after := emits(t.Base, s.was), emits(t.Head, s.is)
	if before+after == 0 {
		return
	}
	row := s.edit.Row(t.Pair, false)
	row.In.Add(t.Head.Variant.Index)
	if s.was != nil && s.is != nil && s.was.MaxTokens != s.is.MaxTokens {
		// Of places that come or go other edits speak, with what it may grow to now.
		row.AddTokens(t.Head.Variant, before*(s.is.MaxTokens-s.was.MaxTokens))
	}
}

func emits(a *assembly.Artifact, s *language.Slot) int {
	n := 0
	for _, x := range a.Used {
		if s != nil {
			n += len(placesOf(x, s.Name.Str))
		}
	}
	return n
}

func placesOf(x *assembly.Rendering, name string) []assembly.SlotAt {
	if x == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Slots), func(at assembly.SlotAt) bool { return at.Slot.Name.Str != name })
}

// declared gives what is declared of a slot, nil for none.
func declared(s *language.Slot) review.Value {
	if s == nil {
		return nil
	}
	return review.Declared{MaxTokens: s.MaxTokens, Optional: s.Optional, Volatile: s.Volatile, Example: s.Example.Str}
}

// places finds the slots that come into a section of a variant or go, or that it
// emits at more or fewer places while its text has the name as often.
func (f *finder) places(t pairing.Twin, section [2]int, was, is *assembly.Rendering, said map[string]bool) {
	build, n := t.Pair.Head, section[1]
	if n < 0 {
		build, n = t.Pair.Base, section[0]
	}
	spec := build.Prompt.Sections[n]
	for _, name := range pairing.SlotNames(was, is) {
		before, after := placesOf(was, name), placesOf(is, name)
		more := 0 // places that the text does not show
		if was != nil && is != nil {
			spelled := "{{" + name + "}}"
			more = len(after) - len(before) - strings.Count(is.Text.Str, spelled) + strings.Count(was.Text.Str, spelled)
		}
		if said[name] || (len(before) == 0) == (len(after) == 0) && more == 0 {
			continue
		}
		made := review.Edit{Kind: review.SlotChanged, Section: spec.ID.Str, Name: name, Was: placesIn(before), Is: placesIn(after), At: spec.ID.At, InBase: section[1] < 0}
		var at diag.Span
		if len(after) > 0 {
			at = is.Text.Span(after[0].Start, after[0].End)
		}
		if at.Known() {
			made.At, made.InBase = at, false
		}
		row := f.edit(spec.ID.At, made).Row(t.Pair, false)
		row.In.Add(t.Head.Variant.Index)
		if more != 0 { // else other edits have its size
			row.AddTokens(t.Head.Variant, more*f.two.Worths[name])
		}
	}
}

// placesIn counts places, nil for none.
func placesIn(places []assembly.SlotAt) review.Value {
	if len(places) == 0 {
		return nil
	}
	return review.Places(len(places))
}

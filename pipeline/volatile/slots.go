package volatile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pairing"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// slotPair is a slot that is declared otherwise than before; a side is nil
// where it does not declare it.
type slotPair struct {
	was, is *prompt.Slot
	edit    *prompt.Edit
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
		sections := pairing.Sections(p)
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
func slotPairs(was, is []*prompt.Slot) []slotPair {
	like := func(all []*prompt.Slot, s *prompt.Slot) *prompt.Slot {
		if i := slices.IndexFunc(all, func(o *prompt.Slot) bool { return o.Name.Str == s.Name.Str }); i >= 0 {
			return all[i]
		}
		return nil
	}
	var out []slotPair
	for _, s := range is {
		old := like(was, s)
		if from, to := words(old, s); from != to {
			out = append(out, slotPair{old, s, &prompt.Edit{Kind: prompt.SlotChanged, Name: s.Name.Str, From: from, To: to, At: s.Name.At}})
		}
	}
	for _, s := range was {
		if like(is, s) == nil {
			from, _ := words(s, nil)
			out = append(out, slotPair{s, nil, &prompt.Edit{Kind: prompt.SlotChanged, Name: s.Name.Str, From: from, At: s.Name.At, InBase: true}})
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

func emits(a *prompt.Artifact, s *prompt.Slot) int {
	n := 0
	for _, x := range a.Used {
		if s != nil {
			n += len(placesOf(x, s.Name.Str))
		}
	}
	return n
}

func placesOf(x *prompt.Rendering, name string) []prompt.SlotAt {
	if x == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Slots), func(at prompt.SlotAt) bool { return at.Slot.Name.Str != name })
}

// words gives what two declarations of a slot say where they differ; what is
// worth a word where one is alone.
func words(was, is *prompt.Slot) (from, to string) {
	before, after := facts(was, is == nil), facts(is, was == nil)
	if was != nil && is != nil {
		a, b := before, after
		before, after = nil, nil
		for i := range a {
			if a[i] != b[i] {
				before, after = append(before, a[i]), append(after, b[i])
			}
		}
	}
	return strings.Join(before, ", "), strings.Join(after, ", ")
}

// facts gives what is declared of a slot: all of it, or what is worth a word
// where there is nothing to compare it with.
func facts(s *prompt.Slot, alone bool) []string {
	if s == nil {
		return nil
	}
	out := []string{"max_tokens " + strconv.Itoa(s.MaxTokens)}
	for _, k := range []struct {
		word string
		is   bool
	}{{"optional", s.Optional}, {"volatile", s.Volatile}} {
		switch {
		case k.is:
			out = append(out, k.word)
		case !alone:
			out = append(out, "not "+k.word)
		}
	}
	if !alone {
		out = append(out, "example "+strconv.Quote(s.Example.Str))
	}
	return out
}

// places finds the slots that come into a section of a variant or go, or that it
// emits at more or fewer places while its text has the name as often.
func (f *finder) places(t pairing.Twin, section [2]int, was, is *prompt.Rendering, said map[string]bool) {
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
		made := prompt.Edit{Kind: prompt.SlotChanged, Section: spec.ID.Str, Name: name, From: count(before), To: count(after), At: spec.ID.At, InBase: section[1] < 0}
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

func count(places []prompt.SlotAt) string {
	switch n := len(places); n {
	case 0:
		return ""
	case 1:
		return "1 place"
	default:
		return strconv.Itoa(n) + " places"
	}
}

package resolve

import (
	"fmt"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// unit gives the index of the unit that renders the section from the inputs,
// making it when no earlier variant had the same one.
func (sec *section) unit(v *prompt.Variant, inputs []*prompt.Input, step string) int {
	u := &prompt.Unit{Prompt: sec.prompt, Section: sec.decl, Inputs: inputs, Step: step}
	if t, ok := pick(sec.decl.Heading, sec.heading, v.Index); ok {
		u.Heading = &t
	}
	u.Before, _ = pick(sec.decl.Before, sec.before, v.Index)
	u.After, _ = pick(sec.decl.After, sec.after, v.Index)
	u.Expand, _ = pick(sec.decl.Options.Expand, sec.expand, v.Index)
	sec.bindings(u, v)
	key := unitKey(sec, u)
	if i, ok := sec.units[key]; ok {
		return i
	}
	u.Index = len(sec.plan.Units)
	sec.units[key] = u.Index
	sec.plan.Units = append(sec.plan.Units, u)
	return u.Index
}

// unitKey names all that decides the bytes of a unit.
func unitKey(sec *section, u *prompt.Unit) string {
	var k strings.Builder
	fmt.Fprintf(&k, "%p|%s|%t|%q|%q", sec.decl, u.Step, u.Expand, u.Before.Str, u.After.Str)
	if u.Heading != nil {
		fmt.Fprintf(&k, "|%q", u.Heading.Str)
	}
	for _, in := range u.Inputs {
		fmt.Fprintf(&k, "\n%p|%d|%s|%s|%p|%t|%t|%q|%q", in.Source, in.Origin, in.Form, in.Style, in.StyleDoc, in.Expand, in.Routing, in.Location.Str, in.Text.Str)
		if in.Limit != nil {
			fmt.Fprintf(&k, "|%d,%t,%t", in.Limit.Chars, in.Limit.PerSource, in.Limit.Cut)
		}
		for _, d := range in.Docs {
			fmt.Fprintf(&k, "|%p", d)
		}
		for _, t := range in.Tools {
			fmt.Fprintf(&k, "|%p", t)
		}
		for _, e := range in.Entries {
			fmt.Fprintf(&k, "|%p", e)
		}
	}
	for _, b := range u.Bindings {
		fmt.Fprintf(&k, "\n%s=%q", b.Name, b.Value.Str)
	}
	return k.String()
}

// bindings gives the unit the slots and fragments that its texts name.
func (sec *section) bindings(u *prompt.Unit, v *prompt.Variant) {
	if !sec.expands(u) {
		return
	}
	for _, slot := range sec.spec.Slots {
		u.Bindings = append(u.Bindings, prompt.Binding{Name: slot.Name.Str, Slot: slot})
	}
	for _, f := range sec.spec.Fragments {
		if !mentions(u, "{{"+f.Name.Str+"}}") {
			continue
		}
		chosen := sec.fragment(f)
		if value, ok := pick(f.Value, chosen, v.Index); ok {
			u.Bindings = append(u.Bindings, prompt.Binding{Name: f.Name.Str, Value: value})
		}
	}
}

func (sec *section) expands(u *prompt.Unit) bool {
	if u.Expand {
		return true
	}
	for _, in := range u.Inputs {
		if in.Expand {
			return true
		}
	}
	return false
}

// fragment decides the cases of a fragment once for each section that names
// it.
func (sec *section) fragment(f *prompt.Fragment) choice {
	if c, ok := sec.fragments[f]; ok {
		return c
	}
	c := choose(sec.scope, f.Value, sec.domain, diag.Say("fragment-named", f.Name.Str))
	sec.fragments[f] = c
	return c
}

// mentions reports whether any text of a unit holds the characters. It may
// say yes too often: a name in a comment costs a unit, never a byte.
func mentions(u *prompt.Unit, s string) bool {
	texts := []string{u.Before.Str, u.After.Str}
	if u.Heading != nil {
		texts = append(texts, u.Heading.Str)
	}
	for _, in := range u.Inputs {
		texts = append(texts, in.Text.Str, in.Location.Str)
		for _, d := range in.Docs {
			texts = append(texts, d.File.Text)
		}
		for _, t := range in.Tools {
			texts = append(texts, t.Canonical)
		}
	}
	for _, t := range texts {
		if strings.Contains(t, s) {
			return true
		}
	}
	return false
}

package resolve

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// The layouts that are asked for by name.
const (
	sequenceLayout = "sequence"
	messagesLayout = "messages"
	phasesLayout   = "phases"
)

// layout is what the layout of a variant says besides Variant.Layout, its cases
// decided; the zero layout where no case holds.
type layout struct {
	name, conversation, assembly, reminder ground.Word
	at                                     diag.Span
}

// decideLayouts decides the layout of every variant.
func (s *scope) decideLayouts() {
	s.layouts = make([]layout, len(s.build.Variants))
	chosen := choose(s, s.prompt.Layout, s.all, "layout")
	for i, c := range s.prompt.Layout {
		domain := s.having(s.all, func(v int) bool { return chosen.at(v) == i })
		name := choose(s, c.Value.Name, domain, "layout.name")
		of := func(layout string) ground.Set {
			return s.having(domain, func(v int) bool { return s.layouts[v].name.Str == layout })
		}
		for _, v := range s.build.Variants {
			if domain.Has(v.Index) {
				s.layouts[v.Index].at = c.At
				s.layouts[v.Index].name, _ = pick(c.Value.Name, name, v.Index)
			}
		}
		s.phases(c.Value, of(phasesLayout))
		s.messages(c.Value, of(messagesLayout))
	}
}

// phases decides the layout `phases` for the variants that have it.
func (s *scope) phases(l language.Layout, domain ground.Set) {
	order, place := choose(s, l.Order, domain, "layout.order"), choose(s, l.Place, domain, "layout.place")
	fill, notice := choose(s, l.Fill, domain, "layout.fill"), choose(s, l.Notice, domain, "layout.notice")
	for _, v := range s.build.Variants {
		if !domain.Has(v.Index) {
			continue
		}
		v.Layout = assembly.PhaseRules{On: true, Order: assembly.Phases()}
		if words, ok := pick(l.Order, order, v.Index); ok {
			v.Layout.Order = ground.Strings(words)
		}
		first, _ := pick(l.Place, place, v.Index)
		filled, _ := pick(l.Fill, fill, v.Index)
		v.Layout.StickyFirst, v.Layout.Stop = first.Str == "sticky-first", filled.Str == "stop"
		v.Layout.Notice, _ = pick(l.Notice, notice, v.Index)
	}
}

// messages decides the layout `messages` for the variants that have it.
func (s *scope) messages(l language.Layout, domain ground.Set) {
	conversation, assembly := choose(s, l.Conversation, domain, "layout.conversation"), choose(s, l.Assembly, domain, "layout.assembly")
	reminder := choose(s, l.Reminder, domain, "layout.reminder")
	for _, v := range s.build.Variants {
		if domain.Has(v.Index) {
			out := &s.layouts[v.Index]
			out.conversation, _ = pick(l.Conversation, conversation, v.Index)
			out.assembly, _ = pick(l.Assembly, assembly, v.Index)
			out.reminder, _ = pick(l.Reminder, reminder, v.Index)
		}
	}
}

func (s *scope) isSequence(v *assembly.Variant) bool {
	name := s.layouts[v.Index].name.Str
	return name == "" || name == sequenceLayout
}

// everSequence reports whether any variant of the prompt has the layout
// `sequence`; the layout may have cases.
func (s *scope) everSequence() bool {
	return slices.ContainsFunc(s.build.Variants, s.isSequence)
}

// noBreakpoint is the key of what to do about a breakpoint that no variant reads.
func (s *scope) noBreakpoint() string {
	messages := func(v *assembly.Variant) bool { return s.layouts[v.Index].name.Str == messagesLayout }
	if slices.ContainsFunc(s.build.Variants, messages) {
		return "messages-puts-breakpoints"
	}
	return "say-layout-sequence"
}

// dialects decides the shape of every variant's artifact.
func (s *scope) dialects() {
	p := s.prompt
	chosen := choose(s, p.Dialect, s.all, "dialect")
	text, _ := ground.LookupDialect(ground.TextDialect)
	for _, v := range s.build.Variants {
		v.Dialect = text
		l := s.layouts[v.Index]
		at := l.name.At
		if w, ok := pick(p.Dialect, chosen, v.Index); ok {
			name, ok := s.axisIn(w, v)
			if !ok || !s.known(diag.NoSuchDialect, ground.Word{Str: name, At: w.At}, ground.DialectNames(), "unknown-dialect-2", name) {
				continue // what goes with the layout is not to be judged
			}
			v.Dialect, _ = ground.LookupDialect(name)
			at = w.At
		} else if p.Dialect.Set() {
			continue
		}
		if l.name.Str == messagesLayout && !v.Dialect.JSON {
			s.diags = append(s.diags, diag.New(diag.TextOfMessages, at, "prompt-layout-messages-dialect", p.ID.Str, v.Dialect.Name).
				WithHint("say-dialect", strings.Join(ground.RequestDialects(), ", ")))
		}
	}
}

// cached decides what a cache needs to know of a section in one variant: where
// a prefix ends that is worth keeping, and whether its text is declared to
// change. Of its sources that is asked where the rung in use is known.
func (sec *section) cached(v *assembly.Variant, u *assembly.Use) {
	mark, _ := pick(sec.decl.Breakpoint, sec.breakpoint, v.Index)
	if u.Breakpoint = mark && sec.isSequence(v); u.Breakpoint {
		u.BreakpointAt = sec.decl.Breakpoint[sec.breakpoint.at(v.Index)].At
	}
	u.Volatile, _ = pick(sec.decl.Volatile, sec.volatile, v.Index)
}

// place decides what a section competes with in one variant.
func (sec *section) place(v *assembly.Variant) assembly.PhasePlace {
	d := sec.decl
	if !v.Layout.On {
		if !sec.phased {
			sec.noPhases()
		}
		return assembly.PhasePlace{}
	}
	if !d.Phase.Set() || !d.Priority.Set() {
		lack := "phase"
		if d.Phase.Set() {
			lack = "priority"
		}
		sec.diags = append(sec.diags, diag.New(diag.MissingPhase, d.ID.At, "section-no-layout-phases", d.ID.Str, lack).
			WithHint("add-section", lack))
		return assembly.PhasePlace{}
	}
	out := assembly.PhasePlace{Weight: 1}
	phase, ok := pick(d.Phase, sec.phase, v.Index)
	if !ok {
		return out
	}
	if out.Phase = slices.Index(v.Layout.Order, phase.Str); out.Phase < 0 {
		sec.known(diag.PhaseNotWalked, phase, v.Layout.Order, "section-phase-layouts-order", d.ID.Str, phase.Str)
		return assembly.PhasePlace{}
	}
	out.Priority, _ = pick(d.Priority, sec.priority, v.Index)
	out.Sticky, _ = pick(d.Sticky, sec.sticky, v.Index)
	if goal := sec.hasGoal(); goal && !out.Sticky {
		sec.diags = append(sec.diags, diag.New(diag.GoalStaysWhole, d.ID.At, "section-goal-never-dropped", d.ID.Str).
			WithHint("add-sticky-true-section"))
	}
	if w, ok := pick(d.Weight, sec.weight, v.Index); ok {
		out.Weight = w
	}
	return out
}

// hasGoal reports whether one of the section's sources is a goal.
func (sec *section) hasGoal() bool {
	for _, c := range sec.decl.Source {
		for _, w := range c.Value {
			if s := sec.binder.sources[w.Str]; s != nil && s.Kind != nil && s.Kind.Goals {
				return true
			}
		}
	}
	return false
}

// noPhases reports what has a meaning only under the layout `phases`.
func (sec *section) noPhases() {
	d := sec.decl
	for _, set := range []struct {
		key string
		at  diag.Span
	}{
		{"phase", placeOf(d.Phase, 0)},
		{"priority", placeOf(d.Priority, 0)},
		{"weight", placeOf(d.Weight, 0)},
		{"sticky", placeOf(d.Sticky, 0)},
	} {
		if set.at.Known() {
			sec.diags = append(sec.diags, diag.New(diag.PhaseElsewhere, set.at, "section-sets-only-layout", d.ID.Str, set.key).
				WithHint("say-layout-phases-prompt"))
		}
	}
}

// expectations binds what the prompt's variants have to hold. What no variant
// is asked for holds of nothing, and is reported.
func (s *scope) expectations() {
	if len(s.prompt.Expect) == 0 {
		return
	}
	ids := sectionIDs(s.prompt)
	tools := s.reachable()
	for _, e := range s.prompt.Expect {
		before := len(s.diags)
		out := assembly.Expected{Expectation: e, On: s.holds(e.When)}
		if out.On.Len() == 0 && len(s.diags) == before { // a wrong condition is finding enough
			s.diags = append(s.diags, diag.New(diag.IdleExpectation, e.At, "no-variant-asked-condition", s.prompt.ID.Str).
				WithHint("change-when-remove-expectation"))
		}
		named := e.Order
		if e.Section.Str != "" {
			named = []ground.Word{e.Section}
		}
		for _, w := range named {
			if s.known(diag.UnknownSection, w, ids, "prompt-no-section", s.prompt.ID.Str, w.Str) {
				out.Sections = append(out.Sections, slices.Index(ids, w.Str))
			}
		}
		if e.Tool.Str != "" {
			s.known(diag.UnknownTool, e.Tool, tools, "no-variant-tool", s.prompt.ID.Str, e.Tool.Str)
		}
		s.build.Expect = append(s.build.Expect, out)
	}
}

func sectionIDs(p *language.Prompt) []string {
	var out []string
	for _, sec := range p.Sections {
		out = append(out, sec.ID.Str)
	}
	return out
}

// reachable gives the names of the tools of all variants, also on the rungs
// that a section may step down to.
func (s *scope) reachable() []string {
	met := map[int]bool{}
	var out []string
	add := func(unit int) {
		if unit < 0 || met[unit] {
			return
		}
		met[unit] = true
		for _, in := range s.plan.Units[unit].Inputs {
			for _, t := range in.Tools {
				out = append(out, t.Name)
			}
		}
	}
	for _, v := range s.build.Variants {
		for _, u := range v.Uses {
			add(u.Unit)
			for _, step := range u.Steps {
				add(step.Unit)
			}
		}
	}
	sortUnique(&out)
	return out
}

// checkSettings checks the prompts that rows of `checks` name.
func (b *binder) checkSettings() {
	var ids []string
	for _, p := range b.spec.Prompts {
		ids = append(ids, p.ID.Str)
	}
	for _, row := range b.spec.Checks {
		for _, w := range row.Prompts {
			b.known(diag.UnknownPrompt, w, ids, "no-prompt-called", w.Str)
		}
	}
}

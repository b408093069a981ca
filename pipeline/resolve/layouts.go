package resolve

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The layouts that are asked for by name.
const (
	sequenceLayout = "sequence"
	messagesLayout = "messages"
	phasesLayout   = "phases"
)

// layoutOf gives the layout of a variant; the zero Layout where no case holds.
func (s *scope) layoutOf(v *prompt.Variant) prompt.Layout {
	l, _ := pick(s.prompt.Layout, s.layout, v.Index)
	return l
}

func (s *scope) isSequence(v *prompt.Variant) bool {
	name := s.layoutOf(v).Name.Str
	return name == "" || name == sequenceLayout
}

// everSequence reports whether any variant of the prompt has the layout
// `sequence`; the layout may have cases.
func (s *scope) everSequence() bool {
	return slices.ContainsFunc(s.build.Variants, s.isSequence)
}

// noBreakpoint is the key of what to do about a breakpoint that no variant reads.
func (s *scope) noBreakpoint() string {
	messages := func(v *prompt.Variant) bool { return s.layoutOf(v).Name.Str == messagesLayout }
	if slices.ContainsFunc(s.build.Variants, messages) {
		return "messages-puts-breakpoints"
	}
	return "say-layout-sequence"
}

// dialects decides the shape of every variant's artifact.
func (s *scope) dialects() {
	p := s.prompt
	chosen := choose(s, p.Dialect, s.all, "dialect")
	text, _ := prompt.LookupDialect(prompt.TextDialect)
	for _, v := range s.build.Variants {
		v.Dialect = text
		l := s.layoutOf(v)
		at := l.Name.At
		if w, ok := pick(p.Dialect, chosen, v.Index); ok {
			name, ok := s.axisIn(w, v)
			if !ok || !s.known(diag.NoSuchDialect, prompt.Word{Str: name, At: w.At}, prompt.DialectNames(), "unknown-dialect-2", name) {
				continue // what goes with the layout is not to be judged
			}
			v.Dialect, _ = prompt.LookupDialect(name)
			at = w.At
		} else if p.Dialect.Set() {
			continue
		}
		if l.Name.Str == messagesLayout && !v.Dialect.JSON {
			s.diags = append(s.diags, diag.New(diag.TextOfMessages, at, "prompt-layout-messages-dialect", p.ID.Str, v.Dialect.Name).
				WithHint("say-dialect", strings.Join(prompt.RequestDialects(), ", ")))
		}
	}
}

// cached decides what a cache needs to know of a section in one variant: where
// a prefix ends that is worth keeping, and whether its text is declared to
// change. Of its sources that is asked where the rung in use is known.
func (sec *section) cached(v *prompt.Variant, u *prompt.Use) {
	mark, _ := pick(sec.decl.Breakpoint, sec.breakpoint, v.Index)
	if u.Breakpoint = mark && sec.isSequence(v); u.Breakpoint {
		u.BreakpointAt = sec.decl.Breakpoint[sec.breakpoint.at(v.Index)].At
	}
	u.Volatile, _ = pick(sec.decl.Volatile, sec.volatile, v.Index)
}

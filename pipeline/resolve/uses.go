package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// DefaultUses is how many uses of sections a manifest may have unless somebody
// allows more.
const DefaultUses = 2_000_000

// Limits bound what a manifest may ask for. They are not the manifest's own, so
// that who sends one cannot raise them.
type Limits struct {
	// Uses is the most uses of sections in variants, over all prompts; 0 for
	// DefaultUses.
	Uses int
}

// A variant costs as much as leastUses uses of sections, and usesRungs rungs as
// much as laying out its sections once more.
const leastUses, usesRungs = 20, 32

// usage is what a prompt asks for.
type usage struct {
	prompt                  *prompt.Prompt
	variants, layouts, uses int
}

// withinUses reports a manifest that has more uses or variants than allowed,
// before any of them is made. Uses are the variants of a prompt times its
// sections, summed over the prompts; prompts that another program renders have
// no sections to count.
func (b *binder) withinUses(scopes []*scope, limits Limits) bool {
	most := cmp.Or(limits.Uses, DefaultUses)
	mostVariants := max(most, DefaultUses) / leastUses
	var total, largest, widest usage
	for _, s := range scopes {
		u := s.usage()
		total.uses += u.uses
		total.variants += u.variants
		if u.uses > largest.uses {
			largest = u
		}
		if u.variants > widest.variants {
			widest = u
		}
	}
	switch {
	case total.uses > most:
		said := diag.Say("variants-times-sections", diag.Count(largest.variants), diag.Count(len(largest.prompt.Sections)))
		if largest.layouts > 1 {
			said = diag.Say("laid-out-again-for-budget", said, diag.Count(largest.layouts))
		}
		b.tooMany(largest.prompt, total.uses, "manifest-has-uses", diag.Count(total.uses), diag.Count(most), largest.prompt.ID.Str, said)
	case total.variants > mostVariants:
		b.tooMany(widest.prompt, total.variants*leastUses, "manifest-has-variants",
			diag.Count(total.variants), diag.Count(mostVariants), widest.prompt.ID.Str, diag.Count(widest.variants))
	default:
		return true
	}
	return false
}

// tooMany reports that something is over a limit, at the axes of the prompt that
// has the most, with the limit that allows it.
func (b *binder) tooMany(p *prompt.Prompt, allow int, key string, args ...any) {
	at := p.ID.At
	if len(p.Axes) > 0 {
		at = p.Axes[0].Name.At
	}
	b.diags = append(b.diags, diag.New(diag.TooManyUses, at, key, args...).WithHint("exclude-or-allow-uses", allow))
}

// usage counts what the prompt asks for.
func (s *scope) usage() usage {
	u := usage{prompt: s.prompt, layouts: layouts(s.prompt)}
	for range s.points() {
		if u.variants++; u.variants > MaxVariants {
			u.variants = 0 // so many are refused by themselves
			break
		}
	}
	u.uses = u.variants * len(s.prompt.Sections) * u.layouts
	return u
}

// layouts is as how many layouts of its sections a variant counts. One that is
// over its budget is laid out again for every rung, which takes little, and
// under the layout `phases` or with ladders for every section that loses a tool
// it needs. Joins without white space may make one word of all sections, which
// `phases` counts again for every section.
func layouts(p *prompt.Prompt) int {
	if !p.Budget.Set() {
		return 1
	}
	rungs, needing, glued := 0, 0, slices.ContainsFunc(p.Join, glues)
	for _, s := range p.Sections {
		most := 0
		for _, c := range s.Degrade {
			most = max(most, len(c.Value))
		}
		rungs += most
		if s.Needs.Set() {
			needing++
		}
		glued = glued || slices.ContainsFunc(s.Join, glues)
	}
	drops := slices.ContainsFunc(p.Layout, func(c prompt.Case[prompt.Layout]) bool { return c.Value.Name.Str == phasesLayout })
	if rungs == 0 && !drops {
		needing = 0
	}
	if drops && glued {
		rungs += len(p.Sections)
	}
	return (1 + rungs/usesRungs) * (1 + needing)
}

func glues(join prompt.Case[prompt.Text]) bool { return !strings.ContainsAny(join.Value.Str, " \t\n") }

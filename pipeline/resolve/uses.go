package resolve

import (
	"cmp"
	"fmt"
	"slices"

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

// A variant costs as much as leastUses uses of its sections, and usesRungs rungs
// as much as its sections once more.
const leastUses, usesRungs = 20, 32

// withinUses reports a manifest that has more uses than allowed, before any of
// them is made. Uses are the variants of a prompt times its sections, summed
// over the prompts; prompts that another program renders have no sections to
// count.
func (b *binder) withinUses(scopes []*scope, limits Limits) bool {
	most := cmp.Or(limits.Uses, DefaultUses)
	var largest, widest struct {
		prompt *prompt.Prompt
		n      int // variants
		uses   int
	}
	total, variants := 0, 0
	for _, s := range scopes {
		n := 0
		for range s.points() {
			if n++; n > MaxVariants {
				n = 0 // so many are refused by themselves
				break
			}
		}
		uses := n * len(s.prompt.Sections) * layouts(s.prompt)
		if total += uses; uses > largest.uses {
			largest.prompt, largest.n, largest.uses = s.prompt, n, uses
		}
		if variants += n; n > widest.n {
			widest.prompt, widest.n = s.prompt, n
		}
	}
	switch {
	case total > most:
		p := largest.prompt
		said := fmt.Sprintf("%s variants × %s sections", diag.Number(largest.n), diag.Number(len(p.Sections)))
		if n := layouts(p); n > 1 {
			said += fmt.Sprintf(", laid out as often as %s times for its budget", diag.Number(n))
		}
		b.diags = append(b.diags, diag.New(diag.TooManyUses, axesOf(p), "the manifest has %s uses of sections, over the limit of %s; the most are of prompt %q: %s",
			diag.Number(total), diag.Number(most), p.ID.Str, said).
			WithHint("exclude combinations that are never sent; or allow all of them: --max-uses %d", total))
	case variants > max(most, DefaultUses)/leastUses:
		p := widest.prompt
		b.diags = append(b.diags, diag.New(diag.TooManyUses, axesOf(p), "the manifest has %s variants, over the limit of %s; the most are of prompt %q: %s",
			diag.Number(variants), diag.Number(max(most, DefaultUses)/leastUses), p.ID.Str, diag.Number(widest.n)).
			WithHint("exclude combinations that are never sent; or allow all of them: --max-uses %d", variants*leastUses))
	default:
		return true
	}
	return false
}

// layouts is as how many layouts of its sections a variant of a prompt counts.
// One that is over its budget is laid out again for every rung, which takes
// little, and under the layout `phases` or with ladders for every section that
// loses a tool it needs.
func layouts(p *prompt.Prompt) int {
	if !p.Budget.Set() {
		return 1
	}
	rungs, needing := 0, 0
	for _, s := range p.Sections {
		most := 0
		for _, c := range s.Degrade {
			most = max(most, len(c.Value))
		}
		rungs += most
		if s.Needs.Set() {
			needing++
		}
	}
	drops := slices.ContainsFunc(p.Layout, func(c prompt.Case[prompt.Layout]) bool { return c.Value.Name.Str == "phases" })
	if rungs == 0 && !drops {
		needing = 0
	}
	return (1 + rungs/usesRungs) * (1 + needing)
}

func axesOf(p *prompt.Prompt) diag.Span {
	if len(p.Axes) > 0 {
		return p.Axes[0].Name.At
	}
	return p.ID.At
}

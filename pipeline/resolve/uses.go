package resolve

import (
	"cmp"

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

// withinUses reports a manifest that has more uses than allowed, before any of
// them is made. Uses are the variants of a prompt times its sections, summed
// over the prompts; prompts that another program renders have no sections to
// count.
func (b *binder) withinUses(scopes []*scope, limits Limits) bool {
	most := cmp.Or(limits.Uses, DefaultUses)
	var largest *prompt.Prompt
	var variants, worst, total int
	for _, s := range scopes {
		n := 0
		for range s.points() {
			if n++; n > MaxVariants {
				n = 0 // so many are refused by themselves
				break
			}
		}
		uses := n * len(s.prompt.Sections)
		if total += uses; uses > worst {
			largest, variants, worst = s.prompt, n, uses
		}
	}
	if total <= most {
		return true
	}
	at := largest.ID.At
	if len(largest.Axes) > 0 {
		at = largest.Axes[0].Name.At
	}
	b.diags = append(b.diags, diag.New(diag.TooManyUses, at, "manifest-uses-sections-over",
		diag.Number(total), diag.Number(most), largest.ID.Str, diag.Number(variants), diag.Number(len(largest.Sections))).
		WithHint("exclude-combinations-never-sent-allow", total))
	return false
}

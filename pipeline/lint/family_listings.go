package lint

import (
	"slices"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// listing is a section that lists skills, for one program.
type listing struct {
	section int
	limit   prompt.Word
}

// longListings compares the listings of skills, as they are emitted, with what
// the programs that make such listings take of them all.
func longListings(c *census) diag.List {
	if !slices.ContainsFunc(c.scope.plan.Spec.Sources, func(s *prompt.Source) bool { return len(s.Limits) > 0 }) {
		return nil
	}
	var all ordered[listing, tally]
	runes := map[*prompt.Rendering]int{}
	for _, a := range c.artifacts {
		for section, r := range a.Used {
			if r == nil || r.Unit == nil {
				continue
			}
			for _, limit := range listingLimits(r) {
				preset, ok := prompt.LookupPreset(limit.Str)
				if !ok || preset.ListingRunes == 0 {
					continue
				}
				n, counted := runes[r]
				if !counted {
					n = utf8.RuneCountInString(r.Text.Str)
					runes[r] = n
				}
				if n > preset.ListingRunes {
					all.of(listing{section, limit}).add(a, n)
				}
			}
		}
	}
	var out diag.List
	for _, l := range all.keys {
		t := all.values[l]
		preset, _ := prompt.LookupPreset(l.limit.Str)
		d := diag.New(diag.LongListing, l.limit.At, "the listing in %q of %q has %s, and %s takes %s",
			c.build.Prompt.Sections[l.section].ID.Str, c.build.Prompt.ID.Str, t.amount("character"), preset.Says, diag.Number(preset.ListingRunes)).
			WithHint("shorten the descriptions, or list fewer skills; what is too long is listed without descriptions, or not at all")
		out = append(out, c.scope.among(d, c.build, t.users))
	}
	return out
}

// listingLimits gives the programs that list what a rendering lists.
func listingLimits(r *prompt.Rendering) []prompt.Word {
	var out []prompt.Word
	for _, in := range r.Unit.Inputs {
		if in.Source == nil || in.Kind == nil || in.Kind.Name != prompt.SkillsKind {
			continue
		}
		for _, l := range in.Source.Limits {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

package lint

import (
	"slices"
	"sort"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
)

// quotedFrom is how far from its place a finding may quote a text.
const quotedFrom = 1024

// Veil takes out of what findings say what looks like a key: other findings may
// quote the text that holds one, or a part of it.
func Veil(found diag.List) {
	keys := map[*diag.File][]secret.Place{}
	for i := range found {
		d := &found[i]
		near := near(d.Span, keys)
		veil := func(text string) string {
			if text = secret.Mask(text); len(near) > 0 {
				text = secret.MaskParts(text, near)
			}
			return text
		}
		d.Message, d.Hint = veil(d.Message), veil(d.Hint)
		for j, line := range d.Detail {
			if shown := veil(line); shown != line {
				d.Detail = slices.Clone(d.Detail)
				d.Detail[j] = shown
			}
		}
	}
}

// near gives what may not be shown of the keys around a place. Those of each
// file are found once.
func near(at diag.Span, keys map[*diag.File][]secret.Place) []string {
	if !at.Known() {
		return nil
	}
	all, known := keys[at.File]
	if !known {
		all = secret.Places(at.File.Text)
		keys[at.File] = all
	}
	from, to := at.Start-quotedFrom, min(at.End, at.Start+quotedFrom)+quotedFrom
	first := sort.Search(len(all), func(i int) bool { return all[i].End > from })
	var out []string
	for _, p := range all[first:] {
		if p.Start >= to {
			break
		}
		out = append(out, at.File.Text[max(p.Start, from):min(p.End, to)])
	}
	return out
}

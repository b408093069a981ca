package compose

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// cost is what a section or a content of the conversation adds to an artifact.
type cost struct {
	name    string
	section int // index into Prompt.Sections, -1 for a content
	adds    int
}

// inTokens gives what everything adds to the emitted text, in order: sections
// and contents with what stands before them, sections with their slots. What
// the layout says at the end of a message counts with the last before it.
func inTokens(a *prompt.Artifact) []cost {
	var out []cost
	before, ends := 0, messageEnds(a)
	for i, p := range a.Parts {
		c, ok := costOf(a, p)
		switch {
		case ok && p.Rendering != nil:
			c.adds = slotTokens(p.Rendering)
			out = append(out, c)
		case ok:
			out = append(out, c)
		case p.Passage == nil || !ends[i+1] || len(out) == 0:
			continue // counts with what follows
		}
		out[len(out)-1].adds += p.Total - before
		before = p.Total
	}
	return out
}

// messageEnds are the indices behind the last parts of messages.
func messageEnds(a *prompt.Artifact) map[int]bool {
	out := map[int]bool{}
	for _, m := range a.Messages {
		if n := len(m.Blocks); n > 0 {
			out[m.Blocks[n-1].To] = true
		}
	}
	return out
}

// inCharacters gives the runes of everything that an artifact says, in order.
func inCharacters(a *prompt.Artifact) []cost {
	var out []cost
	for _, p := range a.Parts {
		if c, ok := costOf(a, p); ok {
			c.adds = utf8.RuneCountInString(p.Text)
			out = append(out, c)
		}
	}
	return out
}

// costOf names whose text a part is, as the snapshots do.
func costOf(a *prompt.Artifact, p prompt.Part) (cost, bool) {
	switch {
	case p.Rendering != nil:
		return cost{name: a.Build.Prompt.Sections[p.Section].ID.Str, section: p.Section}, true
	case p.Passage != nil && p.Passage.Content != nil:
		return cost{name: p.Passage.Content.Name(), section: -1}, true
	default:
		return cost{}, false
	}
}

// largest names what costs most, so many at most.
func largest(a *prompt.Artifact, costs []cost, most int) diag.Words {
	slices.SortStableFunc(costs, func(x, y cost) int { return cmp.Compare(y.adds, x.adds) })
	var words []string
	for _, c := range costs[:min(most, len(costs))] {
		words = append(words, c.name+" "+diag.Count(c.adds).String())
	}
	return diag.Say("largest-parts", strings.Join(words, ", "), a.Variant.Name)
}

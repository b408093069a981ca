package diff

import (
	"cmp"
	"slices"
	"sort"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ground finds tools by places in their definitions: by the paths of files the
// tools in the order of their places, which do not overlap unless they are the
// same.
type ground map[string][]*prompt.Tool

func groundOf(tools []*prompt.Tool) ground {
	out := ground{}
	for _, t := range tools {
		if t.At.Known() {
			out[t.At.File.Path] = append(out[t.At.File.Path], t)
		}
	}
	for _, same := range out {
		slices.SortStableFunc(same, func(a, b *prompt.Tool) int { return cmp.Compare(a.At.Start, b.At.Start) })
	}
	return out
}

// at gives the tools whose definition has a place in it.
func (g ground) at(place diag.Span) []*prompt.Tool {
	if !place.Known() {
		return nil
	}
	tools := g[place.File.Path]
	end := sort.Search(len(tools), func(i int) bool { return tools[i].At.Start > place.Start })
	first := end
	for first > 0 && place.End <= tools[first-1].At.End {
		first--
	}
	return tools[first:end]
}

// toolCover tells the hunks around the items of a change that are made from the
// definitions of tools, such as a worked example, and follow from a change of
// them.
type toolCover struct {
	differ     bool
	base, head ground
}

func (r *run) toolCover(c *change, t twin) toolCover {
	if !r.toolsDiffer(c, t) {
		return toolCover{}
	}
	return toolCover{true, groundOf(c.base.Tools), groundOf(c.head.Tools)}
}

func (o toolCover) has(c *change, h hunk) bool {
	if !o.differ {
		return false
	}
	placed := 0
	for _, side := range []struct {
		text  prompt.Text
		tools ground
	}{
		{part(c.before.around, h.start, h.end), o.base},
		{part(c.after.around, h.newStart, h.newEnd), o.head},
	} {
		for _, seg := range side.text.Segs {
			if len(side.tools.at(seg.At)) == 0 {
				return false
			}
		}
		placed += len(side.text.Segs)
	}
	return placed > 0
}

// part cuts a text where hunks count a line break behind its end.
func part(t prompt.Text, start, end int) prompt.Text {
	return t.Slice(min(start, len(t.Str)), min(end, len(t.Str)))
}

// toolsDiffer reports whether the tools of the two renderings do, or their
// order.
func (r *run) toolsDiffer(c *change, t twin) bool {
	return !slices.EqualFunc(c.base.Tools, c.head.Tools, func(a, b *prompt.Tool) bool {
		return a.Name == b.Name && !r.showsEdit(t, a.Name)
	})
}

package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolMoveKey groups tools that stand elsewhere among the tools of a section.
type toolMoveKey struct {
	name, from, to string
	at             diag.Span
}

// toolMove is a tool that stands elsewhere in one section.
type toolMove struct{ name, from, to string }

// reorderedTools finds the tools that stand in another order in the text, or
// beside it. Each section is looked at by itself: where two of them change
// places, that is a move of sections.
func (r *run) reorderedTools(p *pair) {
	known := map[[2]*prompt.Rendering][]toolMove{}
	for _, s := range p.sections {
		for _, t := range p.twins {
			was, is := t.used(s)
			if !t.both() || was == nil || is == nil || !showOrder(was, is) {
				continue
			}
			moves, ok := known[[2]*prompt.Rendering{was, is}]
			if !ok {
				moves = orderOfTools(was.Tools, is.Tools)
				known[[2]*prompt.Rendering{was, is}] = moves
			}
			for _, m := range moves {
				r.reordered(t, s, m)
			}
		}
	}
}

// showOrder reports whether two renderings both send the order of their tools:
// beside the text, or in texts of one form.
func showOrder(was, is *prompt.Rendering) bool {
	return was.Beside && is.Beside || was.Text.Str != "" && is.Text.Str != "" && formOf(was) == formOf(is)
}

// orderOfTools gives the fewest moves between two lists of tools.
func orderOfTools(was, is []*prompt.Tool) []toolMove {
	before, after := toolNames(was), toolNames(is)
	if slices.Equal(before, after) {
		return nil
	}
	var out []toolMove
	for _, name := range movedOf(before, after, nil) {
		out = append(out, toolMove{name, placeIn(before, name), placeIn(after, name)})
	}
	return out
}

func toolNames(tools []*prompt.Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Name
	}
	return out
}

func (r *run) reordered(t twin, s *section, m toolMove) {
	at := caseAt(s.spec().Only)
	if !at.Known() {
		at = s.spec().ID.At
	}
	e := r.group(toolMoveKey{m.name, m.from, m.to, at}, func() *prompt.Edit {
		return &prompt.Edit{
			Kind: prompt.Moved, Tool: m.name, From: m.from, To: m.to, At: at,
			Event: toolEvent(t.head, toolOf(t.head, m.name)),
		}
	})
	reach(e, t)
}

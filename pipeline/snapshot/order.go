package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// standardJoin stands between two sections unless the manifest sets another.
const standardJoin = "\n\n"

// joins are the texts between the sections of a prompt.
type joins struct {
	usual string
	// before are, by section, the joins before it with their variants; an empty
	// cell is the usual join.
	before []table
	// endings are the lines for variants that end in another way than their
	// dialect says.
	endings table
}

// joins reads the joins off the emitted bytes.
func (w *writer) joins() joins {
	out := joins{usual: w.usualJoin(), before: make([]table, len(w.build.Prompt.Sections))}
	for v, a := range w.artifacts {
		if a == nil || messaged(a) {
			continue // blocks show the joins between messages' pieces
		}
		pending, usual, notice := "", "", a.NoticePart()
		for i, p := range a.Parts {
			switch {
			case i == notice:
				pending = "" // the join before it is shown with it
			case p.Section < 0:
				pending += p.Text
			default:
				mark := ""
				if pending != usual {
					mark = fmt.Sprintf("join %q", pending)
				}
				out.before[p.Section].addOne(len(w.artifacts), v, mark)
				pending, usual = "", out.usual
			}
		}
		ending := "\n" // a text ends in one line break, and in a request body nothing does
		if isJSON(a) {
			ending = ""
		}
		if pending != ending && len(a.Parts) > 0 {
			out.endings.addOne(len(w.artifacts), v, fmt.Sprintf("%q", pending))
		}
	}
	return out
}

// joinMarks gives the unusual joins of a row. It names the variants only
// where those of the row differ.
func (w *writer) joinMarks(before *table, users prompt.Set) []string {
	var out []string
	for _, l := range before.sorted() {
		here := users.Intersect(l.users)
		switch {
		case l.cells[0] == "" || here.First() < 0:
		case here.Equal(users):
			out = append(out, l.cells[0])
		default:
			out = append(out, l.cells[0]+" in "+w.cover.Describe(here))
		}
	}
	return out
}

// usualJoin gives the join that all variants declare, or the standard one
// where they differ.
func (w *writer) usualJoin() string {
	declared := map[string]bool{}
	for _, v := range w.build.Variants {
		declared[v.Join.Str] = true
	}
	if len(declared) != 1 {
		return standardJoin
	}
	return w.build.Variants[0].Join.Str
}

// merged gives every name of some sequences once: those of the first, and
// each further one behind the name that it follows in its own sequence.
func merged(sequences [][]string) []string {
	names, next := []string{""}, []int{0} // a ring that begins and ends at 0
	known := map[string]int{}
	for _, sequence := range sequences {
		at := 0
		for _, name := range sequence {
			i, ok := known[name]
			if !ok {
				i = len(names)
				known[name] = i
				names, next = append(names, name), append(next, next[at])
				next[at] = i
			}
			at = i
		}
	}
	var out []string
	for i := next[0]; i != 0; i = next[i] {
		out = append(out, names[i])
	}
	return out
}

// follows reports whether names stand in the order of a list that has all of
// them.
func follows(names []string, rank map[string]int) bool {
	return slices.IsSortedFunc(names, func(a, b string) int { return rank[a] - rank[b] })
}

func ranks(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		out[name] = i
	}
	return out
}

// sequence is an order of names that a variant has: the names that it emits, and
// the whole order that they are taken from, which variants with the same order
// have in common.
type sequence struct{ emitted, whole []string }

// outlineSectionOrders writes a block for each order of sections, where not
// all variants have the one that the lines above show.
func (w *writer) outlineSectionOrders(b *strings.Builder, order []int) {
	ids := func(sections []int) []string {
		var out []string
		for _, section := range sections {
			out = append(out, w.build.Prompt.Sections[section].ID.Str)
		}
		return out
	}
	w.outlineOrders(b, "order", ids(order), func(a *prompt.Artifact) (sequence, bool) {
		if blocky(a) {
			return sequence{}, false // its block shows its order
		}
		var emitted []int
		for _, p := range a.Parts {
			if p.Section >= 0 {
				emitted = append(emitted, p.Section)
			}
		}
		out := sequence{ids(emitted), ids(a.Variant.Order)}
		if !follows(out.emitted, ranks(out.whole)) {
			out.whole = out.emitted
		}
		return out, true
	})
}

// outlineToolOrders does the same for the tools beside the text: models read
// them in that order.
func (w *writer) outlineToolOrders(b *strings.Builder, order []int) {
	var shown []string
	for _, section := range order {
		var inSection [][]string
		for _, h := range w.sections[section] {
			inSection = append(inSection, toolNames(h.Rendering.Tools))
		}
		shown = append(shown, merged(inSection)...)
	}
	w.outlineOrders(b, "tools", shown, func(a *prompt.Artifact) (sequence, bool) {
		names := toolNames(a.Beside)
		return sequence{names, names}, true
	})
}

func toolNames(tools []*prompt.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// outlineOrders compares every variant's sequence with the one shown. Where
// one differs, the variants are put together by how they differ: a block for
// those that follow the shown order, and one for each other.
func (w *writer) outlineOrders(b *strings.Builder, title string, shown []string, of func(*prompt.Artifact) (sequence, bool)) {
	rank := ranks(shown)
	var blocks table
	differ := false
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		s, ok := of(a)
		switch {
		case !ok:
			continue
		case follows(s.emitted, rank):
			s.whole = nil
		default:
			differ = true
		}
		blocks.addOne(len(w.artifacts), v, s.whole...)
	}
	if !differ {
		return
	}
	for _, block := range blocks.sorted() {
		fmt.Fprintf(b, "\n## %s in %s\n", title, w.cover.Describe(block.users))
		if len(block.cells) == 0 {
			b.WriteString("(as above)\n")
		}
		for _, name := range block.cells {
			b.WriteString(quoteName(name) + "\n")
		}
	}
}

package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// standardJoin is what stands between two sections unless the manifest says
// else.
const standardJoin = "\n\n"

// joins are what stands between the sections of a prompt.
type joins struct {
	usual string
	// before says, by section, what stands before it and in which variants; an
	// empty cell is the usual.
	before []table
	// endings are the lines for variants that end in another way than their
	// dialect says.
	endings table
}

// joins reads what stands between sections off the emitted bytes.
func (w *writer) joins() joins {
	n := len(w.build.Prompt.Sections)
	out := joins{usual: w.usualJoin(), before: make([]table, n)}
	for v, a := range w.artifacts {
		if a == nil || messaged(a) {
			continue // blocks show the joins between messages' pieces
		}
		pending, usual, notice := "", "", a.NoticePart()
		for i, p := range a.Parts {
			switch {
			case i == notice:
				pending = "" // the join before it is shown with it
			case p.Section < 0 || p.Section >= n:
				pending += p.Text
			case p.Text != "":
				mark := ""
				if pending != usual {
					mark = fmt.Sprintf("join %q", pending)
				}
				out.before[p.Section].add(w.only(v), mark)
				pending, usual = "", out.usual
			}
		}
		if pending != ending(a) && len(a.Parts) > 0 {
			out.endings.add(w.only(v), fmt.Sprintf("%q", pending))
		}
	}
	return out
}

// ending gives what follows the last section: a text ends in one line break,
// and in a request body nothing does.
func ending(a *prompt.Artifact) string {
	if isJSON(a) {
		return ""
	}
	return "\n"
}

// joinMarks gives the unusual joins of a row. It names the variants only
// where those of the row differ.
func (w *writer) joinMarks(before *table, users prompt.Set) []string {
	var out []string
	for _, l := range before.sorted() {
		here := users.Minus(users.Minus(l.users))
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
	for _, v := range w.build.Variants {
		if v.Join.Str != w.build.Variants[0].Join.Str {
			return standardJoin
		}
	}
	if len(w.build.Variants) == 0 {
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

// sequence is an order of names that a variant has: those that it emits, and
// the whole of the order that they are taken from, which is what variants
// with the same order have in common.
type sequence struct {
	emitted, whole []string
	// elsewhere says that the variant's order is shown in another way.
	elsewhere bool
}

// outlineSectionOrders writes a block for each order of sections, where not
// all variants have the one that the lines above show.
func (w *writer) outlineSectionOrders(b *strings.Builder, order []int) {
	id := func(section int) string { return w.build.Prompt.Sections[section].ID.Str }
	shown := make([]string, 0, len(order))
	for _, section := range order {
		shown = append(shown, id(section))
	}
	w.outlineOrders(b, "order", shown, func(a *prompt.Artifact) sequence {
		var out sequence
		if out.elsewhere = blocky(a); out.elsewhere {
			return out
		}
		for _, p := range a.Parts {
			if p.Section >= 0 && p.Section < len(order) && p.Text != "" {
				out.emitted = append(out.emitted, id(p.Section))
			}
		}
		for _, section := range a.Variant.Order {
			out.whole = append(out.whole, id(section))
		}
		if !follows(out.emitted, ranks(out.whole)) {
			out.whole = out.emitted
		}
		return out
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
	w.outlineOrders(b, "tools", shown, func(a *prompt.Artifact) sequence {
		names := toolNames(a.Beside)
		return sequence{emitted: names, whole: names}
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
func (w *writer) outlineOrders(b *strings.Builder, title string, shown []string, of func(*prompt.Artifact) sequence) {
	rank := ranks(shown)
	var blocks table
	differ := false
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		s := of(a)
		if s.elsewhere {
			continue
		}
		if follows(s.emitted, rank) {
			s.whole = nil
		} else {
			differ = true
		}
		blocks.add(w.only(v), s.whole...)
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

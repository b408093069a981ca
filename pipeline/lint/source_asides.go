package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// asides are the values of the manifest that speak of text and send none: what
// `expect` asks for, and the reasons of `checks`.
type asides struct {
	// all are their places, and sought those of `contains` and `lacks`, by
	// offset. None is also the value of another key, as an alias may be.
	all, sought []diag.Span
}

// asidesOf gives the asides of a manifest.
func asidesOf(manifest *prompt.Node) *asides {
	var out asides
	uses := map[*prompt.Node]int{} // beside those as an aside; aliases share a node
	take := func(n *prompt.Node, spans ...*[]diag.Span) {
		if n == nil || !n.IsScalar() || !n.At.Known() {
			return
		}
		uses[n]--
		for _, s := range spans {
			*s = append(*s, n.At)
		}
	}
	for _, row := range items(manifest.Field("checks")) {
		take(row.Field("reason"), &out.all)
	}
	for _, p := range fieldsOf(manifest.Field("prompts")) {
		for _, e := range items(p.Value.Field("expect")) {
			take(e.Field("contains"), &out.all, &out.sought)
			take(e.Field("lacks"), &out.all, &out.sought)
			take(e.Field("section"), &out.all)
			take(e.Field("tool"), &out.all)
			for _, id := range items(e.Field("order")) {
				take(id, &out.all)
			}
		}
	}
	if len(out.all) == 0 {
		return &out
	}
	for _, f := range fieldsOf(manifest) {
		if !strings.HasPrefix(f.Key, "x-") {
			scalars(f.Value, func(n *prompt.Node) { uses[n]++ })
		}
	}
	others := map[int]bool{}
	for n, count := range uses {
		if count > 0 {
			others[n.At.Start] = true
		}
	}
	for _, spans := range []*[]diag.Span{&out.all, &out.sought} {
		*spans = slices.DeleteFunc(*spans, func(at diag.Span) bool { return others[at.Start] })
		slices.SortFunc(*spans, func(a, b diag.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return &out
}

// quoted reports whether some bytes of a text are a part of what the manifest
// only speaks of.
func (w written) quoted(start, end int) bool {
	return w.asides != nil && inSpans(w.text.Span(start, end), w.asides.all)
}

// sought reports whether some bytes stand as escapes in a text that is looked
// for: whoever reads the manifest sees them.
func (w written) sought(start, end int) bool {
	return w.asides != nil && !w.whole && inSpans(w.text.Span(start, end), w.asides.sought)
}

// inSpans reports whether a place is in one of some, which are sorted.
func inSpans(at diag.Span, spans []diag.Span) bool {
	i, found := slices.BinarySearchFunc(spans, at.Start, func(s diag.Span, start int) int { return cmp.Compare(s.Start, start) })
	if !found {
		i--
	}
	return at.Known() && i >= 0 && at.End <= spans[i].End
}

func items(n *prompt.Node) []*prompt.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func fieldsOf(n *prompt.Node) []prompt.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// scalars visits the scalars at and below a node.
func scalars(n *prompt.Node, visit func(*prompt.Node)) {
	if n == nil {
		return
	}
	if n.IsScalar() {
		visit(n)
	}
	for _, item := range n.Items {
		scalars(item, visit)
	}
	for _, f := range n.Fields {
		scalars(f.Value, visit)
	}
}

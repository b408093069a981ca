package validate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// asides collects the values that speak of text and send none.
type asides struct {
	all, sought []*prompt.Node
}

func (a *asides) take(n *prompt.Node, sought bool) {
	if n == nil || !n.IsScalar() || !n.At.Known() {
		return
	}
	a.all = append(a.all, n)
	if sought {
		a.sought = append(a.sought, n)
	}
}

// places gives the places of the values that nothing else in the manifest uses:
// aliases share a node.
func (a *asides) places(manifest *prompt.Node) prompt.Asides {
	if len(a.all) == 0 {
		return prompt.Asides{}
	}
	uses := map[*prompt.Node]int{} // beside those as an aside
	for _, n := range a.all {
		uses[n]--
	}
	for _, f := range entries(manifest) {
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
	only := func(nodes []*prompt.Node) []diag.Span {
		var out []diag.Span
		for _, n := range nodes {
			if !others[n.At.Start] {
				out = append(out, n.At)
			}
		}
		slices.SortFunc(out, func(a, b diag.Span) int { return cmp.Compare(a.Start, b.Start) })
		return out
	}
	return prompt.Asides{All: only(a.all), Sought: only(a.sought)}
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

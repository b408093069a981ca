package validate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// asides collects the values that speak of text and send none.
type asides struct {
	all, sought []*ground.Node
}

func (a *asides) take(n *ground.Node, sought bool) {
	if n == nil || !n.IsScalar() || !n.At.Known() {
		return
	}
	a.all = append(a.all, n)
	if sought {
		a.sought = append(a.sought, n)
	}
}

// places gives the places of the values that nothing else in the manifest, with
// what it extends, uses: aliases share a node.
func (a *asides) places(manifest *ground.Node) map[*diag.File]*language.Asides {
	if len(a.all) == 0 {
		return nil
	}
	uses := map[*ground.Node]int{} // beside those as an aside
	for _, n := range a.all {
		uses[n]--
	}
	for _, f := range manifest.Entries() {
		if !strings.HasPrefix(f.Key, "x-") && f.Key != "defaults" { // which prompts have
			scalars(f.Value, func(n *ground.Node) { uses[n]++ })
		}
	}
	others := map[diag.Span]bool{}
	for n, count := range uses {
		if count > 0 {
			others[diag.Span{File: n.At.File, Start: n.At.Start}] = true
		}
	}
	out := map[*diag.File]*language.Asides{}
	of := func(n *ground.Node) *language.Asides {
		if out[n.At.File] == nil {
			out[n.At.File] = &language.Asides{}
		}
		return out[n.At.File]
	}
	unused := func(nodes []*ground.Node) []*ground.Node {
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(n *ground.Node) bool {
			return others[diag.Span{File: n.At.File, Start: n.At.Start}]
		})
		slices.SortFunc(nodes, func(a, b *ground.Node) int { return cmp.Compare(a.At.Start, b.At.Start) })
		return nodes
	}
	for _, n := range unused(a.all) {
		of(n).All = append(of(n).All, n.At)
	}
	for _, n := range unused(a.sought) {
		of(n).Sought = append(of(n).Sought, n.At)
	}
	return out
}

// scalars visits the scalars at and below a node.
func scalars(n *ground.Node, visit func(*ground.Node)) {
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

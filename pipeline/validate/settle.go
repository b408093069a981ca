package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The keys that a fixture, and what is in it, may leave out. What is empty
// under them is as if they were not there, because programs that write
// fixtures write it so.
var (
	fixtureKeys = []string{"workspace", "selected", "tiers", "symbols", "legend", "history", "urls", "review", "images"}
	tierNames   = []string{"L0", "L1", "L2", "L3"}
	pageKeys    = []string{"title", "content", "symbols"}
	reviewKeys  = []string{"summary", "commits", "stats", "symbols", "diffs"}
	diffKeys    = []string{"path"}
)

// settled gives a fixture in which null stands for all that is empty and may
// be. The fixture itself stays as it is.
func settled(n *prompt.Node) *prompt.Node {
	if n == nil {
		return nil
	}
	return without(n, fixtureKeys, func(key string, value *prompt.Node) *prompt.Node {
		switch key {
		case "tiers":
			return hollow(without(value, tierNames, nil), tierNames)
		case "urls":
			return eachItem(value, func(page *prompt.Node) *prompt.Node { return without(page, pageKeys, nil) })
		case "review":
			return hollow(without(value, reviewKeys, settledDiffs), reviewKeys)
		default:
			return value
		}
	})
}

func settledDiffs(key string, value *prompt.Node) *prompt.Node {
	if key != "diffs" {
		return value
	}
	return eachItem(value, func(diff *prompt.Node) *prompt.Node { return without(diff, diffKeys, nil) })
}

// without gives a mapping with null for its empty values of some keys; the
// others of these keys are as inner makes them.
func without(n *prompt.Node, keys []string, inner func(string, *prompt.Node) *prompt.Node) *prompt.Node {
	if n.Kind != prompt.Mapping {
		return n
	}
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i, f := range out.Fields {
		switch {
		case !slices.Contains(keys, f.Key):
		case isNothing(f.Value):
			out.Fields[i].Value = nothing(f.Value)
		case inner != nil:
			out.Fields[i].Value = inner(f.Key, f.Value)
		}
	}
	return &out
}

// hollow gives null for a mapping in which all keys are known and null.
func hollow(n *prompt.Node, keys []string) *prompt.Node {
	if n.Kind != prompt.Mapping || slices.ContainsFunc(n.Fields, func(f prompt.Field) bool {
		return !slices.Contains(keys, f.Key) || f.Value.Kind != prompt.Null
	}) {
		return n
	}
	return nothing(n)
}

// eachItem gives a list with its entries as one makes them.
func eachItem(n *prompt.Node, one func(*prompt.Node) *prompt.Node) *prompt.Node {
	if n.Kind != prompt.Sequence {
		return n
	}
	out := *n
	out.Items = make([]*prompt.Node, len(n.Items))
	for i, item := range n.Items {
		out.Items[i] = one(item)
	}
	return &out
}

// isNothing tells null, in all its spellings, and what is empty.
func isNothing(n *prompt.Node) bool {
	if n.IsScalar() {
		return n.Kind == prompt.Null || n.Text.Str == "" || wordForNothing(n)
	}
	return len(n.Items)+len(n.Fields) == 0
}

// nothing gives null in the place of a value.
func nothing(n *prompt.Node) *prompt.Node { return &prompt.Node{Kind: prompt.Null, At: n.At} }

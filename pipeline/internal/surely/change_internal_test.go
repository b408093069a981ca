package surely

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// changed gives a copy of a node with a few random changes; parts are what may
// be put in.
func changed(random *rand.Rand, n *prompt.Node, parts []*prompt.Node) *prompt.Node {
	out := copied(n)
	for range 1 + random.IntN(2) {
		all := inner(out)
		change(random, all[random.IntN(len(all))], parts)
	}
	return out
}

func copied(n *prompt.Node) *prompt.Node {
	out := *n
	out.Items = slices.Clone(n.Items)
	for i, item := range out.Items {
		out.Items[i] = copied(item)
	}
	out.Fields = slices.Clone(n.Fields)
	for i, f := range out.Fields {
		out.Fields[i].Value = copied(f.Value)
	}
	return &out
}

// scalars are the odd ones.
var scalars = []prompt.Node{
	{Kind: prompt.Null, Text: prompt.Literal("null")},
	{Kind: prompt.Bool, Text: prompt.Literal("true")},
	{Kind: prompt.Bool, Text: prompt.Literal("false")},
	{Kind: prompt.Number, Text: prompt.Literal("0")},
	{Kind: prompt.Number, Text: prompt.Literal("-0")},
	{Kind: prompt.Number, Text: prompt.Literal("-1")},
	{Kind: prompt.Number, Text: prompt.Literal("1")},
	{Kind: prompt.Number, Text: prompt.Literal("1.0")},
	{Kind: prompt.Number, Text: prompt.Literal("1e0")},
	{Kind: prompt.Number, Text: prompt.Literal("0.5")},
	{Kind: prompt.Number, Text: prompt.Literal("1.00000000000000000001")},
	{Kind: prompt.Number, Text: prompt.Literal("0.999999999999999999999")},
	{Kind: prompt.Number, Text: prompt.Literal("1000000000")},
	{Kind: prompt.Number, Text: prompt.Literal("1000000001")},
	{Kind: prompt.Number, Text: prompt.Literal("99999999999999999999")},
	{Kind: prompt.String},
	{Kind: prompt.String, Text: prompt.Literal(" \t\n")},
	{Kind: prompt.String, Text: prompt.Literal("\u00a0")},
	{Kind: prompt.String, Text: prompt.Literal("1")},
	{Kind: prompt.String, Text: prompt.Literal("auto")},
	{Kind: prompt.String, Text: prompt.Literal("con")},
	{Kind: prompt.String, Text: prompt.Literal("90%")},
	{Kind: prompt.String, Text: prompt.Literal(strings.Repeat("é", 64))},
	{Kind: prompt.Sequence},
	{Kind: prompt.Mapping},
}

// keys are some that mean something, and some that do not, or to one draft only.
var keys = []string{
	"x-a", "unknown", "createdAt", "text", "path", "when", "value", "CON", "",
	"exclusiveMinimum", "multipleOf", "dependencies", "dependentRequired", "additionalItems", "prefixItems", "if", "$id", "$anchor",
}

func change(random *rand.Rand, n *prompt.Node, parts []*prompt.Node) {
	part := parts[random.IntN(len(parts))]
	switch random.IntN(7) {
	case 0:
		*n = scalars[random.IntN(len(scalars))]
	case 1:
		*n = *copied(part)
	case 2:
		*n = prompt.Node{Kind: prompt.Sequence, Items: []*prompt.Node{copied(n), copied(part)}[:1+random.IntN(2)]}
	case 3:
		if len(n.Fields) > 0 {
			i := random.IntN(len(n.Fields))
			n.Fields = slices.Delete(n.Fields, i, i+1)
		}
	case 4:
		if len(n.Items) > 0 {
			n.Items = append(n.Items, copied(n.Items[random.IntN(len(n.Items))]))
		}
	case 5:
		key := keys[random.IntN(len(keys))]
		if n.Kind == prompt.Mapping && n.Field(key) == nil {
			n.Fields = append(n.Fields, prompt.Field{Key: key, Value: copied(part)})
		}
	case 6:
		if len(part.Fields) > 0 {
			f := part.Fields[random.IntN(len(part.Fields))]
			if n.Kind == prompt.Mapping && n.Field(f.Key) == nil {
				n.Fields = append(n.Fields, prompt.Field{Key: f.Key, Value: copied(f.Value)})
			}
		}
	}
}

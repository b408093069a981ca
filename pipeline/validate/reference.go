package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// references checks the `$ref`s of one schema. Each value of the schema is
// looked at once, however the references are chained.
type references struct {
	reader  *toolReader
	where   *finder
	what    string
	anchors map[string]*prompt.Node
	// targets are what a reference leads to, by its text, filled as asked for.
	targets map[string]*prompt.Node
}

// refKeys are the keywords that refer to another schema.
var refKeys = []string{"$ref", "$dynamicRef", "$recursiveRef"}

func (r *references) check() {
	r.anchors = map[string]*prompt.Node{}
	r.targets = map[string]*prompt.Node{}
	each(r.where.root, r.anchor)
	next := map[*prompt.Node]*prompt.Node{} // from a schema to what its $ref leads to
	var order []*prompt.Node
	each(r.where.root, func(n *prompt.Node) {
		for _, f := range n.Fields {
			if !slices.Contains(refKeys, f.Key) || f.Value.Kind != prompt.String {
				continue
			}
			target := r.one(f.Value)
			if f.Key == "$ref" && target != nil {
				next[n] = target
				order = append(order, n)
			}
		}
	})
	r.loops(next, order)
}

// anchor notes the names that a schema gives itself.
func (r *references) anchor(n *prompt.Node) {
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if a := n.Field(key); a != nil && a.Kind == prompt.String {
			r.anchors[a.Text.Str] = n
		}
	}
	for _, key := range []string{"$id", "id"} {
		if a := n.Field(key); a != nil && strings.HasPrefix(a.Scalar(), "#") {
			r.anchors[a.Text.Str[1:]] = n
		}
	}
}

// one gives what a reference leads to, nil after a finding.
func (r *references) one(ref *prompt.Node) *prompt.Node {
	text := ref.Text.Str
	target, known := r.targets[text]
	if !known && strings.HasPrefix(text, "#") {
		target = r.follow(text[1:])
	}
	r.targets[text] = target
	switch {
	case target != nil:
		return target
	case strings.HasPrefix(text, "#"):
		r.refuse(ref, "the reference %s in %s leads nowhere", "add what it names, for example under \"$defs\"")
	default:
		r.refuse(ref, "the reference %s in %s leaves the schema", "copy what it names under \"$defs\" and refer to \"#/$defs/…\"; nothing is ever opened or fetched")
	}
	return nil
}

func (r *references) refuse(ref *prompt.Node, format, hint string) {
	r.reader.found = append(r.reader.found, diag.New(diag.RefusedRef, firstLine(ref.At), format, quote(ref.Text.Str), r.what).WithHint("%s", hint))
}

// follow finds what a fragment names: a JSON Pointer or an anchor.
func (r *references) follow(fragment string) *prompt.Node {
	if fragment == "" {
		return r.where.root
	}
	if !strings.HasPrefix(fragment, "/") {
		return r.anchors[fragment]
	}
	return r.where.find(pointer(fragment)).node
}

// loops reports references that lead back to themselves by references alone,
// so that nothing is ever described.
func (r *references) loops(next map[*prompt.Node]*prompt.Node, order []*prompt.Node) {
	walk := map[*prompt.Node]int{} // the walk that a schema was first met on
	for i, start := range order {
		for n := start; n != nil; n = next[n] {
			if met := walk[n]; met != 0 {
				if met == i+1 {
					r.refuse(n.Field("$ref"), "the reference %s in %s leads back to itself", "let it lead to a schema that says something")
				}
				break
			}
			walk[n] = i + 1
		}
	}
}

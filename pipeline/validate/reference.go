package validate

import (
	"net/url"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// references checks the `$ref`s of one schema. Each value of the schema is
// looked at once, however the references are chained.
type references struct {
	reader *toolReader
	where  *finder
	what   string
	// resources are the schemas that have an address by their `$id`, and the
	// whole, which may have none.
	resources map[string]*resource
	// within are those that each schema is in.
	within map[*prompt.Node]*resource
	// targets are what a reference leads to, by its text, filled as asked for.
	targets map[referred]*prompt.Node
}

// resource is a schema that references are relative to: the whole one, or one
// inside it that has an `$id`.
type resource struct {
	address *url.URL
	where   *finder
	anchors map[string]*prompt.Node
}

// referred is a reference as it is written within a resource.
type referred struct {
	within *resource
	text   string
}

// refKeys are the keywords that refer to another schema.
var refKeys = []string{"$ref", "$dynamicRef", "$recursiveRef"}

func (r *references) check() {
	whole := &resource{address: &url.URL{}, where: r.where, anchors: map[string]*prompt.Node{}}
	r.resources = map[string]*resource{"": whole}
	r.targets = map[referred]*prompt.Node{}
	r.within = map[*prompt.Node]*resource{}
	eachWithin(r.where.root, whole, r.name)
	next := map[*prompt.Node]*prompt.Node{} // from a schema to what its $ref leads to
	var order []*prompt.Node
	each(r.where.root, func(n *prompt.Node) {
		for _, f := range n.Fields {
			if !slices.Contains(refKeys, f.Key) || f.Value.Kind != prompt.String {
				continue
			}
			target := r.one(f.Value, r.within[n])
			if f.Key == "$ref" && target != nil {
				next[n] = target
				order = append(order, n)
			}
		}
	})
	r.loops(next, order)
}

// name notes the names that a schema gives itself, and gives what references
// from there on are relative to.
func (r *references) name(n *prompt.Node, within *resource) *resource {
	if id := n.Field("$id"); id != nil && id.Kind == prompt.String {
		text, _, _ := strings.Cut(id.Text.Str, "#")
		if address, err := within.address.Parse(text); err == nil && text != "" {
			within = &resource{address: address, where: newFinder(n), anchors: map[string]*prompt.Node{}}
			r.resources[address.String()] = within
		}
	}
	r.within[n] = within
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if a := n.Field(key); a != nil && a.Kind == prompt.String {
			within.anchors[a.Text.Str] = n
		}
	}
	for _, key := range []string{"$id", "id"} {
		if a := n.Field(key); a != nil && strings.HasPrefix(a.Scalar(), "#") {
			within.anchors[a.Text.Str[1:]] = n
		}
	}
	return within
}

// one gives what a reference leads to, nil after a finding.
func (r *references) one(ref *prompt.Node, within *resource) *prompt.Node {
	text := ref.Text.Str
	address, fragment, _ := strings.Cut(text, "#")
	home := within
	if address != "" {
		home = nil
		if to, err := within.address.Parse(address); err == nil {
			home = r.resources[to.String()]
		}
	}
	target, known := r.targets[referred{within, text}]
	if !known && home != nil {
		target = home.follow(fragment)
		if target == nil && address == "" { // as readers take it that know no `$id`
			target = r.resources[""].follow(fragment)
		}
	}
	r.targets[referred{within, text}] = target
	switch {
	case target != nil:
		return target
	case home != nil:
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
func (r *resource) follow(fragment string) *prompt.Node {
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

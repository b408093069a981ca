package subschema

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// Refs knows what the references in a schema lead to.
type Refs struct {
	// Schemas are the schema and those in it, outermost first, each once.
	Schemas []*ground.Node
	// base gives the address that the references of a schema are relative to: the
	// `$id` around it.
	base map[*ground.Node]*url.URL
	// named are the schemas with a name of their own, by address, `#` and anchor.
	named map[string]*ground.Node
	// fields are those of the mappings that pointers lead through, of which each may
	// have many.
	fields map[*ground.Node]map[string]*ground.Node
}

// Ref is a reference to another schema.
type Ref struct {
	ground.Field
	To      *ground.Node // nil where it leads nowhere
	Outside bool         // it leads out of the schema
}

// ReadRefs reads the names that a schema and those in it give themselves.
func ReadRefs(root *ground.Node) *Refs {
	r := &Refs{
		base: map[*ground.Node]*url.URL{}, named: map[string]*ground.Node{"#": root},
		fields: map[*ground.Node]map[string]*ground.Node{},
	}
	r.name(root, &url.URL{})
	return r
}

func (r *Refs) name(n *ground.Node, base *url.URL) {
	if n.Kind != ground.Mapping || r.base[n] != nil {
		return
	}
	for _, key := range []string{"$id", "id", "$anchor", "$dynamicAnchor"} {
		address, anchor, _ := strings.Cut(n.Field(key).Scalar(), "#")
		if strings.HasSuffix(key, "nchor") {
			address, anchor = "", address
		}
		if to, err := base.Parse(address); err == nil && address != "" && key == "$id" {
			base = to
			r.named[base.String()+"#"] = n
		} else if address == "" && anchor != "" {
			r.named[base.String()+"#"+anchor] = n
		}
	}
	r.Schemas, r.base[n] = append(r.Schemas, n), base
	for _, child := range In(n) {
		r.name(child.Node, base)
	}
}

// Of gives the references that a schema makes itself.
func (r *Refs) Of(schema *ground.Node) []Ref {
	var out []Ref
	for _, f := range schema.Fields {
		if !slices.Contains([]string{"$ref", "$dynamicRef", "$recursiveRef"}, f.Key) || f.Value.Kind != ground.String {
			continue
		}
		address, fragment, _ := strings.Cut(f.Value.Text.Str, "#")
		// A pointer may lead to what no keyword makes a schema.
		home := cmp.Or(r.base[schema], &url.URL{})
		if address != "" {
			home, _ = home.Parse(address)
		}
		if home == nil || r.named[home.String()+"#"] == nil {
			out = append(out, Ref{Field: f, Outside: true})
			continue
		}
		to := r.follow(home.String(), fragment)
		if to == nil && address == "" { // as readers take it that know no `$id`
			to = r.follow("", fragment)
		}
		out = append(out, Ref{Field: f, To: to})
	}
	return out
}

// follow finds what a fragment names: a JSON Pointer or an anchor.
func (r *Refs) follow(address, fragment string) *ground.Node {
	n := r.named[address+"#"]
	if fragment == "" || fragment == "/" {
		return n
	}
	if fragment[0] != '/' {
		return r.named[address+"#"+fragment]
	}
	for step := range strings.SplitSeq(fragment[1:], "/") {
		if plain, err := url.PathUnescape(step); err == nil {
			step = plain
		}
		n = r.step(n, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return n
}

func (r *Refs) step(n *ground.Node, step string) *ground.Node {
	if n == nil || n.Kind != ground.Mapping {
		return n.Step(step)
	}
	if r.fields[n] == nil {
		r.fields[n] = map[string]*ground.Node{}
		for _, f := range n.Fields {
			r.fields[n][f.Key] = f.Value
		}
	}
	return r.fields[n][step]
}

package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// carried are the keys of the protocol's own form that definitions of any shape
// may have without a word.
var carried = []string{"title", "annotations", "icons", "execution", "_meta"}

// canonicalOrder are the keys that come first in the canonical form.
var canonicalOrder = []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}

// canonical collects a definition in its canonical form: all that it says, so
// that nothing of it can change unseen.
type canonical struct {
	own  map[string]*prompt.Node // by the keys of ownKeys; what is not said is nil
	rest []prompt.Field
}

// ownKeys are the keys that mean the same in every definition's canonical form.
var ownKeys = []string{"name", "title", "description", "inputSchema", "outputSchema", "strict"}

// wordKinds are those that every shape writes in the same way, with the kind of
// their values.
var wordKinds = map[string]prompt.NodeKind{
	"name": prompt.String, "title": prompt.String, "description": prompt.String, "strict": prompt.Bool,
}

// add takes the fields of a mapping, of which known are the keys that its shape
// has there.
func (c *canonical) add(n *prompt.Node, known []string) {
	for _, f := range n.Fields {
		kind, word := wordKinds[f.Key]
		switch {
		case !slices.Contains(known, f.Key), word && f.Value.Kind != kind && f.Value.Kind != prompt.Null:
			c.rest = append(c.rest, f)
		case word && f.Value.Scalar() != "" && f.Value.Kind != prompt.Null: // an empty text says nothing
			c.own[f.Key] = f.Value
		}
	}
}

// text writes the canonical JSON. What has the key of something else there gets
// a '_' before it.
func (c *canonical) text() string {
	n := &prompt.Node{Kind: prompt.Mapping}
	taken := map[string]bool{}
	for _, key := range ownKeys {
		taken[key] = true
		if value := c.own[key]; value != nil {
			n.Fields = append(n.Fields, prompt.Field{Key: key, Value: value})
		}
	}
	for _, f := range c.rest {
		for taken[f.Key] {
			f.Key = "_" + f.Key
		}
		taken[f.Key] = true
		n.Fields = append(n.Fields, f)
	}
	return canon.Object(n, canonicalOrder) + "\n"
}

// beyond reports the keys of a definition's mapping that its shape does not
// have. They are kept, so that they show where they change.
func (r *toolReader) beyond(n *prompt.Node, known []string) {
	known = slices.Concat(known, carried)
	r.found = append(r.found, unknowns(others(n, known), known,
		diag.DroppedToolField, "%s of the tool definition is in its snapshot and in no request")...)
}

package lint

import (
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/internal/subschema"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Limits on the walk through a schema. Schemas with more values than that were
// refused before.
const (
	maxSchemas = 40_000
	maxDepth   = 512
)

// schemaAt is one schema inside the schema of a tool.
type schemaAt struct {
	node  *prompt.Node
	name  string // the property that it belongs to, "" for the root
	level int    // objects around it
	depth int
	part  bool // says something of the same value as the schema around it
}

func (s schemaAt) root() bool { return s.depth == 0 }

// schemas gives a schema and every schema in it, outermost first.
func schemas(root *prompt.Node) []schemaAt {
	out := []schemaAt{{node: root}}
	for i := 0; i < len(out) && len(out) < maxSchemas; i++ {
		if out[i].depth < maxDepth {
			out = append(out, out[i].inner()...)
		}
	}
	return slices.DeleteFunc(out, func(s schemaAt) bool { return s.node == nil || s.node.Kind != prompt.Mapping })
}

// inner gives the schemas directly in one.
func (s schemaAt) inner() []schemaAt {
	var out []schemaAt
	for _, child := range subschema.In(s.node) {
		next := schemaAt{node: child.Node, name: s.name, level: s.level, depth: s.depth + 1, part: child.SameValue}
		if isObject(s.node) {
			next.level++
		}
		if child.Keyword == "properties" {
			next.name = child.Name
		}
		out = append(out, next)
	}
	return out
}

func isObject(n *prompt.Node) bool { return hasType(n, "object") || n.Field("properties") != nil }

// hasType reports whether a schema names a type, alone or among others.
func hasType(n *prompt.Node, name string) bool {
	kind := n.Field("type")
	if kind == nil {
		return false
	}
	return kind.Kind == prompt.String && kind.Text.Str == name ||
		slices.ContainsFunc(kind.Items, func(item *prompt.Node) bool { return item.Scalar() == name })
}

// breach is one place where a schema breaks a rule.
type breach struct {
	at   diag.Span
	name string // goes into the rule's words
}

// rule is something that a provider asks of the schemas of tools.
type rule struct {
	strict bool   // asked of strict tools only
	reason string // what is wrong in a word or two; of strict tools it is "strict"
	level  diag.Level
	words  string // what is wrong; %s is the breach's name
	hint   string
	find   func(all []schemaAt) []breach
}

// schema judges the schema of a tool by the rules of a provider: one objection
// for each rule, at the first place that breaks it.
func (p provider) schema(t *prompt.Tool) []prompt.Objection {
	var out []prompt.Objection
	all := schemas(t.Input)
	if len(all) == 0 {
		return nil
	}
	for _, r := range p.rules {
		if r.strict && !t.Strict {
			continue
		}
		found := r.find(all)
		if len(found) == 0 {
			continue
		}
		code, in, reason := diag.SchemaRefused, "", r.reason
		if r.strict {
			code, in, reason = diag.StrictRefused, " as strict", "strict"
		}
		verb := "refuses"
		if r.level == diag.Warning {
			verb = "asks for another form of"
		}
		first := found[0]
		says := r.says(first.name)
		d := diag.New(code, at(first.at, t.NameAt, t.At), "%q %s the schema of %q%s: %s", p.dialect, verb, t.Name, in, says)
		d.Level = r.level
		out = append(out, prompt.Objection{
			Taker: p.dialect, Tool: t, Reason: reason, Says: says, Finding: r.also(d, found).WithHint("%s", r.hint),
		})
	}
	return out
}

// says puts a breach into words.
func (r rule) says(name string) string { return fmt.Sprintf(r.words, chars.Visible(name)) }

// also adds the further places of a finding.
func (r rule) also(d diag.Diagnostic, found []breach) diag.Diagnostic {
	if len(found) == 1 {
		return d
	}
	var lines []string
	for _, b := range found[1:min(len(found), namedPairs+1)] {
		line := "also " + r.says(b.name)
		if b.at.Known() {
			n := b.at.File.LineAt(b.at.Start)
			line += fmt.Sprintf(" (line %d)", n)
		}
		lines = append(lines, line)
	}
	if more := len(found) - 1 - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", diag.Number(more)))
	}
	return d.WithDetail(lines...)
}

package render

import (
	"slices"
	"strings"
	"text/template/parse"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// checker walks a template before it is used. Templates are other people's
// files: what is not listed here is refused, so that every template ends and
// no name in it is quietly empty.
type checker struct {
	s     *style
	found *diag.List
	depth int
}

func (c *checker) refuse(pos parse.Pos, n int, hint diag.Words, key string, args ...any) {
	d := diag.New(diag.BadTemplate, c.s.place(pos, n), key, args...)
	d.Hint = hint
	*c.found = append(*c.found, d)
}

// block checks a definition.
func (c *checker) block(name string, root *parse.ListNode) {
	known := blockNames(c.s.kind)
	if !slices.Contains(known, name) {
		pos := max(strings.Index(c.s.body.Str, `"`+name+`"`), 0)
		c.refuse(parse.Pos(pos), len(name)+2, suggestion(name, known),
			"template-defines-nothing-kind", name, c.s.kind)
		return
	}
	c.nodes(root.Nodes, []fieldSet{fieldsOf(c.s.kind, name)})
}

// nodes checks a list of nodes. The first scope is the root that `$` means,
// the last the one that `.` means.
func (c *checker) nodes(nodes []parse.Node, scopes []fieldSet) {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxTemplateDepth {
		if len(nodes) > 0 {
			c.refuse(nodes[0].Position(), 1, diag.Words{}, "template-nests-deeper", maxTemplateDepth)
		}
		return
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *parse.TextNode, *parse.CommentNode:
		case *parse.ActionNode:
			c.printed(n.Pipe, scopes)
		case *parse.IfNode:
			c.condition(n.Pipe, scopes)
			c.branches(&n.BranchNode, scopes, scopes)
		case *parse.WithNode:
			c.opened(&n.BranchNode, scopes, "with")
		case *parse.RangeNode:
			c.opened(&n.BranchNode, scopes, "range")
		default:
			c.refuse(n.Position(), 1, diag.Say("see-explain", string(diag.BadTemplate)),
				"template-uses-templates-not", firstWord(n.String()))
		}
	}
}

func (c *checker) branches(b *parse.BranchNode, then, otherwise []fieldSet) {
	c.nodes(b.List.Nodes, then)
	if b.ElseList != nil {
		c.nodes(b.ElseList.Nodes, otherwise)
	}
}

// opened checks `range` and `with`, inside of which `.` is something else.
func (c *checker) opened(b *parse.BranchNode, scopes []fieldSet, word string) {
	f, ok := c.single(b.Pipe, scopes)
	if !ok {
		return
	}
	inner := f.List
	if word == "with" {
		inner = f.Part
	}
	if inner == nil {
		c.refuse(b.Pipe.Pos, 1, diag.Words{}, word+"-needs", b.Pipe.String())
		return
	}
	c.branches(b, append(slices.Clip(scopes), inner), scopes)
}

// printed checks an action that prints.
func (c *checker) printed(p *parse.PipeNode, scopes []fieldSet) {
	if len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 1 {
		if str, ok := p.Cmds[0].Args[0].(*parse.StringNode); ok {
			c.literal(str)
			return
		}
	}
	f, ok := c.single(p, scopes)
	if !ok {
		return
	}
	if f.List != nil || f.Part != nil || f.Flag {
		c.refuse(p.Pos, 1, diag.Say("use-with-range"), "no-text", p.String())
	}
}

func (c *checker) literal(str *parse.StringNode) {
	bad := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' }
	if !utf8.ValidString(str.Text) || strings.ContainsFunc(str.Text, bad) {
		c.refuse(str.Pos, len(str.Quoted), diag.Words{}, "string-holds-control-character", str.Quoted)
	}
}

// single checks a pipeline that is one field, perhaps through xml.
func (c *checker) single(p *parse.PipeNode, scopes []fieldSet) (Field, bool) {
	if len(p.Decl) == 0 {
		if arg, _, ok := unwrapped(p); ok {
			return c.field(arg, scopes)
		}
	}
	c.refuse(p.Pos, 1, diag.Say("write-field-or-xml"),
		"template-uses-templates-not", p.String())
	return Field{}, false
}

// condition checks what stands after if.
func (c *checker) condition(p *parse.PipeNode, scopes []fieldSet) {
	if len(p.Decl) > 0 || len(p.Cmds) != 1 {
		c.single(p, scopes)
		return
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxTemplateDepth {
		c.refuse(p.Pos, 1, diag.Words{}, "template-nests-deeper", maxTemplateDepth)
		return
	}
	args := p.Cmds[0].Args
	if id, ok := args[0].(*parse.IdentifierNode); ok {
		if want := map[string]int{"and": 0, "or": 0, "not": 1}; !hasKey(want, id.Ident) || len(args) < 2 ||
			(want[id.Ident] > 0 && len(args)-1 != want[id.Ident]) {
			c.refuse(id.Pos, len(id.Ident), diag.Say("conditions-have"), "condition-cannot-used", p.String())
			return
		}
		args = args[1:]
	} else if len(args) > 1 {
		c.single(p, scopes)
		return
	}
	for _, a := range args {
		if inner, ok := a.(*parse.PipeNode); ok {
			c.condition(inner, scopes)
			continue
		}
		c.field(a, scopes)
	}
}

func hasKey(m map[string]int, k string) bool { _, ok := m[k]; return ok }

// field looks a field up through its groups.
func (c *checker) field(n parse.Node, scopes []fieldSet) (Field, bool) {
	names, fromRoot, ok := fieldPath(n)
	if !ok {
		c.refuse(n.Position(), len(n.String()), diag.Say("write-field"),
			"template-uses-templates-not", n.String())
		return Field{}, false
	}
	set := scopes[len(scopes)-1]
	if fromRoot {
		set = scopes[0]
	}
	var f Field
	for _, name := range names {
		next, ok := set.lookup(name)
		if !ok {
			d := diag.New(diag.TemplateField, c.s.place(n.Position(), len(name)+1), "template-names-unknown-field", "."+name)
			d.Hint = suggestion("."+name, set.names())
			*c.found = append(*c.found, d)
			return Field{}, false
		}
		f, set = next, next.Part
	}
	return f, true
}

// fieldPath takes `.A.B` and `$.A.B` apart.
func fieldPath(n parse.Node) (names []string, fromRoot, ok bool) {
	switch n := n.(type) {
	case *parse.FieldNode:
		return n.Ident, false, true
	case *parse.VariableNode:
		if n.Ident[0] == "$" && len(n.Ident) > 1 {
			return n.Ident[1:], true, true
		}
	}
	return nil, false, false
}

// unwrapped gives the field of `{{.F}}`, `{{xml .F}}` and `{{.F | xml}}`.
func unwrapped(p *parse.PipeNode) (arg parse.Node, xml, ok bool) {
	isXML := func(n parse.Node) bool {
		id, ok := n.(*parse.IdentifierNode)
		return ok && id.Ident == "xml"
	}
	switch {
	case len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 1 && !isXML(p.Cmds[0].Args[0]):
		return p.Cmds[0].Args[0], false, true
	case len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 2 && isXML(p.Cmds[0].Args[0]):
		return p.Cmds[0].Args[1], true, true
	case len(p.Cmds) == 2 && len(p.Cmds[0].Args) == 1 && len(p.Cmds[1].Args) == 1 && isXML(p.Cmds[1].Args[0]):
		return p.Cmds[0].Args[0], true, true
	}
	return nil, false, false
}

func firstWord(s string) string {
	s = strings.Trim(s, "{}- \t")
	word, _, _ := strings.Cut(s, " ")
	return word
}

package render

import (
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
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

// value is what a field has: text, a list, a group or a flag.
type value struct {
	p    passage
	list []scope
	part scope
	on   bool
}

func (v value) holds() bool { return v.on || !v.p.empty() || len(v.list) > 0 || v.part != nil }

// scope is the data of a template, in the order of its table.
type scope []entry

type entry struct {
	name string
	value
}

func (s scope) lookup(name string) value {
	for _, e := range s {
		if e.name == name {
			return e.value
		}
	}
	return value{}
}

// The entries of a scope.
func textEntry(name string, t ground.Text) entry { return entry{name, value{p: plain(t)}} }
func passEntry(name string, p passage) entry     { return entry{name, value{p: p}} }
func numEntry(name string, n int) entry          { return entry{name, value{p: words(strconv.Itoa(n))}} }
func flagEntry(name string, on bool) entry       { return entry{name, value{on: on}} }
func listEntry(name string, l []scope) entry     { return entry{name, value{list: l}} }
func partEntry(name string, s scope) entry       { return entry{name, value{part: s}} }

// wholeFields are what a frame must print, once, where it is not empty:
// leaving them out would drop text without a word.
var wholeFields = []string{"Items", "Body", "Cut"}

// allowance is what the templates of one section may still do.
type allowance struct {
	steps, bytes int
	spent        bool // reported
}

// printer executes a checked template. Text of the template keeps its place
// in the template's file, values the places they came with.
type printer struct {
	s       *style
	root    scope
	w       writer
	left    *allowance
	found   *diag.List
	printed map[string]bool
	stopped bool
}

// frame executes the frame of a style.
func (b *bench) frame(s *style, data scope) passage {
	in, nodes := s.frameNodes()
	if in == nil {
		return passage{}
	}
	p := printer{s: in, root: data, left: &b.left, found: &b.found, printed: map[string]bool{}}
	p.nodes(nodes, data)
	for _, name := range wholeFields {
		if data.lookup(name).holds() && !p.printed[name] && !p.stopped {
			b.found.Add(diag.BadTemplate, in.place(0, 1), "template-not-print", "."+name)
		}
	}
	return p.w.passage()
}

// block executes a block of a style; one that is nowhere defined is empty.
func (b *bench) block(s *style, name string, data scope) passage {
	in, nodes := s.block(name)
	if in == nil {
		return passage{}
	}
	p := printer{s: in, root: data, left: &b.left, found: &b.found, printed: map[string]bool{}}
	p.nodes(nodes, data)
	return p.w.passage()
}

func (p *printer) nodes(nodes []parse.Node, dot scope) {
	for _, n := range nodes {
		if !p.spend(n, 1, 0) {
			return
		}
		switch n := n.(type) {
		case *parse.TextNode:
			p.text(n)
		case *parse.ActionNode:
			p.action(n, dot)
		case *parse.IfNode:
			p.branch(&n.BranchNode, p.condition(n.Pipe, dot), dot, dot)
		case *parse.WithNode:
			v := p.value(n.Pipe, dot)
			p.branch(&n.BranchNode, v.holds(), v.part, dot)
		case *parse.RangeNode:
			p.loop(n, dot)
		}
	}
}

func (p *printer) loop(n *parse.RangeNode, dot scope) {
	v := p.value(n.Pipe, dot)
	for _, element := range v.list {
		if !p.spend(n, 1, 0) {
			return
		}
		p.nodes(n.List.Nodes, element)
	}
	if len(v.list) == 0 && n.ElseList != nil {
		p.nodes(n.ElseList.Nodes, dot)
	}
}

func (p *printer) branch(b *parse.BranchNode, holds bool, then, otherwise scope) {
	if holds {
		p.nodes(b.List.Nodes, then)
	} else if b.ElseList != nil {
		p.nodes(b.ElseList.Nodes, otherwise)
	}
}

// text prints the template's own words. The parser trims around `{{-`, so the
// place is exact only where the file has the very bytes.
func (p *printer) text(n *parse.TextNode) {
	s := string(n.Text)
	if !p.spend(n, 0, len(s)) {
		return
	}
	start := int(n.Pos)
	if end := start + len(s); end <= len(p.s.body.Str) && p.s.body.Str[start:end] == s {
		p.w.write(plain(p.s.body).slice(start, end))
		return
	}
	p.w.b.WriteText(derived(s, p.s.place(n.Pos, len(s))))
}

func (p *printer) action(n *parse.ActionNode, dot scope) {
	if str, ok := n.Pipe.Cmds[0].Args[0].(*parse.StringNode); ok {
		if p.spend(n, 0, len(str.Text)) {
			p.w.b.WriteText(derived(str.Text, p.s.place(str.Pos, len(str.Quoted))))
		}
		return
	}
	v := p.value(n.Pipe, dot)
	if !p.spend(n, 0, len(v.p.text.Str)) {
		return
	}
	arg, xml, _ := unwrapped(n.Pipe)
	names, fromRoot, _ := fieldPath(arg)
	if name := names[0]; len(names) == 1 && (fromRoot || sameScope(dot, p.root)) {
		if len(v.p.items) > 0 && p.printed[name] {
			p.found.Add(diag.BadTemplate, p.s.place(n.Pos, len(name)+1), "template-prints-twice", "."+name)
			return
		}
		p.printed[name] = true
	}
	if xml {
		v.p = escapeXML(v.p)
	}
	p.w.write(v.p)
}

func sameScope(a, b scope) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// value gives what a checked pipeline names.
func (p *printer) value(pipe *parse.PipeNode, dot scope) value {
	arg, _, _ := unwrapped(pipe)
	return p.field(arg, dot)
}

func (p *printer) field(n parse.Node, dot scope) value {
	names, fromRoot, ok := fieldPath(n)
	if !ok {
		return value{}
	}
	at := dot
	if fromRoot {
		at = p.root
	}
	var v value
	for _, name := range names {
		v = at.lookup(name)
		at = v.part
	}
	return v
}

func (p *printer) condition(pipe *parse.PipeNode, dot scope) bool {
	args := pipe.Cmds[0].Args
	word := "and"
	if id, ok := args[0].(*parse.IdentifierNode); ok && id.Ident != "xml" {
		word, args = id.Ident, args[1:]
	}
	result := word != "or"
	for _, a := range args {
		if !p.spend(pipe, 1, 0) {
			return false
		}
		var holds bool
		if inner, ok := a.(*parse.PipeNode); ok {
			holds = p.condition(inner, dot)
		} else {
			holds = p.field(a, dot).holds()
		}
		switch word {
		case "not":
			return !holds
		case "or":
			result = result || holds
		default:
			result = result && holds
		}
	}
	return result
}

// spend takes from what the section's templates may do, and reports once when
// it is used up.
func (p *printer) spend(n parse.Node, steps, bytes int) bool {
	if p.s.body.Str == "" {
		return true // a built-in one ends by itself
	}
	p.left.steps -= steps
	p.left.bytes -= bytes
	if p.left.steps >= 0 && p.left.bytes >= 0 {
		return true
	}
	p.stopped = true
	if !p.left.spent {
		p.left.spent = true
		p.found.Add(diag.BadTemplate, p.s.place(n.Position(), 1),
			"template-too-much-sections", maxTemplateSteps, maxTemplateOutput)
	}
	return false
}

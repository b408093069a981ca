package render

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolForm is what a form of tools puts into the text and beside it.
type toolForm struct {
	name   string
	text   bool
	items  bool
	beside bool
}

// toolForms is the table; the first is the default.
var toolForms = []toolForm{
	{name: "native", text: true, beside: true},
	{name: "fallback", text: true, items: true},
	{name: "schemas", beside: true},
	{name: "declare"},
}

// toolsBody prints tools, and adds them to what the variant has.
func toolsBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	tools := toolsOf(group)
	if len(tools) == 0 {
		return passage{}
	}
	form := toolForms[max(slices.IndexFunc(toolForms, func(f toolForm) bool { return f.name == in.Form }), 0)]
	b.out.Tools = append(b.out.Tools, tools...)
	b.out.Beside = b.out.Beside || form.beside
	if !form.text {
		return passage{}
	}
	var pieces []piece
	var all strings.Builder
	for _, t := range tools {
		p := piece{data: toolData(t)}
		if form.items {
			p.name, p.file = t.Name, t.File
			all.WriteString(p.data.lookup("Object").p.text.Str)
		}
		pieces = append(pieces, p)
	}
	return b.uncut(in, b.layout(b.style(in), pieces, nil, scope{
		textEntry("Fence", prompt.Literal(fence(all.String()))),
		partEntry("Example", exampleOf(tools)),
	}))
}

// toolsOf gives the tools of several sources. Where each is in the order of
// names, as without `only`, the whole is, too.
func toolsOf(group []*prompt.Input) []*prompt.Tool {
	byName := func(a, b *prompt.Tool) int { return strings.Compare(a.Name, b.Name) }
	var all []*prompt.Tool
	sorted := true
	for _, in := range group {
		all = append(all, in.Tools...)
		sorted = sorted && slices.IsSortedFunc(in.Tools, byName)
	}
	if sorted && len(group) > 1 {
		slices.SortStableFunc(all, byName)
	}
	return all
}

// toolData gives the fields of the block "item". Nothing in them is expanded:
// what stands in the text is what goes beside it.
func toolData(t *prompt.Tool) scope {
	name := placed(t.Name, t.NameAt)
	description := plain(placed(t.Description, t.DescAt))
	schema := canon.Indent(schemaOf(t))
	return scope{
		textEntry("Name", name),
		passEntry("Description", description.trimOuter()),
		passEntry("Summary", summary(description)),
		textEntry("Schema", derived(schema, t.At)),
		textEntry("Fence", prompt.Literal(fence(schema))),
		textEntry("Object", derived(objectJSON(t), t.At)),
		textEntry("Function", derived(functionJSON(t), t.At)),
		textEntry("Dict", derived(dictJSON(t), t.At)),
		listEntry("Parameters", parametersOf(t)),
	}
}

// parametersOf gives a tool's parameters, the required first and in the order
// in which the schema requires them, the others as written.
func parametersOf(t *prompt.Tool) []scope {
	var out []scope
	for _, p := range parameters(t) {
		kind := ""
		if words := typesOf(p.schema); len(words) > 0 {
			kind = words[0]
		}
		out = append(out, scope{
			textEntry("Name", derived(p.name, p.at)),
			textEntry("Type", prompt.Literal(kind)),
			passEntry("Description", oneLine(plain(scalarText(p.schema.Field("description"))))),
			flagEntry("Required", p.required),
		})
	}
	return out
}

// exampleOf gives the worked example: a call of the first tool that must be
// given something, else of the first.
func exampleOf(tools []*prompt.Tool) scope {
	t := tools[0]
	for _, x := range tools {
		if len(requiredOf(schemaOf(x))) > 0 {
			t = x
			break
		}
	}
	args := sampleArguments(schemaOf(t))
	line := inlineJSON(args)
	var list []scope
	for _, f := range args.Fields {
		value := inlineJSON(f.Value)
		if f.Value.Kind == prompt.String {
			value = f.Value.Text.Str
		}
		list = append(list, scope{textEntry("Name", derived(f.Key, t.At)), textEntry("Value", derived(value, t.At))})
	}
	return scope{
		textEntry("Tool", placed(t.Name, t.NameAt)),
		textEntry("Arguments", derived(line, t.At)),
		textEntry("Call", derived(pythonCall(t.Name, args), t.At)),
		textEntry("Fence", prompt.Literal(fence(line))),
		listEntry("Parameters", list),
	}
}

package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// formOf names the form of a rendering: the rung of its ladder, or else the
// forms of its inputs; "" where there is only one.
func formOf(x *prompt.Rendering) string {
	if x.Unit.Step != "" {
		return x.Unit.Step
	}
	var forms []string
	for _, in := range x.Unit.Inputs {
		if in.Form != "" && !slices.Contains(forms, in.Form) {
			forms = append(forms, in.Form)
		}
	}
	return strings.Join(forms, "+")
}

// formWords names it for people: what has no forms is named after its sources,
// as the rungs of its ladder are.
func formWords(x *prompt.Rendering) string {
	if form := formOf(x); form != "" {
		return form
	}
	var sources []string
	for _, in := range x.Unit.Inputs {
		if in.Source != nil {
			sources = append(sources, in.Source.ID.Str)
		}
	}
	if len(sources) == 0 {
		return "its own text"
	}
	return strings.Join(sources, "+")
}

// sourceFile is a file behind a text, and how it was found.
type sourceFile struct {
	path   string // "" for what is in no file of its own
	origin prompt.Origin
	items  bool // its kind shows files as items
	tools  bool // it defines tools
	file   *diag.File
}

func (f sourceFile) words() string {
	switch f.origin {
	case prompt.FromFallback, prompt.FromElse:
		return f.path + " (" + f.origin.String() + ")"
	case prompt.FromBuiltIn:
		return "the built-in text"
	case prompt.FromInline:
		return "the manifest"
	default:
		return f.path
	}
}

// filesOf gives the files behind a rendering, in order, each once.
func filesOf(x *prompt.Rendering) []sourceFile {
	var out []sourceFile
	add := func(f sourceFile) {
		if !slices.ContainsFunc(out, func(g sourceFile) bool { return g.words() == f.words() }) {
			out = append(out, f)
		}
	}
	for _, in := range x.Unit.Inputs {
		items, tools := in.Kind != nil && in.Kind.Items, in.Kind != nil && in.Kind.Tools
		for _, d := range in.Docs {
			add(sourceFile{path: d.File.Path, origin: in.Origin, items: items, tools: tools, file: d.File})
		}
		if in.Origin == prompt.FromBuiltIn || in.Origin == prompt.FromInline {
			add(sourceFile{origin: in.Origin, items: items})
		}
	}
	return out
}

// otherFile reports whether the text of a change comes from other files. Items
// that come and go are said one by one; so files that kinds show as items
// count only where one stands for another, or all were found in another way.
func (c *change) otherFile() bool {
	gone, come := differing(filesOf(c.base), filesOf(c.head))
	if len(gone) == 0 || len(come) == 0 {
		return false
	}
	if !gone[0].items && !come[0].items {
		return true
	}
	whole := len(gone) == len(filesOf(c.base)) && len(come) == len(filesOf(c.head))
	return whole && (len(gone) == 1 && len(come) == 1 || gone[0].origin != come[0].origin)
}

// differing gives the files that one list alone has. Those that define tools do
// not count: edits of the tools say what came, went and changed with them.
func differing(was, is []sourceFile) (gone, come []sourceFile) {
	without := func(all, but []sourceFile) []sourceFile {
		known := map[string]bool{}
		for _, f := range but {
			known[f.words()] = true
		}
		return slices.DeleteFunc(slices.Clone(all), func(f sourceFile) bool { return f.tools || known[f.words()] })
	}
	return without(was, is), without(is, was)
}

func fileWords(files []sourceFile) string {
	var out []string
	for _, f := range files {
		out = append(out, f.words())
	}
	return strings.Join(out, ", ")
}

// newFile gives the place of the first of the files that the text comes from now.
func (c *change) newFile(s *section, come []sourceFile) diag.Span {
	for _, f := range come {
		if f.file != nil {
			return diag.Whole(f.file)
		}
	}
	if at := c.head.Text.Span(0, len(c.head.Text.Str)); at.Known() {
		return at
	}
	return s.spec().ID.At
}

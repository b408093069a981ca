package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/review"
)

// formOf names the form of a rendering: the rung of its ladder, or else the
// forms of its inputs; "" where there is only one.
func formOf(x *assembly.Rendering) string {
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

// formName names it also where it has no forms: after its sources, as the rungs of
// its ladder are; "" for its own text.
func formName(x *assembly.Rendering) string {
	if form := formOf(x); form != "" {
		return form
	}
	var sources []string
	for _, in := range x.Unit.Inputs {
		if in.Source != nil {
			sources = append(sources, in.Source.ID.Str)
		}
	}
	return strings.Join(sources, "+")
}

// sourceFile is a file behind a text.
type sourceFile struct {
	review.FoundFile
	items bool // its kind shows files as items
	tools bool // it defines tools
	file  *diag.File
}

// same reports whether two files are one, found in the same way: by a fallback or
// not.
func (f sourceFile) same(g sourceFile) bool { return f.FoundFile == g.FoundFile }

// filesOf gives the files behind a rendering, in order, each once.
func filesOf(x *assembly.Rendering) []sourceFile {
	var out []sourceFile
	add := func(f sourceFile) {
		if !slices.ContainsFunc(out, f.same) {
			out = append(out, f)
		}
	}
	for _, in := range x.Unit.Inputs {
		items, tools := in.Kind != nil && in.Kind.Items, in.Kind != nil && in.Kind.Tools
		for _, d := range in.Docs {
			add(sourceFile{review.FoundFile{Path: d.File.Path, Origin: in.Origin}, items, tools, d.File})
		}
		if in.Origin == assembly.FromBuiltIn || in.Origin == assembly.FromInline {
			add(sourceFile{FoundFile: review.FoundFile{Origin: in.Origin}, items: items})
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
	return whole && (len(gone) == 1 && len(come) == 1 || gone[0].Origin != come[0].Origin)
}

// differing gives the files that one list alone has. Those that define tools do
// not count: edits of the tools say what came, went and changed with them.
func differing(was, is []sourceFile) (gone, come []sourceFile) {
	without := func(all, but []sourceFile) []sourceFile {
		return slices.DeleteFunc(slices.Clone(all), func(f sourceFile) bool { return f.tools || slices.ContainsFunc(but, f.same) })
	}
	return without(was, is), without(is, was)
}

func foundOf(files []sourceFile) review.Files {
	var out review.Files
	for _, f := range files {
		out = append(out, f.FoundFile)
	}
	return out
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

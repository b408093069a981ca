package resolve

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// inputs decides what a section is made of in one variant. With a step's
// source that one stands in for the section's own. Reason is In unless
// nothing is left, and then why names what is missing.
func (sec *section) inputs(v *prompt.Variant, form prompt.Word, step *prompt.Word) ([]*prompt.Input, string, prompt.Reason) {
	var out []*prompt.Input
	var why string
	reason := prompt.OutEmpty
	for _, w := range sec.names(v, step) {
		source := sec.binder.sources[w.Str]
		if source == nil || source.Kind == nil {
			return nil, "", prompt.OutAbsent // reported where it is named
		}
		in, lack, r := sec.fromSource(v, source, w)
		if in == nil {
			why, reason = lack, r
			continue
		}
		out = append(out, in)
	}
	if step == nil && !sec.decl.Source.Set() {
		in, lack, r := sec.own(v)
		if in == nil {
			return nil, lack, r
		}
		out = append(out, in)
	}
	if len(out) == 0 {
		return nil, why, reason
	}
	out = merge(out)
	sec.checkOptions(v, out)
	sec.applyForm(out, form)
	sec.applyOnly(v, out)
	if out = sec.applySelect(v, out); len(out) == 0 {
		return nil, "select", prompt.OutEmpty
	}
	return out, "", prompt.In
}

// names gives the sources that the section draws on.
func (sec *section) names(v *prompt.Variant, step *prompt.Word) []prompt.Word {
	if step != nil {
		return []prompt.Word{*step}
	}
	names, _ := pick(sec.decl.Source, sec.source, v.Index)
	return names
}

// own is the input of a section that has its text or path itself.
func (sec *section) own(v *prompt.Variant) (*prompt.Input, string, prompt.Reason) {
	kind, _ := prompt.LookupKind("text")
	in := &prompt.Input{Kind: kind, At: sec.decl.ID.At}
	sec.ownOptions(v, in)
	if t, ok := pick(sec.decl.Text, sec.text, v.Index); ok {
		in.Origin, in.Text = prompt.FromInline, t.Trim("\n")
		if in.Text.Str == "" {
			return nil, "", prompt.OutEmpty
		}
		return in, "", prompt.In
	}
	paths, ok := pick(sec.decl.Path, sec.path, v.Index)
	if !ok {
		return nil, "", prompt.OutAbsent // no case holds: reported
	}
	return sec.fill(v, in, request{kind: kind, paths: paths})
}

// fromSource is the input that a declared source gives in one variant.
func (sec *section) fromSource(v *prompt.Variant, src *prompt.Source, at prompt.Word) (*prompt.Input, string, prompt.Reason) {
	c := sec.choicesOf(src)
	in := &prompt.Input{Source: src, Kind: src.Kind, At: at.At, Lenient: src.Absent != prompt.AbsentError}
	in.Expand, _ = pick(src.Options.Expand, c.expand, v.Index)
	in.Location, _ = pick(src.Options.Location, c.loc, v.Index)
	in.Routing, _ = pick(src.Options.Routing, c.routes, v.Index)
	if l, ok := pick(src.Options.Limit, c.limit, v.Index); ok {
		in.Limit = &l
	}
	if st, ok := pick(src.Options.Style, c.style, v.Index); ok {
		sec.applyStyle(in, st)
	}
	sec.ownOptions(v, in)
	if t, ok := pick(src.Text, c.text, v.Index); ok {
		in.Origin, in.Text = prompt.FromInline, t.Trim("\n")
		if in.Text.Str == "" {
			return nil, "", prompt.OutEmpty
		}
		return in, "", prompt.In
	}
	paths, ok := pick(src.Path, c.path, v.Index)
	if !ok {
		return nil, "", prompt.OutAbsent
	}
	fallback, _ := pick(src.Fallback, c.fallback, v.Index)
	in, why, reason := sec.fill(v, in, request{kind: src.Kind, source: src, paths: paths, fallback: fallback})
	if in != nil && src.Kind.Name == goalKind {
		sec.applyTranscript(in)
	}
	return in, why, reason
}

// choicesOf decides the cases of a source once for each section.
func (sec *section) choicesOf(src *prompt.Source) sourceChoice {
	if c, ok := sec.options[src]; ok {
		return c
	}
	s, dom := sec.scope, sec.domain
	c := sourceChoice{
		text: choose(s, src.Text, dom, "text"), path: choose(s, src.Path, dom, "path"),
		fallback: choose(s, src.Fallback, dom, "fallback"), style: choose(s, src.Options.Style, dom, "style"),
		limit: choose(s, src.Options.Limit, dom, "limit"), expand: choose(s, src.Options.Expand, dom, "expand"),
		loc: choose(s, src.Options.Location, dom, "location"), routes: choose(s, src.Options.Routing, dom, "routing"),
	}
	sec.options[src] = c
	return c
}

// ownOptions puts the section's settings over those of its source.
func (sec *section) ownOptions(v *prompt.Variant, in *prompt.Input) {
	o := sec.decl.Options
	if l, ok := pick(o.Limit, sec.limit, v.Index); ok {
		in.Limit = &l
	}
	if t, ok := pick(o.Location, sec.location, v.Index); ok {
		in.Location = t
	}
	if r, ok := pick(o.Routing, sec.routing, v.Index); ok {
		in.Routing = r
	}
	if st, ok := pick(o.Style, sec.style, v.Index); ok {
		sec.applyStyle(in, st)
	}
	if in.Style == "" && in.StyleDoc == nil && len(in.Kind.Styles) > 0 {
		in.Style = in.Kind.Styles[0]
	}
}

// applyStyle sets a built-in style or a template file.
func (sec *section) applyStyle(in *prompt.Input, st prompt.Style) {
	if st.Path.Str != "" {
		docs := sec.spec.Tree.Matches[prompt.MatchKey{Path: st.Path.Str, Kind: prompt.StyleKind}]
		if len(docs) == 0 {
			sec.diags.Add(diag.NoFile, st.Path.At, "style %q matches no file", st.Path.Str)
			return
		}
		in.Style, in.StyleDoc = "", docs[0]
		return
	}
	if len(in.Kind.Styles) == 0 {
		return // of several sources, another may take it; checkOptions asks
	}
	if sec.known(diag.UnknownForm, st.Name, in.Kind.Styles, "kind %q has no style %q", in.Kind.Name, st.Name.Str) {
		in.Style, in.StyleDoc = st.Name.Str, nil
	}
}

// merged are the kinds whose items belong in one listing.
var merged = []string{"tools", "skills", registryKind}

// merge joins neighbours of such a kind: two tools or two skills sources with
// the same settings read as one.
func merge(list []*prompt.Input) []*prompt.Input {
	out := list[:1]
	for _, in := range list[1:] {
		last := out[len(out)-1]
		if in.Kind != last.Kind || !slices.Contains(merged, in.Kind.Name) ||
			in.Style != last.Style || in.StyleDoc != last.StyleDoc || !sameLimit(in.Limit, last.Limit) ||
			in.Expand != last.Expand || in.Location.Str != last.Location.Str {
			out = append(out, in)
			continue
		}
		joined := *last
		joined.Docs = slices.Concat(last.Docs, in.Docs)
		joined.Base = common(last.Base, in.Base)
		out[len(out)-1] = &joined
	}
	return out
}

// checkOptions reports a setting of the section that none of its inputs
// takes: it would be ignored.
func (sec *section) checkOptions(v *prompt.Variant, inputs []*prompt.Input) {
	takes := func(option string) bool {
		return slices.ContainsFunc(inputs, func(in *prompt.Input) bool {
			return slices.Contains(in.Kind.Options, option) || option == "style" && len(in.Kind.Styles) > 0
		})
	}
	o := sec.decl.Options
	for _, set := range []struct {
		option string
		is     bool
		at     func() diag.Span
	}{
		{"style", o.Style.Set(), func() diag.Span { return o.Style[max(0, sec.style.at(v.Index))].At }},
		{"select", sec.decl.Select.Set(), func() diag.Span { return sec.decl.Select[max(0, sec.selects.at(v.Index))].At }},
		{"location", o.Location.Set(), func() diag.Span { return o.Location[max(0, sec.location.at(v.Index))].At }},
		{"routing", o.Routing.Set(), func() diag.Span { return o.Routing[max(0, sec.routing.at(v.Index))].At }},
	} {
		if set.is && !takes(set.option) {
			sec.diags.Add(diag.UselessOption, set.at(), "section %q sets %q, which none of its sources takes", sec.decl.ID.Str, set.option)
		}
	}
}

func sameLimit(a, b *prompt.Limit) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// applyForm checks the form against the kinds of the inputs and sets it.
func (sec *section) applyForm(inputs []*prompt.Input, form prompt.Word) {
	taken := form.Str == ""
	var offered []string
	for _, in := range inputs {
		if len(in.Kind.Forms) == 0 {
			continue
		}
		in.Form = in.Kind.Forms[0]
		offered = append(offered, in.Kind.Forms...)
		if slices.Contains(in.Kind.Forms, form.Str) {
			in.Form, taken = form.Str, true
		}
	}
	switch {
	case taken:
	case len(offered) == 0:
		sec.diags.Add(diag.UselessOption, form.At, "section %q sets a form, but its kind %q has only one", sec.decl.ID.Str, inputs[0].Kind.Name)
	default:
		sec.known(diag.UnknownForm, form, offered, "section %q has no form %q", sec.decl.ID.Str, form.Str)
	}
}

// applyOnly gives the inputs of kind tools their definitions: those that
// `only` selects, in its order, else all by name.
func (sec *section) applyOnly(v *prompt.Variant, inputs []*prompt.Input) {
	only, selected := pick(sec.decl.Only, sec.only, v.Index)
	var names []string
	for _, in := range inputs {
		if in.Kind.Name != "tools" {
			continue
		}
		var all []*prompt.Tool
		for _, d := range in.Docs {
			all = append(all, sec.spec.Tools[d]...)
		}
		slices.SortStableFunc(all, func(a, b *prompt.Tool) int { return cmp.Compare(a.Name, b.Name) })
		for i := 1; i < len(all); i++ {
			if all[i].Name == all[i-1].Name {
				sec.duplicateTool(all[i], all[i-1])
			}
		}
		for _, t := range all {
			names = append(names, t.Name)
		}
		in.Tools = all
		if selected {
			in.Tools = selectTools(all, only)
		}
	}
	if !selected {
		return
	}
	if names == nil {
		sec.diags.Add(diag.UselessOption, sec.decl.Only[sec.only.at(v.Index)].At, "section %q selects tools, but has none", sec.decl.ID.Str)
		return
	}
	for _, w := range only {
		if w.Str != "*" {
			sec.known(diag.UnknownTool, w, names, "section %q has no tool %q", sec.decl.ID.Str, w.Str)
		}
	}
}

// selectTools gives the named tools in the order of the names; "*" stands
// for all that are not named, by name.
func selectTools(all []*prompt.Tool, only []prompt.Word) []*prompt.Tool {
	named := func(name string) bool {
		return slices.ContainsFunc(only, func(w prompt.Word) bool { return w.Str == name })
	}
	var out []*prompt.Tool
	for _, w := range only {
		for _, t := range all {
			if t.Name == w.Str || w.Str == "*" && !named(t.Name) {
				out = append(out, t)
			}
		}
	}
	return out
}

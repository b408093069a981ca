package resolve

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// inputs decides what a section is made of in one variant. Reason is In
// unless nothing is left, and then why names what is missing.
func (sec *section) inputs(v *assembly.Variant, form ground.Word) ([]*assembly.Input, string, assembly.Reason) {
	if !sec.decl.Source.Set() {
		in, why, reason := sec.own(v)
		if in == nil {
			return nil, why, reason
		}
		return sec.finish(v, []*assembly.Input{in}, form)
	}
	var out []*assembly.Input
	var silent diag.List
	why, reason := "", assembly.OutEmpty
	names, _ := pick(sec.decl.Source, sec.source, v.Index)
	for _, w := range names {
		source := sec.textSource(w)
		if source == nil {
			return nil, "", assembly.OutAbsent // reported where it is named
		}
		in, lack, r := sec.fromSource(v, source, w, true)
		if in == nil {
			why, reason = lack, r
			silent.Add(diag.PartAbsent, w.At, "section-without-source", sec.decl.ID.Str, w.Str, r, lack)
			continue
		}
		sec.ownOptions(v, in)
		out = append(out, in)
	}
	if len(out) == 0 {
		return nil, why, reason // the outline says so
	}
	sec.diags = append(sec.diags, silent...)
	return sec.finish(v, merge(out), form)
}

// finish applies what the section says of its inputs as a whole.
func (sec *section) finish(v *assembly.Variant, inputs []*assembly.Input, form ground.Word) ([]*assembly.Input, string, assembly.Reason) {
	sec.checkOptions(v, inputs)
	sec.applyForm(inputs, form)
	sec.applyOnly(v, inputs)
	if inputs = sec.applySelect(v, inputs); len(inputs) == 0 {
		return nil, "select", assembly.OutUnselected
	}
	return inputs, "", assembly.In
}

// stepInputs decides what a section is made of on a rung that names another
// source. The section's settings count where that source is of the same kind;
// `only` and `select` name things of the section's own sources and do not.
func (sec *section) stepInputs(v *assembly.Variant, step, form ground.Word) []*assembly.Input {
	source := sec.textSource(step)
	if source == nil {
		return nil // reported where it is named
	}
	in, lack, reason := sec.fromSource(v, source, step, false)
	if in == nil {
		sec.diags.Add(diag.PartAbsent, step.At, "section-cannot-step-down", sec.decl.ID.Str, step.Str, reason, lack)
		return nil
	}
	if sec.usesKind(v, in.Kind) {
		sec.ownOptions(v, in)
	} else {
		form = ground.Word{}
	}
	defaultStyle(in)
	if slices.Contains(in.Kind.Forms, form.Str) {
		in.Form = form.Str
	} else if len(in.Kind.Forms) > 0 {
		in.Form = in.Kind.Forms[0]
	}
	switch {
	case in.Kind.Tools:
		in.Tools = sec.toolsOf(in)
	case in.Kind.Entries:
		in.Entries = sec.entries(in)
	}
	return []*assembly.Input{in}
}

// usesKind reports whether one of the section's own sources is of a kind.
func (sec *section) usesKind(v *assembly.Variant, kind *language.Kind) bool {
	names, _ := pick(sec.decl.Source, sec.source, v.Index)
	return slices.ContainsFunc(names, func(w ground.Word) bool {
		s := sec.binder.sources[w.Str]
		return s != nil && s.Kind == kind
	})
}

// own is the input of a section that has its text or path itself.
func (sec *section) own(v *assembly.Variant) (*assembly.Input, string, assembly.Reason) {
	kind, _ := language.LookupKind(language.TextKind)
	in := &assembly.Input{Kind: kind, At: sec.decl.ID.At}
	sec.ownOptions(v, in)
	if t, ok := pick(sec.decl.Text, sec.text, v.Index); ok {
		in.Origin, in.Text = assembly.FromInline, t.Trim("\n")
		if in.Text.Str == "" {
			return nil, "", assembly.OutEmpty
		}
		return in, "", assembly.In
	}
	paths, ok := pick(sec.decl.Path, sec.path, v.Index)
	if !ok {
		return nil, "", assembly.OutAbsent // no case holds: reported
	}
	return sec.fill(v, in, inquiry{kind: kind, paths: paths, surely: true})
}

// fromSource is the input that a declared source gives in one variant, with
// the source's own settings. A fallback is noted where the input is surely
// used.
func (sec *section) fromSource(v *assembly.Variant, src *language.Source, at ground.Word, surely bool) (*assembly.Input, string, assembly.Reason) {
	c := sec.choicesOf(src)
	in := &assembly.Input{Source: src, Kind: src.Kind, At: at.At, Lenient: src.Absent != language.AbsentError}
	sec.sourceOptions(in)
	if t, ok := pick(src.Text, c.text, v.Index); ok {
		in.Origin, in.Text = assembly.FromInline, t.Trim("\n")
		if in.Text.Str == "" {
			return nil, "", assembly.OutEmpty
		}
		return in, "", assembly.In
	}
	paths, ok := pick(src.Path, c.path, v.Index)
	if !ok {
		return nil, "", assembly.OutAbsent
	}
	fallback, _ := pick(src.Fallback, c.fallback, v.Index)
	filled, why, reason := sec.fill(v, in, inquiry{kind: src.Kind, source: src, paths: paths, fallback: fallback, surely: surely})
	switch {
	case !src.Kind.Goals:
	case filled != nil:
		sec.applyTranscript(filled)
	case src.Absent == language.AbsentOmit && sec.applyTranscript(in):
		return in, "", assembly.In // a marker sets a goal
	}
	return filled, why, reason
}

// choicesOf decides the cases of a source once for each section.
func (sec *section) choicesOf(src *language.Source) sourceChoice {
	if c, ok := sec.options[src]; ok {
		return c
	}
	s, dom := sec.scope, sec.domain
	c := sourceChoice{
		text: choose(s, src.Text, dom, "text"), path: choose(s, src.Path, dom, "path"), fallback: choose(s, src.Fallback, dom, "fallback"),
	}
	sec.options[src] = c
	return c
}

// ownOptions puts the section's settings over those of its source.
func (sec *section) ownOptions(v *assembly.Variant, in *assembly.Input) {
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
	defaultStyle(in)
}

// sourceOptions applies a source's own settings. They have no cases: those
// stand on sections.
func (sec *section) sourceOptions(in *assembly.Input) {
	o := in.Source.Options
	in.Expand, _ = pick(o.Expand, nil, 0)
	in.Location, _ = pick(o.Location, nil, 0)
	in.Routing, _ = pick(o.Routing, nil, 0)
	if l, ok := pick(o.Limit, nil, 0); ok {
		in.Limit = &l
	}
	if st, ok := pick(o.Style, nil, 0); ok {
		sec.applyStyle(in, st)
	}
}

// defaultStyle gives an input the first style of its kind where none is set.
func defaultStyle(in *assembly.Input) {
	if in.Style == "" && in.StyleDoc == nil && len(in.Kind.Styles) > 0 {
		in.Style = in.Kind.Styles[0]
	}
}

// applyStyle sets a built-in style or a template file.
func (sec *section) applyStyle(in *assembly.Input, st language.Style) {
	if st.Path.Str != "" {
		docs := sec.spec.Tree.Matches[language.MatchKey{Path: st.Path.Str, Kind: language.StyleKind}]
		if len(docs) == 0 {
			sec.diags = append(sec.diags, diag.New(diag.NoFile, st.Path.At, "style-matches-no-file", st.Path.Str).
				WithHint("paths-relative-manifest"))
			return
		}
		in.Style, in.StyleDoc = "", docs[0]
		return
	}
	if len(in.Kind.Styles) == 0 {
		return // of several sources, another may take it; checkOptions asks
	}
	if sec.known(diag.UnknownForm, st.Name, in.Kind.Styles, "kind-no-style", in.Kind.Name, st.Name.Str) {
		in.Style, in.StyleDoc = st.Name.Str, nil
	}
}

// merge joins neighbours of such a kind: two tools or two skills sources with
// the same settings read as one.
func merge(list []*assembly.Input) []*assembly.Input {
	out := list[:1]
	for _, in := range list[1:] {
		last := out[len(out)-1]
		if in.Kind != last.Kind || !in.Kind.Merges ||
			in.Style != last.Style || in.StyleDoc != last.StyleDoc || !sameLimit(in.Limit, last.Limit) ||
			in.Expand != last.Expand || in.Location.Str != last.Location.Str {
			out = append(out, in)
			continue
		}
		joined := *last
		joined.Docs = slices.Concat(last.Docs, in.Docs)
		joined.Base = common(last.Base, in.Base)
		if changes(in) && !changes(last) {
			// Who names a source of the whole, names the first that matters.
			joined.Source, joined.At = in.Source, in.At
		}
		out[len(out)-1] = &joined
	}
	return out
}

// changes reports whether an input's source is declared volatile.
func changes(in *assembly.Input) bool { return in.Source != nil && in.Source.Volatile }

// onlyTools reports whether a section is made of tool definitions, which are
// sent as they are.
func onlyTools(inputs []*assembly.Input) bool {
	return !slices.ContainsFunc(inputs, func(in *assembly.Input) bool { return !in.Kind.Tools })
}

// checkOptions reports a setting of the section that none of its inputs
// takes: it would be ignored.
func (sec *section) checkOptions(v *assembly.Variant, inputs []*assembly.Input) {
	takes := func(option string) bool {
		return slices.ContainsFunc(inputs, func(in *assembly.Input) bool {
			return slices.Contains(in.Kind.Options, option) || option == "style" && len(in.Kind.Styles) > 0
		})
	}
	o := sec.decl.Options
	expand := o.Expand
	if !onlyTools(inputs) {
		expand = nil
	}
	for _, set := range []struct {
		option string
		at     diag.Span
	}{
		{"style", placeOf(o.Style, sec.style.at(v.Index))},
		{"select", placeOf(sec.decl.Select, sec.selects.at(v.Index))},
		{"location", placeOf(o.Location, sec.location.at(v.Index))},
		{"expand", placeOf(expand, sec.expand.at(v.Index))},
		{"routing", placeOf(o.Routing, sec.routing.at(v.Index))},
	} {
		if set.at.Known() && !takes(set.option) {
			sec.diags = append(sec.diags, diag.New(diag.UselessOption, set.at, "section-sets-none-sources", sec.decl.ID.Str, set.option).
				WithHint("remove"))
		}
	}
}

func sameLimit(a, b *language.Limit) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// applyForm checks the form against the kinds of the inputs and sets it.
func (sec *section) applyForm(inputs []*assembly.Input, form ground.Word) {
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
		sec.diags = append(sec.diags, diag.New(diag.UselessOption, form.At, "section-sets-form-but", sec.decl.ID.Str, inputs[0].Kind.Name).
			WithHint("remove"))
	default:
		sec.known(diag.UnknownForm, form, offered, "section-no-form", sec.decl.ID.Str, form.Str)
	}
}

// applyOnly gives the inputs of kind tools their definitions: those that
// `only` selects, in its order, else all by name.
func (sec *section) applyOnly(v *assembly.Variant, inputs []*assembly.Input) {
	only, selected := pick(sec.decl.Only, sec.only, v.Index)
	var names []string
	for _, in := range inputs {
		if !in.Kind.Tools {
			continue
		}
		in.Tools = sec.toolsOf(in)
		names = append(names, language.ToolNames(in.Tools)...)
		if selected {
			in.Tools = selectTools(in.Tools, only)
		}
	}
	if !selected {
		return
	}
	if names == nil {
		sec.diags = append(sec.diags, diag.New(diag.UselessOption, sec.decl.Only[sec.only.at(v.Index)].At, "section-selects-tools-but", sec.decl.ID.Str).
			WithHint("remove-name-source-kind"))
		return
	}
	for _, w := range only {
		if w.Str != "*" {
			sec.known(diag.UnknownTool, w, names, "section-no-tool", sec.decl.ID.Str, w.Str)
		}
	}
}

// toolsOf gives the tools of an input's files, sorted by name.
func (sec *section) toolsOf(in *assembly.Input) []*language.Tool {
	var all []*language.Tool
	for _, d := range in.Docs {
		all = append(all, sec.spec.Tools[d]...)
	}
	slices.SortStableFunc(all, func(a, b *language.Tool) int { return cmp.Compare(a.Name, b.Name) })
	all = sec.onlyOf(in.Source, all)
	for i := 1; i < len(all); i++ {
		if all[i].Name == all[i-1].Name {
			sec.duplicateTool(all[i], all[i-1])
		}
	}
	return all
}

// onlyOf gives the tools that a source has by its own `only`.
func (sec *section) onlyOf(source *language.Source, all []*language.Tool) []*language.Tool {
	if source == nil || source.Only == nil {
		return all
	}
	names := language.ToolNames(all)
	for _, w := range source.Only {
		if w.Str != "*" {
			sec.known(diag.UnknownTool, w, names, "source-no-tool", source.ID.Str, w.Str)
		}
	}
	return selectTools(all, source.Only)
}

// selectTools gives the named tools in the order of the names; "*" stands
// for all that are not named, by name.
func selectTools(all []*language.Tool, only []ground.Word) []*language.Tool {
	named := func(name string) bool {
		return slices.ContainsFunc(only, func(w ground.Word) bool { return w.Str == name })
	}
	var out []*language.Tool
	for _, w := range only {
		for _, t := range all {
			if t.Name == w.Str || w.Str == "*" && !named(t.Name) {
				out = append(out, t)
			}
		}
	}
	return out
}

// applySelect gives the inputs of kind registry the entries that the section
// selects, all of them by default, and leaves out inputs that keep none.
func (sec *section) applySelect(v *assembly.Variant, inputs []*assembly.Input) []*assembly.Input {
	selection, selected := pick(sec.decl.Select, sec.selects, v.Index)
	var all []*language.Entry
	var out []*assembly.Input
	registries := false
	for _, in := range inputs {
		if !in.Kind.Entries {
			out = append(out, in)
			continue
		}
		registries = true
		in.Entries = sec.entries(in)
		all = append(all, in.Entries...)
		if selected {
			if in.Entries = chosen(selection, in.Entries); len(in.Entries) == 0 {
				continue
			}
			in.Docs = docsOf(in.Entries)
		}
		out = append(out, in)
	}
	if registries && selected {
		sec.checkSelection(selection, all)
	}
	return out
}

// entries gives the entries of a registry in path order, then in that of the
// file. Of two with one id the first stays.
func (sec *section) entries(in *assembly.Input) []*language.Entry {
	var out []*language.Entry
	ids := map[string]*language.Entry{}
	for _, doc := range in.Docs {
		for _, e := range sec.spec.Entries[doc] {
			first, again := ids[e.ID.Str]
			if !again {
				ids[e.ID.Str] = e
				out = append(out, e)
				continue
			}
			line := first.ID.At.File.LineAt(first.ID.At.Start)
			sec.diags = append(sec.diags, diag.New(diag.DuplicateEntry, e.ID.At, "second-entry-registry", e.ID.Str).
				WithHint("first-rename-narrow-path", first.Doc.File.Path, line))
		}
	}
	return out
}

// chosen gives the entries for which every key of a selection holds: in the
// order of its ids, or in their own.
func chosen(s language.Select, entries []*language.Entry) []*language.Entry {
	holds := func(e *language.Entry) bool {
		source := ground.Word{Str: e.Source}
		return anyOf(s.Tags, e.Tags...) && anyOf(s.Sources, source) && anyOf(s.Servers, e.Server)
	}
	var out []*language.Entry
	if s.IDs == nil {
		for _, e := range entries {
			if holds(e) {
				out = append(out, e)
			}
		}
		return out
	}
	byID := map[string]*language.Entry{}
	for _, e := range entries {
		byID[e.ID.Str] = e
	}
	for _, id := range s.IDs {
		if e := byID[id.Str]; e != nil && holds(e) {
			out = append(out, e)
		}
	}
	return out
}

// anyOf reports whether one of the names is wanted; nil wants any.
func anyOf(wanted []ground.Word, names ...ground.Word) bool {
	return wanted == nil || slices.ContainsFunc(wanted, func(w ground.Word) bool {
		return slices.ContainsFunc(names, func(n ground.Word) bool { return n.Str == w.Str })
	})
}

// docsOf gives the files of entries, each once.
func docsOf(entries []*language.Entry) []*language.Doc {
	var out []*language.Doc
	seen := map[*language.Doc]bool{}
	for _, e := range entries {
		if !seen[e.Doc] {
			seen[e.Doc] = true
			out = append(out, e.Doc)
		}
	}
	return out
}

// checkSelection reports the names of a selection that no entry has. An
// unknown id is an error; a tag or a server may be one that is still to come.
func (sec *section) checkSelection(s language.Select, all []*language.Entry) {
	var ids, tags, servers []string
	for _, e := range all {
		ids = append(ids, e.ID.Str)
		tags = append(tags, ground.Strings(e.Tags)...)
		if e.Server.Str != "" {
			servers = append(servers, e.Server.Str)
		}
	}
	for _, names := range []*[]string{&ids, &tags, &servers} {
		sortUnique(names)
	}
	id := sec.decl.ID.Str
	for _, w := range s.IDs {
		sec.known(diag.UnknownEntry, w, ids, "section-selects-entry-registry", id, w.Str)
	}
	for _, w := range s.Tags {
		sec.known(diag.UnknownTag, w, tags, "section-selects-tag-no", id, w.Str)
	}
	for _, w := range s.Servers {
		sec.known(diag.UnknownTag, w, servers, "section-selects-server-no", id, w.Str)
	}
}

// lackOf names a tool that a selected entry requires.
type lackOf struct {
	entry *language.Entry
	tool  string
}

// lack is where it is required, and the variants that have the entry and not the
// tool.
type lack struct {
	at    diag.Span
	users ground.Set
}

// requireTools looks for the tools that the entries of a variant require,
// also of those that it may step down to.
func (s *scope) requireTools(v *assembly.Variant) {
	for _, u := range v.Uses {
		if u.Unit < 0 {
			continue
		}
		s.requireToolsOf(v, u.Unit)
		for _, step := range u.Steps {
			s.requireToolsOf(v, step.Unit)
		}
	}
}

func (s *scope) requireToolsOf(v *assembly.Variant, unit int) {
	for _, in := range s.plan.Units[unit].Inputs {
		for _, e := range in.Entries {
			for _, w := range e.Requires {
				if !slices.ContainsFunc(s.tools[v.Index], func(t *language.Tool) bool { return t.Name == w.Str }) {
					l := s.lacks.Of(lackOf{e, w.Str})
					if l.users.Size() == 0 {
						*l = lack{w.At, ground.NewSet(s.all.Size())}
					}
					l.users.Add(v.Index)
				}
			}
		}
	}
}

// reportMissingTools says once for each entry and tool in which variants the
// tool is missing.
func (s *scope) reportMissingTools() {
	for key, l := range s.lacks.All() {
		d := diag.New(diag.ToolNotThere, l.at, "entry-requires-tool-not",
			key.entry.ID.Str, key.tool, l.users.Len(), l.users.Size(), s.prompt.ID.Str, setcover.NewCover(s.build).InWords(l.users))
		if best, ok := suggest.Best(key.tool, s.toolNames); ok && best != key.tool {
			d = d.WithHint("did-you-mean", best)
		} else {
			d = d.WithHint("bring-tool-section-kind")
		}
		s.diags = append(s.diags, d)
	}
}

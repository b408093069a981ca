package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

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
	defaultStyle(in)
}

// sourceOptions applies a source's own settings. They have no cases: those
// stand on sections.
func (sec *section) sourceOptions(in *prompt.Input) {
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
func defaultStyle(in *prompt.Input) {
	if in.Style == "" && in.StyleDoc == nil && len(in.Kind.Styles) > 0 {
		in.Style = in.Kind.Styles[0]
	}
}

// applyStyle sets a built-in style or a template file.
func (sec *section) applyStyle(in *prompt.Input, st prompt.Style) {
	if st.Path.Str != "" {
		docs := sec.spec.Tree.Matches[prompt.MatchKey{Path: st.Path.Str, Kind: prompt.StyleKind}]
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
func merge(list []*prompt.Input) []*prompt.Input {
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
func changes(in *prompt.Input) bool { return in.Source != nil && in.Source.Volatile }

// onlyTools reports whether a section is made of tool definitions, which are
// sent as they are.
func onlyTools(inputs []*prompt.Input) bool {
	return !slices.ContainsFunc(inputs, func(in *prompt.Input) bool { return !in.Kind.Tools })
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

func sameLimit(a, b *prompt.Limit) bool {
	return a == b || a != nil && b != nil && *a == *b
}

package diff

import (
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
)

// missing says for every edit of lines and every added item which variants of
// the prompts that it reaches could have it and do not.
func (r *run) missing() {
	r.byPlace = map[place][]*review.Edit{}
	for e := range r.lineEdits {
		if e.At.Known() {
			r.byPlace[placeOf(e.At)] = append(r.byPlace[placeOf(e.At)], e)
		}
	}
	for _, e := range r.d.Edits {
		f, items := r.lineEdits[e], r.itemSections[e]
		switch {
		case e.Follows != nil || f == nil && items == nil:
			continue
		case f == nil:
			f = &lineFacts{sections: map[*pair][]*section{}, files: map[string]bool{}, items: []string{e.Item}}
			if e.At.Known() {
				f.files[e.At.File.Path] = true
			}
			for _, in := range items {
				if in.section != nil && !slices.Contains(f.sections[in.pair], in.section) {
					f.sections[in.pair] = append(f.sections[in.pair], in.section)
				}
			}
		}
		files := slices.Sorted(maps.Keys(f.files))
		for _, p := range r.pairs {
			r.missedBy(e, f, p, r.included(e, files, p))
		}
	}
}

// included notes the variants of a prompt that an edit reaches, or may reach,
// since they send a template that includes a file of it, and gives them. In a
// prompt that it does not reach otherwise, what is not known is not noted.
func (r *run) included(e *review.Edit, files []string, p *pair) ground.Set {
	out := ground.NewSet(len(p.Was))
	i := slices.IndexFunc(e.Reach, func(at review.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
	for _, t := range p.twins {
		if !t.Both() || i >= 0 && e.Reach[i].In.Has(t.Head.Variant.Index) {
			continue
		}
		v := t.Head.Variant.Index
		switch by, unsure := r.two.Includer(t.Head, files); {
		case by == "" || unsure && i < 0:
			continue
		case unsure:
			miss(e, t, review.CauseMayInclude, by)
		default:
			miss(e, t, review.CauseIncludes, by)
			if !p.Affected.Has(v) {
				p.Includers.Add(v)
			}
		}
		out.Add(v)
	}
	return out
}

// missedBy notes the variants of a prompt that an edit does not reach, but for
// those that include it.
func (r *run) missedBy(e *review.Edit, f *lineFacts, p *pair, included ground.Set) {
	i := slices.IndexFunc(e.Reach, func(at review.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
	if i < 0 {
		return
	}
	if !r.comparedIn(p, e.Reach[i].In) {
		return // what is new differs from the others by what it is
	}
	in := r.alsoAt(e, p, e.Reach[i].In)
	for _, t := range p.twins {
		if !t.Both() || in.Has(t.Head.Variant.Index) || included.Has(t.Head.Variant.Index) {
			continue
		}
		if cause, why, has := r.whyMissed(e, f, t); !has {
			miss(e, t, cause, why)
		}
	}
}

// comparedIn reports whether one of some variants of the head was there before.
func (r *run) comparedIn(p *pair, in ground.Set) bool {
	return slices.ContainsFunc(p.twins, func(t twin) bool { return t.Both() && in.Has(t.Head.Variant.Index) })
}

// alsoAt adds the variants that another edit of the same place of a source
// reaches: it has the change in other words.
func (r *run) alsoAt(e *review.Edit, p *pair, in ground.Set) ground.Set {
	out := in.Clone()
	if !e.At.Known() {
		return out
	}
	for _, o := range r.byPlace[placeOf(e.At)] {
		for _, at := range o.Reach {
			if at.Pair == p.Pair && !at.OfBase {
				out.Union(at.In)
			}
		}
	}
	return out
}

// whyMissed says why an edit does not reach a variant; has, that the variant has
// what came already.
func (r *run) whyMissed(e *review.Edit, f *lineFacts, t twin) (cause review.Cause, why string, has bool) {
	sections := f.sections[t.pair]
	if r.standsIn(t, sections, f.lines[1]) >= 0 {
		return 0, "", true
	}
	if at := r.standsIn(t, sections, f.lines[0]); at >= 0 && slices.ContainsFunc(f.lines[0], func(l int32) bool { return !r.lines.Weak(l) }) {
		return review.CauseStale, r.sourceOf(t.Head, at, len(f.lines[0])), false
	}
	if len(sections) == 0 {
		cause, why = r.talkMissed(f, t)
		return cause, why, false
	}
	for _, s := range sections {
		if s.head < 0 || t.Head.Used[s.head] == nil {
			continue
		}
		if x := t.Head.Used[s.head]; x.Text.Str == "" {
			if formOf(x) == "" {
				continue
			}
			return review.CauseForm, formOf(x), false
		}
		cause, why, has = r.saysOther(e, f, t.Head.Used[s.head], t.pair.rendered())
		return cause, why, has
	}
	if first := sections[0]; first.head >= 0 {
		cause, why = outCause(t.Head, first.head)
		return cause, why, false
	}
	return review.CauseAbsent, "", false
}

// standsIn gives the line of a variant's text in the head from which on some lines
// stand, one after another and in one of the sections, -1 for none. In a text of
// another program they may stand anywhere.
func (r *run) standsIn(t twin, sections []*section, lines []int32) int {
	if len(lines) == 0 {
		return -1
	}
	text := r.lined(t.Head)
	for i := 0; i+len(lines) <= len(text.IDs); i++ {
		if !r.lines.SameButEnds(text.IDs[i:i+len(lines)], lines) {
			continue
		}
		if t.pair.rendered() || len(sections) == 0 {
			return i
		}
		part := t.Head.Parts[partAt(t.Head, text.Starts[i])]
		if part.Rendering != nil && slices.Contains(sections, t.pair.sectionAt(part.Section, false)) {
			return i
		}
	}
	return -1
}

// sourceOf gives the path of the file that some lines of a text come from, ""
// for none, and where every variant has a file of its own.
func (r *run) sourceOf(a *assembly.Artifact, line, n int) string {
	if a.Build.Prompt.Rendered != nil {
		return ""
	}
	text := r.lined(a)
	if at := spanIn(a, text.Starts[line], text.Starts[line+n]); at.Known() {
		return at.File.Path
	}
	return ""
}

// saysOther says why a text of the section does not have the edit.
func (r *run) saysOther(e *review.Edit, f *lineFacts, x *assembly.Rendering, own bool) (cause review.Cause, why string, has bool) {
	if own {
		return review.CauseOther, "", false
	}
	in := func(name string) bool {
		_, there := r.frame(x).index[name]
		return there
	}
	if !slices.Contains(f.items, "") && !slices.ContainsFunc(f.items, in) {
		switch kind := kindOf(x); {
		case kind != nil && (kind.Entries || kind.Tools):
			return review.CauseOnly, "", false
		case len(r.frame(x).items) == 0 && formOf(x) != "":
			return review.CauseForm, formOf(x), false
		}
	} else if e.Kind == review.ItemAdded {
		return 0, "", true
	}
	if form := formOf(x); form != "" && len(f.forms) > 0 && !slices.Contains(f.forms, form) {
		return review.CauseForm, formOf(x), false
	}
	files := filesOf(x)
	if slices.ContainsFunc(files, func(s sourceFile) bool { return f.files[s.Path] }) {
		return review.CauseOther, "", false
	}
	if i := slices.IndexFunc(files, func(s sourceFile) bool { return s.Path != "" }); i >= 0 {
		return review.CauseFile, files[i].Path, false
	}
	return review.CauseOther, "", false
}

// talkMissed says why a conversation does not have an edit: it is another
// fixture, or does not show the file.
func (r *run) talkMissed(f *lineFacts, t twin) (review.Cause, string) {
	if t.Head.Variant.Messages == nil {
		return review.CauseAbsent, ""
	}
	x := r.spokenBy(t.Head, false)
	if x == nil || x.Unit.Dialogue == nil || x.Unit.Dialogue.Conversation == nil {
		return review.CauseAbsent, ""
	}
	if path := x.Unit.Dialogue.Conversation.Doc.File.Path; !f.files[path] && len(f.files) > 0 {
		return review.CauseFile, path
	}
	return review.CauseAbsent, ""
}

// kindOf gives the kind of a rendering's first input that has one, nil for none.
func kindOf(x *assembly.Rendering) *language.Kind {
	for _, in := range x.Unit.Inputs {
		if in.Kind != nil {
			return in.Kind
		}
	}
	return nil
}

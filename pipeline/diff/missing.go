package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// found is what is needed to say what an edit of text misses: the sections that
// it is about, by prompt, and the forms that it reaches.
type found struct {
	sections map[*pair][]*section
	forms    []string
	// files are those behind the texts that it reaches, items those that it is
	// in, "" for what stands around them, and places where it comes from: the
	// first of each file.
	files  map[string]bool
	items  map[string]bool
	places map[string]diag.Span
	// olds are the texts that it changed; see body.
	olds map[int]bool
	// own says that every text has a file of its own, which says nothing.
	own   bool
	known map[*prompt.Rendering]reason
}

// reason says why a text does not have an edit; has, that it does: by another
// edit, or in other words, where text is expanded.
type reason struct {
	has   bool
	cause prompt.Cause
	why   string
}

// missing says for every edit of texts and added items which variants could
// have it and do not.
func (r *run) missing() {
	about := r.about
	var order []*prompt.Edit
	for _, c := range r.changed {
		for _, e := range c.edits {
			if e.Kind != prompt.TextChanged && e.Kind != prompt.ItemAdded {
				continue
			}
			f := about[e]
			if f == nil {
				f = newFound(e)
				about[e] = f
				order = append(order, e)
			}
			f.add(c)
			f.olds[r.bodyOf(c.base).n] = true
		}
		for _, o := range c.atoms {
			f := about[o.edit]
			f.items[o.name] = true
			f.from(o.at)
		}
	}
	for _, e := range order {
		r.missedBy(e, about[e])
	}
}

func newFound(e *prompt.Edit) *found {
	f := &found{
		sections: map[*pair][]*section{}, files: map[string]bool{}, known: map[*prompt.Rendering]reason{},
		items: map[string]bool{}, places: map[string]diag.Span{}, olds: map[int]bool{},
	}
	f.from(e.At)
	if e.Kind == prompt.ItemAdded {
		f.items[e.Item] = true
	}
	return f
}

// from notes a place that the edit comes from.
func (f *found) from(at diag.Span) {
	if !at.Known() {
		return
	}
	if _, known := f.places[at.File.Path]; !known {
		f.places[at.File.Path] = at
	}
}

func (f *found) add(c *change) {
	f.own = f.own || c.own
	if form := formOf(c.head); !c.loose && !slices.Contains(f.forms, form) {
		f.forms = append(f.forms, form)
	}
	for _, file := range filesOf(c.head) {
		f.files[file.path] = true
	}
	for _, u := range c.uses {
		if u.section != nil && !slices.Contains(f.sections[u.pair], u.section) {
			f.sections[u.pair] = append(f.sections[u.pair], u.section)
		}
	}
}

// missedBy notes the variants that an edit does not reach in the prompts that
// it reaches.
func (r *run) missedBy(e *prompt.Edit, f *found) {
	for _, p := range r.pairs {
		i := slices.IndexFunc(e.Reach, func(at prompt.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
		if i < 0 {
			continue
		}
		in := e.Reach[i].In
		var other, old otherFiles
		for _, t := range p.twins {
			if !t.both() || in.Has(t.head.Variant.Index) {
				continue
			}
			switch why := r.whyMissed(e, f, t); {
			case why.has:
			case why.cause == prompt.CauseFile:
				other.add(t, why.why)
			case why.cause == prompt.CauseStale:
				old.add(t, why.why)
			default:
				miss(e, t, why.cause, why.why)
			}
		}
		if len(other.paths) < manyFiles { // else each has its own, which says nothing
			other.note(e, prompt.CauseFile)
		}
		old.note(e, prompt.CauseStale)
	}
}

// manyFiles is the number of other files from which on they are no longer said.
const manyFiles = 8

// addUp adds to what edits miss the variants that are compared with none, so
// that those of a prompt that are reached and those that are not are all.
func (r *run) addUp() {
	for _, e := range r.d.Edits {
		for _, p := range r.pairs {
			i := slices.IndexFunc(e.Reach, func(at prompt.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
			if i < 0 || len(e.Reach[i].Missed) == 0 {
				continue
			}
			for _, t := range p.twins {
				if t.base == nil && !e.Reach[i].In.Has(t.head.Variant.Index) {
					miss(e, t, prompt.CauseNew, "")
				}
			}
		}
	}
}

// otherFiles are the variants that read other files than the one of an edit;
// "" is for those of which the file says nothing.
type otherFiles struct {
	paths []string
	twins []twin
}

func (o *otherFiles) add(t twin, path string) {
	o.twins = append(o.twins, t)
	if path != "" && !slices.Contains(o.paths, path) {
		o.paths = append(o.paths, path)
	}
}

func (o *otherFiles) note(e *prompt.Edit, cause prompt.Cause) {
	why := ""
	if len(o.paths) > 0 {
		why = o.paths[0]
	}
	if len(o.paths) > 1 {
		why += ", …"
	}
	for _, t := range o.twins {
		miss(e, t, cause, why)
	}
}

// whyMissed says why an edit of text does not reach a variant. Of several
// sections the first that is in counts, else the first.
func (r *run) whyMissed(e *prompt.Edit, f *found, t twin) reason {
	sections := f.sections[t.pair]
	if len(sections) == 0 {
		cause, why := r.talkMissed(f, t)
		return reason{cause: cause, why: why}
	}
	for _, s := range sections {
		x := t.head.Used[s.head]
		if x == nil {
			continue
		}
		why, ok := f.known[x]
		if !ok {
			why.has = e.Kind == prompt.TextChanged && f.shows(x.Text) || e.Kind == prompt.ItemAdded && f.in(r.frame(x))
			why.cause, why.why = r.saysOther(e, f, x)
			f.known[x] = why
		}
		return why
	}
	cause, why := outCause(t.head, sections[0].head)
	return reason{cause: cause, why: why}
}

// shows reports whether a text has something from where the edit comes from.
func (f *found) shows(t prompt.Text) bool {
	return slices.ContainsFunc(t.Segs, func(s prompt.Seg) bool {
		if !s.At.Known() {
			return false
		}
		at, known := f.places[s.At.File.Path]
		return known && s.At.Start < at.End && at.Start < s.At.End
	})
}

// saysOther says why a text of the section does not have the edit.
func (r *run) saysOther(e *prompt.Edit, f *found, x *prompt.Rendering) (prompt.Cause, string) {
	form := formOf(x)
	other := !slices.Contains(f.forms, form)
	if !f.items[""] && !f.in(r.frame(x)) {
		switch kind := kindOf(x); {
		case kind == "registry" || kind == "tools":
			return prompt.CauseOnly, ""
		case other && len(r.frame(x).items) == 0:
			return prompt.CauseForm, formWords(x)
		}
	}
	files := filesOf(x)
	path := ""
	if first := slices.IndexFunc(files, func(s sourceFile) bool { return s.path != "" }); first >= 0 && !f.own && !f.sharesFile(files) {
		path = files[first].path
	}
	switch {
	case r.stale(e, f, x):
		return prompt.CauseStale, path
	case path != "":
		return prompt.CauseFile, path
	case other:
		return prompt.CauseForm, formWords(x)
	default:
		return prompt.CauseOther, ""
	}
}

// in reports whether a text has one of the items that the edit is in.
func (f *found) in(of *frame) bool {
	return slices.ContainsFunc(of.items, func(i item) bool { return f.items[i.name] })
}

// sharesFile reports whether a text is made from a file that changed; where
// that is no source, such as the manifest, whether it has a file in common with
// those that are reached.
func (f *found) sharesFile(files []sourceFile) bool {
	sources := false
	for path := range f.places {
		sources = sources || f.files[path]
	}
	return slices.ContainsFunc(files, func(s sourceFile) bool {
		_, changed := f.places[s.path]
		return f.files[s.path] && (changed || !sources)
	})
}

// talkMissed says why a conversation does not have an edit: it is another
// fixture, or does not show the file.
func (r *run) talkMissed(f *found, t twin) (prompt.Cause, string) {
	if t.head.Variant.Messages == nil {
		return prompt.CauseAbsent, ""
	}
	x := r.conversation(r.d.Head.Result, t.head.Variant)
	if x == nil || x.Unit.Dialogue == nil || x.Unit.Dialogue.Conversation == nil {
		return prompt.CauseAbsent, ""
	}
	file := x.Unit.Dialogue.Conversation.Doc.File
	if _, changed := f.places[file.Path]; !changed && len(f.places) > 0 {
		return prompt.CauseFile, file.Path
	}
	return prompt.CauseAbsent, ""
}

func kindOf(x *prompt.Rendering) string {
	for _, in := range x.Unit.Inputs {
		if in.Kind != nil {
			return in.Kind.Name
		}
	}
	return ""
}

package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// found is what is needed to say what an edit of text misses: the sections that
// it is about, by prompt, and the forms that it reaches.
type found struct {
	sections map[*pair][]*section
	forms    []string
	// files are those behind the texts that it reaches.
	files map[string]bool
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
	about := map[*prompt.Edit]*found{}
	var order []*prompt.Edit
	for _, c := range r.changed {
		for _, e := range c.edits {
			if e.Kind != prompt.TextChanged && e.Kind != prompt.ItemAdded {
				continue
			}
			f := about[e]
			if f == nil {
				f = &found{sections: map[*pair][]*section{}, files: map[string]bool{}, known: map[*prompt.Rendering]reason{}}
				about[e] = f
				order = append(order, e)
			}
			f.add(c)
		}
	}
	for _, e := range order {
		r.missedBy(e, about[e])
	}
}

func (f *found) add(c *change) {
	f.own = f.own || c.owner.path != ""
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
	files := map[*pair]*otherFiles{}
	for _, p := range r.pairs {
		i := slices.IndexFunc(e.Reach, func(at prompt.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
		if i < 0 {
			continue
		}
		in := e.Reach[i].In
		for _, t := range p.twins {
			if !t.both() || in.Has(t.head.Variant.Index) {
				continue
			}
			switch why := r.whyMissed(e, f, t); {
			case why.has:
			case why.cause != prompt.CauseFile:
				miss(e, t, why.cause, why.why)
			default:
				if files[p] == nil {
					files[p] = &otherFiles{}
				}
				files[p].add(t, why.why)
			}
		}
		files[p].note(e)
	}
}

// otherFiles are the variants that read other files than the one of an edit.
type otherFiles struct {
	paths []string
	twins []twin
}

func (o *otherFiles) add(t twin, path string) {
	o.twins = append(o.twins, t)
	if !slices.Contains(o.paths, path) {
		o.paths = append(o.paths, path)
	}
}

func (o *otherFiles) note(e *prompt.Edit) {
	if o == nil {
		return
	}
	why := o.paths[0]
	if len(o.paths) > 1 {
		why += ", …"
	}
	for _, t := range o.twins {
		miss(e, t, prompt.CauseFile, why)
	}
}

// whyMissed says why an edit of text does not reach a variant. Of several
// sections the first that is in counts, else the first.
func (r *run) whyMissed(e *prompt.Edit, f *found, t twin) reason {
	sections := f.sections[t.pair]
	if len(sections) == 0 {
		cause, why := r.talkMissed(e, t)
		return reason{cause: cause, why: why}
	}
	for _, s := range sections {
		x := t.head.Used[s.head]
		if x == nil {
			continue
		}
		why, ok := f.known[x]
		if !ok {
			why.has = e.Kind == prompt.TextChanged && showsPlace(x.Text, placeOf(e.At))
			why.cause, why.why = r.saysOther(e, f, x)
			f.known[x] = why
		}
		return why
	}
	cause, why := outCause(t.head, sections[0].head)
	return reason{cause: cause, why: why}
}

// showsPlace reports whether a text has something from a place of a source.
func showsPlace(t prompt.Text, at place) bool {
	return slices.ContainsFunc(t.Segs, func(s prompt.Seg) bool {
		return s.At.Known() && s.At.File.Path == at.path && s.At.Start < at.end && at.start < s.At.End
	})
}

// saysOther says why a text of the section does not have the edit.
func (r *run) saysOther(e *prompt.Edit, f *found, x *prompt.Rendering) (prompt.Cause, string) {
	form := formOf(x)
	other := !slices.Contains(f.forms, form)
	if e.Item != "" && r.frame(x).find(e.Item) == nil {
		switch kind := kindOf(x); {
		case kind == "registry" || kind == "tools":
			return prompt.CauseOnly, ""
		case other && len(r.frame(x).items) == 0:
			return prompt.CauseForm, formWords(x)
		}
	}
	files := filesOf(x)
	switch first := slices.IndexFunc(files, func(s sourceFile) bool { return s.path != "" }); {
	case first >= 0 && !f.own && !f.sharesFile(e, files):
		return prompt.CauseFile, files[first].path
	case other:
		return prompt.CauseForm, formWords(x)
	default:
		return prompt.CauseOther, ""
	}
}

// sharesFile reports whether a text is made from the file that changed; where
// that is no source, such as the manifest, whether it has a file in common with
// those that are reached.
func (f *found) sharesFile(e *prompt.Edit, files []sourceFile) bool {
	changed := ""
	if e.At.Known() {
		changed = e.At.File.Path
	}
	return slices.ContainsFunc(files, func(s sourceFile) bool {
		if f.files[changed] {
			return s.path == changed
		}
		return f.files[s.path]
	})
}

// talkMissed says why a conversation does not have an edit: it is another
// fixture, or does not show the file.
func (r *run) talkMissed(e *prompt.Edit, t twin) (prompt.Cause, string) {
	if t.head.Variant.Messages == nil {
		return prompt.CauseAbsent, ""
	}
	x := r.conversation(r.d.Head.Result, t.head.Variant)
	if x == nil || x.Unit.Dialogue == nil || x.Unit.Dialogue.Conversation == nil {
		return prompt.CauseAbsent, ""
	}
	if file := x.Unit.Dialogue.Conversation.Doc.File; e.At.Known() && file != e.At.File {
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

package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// sectionKey groups sections that come or go. Prompts that share a section by
// an anchor of the manifest share the edit.
type sectionKey struct {
	kind review.EditKind
	at   place
	id   string
	// was and is are the reasons of sections that are declared on both sides.
	was, is review.Value
}

// sections finds sections that are declared on one side only, those that are
// left out now or no longer, and those that stand elsewhere.
func (r *run) sections() {
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		if pairing.Resplit(p.Pair) || p.rendered() {
			continue // what the texts say decides
		}
		for _, s := range p.sections {
			switch {
			case s.base < 0:
				r.sectionDeclared(s, review.SectionAdded)
			case s.head < 0:
				r.sectionDeclared(s, review.SectionRemoved)
			default:
				r.sectionTurned(s)
			}
		}
	}
}

// sectionDeclared adds the edit of a section that one side alone declares. What
// only variants have that come or go comes or goes with them.
func (r *run) sectionDeclared(s *section, kind review.EditKind) {
	var in, out []twin
	elsewhere := false
	for _, t := range s.pair.twins {
		was, is := t.used(s)
		switch {
		case !t.Both():
			elsewhere = elsewhere || was != nil || is != nil
		case was != nil || is != nil:
			in = append(in, t)
		default:
			out = append(out, t)
		}
	}
	if len(in) == 0 && elsewhere {
		return
	}
	e := r.group(sectionKey{kind: kind, at: placeOf(s.spec().ID.At), id: s.id}, func() *review.Edit {
		return &review.Edit{Kind: kind, Section: s.id, At: s.spec().ID.At, InBase: s.head < 0}
	})
	e.Row(s.pair.Pair, false)
	for _, t := range in {
		r.reachShown(e, s, t)
	}
	for _, t := range out {
		if s.head >= 0 {
			cause, why := outCause(t.Head, s.head)
			miss(e, t, cause, why)
		}
	}
}

// reachShown says that an edit brings a section to a variant, or takes it away,
// and that the lines of it follow from that.
func (r *run) reachShown(e *review.Edit, s *section, t twin) {
	r.owners[ownerKey{t, s}] = e
	if was, is := t.used(s); is != nil {
		reachBy(e, t, cost(t.Head, s.head)+r.worth(is.Slots))
	} else {
		reachBy(e, t, -cost(t.Base, s.base)-r.worth(was.Slots))
	}
}

// sectionTurned adds the edits of a section that is in on one side only, or out
// on both for different reasons.
func (r *run) sectionTurned(s *section) {
	var made []*review.Edit
	for _, t := range s.pair.twins {
		if !t.Both() {
			continue
		}
		was, is := t.used(s)
		key := sectionKey{kind: review.SectionDropped, at: placeOf(s.spec().ID.At), id: s.id}
		if was == nil {
			key.was = reasonOf(t.Base, s.base)
		}
		if is == nil {
			key.is = reasonOf(t.Head, s.head)
		}
		switch {
		case key.was == key.is:
			continue // in on both sides, or out for one reason
		case is != nil:
			key.kind = review.SectionKept
		}
		file, inBase := r.fileTurned(t, s)
		if file.Known() { // one file is one edit, whatever sections read it
			key.at, key.id = placeOf(file), ""
		}
		e := r.group(key, func() *review.Edit {
			if !file.Known() {
				file, inBase = s.spec().ID.At, s.head < 0
			}
			return &review.Edit{Kind: key.kind, Section: s.id, Was: key.was, Is: key.is, At: file, InBase: inBase}
		})
		if r.owners[ownerKey{t, nil}] == nil {
			r.owners[ownerKey{t, nil}] = e // the notice names it
		}
		if was == nil && is == nil {
			reach(e, t) // sends what it sent
			continue
		}
		r.reachShown(e, s, t)
		if !slices.Contains(made, e) {
			made = append(made, e)
		}
	}
	r.stayed(s, made)
}

// stayed notes the variants that edits which bring a section do not reach.
func (r *run) stayed(s *section, made []*review.Edit) {
	for _, e := range made {
		for _, t := range s.pair.twins {
			if !t.Both() || e.Kind != review.SectionKept {
				continue
			}
			if was, is := t.used(s); was == nil && is == nil {
				cause, why := outCause(t.Head, s.head)
				miss(e, t, cause, why)
			}
		}
	}
}

// cost gives what a section adds to a text with the join before it.
func cost(a *assembly.Artifact, section int) int {
	return costAt(a, slices.IndexFunc(a.Parts, func(p assembly.Part) bool { return p.Section == section && p.Rendering != nil }))
}

// costAt gives what a part adds to a text with the join before it, nothing for no
// part.
func costAt(a *assembly.Artifact, part int) int {
	if part < 0 {
		return 0
	}
	from := part
	for from > 0 && a.Parts[from-1].Section < 0 && a.Parts[from-1].Passage == nil {
		from--
	}
	if from == 0 {
		return a.Parts[part].Total
	}
	return a.Parts[part].Total - a.Parts[from-1].Total
}

// omission gives why a section is out of an artifact.
func omission(a *assembly.Artifact, section int) assembly.Omission {
	for _, o := range a.Out {
		if o.Section == section {
			return o
		}
	}
	return assembly.Omission{Section: section, Reason: assembly.OutEmpty}
}

func reasonOf(a *assembly.Artifact, section int) review.SectionOut {
	o := omission(a, section)
	return review.SectionOut{Reason: o.Reason, Why: o.Why}
}

// outCause gives it as a cause for not being reached.
func outCause(a *assembly.Artifact, section int) (review.Cause, string) {
	o := omission(a, section)
	switch o.Reason {
	case assembly.OutWhen:
		return review.CauseWhen, ""
	case assembly.OutNeeds:
		return review.CauseNeeds, o.Why
	case assembly.OutForm:
		return review.CauseForm, o.Why
	case assembly.OutBudget:
		return review.CauseBudget, ""
	default:
		return review.CauseAbsent, o.Why
	}
}

// fileTurned gives the file that a section is in or out by: the one it is made
// from, where the other side has no such file and leaves the section out for
// that. Unknown for what has another cause.
func (r *run) fileTurned(t twin, s *section) (at diag.Span, inBase bool) {
	was, is := t.used(s)
	x, without, other := was, t.Head, r.d.Head.Result
	n := s.head
	if x == nil {
		x, without, other, n = is, t.Base, r.d.Base.Result, s.base
	}
	if x == nil || was != nil && is != nil || omission(without, n).Reason != assembly.OutAbsent || other.Tree == nil {
		return diag.Span{}, false
	}
	there := r.filesOf(other.Tree)
	var file *diag.File
	for _, f := range filesOf(x) {
		switch {
		case f.file == nil || f.file == file:
		case file != nil || there[f.Path] != nil:
			return diag.Span{}, false
		default:
			file = f.file
		}
	}
	if file == nil {
		return diag.Span{}, false
	}
	return diag.Whole(file), was != nil
}

// filesOf gives all sources of a tree by path, found once.
func (r *run) filesOf(t *language.Tree) map[string]*diag.File {
	files, known := r.sources[t]
	if !known {
		files = t.Files()
		r.sources[t] = files
	}
	return files
}

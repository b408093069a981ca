package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// sectionKey groups sections that come or go. Prompts that share a section by
// an anchor of the manifest share the edit.
type sectionKey struct {
	kind prompt.EditKind
	at   place
	// pair and the reasons are those of sections that are declared on both
	// sides.
	pair     *pair
	from, to string
}

// sections finds sections that are declared on one side only, those that are
// left out now or no longer, and those that stand elsewhere.
func (r *run) sections() {
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		for _, s := range p.sections {
			switch {
			case s.base < 0:
				r.sectionDeclared(s, prompt.SectionAdded)
			case s.head < 0:
				r.sectionDeclared(s, prompt.SectionRemoved)
			default:
				r.sectionTurned(s)
			}
		}
		r.moves(p)
	}
}

// sectionDeclared adds the edit of a section that one side alone declares.
func (r *run) sectionDeclared(s *section, kind prompt.EditKind) {
	at := s.spec().ID.At
	e := r.group(sectionKey{kind: kind, at: placeOf(at)}, func() *prompt.Edit {
		return &prompt.Edit{Kind: kind, Section: s.id, At: at, InBase: s.head < 0}
	})
	row(e, s.pair, false)
	for _, t := range s.pair.twins {
		if !t.both() {
			continue
		}
		was, is := t.used(s)
		switch {
		case was != nil:
			reachBy(e, t, -cost(t.base, s.base))
		case is != nil:
			reachBy(e, t, cost(t.head, s.head))
		case s.head >= 0:
			cause, why := outCause(t.head, s.head)
			miss(e, t, cause, why)
		}
	}
}

// sectionTurned adds the edits of a section that is in on one side only, or out
// on both for different reasons.
func (r *run) sectionTurned(s *section) {
	var kept []*prompt.Edit
	at := s.spec().ID.At
	for _, t := range s.pair.twins {
		if !t.both() {
			continue
		}
		was, is := t.used(s)
		key := sectionKey{pair: s.pair, at: placeOf(at), kind: prompt.SectionDropped}
		if was == nil {
			key.from = reasonOf(t.base, s.base)
		}
		if is == nil {
			key.to = reasonOf(t.head, s.head)
		}
		if key.from == key.to {
			continue // in on both sides, or out for one reason
		}
		if is != nil {
			key.kind = prompt.SectionKept
		}
		e := r.group(key, func() *prompt.Edit {
			return &prompt.Edit{Kind: key.kind, Section: s.id, From: key.from, To: key.to, At: at}
		})
		switch {
		case was == nil && is == nil:
			reach(e, t) // sends what it sent
			continue
		case was == nil:
			reachBy(e, t, cost(t.head, s.head))
		default:
			reachBy(e, t, -cost(t.base, s.base))
		}
		if was == nil && !slices.Contains(kept, e) {
			kept = append(kept, e)
		}
	}
	r.stillOut(s, kept)
}

// stillOut notes the variants that edits which bring a section back do not
// reach.
func (r *run) stillOut(s *section, kept []*prompt.Edit) {
	for _, e := range kept {
		for _, t := range s.pair.twins {
			if !t.both() {
				continue
			}
			if was, is := t.used(s); was == nil && is == nil {
				cause, why := outCause(t.head, s.head)
				miss(e, t, cause, why)
			}
		}
	}
}

// cost gives what a section adds to a text with the join before it.
func cost(a *prompt.Artifact, section int) int {
	for i := range a.Parts {
		if a.Parts[i].Section != section || a.Parts[i].Rendering == nil {
			continue
		}
		from := i
		for from > 0 && a.Parts[from-1].Section < 0 && a.Parts[from-1].Passage == nil {
			from--
		}
		if from == 0 {
			return a.Parts[i].Total
		}
		return a.Parts[i].Total - a.Parts[from-1].Total
	}
	return 0
}

// omission gives why a section is out of an artifact.
func omission(a *prompt.Artifact, section int) prompt.Omission {
	for _, o := range a.Out {
		if o.Section == section {
			return o
		}
	}
	return prompt.Omission{Section: section, Reason: prompt.OutEmpty}
}

// reasonOf gives it in the outlines' words.
func reasonOf(a *prompt.Artifact, section int) string {
	o := omission(a, section)
	return strings.TrimSpace(o.Reason.String() + " " + o.Why)
}

// outCause gives it as a cause for not being reached.
func outCause(a *prompt.Artifact, section int) (prompt.Cause, string) {
	o := omission(a, section)
	switch o.Reason {
	case prompt.OutWhen:
		return prompt.CauseWhen, ""
	case prompt.OutNeeds:
		return prompt.CauseNeeds, o.Why
	case prompt.OutForm:
		return prompt.CauseForm, o.Why
	case prompt.OutBudget:
		return prompt.CauseBudget, ""
	default:
		return prompt.CauseAbsent, o.Why
	}
}

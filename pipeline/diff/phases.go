package diff

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// competing are the keys by which sections compete with each other.
var competing = []string{"phase", "priority", "weight", "sticky"}

// laidOutAnew reports whether a variant emits other sections than before, in
// other forms or in another order.
func laidOutAnew(t twin) bool { return !slices.Equal(laidOut(t.base), laidOut(t.head)) }

// laidOut gives the sections that an artifact emits, with their forms.
func laidOut(a *prompt.Artifact) []string {
	var out []string
	for i := range a.Parts {
		if p := &a.Parts[i]; p.Section >= 0 && p.Rendering != nil {
			out = append(out, a.Build.Prompt.Sections[p.Section].ID.Str+"\n"+formOf(p.Rendering))
		}
	}
	return out
}

// notice says of the key that asks for it that a variant names now what was
// dropped, or no longer does.
func (r *run) notice(e *prompt.Edit, t twin) {
	was, is := t.base.NoticePart(), t.head.NoticePart()
	if was < 0 && is < 0 {
		r.holds(e, t)
		return
	}
	if was >= 0 {
		r.shows(e, '-', prompt.Literal(t.base.Parts[was].Text))
	}
	if is >= 0 {
		r.shows(e, '+', prompt.Literal(t.head.Parts[is].Text))
	}
	reachBy(e, t, noticeCost(t.head, is)-noticeCost(t.base, was))
}

// noticeCost gives what a notice adds to a text with the join before it.
func noticeCost(a *prompt.Artifact, part int) int {
	if part < 0 {
		return 0
	}
	before := part - 1
	for before >= 0 && a.Parts[before].Section < 0 {
		before--
	}
	if before < 0 {
		return a.Parts[part].Total
	}
	return a.Parts[part].Total - a.Parts[before].Total
}

// recounted gives what another tokenizer finds more in what the base sends.
func (r *run) recounted(t twin) int {
	n := r.before(t) - t.base.Use
	if len(t.base.Beside) > 0 {
		n += r.count(t.head.Variant.Tokenizer)(schemaList(t.base.Beside)) - t.base.ToolTokens
	}
	return n
}

// places finds what a section competes with under the layout `phases`, where it
// is in on both sides or could be.
func (r *run) places(t twin, s *section) {
	was, is := &t.base.Variant.Uses[s.base], &t.head.Variant.Uses[s.head]
	if !t.base.Variant.Layout.On || !t.head.Variant.Layout.On || was.Unit < 0 || is.Unit < 0 {
		return
	}
	old, now := t.pair.Base.Prompt.Sections[s.base], t.pair.Head.Prompt.Sections[s.head]
	set := func(name, from, to string, at diag.Span) {
		switch e := (*prompt.Edit)(nil); {
		case from == to:
		case laidOutAnew(t):
			e = r.setting(t.pair, s, name, from, to, at)
			reach(e, t)
		default:
			e = r.setting(t.pair, s, name, from, to, at)
			r.holds(e, t)
		}
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	set("phase", phaseOf(t.base.Variant, was), phaseOf(t.head.Variant, is), caseAt(now.Phase))
	set("priority", number(was.Place.Priority), number(is.Place.Priority), editedCase(old.Priority, now.Priority))
	set("weight", number(was.Place.Weight), number(is.Place.Weight), editedCase(old.Weight, now.Weight))
	set("sticky", strconv.FormatBool(was.Place.Sticky), strconv.FormatBool(is.Place.Sticky), editedCase(old.Sticky, now.Sticky))
}

func phaseOf(v *prompt.Variant, u *prompt.Use) string {
	if i := u.Place.Phase; i >= 0 && i < len(v.Layout.Order) {
		return v.Layout.Order[i]
	}
	return ""
}

// editedCase gives the place of the first case that has another value, else
// that of the first.
func editedCase[T comparable](was, is prompt.Cases[T]) diag.Span {
	for i := range is {
		if i >= len(was) || was[i].Value != is[i].Value {
			return is[i].At
		}
	}
	return caseAt(is)
}

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// entry is one section of a variant with what it costs, or what a conversation
// says in one of its blocks.
type entry struct {
	section *prompt.Section // nil for the notice of what was dropped, and for conversations
	choice  *prompt.Choice  // under the layout `phases`
	step    string          // the form or source it stepped down to
	// content is the word for what a conversation says, "" for sections; tier
	// is that of the message, "" for none and outside conversations.
	content, tier string
	// tokens is what the section adds to the text before it, its join
	// included and its slots not; total the count up to its end.
	tokens, total int
	slots         int // what its slots may add to that, in tokens
	start, end    int // bytes of the emitted text, without the join
	rendering     *prompt.Rendering
	// from and to bound its parts, those that it is charged for included.
	from, to int
}

// entries gives the ledger of a variant. What stands before a section or a
// block of a conversation counts as part of it; what ends a message, or the
// text, as part of the last before it. So the last total is the variant's own.
func entries(a *prompt.Artifact) []entry {
	var out []entry
	before, notice, speakers := 0, a.NoticePart(), speakers(a)
	for i, part := range a.Parts {
		n := len(out)
		closes := speakers != nil && speakers.last(i) && n > 0
		switch {
		case part.Section >= 0 || i == notice:
			out = append(out, sectionEntry(a, part))
			out[n].tier = speakers.message(a, i).Tier
		case said(part) && speakers.goesOn(a, out, i):
			out[n-1].end = part.Start + len(part.Text)
		case said(part):
			out = append(out, speakers.entry(a, i))
		case closes:
		default:
			continue // counts with what follows
		}
		e := &out[len(out)-1]
		if len(out) > n {
			e.from = 0
			if n > 0 {
				e.from = out[n-1].to
			}
		}
		e.tokens, e.total, e.to = e.tokens+part.Total-before, part.Total, i+1
		before = part.Total
	}
	if n := len(out); n > 0 {
		out[n-1].tokens += a.Tokens - out[n-1].total
		out[n-1].total = a.Tokens
	}
	return out
}

// sectionEntry gives the entry of a section or of the notice, without what it
// costs.
func sectionEntry(a *prompt.Artifact, part prompt.Part) entry {
	e := entry{rendering: part.Rendering, slots: slotTokens(part.Rendering), start: part.Start, end: part.Start + len(part.Text)}
	if part.Section >= 0 {
		e.section, e.choice = a.Build.Prompt.Sections[part.Section], choiceOf(a, part.Section)
	}
	if part.Rendering != nil && part.Rendering.Unit != nil {
		e.step = part.Rendering.Unit.Step
	}
	return e
}

// slotTokens adds up what the slots of a rendering may grow to.
func slotTokens(r *prompt.Rendering) int {
	if r == nil {
		return 0
	}
	n := 0
	for _, s := range r.Slots {
		n += s.Slot.MaxTokens
	}
	return n
}

func (e entry) name() string {
	switch {
	case e.content != "":
		return e.content
	case e.section == nil:
		return "(notice)"
	}
	if e.step != "" {
		return e.section.ID.Str + "~" + e.step
	}
	return e.section.ID.Str
}

// lines is a run of lines of one file.
type lines struct {
	file        *diag.File
	first, last int
}

// sameRun is how many lines apart two places of a file may be to be shown as
// one run: what lies between fields of a front matter, or paragraphs around a
// comment, is not worth a second one.
const sameRun = 5

// origins gives the lines that a text came from, the runs of each file
// together, files in the order of the text. The manifest's own headings and
// markers are left out where there is any other file.
func origins(segs []prompt.Seg, manifest *diag.File) []lines {
	var places [][]lines // by file
	at := map[*diag.File]int{}
	for _, s := range segs {
		if !s.At.Known() {
			continue
		}
		i, ok := at[s.At.File]
		if !ok {
			i = len(places)
			at[s.At.File], places = i, append(places, nil)
		}
		first := s.At.File.LineAt(s.At.Start)
		last := s.At.File.LineAt(max(s.At.Start, s.At.End-1))
		places[i] = append(places[i], lines{s.At.File, first, last})
	}
	var out []lines
	for _, of := range places {
		if len(places) == 1 || of[0].file != manifest {
			out = append(out, runs(of)...)
		}
	}
	return out
}

// runs joins the places of one file that are close to each other.
func runs(places []lines) []lines {
	slices.SortFunc(places, func(a, b lines) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last)) })
	var out []lines
	for _, l := range places {
		if n := len(out); n > 0 && l.first <= out[n-1].last+sameRun {
			out[n-1].last = max(out[n-1].last, l.last)
		} else {
			out = append(out, l)
		}
	}
	return out
}

// from says in words where an entry came from, with the marks of its
// rendering.
func (p *page) from(a *prompt.Artifact, e entry, manifest *diag.File) string {
	names, r := places(p, origins(e.segs(a), manifest)), e.rendering
	if len(names) == 0 && r != nil && r.Unit != nil {
		for _, in := range r.Unit.Inputs {
			if in.Origin == prompt.FromBuiltIn {
				names = append(names, "built in")
			}
		}
	}
	out := list(names, len(names))
	if len(names) > 2 {
		out = names[0] + " and " + number(len(names)-1) + " more"
	}
	if r != nil && len(r.Marks) > 0 {
		out = strings.TrimPrefix(out+" ("+clean(strings.Join(r.Marks, ", "))+")", " ")
	}
	return out
}

// places names files with their lines: `a.md:1-4,20`.
func places(p *page, all []lines) []string {
	var out []string
	for i, l := range all {
		text := strconv.Itoa(l.first)
		if l.last > l.first {
			text += "-" + strconv.Itoa(l.last)
		}
		if i > 0 && all[i-1].file == l.file {
			out[len(out)-1] += "," + text
		} else {
			out = append(out, p.path(l.file.Path)+":"+text)
		}
	}
	return out
}

// slotUse is a slot of a variant and what it may add.
type slotUse struct {
	slot   *prompt.Slot
	places int
}

// slots gives the slots of a variant in the order of their first place.
func slots(a *prompt.Artifact) []slotUse {
	var out []slotUse
	for _, part := range a.Parts {
		if part.Rendering == nil {
			continue
		}
		for _, s := range part.Rendering.Slots {
			i := slices.IndexFunc(out, func(u slotUse) bool { return u.slot == s.Slot })
			if i < 0 {
				out = append(out, slotUse{slot: s.Slot})
				i = len(out) - 1
			}
			out[i].places++
		}
	}
	return out
}

// tokenizer names what a variant was counted with; an estimator with what it
// rests on and its stated error.
func tokenizer(spec *prompt.Spec, name string) string {
	if e := estimator(spec, name); e != nil {
		return fmt.Sprintf("%s (%s × %s, ±%s %%)", name, e.Base.Str,
			strconv.FormatFloat(e.Factor, 'g', -1, 64), strconv.FormatFloat(100*e.Error, 'g', 4, 64))
	}
	return name
}

// reason says why a section is out, as briefly as the case allows.
func reason(a *prompt.Artifact, o prompt.Omission) string {
	switch o.Reason {
	case prompt.OutWhen:
		if facts := unmet(a, a.Build.Prompt.Sections[o.Section].When); facts != "" {
			return "when " + facts
		}
	case prompt.OutNeeds, prompt.OutAbsent, prompt.OutEmpty, prompt.OutForm:
		if o.Why != "" {
			return o.Reason.String() + " " + o.Why
		}
	case prompt.OutBudget:
		return strings.TrimSpace("does not fit the budget " + o.Why)
	case prompt.In:
	}
	return o.Reason.String()
}

// unmet names the axes on which a condition fails, with the variant's values:
// "tier is 3".
func unmet(a *prompt.Artifact, when prompt.Condition) string {
	var out []string
	for i, axis := range a.Build.Prompt.Axes {
		value := axis.Values[a.Variant.Values[i]].Str
		fails := false
		for _, clause := range when {
			for _, t := range clause {
				has := slices.ContainsFunc(t.Values, func(w prompt.Word) bool { return w.Str == value })
				fails = fails || t.Axis.Str == axis.Name.Str && has == t.Not
			}
		}
		if fails {
			out = append(out, axis.Name.Str+" is "+value)
		}
	}
	return strings.Join(out, " and ")
}

// Package ledger writes what one variant is made of: its sections with their tokens and
// sources, tools, messages, what was left out and why; and what counts its tokens. [Of]
// computes that once, for people, as JSON and for the page.
package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Entry is one section of a variant with what it costs, or what a conversation
// says in one of its blocks.
type Entry struct {
	id   string // of the section; "" for the notice of what was dropped, and for conversations
	step string // the form or source it stepped down to
	// content is the word for what a conversation says, "" for sections; tier
	// is that of the message, "" for none and outside conversations.
	content, Tier string
	// Turn is the request of a conversation that says it first, from 1; else 0.
	Turn int
	// Tokens is what the section adds to the text before it, its join
	// included and its slots not; total the count up to its end.
	Tokens, total int
	Slots         int // what its slots may add to that, in tokens
	start, end    int // bytes of the emitted text, without the join
	Rendering     *assembly.Rendering
	// From and to bound its parts, those that it is charged for included.
	From, To int
}

// Entries gives the ledger of a variant. What stands before a section or a
// block of a conversation counts as part of it; what ends a message, or the
// text, as part of the last before it. So the last total is the variant's own.
func Entries(a *assembly.Artifact) []Entry {
	var out []Entry
	before, notice, speakers := 0, a.NoticePart(), Speakers(a)
	for i, part := range a.Parts {
		n := len(out)
		closes := speakers != nil && speakers.last(i) && n > 0
		switch {
		case part.Section >= 0 || i == notice:
			out = append(out, sectionEntry(a, part))
			out[n].Tier, out[n].Turn = speakers.Message(a, i).Tier, speakers.Message(a, i).Turn
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
			e.From = 0
			if n > 0 {
				e.From = out[n-1].To
			}
		}
		e.Tokens, e.total, e.To = e.Tokens+part.Total-before, part.Total, i+1
		before = part.Total
	}
	if n := len(out); n > 0 {
		out[n-1].Tokens += a.Tokens - out[n-1].total
		out[n-1].total = a.Tokens
	}
	return out
}

// sectionEntry gives the entry of a section or of the notice, without what it
// costs.
func sectionEntry(a *assembly.Artifact, part assembly.Part) Entry {
	e := Entry{Rendering: part.Rendering, Slots: part.Rendering.SlotTokens(), start: part.Start, end: part.Start + len(part.Text)}
	if part.Section >= 0 {
		e.id = sectionID(a, part.Section)
	}
	if part.Rendering != nil && part.Rendering.Unit != nil {
		e.step = part.Rendering.Unit.Step
	}
	return e
}

// Name is what the row of an entry is called.
func (e Entry) Name() string {
	switch {
	case e.content != "":
		return e.content
	case e.id == "":
		return "(notice)"
	case e.step != "":
		return e.id + "~" + e.step
	default:
		return e.id
	}
}

// sameRun is how many lines apart two places of a file may be to be shown as
// one run: what lies between fields of a front matter, or paragraphs around a
// comment, is not worth a second one.
const sameRun = 5

// origins gives the lines that a text came from, the runs of each file
// together, files in the order of the text. The manifest's own headings and
// markers are left out where there is any other file.
func origins(segs []ground.Seg, manifest *diag.File, opt words.Options) []jsonLines {
	var files []*diag.File
	places := map[*diag.File][][2]int{} // their first and last lines
	for _, s := range segs {
		f := s.At.File
		if !s.At.Known() {
			continue
		}
		if places[f] == nil {
			files = append(files, f)
		}
		places[f] = append(places[f], [2]int{f.LineAt(s.At.Start), f.LineAt(max(s.At.Start, s.At.End-1))})
	}
	out := []jsonLines{}
	for _, f := range files {
		if len(files) == 1 || f != manifest {
			out = append(out, runs(opt.Path(f.Path), places[f])...)
		}
	}
	return out
}

// runs joins the places of one file that are close to each other.
func runs(file string, places [][2]int) []jsonLines {
	slices.SortFunc(places, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	var out []jsonLines
	for _, l := range places {
		if n := len(out); n > 0 && l[0] <= out[n-1].EndLine+sameRun {
			out[n-1].EndLine = max(out[n-1].EndLine, l[1])
		} else {
			out = append(out, jsonLines{file, l[0], l[1]})
		}
	}
	return out
}

// PlaceFrom says in words where an entry came from, with the marks of its
// rendering.
func PlaceFrom(p *words.Printer, a *assembly.Artifact, e Entry, manifest *diag.File) string {
	names, r := places(origins(segs(a.Parts[e.From:e.To]...), manifest, p.Opt)), e.Rendering
	if len(names) == 0 && r != nil && r.Unit != nil {
		for _, in := range r.Unit.Inputs {
			if in.Origin == assembly.FromBuiltIn {
				names = append(names, "built in")
			}
		}
	}
	out := words.List(names, len(names))
	if len(names) > 2 {
		out = names[0] + " and " + words.Number(len(names)-1) + " more"
	}
	if r != nil && len(r.Marks) > 0 {
		out = strings.TrimPrefix(out+" ("+words.Clean(strings.Join(r.Remarks(), ", "))+")", " ")
	}
	return out
}

// places names files with their lines: `a.md:1-4,20`.
func places(all []jsonLines) []string {
	var out []string
	for i, l := range all {
		text := strconv.Itoa(l.Line)
		if l.EndLine > l.Line {
			text += "-" + strconv.Itoa(l.EndLine)
		}
		if i > 0 && all[i-1].File == l.File {
			out[len(out)-1] += "," + text
		} else {
			out = append(out, words.Clean(l.File)+":"+text)
		}
	}
	return out
}

// slots gives the slots of a variant in the order of their first place.
func slots(a *assembly.Artifact) []jsonSlot {
	out := []jsonSlot{}
	for _, part := range a.Parts {
		if part.Rendering == nil {
			continue
		}
		for _, at := range part.Rendering.Slots {
			s := at.Slot
			i := slices.IndexFunc(out, func(made jsonSlot) bool { return made.slot == s })
			if i < 0 {
				i = len(out)
				out = append(out, jsonSlot{s.Name.Str, 0, s.MaxTokens, s.Optional, s.Volatile, s})
			}
			out[i].Places++
		}
	}
	return out
}

// tags counts the tags of a template in a variant, and gives the names of the fields that
// they put there, each once.
func tags(a *assembly.Artifact) (n int, fields []string) {
	for _, part := range a.Parts {
		if part.Rendering == nil {
			continue
		}
		for _, tag := range part.Rendering.Tags {
			n++
			if tag.Field != "" && !slices.Contains(fields, tag.Field) {
				fields = append(fields, tag.Field)
			}
		}
	}
	return n, fields
}

// tokenizer names what counted, an estimator with what it rests on and its stated
// error. It says so where that stands for the tokenizer of a dialect.
func tokenizer(spec *language.Spec, name, standsFor string) string {
	if standsFor != "" {
		return fmt.Sprintf("%s (not the tokenizer of %s: error not stated)", name, standsFor)
	}
	if e := spec.Estimator(name); e != nil {
		return fmt.Sprintf("%s (%s × %s, ±%s %%)", name, e.Base.Str,
			strconv.FormatFloat(e.Factor, 'g', -1, 64), strconv.FormatFloat(100*e.Error, 'g', 4, 64))
	}
	return name
}

// Counter names what a variant was counted with.
func Counter(spec *language.Spec, v *assembly.Variant) string {
	return tokenizer(spec, v.Tokenizer, v.StandsFor())
}

// reason says why a section is out, as briefly as the case allows.
func reason(a *assembly.Artifact, o assembly.Omission) string {
	switch o.Reason {
	case assembly.OutWhen:
		if facts := unmet(a, a.Build.Prompt.Sections[o.Section].When); facts != "" {
			return "when " + facts
		}
	case assembly.OutNeeds, assembly.OutAbsent, assembly.OutEmpty, assembly.OutUnselected, assembly.OutForm:
	case assembly.OutBudget:
		return strings.TrimSpace("does not fit the budget " + o.Why)
	case assembly.In:
	}
	return o.String()
}

// unmet names the axes on which a condition fails, with the variant's values:
// "tier is 3".
func unmet(a *assembly.Artifact, when language.Condition) string {
	var out []string
	for i, axis := range a.Build.Prompt.Axes {
		value := axis.Values[a.Variant.Values[i]].Str
		fails := false
		for _, clause := range when {
			for _, t := range clause {
				has := slices.ContainsFunc(t.Values, func(w ground.Word) bool { return w.Str == value })
				fails = fails || t.Axis.Str == axis.Name.Str && has == t.Not
			}
		}
		if fails {
			out = append(out, axis.Name.Str+" is "+value)
		}
	}
	return strings.Join(out, " and ")
}

// With is what the artifact itself does not say of a variant that is
// to be explained. The zero value adds nothing.
type With struct {
	// Windows are, for sections that the layout `phases` dropped, the budgets
	// in tokens with which they are in; by index in Prompt.Sections.
	Windows map[int]int
	// Budget is the number of tokens that the variant was composed with
	// instead of its own limit: a "what if". 0 for none.
	Budget int
	// Tools is what there is to say of the variant's tools; nil for nothing.
	Tools *ToolsWith
}

// ToolsWith is what definitions of tools cost, and who takes them.
type ToolsWith struct {
	// Count gives tokens as the variant counts them.
	Count func(text string) int
	// Objections are those of ground.ToolTakers against the toolset. Whoever
	// has none against a tool takes it.
	Objections []guard.Objection
}

// scoreText writes a score with the digits that anybody declared: six are
// enough, and 78 × 1.2 is 93.6.
func scoreText(score float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(score, 'g', 6, 64), 64)
	if err != nil {
		rounded = score
	}
	format := byte('f')
	if rounded >= 1e15 || rounded > 0 && rounded < 1e-6 {
		format = 'g'
	}
	return strconv.FormatFloat(rounded, format, -1, 64)
}

// Of puts together what there is to say of a variant.
func Of(r *prompt.Result, a *assembly.Artifact, with With, opt words.Options) *Facts {
	doc := &Facts{
		Version: words.JSONVersion, Command: "explain", Variant: Sized(r.Spec, a),
		Sections: []jsonSection{}, Omitted: []jsonOmitted{}, Cuts: []jsonCut{}, Slots: slots(a), Tools: []jsonTool{},
	}
	if with.Budget > 0 {
		doc.WhatIf = &jsonWhatIf{with.Budget}
	}
	doc.Tags, doc.Fields = tags(a)
	doc.Messages = messages(a, words.ManifestOf(r), opt)
	doc.compete(a, with)
	doc.sections(a, words.ManifestOf(r), opt)
	doc.Shrink = doc.refused()
	doc.climb(a)
	for _, o := range a.Out {
		doc.Omitted = append(doc.Omitted, jsonOmitted{
			Section: sectionID(a, o.Section), Reason: o.Reason.String(), Why: o.Why, reason: o.Reason, says: reason(a, o),
		})
	}
	for _, l := range leftOut(r, a) {
		doc.Omitted = append(doc.Omitted, jsonOmitted{Content: l.Content().Name(), Reason: l.Why(), says: l.Why()})
	}
	doc.tools(a, with.Tools, opt)
	return doc
}

func sectionID(a *assembly.Artifact, section int) string {
	return a.Build.Prompt.Sections[section].ID.Str
}

// sections adds what a variant emits, but for what a conversation says, which stands
// in its messages.
func (doc *Facts) sections(a *assembly.Artifact, manifest *diag.File, opt words.Options) {
	for _, e := range Entries(a) {
		switch {
		case e.content != "":
			continue
		case e.id == "":
			doc.Notice = &jsonNotice{e.Tokens, e.total, e.start, e.end}
			continue
		}
		s := jsonSection{
			ID: e.id, Step: e.step, Tokens: e.Tokens, SlotTokens: e.Slots, Total: e.total, Start: e.start, End: e.end,
			From: origins(segs(a.Parts[e.From:e.To]...), manifest, opt),
		}
		if r := e.Rendering; r != nil {
			s.Marks = r.Remarks()
			if r.Progress != nil {
				s.Progress = &jsonProgress{r.Progress.Completed, r.Progress.Total}
			}
			for _, c := range r.Cuts {
				made := jsonCut{Section: s.ID, Original: c.Original, Included: c.Included, Limit: c.Limit}
				if c.File != nil {
					made.File = opt.Path(c.File.Path)
				}
				doc.Cuts = append(doc.Cuts, made)
			}
		}
		if c := doc.choice(s.ID); c != nil {
			c.Tokens, c.SlotTokens = s.Tokens, s.SlotTokens
		}
		doc.Sections = append(doc.Sections, s)
	}
}

// choice gives what the layout `phases` decided of a section, nil under any
// other layout.
func (doc *Facts) choice(section string) *jsonChoice {
	for i := range doc.Choices {
		if doc.Choices[i].Section == section {
			return &doc.Choices[i]
		}
	}
	return nil
}

// climb adds the ladders that sections went down, whether they then had a text or
// found a place or not.
func (doc *Facts) climb(a *assembly.Artifact) {
	add := func(section string, labels []string) {
		if len(labels) > 0 {
			doc.Steps = append(doc.Steps, jsonSteps{section, labels})
		}
	}
	for _, c := range doc.Choices {
		add(c.Section, c.Steps)
	}
	for _, section := range a.Variant.Order {
		r, id := a.Used[section], sectionID(a, section)
		if r != nil && doc.choice(id) == nil {
			add(id, rungs(a.Variant, section, r.Unit))
		}
	}
}

// rungs gives the labels of a section's ladder down to the one that it stands
// on.
func rungs(v *assembly.Variant, section int, on *assembly.Unit) []string {
	if on.Step == "" {
		return nil
	}
	var out []string
	if section < len(v.Uses) {
		for _, s := range v.Uses[section].Steps {
			out = append(out, s.Label)
			if s.Unit == on.Index {
				return out
			}
		}
	}
	return []string{on.Step}
}

// refused says what would have to shrink: nil unless a variant is over its
// budget under the layout `phases`, which its sticky sections alone can be.
func (doc *Facts) refused() *jsonShrink {
	v := doc.Variant
	var out jsonShrink
	if limit := v.Budget.Tokens; limit != nil {
		out.Tokens = max(0, v.Use-*limit)
	}
	if limit := v.Budget.Characters; limit != nil {
		out.Characters = max(0, v.Characters-*limit)
	}
	for _, c := range doc.Choices {
		if c.Sticky && c.Kept && c.Tokens+c.SlotTokens > 0 {
			out.Sections = append(out.Sections, jsonSize{c.Section, c.Tokens, c.SlotTokens})
		}
	}
	if out.Tokens+out.Characters == 0 || len(out.Sections) == 0 {
		return nil
	}
	slices.SortStableFunc(out.Sections, func(x, y jsonSize) int {
		return cmp.Compare(y.Tokens+y.SlotTokens, x.Tokens+x.SlotTokens)
	})
	return &out
}

// jsonChoice is a section that competed, in the order of the walk.
type jsonChoice struct {
	Section string  `json:"section"`
	Phase   string  `json:"phase"`
	Score   float64 `json:"score"`
	Sticky  bool    `json:"sticky"`
	Kept    bool    `json:"kept"`
	// Tokens is what the section added to the text or would have added, with
	// its join; SlotTokens what its slots may add to that. The budget limits
	// the sum.
	Tokens     int `json:"tokens"`
	SlotTokens int `json:"slot_tokens,omitempty"`
	// Left is what the budget had left at its turn, of a dropped one.
	Left *int `json:"left,omitempty"`
	// Chars is what a dropped one would have added in characters, and
	// CharsLeft what the budget in characters had left, where there is one.
	Chars     *int `json:"chars,omitempty"`
	CharsLeft *int `json:"chars_left,omitempty"`
	// Ended says that under "fill: stop" it was never tried.
	Ended bool     `json:"ended,omitempty"`
	Steps []string `json:"steps"`
	// Tried are the rungs of a ladder that did not fit, the fullest first.
	Tried []jsonRefusal `json:"tried,omitempty"`
	// Window is a budget in tokens that brings a dropped one back.
	Window *int `json:"window,omitempty"`
}

// jsonRefusal says by how much a rung did not fit.
type jsonRefusal struct {
	Step      string `json:"step,omitempty"` // left out for the fullest
	Over      int    `json:"over"`
	OverChars int    `json:"over_chars"`
}

// jsonShrink says what would have to shrink where sticky sections are over.
type jsonShrink struct {
	Tokens     int        `json:"tokens"`
	Characters int        `json:"characters"`
	Sections   []jsonSize `json:"sections"` // the largest first
}

type jsonSize struct {
	ID string `json:"id"`
	// Tokens and SlotTokens are those of its choice.
	Tokens     int `json:"tokens"`
	SlotTokens int `json:"slot_tokens,omitempty"`
}

type jsonWhatIf struct {
	Budget int `json:"budget"`
}

type jsonProgress struct {
	Completed int `json:"completed"`
	Total     int `json:"total"`
}

// compete adds what the layout `phases` decided.
func (doc *Facts) compete(a *assembly.Artifact, with With) {
	for _, c := range a.Choices {
		made := jsonChoice{
			Section: sectionID(a, c.Section), Phase: c.Phase, Score: c.Score, Sticky: c.Sticky, Kept: c.Kept,
			Tokens: max(0, c.Tokens-c.Slots), SlotTokens: c.Slots,
			Left: limited(c.Left), Ended: c.Ended, Steps: append([]string{}, c.Steps...),
		}
		if !c.Kept && c.CharsLeft >= 0 {
			made.Chars, made.CharsLeft = &c.Chars, &c.CharsLeft
		}
		if n, ok := with.Windows[c.Section]; ok {
			made.Window = &n
		}
		for _, r := range c.Tried {
			tried := jsonRefusal{Over: r.Over, OverChars: r.OverChars}
			if r.Step > 0 {
				tried.Step = a.Variant.Uses[c.Section].Steps[r.Step-1].Label
			}
			made.Tried = append(made.Tried, tried)
		}
		doc.Choices = append(doc.Choices, made)
	}
}

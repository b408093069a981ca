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
	e := entry{rendering: part.Rendering, slots: part.Rendering.SlotTokens(), start: part.Start, end: part.Start + len(part.Text)}
	if part.Section >= 0 {
		e.section, e.choice = a.Build.Prompt.Sections[part.Section], choiceOf(a, part.Section)
	}
	if part.Rendering != nil && part.Rendering.Unit != nil {
		e.step = part.Rendering.Unit.Step
	}
	return e
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
	if e := spec.Estimator(name); e != nil {
		return fmt.Sprintf("%s (%s × %s, ±%s %%)", name, e.Base.Str,
			strconv.FormatFloat(e.Factor, 'g', -1, 64), strconv.FormatFloat(100*e.Error, 'g', 4, 64))
	}
	return name
}

// counter names what a variant was counted with, and says so where that is not
// the tokenizer of its provider.
func counter(spec *prompt.Spec, v *prompt.Variant) string {
	if whose := v.StandsFor(); whose != "" {
		return notOwn(v.Tokenizer, whose)
	}
	return tokenizer(spec, v.Tokenizer)
}

func notOwn(name, whose string) string {
	return fmt.Sprintf("%s (not the tokenizer of %s: error not stated)", name, whose)
}

// approx marks a count that is an estimate.
func approx(estimate bool, words string) string {
	if estimate {
		return "≈" + words
	}
	return words
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

// ExplainWith is what the artifact itself does not say of a variant that is
// to be explained. The zero value adds nothing.
type ExplainWith struct {
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
	// Objections are those of prompt.ToolTakers against the toolset. Whoever
	// has none against a tool takes it.
	Objections []prompt.Objection
}

// choiceOf gives what the layout `phases` decided of a section, nil under any
// other layout.
func choiceOf(a *prompt.Artifact, section int) *prompt.Choice {
	for i := range a.Choices {
		if a.Choices[i].Section == section {
			return &a.Choices[i]
		}
	}
	return nil
}

// phaseOf names a section's phase, and whether it is in whatever happens.
func phaseOf(c *prompt.Choice) string {
	if c.Sticky {
		return clean(c.Phase) + ", sticky"
	}
	return clean(c.Phase)
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

// cost is what a section adds to the text with its join, or would have added,
// and what its slots may add to that, in tokens.
type cost struct{ tokens, slots int }

// costs gives the cost of each section that competed, by index in
// Prompt.Sections: of the emitted ones as their entries have it.
func costs(a *prompt.Artifact) map[int]cost {
	out := map[int]cost{}
	for _, c := range a.Choices {
		out[c.Section] = cost{max(0, c.Tokens-c.Slots), c.Slots}
	}
	for _, e := range entries(a) {
		if e.choice != nil {
			out[e.choice.Section] = cost{e.tokens, e.slots}
		}
	}
	return out
}

// dropped writes a line for each section that found no place, in the order in
// which they were tried: what it is, its size, what was left when it was its
// turn, and the budget that would bring it back.
func (p *page) dropped(a *prompt.Artifact, with ExplainWith, width int) {
	t := table{least: width, align: []side{toLeft, toLeft, toLeft, amount, amount, amount, amount, amount}}
	all := costs(a)
	for i := range a.Choices {
		c := &a.Choices[i]
		if c.Kept {
			continue
		}
		slots, back := "", ""
		if n := all[c.Section].slots; n > 0 {
			slots = "+" + number(n) + " for slots"
		}
		left, chars, charsLeft := lacked(c)
		if n, ok := with.Windows[c.Section]; ok {
			back = "back at " + number(n)
		}
		t.row("dropped", clean(a.Build.Prompt.Sections[c.Section].ID.Str),
			phaseOf(c)+", score "+scoreText(c.Score), count(all[c.Section].tokens, "token"), slots, left, chars, charsLeft, back)
	}
	t.print(p, 2)
}

// lacked says what was left for a dropped section: of the tokens, and where
// its characters did not fit, of those too.
func lacked(c *prompt.Choice) (left, chars, charsLeft string) {
	if c.Ended {
		return "behind the stop", "", ""
	}
	if c.Left >= 0 {
		left = number(c.Left) + " left"
	}
	if c.CharsLeft >= 0 && c.Chars > c.CharsLeft {
		chars, charsLeft = count(c.Chars, "character"), number(c.CharsLeft)+" left"
	}
	return left, chars, charsLeft
}

// ladder is a section that went down, and the labels of its rungs.
type ladder struct {
	section int
	labels  []string
	choice  *prompt.Choice // under the layout `phases`
}

// ladders gives the sections that went down their ladders, whether they then
// had a text or found a place or not.
func ladders(a *prompt.Artifact) []ladder {
	var out []ladder
	add := func(section int, labels []string, choice *prompt.Choice) {
		if len(labels) > 0 {
			out = append(out, ladder{section, labels, choice})
		}
	}
	for i := range a.Choices {
		add(a.Choices[i].Section, a.Choices[i].Steps, &a.Choices[i])
	}
	ended := func(section int, r *prompt.Rendering) {
		if r != nil && r.Unit != nil && choiceOf(a, section) == nil {
			add(section, rungs(a.Variant, section, r.Unit), nil)
		}
	}
	if a.Used == nil {
		for _, part := range a.Parts {
			ended(part.Section, part.Rendering)
		}
		return out
	}
	for _, section := range a.Variant.Order {
		ended(section, a.Used[section])
	}
	return out
}

// steps are the lines of the ladders. Under the layout `phases` each says why
// the section does not stand on a fuller rung.
func steps(a *prompt.Artifact) [][]string {
	var out [][]string
	for _, l := range ladders(a) {
		text := "stepped down to " + clean(strings.Join(l.labels, ", then "))
		if l.choice != nil && !l.choice.Kept {
			text = "no step fits"
		}
		if l.choice != nil && len(l.choice.Tried) > 0 {
			text += ": " + refusals(a, l.choice)
		}
		out = append(out, []string{"steps", clean(a.Build.Prompt.Sections[l.section].ID.Str) + "  " + text})
	}
	return out
}

// refusals says by how much each rung of a section was over.
func refusals(a *prompt.Artifact, c *prompt.Choice) string {
	var out []string
	for _, r := range c.Tried {
		rung := "the fullest"
		if r.Step > 0 {
			rung = clean(rungLabel(a, c, r))
		}
		out = append(out, overBy(r.Over, r.OverChars)+" over with "+rung)
	}
	text := strings.Join(out, ", ")
	if c.Sticky {
		text = "the sticky sections alone are " + text
	}
	return text
}

// rungLabel names a rung that did not fit, "" for the fullest.
func rungLabel(a *prompt.Artifact, c *prompt.Choice, r prompt.Refusal) string {
	if r.Step == 0 {
		return ""
	}
	return a.Variant.Uses[c.Section].Steps[r.Step-1].Label
}

// rungs gives the labels of a section's ladder down to the one that it stands
// on.
func rungs(v *prompt.Variant, section int, on *prompt.Unit) []string {
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
func refused(a *prompt.Artifact) *jsonShrink {
	l := a.Variant.Budget
	var out jsonShrink
	if l.Tokens >= 0 {
		out.Tokens = max(0, a.Use-l.Tokens)
	}
	if l.Chars >= 0 {
		out.Characters = max(0, a.Chars-l.Chars)
	}
	all := costs(a)
	for _, c := range a.Choices {
		if own := all[c.Section]; c.Sticky && c.Kept && own.tokens+own.slots > 0 {
			out.Sections = append(out.Sections, jsonSize{a.Build.Prompt.Sections[c.Section].ID.Str, own.tokens, own.slots})
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

// words says it in a line.
func (s *jsonShrink) words() string {
	var sizes []string
	for _, one := range s.Sections {
		text := clean(one.ID) + " " + number(one.Tokens)
		if one.SlotTokens > 0 {
			text += " (+" + number(one.SlotTokens) + " for slots)"
		}
		sizes = append(sizes, text)
	}
	return "the sticky sections by " + overBy(s.Tokens, s.Characters) + ": " + strings.Join(sizes, ", ")
}

// overBy says how many tokens and characters are too many.
func overBy(tokens, chars int) string {
	var out []string
	if tokens > 0 {
		out = append(out, count(tokens, "token"))
	}
	if chars > 0 {
		out = append(out, count(chars, "character"))
	}
	return strings.Join(out, " and ")
}

// goalProgress are the lines of the goals that a variant shows: how many of
// their checkpoints are completed.
func goalProgress(a *prompt.Artifact) [][]string {
	var out [][]string
	for _, part := range a.Parts {
		if part.Rendering == nil || part.Rendering.Progress == nil {
			continue
		}
		p := part.Rendering.Progress
		text := number(p.Completed) + " of " + number(p.Total)
		if share := percent(p.Completed, p.Total); share != "" {
			text += " (" + share + ")"
		}
		out = append(out, []string{clean(a.Build.Prompt.Sections[part.Section].ID.Str) + " progress", text})
	}
	return out
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

// compete adds to a ledger what the layout `phases` decided.
func (doc *ledger) compete(a *prompt.Artifact, with ExplainWith) {
	if with.Budget > 0 {
		doc.WhatIf = &jsonWhatIf{with.Budget}
	}
	all := costs(a)
	for _, c := range a.Choices {
		made := jsonChoice{
			Section: a.Build.Prompt.Sections[c.Section].ID.Str, Phase: c.Phase, Score: c.Score, Sticky: c.Sticky, Kept: c.Kept,
			Tokens: all[c.Section].tokens, SlotTokens: all[c.Section].slots,
			Left: limited(c.Left), Ended: c.Ended, Steps: append([]string{}, c.Steps...),
		}
		if !c.Kept && c.CharsLeft >= 0 {
			made.Chars, made.CharsLeft = &c.Chars, &c.CharsLeft
		}
		if n, ok := with.Windows[c.Section]; ok {
			made.Window = &n
		}
		for _, r := range c.Tried {
			made.Tried = append(made.Tried, jsonRefusal{rungLabel(a, &c, r), r.Over, r.OverChars})
		}
		doc.Choices = append(doc.Choices, made)
	}
	doc.Shrink = refused(a)
}

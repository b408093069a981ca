package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ExplainWith is what the artifact itself does not say of a variant that is
// to be explained. The zero value adds nothing.
type ExplainWith struct {
	// Windows are, for sections that the layout `phases` dropped, the budgets
	// in tokens with which they are in; by index in Prompt.Sections.
	Windows map[int]int
	// Budget is the number of tokens that the variant was composed with
	// instead of its own limit: a "what if". 0 for none.
	Budget int
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

// dropped writes a line for each section that found no place, in the order in
// which they were tried: what it is, its size, what was left when it was its
// turn, and the budget that would bring it back.
func (p *page) dropped(a *prompt.Artifact, with ExplainWith, width int) {
	t := table{least: width, align: []side{toLeft, toLeft, toLeft, amount, amount}}
	for i := range a.Choices {
		c := &a.Choices[i]
		if c.Kept {
			continue
		}
		left, back := "", ""
		if c.Left >= 0 {
			left = number(c.Left) + " left"
		}
		if n, ok := with.Windows[c.Section]; ok {
			back = "back at " + number(n)
		}
		t.row("dropped", clean(a.Build.Prompt.Sections[c.Section].ID.Str),
			phaseOf(c)+", score "+scoreText(c.Score), count(c.Tokens, "token"), left, back)
	}
	t.print(p, 2)
}

// steps are the lines of the sections that went down their ladders, whether
// they then found a place or not.
func steps(a *prompt.Artifact) [][]string {
	var out [][]string
	add := func(section int, labels []string) {
		if len(labels) > 0 {
			id := a.Build.Prompt.Sections[section].ID.Str
			out = append(out, []string{"steps", clean(id) + "  stepped down to " + clean(strings.Join(labels, ", then "))})
		}
	}
	for _, c := range a.Choices {
		add(c.Section, c.Steps)
	}
	for _, part := range a.Parts {
		if r := part.Rendering; r != nil && r.Unit != nil && choiceOf(a, part.Section) == nil {
			add(part.Section, rungs(a.Variant, part.Section, r.Unit))
		}
	}
	return out
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

// excess is by how much sticky sections that do not fit are over, and which
// they are.
type excess struct {
	tokens, chars int
	sections      []prompt.Choice // the largest first
}

// refused says what would have to shrink: nil unless a variant is over its
// budget under the layout `phases`, which its sticky sections alone can be.
func refused(a *prompt.Artifact) *excess {
	l := a.Variant.Budget
	var out excess
	if l.Tokens >= 0 {
		out.tokens = max(0, a.Use-l.Tokens)
	}
	if l.Chars >= 0 {
		out.chars = max(0, a.Chars-l.Chars)
	}
	for _, c := range a.Choices {
		if c.Sticky && c.Kept {
			out.sections = append(out.sections, c)
		}
	}
	if out.tokens+out.chars == 0 || len(out.sections) == 0 {
		return nil
	}
	slices.SortStableFunc(out.sections, func(x, y prompt.Choice) int { return cmp.Compare(y.Tokens, x.Tokens) })
	return &out
}

// shrink words it: by how much, and the sections with their sizes.
func shrink(a *prompt.Artifact, e *excess) string {
	var by []string
	if e.tokens > 0 {
		by = append(by, count(e.tokens, "token"))
	}
	if e.chars > 0 {
		by = append(by, count(e.chars, "character"))
	}
	var sizes []string
	for _, c := range e.sections {
		sizes = append(sizes, clean(a.Build.Prompt.Sections[c.Section].ID.Str)+" "+number(c.Tokens))
	}
	return "the sticky sections by " + strings.Join(by, " and ") + ": " + strings.Join(sizes, ", ")
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
	// Tokens is what the section added or would have added, with its join
	// and its slots.
	Tokens int `json:"tokens"`
	// Left is what the budget had left at its turn, of a dropped one.
	Left  *int     `json:"left,omitempty"`
	Steps []string `json:"steps"`
	// Window is a budget in tokens that brings a dropped one back.
	Window *int `json:"window,omitempty"`
}

// jsonShrink says what would have to shrink where sticky sections are over.
type jsonShrink struct {
	Tokens     int        `json:"tokens"`
	Characters int        `json:"characters"`
	Sections   []jsonSize `json:"sections"`
}

type jsonSize struct {
	ID     string `json:"id"`
	Tokens int    `json:"tokens"`
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
	name := func(c prompt.Choice) string { return a.Build.Prompt.Sections[c.Section].ID.Str }
	for _, c := range a.Choices {
		made := jsonChoice{
			Section: name(c), Phase: c.Phase, Score: c.Score, Sticky: c.Sticky, Kept: c.Kept, Tokens: c.Tokens,
			Left: limited(c.Left), Steps: append([]string{}, c.Steps...),
		}
		if n, ok := with.Windows[c.Section]; ok {
			made.Window = &n
		}
		doc.Choices = append(doc.Choices, made)
	}
	if e := refused(a); e != nil {
		doc.Shrink = &jsonShrink{Tokens: e.tokens, Characters: e.chars}
		for _, c := range e.sections {
			doc.Shrink.Sections = append(doc.Shrink.Sections, jsonSize{name(c), c.Tokens})
		}
	}
}

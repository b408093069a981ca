package compose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/token"
)

// measure fills the ledger of an artifact.
func (d *draft) measure(a *prompt.Artifact) {
	texts := make([]string, len(a.Parts))
	slots := 0
	a.Chars = 0
	for i, p := range a.Parts {
		texts[i] = p.Text
		a.Chars += utf8.RuneCountInString(p.Text)
		if p.Rendering != nil {
			slots += slotTokens(p.Rendering)
		}
	}
	for i, total := range d.count.Prefixes(texts) {
		a.Parts[i].Total = total
		a.Tokens = total
	}
	a.Use = a.Tokens + slots
	if len(a.Beside) > 0 {
		a.ToolTokens = d.count.Sum(d.schemaParts(a.Beside))
	}
}

// slotTokens adds up what the slots of a rendering may grow to.
func slotTokens(r *prompt.Rendering) int {
	n := 0
	for _, s := range r.Slots {
		n += s.Slot.MaxTokens
	}
	return n
}

// schemaParts gives the compact JSON list of tools, in pieces.
func (c *composer) schemaParts(tools []*prompt.Tool) []string {
	parts := []string{"["}
	for i, t := range tools {
		if i > 0 {
			parts = append(parts, ",")
		}
		text, ok := c.schemas[t]
		if !ok {
			text = compact(t.Canonical)
			c.schemas[t] = text
		}
		parts = append(parts, text)
	}
	return append(parts, "]")
}

// compact removes the white space between the tokens of canonical JSON.
func compact(canonical string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(canonical)); err != nil {
		return strings.TrimSpace(canonical) // canonical JSON is valid; count what is there
	}
	return b.String()
}

// judge compares the ledger with the budgets.
func (c *composer) judge(a *prompt.Artifact, count *token.Counter) {
	v, l := a.Variant, a.Variant.Budget
	if len(a.Parts) == 0 && len(a.Toolset) == 0 {
		c.diags = append(c.diags, diag.New(diag.NothingComposed, a.Build.Prompt.ID.At, "%q has no section left and would emit nothing", v.Name).
			WithHint("exclude the variant, or give it a section"))
		return
	}
	level := diag.Error
	if l.Warn {
		level = diag.Warning
	}
	c.judgeTokens(a, count, level)
	if l.Chars >= 0 && a.Chars > l.Chars {
		c.add(diag.New(diag.OverChars, l.At, "%q is %s characters, over its budget of %s by %s", v.Name, diag.Number(a.Chars), diag.Number(l.Chars), diag.Number(a.Chars-l.Chars)).WithDetail(largest(a, 3)), level)
	}
	if l.ToolTokens >= 0 && a.ToolTokens > l.ToolTokens {
		c.add(diag.New(diag.OverToolTokens, l.At, "the native schemas of %q (tools: %d) are %s tokens, over their budget of %s by %s",
			v.Name, len(a.Beside), diag.Number(a.ToolTokens), diag.Number(l.ToolTokens), diag.Number(a.ToolTokens-l.ToolTokens)), level)
	}
	for _, p := range a.Parts {
		if p.Rendering != nil {
			c.section(a, p, count)
		}
	}
}

// judgeTokens compares the use with the budget, and what is always in with
// the share at which to warn: under `phases` that is the sticky sections,
// because the others fill up whatever is left.
func (c *composer) judgeTokens(a *prompt.Artifact, count *token.Counter, level diag.Level) {
	v, l := a.Variant, a.Variant.Budget
	if l.Tokens < 0 {
		return
	}
	fixed, subject := a.Use, fmt.Sprintf("%q is %s", v.Name, tokensOf(a, count))
	if v.Layout.On {
		fixed = stickyTokens(a)
		subject = fmt.Sprintf("the sticky sections of %q are %s tokens", v.Name, diag.Number(fixed))
	}
	switch {
	case a.Use > l.Tokens && v.Layout.On:
		d := diag.New(diag.OverSticky, l.At, "the sticky sections of %q are %s, over its budget of %s by %s", v.Name, tokensOf(a, count), diag.Number(l.Tokens), diag.Number(a.Use-l.Tokens))
		c.add(d.WithDetail(largest(a, len(a.Parts))), level)
	case a.Use > l.Tokens:
		d := diag.New(diag.OverTokens, l.At, "%q is %s, over its budget of %s by %s", v.Name, tokensOf(a, count), diag.Number(l.Tokens), diag.Number(a.Use-l.Tokens))
		c.add(d.WithDetail(largest(a, 3)), level)
	case l.WarnAt > 0 && float64(fixed) > l.WarnAt*float64(l.Tokens):
		d := diag.New(diag.NearBudget, l.At, "%s, %d %% of its budget of %s", subject, percent(fixed, l.Tokens), diag.Number(l.Tokens))
		c.add(d.WithDetail(largest(a, 3)), diag.Warning)
	}
}

// stickyTokens adds up what the sticky sections take.
func stickyTokens(a *prompt.Artifact) int {
	n := 0
	for _, ch := range a.Choices {
		if ch.Sticky {
			n += ch.Tokens
		}
	}
	return n
}

func (c *composer) add(d diag.Diagnostic, level diag.Level) {
	d.Level = level
	c.diags = append(c.diags, d)
}

// section compares one section, by itself, with a budget of its own.
func (c *composer) section(a *prompt.Artifact, p prompt.Part, count *token.Counter) {
	l := a.Variant.Uses[p.Section].Budget
	if l == nil {
		return
	}
	id := a.Build.Prompt.Sections[p.Section].ID.Str
	level := diag.Error
	if l.Warn {
		level = diag.Warning
	}
	use := count.Sum([]string{p.Text}) + slotTokens(p.Rendering)
	chars := utf8.RuneCountInString(p.Text)
	switch {
	case l.Tokens >= 0 && use > l.Tokens:
		c.add(diag.New(diag.OverSection, l.At, "section %q of %q is %s tokens, over its budget of %s by %s", id, a.Variant.Name, diag.Number(use), diag.Number(l.Tokens), diag.Number(use-l.Tokens)), level)
	case l.Chars >= 0 && chars > l.Chars:
		c.add(diag.New(diag.OverSection, l.At, "section %q of %q is %s characters, over its budget of %s by %s", id, a.Variant.Name, diag.Number(chars), diag.Number(l.Chars), diag.Number(chars-l.Chars)), level)
	case l.Tokens >= 0 && l.WarnAt > 0 && float64(use) > l.WarnAt*float64(l.Tokens):
		c.add(diag.New(diag.NearBudget, l.At, "section %q of %q is %s tokens, %d %% of its budget of %s", id, a.Variant.Name, diag.Number(use), percent(use, l.Tokens), diag.Number(l.Tokens)), diag.Warning)
	}
}

// tokensOf words the count: exact, with slots, or estimated.
func tokensOf(a *prompt.Artifact, count *token.Counter) string {
	out := diag.Number(a.Use) + " tokens"
	if e := count.StatedError(); e > 0 {
		out = fmt.Sprintf("about %s tokens (%s, ±%d %%)", diag.Number(a.Use), count.Name(), int(e*100+0.5))
	}
	if slots := a.Use - a.Tokens; slots > 0 {
		out += fmt.Sprintf(" (%s of them for slots)", diag.Number(slots))
	}
	return out
}

// largest names the sections that cost most, with what they add: so many at
// most.
func largest(a *prompt.Artifact, most int) string {
	type cost struct {
		id     string
		tokens int
	}
	var costs []cost
	added := contributions(a)
	for _, p := range a.Parts {
		if p.Rendering != nil {
			costs = append(costs, cost{a.Build.Prompt.Sections[p.Section].ID.Str, added[p.Section]})
		}
	}
	slices.SortStableFunc(costs, func(x, y cost) int { return cmp.Compare(y.tokens, x.tokens) })
	var words []string
	for _, c := range costs[:min(most, len(costs))] {
		words = append(words, fmt.Sprintf("%s %s", c.id, diag.Number(c.tokens)))
	}
	return fmt.Sprintf("largest: %s (promptc explain %s)", strings.Join(words, ", "), a.Variant.Name)
}

func percent(part, whole int) int {
	if whole <= 0 {
		return 0
	}
	return part * 100 / whole
}

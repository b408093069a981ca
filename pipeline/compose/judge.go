package compose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/token"
)

// claim is one amount that a budget limits, with the words for it.
type claim struct {
	over       diag.Code
	its        string
	use, limit int // limit is negative where there is none
	// words give the subject, `"p" is`, and the amount. They are only made where
	// they are wanted.
	words   func() (subject, amount string)
	at      diag.Span
	details func() string
}

// judge compares the ledger with the budgets.
func (c *composer) judge(a *prompt.Artifact, count *token.Counter) {
	v := a.Variant
	if len(a.Toolset) == 0 && saysNothing(a) {
		c.nothing(a)
	}
	for _, cl := range claims(a, count) {
		c.weigh(cl, v.Budget)
	}
	for i, r := range a.Used {
		if l := v.Uses[i].Budget; r != nil && l != nil {
			for _, cl := range c.sectionClaims(a, i, r, count) {
				c.weigh(cl, *l)
			}
		}
	}
	c.required(a)
	c.markers(a)
}

// saysNothing reports whether an artifact is white space at most, and shows
// nothing either.
func saysNothing(a *prompt.Artifact) bool {
	shows := func(b prompt.Block) bool { return b.Image != nil }
	return blank(a.Parts) && !slices.ContainsFunc(a.Messages, func(m prompt.Message) bool { return slices.ContainsFunc(m.Blocks, shows) })
}

// blank reports whether parts have nothing to read: white space at most.
func blank(parts []prompt.Part) bool {
	return !slices.ContainsFunc(parts, func(p prompt.Part) bool { return strings.TrimSpace(p.Text) != "" })
}

// nothing reports a variant that emits nothing, with the cause.
func (c *composer) nothing(a *prompt.Artifact) {
	if len(a.Parts) > 0 {
		c.diags = append(c.diags, diag.New(diag.NothingComposed, a.Build.Prompt.ID.At, "%q would emit nothing but white space", a.Variant.Name).
			WithHint("exclude the variant, or give it a section with text"))
		return
	}
	d := diag.New(diag.NothingComposed, a.Build.Prompt.ID.At, "%q has no section left and would emit nothing", a.Variant.Name)
	if slices.ContainsFunc(a.Choices, func(ch prompt.Choice) bool { return !ch.Kept }) {
		c.diags = append(c.diags, d.WithHint("its budget drops every section: raise it, or make one sticky"))
		return
	}
	c.diags = append(c.diags, d.WithHint("exclude the variant, or give it a section"))
}

// weigh reports a claim that is over its limit, or near it.
func (c *composer) weigh(cl claim, l prompt.Limits) {
	if cl.limit < 0 {
		return
	}
	over := cl.use > cl.limit
	if !over && (l.WarnAt <= 0 || float64(cl.use) <= l.WarnAt*float64(cl.limit)) {
		return
	}
	level := diag.Error // of everything that is over
	if l.Warn {
		level = diag.Warning
	}
	if over && c.counts != nil {
		c.counts(sort{cl.over, level, ""})
		return
	}
	subject, amount := cl.words()
	var d diag.Diagnostic
	if over {
		d = diag.New(cl.over, cl.at, "%s %s, over %s budget of %s by %s",
			subject, amount, cl.its, diag.Number(cl.limit), diag.Number(cl.use-cl.limit))
		d.Level = level
	} else {
		d = diag.New(diag.NearBudget, cl.at, "%s %s, %d %% of %s budget of %s",
			subject, amount, percent(cl.use, cl.limit), cl.its, diag.Number(cl.limit))
	}
	if cl.details != nil { // they name the command that says more
		c.diags = append(c.diags, d.WithDetail(cl.details()))
		return
	}
	c.diags = append(c.diags, d.WithHint("make it smaller, or raise the budget on purpose"))
}

// claims are what a variant's budget limits. Under `phases` what counts
// against it is the sticky sections: the others fill up whatever is left.
func claims(a *prompt.Artifact, count *token.Counter) []claim {
	l, name := a.Variant.Budget, a.Variant.Name
	use, slots, on := a.Use, a.Use-a.Tokens, "%q is"
	tokens := claim{
		over: diag.OverTokens, its: "its", use: a.Use, limit: l.Tokens, at: l.At,
		details: func() string { return largest(a, inTokens(a), 3) },
	}
	if a.Variant.Layout.On {
		loose := func(c cost) bool { return !a.Variant.Uses[c.section].Place.Sticky }
		tokens.over, on = diag.OverSticky, "the sticky sections of %q are"
		tokens.details = func() string { return largest(a, slices.DeleteFunc(inTokens(a), loose), len(a.Parts)) }
		if a.Use <= l.Tokens {
			use, slots = stickyTokens(a), 0
			tokens.use = use
		}
	}
	tokens.words = func() (string, string) { return fmt.Sprintf(on, name), tokensOf(use, slots, count) }
	return []claim{
		tokens,
		{
			over: diag.OverChars, its: "its", use: a.Chars, limit: l.Chars, at: l.CharsAt,
			words:   func() (string, string) { return fmt.Sprintf("%q is", name), diag.Number(a.Chars) + " characters" },
			details: func() string { return largest(a, inCharacters(a), 3) },
		},
		{
			over: diag.OverToolTokens, its: "their", use: a.ToolTokens, limit: l.ToolTokens, at: l.ToolTokensAt,
			words: func() (string, string) {
				return fmt.Sprintf("the native schemas of %q (tools: %d) are", name, len(a.Beside)), tokensOf(a.ToolTokens, 0, count)
			},
		},
	}
}

// sectionClaims are what a section's own budget limits: its text by itself,
// and its schemas.
func (c *composer) sectionClaims(a *prompt.Artifact, section int, r *prompt.Rendering, count *token.Counter) []claim {
	l := a.Variant.Uses[section].Budget
	name := func() string {
		return fmt.Sprintf("section %q of %q", a.Build.Prompt.Sections[section].ID.Str, a.Variant.Name)
	}
	use, chars, tools := 0, c.runes[r], 0
	if r.Text.Str != "" && l.Tokens >= 0 {
		use = count.Sum([]string{r.Text.Str}) + slotTokens(r)
	}
	if r.Beside && len(r.Tools) > 0 && l.ToolTokens >= 0 {
		tools = count.Sum(c.schemaParts(r.Tools))
	}
	return []claim{
		{
			over: diag.OverSection, its: "its", use: use, limit: l.Tokens, at: l.At,
			words: func() (string, string) { return name() + " is", tokensOf(use, slotTokens(r), count) },
		},
		{
			over: diag.OverSection, its: "its", use: chars, limit: l.Chars, at: l.CharsAt,
			words: func() (string, string) { return name() + " is", diag.Number(chars) + " characters" },
		},
		{
			over: diag.OverSection, its: "their", use: tools, limit: l.ToolTokens, at: l.ToolTokensAt,
			words: func() (string, string) {
				return "the native schemas of " + name() + " are", tokensOf(tools, 0, count)
			},
		},
	}
}

// required reports tools that a section's entries ask for, and that what was
// dropped or stepped down took along.
func (c *composer) required(a *prompt.Artifact) {
	for i, r := range a.Used {
		if r == nil {
			continue
		}
		for _, w := range requirements(r) {
			if !slices.ContainsFunc(a.Toolset, func(t *prompt.Tool) bool { return t.Name == w.Str }) {
				c.diags = append(c.diags, diag.New(diag.ToolDropped, w.At, "%q is required by section %q of %q, whose toolset lost it to the budget",
					w.Str, a.Build.Prompt.Sections[i].ID.Str, a.Variant.Name).
					WithHint("make the section with the tools sticky, or say when this one is in"))
			}
		}
	}
}

// requirements are the tools that the entries of a rendering ask for.
func requirements(r *prompt.Rendering) []prompt.Word {
	var out []prompt.Word
	for _, in := range r.Unit.Inputs {
		for _, e := range in.Entries {
			out = append(out, e.Requires...)
		}
	}
	return out
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

// tokensOf words a count: exact, with slots, or estimated.
func tokensOf(use, slots int, count *token.Counter) string {
	out := diag.Number(use) + " tokens"
	if e := count.StatedError(); e > 0 {
		out = fmt.Sprintf("about %s tokens (%s, ±%d %%)", diag.Number(use), count.Name(), int(e*100+0.5))
	}
	if slots > 0 {
		out += fmt.Sprintf(" (%s of them for slots)", diag.Number(slots))
	}
	return out
}

func percent(part, whole int) int {
	if whole <= 0 {
		return 0
	}
	p := int((int64(part)*200 + int64(whole)) / (2 * int64(whole)))
	if p >= 100 && part < whole {
		return 99
	}
	return p
}

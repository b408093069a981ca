package compose

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
)

// claim is one amount that a budget limits, with the words for it.
type claim struct {
	over       diag.Code
	subject    diag.Words // what is measured
	many       bool       // the subject is a plural
	amount     diag.Words
	use, limit int // a negative limit is no limit
	at         diag.Span
	details    func() diag.Words
}

// judge compares the ledger with the budgets.
func (c *composer) judge(a *assembly.Artifact, count *token.Counter) {
	v := a.Variant
	if EmitsNothing(a) {
		c.nothing(a)
	}
	for _, cl := range claims(a, count) {
		c.weigh(v, cl, v.Budget)
	}
	for i, r := range a.Used {
		if l := v.Uses[i].Budget; r != nil && l != nil {
			for _, cl := range c.sectionClaims(a, i, r, count) {
				c.weigh(v, cl, *l)
			}
		}
	}
	c.required(a)
	c.markers(a)
}

// EmitsNothing reports whether a composed artifact is white space at most, shows
// nothing, and gives no tools.
func EmitsNothing(a *assembly.Artifact) bool {
	shows := func(b assembly.Block) bool { return b.Image != nil }
	return a.Build.Prompt.Rendered == nil && len(a.Toolset) == 0 && blank(a.Parts) && !slices.ContainsFunc(a.Messages, func(m assembly.Message) bool { return slices.ContainsFunc(m.Blocks, shows) })
}

// blank reports whether parts have nothing to read: white space at most.
func blank(parts []assembly.Part) bool {
	return !slices.ContainsFunc(parts, func(p assembly.Part) bool { return strings.TrimSpace(p.Text) != "" })
}

// nothing reports a variant that emits nothing, with the cause.
func (c *composer) nothing(a *assembly.Artifact) {
	if len(a.Parts) > 0 {
		c.diags = append(c.diags, diag.New(diag.NothingComposed, a.Build.Prompt.ID.At, "emits-white-space", a.Variant.Name).
			WithHint("exclude-or-add-text"))
		return
	}
	d := diag.New(diag.NothingComposed, a.Build.Prompt.ID.At, "emits-nothing", a.Variant.Name)
	if slices.ContainsFunc(a.Choices, func(ch assembly.Choice) bool { return !ch.Kept }) {
		c.diags = append(c.diags, d.WithHint("budget-drops-all"))
		return
	}
	c.diags = append(c.diags, d.WithHint("exclude-or-add-section"))
}

// weigh reports a claim that is over its limit, or near it.
func (c *composer) weigh(v *assembly.Variant, cl claim, l language.Limits) {
	if cl.limit < 0 {
		return
	}
	over, near := "over-its-budget", "near-its-budget"
	if cl.many {
		over, near = "over-their-budget", "near-their-budget"
	}
	var d diag.Diagnostic
	switch {
	case cl.use > cl.limit:
		d = diag.New(cl.over, cl.at, over,
			cl.subject, cl.amount, diag.Count(cl.limit), diag.Count(cl.use-cl.limit))
		if l.Warn {
			d.Level = diag.Warning
		}
	case l.WarnAt > 0 && float64(cl.use) > l.WarnAt*float64(cl.limit):
		d = diag.New(diag.NearBudget, cl.at, near,
			cl.subject, cl.amount, percent(cl.use, cl.limit), diag.Count(cl.limit))
	default:
		return
	}
	d.Variant = v.Name
	if cl.details != nil { // they name the command that says more
		c.diags = append(c.diags, d.WithDetail(cl.details()))
		return
	}
	c.diags = append(c.diags, d.WithHint("shorten-or-raise-budget"))
}

// claims are what a variant's budget limits. Under `phases` what counts
// against it is the sticky sections: the others fill up whatever is left.
func claims(a *assembly.Artifact, count *token.Counter) []claim {
	l, name := a.Variant.Budget, a.Variant.Name
	tokensTop := func() diag.Words { return largest(a, inTokens(a), 3) }
	charsTop := func() diag.Words { return largest(a, inCharacters(a), 3) }
	tokens := claim{
		over: diag.OverTokens, subject: diag.Say("variant-is", name), amount: tokensOf(a.Variant, a.Use, a.Use-a.Tokens, count),
		use: a.Use, limit: l.Tokens, at: l.At, details: tokensTop,
	}
	if a.Variant.Layout.On {
		loose := func(c cost) bool { return !a.Variant.Uses[c.section].Place.Sticky }
		tokens.over, tokens.subject = diag.OverSticky, diag.Say("sticky-sections-are", name)
		tokens.details = func() diag.Words { return largest(a, slices.DeleteFunc(inTokens(a), loose), len(a.Parts)) }
		if a.Use <= l.Tokens {
			tokens.use = stickyTokens(a)
			tokens.amount = tokensOf(a.Variant, tokens.use, 0, count)
		}
	}
	return []claim{
		tokens,
		{
			over: diag.OverChars, subject: diag.Say("variant-is", name), amount: diag.Say("characters", diag.Count(a.Chars)),
			use: a.Chars, limit: l.Chars, at: l.CharsAt, details: charsTop,
		},
		{
			over: diag.OverToolTokens, subject: diag.Say("schemas-are", name, len(a.Beside)), many: true,
			amount: tokensOf(a.Variant, a.ToolTokens, 0, count), use: a.ToolTokens, limit: l.ToolTokens, at: l.ToolTokensAt,
		},
	}
}

// sectionClaims are what a section's own budget limits: its text by itself,
// and its schemas.
func (c *composer) sectionClaims(a *assembly.Artifact, section int, r *assembly.Rendering, count *token.Counter) []claim {
	l := a.Variant.Uses[section].Budget
	is := diag.Say("section-is", a.Build.Prompt.Sections[section].ID.Str, a.Variant.Name)
	use, chars, tools := 0, c.runes[r], 0
	if r.Text.Str != "" {
		use = count.Sum([]string{templates.Prose(r.Text.Str, r.Tags)}) + r.SlotTokens()
	}
	if r.Beside && len(r.Tools) > 0 {
		tools = count.Sum(c.schemaParts(r.Tools))
	}
	return []claim{
		{over: diag.OverSection, subject: is, amount: tokensOf(a.Variant, use, r.SlotTokens(), count), use: use, limit: l.Tokens, at: l.At},
		{over: diag.OverSection, subject: is, amount: diag.Say("characters", diag.Count(chars)), use: chars, limit: l.Chars, at: l.CharsAt},
		{
			over: diag.OverSection, subject: diag.Say("section-schemas-are", is.Args...), many: true,
			amount: tokensOf(a.Variant, tools, 0, count), use: tools, limit: l.ToolTokens, at: l.ToolTokensAt,
		},
	}
}

// required reports tools that a section's entries ask for, and that what was
// dropped or stepped down took along.
func (c *composer) required(a *assembly.Artifact) {
	for i, r := range a.Used {
		if r == nil {
			continue
		}
		for _, w := range requirements(r) {
			if !slices.ContainsFunc(a.Toolset, func(t *language.Tool) bool { return t.Name == w.Str }) {
				c.diags = append(c.diags, diag.New(diag.ToolDropped, w.At, "required-tool-dropped",
					w.Str, a.Build.Prompt.Sections[i].ID.Str, a.Variant.Name).
					WithHint("make-tools-sticky"))
			}
		}
	}
}

// requirements are the tools that the entries of a rendering ask for.
func requirements(r *assembly.Rendering) []ground.Word {
	var out []ground.Word
	for _, in := range r.Unit.Inputs {
		for _, e := range in.Entries {
			out = append(out, e.Requires...)
		}
	}
	return out
}

// stickyTokens adds up what the sticky sections take.
func stickyTokens(a *assembly.Artifact) int {
	n := 0
	for _, ch := range a.Choices {
		if ch.Sticky {
			n += ch.Tokens
		}
	}
	return n
}

// tokensOf words a count: exact, with slots, or estimated.
func tokensOf(v *assembly.Variant, use, slots int, count *token.Counter) diag.Words {
	out := diag.Say("tokens", diag.Count(use))
	if e := count.StatedError(); e > 0 {
		out = diag.Say("about-tokens", diag.Count(use), count.Name(), int(e*100+0.5))
	} else if whose := v.StandsFor(); whose != "" {
		out = diag.Say("about-tokens-of", diag.Count(use), count.Name(), whose)
	}
	if slots > 0 {
		out = diag.Say("of-them-for-slots", out, diag.Count(slots))
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

// cost is what a section or a content of the conversation adds to an artifact.
type cost struct {
	name    string
	section int // index into Prompt.Sections, -1 for a content
	adds    int
}

// inTokens gives what everything adds to the emitted text, in order: sections
// and contents with what stands before them, sections with their slots. What
// the layout says at the end of a message counts with the last before it.
func inTokens(a *assembly.Artifact) []cost {
	var out []cost
	before, ends := 0, messageEnds(a)
	for i, p := range a.Parts {
		c, ok := costOf(a, p)
		switch {
		case ok && p.Rendering != nil:
			c.adds = p.Rendering.SlotTokens()
			out = append(out, c)
		case ok:
			out = append(out, c)
		case p.Passage == nil || !ends[i+1] || len(out) == 0:
			continue // counts with what follows
		}
		out[len(out)-1].adds += p.Total - before
		before = p.Total
	}
	return out
}

// messageEnds are the indices behind the last parts of messages.
func messageEnds(a *assembly.Artifact) map[int]bool {
	out := map[int]bool{}
	for _, m := range a.Messages {
		if n := len(m.Blocks); n > 0 {
			out[m.Blocks[n-1].To] = true
		}
	}
	return out
}

// inCharacters gives the runes of everything that an artifact says, in order.
func inCharacters(a *assembly.Artifact) []cost {
	var out []cost
	for _, p := range a.Parts {
		if c, ok := costOf(a, p); ok {
			c.adds = utf8.RuneCountInString(p.Text)
			out = append(out, c)
		}
	}
	return out
}

// costOf names whose text a part is, as the snapshots do.
func costOf(a *assembly.Artifact, p assembly.Part) (cost, bool) {
	switch {
	case p.Rendering != nil:
		return cost{name: a.Build.Prompt.Sections[p.Section].ID.Str, section: p.Section}, true
	case p.Passage != nil && p.Passage.Content != nil:
		return cost{name: p.Passage.Content.Name(), section: -1}, true
	default:
		return cost{}, false
	}
}

// largest names what costs most, so many at most.
func largest(a *assembly.Artifact, costs []cost, most int) diag.Words {
	slices.SortStableFunc(costs, func(x, y cost) int { return cmp.Compare(y.adds, x.adds) })
	var words []string
	for _, c := range costs[:min(most, len(costs))] {
		words = append(words, c.name+" "+diag.Count(c.adds).String())
	}
	return diag.Say("largest-parts", strings.Join(words, ", "), diag.Explain{Variant: a.Variant.Name})
}

// before gives the tokens of what comes before a run.
func before(a *assembly.Artifact, r assembly.Run) int {
	if r.From == 0 {
		return 0
	}
	return a.Parts[r.From-1].Total
}

// measure fills the ledger of an artifact.
func (d *draft) measure(a *assembly.Artifact) {
	slots := 0
	a.Chars, a.Tokens = 0, 0
	for _, r := range a.Runs() {
		before := a.Tokens
		texts := make([]string, 0, r.To-r.From)
		for _, p := range a.Parts[r.From:r.To] {
			texts = append(texts, p.Counted())
			a.Chars += d.characters(p)
			slots += p.Rendering.SlotTokens()
		}
		for i, total := range d.count.Prefixes(texts) {
			a.Tokens = before + total
			a.Parts[r.From+i].Total = a.Tokens
		}
	}
	a.Use = a.Tokens + slots
	if len(a.Beside) > 0 {
		a.ToolTokens = d.count.Sum(d.schemaParts(a.Beside))
	}
}

// characters counts the runes of a part. Those of a rendering are known.
func (c *composer) characters(p assembly.Part) int {
	if p.Rendering != nil {
		if n, ok := c.runes[p.Rendering]; ok {
			return n
		}
	}
	return utf8.RuneCountInString(p.Counted())
}

// schemaParts gives the compact JSON list of tools, in pieces.
func (c *composer) schemaParts(tools []*language.Tool) []string {
	parts := []string{"["}
	for i, t := range tools {
		if i > 0 {
			parts = append(parts, ",")
		}
		parts = append(parts, c.schemas[t]())
	}
	return append(parts, "]")
}

// Package resolve turns a Spec into a Plan: names are looked up, axes
// expanded, and for every variant it is decided which sections it has and
// what each of them is made of.
package resolve

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Limits on the number of variants of one prompt.
const (
	// MaxVariants bounds what is built.
	MaxVariants = 10_000
	// MaxProduct bounds the product of the axes before `exclude`.
	MaxProduct = 1_000_000
	// MaxPoints bounds the sum of these products over the manifest.
	MaxPoints = 20_000_000
)

// Run binds the whole manifest within limits. The Plan is usable only when the
// list has no errors.
func Run(spec *language.Spec, limits Limits) (*assembly.Plan, diag.List) {
	b := &binder{
		spec:     spec,
		plan:     &assembly.Plan{Spec: spec, Entries: map[*language.Saved]bool{}},
		units:    map[string]int{},
		files:    map[string]*found{},
		goals:    map[goalFiles]*language.Goal{},
		fixtures: map[*language.Doc]*fixture{},
		owners:   map[textKey]string{},
		taken:    map[textKey]bool{},
		without:  limits.Without,
	}
	b.declare()
	scopes := map[*language.Prompt]*scope{}
	var counted []*scope
	for _, p := range spec.Prompts {
		if p.Rendered == nil {
			if s, ok := b.scopeOf(p); ok {
				scopes[p], counted = s, append(counted, s)
			}
		}
	}
	if !b.withinUses(counted, limits) {
		return b.plan, b.diags.Sorted()
	}
	for _, p := range spec.Prompts {
		b.bindPrompt(p, scopes[p])
	}
	for _, say := range b.later {
		say()
	}
	b.reportFallbacks()
	b.reportTurns()
	b.reportUnused()
	b.checkSettings()
	b.checkTemplates()
	return b.plan, b.diags.Sorted()
}

// checkTemplates reports sources of other template languages, once each, where their
// texts would be sent.
func (b *binder) checkTemplates() {
	met := map[*language.Source]bool{}
	for _, u := range b.plan.Units {
		for _, in := range u.Inputs {
			src := in.Source
			if src == nil || met[src] {
				continue
			}
			at := src.Template
			if slices.ContainsFunc(in.Docs, func(d *language.Doc) bool { return len(d.Holes) > 0 }) {
				at = src.Symbol
			}
			if at.Str == "" || at.Str == templates.NoLanguage {
				continue
			}
			sent := func(v *assembly.Variant) bool { return v.Shape().JSON }
			build := b.plan.Build(u.Prompt.ID.Str)
			if b.spec.Artifacts.Str != "" || len(b.spec.Bindings) > 0 || build != nil && slices.ContainsFunc(build.Variants, sent) {
				met[src] = true
				b.diags = append(b.diags, diag.New(diag.ReviewedAlone, at.At, "template-is-sent", src.ID.Str, u.Prompt.ID.Str).WithHint("record-what-is-sent"))
			}
		}
	}
}

// binder is the state of one Run.
type binder struct {
	spec       *language.Spec
	plan       *assembly.Plan
	diags      diag.List
	sources    map[string]*language.Source
	sourceIDs  []string
	tokenizers []string
	toolNames  []string
	units      map[string]int    // key of a unit → index in plan.Units
	files      map[string]*found // memo of file look-ups
	fallbacks  ordered.Map[*language.Source, fallbackUse]
	goals      map[goalFiles]*language.Goal
	fixtures   map[*language.Doc]*fixture
	spoken     ordered.Map[assembled, spoken]
	owners     map[textKey]string // the prompt that has a rendered text
	taken      map[textKey]bool   // the rendered texts and files that some prompt reads
	later      []func()           // what is said when all prompts are bound
	hints      int                // nearest files that were looked for
	points     int                // of the axes of all prompts, before `exclude`
	distinct   int                // findings when they were last thinned
	without    map[string]bool    // variants that are not built
}

// thin takes repetitions out of the findings when there are many: the same is
// found in one variant after another.
func (b *binder) thin() {
	if len(b.diags) > 2*b.distinct+10_000 {
		b.diags = b.diags.Sorted()
		b.distinct = len(b.diags)
	}
}

// declare indexes what the top of the manifest names.
func (b *binder) declare() {
	b.sources = map[string]*language.Source{}
	for _, s := range b.spec.Sources {
		b.sources[s.ID.Str] = s
		b.sourceIDs = append(b.sourceIDs, s.ID.Str)
	}
	b.tokenizers = token.Names()
	for _, t := range b.spec.Tokenizers {
		b.tokenizer(t.Base, token.Names())
		b.tokenizers = append(b.tokenizers, t.Name.Str)
	}
	b.plan.Tokenizer = language.DefaultTokenizer
	if b.spec.Tokenizer.Str != "" {
		b.plan.Tokenizer = b.spec.Tokenizer.Str
		b.tokenizer(b.spec.Tokenizer, b.tokenizers)
	}
	for _, tools := range b.spec.Tools {
		b.toolNames = append(b.toolNames, language.ToolNames(tools)...)
	}
	sortUnique(&b.toolNames)
}

// reportUnused warns of sources that no section and no layout names.
func (b *binder) reportUnused() {
	if slices.ContainsFunc(b.diags, func(d diag.Diagnostic) bool { return d.Code == diag.UnknownSource }) {
		return // the name that is wrong was meant for one of them
	}
	named := map[string]bool{}
	for _, p := range b.spec.Prompts {
		for _, c := range p.Layout {
			for _, one := range c.Value.Conversation {
				named[one.Value.Str] = true
			}
		}
		for _, s := range p.Sections {
			for _, c := range s.Source {
				for _, w := range c.Value {
					named[w.Str] = true
				}
			}
			for _, c := range s.Degrade {
				for _, step := range c.Value {
					named[step.Source.Str] = true
				}
			}
		}
	}
	for _, src := range b.spec.Sources {
		if named[src.ID.Str] {
			continue
		}
		place := "section"
		if saysMessages(src) {
			place = "layout"
		}
		b.diags = append(b.diags, diag.New(diag.UnusedSource, src.ID.At, "no-names-source", place, src.ID.Str).
			WithHint("name-remove", place))
	}
}

// tokenizer checks that a word names one of the known.
func (b *binder) tokenizer(w ground.Word, known []string) {
	b.known(diag.UnknownTokenizer, w, known, "unknown-tokenizer", w.Str)
}

// known reports a word that is not among the candidates, and says whether it
// is.
func (b *binder) known(code diag.Code, w ground.Word, candidates []string, key string, args ...any) bool {
	if slices.Contains(candidates, w.Str) {
		return true
	}
	d := diag.New(code, w.At, key, args...)
	b.diags = append(b.diags, withNames(d, w.Str, candidates))
	return false
}

// withNames adds the nearest name as a hint, or the list when it is short.
func withNames(d diag.Diagnostic, name string, candidates []string) diag.Diagnostic {
	if best, ok := suggest.Best(name, candidates); ok {
		return d.WithHint("did-you-mean", best)
	}
	if len(candidates) == 0 {
		return d.WithHint("none-declared")
	}
	const most = 12
	return d.WithHint("known", diag.Some(candidates, most))
}

// bindPrompt lays out one prompt, whose scope is nil where another program
// renders it, or where its axes cannot be used.
func (b *binder) bindPrompt(p *language.Prompt, s *scope) {
	if p.Rendered != nil {
		b.bindRendered(p)
		return
	}
	if s == nil || !s.expand(s.built()) {
		return
	}
	b.plan.Builds = append(b.plan.Builds, s.build)
	s.settings()
	s.conversations()
	s.sections()
	s.order()
	s.settleReminders()
	s.expectations()
}

// DefaultUses is how many uses of sections a manifest may have unless somebody
// allows more.
const DefaultUses = 2_000_000

// Limits bound what a manifest may ask for. They are not the manifest's own, so
// that who sends one cannot raise them.
type Limits struct {
	// Uses is the most uses of sections in variants, over all prompts; 0 for
	// DefaultUses.
	Uses int
	// Without are the names of variants that are not built.
	Without map[string]bool
}

// A variant costs as much as leastUses uses of sections, and usesRungs rungs as
// much as laying out its sections once more.
const leastUses, usesRungs = 20, 32

// usage is what a prompt asks for.
type usage struct {
	prompt                  *language.Prompt
	variants, layouts, uses int
}

// withinUses reports a manifest that has more uses or variants than allowed,
// before any of them is made. Uses are the variants of a prompt times its
// sections, summed over the prompts; prompts that another program renders have
// no sections to count.
func (b *binder) withinUses(scopes []*scope, limits Limits) bool {
	most := cmp.Or(limits.Uses, DefaultUses)
	mostVariants := max(most, DefaultUses) / leastUses
	var total, largest, widest usage
	for _, s := range scopes {
		u := s.usage()
		total.uses += u.uses
		total.variants += u.variants
		if u.uses > largest.uses {
			largest = u
		}
		if u.variants > widest.variants {
			widest = u
		}
	}
	switch {
	case total.uses > most:
		said := diag.Say("variants-times-sections", diag.Count(largest.variants), diag.Count(len(largest.prompt.Sections)))
		if largest.layouts > 1 {
			said = diag.Say("laid-out-again-for-budget", said, diag.Count(largest.layouts))
		}
		b.tooMany(largest.prompt, total.uses, "manifest-has-uses", diag.Count(total.uses), diag.Count(most), largest.prompt.ID.Str, said)
	case total.variants > mostVariants:
		b.tooMany(widest.prompt, total.variants*leastUses, "manifest-has-variants",
			diag.Count(total.variants), diag.Count(mostVariants), widest.prompt.ID.Str, diag.Count(widest.variants))
	default:
		return true
	}
	return false
}

// tooMany reports that something is over a limit, at the axes of the prompt that
// has the most, with the limit that allows it.
func (b *binder) tooMany(p *language.Prompt, allow int, key string, args ...any) {
	at := p.ID.At
	if len(p.Axes) > 0 {
		at = p.Axes[0].Name.At
	}
	b.diags = append(b.diags, diag.New(diag.TooManyUses, at, key, args...).WithHint("exclude-or-allow-uses", allow))
}

// usage counts what the prompt asks for.
func (s *scope) usage() usage {
	u := usage{prompt: s.prompt, layouts: layouts(s.prompt)}
	for range s.points() {
		if u.variants++; u.variants > MaxVariants {
			u.variants = 0 // so many are refused by themselves
			break
		}
	}
	u.uses = u.variants * len(s.prompt.Sections) * u.layouts
	return u
}

// layouts is as how many layouts of its sections a variant counts. One that is
// over its budget is laid out again for every rung, which takes little, and
// under the layout `phases` or with ladders for every section that loses a tool
// it needs. `phases` lays all out for every section that it tries.
func layouts(p *language.Prompt) int {
	drops := slices.ContainsFunc(p.Layout, func(c language.Case[language.Layout]) bool {
		return slices.ContainsFunc(c.Value.Name, func(n language.Case[ground.Word]) bool { return n.Value.Str == phasesLayout })
	})
	if !p.Budget.Set() && !drops {
		return 1
	}
	rungs, needing := 0, 0
	for _, s := range p.Sections {
		most := 0
		for _, c := range s.Degrade {
			most = max(most, len(c.Value))
		}
		rungs += most
		if s.Needs.Set() {
			needing++
		}
	}
	if rungs == 0 && !drops {
		needing = 0
	}
	if drops {
		rungs += len(p.Sections)
	}
	return (1 + rungs/usesRungs) * (1 + needing)
}

// Package compose turns a Plan and its Renderings into Artifacts: it decides
// what each variant emits, in which order and form, and keeps the ledger.
package compose

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Counters gives the counter of a tokenizer's name; it has one for every name
// that resolve let through.
type Counters func(name string) *token.Counter

// Run composes every variant of every build, in their order.
func Run(plan *assembly.Plan, renderings []*assembly.Rendering, counters Counters) ([]*assembly.Artifact, diag.List) {
	return Some(plan, renderings, counters, func(*assembly.Variant) bool { return true })
}

// Some is Run for the wanted variants alone.
func Some(plan *assembly.Plan, renderings []*assembly.Rendering, counters Counters, wanted func(*assembly.Variant) bool) ([]*assembly.Artifact, diag.List) {
	known := newComposer(renderings)
	var all []task
	for _, b := range plan.Builds {
		for _, v := range b.Variants {
			if wanted(v) {
				all = append(all, task{b, v})
			}
		}
	}
	out := make([]*assembly.Artifact, 0, len(all))
	var found findings
	for several := range slices.Chunk(slices.Collect(slices.Chunk(all, batch)), round) {
		for _, b := range par.Map(several, func(tasks []task) batchResult { return known.batch(tasks, counters) }) {
			out = append(out, b.artifacts...)
			found.add(b.diags)
		}
	}
	return out, found.all(plan).Sorted()
}

func (c composer) batch(tasks []task, counters Counters) batchResult {
	artifacts := make([]*assembly.Artifact, 0, len(tasks))
	for _, t := range tasks {
		count := counters(t.variant.Tokenizer)
		from := len(c.diags)
		a := c.variant(t.build, t.variant, count)
		c.judge(a, count)
		about(c.diags[from:], t.build)
		artifacts = append(artifacts, a)
	}
	return batchResult{artifacts, c.diags}
}

// about says of findings which prompt they are about.
func about(found diag.List, b *assembly.Build) {
	for i := range found {
		found[i].Prompts = []string{b.Prompt.ID.Str}
	}
}

// batch is how many variants are composed one after another: enough that handing
// them out costs nothing. A round is so many batches: what is found in one is put
// together before the next, so that findings never fill the memory.
const batch, round = 32, 8

type task struct {
	build   *assembly.Build
	variant *assembly.Variant
}

type batchResult struct {
	artifacts []*assembly.Artifact
	diags     diag.List
}

// composer composes one variant after another. What it knows beside its
// findings is shared, and does not change.
type composer struct {
	renderings []*assembly.Rendering
	diags      diag.List
	schemas    map[*language.Tool]func() string // as they are counted
	runes      map[*assembly.Rendering]int      // of the text
	// next is the smallest budget in tokens that a trial of the last variant
	// asked for in vain, under the layout `phases`: with less than that, the
	// variant comes out the same.
	next int
}

// newComposer counts the runes of every rendering, each once: its text is in
// many variants. Schemas are compacted when they are first asked for.
func newComposer(renderings []*assembly.Rendering) *composer {
	c := &composer{
		renderings: renderings,
		schemas:    map[*language.Tool]func() string{},
		runes:      make(map[*assembly.Rendering]int, len(renderings)),
	}
	for _, r := range renderings {
		if r == nil {
			continue
		}
		c.runes[r] = utf8.RuneCountInString(templates.Prose(r.Text.Str, r.Tags))
		for _, t := range r.Tools {
			if c.schemas[t] == nil {
				c.schemas[t] = sync.OnceValue(func() string { return canon.Sent(t.Canonical) })
			}
		}
	}
	return c
}

// variant composes one variant in its layout. What was dropped or stepped
// down may have taken tools along that another section needs: that section
// then goes too, and the rest is composed again.
func (c *composer) variant(b *assembly.Build, v *assembly.Variant, count *token.Counter) *assembly.Artifact {
	lacks := map[int]string{}
	c.next = math.MaxInt
	for {
		d := &draft{composer: c, build: b, variant: v, count: count, steps: make([]int, len(v.Uses)), lacks: lacks, notices: v.Layout.Notice}
		a := d.layOut()
		if !d.unmet(a) {
			d.cache(a)
			return a
		}
	}
}

// layOut composes the variant once, with what lacks tools left out.
func (d *draft) layOut() *assembly.Artifact {
	switch {
	case d.variant.Messages != nil:
		return d.stepDown(d.messages)
	case d.variant.Sent != nil:
		return d.stepDown(d.sent)
	case !d.variant.Layout.On:
		return d.stepDown(func() *assembly.Artifact { return d.assemble(d.variant.Order, "") })
	}
	a := d.phases()
	if a.Notice && !d.fits(a) {
		// What always stays fits without the line that names the rest, or
		// it does not fit at all: either way the line goes first.
		d.notices = false
		a = d.phases()
	}
	return a
}

// unmet finds sections in an artifact whose tools are not in its toolset, and
// notes them as out. It says whether there were any.
func (d *draft) unmet(a *assembly.Artifact) bool {
	found := false
	for i, r := range a.Used {
		if r == nil {
			continue
		}
		var missing []string
		for _, name := range d.variant.Uses[i].Needs {
			if !slices.ContainsFunc(a.Toolset, func(t *language.Tool) bool { return t.Name == name }) {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			d.lacks[i], found = strings.Join(missing, ", "), true
		}
	}
	return found
}

// draft is one variant while it is composed.
type draft struct {
	*composer
	build   *assembly.Build
	variant *assembly.Variant
	count   *token.Counter
	steps   []int // rungs taken, by section
	// lacks are the sections whose tools were dropped, with their names.
	lacks   map[int]string
	notices bool // the layout's notice is wanted
}

// stepDown lays everything out. Nothing is dropped; sections with a ladder step
// down while the prompt is over its budget.
func (d *draft) stepDown(lay func() *assembly.Artifact) *assembly.Artifact {
	for {
		a := lay()
		d.measure(a)
		if d.trialOf(a).fits() {
			return a
		}
		section, ok := d.lastWithSteps()
		if !ok {
			return a
		}
		d.steps[section]++
	}
}

// canStep reports whether a section has a rung left.
func (d *draft) canStep(section int) bool {
	u := d.variant.Uses[section]
	return d.rendering(section) != nil && d.steps[section] < len(u.Steps)
}

// lastWithSteps gives the last declared section that can still go down.
func (d *draft) lastWithSteps() (int, bool) {
	for i := len(d.steps) - 1; i >= 0; i-- {
		if d.canStep(i) {
			return i, true
		}
	}
	return 0, false
}

// rendering gives what a section says on its present rung; nil where it is
// out.
func (d *draft) rendering(section int) *assembly.Rendering {
	if _, lacking := d.lacks[section]; lacking || d.variant.Uses[section].Unit < 0 {
		return nil
	}
	return d.on(section, d.steps[section])
}

// on gives what a section that is in says on a rung; 0 is the fullest.
func (d *draft) on(section, step int) *assembly.Rendering {
	u := d.variant.Uses[section]
	if step > 0 {
		return d.renderings[u.Steps[step-1].Unit]
	}
	return d.renderings[u.Unit]
}

// start gives an artifact that says nothing yet.
func (d *draft) start() *assembly.Artifact {
	return &assembly.Artifact{Build: d.build, Variant: d.variant, Used: make([]*assembly.Rendering, len(d.steps))}
}

// assemble lays the sections of an order one after another with their joins,
// and the notice, if any, behind them.
func (d *draft) assemble(order []int, notice string) *assembly.Artifact {
	a := d.start()
	a.Parts = make([]assembly.Part, 0, 2*len(order)+2) // each with its join
	for _, i := range order {
		d.add(a, i)
	}
	if notice != "" {
		a.Notice = true
		glue(a, d.variant.Join.Str, assembly.Part{Section: -1, Text: notice})
	}
	if len(a.Parts) > 0 && !inJSON(d.variant) && !d.variant.Exact {
		place(a, assembly.Part{Section: -1, Text: "\n"})
	}
	if len(a.Parts) > 0 {
		a.Messages = []assembly.Message{{Role: language.RoleSystem, Block: assembly.BlockSystem, Blocks: d.split(a)}}
	}
	return a
}

// inJSON reports whether the artifact is a fragment of a request body.
func inJSON(v *assembly.Variant) bool { return v.Dialect.JSON }

// add takes a section in and appends its text behind a join, or behind the one
// that it declares. A section that is out takes its join with it.
func (d *draft) add(a *assembly.Artifact, section int) {
	r := d.take(a, section)
	if r == nil {
		return
	}
	glue(a, d.joinOf(section), assembly.Part{Section: section, Text: r.Text.Str, Rendering: r})
}

// joinOf gives what stands between a section and the one before it.
func (d *draft) joinOf(section int) string {
	if own := d.variant.Uses[section].Join; own != nil {
		return own.Str
	}
	return d.variant.Join.Str
}

// take notes what becomes of a section, with its tools, and gives its
// rendering; nil where that has no text.
func (d *draft) take(a *assembly.Artifact, section int) *assembly.Rendering {
	r := d.rendering(section)
	if r == nil {
		a.Out = append(a.Out, d.omission(section))
		return nil
	}
	a.Toolset = append(a.Toolset, r.Tools...)
	if r.Beside {
		a.Beside = append(a.Beside, r.Tools...)
	}
	if r.Text.Str == "" && len(r.Tools) == 0 {
		a.Out = append(a.Out, assembly.Omission{Section: section, Reason: assembly.OutEmpty})
		return nil
	}
	a.Used[section] = r
	if r.Text.Str == "" {
		return nil
	}
	return r
}

// omission says why a section is out.
func (d *draft) omission(section int) assembly.Omission {
	if missing, ok := d.lacks[section]; ok {
		return assembly.Omission{Section: section, Reason: assembly.OutNeeds, Why: missing}
	}
	use := d.variant.Uses[section]
	return assembly.Omission{Section: section, Reason: use.Out, Why: use.Why}
}

// glue appends a part behind its join; the first part has none.
func glue(a *assembly.Artifact, join string, p assembly.Part) {
	if len(a.Parts) > 0 {
		place(a, assembly.Part{Section: -1, Text: join})
	}
	place(a, p)
}

// place appends a part that has bytes.
func place(a *assembly.Artifact, p assembly.Part) {
	if p.Text == "" {
		return
	}
	p.Start = a.Bytes()
	a.Parts = append(a.Parts, p)
}

// maxFindings is how many findings of all variants are kept. Each section of
// each variant may have some of its own, and nobody reads so many.
const maxFindings = 20_000

// findings are the first that were found, and how many others there are.
type findings struct {
	kept diag.List
	more map[findingKind]int
}

// findingKind tells the findings apart that are only counted.
type findingKind struct {
	prompt string
	code   diag.Code
	level  diag.Level
}

func (f *findings) add(list diag.List) {
	n := min(len(list), maxFindings-len(f.kept))
	f.kept = append(f.kept, list[:n]...)
	for _, d := range list[n:] {
		if f.more == nil {
			f.more = map[findingKind]int{}
		}
		f.more[findingKind{d.Prompts[0], d.Code, d.Level}]++
	}
}

// all gives the findings, with one for each kind of those that are not kept.
func (f *findings) all(plan *assembly.Plan) diag.List {
	compare := func(a, b findingKind) int {
		return cmp.Or(cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.code, b.code), cmp.Compare(a.level, b.level))
	}
	for _, k := range slices.SortedFunc(maps.Keys(f.more), compare) {
		d := diag.New(k.code, plan.Build(k.prompt).Prompt.ID.At, "more-findings-of-this-kind", k.prompt, diag.Count(f.more[k])).
			WithHint("mend-those-named-first", diag.Count(maxFindings))
		d.Level, d.Prompts = k.level, []string{k.prompt}
		f.kept = append(f.kept, d)
	}
	return f.kept
}

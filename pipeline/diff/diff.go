// Package diff compares two states of a project, each compiled by itself, and
// says what changed in meaning: once for each change, however many variants it
// reaches, and with those that it does not reach.
package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/token"
)

// Counters gives the counter of a tokenizer's name.
type Counters func(name string) *token.Counter

// Run compares the base with the head. A side without a result has no
// manifest: then everything is added, or removed. The findings are about limits
// on growth, and about budgets that the policy has stricter. It is pure.
func Run(base, head prompt.Side, policy Policy, counters Counters) (*prompt.Difference, diag.List) {
	r := newRun(base, head, counters)
	r.prompts()
	r.settings()
	r.judged()
	r.slots()
	r.sections()
	r.tools()
	r.causes()
	r.edits()
	r.missing()
	r.budgets()
	r.weakened(policy)
	r.settle()
	r.addUp()
	r.cache()
	r.rest()
	r.idle()
	r.unread()
	r.alikeTools()
	r.finish()
	return r.d, append(r.growth(), r.overruns()...).Sorted()
}

// run is the state of one Run.
type run struct {
	d        *prompt.Difference
	counters Counters
	pairs    []*pair
	// pairByBuild finds the prompt of an artifact, on either side.
	pairByBuild map[*prompt.Build]*pair
	frames      map[*prompt.Rendering]*frame
	grounds     map[*prompt.Rendering]ground
	groups      map[any]*prompt.Edit

	// What lines are: their numbers, the texts of artifacts by lines, what
	// differs between two texts, and where the texts of one side stand near.
	lines         lineTable
	artifactLines map[*prompt.Artifact]*lined
	textLines     map[string]*lined
	scripts       map[texts]*script
	near          [2]*nearness
	shares        map[[2]int32]float64

	// What lines follow from: an edit of a section of a variant, or of an item of
	// a change.
	owners       map[ownerKey]*prompt.Edit
	changes      map[renderings]*change
	itemSections map[*prompt.Edit][]itemIn
	// toolEdits are the edits of tools by variant of the head and name.
	toolEdits map[*prompt.Artifact]map[string]*prompt.Edit
	// toolMoves are the first of the tools that stand elsewhere in a section.
	toolMoves map[ownerKey]*prompt.Edit

	// What the lines come to: the distinct atoms, where they stand, and the edits
	// that they make, with their sizes and places.
	atoms    map[atom]int
	atomList []atom
	found    []atoms
	byLines  map[string]*prompt.Edit
	// byPlace are the edits of lines by where they come from.
	byPlace    map[place][]*prompt.Edit
	lineEdits  map[*prompt.Edit]*lineFacts
	sizes      map[sizeOfKey]int
	linePlaces map[alsoKey]bool

	// worths has what a slot of a name may grow to.
	worths map[string]int
	// silent are the variants that send nothing of an edit that reaches them,
	// quiet the edits of which none does; see settle.
	silent map[*prompt.Edit]map[twin]bool
	quiet  map[*prompt.Edit]bool
	// sources are the files of each tree by path.
	sources map[*prompt.Tree]map[string]*diag.File
	// stricter has the limits of the policy that the head has higher or not at
	// all; their places are in the head.
	stricter map[limitOf]*prompt.Limits
}

// pair is a prompt on both sides, with its artifacts.
type pair struct {
	*prompt.Pair
	n int // its index in run.pairs
	// base and head have the artifact of each variant, by Variant.Index; nil
	// where a side does not have the prompt.
	base, head []*prompt.Artifact
	// twins are the variants of the head in their order, then those of the
	// base that none of them is compared with.
	twins []twin
	// sections are all sections of both sides.
	sections []*section
}

// section is a section that a prompt declares, on one side or on both.
type section struct {
	pair *pair
	id   string
	// base and head are the indices in Prompt.Sections, -1 for none.
	base, head int
}

// twin is a variant of the head with the one of the base that it is compared
// with; either may be nil.
type twin struct {
	pair       *pair
	base, head *prompt.Artifact
}

// both reports whether there is something to compare.
func (t twin) both() bool { return t.base != nil && t.head != nil }

// variant gives the variant that a finding is about: the head's, else the
// base's.
func (t twin) variant() *prompt.Variant {
	if t.head != nil {
		return t.head.Variant
	}
	return t.base.Variant
}

// used gives what a section says on the two sides; nil where it is out.
func (t twin) used(s *section) (base, head *prompt.Rendering) {
	if t.base != nil && s.base >= 0 {
		base = t.base.Used[s.base]
	}
	if t.head != nil && s.head >= 0 {
		head = t.head.Used[s.head]
	}
	return base, head
}

// count gives the counter of texts of a tokenizer. It remembers every text.
func (r *run) count(name string) func(string) int {
	c := r.counters(name)
	return func(text string) int {
		if text == "" {
			return 0
		}
		return c.Sum([]string{text})
	}
}

// group gives the edit of a key, which is made where there is none yet. A key
// is a comparable struct of its own type, so that those of two sources never
// meet.
func (r *run) group(key any, made func() *prompt.Edit) *prompt.Edit {
	if e, ok := r.groups[key]; ok {
		return e
	}
	e := made()
	r.groups[key] = e
	r.add(e)
	return e
}

// add takes an edit in that is there only once.
func (r *run) add(e *prompt.Edit) { r.d.Edits = append(r.d.Edits, e) }

// row gives the row of a prompt in an edit's reach: over the head, or, for what
// is no more there, over the base.
func row(e *prompt.Edit, p *pair, ofBase bool) *prompt.Reach {
	for i := len(e.Reach) - 1; i >= 0; i-- {
		if e.Reach[i].Pair == p.Pair && e.Reach[i].OfBase == ofBase {
			return &e.Reach[i]
		}
	}
	size := len(p.head)
	if ofBase {
		size = len(p.base)
	}
	e.Reach = append(e.Reach, prompt.Reach{Pair: p.Pair, OfBase: ofBase, In: prompt.NewSet(size)})
	return &e.Reach[len(e.Reach)-1]
}

// reach says that an edit reaches a variant, without a size: the head's, or the
// base's where the head has none.
func reach(e *prompt.Edit, t twin) *prompt.Reach {
	out := row(e, t.pair, t.head == nil)
	out.In.Add(t.variant().Index)
	return out
}

// reachBy does the same for an edit with a size; what it adds in tokens is
// added to what the edit has in the variant already.
func reachBy(e *prompt.Edit, t twin, tokens int) {
	out := reach(e, t)
	if out.Tokens == nil {
		out.Tokens = map[int]int{}
	}
	out.Tokens[t.variant().Index] += tokens
}

// miss says that an edit does not reach a variant of the head, and why.
func miss(e *prompt.Edit, t twin, cause prompt.Cause, why string) {
	out := row(e, t.pair, false)
	for i := range out.Missed {
		if m := &out.Missed[i]; m.Cause == cause && m.Why == why {
			m.Set.Add(t.head.Variant.Index)
			return
		}
	}
	m := prompt.Missed{Cause: cause, Why: why, Set: prompt.NewSet(out.In.Size())}
	m.Set.Add(t.head.Variant.Index)
	out.Missed = append(out.Missed, m)
}

// newRun pairs the prompts of the two sides and their variants.
func newRun(base, head prompt.Side, counters Counters) *run {
	r := &run{
		d:             &prompt.Difference{Base: base, Head: head},
		counters:      counters,
		frames:        map[*prompt.Rendering]*frame{},
		grounds:       map[*prompt.Rendering]ground{},
		groups:        map[any]*prompt.Edit{},
		pairByBuild:   map[*prompt.Build]*pair{},
		lines:         lineTable{ids: map[string]int32{}},
		artifactLines: map[*prompt.Artifact]*lined{},
		textLines:     map[string]*lined{},
		scripts:       map[texts]*script{},
		shares:        map[[2]int32]float64{},
		owners:        map[ownerKey]*prompt.Edit{},
		toolMoves:     map[ownerKey]*prompt.Edit{},
		changes:       map[renderings]*change{},
		itemSections:  map[*prompt.Edit][]itemIn{},
		atoms:         map[atom]int{},
		byLines:       map[string]*prompt.Edit{},
		lineEdits:     map[*prompt.Edit]*lineFacts{},
		sizes:         map[sizeOfKey]int{},
		linePlaces:    map[alsoKey]bool{},
		worths:        slotWorths(base.Result, head.Result),
		silent:        map[*prompt.Edit]map[twin]bool{},
		quiet:         map[*prompt.Edit]bool{},
		stricter:      map[limitOf]*prompt.Limits{},
		sources:       map[*prompt.Tree]map[string]*diag.File{},
	}
	was, is := artifactsOf(base.Result), artifactsOf(head.Result)
	known := map[string]bool{}
	for _, b := range buildsOf(head.Result) {
		id := b.Prompt.ID.Str
		known[id] = true
		p := &pair{Pair: &prompt.Pair{ID: id, Head: b}, head: is[b]}
		if old := buildOf(base.Result, id); old != nil {
			p.Base, p.base = old, was[old]
		}
		r.pairs = append(r.pairs, p)
	}
	for _, b := range buildsOf(base.Result) {
		if id := b.Prompt.ID.Str; !known[id] {
			r.pairs = append(r.pairs, &pair{Pair: &prompt.Pair{ID: id, Base: b}, base: was[b]})
		}
	}
	for n, p := range r.pairs {
		p.n = n
		for _, b := range []*prompt.Build{p.Base, p.Head} {
			if b != nil {
				r.pairByBuild[b] = p
			}
		}
		p.pairVariants()
		p.pairSections()
		r.d.Pairs = append(r.d.Pairs, p.Pair)
	}
	return r
}

func buildsOf(r *prompt.Result) []*prompt.Build {
	if r == nil || r.Plan == nil || r.Stopped {
		return nil
	}
	return r.Plan.Builds
}

func buildOf(r *prompt.Result, id string) *prompt.Build {
	for _, b := range buildsOf(r) {
		if b.Prompt.ID.Str == id {
			return b
		}
	}
	return nil
}

// artifactsOf gives the artifacts of each build, by Variant.Index.
func artifactsOf(r *prompt.Result) map[*prompt.Build][]*prompt.Artifact {
	out := map[*prompt.Build][]*prompt.Artifact{}
	for _, b := range buildsOf(r) {
		out[b] = make([]*prompt.Artifact, len(b.Variants))
	}
	if r == nil {
		return out
	}
	for _, a := range r.Artifacts {
		if all := out[a.Build]; a.Variant.Index < len(all) {
			all[a.Variant.Index] = a
		}
	}
	return out
}

// pairVariants finds for each variant of the head the one that it is compared
// with, and says which variants send other bytes.
func (p *pair) pairVariants() {
	if p.Base != nil {
		p.Gone = prompt.NewSet(len(p.base))
		for i := range p.base {
			p.Gone.Add(i)
		}
	}
	if p.Head != nil {
		p.Affected = prompt.NewSet(len(p.head))
		p.Was = make([]int, len(p.head))
		counterpart := p.counterparts()
		met := prompt.NewSet(p.Gone.Size())
		for i, v := range p.Head.Variants {
			p.Was[i] = counterpart(v)
			t := twin{pair: p, head: p.head[i]}
			if p.Was[i] >= 0 {
				t.base = p.base[p.Was[i]]
				met.Add(p.Was[i])
			}
			if !t.both() || !sameRequest(t.base, t.head) {
				p.Affected.Add(i)
			}
			p.twins = append(p.twins, t)
		}
		if p.Base != nil {
			p.Gone = p.Gone.Minus(met)
		}
	}
	for i, a := range p.base {
		if p.Gone.Has(i) {
			p.twins = append(p.twins, twin{pair: p, base: a})
		}
	}
}

// counterparts gives the function that finds the variant of the base that one
// of the head is compared with, -1 for none: the one of its name, else the one
// with its values on the base's axes. An axis that only the base has counts at
// its default, else at the first value that is built. Where the axes are the
// same, values count before names, in which a default is not written.
func (p *pair) counterparts() func(*prompt.Variant) int {
	if p.Base == nil {
		return func(*prompt.Variant) int { return -1 }
	}
	byName := map[string]int{}
	for i, v := range p.Base.Variants {
		byName[v.Name] = i
	}
	shared := sharedAxes(p.Base.Prompt, p.Head.Prompt)
	byValues := map[string]int{}
	for _, atDefault := range []bool{true, false} {
		for i, v := range p.Base.Variants {
			key := valuesKey(p.Base.Prompt, v, shared, 0)
			if _, taken := byValues[key]; !taken && (!atDefault || othersAtDefault(p.Base.Prompt, v, shared)) {
				byValues[key] = i
			}
		}
	}
	same := len(shared) == len(p.Base.Prompt.Axes) && len(shared) == len(p.Head.Prompt.Axes)
	claimed := map[int]bool{} // by the values of some variant of the head
	if same {
		for _, v := range p.Head.Variants {
			if i, ok := byValues[valuesKey(p.Head.Prompt, v, shared, 1)]; ok {
				claimed[i] = true
			}
		}
	}
	return func(v *prompt.Variant) int {
		values, known := byValues[valuesKey(p.Head.Prompt, v, shared, 1)]
		if same && known {
			return values
		}
		if i, ok := byName[v.Name]; ok && !claimed[i] {
			return i
		}
		if known {
			return values
		}
		return -1
	}
}

// sharedAxes gives the axes that both sides have: for each the index in the
// base and in the head.
func sharedAxes(base, head *prompt.Prompt) [][2]int {
	var out [][2]int
	for i := range base.Axes {
		if j := axisLike(base, i, head); j >= 0 {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// axisLike finds the axis of another side that one is there: the one of its
// name or, where neither side has the other's name, the one at its place with
// its values.
func axisLike(p *prompt.Prompt, i int, other *prompt.Prompt) int {
	axis := p.Axes[i]
	if j := axisNamed(other, axis.Name.Str); j >= 0 {
		return j
	}
	if i >= len(other.Axes) || len(p.Axes) != len(other.Axes) || axisNamed(p, other.Axes[i].Name.Str) >= 0 {
		return -1
	}
	if listed(axis.Values) != listed(other.Axes[i].Values) {
		return -1
	}
	return i
}

func axisNamed(p *prompt.Prompt, name string) int {
	for i, a := range p.Axes {
		if a.Name.Str == name {
			return i
		}
	}
	return -1
}

// valuesKey gives the values of a variant on the shared axes of one side.
func valuesKey(p *prompt.Prompt, v *prompt.Variant, shared [][2]int, side int) string {
	var b strings.Builder
	for _, s := range shared {
		b.WriteString(valueOn(p, v, s[side]))
		b.WriteByte(0)
	}
	return b.String()
}

func valueOn(p *prompt.Prompt, v *prompt.Variant, axis int) string {
	if axis >= len(v.Values) || v.Values[axis] >= len(p.Axes[axis].Values) {
		return ""
	}
	return p.Axes[axis].Values[v.Values[axis]].Str
}

// othersAtDefault reports whether a variant has the default on every axis that
// is not shared and has one.
func othersAtDefault(p *prompt.Prompt, v *prompt.Variant, shared [][2]int) bool {
	own := map[int]bool{}
	for _, s := range shared {
		own[s[0]] = true
	}
	for i, a := range p.Axes {
		if !own[i] && a.Default.Str != "" && valueOn(p, v, i) != a.Default.Str {
			return false
		}
	}
	return true
}

// pairSections gives the sections of both sides in one order: the head's, and
// those that only the base has behind the one that they followed. Where the
// texts are cut otherwise than before, they have nothing in common but the
// tools beside them.
func (p *pair) pairSections() {
	at := map[string]int{}
	recut := p.recut()
	if p.Head != nil {
		for i, s := range p.Head.Prompt.Sections {
			at[s.ID.Str] = len(p.sections)
			p.sections = append(p.sections, &section{pair: p, id: s.ID.Str, base: -1, head: i})
		}
	}
	if p.Base == nil {
		return
	}
	follow := map[int][]*section{} // by the place that they follow, -1 for the start
	last := -1
	for i, s := range p.Base.Prompt.Sections {
		if k, ok := at[s.ID.Str]; ok && (!recut || s.ID.Str == toolsBeside) {
			p.sections[k].base, last = i, k
			continue
		}
		follow[last] = append(follow[last], &section{pair: p, id: s.ID.Str, base: i, head: -1})
	}
	merged := follow[-1]
	for k, s := range p.sections {
		merged = append(append(merged, s), follow[k]...)
	}
	p.sections = merged
}

// toolsBeside is the id of the section that has the tools beside a text that
// another program wrote.
const toolsBeside = "tools.json"

// rendered reports whether another program assembles the prompt: where both
// sides have it, on both.
func (p *pair) rendered() bool {
	return (p.Base == nil || p.Base.Prompt.Rendered != nil) && (p.Head == nil || p.Head.Prompt.Rendered != nil)
}

// recut reports whether the sections of the two sides have nothing to do with
// each other: only one of them is assembled by another program, or its texts
// are split at other marks.
func (p *pair) recut() bool {
	if p.Base == nil || p.Head == nil {
		return false
	}
	was, is := p.Base.Prompt.Rendered, p.Head.Prompt.Rendered
	if was == nil || is == nil {
		return was != is
	}
	return !slices.Equal(was.Split, is.Split)
}

// spec gives the section as it is declared: in the head, else in the base.
func (s *section) spec() *prompt.Section {
	if s.head >= 0 {
		return s.pair.Head.Prompt.Sections[s.head]
	}
	return s.pair.Base.Prompt.Sections[s.base]
}

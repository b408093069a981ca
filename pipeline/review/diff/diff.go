// Package diff compares two states of a project, each compiled by itself, and
// says what changed in meaning: once for each change, however many variants it
// reaches, and with those that it does not reach.
package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// Run compares the base with the head. A side without a result has no
// manifest: then everything is added, or removed. Edits that change no text
// are known already. It is pure.
func Run(base, head review.Side, two *pairing.Two, known []*review.Edit) *review.Difference {
	r := newRun(base, head, two)
	r.prompts()
	r.settings()
	r.take(known)
	r.sections()
	r.tools()
	r.causes()
	r.edits()
	for _, p := range r.pairs {
		r.toolReach(p, r.toolDiffs[p])
	}
	r.joined()
	r.missing()
	r.settle()
	r.addUp()
	r.rest()
	r.alikeTools()
	r.finish()
	return r.d
}

type run struct {
	d     *review.Difference
	two   *pairing.Two
	pairs []*pair
	// pairByBuild finds the prompt of an artifact, on either side.
	pairByBuild map[*assembly.Build]*pair
	frames      map[*assembly.Rendering]*frame
	groups      map[any]*review.Edit

	// What lines are: the texts of artifacts by lines, and where the texts of one
	// side stand near.
	lines         *textdiff.Table
	artifactLines map[*assembly.Artifact]*textdiff.Text
	near          [2]*nearness

	// What lines follow from: an edit of a section of a variant, or of an item of
	// a change.
	owners       map[ownerKey]*review.Edit
	changes      map[renderings]*change
	itemSections map[*review.Edit][]itemIn
	// toolEdits are the edits of tools by variant of the head and name.
	toolEdits map[*assembly.Artifact]map[string]*review.Edit
	toolDiffs map[*pair][]toolDiff
	mentions  mentions
	// toolLines has the tokens of the lines that follow from an edit of a tool in a
	// variant of the head, where there are some.
	toolLines map[toolIn]int
	// toolMoves are the first of the tools that stand elsewhere in a section.
	toolMoves map[ownerKey]*review.Edit

	// What the lines come to: where atoms stand, and the edits that they make, with
	// their sizes and places.
	found   []atoms
	byLines map[string]*review.Edit
	// byPlace are the edits of lines by where they come from.
	byPlace   map[place][]*review.Edit
	lineEdits map[*review.Edit]*lineFacts
	sizes     map[sizeOfKey]int
	// places are those that edits have besides.
	places map[alsoKey]bool

	// silent are the variants that send nothing of an edit that reaches them, and
	// quiet the edits that no variant sends anything of; see settle.
	silent map[*review.Edit]map[twin]bool
	quiet  map[*review.Edit]bool
	// sources are the files of each tree by path.
	sources map[*language.Tree]map[string]*diag.File
}

// pair is a prompt on both sides, with its artifacts.
type pair struct {
	*review.Pair
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
	pair *pair
	pairing.Twin
}

// variant gives the variant that a finding is about: the head's, else the
// base's.
func (t twin) variant() *assembly.Variant {
	if t.Head != nil {
		return t.Head.Variant
	}
	return t.Base.Variant
}

// used gives what a section says on the two sides; nil where it is out.
func (t twin) used(s *section) (base, head *assembly.Rendering) {
	return t.Used([2]int{s.base, s.head})
}

// count gives the counter of texts of a tokenizer. It remembers every text.
func (r *run) count(name string) func(string) int { return r.two.Count(name) }

// group gives the edit of a key, which is made where there is none yet. A key
// is a comparable struct of its own type, so that those of two sources never
// meet.
func (r *run) group(key any, made func() *review.Edit) *review.Edit {
	if e, ok := r.groups[key]; ok {
		return e
	}
	e := made()
	r.groups[key] = e
	r.add(e)
	return e
}

func (r *run) add(e *review.Edit) { r.d.Edits = append(r.d.Edits, e) }

type alsoKey struct {
	edit *review.Edit
	at   place
}

// also notes another place of an edit, once.
func (r *run) also(e *review.Edit, at diag.Span) {
	key := alsoKey{e, placeOf(at)}
	if at.Known() && key.at != placeOf(e.At) && !r.places[key] {
		r.places[key] = true
		e.Also = append(e.Also, at)
	}
}

// reach says that an edit reaches a variant, without a size: the head's, or the
// base's where the head has none.
func reach(e *review.Edit, t twin) *review.Reach {
	out := e.Row(t.pair.Pair, t.Head == nil)
	out.In.Add(t.variant().Index)
	return out
}

// reachBy does the same for an edit with a size; what it adds in tokens is
// added to what the edit has in the variant already.
func reachBy(e *review.Edit, t twin, tokens int) {
	reach(e, t).AddTokens(t.variant(), tokens)
}

// miss says that an edit does not reach a variant of the head, and why.
func miss(e *review.Edit, t twin, cause review.Cause, why string) {
	missBy(e, t, review.Missed{Cause: cause, Why: why})
}

func missBy(e *review.Edit, t twin, m review.Missed) {
	out := e.Row(t.pair.Pair, false)
	i := slices.IndexFunc(out.Missed, m.SameCause)
	if i < 0 {
		i, m.Set = len(out.Missed), ground.NewSet(out.In.Size())
		out.Missed = append(out.Missed, m)
	}
	out.Missed[i].Set.Add(t.Head.Variant.Index)
}

// take takes in edits that are known. The one that shows a weaker tokenizer
// already becomes that, so that it is said once.
func (r *run) take(edits []*review.Edit) {
	for _, e := range edits {
		same := func(o *review.Edit) bool {
			return o.Kind == review.SettingChanged && o.Section == e.Section && o.Name == e.Name && o.From == e.From && o.To == e.To && o.At == e.At
		}
		i := slices.IndexFunc(r.d.Edits, same)
		if i < 0 || e.Kind != review.PolicyWeakened {
			r.add(e)
			continue
		}
		shown := r.d.Edits[i]
		shown.Kind, shown.Was, shown.Is = review.PolicyWeakened, e.Was, e.Is
		for _, at := range e.Reach {
			shown.Row(at.Pair, at.OfBase).In.Union(at.In)
		}
	}
}

// newRun starts from the prompts of the two sides and their variants, paired.
func newRun(base, head review.Side, two *pairing.Two) *run {
	r := &run{
		d:             &review.Difference{Base: base, Head: head, Pairs: two.Pairs},
		two:           two,
		frames:        map[*assembly.Rendering]*frame{},
		groups:        map[any]*review.Edit{},
		pairByBuild:   map[*assembly.Build]*pair{},
		lines:         textdiff.NewTable(),
		artifactLines: map[*assembly.Artifact]*textdiff.Text{},
		owners:        map[ownerKey]*review.Edit{},
		toolMoves:     map[ownerKey]*review.Edit{},
		changes:       map[renderings]*change{},
		itemSections:  map[*review.Edit][]itemIn{},
		byLines:       map[string]*review.Edit{},
		lineEdits:     map[*review.Edit]*lineFacts{},
		sizes:         map[sizeOfKey]int{},
		places:        map[alsoKey]bool{},
		toolEdits:     map[*assembly.Artifact]map[string]*review.Edit{},
		toolDiffs:     map[*pair][]toolDiff{},
		toolLines:     map[toolIn]int{},
		mentions:      mentions{},
		silent:        map[*review.Edit]map[twin]bool{},
		quiet:         map[*review.Edit]bool{},
		sources:       map[*language.Tree]map[string]*diag.File{},
	}
	for _, of := range two.Pairs {
		p := &pair{Pair: of}
		for _, t := range two.Twins(of) {
			p.twins = append(p.twins, twin{p, t})
		}
		for _, b := range []*assembly.Build{of.Base, of.Head} {
			if b != nil {
				r.pairByBuild[b] = p
			}
		}
		p.pairSections()
		r.pairs = append(r.pairs, p)
	}
	return r
}

// pairSections notes the sections of both sides.
func (p *pair) pairSections() {
	for _, at := range pairing.Sections(p.Pair, pairing.Resplit(p.Pair)) {
		s := &section{pair: p, base: at[0], head: at[1]}
		s.id = s.spec().ID.Str
		p.sections = append(p.sections, s)
	}
}

// rendered reports whether another program assembles the prompt: where both
// sides have it, on both.
func (p *pair) rendered() bool {
	return (p.Base == nil || p.Base.Prompt.Rendered != nil) && (p.Head == nil || p.Head.Prompt.Rendered != nil)
}

// spec gives the section as it is declared: in the head, else in the base.
func (s *section) spec() *language.Section {
	if s.head >= 0 {
		return s.pair.Head.Prompt.Sections[s.head]
	}
	return s.pair.Base.Prompt.Sections[s.base]
}

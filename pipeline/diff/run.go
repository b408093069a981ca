package diff

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// run is the state of one Run.
type run struct {
	d        *prompt.Difference
	counters Counters
	pairs    []*pair
	frames   map[*prompt.Rendering]*frame
	groups   map[any]*prompt.Edit
	// changes are the distinct pairs of renderings that were compared, and
	// changed those that differ, in the order in which they were met; atoms and
	// pieces the same for the distinct hunks in them.
	changes map[renderings]*change
	changed []*change
	// lines numbers the distinct lines of hunks.
	atoms  map[atomKey]*atom
	pieces []*atom
	lines  map[string]int
	// shown are the lines of what came or went that edits have already, and
	// whole the texts that these are from.
	shown map[*prompt.Edit]map[string]bool
	whole map[shownText]bool
	// bodies number the distinct texts, and known has those of renderings.
	bodies map[string]int
	known  map[*prompt.Rendering]*body
	// worths has what a slot of a name may grow to.
	worths map[string]int
	// silent are the variants that send nothing of an edit that reaches them,
	// quiet the edits of which none does; see settle.
	silent map[*prompt.Edit]map[twin]bool
	quiet  map[*prompt.Edit]bool
	// about has what is known of edits of texts and of items that came.
	about map[*prompt.Edit]*found
	// sources are the files of each tree by path.
	sources map[*prompt.Tree]map[string]*diag.File
	// toolEdits are the edits of tools by variant of the head and name: see
	// showsEdit.
	toolEdits map[*prompt.Artifact]map[string]*prompt.Edit
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
	// was and title are, of a section that is called otherwise than before, its
	// old id and the line that it began with; else "".
	was, title string
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

// Package lint judges what was written, and what only the assembled variants
// can show.
//
// A check is a row of one of the tables below, which say what it looks at. Its
// code is in the file of its topic. It looks at each text once, whatever the
// number of variants.
package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/par"
)

// readers look at one text that somebody wrote, whoever sends it: source.go
// and source_characters.go.
// They are called at once for several texts.
var readers = []func(*sourceSet, sourceText) diag.List{
	secrets,
	hiddenText,
	garbledText,
	(*sourceSet).specialTokens,
}

// sources look at everything that was read.
var sources = []func(*sourceSet) diag.List{
	(*sourceSet).paths,
	(*sourceSet).names,
	overPresets,
	unreadFiles,
	unreadEntries,
	otherRecords,
	pulledTools,
}

// requests look at the variants of all prompts, as the requests that these are
// sent in: requests.go, request_texts.go, request_limits.go, sent.go and, about
// tools, tools.go.
var requests = []func(*requestSet) diag.List{
	lookalikes,
	(*requestSet).volatileFirst,
	(*requestSet).volatileContent,
	(*requestSet).breakpoints,
	(*requestSet).messages,
	(*requestSet).prefixBreaks,
	(*requestSet).tools,
	idleSources,
	longChains,
}

// families look at a prompt whose variants were all composed: family_*.go.
var families = []func(*promptView) diag.List{
	(*promptView).shrinking,
	(*promptView).deadAxes,
	(*promptView).neverKept,
	(*promptView).expectations,
	longListings,
	lonely,
}

// assembled are families, too. They may find very much in a file, which is
// counted (see capFindings).
var assembled = []func(*promptView) diag.List{
	absentThings,
	unnamedTools,
	emptyHeadings,
	emptied,
	unexpanded,
	axesInTexts,
	sourcesTwice,
	sameParagraphs,
	equalVariants,
}

// Run makes all checks. Artifacts may be some of a prompt's variants, also in
// another dialect than theirs.
func Run(plan *assembly.Plan, artifacts []*assembly.Artifact) diag.List {
	out := inputs(plan)
	s := newRequestSet(plan, artifacts)
	for _, check := range requests {
		out = append(out, check(s)...)
	}
	var unfilled []open
	for _, f := range s.families {
		c := newPromptView(s, f)
		out, unfilled = append(out, c.judge()...), append(unfilled, c.opens()...)
	}
	return append(out, s.openPlaceholders(unfilled)...).Sorted()
}

// inputs judges everything that reaches the model or a reviewer: every file that
// was read, and every value with escapes in it.
func inputs(plan *assembly.Plan) diag.List {
	if plan.Spec.Tree == nil || plan.Spec.Tree.File == nil {
		return nil // a plan that was made from no file
	}
	l := newSourceSet(plan)
	found := par.Map(l.texts(), func(w sourceText) diag.List {
		var out diag.List
		for _, read := range readers {
			out = append(out, read(l, w)...)
		}
		return out
	})
	for _, check := range sources {
		found = append(found, check(l))
	}
	return slices.Concat(found...)
}

// judge makes the checks of one prompt.
func (c *promptView) judge() diag.List {
	var out diag.List
	for _, check := range families {
		out = append(out, check(c)...)
	}
	for _, check := range assembled {
		out = append(out, capFindings(check(c))...)
	}
	for i := range out {
		out[i].Prompts = []string{c.build.Prompt.ID.Str}
	}
	return out
}

// requestSet is what one Run looks at.
type requestSet struct {
	plan      *assembly.Plan
	artifacts []*assembly.Artifact
	// families are the prompts whose variants are all there, in declared order.
	families []family
	// seen are the variants that are there, which are not all of a prompt's
	// where one is looked at alone.
	seen   map[*assembly.Build]ground.Set
	covers map[*assembly.Build]*setcover.Cover
}

// family is one prompt with what its variants emit.
type family struct {
	build *assembly.Build
	// artifacts are by variant.
	artifacts []*assembly.Artifact
}

func newRequestSet(plan *assembly.Plan, artifacts []*assembly.Artifact) *requestSet {
	s := &requestSet{plan: plan, artifacts: artifacts, seen: map[*assembly.Build]ground.Set{}, covers: map[*assembly.Build]*setcover.Cover{}}
	byBuild := plan.ByBuild(artifacts)
	for _, b := range plan.Builds {
		seen := ground.NewSet(len(b.Variants))
		for i, a := range byBuild[b] {
			if a != nil {
				seen.Add(i)
			}
		}
		s.seen[b] = seen
		if n := seen.Len(); n > 0 && n == seen.Size() {
			s.families = append(s.families, family{b, byBuild[b]})
		}
	}
	return s
}

// among adds to a finding its prompt, and the variants that it is about where
// these are not all that were looked at.
func (s *requestSet) among(d diag.Diagnostic, b *assembly.Build, users ground.Set) diag.Diagnostic {
	d.Prompts = append(slices.Clone(d.Prompts), b.Prompt.ID.Str)
	if users.Equal(s.seen[b]) {
		return d
	}
	return d.WithDetail(s.inVariants(b, users))
}

// inVariants says how many variants are in a set, and which.
func (s *requestSet) inVariants(b *assembly.Build, users ground.Set) diag.Words {
	return diag.Say("in-variants", diag.Count(users.Len()), diag.Count(users.Size()), s.describe(b, users))
}

// describe gives a set in the outlines' words.
func (s *requestSet) describe(b *assembly.Build, users ground.Set) diag.Variants {
	if s.covers[b] == nil {
		s.covers[b] = setcover.NewCover(b)
	}
	return s.covers[b].InWords(users)
}

// converted reports whether an artifact has another dialect than the manifest
// gives its variant.
func converted(a *assembly.Artifact) bool {
	declared := a.Build.Variants[a.Variant.Index].Dialect
	return declared != nil && declared.Name != a.Variant.Shape().Name
}

// promptView says which variants of a prompt have which renderings.
type promptView struct {
	family
	requests *requestSet
	texts    []*sectionText
	// of gives the text of a rendering.
	of       map[*assembly.Rendering]*sectionText
	met      map[kind]int // findings
	deadAxis []bool       // see dead
	// sent are the keys of what artifacts send, and words the numbers of texts in
	// these (see sends).
	sent  map[*assembly.Artifact]string
	words map[string]int
	// doubled are the variants that have a file twice, as was said of it.
	doubled sets[*diag.File]
}

// sectionText is one rendering with the variants that have it.
type sectionText struct {
	*assembly.Rendering
	section int // in Prompt.Sections
	users   ground.Set
	lines   []markdown.Line // of the text
	headed  headed
	long    [][2]int // its long paragraphs
}

// newPromptView reads each text of a prompt once. Two sections may have the same.
func newPromptView(s *requestSet, f family) *promptView {
	c := &promptView{family: f, requests: s, of: map[*assembly.Rendering]*sectionText{}, met: map[kind]int{}, sent: map[*assembly.Artifact]string{}, words: map[string]int{}, doubled: sets[*diag.File]{size: len(f.artifacts)}}
	for section, holders := range f.build.Holders(f.artifacts) {
		for _, h := range holders {
			if s := c.of[h.Rendering]; s != nil {
				s.users.Union(h.Users)
				continue
			}
			s := &sectionText{Rendering: h.Rendering, section: section, users: h.Users}
			c.of[h.Rendering] = s
			c.texts = append(c.texts, s)
		}
	}
	par.Map(c.texts, func(s *sectionText) struct{} {
		s.lines = markdown.Lines(s.Text.Str)
		s.headed = headingsOf(s.Text.Str, s.lines)
		s.long = paragraphs(s.Text.Str, s.lines)
		return struct{}{}
	})
	return c
}

// id gives the id of the section of a rendering.
func (c *promptView) id(s *sectionText) string { return c.build.Prompt.Sections[s.section].ID.Str }

// origin gives where bytes of a rendering come from; its section where promptc
// or a template wrote them.
func (c *promptView) origin(s *sectionText, start, end int) diag.Span {
	return at(s.Text.Span(start, end), c.build.Prompt.Sections[s.section].ID.At)
}

// find makes a finding about some variants of the prompt, which it names where
// they are not all. One that would only be counted (see capFindings) has no words.
func (c *promptView) find(code diag.Code, at diag.Span, users ground.Set, key string, args ...any) diag.Diagnostic {
	k := kind{code, at.File}
	if c.met[k]++; c.met[k] > perFile+1 {
		return diag.Diagnostic{Code: code, Span: at}
	}
	return c.requests.among(diag.New(code, at, key, args...), c.build, users)
}

// sets keeps a set of variants for each key, in the order in which the keys came.
type sets[K comparable] struct {
	ordered.Map[K, ground.Set]
	size int // variants that the prompt has
}

// Of gives the set of a key, an empty one where it is new.
func (s *sets[K]) Of(key K) *ground.Set {
	set := s.Map.Of(key)
	if set.Size() == 0 {
		*set = ground.NewSet(s.size)
	}
	return set
}

// has gives the set of a key, which stays out where it is new.
func (s *sets[K]) has(key K) ground.Set {
	if set := s.Get(key); set != nil {
		return *set
	}
	return ground.NewSet(s.size)
}

// union adds variants to a set, which may be new.
func union(set *ground.Set, more ground.Set) {
	if set.Size() == 0 {
		*set = ground.NewSet(more.Size())
	}
	set.Union(more)
}

// both gives the variants that are in two sets.
func both(a, b ground.Set) ground.Set { return a.Minus(a.Minus(b)) }

// tally collects the variants of a prompt that a finding is about, and the
// range of an amount over them.
type tally struct {
	users     ground.Set
	any       bool
	low, high int
}

// add notes a variant with its amount and says whether that is the largest so
// far.
func (t *tally) add(a *assembly.Artifact, amount int) bool {
	if !t.any {
		t.users = ground.NewSet(len(a.Build.Variants))
		t.any, t.low, t.high = true, amount, amount
		t.users.Add(a.Variant.Index)
		return true
	}
	larger := amount > t.high
	t.users.Add(a.Variant.Index)
	t.low, t.high = min(t.low, amount), max(t.high, amount)
	return larger
}

// amount gives the range, as "812 tokens" or "812 to 1,204 tokens".
func (t *tally) amount(noun string) diag.Words {
	if t.low == t.high {
		return amount(t.low, noun)
	}
	return diag.Say("amount-to-amount", diag.Count(t.low), amount(t.high, noun))
}

// amount gives a number of things. The keys are "one-character" and "characters".
func amount(n int, noun string) diag.Words { return diag.Counted(n, "one-"+noun, noun+"s") }

// shown is how many of its things a finding names before it counts the rest.
const shown = 5

// perFile is how many findings of one kind in one file stand each by itself: of
// a megabyte that is wrong throughout nobody reads more.
const perFile = 20

// capPerFile makes findings of things of one kind in a file: one of each of the
// first, and one more for the others, which has their number.
func capPerFile[T any](all []T, find func(T) diag.Diagnostic) diag.List {
	var out diag.List
	for i, x := range all[:min(len(all), perFile+1)] {
		d := find(x)
		if i == perFile {
			d.What, d.Detail = diag.Say("more-like-it", diag.Count(len(all)-perFile)), nil
		}
		out = append(out, d)
	}
	return out
}

// kind is what findings are counted by.
type kind struct {
	code diag.Code
	file *diag.File
}

// capFindings is capPerFile for findings that were made, of each kind.
func capFindings(all diag.List) diag.List {
	var kinds ordered.Map[kind, diag.List]
	for _, d := range all {
		same := kinds.Of(kind{d.Code, d.Span.File})
		*same = append(*same, d)
	}
	var out diag.List
	for _, same := range kinds.All() {
		out = append(out, capPerFile(*same, func(d diag.Diagnostic) diag.Diagnostic { return d })...)
	}
	return out
}

// at gives the first of some places that is known, its first line.
func at(places ...diag.Span) diag.Span {
	for _, p := range places {
		if p.Known() {
			return p.FirstLine()
		}
	}
	return diag.Span{}
}

// morePlaces adds how many further places a finding has.
func morePlaces(d diag.Diagnostic, n int) diag.Diagnostic {
	if n > 0 {
		d = d.WithDetail(amount(n, "more-place"))
	}
	return d
}

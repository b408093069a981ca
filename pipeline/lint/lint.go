// Package lint judges what was written, and what only the assembled variants
// can show.
//
// A check is a row of one of the tables below, which say what it looks at. Its
// code is in the file of its topic. It looks at each text once, whatever the
// number of variants.
package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// readers look at one text that somebody wrote, whoever sends it: source_*.go.
// They are called at once for several texts.
var readers = []func(*sourceSet, sourceText) diag.List{
	secrets,
	hiddenText,
	garbledText,
	(*sourceSet).specialTokens,
}

// sources look at everything that was read: source_*.go.
var sources = []func(*sourceSet) diag.List{
	(*sourceSet).paths,
	(*sourceSet).names,
	overPresets,
}

// requests look at the variants of all prompts, as the requests that these are
// sent in: request_*.go, and what is about tools tools.go.
var requests = []func(*requestSet) diag.List{
	lookalikes,
	(*requestSet).volatileFirst,
	(*requestSet).volatileContent,
	(*requestSet).breakpoints,
	(*requestSet).messages,
	(*requestSet).tools,
	idleSources,
}

// families look at a prompt of which every variant was composed: family_*.go.
var families = []func(*promptView) diag.List{
	(*promptView).shrinking,
	(*promptView).deadAxes,
	(*promptView).neverKept,
	(*promptView).expectations,
	longListings,
}

// assembled are families, too. They may find very much in a file, which is
// counted (see capFindings).
var assembled = []func(*promptView) diag.List{
	absentThings,
	unnamedTools,
	emptyHeadings,
	emptied,
	openPlaceholders,
	sourcesTwice,
	sameParagraphs,
	equalVariants,
}

// Run makes all checks. Artifacts may be some of a prompt's variants, also in
// another dialect than theirs.
func Run(plan *prompt.Plan, artifacts []*prompt.Artifact) diag.List {
	out := inputs(plan)
	s := newRequestSet(plan, artifacts)
	for _, check := range requests {
		out = append(out, check(s)...)
	}
	for _, f := range s.families {
		out = append(out, newPromptView(s, f).judge()...)
	}
	return out.Sorted()
}

// inputs judges everything that reaches the model or a reviewer: every file that
// was read, and every value with escapes in it.
func inputs(plan *prompt.Plan) diag.List {
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
	plan      *prompt.Plan
	artifacts []*prompt.Artifact
	// families are the prompts of which every variant is there, in declared
	// order.
	families []family
	// seen are the variants that are there, which are not all of a prompt's
	// where one is looked at alone.
	seen   map[*prompt.Build]prompt.Set
	covers map[*prompt.Build]*prompt.Cover
}

// family is one prompt with what its variants emit.
type family struct {
	build *prompt.Build
	// artifacts are by variant.
	artifacts []*prompt.Artifact
}

func newRequestSet(plan *prompt.Plan, artifacts []*prompt.Artifact) *requestSet {
	s := &requestSet{plan: plan, artifacts: artifacts, seen: map[*prompt.Build]prompt.Set{}, covers: map[*prompt.Build]*prompt.Cover{}}
	byBuild := map[*prompt.Build][]*prompt.Artifact{}
	for _, a := range artifacts {
		if byBuild[a.Build] == nil {
			byBuild[a.Build], s.seen[a.Build] = make([]*prompt.Artifact, len(a.Build.Variants)), prompt.NewSet(len(a.Build.Variants))
		}
		byBuild[a.Build][a.Variant.Index] = a
		s.seen[a.Build].Add(a.Variant.Index)
	}
	for _, b := range plan.Builds {
		if all := byBuild[b]; len(all) > 0 && !slices.Contains(all, nil) {
			s.families = append(s.families, family{b, all})
		}
	}
	return s
}

// among adds to a finding its prompt, and the variants that it is about where
// these are not all that were looked at.
func (s *requestSet) among(d diag.Diagnostic, b *prompt.Build, users prompt.Set) diag.Diagnostic {
	d.Prompts = append(slices.Clone(d.Prompts), b.Prompt.ID.Str)
	if users.Equal(s.seen[b]) {
		return d
	}
	return d.WithDetail(s.inVariants(b, users))
}

// inVariants says how many variants are in a set, and which.
func (s *requestSet) inVariants(b *prompt.Build, users prompt.Set) diag.Words {
	return diag.Say("in-variants", diag.Count(users.Len()), diag.Count(users.Size()), s.describe(b, users))
}

// describe gives a set in the outlines' words.
func (s *requestSet) describe(b *prompt.Build, users prompt.Set) string {
	if s.covers[b] == nil {
		s.covers[b] = prompt.NewCover(b)
	}
	return s.covers[b].Describe(users)
}

// dialectOf gives the shape of an artifact.
func dialectOf(a *prompt.Artifact) *prompt.Dialect {
	if a.Variant.Dialect == nil {
		return &prompt.Dialects[0]
	}
	return a.Variant.Dialect
}

// converted reports whether an artifact has another dialect than the manifest
// gives its variant.
func converted(a *prompt.Artifact) bool {
	declared := a.Build.Variants[a.Variant.Index].Dialect
	return declared != nil && declared.Name != dialectOf(a).Name
}

// promptView says which variants of a prompt have which renderings.
type promptView struct {
	family
	scope *requestSet
	texts []*sectionText
	// of gives the text of a rendering.
	of       map[*prompt.Rendering]*sectionText
	met      map[kind]int // findings
	deadAxis []bool       // see dead
	// sent are the keys of what artifacts send, and words the numbers of texts in
	// these (see sends).
	sent  map[*prompt.Artifact]string
	words map[string]int
	// doubled are the variants that have a file twice, as was said of it.
	doubled sets[*diag.File]
}

// sectionText is one rendering with the variants that have it.
type sectionText struct {
	*prompt.Rendering
	section int // in Prompt.Sections
	users   prompt.Set
	lines   []markdown.Line // of the text
	headed  headed
	long    [][2]int // its long paragraphs
}

// newPromptView goes through the variants once, section by section: neighbours most
// often have the same.
func newPromptView(s *requestSet, f family) *promptView {
	c := &promptView{family: f, scope: s, of: map[*prompt.Rendering]*sectionText{}, met: map[kind]int{}, sent: map[*prompt.Artifact]string{}, words: map[string]int{}, doubled: sets[*diag.File]{size: len(f.artifacts)}}
	for section := range f.build.Prompt.Sections {
		var last *sectionText
		for v, a := range f.artifacts {
			if section >= len(a.Used) || a.Used[section] == nil {
				continue
			}
			if r := a.Used[section]; last == nil || last.Rendering != r {
				if last = c.of[r]; last == nil {
					last = &sectionText{Rendering: r, section: section, users: prompt.NewSet(len(f.artifacts))}
					c.of[r] = last
					c.texts = append(c.texts, last)
				}
			}
			last.users.Add(v)
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
func (c *promptView) find(code diag.Code, at diag.Span, users prompt.Set, key string, args ...any) diag.Diagnostic {
	k := kind{code, at.File}
	if c.met[k]++; c.met[k] > perFile+1 {
		return diag.Diagnostic{Code: code, Span: at}
	}
	return c.scope.among(diag.New(code, at, key, args...), c.build, users)
}

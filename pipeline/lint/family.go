package lint

import (
	"fmt"
	"sort"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// assembled holds the checks that need to know which variants say what. Each
// looks once at a rendering, and combines what it found by the variants that
// have it.
var assembled = []func(*census) diag.List{
	missing, unnamed, emptyHeadings, emptied, openPlaceholders, sourcesTwice, sameParagraphs, equalVariants,
}

// judgeAssembled runs the checks of the whole of a prompt's variants.
func judgeAssembled(plan *prompt.Plan, f family) diag.List {
	c := newCensus(plan, f)
	var out diag.List
	for _, check := range assembled {
		out = append(out, fewest(check(c))...)
	}
	return out
}

// census says which variants of a prompt have which renderings.
type census struct {
	family
	plan *prompt.Plan
	said []*entry
	// of gives the entry of a rendering.
	of    map[*prompt.Rendering]*entry
	cover *prompt.Cover
	met   map[kind]int // findings
}

// entry is one rendering with the variants that have it.
type entry struct {
	*prompt.Rendering
	section int // in Prompt.Sections
	users   prompt.Set
	lines   []mdLine // of the text
	headed  headed
	long    [][2]int // its long paragraphs
}

// newCensus goes through the variants once, section by section: neighbours most
// often have the same.
func newCensus(plan *prompt.Plan, f family) *census {
	c := &census{family: f, plan: plan, of: map[*prompt.Rendering]*entry{}, met: map[kind]int{}}
	for section := range f.build.Prompt.Sections {
		var last *entry
		for v, a := range f.artifacts {
			if section >= len(a.Used) || a.Used[section] == nil {
				continue
			}
			if r := a.Used[section]; last == nil || last.Rendering != r {
				if last = c.of[r]; last == nil {
					last = &entry{Rendering: r, section: section, users: prompt.NewSet(len(f.artifacts))}
					c.of[r] = last
					c.said = append(c.said, last)
				}
			}
			last.users.Add(v)
		}
	}
	par.Map(c.said, func(s *entry) struct{} {
		s.lines = mdLines(s.Text.Str)
		s.headed = headingsOf(s.Text.Str, s.lines)
		s.long = paragraphs(s.Text.Str, s.lines)
		return struct{}{}
	})
	return c
}

// id gives the quoted id of the section of a rendering.
func (c *census) id(s *entry) string {
	return fmt.Sprintf("%q", c.build.Prompt.Sections[s.section].ID.Str)
}

// place gives where bytes of a rendering come from; its section where promptc
// or a template wrote them.
func (c *census) place(s *entry, start, end int) diag.Span {
	return at(s.span(start, end), c.build.Prompt.Sections[s.section].ID.At)
}

// span is Text.Span for texts that may have very many segments.
func (s *entry) span(start, end int) diag.Span {
	segs := s.Text.Segs
	if len(segs) < 8 {
		return s.Text.Span(start, end)
	}
	low := sort.Search(len(segs), func(i int) bool { return segs[i].End > start })
	high := low + sort.Search(len(segs)-low, func(i int) bool { return segs[low+i].Start >= end })
	return prompt.Text{Str: s.Text.Str, Segs: segs[low:high]}.Span(start, end)
}

// kind is what findings are counted by.
type kind struct {
	code diag.Code
	file *diag.File
}

// find makes a finding about some variants of the prompt, which it names where
// they are not all. One that would only be counted (see fewest) has no words.
func (c *census) find(code diag.Code, at diag.Span, users prompt.Set, format string, args ...any) diag.Diagnostic {
	k := kind{code, at.File}
	if c.met[k]++; c.met[k] > single+1 {
		return diag.Diagnostic{Code: code, Span: at}
	}
	d := diag.New(code, at, format, args...)
	d.Prompts = []string{c.build.Prompt.ID.Str}
	if n := users.Len(); n < users.Size() {
		d = d.WithDetail(fmt.Sprintf("in %d of %d variants: %s", n, users.Size(), c.describe(users)))
	}
	return d
}

// describe gives a set in the outlines' words.
func (c *census) describe(users prompt.Set) string {
	if c.cover == nil {
		c.cover = prompt.NewCover(c.build)
	}
	return c.cover.Describe(users)
}

// both gives the variants that are in two sets.
func both(a, b prompt.Set) prompt.Set { return a.Minus(a.Minus(b)) }

// single is the number of findings of one code that are given one by one in a
// file.
const single = 20

// fewest keeps the first findings of a code in each file, and counts the others
// in one more.
func fewest(all diag.List) diag.List {
	total, met := map[kind]int{}, map[kind]int{}
	for _, d := range all {
		total[kind{d.Code, d.Span.File}]++
	}
	var out diag.List
	for _, d := range all {
		k := kind{d.Code, d.Span.File}
		if met[k]++; met[k] > single+1 {
			continue
		}
		if met[k] > single {
			d.Message, d.Detail = fmt.Sprintf("and %s more like it in this file", diag.Number(total[k]-single)), nil
		}
		out = append(out, d)
	}
	return out
}

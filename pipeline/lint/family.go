package lint

import (
	"fmt"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// census says which variants of a prompt have which renderings.
type census struct {
	family
	scope *scope
	said  []*entry
	// of gives the entry of a rendering.
	of       map[*prompt.Rendering]*entry
	met      map[kind]int // findings
	deadAxis []bool       // see dead
	// sent are the keys of what artifacts send, and words the numbers of texts in
	// these (see sends).
	sent  map[*prompt.Artifact]string
	words map[string]uint64
	// doubled are the variants that have a file twice, as was said of it.
	doubled sets[*diag.File]
}

// entry is one rendering with the variants that have it.
type entry struct {
	*prompt.Rendering
	section int // in Prompt.Sections
	users   prompt.Set
	lines   []markdown.Line // of the text
	headed  headed
	long    [][2]int // its long paragraphs
}

// newCensus goes through the variants once, section by section: neighbours most
// often have the same.
func newCensus(s *scope, f family) *census {
	c := &census{family: f, scope: s, of: map[*prompt.Rendering]*entry{}, met: map[kind]int{}, sent: map[*prompt.Artifact]string{}, words: map[string]uint64{}, doubled: sets[*diag.File]{size: len(f.artifacts)}}
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
		s.lines = markdown.Lines(s.Text.Str)
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
	return at(s.Text.Span(start, end), c.build.Prompt.Sections[s.section].ID.At)
}

// find makes a finding about some variants of the prompt, which it names where
// they are not all. One that would only be counted (see fewest) has no words.
func (c *census) find(code diag.Code, at diag.Span, users prompt.Set, format string, args ...any) diag.Diagnostic {
	k := kind{code, at.File}
	if c.met[k]++; c.met[k] > single+1 {
		return diag.Diagnostic{Code: code, Span: at}
	}
	return c.scope.among(diag.New(code, at, format, args...), c.build, users)
}

// both gives the variants that are in two sets.
func both(a, b prompt.Set) prompt.Set { return a.Minus(a.Minus(b)) }

package compose

import (
	"cmp"
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxFindings is how many findings of all variants are kept. Each section of
// each variant may have some of its own, and nobody reads so many.
const maxFindings = 20_000

// findings are the first that were found, and the number of the others.
type findings struct {
	kept diag.List
	more map[sort]int
}

// sort is what the findings that are only counted are told apart by.
type sort struct {
	code   diag.Code
	level  diag.Level
	prompt string
}

func (f *findings) add(list diag.List) {
	n := min(len(list), maxFindings-len(f.kept))
	f.kept = append(f.kept, list[:n]...)
	for _, d := range list[n:] {
		f.count(sort{d.Code, d.Level, d.Prompts[0]}, 1)
	}
}

// full says that what is found from now on is only counted.
func (f *findings) full() bool { return len(f.kept) == maxFindings }

func (f *findings) count(s sort, n int) {
	if f.more == nil {
		f.more = map[sort]int{}
	}
	f.more[s] += n
}

func (f *findings) join(other findings) {
	f.add(other.kept)
	for s, n := range other.more {
		f.count(s, n)
	}
}

// all gives the findings, with one for each sort of those that are not kept.
func (f *findings) all(builds []*prompt.Build) diag.List {
	byNumber := func(a, b sort) int {
		return cmp.Or(cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.code, b.code), cmp.Compare(a.level, b.level))
	}
	for _, s := range slices.SortedFunc(maps.Keys(f.more), byNumber) {
		i := slices.IndexFunc(builds, func(b *prompt.Build) bool { return b.Prompt.ID.Str == s.prompt })
		d := diag.New(s.code, builds[i].Prompt.ID.At, "prompt %q has %s more findings of this kind in other variants", s.prompt, diag.Number(f.more[s])).
			WithHint("mend those that are named first; only the first %s of all findings about budgets are named", diag.Number(maxFindings))
		d.Level, d.Prompts = s.level, []string{s.prompt}
		f.kept = append(f.kept, d)
	}
	return f.kept
}

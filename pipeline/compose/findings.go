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
func (f *findings) all(builds []*prompt.Build) diag.List {
	compare := func(a, b findingKind) int {
		return cmp.Or(cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.code, b.code), cmp.Compare(a.level, b.level))
	}
	for _, k := range slices.SortedFunc(maps.Keys(f.more), compare) {
		i := slices.IndexFunc(builds, func(b *prompt.Build) bool { return b.Prompt.ID.Str == k.prompt })
		d := diag.New(k.code, builds[i].Prompt.ID.At, "more-findings-of-this-kind", k.prompt, diag.Count(f.more[k])).
			WithHint("mend-those-named-first", diag.Count(maxFindings))
		d.Level, d.Prompts = k.level, []string{k.prompt}
		f.kept = append(f.kept, d)
	}
	return f.kept
}

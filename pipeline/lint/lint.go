// Package lint judges what only the assembled variants can show.
package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Run looks at every text that some variant emits, each once, at every variant
// as the request that it is sent in, and then at what the variants of each
// prompt have in common. Artifacts may be some of a prompt's variants, also in
// another dialect than theirs.
func Run(plan *prompt.Plan, artifacts []*prompt.Artifact) diag.List {
	out := inputs(plan)
	out = append(out, overPresets(plan)...)
	out = append(out, lookalikes(plan, artifacts)...)
	s := newScope(plan, artifacts)
	out = append(out, s.volatileFirst(artifacts)...)
	out = append(out, s.volatileContent(artifacts)...)
	out = append(out, s.breakpoints(artifacts)...)
	out = append(out, s.messages(artifacts)...)
	tools := s.tools(artifacts)
	out = append(out, tools...)
	out = append(out, definitions(artifacts, tools)...)
	out = append(out, s.alike(artifacts)...)
	all := families(plan, artifacts)
	out = append(out, idleSources(plan, all)...)
	for _, f := range all {
		found := slices.Concat(f.shrinking(), f.deadAxes(), f.neverKept(plan))
		for _, judge := range judges {
			found = append(found, judge(plan, f)...)
		}
		for i := range found {
			found[i].Prompts = []string{f.build.Prompt.ID.Str}
		}
		out = append(out, found...)
	}
	return out.Sorted()
}

// judges look at a prompt of which every variant was composed.
var judges = []func(*prompt.Plan, family) diag.List{expectations, judgeAssembled, longListings}

// family is one prompt with what its variants emit.
type family struct {
	build *prompt.Build
	// artifacts are by variant.
	artifacts []*prompt.Artifact
}

// families gives the prompts of which every variant was composed, in declared
// order.
func families(plan *prompt.Plan, artifacts []*prompt.Artifact) []family {
	byBuild := map[*prompt.Build][]*prompt.Artifact{}
	for _, a := range artifacts {
		byBuild[a.Build] = append(byBuild[a.Build], a)
	}
	var out []family
	for _, b := range plan.Builds {
		f := family{build: b, artifacts: make([]*prompt.Artifact, len(b.Variants))}
		for _, a := range byBuild[b] {
			f.artifacts[a.Variant.Index] = a
		}
		if len(f.artifacts) > 0 && !slices.Contains(f.artifacts, nil) {
			out = append(out, f)
		}
	}
	return out
}

// rows gives the artifacts that differ on one axis only, put together: each
// row in the order of the axis's values, the rows in that of their first
// variants. An artifact without a neighbour is in none.
func (f family) rows(axis int) [][]*prompt.Artifact {
	at := map[string]int{}
	var rows [][]*prompt.Artifact
	for _, a := range f.artifacts {
		key := make([]byte, 0, 2*len(a.Variant.Values))
		for i, value := range a.Variant.Values {
			if i != axis {
				key = append(key, byte(value), byte(value>>8))
			}
		}
		i, ok := at[string(key)]
		if !ok {
			i = len(rows)
			at[string(key)] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], a)
	}
	return slices.DeleteFunc(rows, func(row []*prompt.Artifact) bool { return len(row) < 2 })
}

package lint

import (
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// scope is what one Run looks at.
type scope struct {
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

func newScope(plan *prompt.Plan, artifacts []*prompt.Artifact) *scope {
	s := &scope{plan: plan, artifacts: artifacts, seen: map[*prompt.Build]prompt.Set{}, covers: map[*prompt.Build]*prompt.Cover{}}
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
func (s *scope) among(d diag.Diagnostic, b *prompt.Build, users prompt.Set) diag.Diagnostic {
	d.Prompts = append(slices.Clone(d.Prompts), b.Prompt.ID.Str)
	if users.Equal(s.seen[b]) {
		return d
	}
	return d.WithDetail(fmt.Sprintf("in %d of %d variants: %s", users.Len(), users.Size(), s.describe(b, users)))
}

// describe gives a set in the outlines' words.
func (s *scope) describe(b *prompt.Build, users prompt.Set) string {
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

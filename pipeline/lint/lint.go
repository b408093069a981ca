// Package lint judges what was written, and what only the assembled variants
// can show.
//
// A check is a row of one of the tables below, which say what it looks at. All
// its code is in a file of its own, which is named after its table. It looks at
// each text once, whatever the number of variants.
package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// readers look at one text that somebody wrote, whoever sends it: source_*.go.
// They are called at once for several texts.
var readers = []func(*library, written) diag.List{
	secrets,
	hiddenText,
	garbledText,
	(*library).specialTokens,
}

// sources look at everything that was read: source_*.go.
var sources = []func(*library) diag.List{
	(*library).paths,
	(*library).names,
	overPresets,
}

// requests look at the variants of all prompts, as the requests that these are
// sent in: request_*.go, and what is about tools tool_*.go.
var requests = []func(*scope) diag.List{
	lookalikes,
	(*scope).volatileFirst,
	(*scope).volatileContent,
	(*scope).breakpoints,
	(*scope).messages,
	(*scope).tools,
	idleSources,
}

// families look at a prompt of which every variant was composed: family_*.go.
var families = []func(*census) diag.List{
	(*census).shrinking,
	(*census).deadAxes,
	(*census).neverKept,
	(*census).expectations,
	longListings,
}

// assembled are families, too. They may find very much in a file, which is
// counted (see fewest).
var assembled = []func(*census) diag.List{
	missing,
	unnamed,
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
	s := newScope(plan, artifacts)
	for _, check := range requests {
		out = append(out, check(s)...)
	}
	for _, f := range s.families {
		out = append(out, newCensus(s, f).judge()...)
	}
	return out.Sorted()
}

// inputs judges everything that reaches the model or a reviewer: every file that
// was read, and every value with escapes in it.
func inputs(plan *prompt.Plan) diag.List {
	if plan.Spec.Tree == nil || plan.Spec.Tree.File == nil {
		return nil // a plan that was made from no file
	}
	l := newLibrary(plan)
	found := par.Map(l.texts(), func(w written) diag.List {
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
func (c *census) judge() diag.List {
	var out diag.List
	for _, check := range families {
		out = append(out, check(c)...)
	}
	for _, check := range assembled {
		out = append(out, fewest(check(c))...)
	}
	for i := range out {
		out[i].Prompts = []string{c.build.Prompt.ID.Str}
	}
	return out
}

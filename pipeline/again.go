package pipeline

import (
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Counters makes the counters of a manifest: the built-in ones and its
// declared estimators. A name that neither knows is a mistake of the caller
// and gets the default.
func Counters(spec *language.Spec) compose.Counters { return withEstimators(plainCounters(), spec) }

func plainCounters() map[string]*token.Counter {
	made := map[string]*token.Counter{}
	for _, name := range token.Names() {
		if c, err := token.New(name); err == nil {
			made[name] = c
		}
	}
	return made
}

// withEstimators adds a manifest's estimators. No estimator has the name of a
// built-in counter, so that none replaces one.
func withEstimators(plain map[string]*token.Counter, spec *language.Spec) compose.Counters {
	made := maps.Clone(plain)
	for _, e := range spec.Tokenizers {
		if c, err := token.Estimate(e.Name.Str, e.Base.Str, e.Factor, e.Error); err == nil {
			made[e.Name.Str] = c
		}
	}
	return func(name string) *token.Counter {
		if c, ok := made[name]; ok {
			return c
		}
		return made[language.DefaultTokenizer]
	}
}

// WithBudget composes the variant of an artifact again with another limit in
// tokens.
func WithBudget(r *prompt.Result, a *assembly.Artifact, tokens int) *assembly.Artifact {
	return compose.WithBudget(r.Renderings, Counters(r.Spec), a, tokens)
}

// WithDialect composes the variant of an artifact again in the dialect of a
// name, and says what that brings up beyond what there is to say about the
// artifact already; for the dialect that it has, what lint says of it. There is
// no artifact where the dialect has no way to say it, or its provider would
// refuse the request: then one of the findings is an error.
func WithDialect(r *prompt.Result, a *assembly.Artifact, name string) (*assembly.Artifact, diag.List) {
	d, ok := ground.LookupDialect(name)
	if !ok {
		return a, nil
	}
	out, found := compose.WithDialect(r.Renderings, Counters(r.Spec), a, d)
	if out == nil {
		return nil, found
	}
	same, known := a.Variant.Dialect == d, slices.Clone(found)
	if same {
		out = a
	} else {
		known = append(lint.Run(r.Plan, []*assembly.Artifact{a}), r.Findings...)
	}
	found = append(found, lint.Run(r.Plan, []*assembly.Artifact{out})...)
	found = slices.DeleteFunc(found.Sorted(), func(f diag.Diagnostic) bool {
		return !refuses(d, f) && slices.ContainsFunc(known, func(k diag.Diagnostic) bool {
			return k.Same(f)
		})
	})
	var against diag.List
	for _, f := range found {
		if refuses(d, f) || !same && isError(f) {
			against = append(against, f)
		}
	}
	// A setting may take an error back here, but makes no other out of what the
	// provider takes.
	against, _ = lint.Settle(r.Spec, against, lint.SeenSome)
	found, _ = lint.Settle(r.Spec, found, lint.SeenSome)
	if against.HasErrors() {
		return nil, found
	}
	return out, found
}

// refuses reports whether a finding says that the provider answers a request in
// a dialect with an error, whether or not it was said before.
func refuses(d *ground.Dialect, f diag.Diagnostic) bool {
	if !d.JSON || f.Level != diag.Error {
		return false
	}
	switch f.Code {
	case diag.BlankMarker:
		return d.Markers
	case diag.TooManyBreakpoints, diag.TurnOrder, diag.BlankText, diag.ImageRefused,
		diag.ToolNameRefused, diag.TooManyTools, diag.SchemaRefused, diag.StrictRefused:
		return true
	default:
		return false
	}
}

// isError tells an error about what is said from one about how much: what is
// over its budget is there to be looked at.
func isError(f diag.Diagnostic) bool {
	switch f.Code {
	case diag.OverTokens, diag.OverChars, diag.OverToolTokens, diag.OverSection, diag.OverSticky, diag.ToolDropped:
		return false
	default:
		return f.Level == diag.Error
	}
}

// Windows names, for every section that an artifact's layout dropped, a budget
// in tokens with which it is in; by index in Prompt.Sections.
func Windows(r *prompt.Result, a *assembly.Artifact) map[int]int {
	return compose.Windows(r.Renderings, Counters(r.Spec), a)
}

package resolve

import (
	"regexp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// axisPlace matches what stands for an axis in an argument. What else stands in braces, as
// in JSON, is text; ${NAME} is a variable.
var axisPlace = regexp.MustCompile(`\$?\{[A-Za-z][A-Za-z0-9_.-]*\}`)

// programKnown checks that what runs a program names axes of the prompt.
func (g *gathering) programKnown() {
	if g.prompt.Record == nil {
		return
	}
	words := slices.Clone(g.prompt.Record.Run)
	for _, v := range g.prompt.Record.Env {
		words = append(words, v.Value)
	}
	for _, w := range words {
		for _, m := range axisPlace.FindAllString(w.Str, -1) {
			if m[0] == '$' {
				continue
			}
			name := m[1 : len(m)-1]
			if !g.known(diag.UnknownAxis, ground.Word{Str: name, At: w.At}, g.axes, "prompt-no-axis", g.prompt.ID.Str, name) {
				g.bad = true
			}
		}
	}
}

// Program is a variant that is recorded, and how.
type Program struct {
	Prompt  *language.Prompt
	Variant *assembly.Variant
	// Values are by the names of the axes.
	Values map[string]string
	// Args run the program, and Env are variables for it: "NAME=value".
	Args, Env []string
	// File is where the recording goes, from the manifest's folder on.
	File string
}

// Programs gives the variants of the prompts that say how they are recorded, in order,
// whether they were recorded yet or not, and a plan with these variants.
func Programs(spec *language.Spec) ([]*Program, *assembly.Plan, diag.List) {
	b := &binder{spec: spec, plan: &assembly.Plan{Spec: spec}}
	b.declare()
	var out []*Program
	for _, p := range spec.Prompts {
		if p.Record == nil || p.Rendered == nil {
			continue
		}
		g := newGathering(b, p)
		if !g.axesKnown() {
			continue
		}
		s, ok := b.scopeOf(p)
		if !ok || !s.expand(nil) {
			continue
		}
		b.plan.Builds = append(b.plan.Builds, s.build)
		for _, v := range s.build.Variants {
			out = append(out, s.program(v))
		}
	}
	return out, b.plan, b.diags.Sorted()
}

func (s *scope) program(v *assembly.Variant) *Program {
	out := &Program{Prompt: s.prompt, Variant: v, Values: map[string]string{}}
	for i, a := range s.axes {
		out.Values[a] = s.values[i][v.Values[i]]
	}
	value := func(axis string) string { return out.Values[axis] }
	filled := func(text string) string {
		return axisPlace.ReplaceAllStringFunc(text, func(m string) string {
			if m[0] == '$' {
				return m
			}
			return value(m[1 : len(m)-1])
		})
	}
	for _, w := range s.prompt.Record.Run {
		out.Args = append(out.Args, filled(w.Str))
	}
	for _, e := range s.prompt.Record.Env {
		out.Env = append(out.Env, e.Name.Str+"="+filled(e.Value.Str))
	}
	out.File, _ = axispattern.PathPattern(s.prompt.Rendered.Path.Str).Fill(value) // validate refuses wildcards
	return out
}

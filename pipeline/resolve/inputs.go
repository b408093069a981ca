package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// inputs decides what a section is made of in one variant. Reason is In
// unless nothing is left, and then why names what is missing.
func (sec *section) inputs(v *prompt.Variant, form prompt.Word) ([]*prompt.Input, string, prompt.Reason) {
	if !sec.decl.Source.Set() {
		in, why, reason := sec.own(v)
		if in == nil {
			return nil, why, reason
		}
		return sec.finish(v, []*prompt.Input{in}, form)
	}
	var out []*prompt.Input
	var silent diag.List
	why, reason := "", prompt.OutEmpty
	names, _ := pick(sec.decl.Source, sec.source, v.Index)
	for _, w := range names {
		source := sec.textSource(w)
		if source == nil {
			return nil, "", prompt.OutAbsent // reported where it is named
		}
		in, lack, r := sec.fromSource(v, source, w, true)
		if in == nil {
			why, reason = lack, r
			silent.Add(diag.PartAbsent, w.At, "section-without-source", sec.decl.ID.Str, w.Str, r, lack)
			continue
		}
		sec.ownOptions(v, in)
		out = append(out, in)
	}
	if len(out) == 0 {
		return nil, why, reason // the outline says so
	}
	sec.diags = append(sec.diags, silent...)
	return sec.finish(v, merge(out), form)
}

// finish applies what the section says of its inputs as a whole.
func (sec *section) finish(v *prompt.Variant, inputs []*prompt.Input, form prompt.Word) ([]*prompt.Input, string, prompt.Reason) {
	sec.checkOptions(v, inputs)
	sec.applyForm(inputs, form)
	sec.applyOnly(v, inputs)
	if inputs = sec.applySelect(v, inputs); len(inputs) == 0 {
		return nil, "select", prompt.OutEmpty
	}
	return inputs, "", prompt.In
}

// stepInputs decides what a section is made of on a rung that names another
// source. The section's settings count where that source is of the same kind;
// `only` and `select` name things of the section's own sources and do not.
func (sec *section) stepInputs(v *prompt.Variant, step, form prompt.Word) []*prompt.Input {
	source := sec.textSource(step)
	if source == nil {
		return nil // reported where it is named
	}
	in, lack, reason := sec.fromSource(v, source, step, false)
	if in == nil {
		sec.diags.Add(diag.PartAbsent, step.At, "section-cannot-step-down", sec.decl.ID.Str, step.Str, reason, lack)
		return nil
	}
	if sec.usesKind(v, in.Kind) {
		sec.ownOptions(v, in)
	} else {
		form = prompt.Word{}
	}
	defaultStyle(in)
	if slices.Contains(in.Kind.Forms, form.Str) {
		in.Form = form.Str
	} else if len(in.Kind.Forms) > 0 {
		in.Form = in.Kind.Forms[0]
	}
	switch {
	case in.Kind.Tools:
		in.Tools = sec.toolsOf(in)
	case in.Kind.Name == prompt.RegistryKind:
		in.Entries = sec.entries(in)
	}
	return []*prompt.Input{in}
}

// usesKind reports whether one of the section's own sources is of a kind.
func (sec *section) usesKind(v *prompt.Variant, kind *prompt.Kind) bool {
	names, _ := pick(sec.decl.Source, sec.source, v.Index)
	return slices.ContainsFunc(names, func(w prompt.Word) bool {
		s := sec.binder.sources[w.Str]
		return s != nil && s.Kind == kind
	})
}

// own is the input of a section that has its text or path itself.
func (sec *section) own(v *prompt.Variant) (*prompt.Input, string, prompt.Reason) {
	kind, _ := prompt.LookupKind(prompt.TextKind)
	in := &prompt.Input{Kind: kind, At: sec.decl.ID.At}
	sec.ownOptions(v, in)
	if t, ok := pick(sec.decl.Text, sec.text, v.Index); ok {
		in.Origin, in.Text = prompt.FromInline, t.Trim("\n")
		if in.Text.Str == "" {
			return nil, "", prompt.OutEmpty
		}
		return in, "", prompt.In
	}
	paths, ok := pick(sec.decl.Path, sec.path, v.Index)
	if !ok {
		return nil, "", prompt.OutAbsent // no case holds: reported
	}
	return sec.fill(v, in, request{kind: kind, paths: paths, surely: true})
}

// fromSource is the input that a declared source gives in one variant, with
// the source's own settings. A fallback is noted where the input is surely
// used.
func (sec *section) fromSource(v *prompt.Variant, src *prompt.Source, at prompt.Word, surely bool) (*prompt.Input, string, prompt.Reason) {
	c := sec.choicesOf(src)
	in := &prompt.Input{Source: src, Kind: src.Kind, At: at.At, Lenient: src.Absent != prompt.AbsentError}
	sec.sourceOptions(in)
	if t, ok := pick(src.Text, c.text, v.Index); ok {
		in.Origin, in.Text = prompt.FromInline, t.Trim("\n")
		if in.Text.Str == "" {
			return nil, "", prompt.OutEmpty
		}
		return in, "", prompt.In
	}
	paths, ok := pick(src.Path, c.path, v.Index)
	if !ok {
		return nil, "", prompt.OutAbsent
	}
	fallback, _ := pick(src.Fallback, c.fallback, v.Index)
	in, why, reason := sec.fill(v, in, request{kind: src.Kind, source: src, paths: paths, fallback: fallback, surely: surely})
	if in != nil && src.Kind.Name == prompt.GoalKind {
		sec.applyTranscript(in)
	}
	return in, why, reason
}

// choicesOf decides the cases of a source once for each section.
func (sec *section) choicesOf(src *prompt.Source) sourceChoice {
	if c, ok := sec.options[src]; ok {
		return c
	}
	s, dom := sec.scope, sec.domain
	c := sourceChoice{
		text: choose(s, src.Text, dom, "text"), path: choose(s, src.Path, dom, "path"), fallback: choose(s, src.Fallback, dom, "fallback"),
	}
	sec.options[src] = c
	return c
}

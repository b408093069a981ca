package validate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// record decodes how a program is recorded; nil for a prompt that says nothing of it.
func (d *decoder) record(n *ground.Node) *language.Record {
	if n == nil {
		return nil
	}
	out := &language.Record{At: n.At}
	for _, item := range n.Field("run").List() {
		arg, _ := d.word(item)
		out.Run = append(out.Run, arg)
	}
	out.Env = d.named(n.Field("env"))
	pick := n.Field("pick")
	out.Pick.Tool, _ = d.word(pick.Field("tool"))
	out.Pick.Model, _ = d.word(pick.Field("model"))
	out.Pick.Contains, _ = d.word(pick.Field("contains"))
	for _, item := range n.Field("filters").List() {
		match, _ := d.word(item.Field("match"))
		with, _ := d.word(item.Field("with"))
		is, err := regexp.Compile(match.Str)
		if err != nil {
			d.found = append(d.found, diag.New(diag.WrongValue, match.At, "no-regular-expression", match.Str).WithHint("see-re2"))
			continue
		}
		out.Filters = append(out.Filters, language.Filter{Match: is, With: with.Str})
	}
	out.Fixtures, _ = d.word(n.Field("fixtures"))
	return out
}

// recorded checks what a recording needs of a prompt: a file for each variant, and values
// that do not come from files that are still to be made.
func (d *decoder) recorded(p *language.Prompt) {
	if p.Record == nil || p.Rendered == nil {
		return
	}
	if _, ok := axispattern.PathPattern(p.Rendered.Path.Str).Fill(func(string) string { return "" }); !ok {
		d.found = append(d.found, diag.New(diag.RenderedPattern, p.Rendered.Path.At, "record-needs-one-file", p.Rendered.Path.Str).WithHint("write-axes-for-wildcards"))
	}
	for _, a := range p.Axes {
		if a.Auto {
			d.found = append(d.found, diag.New(diag.BadAxis, a.Name.At, "record-needs-values", a.Name.Str).WithHint("list-its-values"))
		}
	}
}

// runnable holds the programs of prompts against the policies that say which may be run.
// No manifest makes that weaker, so that it needs no lock.
func (d *decoder) runnable(tree *language.Tree, spec *language.Spec) {
	for _, policy := range tree.Policies() {
		rule := policy.Doc.Data.Field("record")
		if rule == nil {
			continue
		}
		allowed, isList := d.words(rule)
		for _, p := range spec.Prompts {
			switch {
			case p.Record == nil || len(p.Record.Run) == 0:
			case rule.Scalar() == "forbid":
				d.found = append(d.found, diag.New(diag.LockedSetting, p.Record.At.FirstLine(), "record-forbidden", rule.At.File.Path).WithHint("record-by-hand"))
			case isList && len(allowed) > 0 && rule.Kind == ground.Sequence && !slices.ContainsFunc(allowed, func(w ground.Word) bool { return w.Str == p.Record.Run[0].Str }):
				d.found = append(d.found, diag.New(diag.LockedSetting, p.Record.Run[0].At, "record-not-allowed", rule.At.File.Path, p.Record.Run[0].Str).
					WithHint("use-one-of", strings.Join(ground.Strings(allowed), ", ")))
			}
		}
	}
}

// answersRef is the schema of the file with the answers to a program that is recorded.
const answersRef = "answers"

// Answers decodes a file of answers.
func Answers(n *ground.Node) ([]language.Answer, diag.List) {
	found := checked(answersRef, n)
	if found.HasErrors() {
		return nil, found.Sorted()
	}
	var d decoder
	var out []language.Answer
	for _, item := range n.List() {
		text, _ := d.word(item.Field("text"))
		a := language.Answer{Text: text.Str}
		for _, c := range item.Field("calls").List() {
			tool, _ := d.word(c.Field("tool"))
			call := language.AnswerCall{Tool: tool.Str, Arguments: json.RawMessage("{}")}
			if arguments := c.Field("arguments"); arguments != nil {
				call.Arguments = json.RawMessage(canon.Compact(arguments))
			}
			a.Calls = append(a.Calls, call)
		}
		out = append(out, a)
	}
	return out, append(found, d.found...).Sorted()
}

// Programs gives the prompts that say how they are recorded, as the manifest declares
// them. No file that the manifest names is read.
func Programs(tree *language.Tree) (*language.Spec, diag.List) {
	spec, found := manifest(tree)
	return spec, found.Sorted()
}

package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language"
)

func TestRenderedPromptsAreDecoded(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"rendered: 't/{a}-{b}.txt', axes: auto", "t/{a}-{b}.txt; ; [headings tags rules]; ; a=auto b=auto"},
		{"rendered: {path: t.snap, entry: 'p > {x} 1'}, axes: auto, split: []", "t.snap; p > {x} 1; []; ; x=auto"},
		{"rendered: {path: '{x}.snap', entry: '{y} {x}'}, axes: auto, split: [rules, headings]", "{x}.snap; {y} {x}; [headings rules]; ; x=auto y=auto"},
		{"rendered: '{a}.txt', tools: 'w/{a}.json', axes: {a: {values: auto, default: q, ordered: true}}", "{a}.txt; ; [headings tags rules]; w/{a}.json; a=auto(q)"},
		{"rendered: '{a}.txt', tools: ['w/{a}.json', 'v/*.snap'], axes: auto", "{a}.txt; ; [headings tags rules]; w/{a}.json v/*.snap; a=auto"},
		{"rendered: '{a}.txt', axes: {a: {values: auto, names: {'a b': ab, c: c1}}}", "{a}.txt; ; [headings tags rules]; ; a=auto{a b=ab}{c=c1}"},
		{"rendered: '{a}.txt', axes: {a: [x, auto]}", "{a}.txt; ; [headings tags rules]; ; a=x+auto"},
	} {
		spec := decode(t, "version: 1\nprompts:\n  p: {"+c.keys+"}\n")
		p := spec.Prompts[0]
		var axes []string
		for _, a := range p.Axes {
			axes = append(axes, a.Name.Str+"="+valuesOf(a))
			if at := a.Name.At; at.File.Text[at.Start:at.End] != a.Name.Str {
				t.Errorf("%s: axis %q is said to stand at %q", c.keys, a.Name.Str, at.File.Text[at.Start:at.End])
			}
		}
		got := fmt.Sprintf("%s; %s; %v; %s; %s", p.Rendered.Path.Str, p.Rendered.Entry.Str, p.Rendered.Split, toolPatterns(p.Rendered), strings.Join(axes, " "))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.keys, d)
		}
	}
	if spec := decode(t, "version: 1\nprompts:\n  p: {sections: [{id: a, text: x}]}\n"); spec.Prompts[0].Rendered != nil {
		t.Error("a prompt of sections is rendered elsewhere")
	}
}

func toolPatterns(r *language.Rendered) string {
	var out []string
	for _, w := range r.Tools {
		out = append(out, w.Str)
	}
	return strings.Join(out, " ")
}

func valuesOf(a *language.Axis) string {
	var out []string
	for _, w := range a.Values {
		out = append(out, w.Str)
	}
	if a.Auto {
		out = append(out, "auto")
	}
	for _, n := range a.Names {
		out[len(out)-1] += "{" + n.Written.Str + "=" + n.Value.Str + "}"
	}
	if a.Default.Str != "" {
		out = append(out, "("+a.Default.Str+")")
		return strings.Join(out, "")
	}
	return strings.Join(out, "+")
}

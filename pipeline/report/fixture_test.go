package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

// written gives what a function of the package writes.
func written(t *testing.T, write func(*strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("output (-want +got):\n%s\ngot:\n%s", d, got)
	}
}

// at gives the span of the first occurrence of a text in a file.
func at(f *diag.File, text string) diag.Span {
	i := strings.Index(f.Text, text)
	if i < 0 {
		panic("no such text: " + text)
	}
	return diag.Span{File: f, Start: i, End: i + len(text)}
}

// words counts like a tokenizer for whom every word is a token.
func words(s string) int { return len(strings.Fields(s)) }

func word(s string) prompt.Word { return prompt.Word{Str: s} }

// persona is a prompt of five variants, as small as the commands' examples.
type persona struct {
	manifest, soul *diag.File
	build          *prompt.Build
	result         *prompt.Result
}

func newPersona() *persona {
	p := &persona{
		manifest: &diag.File{Path: "prompts.yaml", Text: "version: 1\nprompts:\n  persona:\n    sections:\n      - {id: intro, text: Hello.}\n"},
		soul: &diag.File{
			Path: "sources/persona/SOUL.md",
			Text: strings.Repeat("<!-- x -->\n", 10) + "Keep private things private.\nAsk before you act outside this machine.\n",
		},
	}
	def := &prompt.Prompt{
		ID: word("persona"),
		Axes: []*prompt.Axis{
			{Name: word("entry"), Values: []prompt.Word{word("full"), word("simple"), word("minimal")}},
			{Name: word("tools"), Values: []prompt.Word{word("native"), word("fallback"), word("none")}},
		},
		Sections: []*prompt.Section{{ID: word("intro")}, {ID: word("soul")}, {ID: word("skills")}, {
			ID: word("memory"), When: prompt.Condition{{{Axis: word("entry"), Values: []prompt.Word{word("simple")}}}},
		}},
	}
	p.build = &prompt.Build{Prompt: def}
	for i, v := range [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}} {
		p.build.Variants = append(p.build.Variants, &prompt.Variant{
			Name:  "persona/entry=" + def.Axes[0].Values[v[0]].Str + ",tools=" + def.Axes[1].Values[v[1]].Str,
			Index: i, Values: v, Tokenizer: "o200k_base", Order: []int{0, 1, 2, 3},
			Budget: prompt.Limits{Tokens: 20, Chars: -1, ToolTokens: -1},
		})
	}
	spec := &prompt.Spec{File: p.manifest, Prompts: []*prompt.Prompt{def}}
	p.result = &prompt.Result{
		Spec:  spec,
		Plan:  &prompt.Plan{Spec: spec, Builds: []*prompt.Build{p.build}},
		Delta: &prompt.Delta{SnapshotFolder: "snapshots", Artifacts: prompt.Emitted{Folder: "dist"}},
	}
	intro := p.rendering(0, prompt.Derived("Hello.", at(p.manifest, "Hello.")))
	soul := p.rendering(1, p.soulText())
	for i, v := range p.build.Variants {
		parts := []*prompt.Rendering{intro}
		if i < 2 {
			parts = append(parts, soul)
		}
		p.result.Artifacts = append(p.result.Artifacts, p.artifact(v, parts...))
	}
	return p
}

func (p *persona) soulText() prompt.Text {
	var b prompt.Builder
	b.WriteString("## Soul\n\n")
	b.WriteText(prompt.Verbatim(at(p.soul, "Keep private things private.\nAsk before you act outside this machine.")))
	return b.Text()
}

func (p *persona) rendering(section int, text prompt.Text) *prompt.Rendering {
	def := p.build.Prompt
	return &prompt.Rendering{Unit: &prompt.Unit{Prompt: def, Section: def.Sections[section]}, Text: text}
}

// artifact joins renderings by blank lines.
func (p *persona) artifact(v *prompt.Variant, renderings ...*prompt.Rendering) *prompt.Artifact {
	a := &prompt.Artifact{Build: p.build, Variant: v, Used: make([]*prompt.Rendering, len(p.build.Prompt.Sections))}
	put := func(section int, text string, r *prompt.Rendering) {
		part := prompt.Part{Section: section, Text: text, Rendering: r, Start: a.Bytes()}
		a.Parts = append(a.Parts, part)
		a.Parts[len(a.Parts)-1].Total = words(a.Text())
	}
	for i, r := range renderings {
		if i > 0 {
			put(-1, "\n\n", nil)
		}
		for j, s := range p.build.Prompt.Sections {
			if s == r.Unit.Section {
				put(j, r.Text.Str, r)
				a.Used[j] = r
			}
		}
	}
	put(-1, "\n", nil)
	a.Tokens, a.Use, a.Chars = words(a.Text()), words(a.Text()), len([]rune(a.Text()))
	return a
}

func (p *persona) users(variants ...int) []prompt.Users {
	set := prompt.NewSet(len(p.build.Variants))
	for _, i := range variants {
		set.Add(i)
	}
	return []prompt.Users{{Build: p.build, Set: set}}
}

// soulChanged is the change of the sections file after the soul's last
// sentence was edited.
func (p *persona) soulChanged() prompt.Change {
	text := p.soulText()
	return prompt.Change{
		Status: prompt.Changed,
		Old:    "## Soul\n\nKeep private things private.\nAsk before you act.\n",
		Output: prompt.Output{
			Path: "snapshots/persona/sections/soul.txt", Parts: []string{text.Str + "\n"},
			Owner: prompt.Owner{Kind: prompt.OutRendering, Prompt: "persona", Section: "soul", Text: text, Users: p.users(0, 1)},
		},
	}
}

func readmeChanged() prompt.Change {
	return prompt.Change{
		Status: prompt.Changed, Old: "<!-- mark -->\nold\n",
		Output: prompt.Output{Path: "snapshots/README.md", Parts: []string{"<!-- mark -->\nnew\n"}},
	}
}

func (p *persona) outline(before, after string) prompt.Change {
	return prompt.Change{
		Status: prompt.Changed, Old: before,
		Output: prompt.Output{
			Path: "snapshots/persona/outline.txt", Parts: []string{after},
			Owner: prompt.Owner{Kind: prompt.OutOutline, Prompt: "persona"},
		},
	}
}

func (p *persona) check(t *testing.T, opt report.Options) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return report.Check(w, p.result, opt) })
}

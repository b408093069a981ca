package output_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
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

// wordCount counts like a tokenizer for whom every word is a token.
func wordCount(s string) int { return len(strings.Fields(s)) }

func word(s string) ground.Word { return ground.Word{Str: s} }

// persona is a prompt of five variants, as small as the commands' examples.
type persona struct {
	manifest, soul *diag.File
	build          *assembly.Build
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
	def := &language.Prompt{
		ID: word("persona"),
		Axes: []*language.Axis{
			{Name: word("entry"), Values: []ground.Word{word("full"), word("simple"), word("minimal")}},
			{Name: word("tools"), Values: []ground.Word{word("native"), word("fallback"), word("none")}},
		},
		Sections: []*language.Section{{ID: word("intro")}, {ID: word("soul")}, {ID: word("skills")}, {
			ID: word("memory"), When: language.Condition{{{Axis: word("entry"), Values: []ground.Word{word("simple")}}}},
		}},
	}
	p.build = &assembly.Build{Prompt: def}
	for i, v := range [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}} {
		p.build.Variants = append(p.build.Variants, &assembly.Variant{
			Name:  "persona/entry=" + def.Axes[0].Values[v[0]].Str + ",tools=" + def.Axes[1].Values[v[1]].Str,
			Index: i, Values: v, Tokenizer: "o200k_base", Order: []int{0, 1, 2, 3},
			Budget: language.Limits{Tokens: 20, Chars: -1, ToolTokens: -1},
		})
	}
	spec := &language.Spec{File: p.manifest, Prompts: []*language.Prompt{def}}
	p.result = &prompt.Result{
		Spec:  spec,
		Plan:  &assembly.Plan{Spec: spec, Builds: []*assembly.Build{p.build}},
		Delta: &store.Delta{SnapshotFolder: "snapshots", Artifacts: store.Emitted{Folder: "dist"}},
	}
	intro := p.rendering(0, ground.Derived("Hello.", at(p.manifest, "Hello.")))
	soul := p.rendering(1, p.soulText())
	for i, v := range p.build.Variants {
		parts := []*assembly.Rendering{intro}
		if i < 2 {
			parts = append(parts, soul)
		}
		p.result.Artifacts = append(p.result.Artifacts, p.artifact(v, parts...))
	}
	return p
}

func (p *persona) soulText() ground.Text {
	var b ground.Builder
	b.WriteString("## Soul\n\n")
	b.WriteText(ground.Verbatim(at(p.soul, "Keep private things private.\nAsk before you act outside this machine.")))
	return b.Text()
}

func (p *persona) rendering(section int, text ground.Text) *assembly.Rendering {
	def := p.build.Prompt
	return &assembly.Rendering{Unit: &assembly.Unit{Prompt: def, Section: def.Sections[section]}, Text: text}
}

// artifact joins renderings by blank lines.
func (p *persona) artifact(v *assembly.Variant, renderings ...*assembly.Rendering) *assembly.Artifact {
	a := &assembly.Artifact{Build: p.build, Variant: v, Used: make([]*assembly.Rendering, len(p.build.Prompt.Sections))}
	put := func(section int, text string, r *assembly.Rendering) {
		part := assembly.Part{Section: section, Text: text, Rendering: r, Start: a.Bytes()}
		a.Parts = append(a.Parts, part)
		a.Parts[len(a.Parts)-1].Total = wordCount(a.Text())
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
	a.Tokens, a.Use, a.Chars = wordCount(a.Text()), wordCount(a.Text()), len([]rune(a.Text()))
	return a
}

func (p *persona) users(variants ...int) []assembly.Users {
	set := ground.NewSet(len(p.build.Variants))
	for _, i := range variants {
		set.Add(i)
	}
	return []assembly.Users{{Build: p.build, Set: set}}
}

// soulChanged is the change of the sections file after the soul's last
// sentence was edited.
func (p *persona) soulChanged() store.Change {
	text := p.soulText()
	return store.Change{
		Status: store.Changed,
		Old:    "## Soul\n\nKeep private things private.\nAsk before you act.\n",
		Output: assembly.Output{
			Path: "snapshots/persona/sections/soul.txt", Parts: []string{text.Str + "\n"},
			Owner: assembly.Owner{Kind: assembly.OutRendering, Prompt: "persona", Section: "soul", Text: text, Users: p.users(0, 1)},
		},
	}
}

func readmeChanged() store.Change {
	return store.Change{
		Status: store.Changed, Old: "<!-- mark -->\nold\n",
		Output: assembly.Output{Path: "snapshots/README.md", Parts: []string{"<!-- mark -->\nnew\n"}},
	}
}

func (p *persona) outline(before, after string) store.Change {
	return store.Change{
		Status: store.Changed, Old: before,
		Output: assembly.Output{
			Path: "snapshots/persona/outline.txt", Parts: []string{after},
			Owner: assembly.Owner{Kind: assembly.OutOutline, Prompt: "persona"},
		},
	}
}

func (p *persona) check(t *testing.T, opt words.Options) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return run.Check(w, p.result, opt) })
}

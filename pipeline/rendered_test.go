package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// assembledRendered compiles such a project up to lint; what is left may have no
// errors.
func assembledRendered(t *testing.T, keys string, files map[string]string) *prompt.Result {
	t.Helper()
	r := testproject.Compile(t, testproject.Rendered(keys, files), pipeline.Composed)
	for _, f := range r.Findings {
		if f.Level == diag.Error {
			t.Fatalf("%s: %s", f.Code, wording.Message(f))
		}
	}
	return r
}

func sectionIDs(p *language.Prompt) []string {
	var out []string
	for _, s := range p.Sections {
		out = append(out, s.ID.Str)
	}
	return out
}

// TestRenderedTextsAreTheirFilesToTheByte also holds that every byte of them
// knows where it stands.
func TestRenderedTextsAreTheirFilesToTheByte(t *testing.T) {
	skipIfShort(t)
	lines := []string{"# A", "## B c", "<env>", "</env>", "====", "---", "```", "text `x` ${y} \\", "\"q\"", "", "", "é 日本"}
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		files := map[string]string{}
		for _, name := range []string{"a", "b", "c"} {
			var b strings.Builder
			b.WriteString("x")
			for range r.IntN(12) {
				b.WriteString(lines[r.IntN(len(lines))])
				b.WriteString("\n"[:r.IntN(2)])
				b.WriteString("\n")
			}
			b.WriteString(lines[r.IntN(len(lines))])
			files["t/"+name+".txt"] = b.String()
		}
		result := assembledRendered(t, "rendered: t/{f}.txt\naxes: auto", files)
		if len(result.Artifacts) != 3 {
			t.Fatalf("%d variants, want 3", len(result.Artifacts))
		}
		for _, a := range result.Artifacts {
			name := "t/" + strings.TrimPrefix(a.Variant.Name, "legacy/f=") + ".txt"
			if d := cmp.Diff(files[name], a.Text()); d != "" {
				t.Fatalf("%s (-want +got):\n%s", name, d)
			}
			for _, p := range a.Parts {
				at := p.Rendering.Text.Span(0, len(p.Text))
				if at.File.Path != name || at.Start != p.Start || at.End != p.Start+len(p.Text) {
					t.Fatalf("%s: section %q at %d is said to stand at %s [%d, %d)", name, p.Text, p.Start, at.File.Path, at.Start, at.End)
				}
			}
		}
	}
}

func TestSectionsOfOneIDAreOneSection(t *testing.T) {
	result := assembledRendered(t, "rendered: '{f}.md'\naxes: {f: [b, a, c]}", map[string]string{
		"a.md": "# One\n# Extra\n# Two\n", "b.md": "# One\n# Two\n# Three\n", "c.md": "# Zero\n# Three\n# One\n",
	})
	b := result.Plan.Builds[0]
	if d := cmp.Diff([]string{"one", "extra", "two", "zero", "three"}, sectionIDs(b.Prompt)); d != "" {
		t.Errorf("sections (-want +got):\n%s", d)
	}
	var orders []string
	for _, v := range b.Variants {
		var ids []string
		for _, i := range v.Order {
			id := b.Prompt.Sections[i].ID.Str
			if u := v.Uses[i]; u.Unit < 0 {
				id += " " + u.Out.String()
			}
			ids = append(ids, id)
		}
		orders = append(orders, v.Name+": "+strings.Join(ids, ", "))
	}
	if d := cmp.Diff([]string{
		"legacy/f=b: one, two, three, extra absent, zero absent",
		"legacy/f=a: one, extra, two, zero absent, three absent",
		"legacy/f=c: zero, three, one, extra absent, two absent",
	}, orders); d != "" {
		t.Errorf("orders (-want +got):\n%s", d)
	}
}

func TestTheManifestIsNotFilledInByWhatTheFilesSay(t *testing.T) {
	result := assembledRendered(t, "rendered: '{f}.md'\naxes: auto", map[string]string{"a.md": "# One\n"})
	p := result.Spec.Prompts[0]
	if len(p.Sections) != 0 || len(p.Axes[0].Values) != 0 {
		t.Errorf("the manifest has %d sections and %d values now", len(p.Sections), len(p.Axes[0].Values))
	}
	if built := result.Plan.Builds[0].Prompt; len(built.Sections) != 1 || len(built.Axes[0].Values) != 1 || built.Rendered == nil {
		t.Errorf("the prompt that is built has %d sections and %d values", len(built.Sections), len(built.Axes[0].Values))
	}
}

func TestToolsBesideRenderedTextsKeepTheirOrder(t *testing.T) {
	tool := func(name string) string { return fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object"}}`, name) }
	result := assembledRendered(t, "rendered: '{f}.md'\ntools: 'tools/{f}.json'\naxes: {f: [a, b]}", map[string]string{
		"a.md": "# Tools.json\n", "b.md": "# B\n",
		"tools/a.json": "[" + tool("z") + "," + tool("a") + "]", "tools/b.json": "[" + tool("m") + "]",
	})
	var got []string
	for _, a := range result.Artifacts {
		for _, tl := range a.Beside {
			got = append(got, a.Variant.Name+" "+tl.Name)
		}
		if a.ToolTokens == 0 || len(a.Toolset) != len(a.Beside) {
			t.Errorf("%s: %d tool tokens, toolset of %d", a.Variant.Name, a.ToolTokens, len(a.Toolset))
		}
	}
	if d := cmp.Diff([]string{"legacy/f=a z", "legacy/f=a a", "legacy/f=b m"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if ids := sectionIDs(result.Plan.Builds[0].Prompt); !slices.Equal(ids, []string{"tools-json", "b", "tools.json"}) {
		t.Errorf("sections %q", ids)
	}
}

func TestAnAxisMayTellNothingButTheTools(t *testing.T) {
	result := assembledRendered(t, "rendered: '{f}.md'\ntools: '{os}.json'\naxes: {f: auto, os: [mac, win]}", map[string]string{
		"a.md": "# A\n", "b.md": "# B\n",
		"mac.json": `[{"name": "x", "inputSchema": {"type": "object"}}]`, "win.json": `[{"name": "y", "inputSchema": {"type": "object"}}]`,
	})
	var got []string
	for _, a := range result.Artifacts {
		got = append(got, a.Variant.Name+" "+a.Text()[:3]+" "+a.Beside[0].Name)
	}
	if d := cmp.Diff([]string{
		"legacy/f=a,os=mac # A x", "legacy/f=a,os=win # A y", "legacy/f=b,os=mac # B x", "legacy/f=b,os=win # B y",
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestEntriesOfSeveralFilesTellTheVariants(t *testing.T) {
	file := func(pairs ...string) string {
		var b strings.Builder
		b.WriteString("// Vitest Snapshot v1, https://vitest.dev\n")
		for i := 0; i < len(pairs); i += 2 {
			fmt.Fprintf(&b, "\nexports[`%s`] = `\"%s\"`;\n", pairs[i], pairs[i+1])
		}
		return b.String()
	}
	result := assembledRendered(t, "rendered: {path: '{f}.snap', entry: '* > {f} {mode} 1'}\naxes: auto", map[string]string{
		"a.snap": file("p > a chat 1", "AC", "p > a code 1", "AD", "p > b chat 1", "other", "helper 1", "H"),
		"b.snap": file("q > b chat 1", "BC"),
	})
	var got []string
	for _, a := range result.Artifacts {
		got = append(got, a.Variant.Name+" "+a.Text())
	}
	if d := cmp.Diff([]string{"legacy/f=a,mode=chat AC", "legacy/f=a,mode=code AD", "legacy/f=b,mode=chat BC"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var told []string
	for _, f := range result.Findings {
		told = append(told, string(f.Code)+" "+wording.Message(f))
	}
	if d := cmp.Diff([]string{
		`PC3051 1 combination of values has no rendered text and is not built: "legacy/f=b,mode=code"`,
		`PC3050 no variant has the values of "p > b chat 1", so that nothing reads it`,
		"PC6045 no prompt takes 1 entry of 1 file",
	}, told); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

// TestRenderedPromptsOfManyVariantsAreQuick holds for a project larger than any
// that was met.
func TestRenderedPromptsOfManyVariantsAreQuick(t *testing.T) {
	skipIfShort(t)
	files := map[string]string{}
	for f := range 20 {
		for c := range 20 {
			var b strings.Builder
			for s := range 50 {
				fmt.Fprintf(&b, "# Section %d\ntext of %d\n\n", s, (f+c)%(s+1))
			}
			files[fmt.Sprintf("t/f%d-c%d.md", f, c)] = b.String()
		}
	}
	result := assembledRendered(t, "rendered: 't/{f}-{c}.md'\naxes: auto\ntokenizer: chars/4", files)
	if n, s := len(result.Artifacts), len(result.Plan.Builds[0].Prompt.Sections); n != 400 || s != 50 {
		t.Errorf("%d variants with %d sections, want 400 with 50", n, s)
	}
}

func TestSnapshotFilesOfManyEntriesAreQuick(t *testing.T) {
	skipIfShort(t)
	const n = 4_000
	var js, ambr, listed strings.Builder
	js.WriteString("// Vitest Snapshot v1\n")
	for i := range n {
		fmt.Fprintf(&js, "\nexports[`agent > should say \"it\" > \\`%d\\` \\${x} 1`] = `\"# Role\n%s %d\n\"`;\n", i, strings.Repeat("You are an agent. ", 12), i)
		fmt.Fprintf(&ambr, "# name: test_agent[should say %d]\n  '''\n  # Role\n  You are %d.\n  '''\n# ---\n", i, i)
		fmt.Fprintf(&listed, "should-say-%d,", i)
	}
	for name, c := range map[string]struct{ keys, file, text string }{
		"found":  {"rendered: {path: t.snap, entry: 'agent > {case} 1'}\naxes: auto", "t.snap", js.String()},
		"syrupy": {"rendered: {path: t.ambr, entry: 'test_agent[{case}]'}\naxes: auto", "t.ambr", ambr.String()},
		"listed": {"rendered: {path: t.ambr, entry: 'test_agent[{case}]'}\naxes: {case: [" + listed.String() + "]}", "t.ambr", ambr.String()},
	} {
		result := assembledRendered(t, c.keys+"\ntokenizer: chars/4", map[string]string{c.file: c.text})
		ids := map[string]bool{}
		for _, a := range result.Artifacts {
			ids[strings.ToLower(a.Variant.Name)] = true
		}
		if len(ids) != n {
			t.Errorf("%s: %d variants, want %d", name, len(ids), n)
		}
	}
}

// TestNamesOfValuesHoldInEveryPattern has an axis that stands in the path, in the
// entry and in the files of tools, each time under another name.
func TestNamesOfValuesHoldInEveryPattern(t *testing.T) {
	tool := func(name string) string { return fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object"}}`, name) }
	keys := "rendered: {path: 't/{m}.snap', entry: '{m} should {case} 1'}\ntools: ['all.snap', 'tools for {m}.snap']\n" +
		"axes: {m: {values: [g3, g4], names: {Gemini 3: g3, gem-3: g3, gem 4: g4}}, case: {values: auto, names: {be brief: brief}}}"
	result := assembledRendered(t, keys, map[string]string{
		"t/gem-3.snap": "exports[`Gemini 3 should be brief 1`] = `\"A\"`;\nexports[`gem 4 should be brief 1`] = `\"no\"`;\n",
		"t/g4.snap":    "exports[`gem 4 should be brief 1`] = `\"B\"`;\nexports[`g4 should be long 1`] = `\"C\"`;\n",
		"all.snap":     tool("a"), "tools for gem 4.snap": "[" + tool("b") + "]",
	})
	var got []string
	for _, a := range result.Artifacts {
		var tools []string
		for _, tl := range a.Beside {
			tools = append(tools, tl.Name)
		}
		got = append(got, fmt.Sprintf("%s %s %q", a.Variant.Name, a.Text(), tools))
	}
	if d := cmp.Diff([]string{
		`legacy/m=g3,case=brief A ["a"]`, `legacy/m=g4,case=be-long C ["a" "b"]`, `legacy/m=g4,case=brief B ["a" "b"]`,
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, f := range result.Findings {
		if f.Code == diag.RenderedUnlisted && strings.Contains(wording.Message(f), "names") {
			t.Errorf("%s", wording.Message(f))
		}
	}
}

func TestHostileRenderedProjectsAreFindings(t *testing.T) {
	skipIfShort(t)
	var axes, pattern strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		fmt.Fprintf(&axes, "%c: auto, ", c)
		fmt.Fprintf(&pattern, "{%c}*", c)
	}
	product := fmt.Sprintf("{a: [%s], b: [%[1]s], c: [%[1]s]}", numbers(200))
	many := map[string]string{}
	for i := range 600 {
		many[fmt.Sprintf("t/%d.md", i)] = "# A\n"
	}
	many["t/0.md"] = strings.Repeat("# A\n", 2000)
	for name, c := range map[string]struct {
		keys  string
		files map[string]string
		want  diag.Code
	}{
		"many axes side by side":     {"rendered: '" + pattern.String() + ".md'\naxes: {" + axes.String() + "}", map[string]string{strings.Repeat("ab", 100) + ".md": "x"}, diag.RenderedAmbiguous},
		"sections by variants":       {"rendered: 't/{f}.md'\naxes: auto", many, diag.TooManySections},
		"a text of headings":         {"rendered: '{f}.md'\naxes: auto", map[string]string{"a.md": strings.Repeat("# A\n", 1<<18)}, diag.TooManySections},
		"axes that multiply":         {"rendered: '{a}-{b}-{c}'\naxes: " + product, map[string]string{"1-1-1": "x"}, diag.TooManyVariants},
		"everything excluded":        {"rendered: '{f}.md'\naxes: {f: [a]}\nexclude: {f: a}", map[string]string{"a.md": "x"}, diag.NoVariant},
		"all that is there excluded": {"rendered: '{f}-{g}.md'\naxes: auto\nexclude: [{f: a, g: a}, {f: b, g: b}]", map[string]string{"a-a.md": "x", "b-b.md": "x"}, diag.NoVariant},
		"blank text":                 {"rendered: a.md", map[string]string{"a.md": " \n\n"}, diag.EmptyFile},
		"a picture":                  {"rendered: '*.snap'", map[string]string{"a.snap": "\x89PNG\r\n\x1a\n\x00"}, diag.NotText},
		"a file cut in the middle":   {"rendered: {path: a.snap, entry: a 1}", map[string]string{"a.snap": "exports[`a 1`] = `\"A\"`;\nexports[`b 1`] = `\"B"}, diag.SavedSyntax},
		"names that nothing has":     {"rendered: {path: a.snap, entry: '{f} 1'}\naxes: {f: {values: auto, names: {'b > `c`\n': b}}}", map[string]string{"a.snap": "exports[`a 1`] = `\"A\"`;\n"}, diag.RenderedUnlisted},
	} {
		r := testproject.Compile(t, testproject.Rendered(c.keys, c.files), pipeline.Composed)
		if !slices.ContainsFunc(r.Findings, func(f diag.Diagnostic) bool { return f.Code == c.want }) {
			t.Errorf("%s: %.300v, want %s", name, r.Findings, c.want)
		}
	}
}

func numbers(n int) string {
	var out []string
	for i := range n {
		out = append(out, strconv.Quote(strconv.Itoa(i)))
	}
	return strings.Join(out, ", ")
}

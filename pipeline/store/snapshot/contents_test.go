package snapshot_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

func TestContentsOfAFixtureShareOnlyTheirOwnName(t *testing.T) {
	same := func(string) [][3]string {
		return [][3]string{
			{"history", "0-user", "Hi."},
			{"history", "1-assistant", "Hi."},
			{"history", "2-user", "Hi."},
			{"urls", "1", "Hi."},
			{"review", "summary", "Hi."},
			{"prompt", "", "Hi."},
		}
	}
	one, two := said(same, "a", "b"), said(same, "b", "c")
	one.id, two.id = "p", "q"
	var want []string
	for prefix, fixtures := range map[string]string{"p/": "ab", "q/": "c"} {
		for fixture := range strings.SplitSeq(fixtures, "") {
			for _, at := range []string{"history/F/0-user", "history/F/1-assistant", "history/F/2-user", "prompt/F", "review/F/summary", "urls/F/1"} {
				want = append(want, prefix+strings.Replace(at, "F", fixture, 1)+".txt")
			}
		}
	}
	slices.Sort(want)
	got := outputs(t, chats(one, two))
	outline := got["q/outline.txt"]
	for _, p := range []string{"README.md", "p/outline.txt", "q/outline.txt"} {
		delete(got, p)
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	_, block, _ := strings.Cut(outline, "\n## state=b\n")
	block, _, _ = strings.Cut(block, "\n## ")
	if diff := cmp.Diff(`user           files
  history      ../p/history/b/0-user.txt
user           files
  history      ../p/history/b/1-assistant.txt
user           files
  history      ../p/history/b/2-user.txt
user           files
  urls         ../p/urls/b/1.txt
user           files
  review       ../p/review/b/summary.txt
user           files
  prompt       ../p/prompt/b.txt
`, block); diff != "" {
		t.Error(diff)
	}
}

func TestEqualImagesOfTwoFixturesAreTwoFiles(t *testing.T) {
	d := said(func(string) [][3]string { return [][3]string{{"prompt", "", "Look."}} }, "a", "b")
	turns := d.turns
	d.turns = func(p at) (string, []assembly.Turn) {
		fixture, out := turns(p)
		out[0].Images = []language.Image{image("a picture"), image("a picture")}
		return fixture, out
	}
	want := []string{"images/a/1.txt", "images/a/2.txt", "images/b/1.txt", "images/b/2.txt", "prompt/a.txt", "prompt/b.txt"}
	if diff := cmp.Diff(want, contents(t, chats(d))); diff != "" {
		t.Error(diff)
	}
}

func TestContentsOfAWorkspaceShareWithinTheirKind(t *testing.T) {
	same := func(string) [][3]string {
		return [][3]string{{"legend", "", "x"}, {"tree", "", "x"}, {"symbols", "a", "x"}, {"symbols", "b", "x"}, {"files", "a", "x"}}
	}
	one, two := said(same, "a", "b"), said(same, "c")
	one.id, two.id = "p", "q"
	one.sections = []section{always("s", "x")}
	got := outputs(t, chats(one, two))
	want := []string{
		"README.md", "p/files/a.txt", "p/legend.txt", "p/outline.txt", "p/sections/s.txt", "p/symbols/a.txt", "p/tree.txt", "q/outline.txt",
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	outline := `# q: 1 variant
dialect        anthropic                                all
conversation   c                                        all                      fixtures/c.yaml

## all
user           files
  legend       ../p/legend.txt
user           files
  tree         ../p/tree.txt
user           files
  symbols      ../p/symbols/a.txt
user           files
  symbols      ../p/symbols/a.txt
user           files
  files        ../p/files/a.txt
`
	if diff := cmp.Diff(outline, got["q/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestBlocksSayWhatIsShownElsewhere(t *testing.T) {
	in := chats(coder())
	for _, u := range in.Plan.Units {
		if u.Dialogue != nil && u.Dialogue.Name == "long" {
			u.Dialogue.LeftOut = []assembly.LeftOut{
				{Kind: assembly.ContentFile, Path: "src/a.go", Tier: 1},
				{Kind: assembly.ContentSymbols, Path: "src/a.go"},
				{Kind: assembly.ContentSymbols, Path: "a\nb, c"},
			}
		}
	}
	for _, a := range in.Artifacts {
		if a.Variant.Name == "coder/state=first,dialect=gemini" {
			a.Out = append(a.Out, assembly.Omission{Section: 1, Reason: assembly.OutEmpty})
		}
	}
	outline := outputs(t, in)["coder/outline.txt"]
	var got []string
	for l := range strings.Lines(outline) {
		if strings.HasPrefix(l, "## ") || strings.HasPrefix(l, "omitted") {
			got = append(got, strings.TrimSuffix(l, "\n"))
		}
	}
	want := []string{
		"## state=first,dialect=openai-chat+anthropic",
		"## state=first,dialect=gemini",
		"omitted        extra: " + assembly.OutEmpty.String(),
		"## state=long",
		"omitted        files/src/a.go: in L1",
		`omitted        symbols/src/a.go, "symbols/a\nb, c": in full`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(outline, "in full\n") {
		t.Errorf("what is shown elsewhere is not in the block's tail:\n%s", outline)
	}
}

// TestBreakpointsOfASequenceBesideMessagesNameTheirVariants has a prompt whose
// layout has cases: the section is in all variants, the breakpoint in some.
func TestBreakpointsOfASequenceBesideMessagesNameTheirVariants(t *testing.T) {
	d := draft{id: "p", axes: []string{"x=a,b,c"}, sections: []section{always("one", "1"), {"two", func(p at) *says {
		if p["x"] == "a" {
			return nil
		}
		return &says{text: "2"}
	}}}}
	in := chats(chat{draft: d, dialect: func(at) string { return "anthropic" }, turns: func(at) (string, []assembly.Turn) {
		return "f", []assembly.Turn{marked(turn(language.RoleSystem, "L0", "system")), turn(language.RoleUser, "", "prompt", piece(assembly.ContentPrompt, "", "f", "Go."))}
	}})
	sequenced(in.Artifacts[1], 1, 3)
	sequenced(in.Artifacts[2], 1, 3)
	want := `# p: 3 variants
dialect        anthropic                                all
one            sections/one.txt                         all
── cache breakpoint ── in x=b+c
two            sections/two.txt                         x=b+c
── cache breakpoint ── in x=b+c
conversation   f                                        x=a                      fixtures/f.yaml

## x=a
system         L0
  one          sections/one.txt
── cache breakpoint ──
user           prompt
  prompt       prompt/f.txt
omitted        two: when
`
	if diff := cmp.Diff(want, outputs(t, in)["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

// sequenced leaves of an artifact's messages the system text, with breakpoints
// behind the parts that end there.
func sequenced(a *assembly.Artifact, ends ...int) {
	a.Variant.Messages = nil
	m := &a.Messages[0]
	a.Messages = a.Messages[:1]
	a.Parts = a.Parts[:m.Blocks[0].To]
	m.Blocks = nil
	from := 0
	for _, to := range ends {
		m.Blocks = append(m.Blocks, assembly.Block{From: from, To: to, Marked: true})
		from = to
	}
}

func TestToolTokensAreToldOfRequestBodies(t *testing.T) {
	in := bodies()
	for _, a := range in.Artifacts {
		if len(a.Beside) > 0 {
			a.ToolTokens = 17
		}
	}
	for name, entry := range entries(t, in) {
		var want any
		if strings.HasPrefix(name, "p/x=2,") && name != "p/x=2,dialect=text" {
			want = 17.0
		}
		if diff := cmp.Diff(want, entry["tool_tokens"]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	tools, _ := entries(t, in)["p/x=2,dialect=text"]["tools"].(map[string]any)
	if tools["tokens"] != 17.0 {
		t.Errorf("the text's tools are %v", tools)
	}
}

// entries gives the entries of dist/manifest.json by the variant's name.
func entries(t *testing.T, in snapshot.Input) map[string]map[string]any {
	t.Helper()
	var m struct {
		Prompts []struct{ Variants []map[string]any }
	}
	if err := json.Unmarshal([]byte(artifacts(t, in)["dist/manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]any{}
	for _, p := range m.Prompts {
		for _, v := range p.Variants {
			out[v["name"].(string)] = v
		}
	}
	return out
}

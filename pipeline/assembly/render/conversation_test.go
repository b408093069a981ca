package render_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestConversationGolden renders each fixture below testdata/conversation in
// both assemblies and compares the whole array.
func TestConversationGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/conversation/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := newScene(t, a)
			got := []txtar.File{
				{Name: "want.tiered", Data: []byte(describeTurns(s.turns(t, false)))},
				{Name: "want.flat", Data: []byte(describeTurns(s.turns(t, true)))},
			}
			if *update {
				a.Files = append(slices.DeleteFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want.") }), got...)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, f := range got {
				if diff := cmp.Diff(wanted(a, f.Name), string(f.Data)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, diff)
				}
			}
		})
	}
}

// said is a message as these tests write it down.
type said struct {
	Role   language.Role
	Tier   string
	Block  string
	Text   string
	Marked bool
}

func saidOf(turns []assembly.Turn) []said {
	var out []said
	for _, turn := range turns {
		out = append(out, said{turn.Role, turn.Tier, turn.Block, turnText(turn), turn.Marked})
	}
	return out
}

// whole is a conversation that has something in every block.
const whole = `{
  "workspace": "workspace",
  "selected": ["working.go"],
  "tiers": {
    "L0": ["symbol:s0.go", "file:f0.go", "history:0", "history:1"],
    "L1": ["file:f1.go", "symbol:s1.go", "history:2", "history:3"],
    "L2": ["symbol:s2.go", "file:f2.go"],
    "L3": ["file:f3.go"]
  },
  "symbols": {"s0.go": "S0", "s1.go": "S1", "s2.go": "S2", "map.go": "M"},
  "legend": "LEGEND",
  "history": [
    {"role": "user", "content": "Q0"}, {"role": "assistant", "content": "A0"},
    {"role": "user", "content": "Q1"}, {"role": "assistant", "content": "A1"},
    {"role": "user", "content": "Q2"}, {"role": "assistant", "content": "A2"}
  ],
  "urls": [
    {"title": "One", "url": "https://one.example", "content": "C1", "symbols": "U1"},
    {"url": "https://two.example"}
  ],
  "review": {"summary": "R", "commits": "abc Fix", "stats": "1 file", "symbols": "RS", "diffs": {"f1.go": "-a\n+b"}},
  "images": ["data:image/png;base64,iVBORw0KGgo="],
  "prompt": "NOW"
}`

// wholeScene is that conversation with its workspace.
func wholeScene(t *testing.T) scene {
	t.Helper()
	return newScene(t, archive("", "conversation.json", whole,
		"workspace/f0.go", "0\n", "workspace/f1.go", "1\n", "workspace/f2.go", "2\n", "workspace/f3.go", "3\n",
		"workspace/map.go", "m\n", "workspace/s0.go", "s0\n", "workspace/s1.go", "s1\n", "workspace/s2.go", "s2\n", "workspace/working.go", "w"))
}

const (
	wantStructure = "# Repository Structure\n\nBelow is a map of the repository showing classes, functions, and their relationships.\n" +
		"Use this to understand the codebase structure and find relevant code.\n\nLEGEND\n\n"
	wantTree = "# Repository Files\n\nComplete list of files in the repository:\n\n# File Tree (9 files)\n\n" +
		"f0.go\nf1.go\nf2.go\nf3.go\nmap.go\ns0.go\ns1.go\ns2.go\nworking.go"
	wantURLs = "# URL Context\n\nThe following content was fetched from URLs mentioned in the conversation:\n\n" +
		"## One\n\nhttps://one.example\n\nC1\n\nU1\n---\nhttps://two.example"
	wantReview   = "# Code Review Context\n\nR\n\nabc Fix\n\n1 file\n\nRS\n\n```diff\n-a\n+b\n```"
	wantIncluded = "\n\nThese files are included for reference:\n\n"
)

// TestMessageArrayBlockByBlock spells the whole array out: the system message
// and L0's history, the tiers, what is not cached, the history, the prompt.
func TestMessageArrayBlockByBlock(t *testing.T) {
	want := []said{
		{"system", "L0", "system", wantStructure + "S0\n\n# Reference Files (Stable)" + wantIncluded + "f0.go\n```\n0\n```", false},
		{"user", "L0", "history", "Q0", false},
		{"assistant", "L0", "history", "A0", true},
		{"user", "L1", "tier", "# Repository Structure (continued)\n\nS1\n\n# Reference Files" + wantIncluded + "f1.go\n```\n1\n```", false},
		{"assistant", "L1", "tier", "Ok.", false},
		{"user", "L1", "history", "Q1", false},
		{"assistant", "L1", "history", "A1", true},
		{"user", "L2", "tier", "# Repository Structure (continued)\n\nS2\n\n# Reference Files (L2)" + wantIncluded + "f2.go\n```\n2\n```", false},
		{"assistant", "L2", "tier", "Ok.", true},
		{"user", "L3", "tier", "# Reference Files (L3)" + wantIncluded + "f3.go\n```\n3\n```", false},
		{"assistant", "L3", "tier", "Ok.", true},
		{"user", "", "map", "# Repository Structure (continued)\n\nM", false},
		{"assistant", "", "map", "Ok.", false},
		{"user", "", "tree", wantTree, false},
		{"assistant", "", "tree", "Ok.", false},
		{"user", "", "urls", wantURLs, false},
		{"assistant", "", "urls", "Ok, I've reviewed the URL content.", false},
		{"user", "", "review", wantReview, false},
		{"assistant", "", "review", "Ok, I've reviewed the code changes.", false},
		{"user", "", "files", "# Working Files\n\nHere are the files:\n\nworking.go\n```\nw\n```", false},
		{"assistant", "", "files", "Ok.", false},
		{"user", "", "history", "Q2", false},
		{"assistant", "", "history", "A2", false},
		{"user", "", "prompt", "NOW", false},
	}
	turns := wholeScene(t).turns(t, false)
	if diff := cmp.Diff(want, saidOf(turns)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last := turns[len(turns)-1]; len(last.Images) != 1 || last.Images[0].Media != "image/png" {
		t.Errorf("the prompt has the images %+v", last.Images)
	}
}

// TestFlatArrayBlockByBlock: no tiers, no marks; all symbols are in the system
// message, and all files stand together.
func TestFlatArrayBlockByBlock(t *testing.T) {
	files := "# Working Files\n\nHere are the files:\n\nf0.go\n```\n0\n```\n\nf1.go\n```\n1\n```\n\nf2.go\n```\n2\n```\n\nf3.go\n```\n3\n```\n\nworking.go\n```\nw\n```"
	want := []said{
		{"system", "", "system", wantStructure + "M\n\nS0\n\nS1\n\nS2", false},
		{"user", "", "tree", wantTree, false},
		{"assistant", "", "tree", "Ok.", false},
		{"user", "", "urls", wantURLs, false},
		{"assistant", "", "urls", "Ok, I've reviewed the URL content.", false},
		{"user", "", "review", wantReview, false},
		{"assistant", "", "review", "Ok, I've reviewed the code changes.", false},
		{"user", "", "files", files, false},
		{"assistant", "", "files", "Ok.", false},
		{"user", "", "history", "Q0", false},
		{"assistant", "", "history", "A0", false},
		{"user", "", "history", "Q1", false},
		{"assistant", "", "history", "A1", false},
		{"user", "", "history", "Q2", false},
		{"assistant", "", "history", "A2", false},
		{"user", "", "prompt", "NOW", false},
	}
	if diff := cmp.Diff(want, saidOf(wholeScene(t).turns(t, true))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSystemMessageWithoutText: it is there for the sections' sake where it
// ends the cached prefix, and only then.
func TestSystemMessageWithoutText(t *testing.T) {
	alone := []said{{"user", "", "prompt", "Hi", false}}
	marked := append([]said{{"system", "L0", "system", "", true}}, alone...)
	inL0 := append([]said{{"user", "L0", "history", "Q", false}, {"assistant", "L0", "history", "A", true}}, alone...)
	active := append([]said{{"user", "", "history", "Q", false}, {"assistant", "", "history", "A", false}}, alone...)
	history := `{"tiers": {"L0": ["history:0", "history:1"]}, "history": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}], "prompt": "Hi"}`
	for _, c := range []struct {
		name, fixture string
		flat          bool
		want          []said
	}{
		{"tiered", `{"prompt": "Hi"}`, false, marked},
		{"flat", `{"prompt": "Hi"}`, true, alone},
		{"L0 history", history, false, inL0},
		{"history, flat", history, true, active},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := newScene(t, archive("", "conversation.json", c.fixture)).turns(t, c.flat)
			if diff := cmp.Diff(c.want, saidOf(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFenceOfFiles: no content closes its own fence, and what ends in a line
// break gets no second one.
func TestFenceOfFiles(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"plain", "a\n", "f\n```\na\n```"},
		{"no final line break", "a", "f\n```\na\n```"},
		{"empty", "", "f\n```\n```"},
		{"a line break alone", "\n", "f\n```\n\n```"},
		{"blank lines at the end", "a\n\n", "f\n```\na\n\n```"},
		{"a fence", "```go\nx\n```\n", "f\n````\n```go\nx\n```\n````"},
		{"a run inside a line", "a ````` b", "f\n``````\na ````` b\n``````"},
		{"short runs", "a `b` ``c``", "f\n```\na `b` ``c``\n```"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, archive("", "conversation.json", `{"selected": ["f"], "prompt": "Hi"}`))
			s.files["f"] = &diag.File{Path: "f", Text: c.content}
			for _, p := range contents(s.turns(t, false)) {
				if p.Content.Kind == assembly.ContentFile && p.Text.Str != c.want {
					t.Errorf("%q, not %q", p.Text.Str, c.want)
				}
			}
		})
	}
}

// contents gives what a conversation's sources say, in order.
func contents(turns []assembly.Turn) []assembly.Passage {
	var out []assembly.Passage
	for _, turn := range turns {
		for _, p := range turn.Passages {
			if p.Content != nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// TestHostileConversation is work for a moment, whatever the files hold.
func TestHostileConversation(t *testing.T) {
	const mebibyte = 1 << 20
	for _, c := range []struct{ name, text string }{
		{"backticks", strings.Repeat("`", mebibyte)},
		{"runs of backticks", strings.Repeat("``` ", mebibyte/4)},
		{"line breaks", strings.Repeat("\n", mebibyte)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := wholeScene(t)
			for path := range s.files {
				s.files[path] = &diag.File{Path: path, Text: c.text}
			}
			s.said.Review.Diffs = []language.Diff{{Text: ground.Literal(c.text)}}
			for _, turn := range s.turns(t, false) {
				for _, p := range turn.Passages {
					checkPlaces(t, p.Text)
				}
			}
		})
	}
}

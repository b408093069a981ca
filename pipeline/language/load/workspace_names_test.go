package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// hinted writes findings as a line each, with what to do.
func hinted(t *testing.T, texts map[string]string) string {
	t.Helper()
	_, found := runOn(t, testproject.From(texts))
	return withHints(found)
}

// withHints gives findings the way a terminal shows them, a line each.
func withHints(found diag.List) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(line(d) + "; " + wording.Hint(d) + "\n")
	}
	return b.String()
}

func TestWhatGitKeepsForItselfIsNotShown(t *testing.T) {
	got := hinted(t, map[string]string{
		"prompts.yaml": conversations, "ws/a.md": "a", ".git/HEAD": "h", "ws/.git/HEAD": "h", "ws/d/.GIT/HEAD": "h", "ws/git~1/x": "x", "ws/.github/x": "x",
		"f/a.yaml": "workspace: ws\nselected: [.git/HEAD, .github/x]\ntiers: {L1: [\"file:d/.GIT/HEAD\"], L2: [\"file:Git~1/x\"]}\n",
		"f/b.yaml": "workspace: ws/.git\n",
	})
	const fact, out = ` lies in the folder that Git keeps for itself; `, `choose another path: what Git keeps differs in every checkout`
	want := `f/a.yaml:2:12: error[PC1015]: path ".git/HEAD"` + fact + out + `
f/a.yaml:3:14: error[PC1015]: path "d/.GIT/HEAD"` + fact + out + `
f/a.yaml:3:40: error[PC1015]: path "Git~1/x"` + fact + out + `
f/b.yaml:1:12: error[PC1015]: path "ws/.git"` + fact + `choose another path: what Git keeps differs in every checkout
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	tree, _ := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": conversations, "f/a.yaml": "workspace: ws", "ws/a.md": "a", "ws/d/.GIT/HEAD": "h", "ws/git~1/x": "x",
	}))
	if d := cmp.Diff("ws: a.md\n  docs: \n", spaces(tree)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestNamesThatMakeNoLineAreLeftOutOfTheTree(t *testing.T) {
	dir, fsys := folder(t, map[string]string{"prompts.yaml": conversations, "f/a.yaml": "workspace: ws\n", "ws/ok.md": "ok"})
	for _, name := range []string{"ws/x\ny", "ws/tab\t/a.md", "ws/x\u2028y"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Skipf("no such names here: %v", err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Skipf("no such names here: %v", err)
		}
	}
	tree, found := runOn(t, fsys)
	want := `ws: ok.md
  docs: 
f/a.yaml:1:12: note[PC1018]: left out of the file tree: "ws/tab\t/a.md", "ws/x\ny", "ws/x<U+2028>y", which has a line break or another control character in its name
`
	if d := cmp.Diff(want, spaces(tree)+lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestAWorkspaceThatIsWrittenWrongIsFound(t *testing.T) {
	const outside = "; paths stay inside their folder; name a folder beside it under roots, or move the file"
	for workspace, want := range map[string]struct{ found, meant string }{
		"../ws":      {found: "error[PC1015]: path \"../ws\" leaves its folder" + outside},
		"WS":         {found: "error[PC1015]: workspace \"WS\" differs from \"ws\" in case alone; write ws"},
		"wss":        {meant: "ws"},
		"ws/srcs":    {meant: "ws/src"},
		"wss/SRC":    {meant: "ws/src"},
		"sources/xy": {},
		"snapshot":   {}, // of what promptc writes
	} {
		tree, found := runOn(t, testproject.From(map[string]string{
			"prompts.yaml": conversations, "ws/src/a.md": "a", "snapshots/a.txt": "a", "f/a.yaml": "workspace: " + workspace + "\n",
		}))
		if want.found != "" {
			want.found = "f/a.yaml:1:12: " + want.found + "\n"
		}
		if d := cmp.Diff(want.found, withHints(found)); d != "" {
			t.Errorf("%s (-want +got):\n%s", workspace, d)
		}
		if got := tree.Meant[workspace]; got != want.meant {
			t.Errorf("%s: meant is %q, want %q", workspace, got, want.meant)
		}
	}
}

func TestAFixtureThatIsTooLargeHasLargePictures(t *testing.T) {
	got := hinted(t, map[string]string{
		"prompts.yaml": conversations, "f/a.yaml": "images: [\"data:image/png;base64," + strings.Repeat("A", 1<<20) + "\"]\nprompt: x\n",
	})
	want := "prompts.yaml:1:42: error[PC1003]: \"f/a.yaml\" is larger than 1 MiB; make its pictures smaller, or fewer: they go into the request as they are\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

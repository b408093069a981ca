package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

func TestLinksOfWorkspacesStayInside(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": conversations,
		"f/a.yaml": `workspace: ws
selected: [file.md, inner/a.md, out.md, far.md, gone.md, circle, up/b.md, machine]
tiers: {L0: [file:aside/b.md, file:absolute]}
`,
		"ws/d/a.md": "a", "b.md": "b", "aside/b.md": "b",
	})
	link(t, dir, map[string]string{
		"ws/file.md": "d/a.md", "ws/inner": "d", "ws/d/back": "..",
		"ws/out.md": "../b.md", "ws/aside": "../aside", "ws/up": "..", "ws/far.md": "../../x.md", "ws/machine": "/usr/bin/env",
		"ws/gone.md": "nothing", "ws/circle": "circle", "ws/absolute": filepath.ToSlash(dir) + "/ws/d/a.md", "ws/z": "../b.md",
	})
	tree, found := runOn(t, fsys)
	want := `ws: d/a.md file.md inner/a.md
  docs: file.md inner/a.md
`
	if d := cmp.Diff(want, spaces(tree)); d != "" {
		t.Errorf("workspaces (-want +got):\n%s", d)
	}
	if got := tree.Workspaces["ws"].Docs["inner/a.md"]; got.Real != "ws/d/a.md" || got.File.Path != "ws/inner/a.md" {
		t.Errorf("got %+v", got)
	}
	findings := `f/a.yaml:1:12: note[PC1017]: left out of the file tree: "ws/absolute", "ws/far.md", "ws/machine", which leaves the manifest's folder through a symbolic link
f/a.yaml:1:12: note[PC1017]: left out of the file tree: "ws/aside", "ws/out.md", "ws/up" and 1 more, which leaves the workspace through a symbolic link
f/a.yaml:1:12: note[PC1018]: left out of the file tree: "ws/circle", which is a symbolic link that leads back to itself
f/a.yaml:1:12: note[PC1018]: left out of the file tree: "ws/gone.md", which is a symbolic link that leads nowhere
f/a.yaml:2:33: error[PC1017]: "ws/out.md" leaves the workspace through a symbolic link
f/a.yaml:2:41: error[PC1017]: "ws/far.md" leaves the manifest's folder through a symbolic link
f/a.yaml:2:49: error[PC1018]: "ws/gone.md" is a symbolic link that leads nowhere
f/a.yaml:2:58: error[PC1018]: "ws/circle" is a symbolic link that leads back to itself
f/a.yaml:2:66: error[PC1017]: "ws/up/b.md" leaves the workspace through a symbolic link
f/a.yaml:2:75: error[PC1017]: "ws/machine" leaves the manifest's folder through a symbolic link
f/a.yaml:3:14: error[PC1017]: "ws/aside/b.md" leaves the workspace through a symbolic link
f/a.yaml:3:31: error[PC1017]: "ws/absolute" leaves the manifest's folder through a symbolic link
`
	if d := cmp.Diff(findings, detailed(t, dir)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	if len(found) != 12 {
		t.Errorf("%d findings", len(found))
	}
}

func TestAWorkspaceMayBeALink(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": conversations, "real/a.md": "a", "b.md": "b",
		"f/a.yaml": "workspace: near\nselected: [a.md]\n",
		"f/b.yaml": "workspace: far\nselected: [a.md]\n",
		"f/c.yaml": "workspace: broken\n",
		"f/d.yaml": "workspace: file\n",
	})
	link(t, dir, map[string]string{"near": "real", "real/up.md": "../b.md", "far": "../elsewhere", "broken": "nothing", "file": "b.md"})
	tree, found := runOn(t, fsys)
	want := `near: a.md
  docs: a.md
f/a.yaml:1:12: note[PC1017]: left out of the file tree: "near/up.md", which leaves the workspace through a symbolic link
f/b.yaml:1:12: error[PC1017]: workspace "far" leaves the manifest's folder through a symbolic link
f/c.yaml:1:12: error[PC1018]: workspace "broken" is a symbolic link that leads nowhere
f/d.yaml:1:12: error[PC1018]: workspace "file" is a file
`
	if d := cmp.Diff(want, spaces(tree)+lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestNamesOfAFileLeadToIt: each name that is not the file's own is told, by the
// path below the workspace, also of what the walk does not list since it goes
// in a circle. Links above the workspace make no difference.
func TestNamesOfAFileLeadToIt(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": conversations, "deep/real/d/a.md": "a", "deep/real/b.md": "b",
		"f/a.yaml": "workspace: near\nselected: [b.md, d/back/b.md]\n",
		"f/b.yaml": "workspace: deep/real\n",
		"f/c.yaml": "workspace: .\n",
	})
	link(t, dir, map[string]string{"near": "deep/real", "deep/real/inner": "d", "deep/real/file.md": "inner/a.md", "deep/real/d/back": ".."})
	tree, _ := runOn(t, fsys)
	inside := map[string]string{"file.md": "d/a.md", "inner/a.md": "d/a.md"}
	circle := map[string]string{"file.md": "d/a.md", "inner/a.md": "d/a.md", "d/back/b.md": "b.md"}
	for name, want := range map[string]map[string]string{
		"near": circle, "deep/real": inside,
		".": {
			"deep/real/file.md": "deep/real/d/a.md", "deep/real/inner/a.md": "deep/real/d/a.md",
			"near/b.md": "deep/real/b.md", "near/d/a.md": "deep/real/d/a.md", "near/file.md": "deep/real/d/a.md", "near/inner/a.md": "deep/real/d/a.md",
		},
	} {
		if d := cmp.Diff(want, tree.Workspaces[name].Real); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestNamesInWorkspacesThatAreNotUTF8(t *testing.T) {
	dir, fsys := folder(t, map[string]string{
		"prompts.yaml": conversations, "f/a.yaml": "workspace: ws\nselected: [link.md, \"\uFFFD.md\"]\n", "ws/ok.md": "ok",
	})
	for _, name := range []string{"ws/\xff.md", "ws/d\xfe/a.md"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Skipf("no such names here: %v", err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Skipf("no such names here: %v", err)
		}
	}
	link(t, dir, map[string]string{"ws/link.md": "\xff.md"})
	tree, found := runOn(t, fsys)
	want := `ws: ok.md
  docs: 
f/a.yaml:1:12: note[PC1018]: left out of the file tree: "ws/d\xfe", "ws/\xff.md", which has a name that is not UTF-8
f/a.yaml:1:12: note[PC1018]: left out of the file tree: "ws/link.md", which is a symbolic link to a name that is not UTF-8
f/a.yaml:2:12: error[PC1018]: "ws/link.md" is a symbolic link to a name that is not UTF-8
`
	if d := cmp.Diff(want, spaces(tree)+lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDeepFoldersAreALimit(t *testing.T) {
	for depth, want := range map[int]string{
		99:  "",
		100: "f/a.yaml:1:12: error[PC1016]: workspace \"ws\" goes down through more than 100 folders\n",
		400: "f/a.yaml:1:12: error[PC1016]: workspace \"ws\" goes down through more than 100 folders\n",
	} {
		deep := strings.Repeat("d/", depth) + "a.md"
		fsys := testproject.From(map[string]string{
			"prompts.yaml": conversations, "f/a.yaml": "workspace: ws\nselected: [" + deep + "]\n", "ws/e/" + deep: "a", "ws/" + deep: "a",
		})
		_, found := runOn(t, fsys)
		if d := cmp.Diff(want, lines(found)); d != "" {
			t.Errorf("%d folders (-want +got):\n%s", depth, d)
		}
	}
}

func TestPatternsGoDownThroughAHundredFolders(t *testing.T) {
	_, fsys := folder(t, map[string]string{
		"prompts.yaml": "sources: {a: {kind: text, path: \"d/**/*.md\"}}\n", strings.Repeat("d/", 400) + "a.md": "a",
	})
	_, found := runOn(t, fsys)
	want := "prompts.yaml:1:33: error[PC1016]: path \"d/**/*.md\" goes down through more than 100 folders\n"
	if d := cmp.Diff(want, lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

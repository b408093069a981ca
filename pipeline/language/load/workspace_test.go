package load_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

const conversations = "sources: {c: {kind: conversation, path: [\"f/*.yaml\", \"f/*.json\"]}}\n"

// spaces gives the workspaces of a tree, a line each list of files and of docs.
func spaces(tree *language.Tree) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tree.Workspaces)) {
		ws := tree.Workspaces[name]
		docs := slices.Sorted(maps.Keys(ws.Docs))
		fmt.Fprintf(&b, "%s: %s\n  docs: %s\n", name, strings.Join(ws.Files, " "), strings.Join(docs, " "))
	}
	return b.String()
}

func TestWorkspacesOfConversationsAreRead(t *testing.T) {
	tests := []struct {
		name, fixture string
		want, found   string
	}{
		{"selected and files of tiers", `
workspace: ws
selected: [src/a.go, gone.go]
tiers:
  L0: ["file:README.md", "symbol:b.py", "history:0"]
  L3: [file:b.py, file:gone/too.py]
`, "ws: .hidden B.md README.md b.py src/a.go\n  docs: README.md b.py src/a.go\n", ""},
		{"nothing named", "workspace: ws/src", "ws/src: a.go\n  docs: \n", ""},
		{"no workspace", "selected: [src/a.go]", "", ""},
		{"a workspace that is not there", "workspace: away\nselected: [src/a.go]", "", ""},
		{"the manifest's folder", "workspace: .\nselected: [ws/b.py]", ".: f/a.yaml prompts.yaml ws/.hidden ws/B.md ws/README.md ws/b.py ws/src/a.go\n  docs: ws/b.py\n", ""},
		{"a slash at the end", "workspace: ./ws/src/", "./ws/src/: a.go\n  docs: \n", ""},
		{"shapes that are none", `
workspace: [ws]
selected: {a: b}
tiers: [file:x]
`, "", ""},
		{"more shapes", `
workspace: ws
selected: [null, [b.py], "", {file: x}]
tiers: {L0: "file:b.py", L1: [file:, {file: b.py}, 3, "file", "FILE:b.py", 'symbol:../x']}
`, "ws: .hidden B.md README.md b.py src/a.go\n  docs: \n", ""},
		{"not a mapping", "- workspace: ws", "", ""},
		{"nothing at all", "# later\n", "", ""},
		{
			"in another case", "workspace: Ws", "",
			"f/a.yaml:1:12: error[PC1015]: workspace \"Ws\" differs from \"ws\" in case alone\n",
		},
		{
			"files in another case", "workspace: ws\nselected: [SRC/a.go, b.md, readme.MD, readme.md]", "ws: .hidden B.md README.md b.py src/a.go\n  docs: \n",
			"f/a.yaml:2:12: error[PC1015]: path \"SRC/a.go\" differs from \"src/a.go\" in case alone\n" +
				"f/a.yaml:2:22: error[PC1015]: path \"b.md\" differs from \"B.md\" in case alone\n" +
				"f/a.yaml:2:28: error[PC1015]: path \"readme.MD\" differs from \"README.md\" in case alone\n" +
				"f/a.yaml:2:39: error[PC1015]: path \"readme.md\" differs from \"README.md\" in case alone\n",
		},
		{
			"a file as workspace", "workspace: ws/b.py\nselected: [b.py]", "",
			"f/a.yaml:1:12: error[PC1018]: workspace \"ws/b.py\" is a file\n",
		},
		{
			"a folder as file", "workspace: ws\nselected: [src]", "ws: .hidden B.md README.md b.py src/a.go\n  docs: \n",
			"f/a.yaml:2:12: error[PC1018]: \"ws/src\" is a folder\n",
		},
		{
			"among the outputs", "workspace: Snapshots/p", "",
			"f/a.yaml:1:12: error[PC1015]: workspace \"Snapshots/p\" lies in a folder that promptc writes\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, found := runOn(t, testproject.From(map[string]string{
				"prompts.yaml": conversations, "f/a.yaml": strings.TrimPrefix(test.fixture, "\n"),
				"ws/README.md": "---\nx: y\n---\n<!-- a -->\n\n# R\n\n", "ws/b.py": "b", "ws/src/a.go": "a", "ws/.hidden": "h", "ws/B.md": "B",
				"ws/.git/config": "g", ".git/config": "g", "ws/sub/.git": "gitdir: /home", "snapshots/p/x.txt": "x", "Snapshots/p/x.txt": "x",
			}))
			if test.name == "the manifest's folder" { // a file system that tells case apart shows both
				tree.Workspaces["."].Files = slices.DeleteFunc(tree.Workspaces["."].Files, func(s string) bool { return strings.HasPrefix(s, "Snapshots") })
			}
			if d := cmp.Diff(test.want, spaces(tree)); d != "" {
				t.Errorf("workspaces (-want +got):\n%s", d)
			}
			if d := cmp.Diff(test.found, lines(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

func TestPathsOfConversationsAreChecked(t *testing.T) {
	long := strings.Repeat("*", 300)
	tests := []struct{ path, fact, hint string }{
		{"/etc/passwd", "is absolute", "relative to"},
		{"../prompts.yaml", "leaves its folder", "stay inside"},
		{"a/../../b", "leaves its folder", "stay inside"},
		{"./b.py", "has the element \".\"", "relative to"},
		{".", "is the workspace itself", "name a file"},
		{"a//b", "has an empty element", "one `/`"},
		{"src/", "ends with a slash", "name a file"},
		{`src\a.go`, "holds a backslash", "one `/`"},
		{"C:/a", "starts with a drive letter", "relative to"},
		{"https://a.b/c", "is an address", "save the text"},
		{"aux.c", "has a name that Windows keeps for a device", "rename"},
		{"a\x00b", "holds a NUL character", "remove"},
		{long, "has a name longer than 255 bytes", "no file"},
		{strings.Repeat("a/", 2048) + "a", "is longer than 4,096 bytes", "no file"},
	}
	for _, test := range tests {
		for _, workspace := range []string{`"workspace": "ws", `, ""} {
			quoted := strings.ReplaceAll(strings.ReplaceAll(test.path, `\`, `\\`), "\x00", `\u0000`)
			_, found := runOn(t, testproject.From(map[string]string{
				"prompts.yaml": conversations, "ws/b.py": "b",
				"f/a.json": "{" + workspace + `"selected": ["` + quoted + `"], "tiers": {"L1": ["file:` + quoted + `"]}}`,
			}))
			if len(found) != 2 {
				t.Errorf("%.40q: %s", test.path, lines(found))
			}
			for _, d := range found {
				if d.Code != diag.BadPath || !strings.HasSuffix(wording.Message(d), "\" "+test.fact) || !strings.Contains(wording.Hint(d), test.hint) {
					t.Errorf("%.40q: %s (%s)", test.path, line(d), wording.Hint(d))
				}
			}
		}
	}
}

func TestWorkspacesStayInTheManifestsFolder(t *testing.T) {
	for workspace, want := range map[string]string{
		"../ws": "leaves its folder", "/ws": "is absolute", "//": "is absolute", ".//ws": "has an empty element", "ws/../..": "leaves its folder",
		"a//b": "has an empty element", `ws\a`: "holds a backslash", "nul": "has a name that Windows", strings.Repeat("[", 256): "has a name longer",
		strings.Repeat("a/", 3000): "is longer than 4,096 bytes",
	} {
		tree, found := runOn(t, testproject.From(map[string]string{
			"prompts.yaml": conversations, "f/a.yaml": "workspace: '" + workspace + "'\nselected: [b.py]\n", "ws/b.py": "b",
		}))
		if len(found) != 1 || found[0].Code != diag.BadPath || !strings.Contains(wording.Message(found[0]), want) || len(tree.Workspaces) > 0 {
			t.Errorf("%.40q: got %s, want %q", workspace, lines(found), want)
		}
	}
}

func TestNamesThatReadLikePatternsAreNames(t *testing.T) {
	fixture := `{"workspace": "w[s]", "selected": ["*.md", "{m}.md", "[a].md", "a?.md", "-", "日本 語/😀.md"]}`
	tree, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": conversations + "prompts: {p: {axes: {m: [a]}}}\n", "f/a.json": fixture,
		"w[s]/*.md": "star", "w[s]/{m}.md": "m", "w[s]/[a].md": "a", "w[s]/a.md": "x", "w[s]/-": "dash", "w[s]/日本 語/😀.md": "j", "ws/b.md": "no",
	}))
	want := "w[s]: *.md - [a].md a.md {m}.md 日本 語/😀.md\n  docs: *.md - [a].md {m}.md 日本 語/😀.md\n"
	if d := cmp.Diff(want, spaces(tree)+lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWorkspaceFilesAreReadAsTheyAre(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"a.md":          {"---\nbroken: [\n---\n<!-- open\n\n# A  \n\n", ""},
		"b.yaml":        {"a: b: c: [", ""},
		"c.json":        {"{\n", ""},
		"d.txt":         {"\n\n  x\n", ""},
		"e.bin":         {"", ""},
		"f.txt":         {"\uFEFFa\r\nb\r\n", "a\nb\n"},
		"g/IDENTITY.md": {"> - **Name:**", ""},
	} {
		tree, found := runOn(t, testproject.From(map[string]string{
			"prompts.yaml": conversations, "f/a.yaml": "workspace: ws\nselected: [" + name + "]\n", "ws/" + name: test.data,
		}))
		doc := tree.Workspaces["ws"].Docs[name]
		if doc == nil || found.HasErrors() {
			t.Errorf("%s: %s", name, lines(found))
			continue
		}
		if test.want == "" {
			test.want = test.data
		}
		if doc.File.Text != test.want || doc.Body.Str != test.want || doc.File.Path != "ws/"+name || doc.Real != "ws/"+name || doc.Format != language.PlainText || doc.Front != nil {
			t.Errorf("%s: %+v", name, doc)
		}
		if normalised := len(found) == 1 && found[0].Code == diag.TextNormalised; normalised != (test.want != test.data) {
			t.Errorf("%s: %s", name, lines(found))
		}
	}
}

func TestFilesThatAreNoTextsAreRefusedAtEveryEntry(t *testing.T) {
	tree, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": conversations,
		"f/a.yaml":     "workspace: ws\nselected: [logo.png, zero.txt, wide.txt, big.txt, merge.txt]\n",
		"f/b.yaml":     "workspace: ./ws\ntiers: {L2: [\"file:logo.png\", \"file:big.txt\", file:merge.txt]}\n",
		"ws/logo.png":  "\x89PNG\r\n\x1a\n\x00\x00", "ws/zero.txt": "ab\x00", "ws/wide.txt": "\xff\xfea\x00", "ws/big.txt": strings.Repeat("x", 1<<20+1),
		"ws/merge.txt": "a\n<<<<<<< ours\n=======\n>>>>>>> theirs\n", "ws/other.bin": "\xff\xfe\x00",
	}))
	want := `f/a.yaml:2:12: error[PC1001]: "ws/logo.png" is not a UTF-8 text: byte 0x89 at offset 0 is not UTF-8
f/a.yaml:2:22: error[PC1001]: "ws/zero.txt" is not a UTF-8 text: NUL character at offset 2
f/a.yaml:2:32: error[PC1001]: "ws/wide.txt" is not a UTF-8 text: the file is encoded as UTF-16 (little endian), not as UTF-8
f/a.yaml:2:42: error[PC1003]: "ws/big.txt" is larger than 1 MiB
f/b.yaml:2:14: error[PC1001]: "ws/logo.png" is not a UTF-8 text: byte 0x89 at offset 0 is not UTF-8
f/b.yaml:2:31: error[PC1003]: "ws/big.txt" is larger than 1 MiB
ws/merge.txt:2:1: error[PC1002]: unresolved merge conflict up to line 4
`
	if d := cmp.Diff(want, lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for name, ws := range tree.Workspaces {
		if len(ws.Docs) > 0 || len(ws.Files) != 6 {
			t.Errorf("%s: %v", name, ws)
		}
	}
}

func TestAFileIsReadOnce(t *testing.T) {
	tree, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": "sources: {c: {kind: conversation, path: \"f/*.yaml\"}, a: {kind: text, path: ws/a.md}, other: {kind: text, path: f/x.md}}\n",
		"f/a.yaml":     "workspace: ws\nselected: [a.md, a.md, src/b.md]\ntiers: {L0: [file:a.md]}\n",
		"f/b.yaml":     "workspace: ws/\nselected: [a.md, c.md]\n",
		"f/c.yaml":     "workspace: ws/src\nselected: [b.md]\n",
		"f/x.md":       "workspace: nowhere", "g/a.yaml": "workspace: ../x",
		"ws/a.md": "<!-- c -->\na", "ws/c.md": "c", "ws/src/b.md": "b",
	}))
	want := "ws: a.md c.md src/b.md\n  docs: a.md c.md src/b.md\nws/: a.md c.md src/b.md\n  docs: a.md c.md src/b.md\nws/src: b.md\n  docs: b.md\n"
	if d := cmp.Diff(want, spaces(tree)+lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	one, two, three := tree.Workspaces["ws"], tree.Workspaces["ws/"], tree.Workspaces["ws/src"]
	if one.Docs["a.md"] != two.Docs["a.md"] || one.Docs["src/b.md"] != three.Docs["b.md"] {
		t.Error("a file has two docs")
	}
	source := tree.Matches[language.MatchKey{Path: "ws/a.md", Kind: "text"}][0]
	if source.File != one.Docs["a.md"].File || source == one.Docs["a.md"] || source.Body.Str != "a" {
		t.Errorf("got %+v", source)
	}
}

func TestWorkspacesHaveALimit(t *testing.T) {
	many := func(n int) fstest.MapFS {
		texts := map[string]string{"prompts.yaml": conversations, "f/b.yaml": "workspace: ws/\n"}
		var selected strings.Builder
		for i := range n {
			name := fmt.Sprintf("d%d/%d.md", i%100, i)
			texts["ws/"+name] = "x"
			fmt.Fprintf(&selected, "- %s\n- gone/%s\n", name, name)
		}
		texts["f/a.yaml"] = "workspace: ws\nselected:\n" + selected.String()
		return testproject.From(texts)
	}
	tree, found := runOn(t, many(10_000))
	if ws := tree.Workspaces["ws"]; len(found) > 0 || len(ws.Files) != 10_000 || len(ws.Docs) != 10_000 {
		t.Errorf("got %.300s", lines(found))
	}
	_, found = runOn(t, many(10_001))
	want := "f/a.yaml:1:12: error[PC1016]: workspace \"ws\" has more than 10,000 files\n" +
		"f/b.yaml:1:12: error[PC1016]: workspace \"ws\" has more than 10,000 files\n"
	if d := cmp.Diff(want, lines(found)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

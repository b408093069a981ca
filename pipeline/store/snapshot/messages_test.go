package snapshot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

func TestBlocksShowMessages(t *testing.T) {
	got := outputs(t, chats(coder()))["coder/outline.txt"]
	want := `# coder: 6 variants
dialect        openai-chat                              dialect=openai-chat
dialect        anthropic                                dialect=anthropic
dialect        gemini                                   dialect=gemini           (without cache breakpoints)
system         sections/system.txt                      all
extra          sections/extra.txt                       all
reminder       sections/reminder.txt                    all
conversation   first                                    state=first              fixtures/first.yaml
conversation   long                                     state=long               fixtures/long.yaml

## state=first
system         L0
  system       sections/system.txt
  extra        sections/extra.txt
  "# Map"
  legend       legend.txt
── cache breakpoint ──
user           tree
  "# Repository Files"
  tree         tree.txt
assistant      tree
  "Ok."
user           prompt
  prompt       prompt/first.txt
  reminder     sections/reminder.txt
  images       images/first/1.txt

## state=long
system         L0
  system       sections/system.txt
  extra        sections/extra.txt
  "# Map"
  legend       legend.txt
  symbols      symbols/b.md.txt
user           L0 history
  history      history/long/0-user.txt
assistant      L0 history
  history      history/long/1-assistant.txt
── cache breakpoint ──
user           L1
  "# Reference Files"
  files        files/src/a.go.txt
assistant      L1
  "Ok."
── cache breakpoint ──
user           tree
  "# Repository Files"
  tree         tree.txt
assistant      tree
  "Ok."
user           urls
  "# URL Context"
  urls         urls/long/1.txt
  urls         urls/long/2.txt                          (join "\n---\n")
assistant      urls
  "Ok, I've reviewed the URL content."
user           prompt
  prompt       prompt/long.txt
  reminder     sections/reminder.txt
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestContentsAreStoredByPath(t *testing.T) {
	got := outputs(t, chats(coder()))
	want := []string{
		"README.md", "coder/files/src/a.go.txt", "coder/history/long/0-user.txt", "coder/history/long/1-assistant.txt",
		"coder/images/first/1.txt", "coder/legend.txt", "coder/outline.txt", "coder/prompt/first.txt", "coder/prompt/long.txt",
		"coder/sections/extra.txt", "coder/sections/reminder.txt", "coder/sections/system.txt", "coder/symbols/b.md.txt",
		"coder/tree.txt", "coder/urls/long/1.txt", "coder/urls/long/2.txt",
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	for path, text := range map[string]string{
		"coder/files/src/a.go.txt": "src/a.go\n```\npackage a\n```\n",
		"coder/legend.txt":         "f=func\n",
		"coder/images/first/1.txt": "image/png\n9 bytes\nsha256 " + sha("a picture") + "\n",
	} {
		if got[path] != text {
			t.Errorf("%s holds %q, want %q", path, got[path], text)
		}
	}
}

func TestAnEditOfOneContentChangesOneFile(t *testing.T) {
	before := outputs(t, chats(coder()))
	for edit, want := range map[string]string{
		"package a\n>package b\n": "coder/files/src/a.go.txt",
		"f=func>F=func":           "coder/legend.txt",
		"Old?>Older?":             "coder/history/long/0-user.txt",
		"a picture>a painting":    "coder/images/first/1.txt",
		"You edit>You review":     "coder/sections/system.txt",
	} {
		old, replacement, _ := strings.Cut(edit, ">")
		after := outputs(t, chats(coder(old, replacement)))
		var changed []string
		for _, p := range paths(after) {
			if before[p] != after[p] {
				changed = append(changed, p)
			}
		}
		if len(before) != len(after) || !slices.Equal(changed, []string{want}) {
			t.Errorf("%s: changed %v", edit, changed)
		}
	}
}

// said gives a chat with one fixture a state, in which the turns are what
// texts say: a kind, a key and a text each.
func said(texts func(fixture string) [][3]string, fixtures ...string) chat {
	kinds := map[string]assembly.ContentKind{}
	for k := assembly.ContentLegend; k <= assembly.ContentPrompt; k++ {
		kinds[k.String()] = k
	}
	return chat{
		draft:   draft{id: "p", axes: []string{"state=" + strings.Join(fixtures, ",")}},
		dialect: func(at) string { return "anthropic" },
		turns: func(p at) (string, []assembly.Turn) {
			var out []assembly.Turn
			for _, c := range texts(p["state"]) {
				out = append(out, turn(language.RoleUser, "", "files", piece(kinds[c[0]], c[1], p["state"], c[2])))
			}
			return p["state"], out
		},
	}
}

// contents gives the files of a prompt but for the outline.
func contents(t *testing.T, in snapshot.Input) []string {
	t.Helper()
	var out []string
	for _, p := range paths(outputs(t, in)) {
		if rel, ok := strings.CutPrefix(p, "p/"); ok && rel != "outline.txt" {
			out = append(out, rel)
		}
	}
	return out
}

func TestTextsOfAWorkspaceThatDifferAreNamedAfterTheirFixture(t *testing.T) {
	got := contents(t, chats(said(func(fixture string) [][3]string {
		out := [][3]string{{"legend", "", "L"}, {"tree", "", "of " + fixture}, {"files", "a", "A"}, {"prompt", "", "Hi " + fixture}}
		if fixture == "b" {
			out[0][2], out[2][2] = "L of b", "A of b"
		}
		return out
	}, "a", "b", "c")))
	want := []string{
		"files/a.txt", "files/a~b.txt", "legend.txt", "legend~b.txt", "prompt/a.txt", "prompt/b.txt", "prompt/c.txt",
		"tree.txt", "tree~b.txt", "tree~c.txt",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOddPathsOfContents(t *testing.T) {
	long := strings.Repeat("n", 300)
	keys := []string{
		"a b", "../up", "con.txt", ".git/HEAD", "GIT~1/x", "Read.me", "read.me", "x", "x/y", "x.txt", "x.txt/y", "grüße", long + "1", long + "2",
		strings.Repeat("d/", 300) + "x", strings.Repeat("d/", 300) + "y", "main.c~", "a~one", "a",
	}
	in := chats(said(func(fixture string) [][3]string {
		var out [][3]string
		for _, key := range keys {
			out = append(out, [3]string{"files", key, key + " of " + fixture})
		}
		return append(out, [3]string{"history", "0-user", fixture})
	}, "zero", "one", "ONE", "x.txt", "two/deep", long))
	files := tree(t, in)
	if want := len(keys)*6 + 6 + 2; len(files) != want {
		t.Errorf("%d files, want %d", len(files), want)
	}
	if delta, found := compare(t, files, in); len(found) > 0 || delta.Drifted() {
		t.Errorf("not clean after a build: %v %v", lines(found), statuses(delta.Snapshots))
	}
	seen := map[string]bool{}
	for p := range files {
		if low := strings.ToLower(p); seen[low] {
			t.Errorf("%s differs from another only in case", p)
		} else {
			seen[low] = true
		}
	}
	for _, p := range []string{
		"files/a%20b.txt", "files/%2E%2E/up.txt", "files/%2Egit/HEAD.txt", "files/%47IT~1/x.txt", "files/%63on.txt.txt", "files/x.txt", "files/x/y.txt", "files/x.txt.txt", "files/x%2Etxt/y.txt",
		"files/a~two%2Fdeep.txt", "files/a~%4F%4E%45.txt", "history/x%2Etxt/0-user.txt", "history/two/deep/0-user.txt",
	} {
		if files["snapshots/p/"+p] == nil {
			t.Errorf("there is no %s", p)
		}
	}
}

// Of each three bytes one is changed, or taken away.
func TestEveryByteOfAContentCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
	in := withDist(chats(coder()))
	files := tree(t, in)
	if delta, found := compare(t, files, in); len(found) > 0 || delta.Drifted() || len(delta.Artifacts.Changes) > 0 {
		t.Fatalf("not clean after a build: %v %v", lines(found), statuses(delta.Snapshots))
	}
	for path, file := range files {
		whole := string(file.Data)
		if !strings.HasPrefix(path, "snapshots/coder/") {
			continue
		}
		for i := 0; i < len(whole); i += 3 {
			file.Data = []byte([...]string{whole[:i] + "#" + whole[i+1:], whole[:i] + whole[i+1:]}[i%2])
			if string(file.Data) == whole {
				continue
			}
			delta, _ := compare(t, files, in)
			if got := statuses(delta.Snapshots); !slices.Equal(got, []string{"changed " + path}) {
				t.Fatalf("byte %d of %s: %v", i, path, got)
			}
		}
		file.Data = []byte(whole)
	}
}

// TestAnyChangeOfAMessageShows changes every part, role, marker, image and
// dialect of every variant, one at a time.
func TestAnyChangeOfAMessageShows(t *testing.T) {
	before := tree(t, chats(coder()))
	drifts := func(what string, change func(snapshot.Input)) {
		in := chats(coder())
		change(in)
		if delta, _ := compare(t, before, in); !delta.Drifted() {
			t.Errorf("%s changes no snapshot", what)
		}
	}
	for n, a := range chats(coder()).Artifacts {
		for i, p := range a.Parts {
			drifts(fmt.Sprintf("%s: %q", a.Variant.Name, p.Text), func(in snapshot.Input) { lengthen(in.Artifacts[n], i) })
			drifts(fmt.Sprintf("%s: without %q", a.Variant.Name, p.Text), func(in snapshot.Input) { in.Artifacts[n].Parts[i].Text = "" })
		}
		for m, message := range a.Messages {
			drifts("a role", func(in snapshot.Input) { in.Artifacts[n].Messages[m].Role = "developer" })
			for b, block := range message.Blocks {
				drifts("a marker", func(in snapshot.Input) {
					in.Artifacts[n].Messages[m].Blocks[b].Marked = !block.Marked
				})
				if block.Image != nil {
					drifts("an image", func(in snapshot.Input) { in.Artifacts[n].Messages[m].Blocks[b].Image.Data = "AAAA" })
				}
			}
		}
		drifts("a dialect", func(in snapshot.Input) { in.Artifacts[n].Variant.Dialect = inDialect("openai-responses") })
	}
}

// lengthen adds a line break to a part, and to the rendering that it is of.
func lengthen(a *assembly.Artifact, part int) {
	p := &a.Parts[part]
	p.Text += "\n"
	if p.Section >= 0 {
		longer := *p.Rendering
		longer.Text = ground.Literal(p.Text)
		p.Rendering, a.Used[p.Section] = &longer, &longer
	}
}

func TestStrangersAmongContentsAreTold(t *testing.T) {
	in := chats(coder())
	files := tree(t, in)
	for _, p := range []string{
		"files/old.go.txt", "legend~gone.txt", "tree~a%2Fb.txt", "images/first/2.txt", "history/gone/0-user.txt", ".legend.txt123", "full/state=first.json",
		"legends.txt", "files/src/b.go", "files/.git/HEAD.txt", "notes/x.txt", "legend@x=1.txt", "files/a.json", "full/x.yaml",
	} {
		files["snapshots/coder/"+p] = &fstest.MapFile{Data: []byte("x")}
	}
	delta, found := compare(t, files, in)
	orphans := []string{
		"orphaned snapshots/coder/.legend.txt123", "orphaned snapshots/coder/files/old.go.txt", "orphaned snapshots/coder/full/state=first.json",
		"orphaned snapshots/coder/history/gone/0-user.txt", "orphaned snapshots/coder/images/first/2.txt",
		"orphaned snapshots/coder/legend~gone.txt", "orphaned snapshots/coder/tree~a%2Fb.txt",
	}
	if diff := cmp.Diff(orphans, statuses(delta.Snapshots)); diff != "" {
		t.Error(diff)
	}
	var foreign []string
	for _, d := range found {
		foreign = append(foreign, string(d.Code)+" "+d.Span.File.Path)
	}
	want := []string{
		"PC7003 snapshots/coder/files/.git", "PC7003 snapshots/coder/files/a.json", "PC7003 snapshots/coder/files/src/b.go", "PC7003 snapshots/coder/full/x.yaml",
		"PC7003 snapshots/coder/legend@x=1.txt", "PC7003 snapshots/coder/legends.txt", "PC7003 snapshots/coder/notes",
	}
	if diff := cmp.Diff(want, foreign); diff != "" {
		t.Error(diff)
	}
}

func TestFoldersThatHoldFilesOfAWorkspaceAreRefused(t *testing.T) {
	in := chats(coder())
	in.Plan.Spec.Tree = &language.Tree{Workspaces: map[string]*language.Workspace{
		"snapshots": {Docs: map[string]*language.Doc{"a.go": {File: &diag.File{Path: "snapshots/a.go"}}}},
	}}
	delta, found := compare(t, fstest.MapFS{}, in)
	want := []string{`prompts.yaml PC7001 folder "snapshots" holds the source "snapshots/a.go"`}
	if diff := cmp.Diff(want, lines(found)); diff != "" || delta != nil {
		t.Error(diff)
	}
}

func TestContentsKnowWhatTheyStandFor(t *testing.T) {
	in := chats(coder())
	file := &diag.File{Path: "workspace/src/a.go", Text: "package a"}
	for _, a := range in.Artifacts {
		for i, p := range a.Parts {
			if c := p.Passage; c != nil && c.Content != nil && c.Content.Kind == assembly.ContentFile {
				var b ground.Builder
				b.WriteString("src/a.go\n```\n")
				b.WriteText(ground.Verbatim(diag.Whole(file)))
				b.WriteString("\n```")
				a.Parts[i].Passage = &assembly.Passage{Content: c.Content, Text: b.Text()}
			}
		}
	}
	delta, _ := compare(t, fstest.MapFS{}, in)
	got := map[string]assembly.Owner{}
	for _, o := range delta.Wanted {
		got[strings.TrimPrefix(o.Path, "snapshots/coder/")] = o.Owner
	}
	for path, item := range map[string]string{
		"files/src/a.go.txt": "files/src/a.go", "legend.txt": "legend", "images/first/1.txt": "images/first/1",
		"history/long/0-user.txt": "history/long/0-user", "prompt/long.txt": "prompt/long",
	} {
		if o := got[path]; o.Kind != assembly.OutContent || o.Prompt != "coder" || o.Section != "" || o.Item != item {
			t.Errorf("%s stands for %v %s %q %q", path, o.Kind, o.Prompt, o.Section, o.Item)
		}
	}
	o := got["files/src/a.go.txt"]
	if at := o.Text.Span(13, 20); at.File != file || at.Start != 0 || at.End != 7 {
		t.Errorf("%q is placed at %v", o.Text.Str[13:20], at)
	}
	if len(o.Users) != 1 || o.Users[0].Set.Len() != 3 {
		t.Errorf("users %v", o.Users)
	}
}

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// needGit skips a test where there is no git.
func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
}

func TestUniqueLines(t *testing.T) {
	const diff = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,3 +1 @@ a heading
--- a rule
-same
-same
+same
@@ -9,0 +8,2 @@
+++ b/y
+a
\ No newline at end of file
diff --git a/y b/y
--- a/y
+++ /dev/null
@@ -1 +0,0 @@
-same
`
	want := signed{"--- a rule": true, "-same": true, "+same": true, "+++ b/y": true, "+a": true}
	if d := cmp.Diff(want, uniqueLines([]byte(diff))); d != "" {
		t.Error(d)
	}
}

func TestMeasureText(t *testing.T) {
	const text = `2 changes, 1 prompt, 2 of 2 variants

p  text  text changed
  a/long/path.md:1 and 1 more place
  +8 tokens
  affects all 2
  @@ line 1 @@
  -a
  +b
   - c, which moved
  - d
`
	hunk, header, all := measureText(text)
	if hunk != 3 || header != 7 || all != 11 {
		t.Errorf("hunk %d, header %d, all %d", hunk, header, all)
	}
	said := difference{unique: signed{"-a": true, "+\"key\": b,": true}}
	if n := said.lacks(text); n != 1 {
		t.Errorf("git lacks %d of the lines", n)
	}
}

func TestPatterns(t *testing.T) {
	const manifest = `version: 1
sources: {soul: {kind: soul, path: [a.md, "b/*.md"]}}
prompts:
  p: {rendered: "t/{model}/{case}.snap", axes: auto, tools: "t/{model}.json"}
  q: {rendered: {path: q.snap, entry: "q {x}"}, description: "x.md"}
`
	got, err := patterns([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a.md", "b/*.md", "q.snap", "t/*.json", "t/*/*.snap"}, got); d != "" {
		t.Error(d)
	}
	if _, err := patterns([]byte("version: 1\n")); err == nil {
		t.Error("a manifest without paths reads something")
	}
	files := []string{"b/c.txt", "b/c/d.md", "t/x/y.snap.orig", "t/y.snap", "u/y.snap", "a.txt"}
	if d := cmp.Diff([]string{"b/c/d.md", "t/y.snap"}, unread(append(got, "*.txt"), files)); d != "" {
		t.Error(d)
	}
}

// The edits of TestHolds.
func someEdits() []edit {
	return []edit{
		{Removed: []string{"b\n"}, Added: []string{"B\n", "b2\n"}},
		{Added: []string{"new\n"}},
		{Removed: []string{"d"}, Added: []string{"d\n"}},
		{Removed: []string{"a\n"}},
	}
}

func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		name, base, head string
		pair             pair
		want             string // in the error, "" for none
	}{
		{name: "nothing", base: "a\n", head: "a\n"},
		{name: "lines", base: "a\nb\nc\n", head: "a\nB\nb2\nc\n", pair: pair{Hunks: []hunk{{0, 2, 2}}}},
		{name: "a line in front", base: "a\n", head: "new\na\n", pair: pair{Hunks: []hunk{{1, 1, 1}}}},
		{name: "a line at the end", base: "a\n", head: "a\nnew\n", pair: pair{Hunks: []hunk{{1, 2, 2}}}},
		{name: "a line break at the end", base: "a\nd", head: "a\nd\n", pair: pair{Hunks: []hunk{{2, 2, 2}}}},
		{name: "a move", base: "a\nb\nc\nx\n", head: "b\nx\na\nc\n", pair: pair{Moves: []move{{4, 2, 1}, {1, 3, 1}}}},
		{name: "a move and an edit", base: "a\nb\nc\n", head: "c\na\nB\nb2\n", pair: pair{Hunks: []hunk{{0, 2, 3}}, Moves: []move{{3, 1, 1}}}},
		{name: "twice", base: "b\nb\n", head: "B\nb2\nB\nb2\n", pair: pair{Hunks: []hunk{{0, 1, 1}, {0, 2, 3}}}},
		{name: "a new text", base: "", head: "new\n", pair: pair{Hunks: []hunk{{1, 1, 1}}}},
		{"another line", "a\nc\n", "a\nB\nb2\n", pair{Hunks: []hunk{{0, 2, 2}}}, `removes "b\n" from line 2 of the base, which is "c\n"`},
		{"a line that is not there", "a\n", "", pair{Hunks: []hunk{{3, 2, 1}}}, "line 2 of the base is not there"},
		{"taken twice", "a\nc\n", "c\n", pair{Hunks: []hunk{{3, 1, 1}, {3, 1, 1}}}, "taken twice"},
		{"given twice", "a\n", "new\na\n", pair{Hunks: []hunk{{1, 1, 1}, {1, 1, 1}}}, "given twice"},
		{"no such edit", "a\n", "a\n", pair{Hunks: []hunk{{9, 1, 1}}}, "no edit 9"},
		{"too few", "a\n", "a\nnew\n", pair{}, "1 lines of the head are missing"},
		{"too many", "a\nb\n", "a\n", pair{}, "1 lines too many"},
		{"another place in the head", "x\ny\n", "x\nnew\ny\n", pair{Hunks: []hunk{{1, 1, 2}}}, "stands behind 0 lines of the base and 1 of the head"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.pair.holds(tt.base, tt.head, someEdits())
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestBoth(t *testing.T) {
	edits := []edit{{Removed: []string{"one two three\n", "}\n"}}, {Added: []string{"}\n", "one two three\n"}}}
	if got := (pair{Hunks: []hunk{{0, 1, 1}, {1, 3, 1}}}).both(edits); got != "one two three\n" {
		t.Errorf("got %q", got)
	}
	if got := (pair{Hunks: []hunk{{1, 1, 1}}}).both(edits); got != "" {
		t.Errorf("a line is only added: %q", got)
	}
}

func TestWhatTheTextShows(t *testing.T) {
	edits := []edit{{Removed: []string{"be quick\n"}, Added: []string{"  be very quick\n", "a line that is much too long for a terminal\n"}}}
	for _, tt := range []struct {
		name, text          string
		invented, uncounted bool
	}{
		{"all", "  -be quick\n  +  be {+very +}quick\n  +a line that is much too long for a terminal\n", false, false},
		{"an elided line", "  -be quick\n  +  be {+very +}quick\n  +a line …(25 more characters)… a terminal\n", false, false},
		{"another line", "  -be slow\n  -be quick\n  +  be very quick\n  +a line that is much too long for a terminal\n", true, false},
		{"another elided line", "  +a line …(25 more characters)… a window\n", true, true},
		{"an elided line of another length", "  -be quick\n  +  be very quick\n  +a line …(22 more characters)… a terminal\n", true, true},
		{"a line of the other side", "  +be quick\n  -be quick\n  +  be very quick\n  +a line that is much too long for a terminal\n", true, false},
		{"less", "  -be quick\n", false, true},
		{"less, and a count", "  -be quick\n  … 2 more lines\n", false, false},
		{"a setting alone", "p  setting join changed\n  3 more lines of the text follow from it\n", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := invented(tt.text, edits); (len(got) > 0) != tt.invented {
				t.Errorf("invented: %q", got)
			}
			if got := uncounted(tt.text, edits); (got != "") != tt.uncounted {
				t.Errorf("uncounted: %q", got)
			}
		})
	}
}

func TestShows(t *testing.T) {
	braces := [2]string{"{+", "+}"}
	for _, tt := range []struct {
		printed, line string
		want          bool
	}{
		{"refs/{+{+}tag{+}+}/head", "refs/{tag}/head", true},
		{"refs/{+{+}tag{+}+}/head", "refs/tag}/head", false},
		{"a{+b+}c", "abc", true},
		{"a{+b+}c", "a{+b+}c", true},
		{"a{+{+x+}+}c", "a{+x+}c", true},
		{"a{+bc", "abc", false},
		{"a{+b+}c", "abd", false},
		{"{+  +}- a", "- a", true},
		{"a{+ +}", "a", true},
		{"…(4 more characters)…{+d+}é…(1,000 more characters)…", "äbc …dé" + strings.Repeat("ö", 1000), false},
		{"…(5 more characters)…{+d+}é…(1,000 more characters)…", "äbc …dé" + strings.Repeat("ö", 1000), true},
		{"…(3 more characters)…c", "…(3 more characters)…c", true},
		{strings.Repeat("{++}", 500), strings.Repeat("{++}", 499) + "x", false},
	} {
		if got := shows(tt.printed, tt.line, braces); got != tt.want {
			t.Errorf("%.40q shows %.40q: %v", tt.printed, tt.line, got)
		}
	}
}

// made is a repository with a history: in two folders, one of which is looked at.
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(files ...string) {
		t.Helper()
		for i := 0; i < len(files); i += 2 {
			name := filepath.Join(dir, files[i])
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		run("add", "-A")
	}
	run("init", "-q")
	write("t/ask.md", "You answer.\nBe brief.\n", "t/edit.md", "You edit.\nBe brief.\n")
	run("commit", "-qm", "two prompts")
	write("t/ask.md", "You answer.\nBe short.\n", "t/edit.md", "You edit.\nBe short.\n", "other.txt", "x\n")
	run("commit", "-qm", "short")
	write("other.txt", "y\n")
	run("commit", "-qm", "nothing about prompts")
	run("update-index", "--chmod=+x", "t/ask.md")
	run("commit", "-qm", "a mode")
	write("t/ask.md", "You answer.\nBe short.\n-- and true\n")
	run("commit", "-qm", "true")
	return dir
}

func TestHistory(t *testing.T) {
	needGit(t)
	h, err := openHistory(t.Context(), made(t))
	if err != nil {
		t.Fatal(err)
	}
	commits, err := h.commits("HEAD", []string{"t/**"})
	if err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, c := range commits {
		subjects = append(subjects, c.subject)
	}
	if d := cmp.Diff([]string{"two prompts", "short", "a mode", "true"}, subjects); d != "" {
		t.Fatal(d)
	}
	if commits[0].parent != h.empty || commits[1].parent != commits[0].id {
		t.Errorf("the parents are wrong: %v", commits)
	}
	said, err := h.difference(commits[1].parent, commits[1].id, []string{"t/*.md"})
	if err != nil || len(said.unique) != 2 || said.lines != 14 {
		t.Errorf("git says %v (%v)", said, err)
	}
	dir := t.TempDir()
	if skipped, err := h.write(dir, commits[3].id, []string{"t/**"}); err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "t", "ask.md")); err != nil || string(text) != "You answer.\nBe short.\n-- and true\n" {
		t.Errorf("%q (%v)", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "other.txt")); err == nil {
		t.Error("a file beside the globs was written")
	}
	if _, err := h.commits("HEAD", []string{"nothing/**"}); err == nil {
		t.Error("a glob that matches nothing is taken")
	}
}

// built gives the promptc of this repository.
func built(t *testing.T) string {
	t.Helper()
	t.Chdir("..") // where the program is to be run
	name, err := program(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReplay(t *testing.T) {
	needGit(t)
	promptc, repo, rows := built(t), made(t), filepath.Join(t.TempDir(), "rows")
	var out strings.Builder
	if _, err := run(t.Context(), []string{"-promptc", promptc, "-shared", "-name", "made", "-worst", "1", "-rows", rows, repo, "t/*.md"}, &out); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"| made | init at head | 4 | 1 | 0 | 0 | 3 |",
		"true\n",
	}
	for _, part := range want {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is missing in\n%s", part, &out)
		}
	}
	text, err := os.ReadFile(rows)
	if err != nil || strings.Count(string(text), "\n") != 4 || !strings.Contains(string(text), `"Subject":"short","Refused":"","Failed":"","Skipped":0,"Unique":2,"Git":14,"Beside":0,"Hunk":2,`) {
		t.Errorf("%s (%v)", text, err)
	}
}

// TestJudge holds the laws that need texts against a difference that keeps them,
// and one that does not.
func TestJudge(t *testing.T) {
	needGit(t)
	b := &bench{ctx: context.Background(), opt: options{promptc: built(t)}, base: t.TempDir(), head: t.TempDir()}
	const manifest = "version: 1\nprompts: {p: {rendered: t.md}}\n"
	for side, text := range map[string]string{b.base: "one\ntwo of two lines\nthree\n", b.head: "one\nthree\nfour\n"} {
		for name, text := range map[string]string{"prompts.yaml": manifest, "t.md": text} {
			if err := os.WriteFile(filepath.Join(side, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := &named{"p", "p"}
	edits := []edit{
		{Kind: "text-changed", Removed: []string{"two of two lines\n"}},
		{Kind: "text-changed", Added: []string{"four\n"}},
		{Kind: "text-changed", Removed: []string{"three\n"}, Added: []string{"three\n", "four\n"}},
	}
	for _, tt := range []struct {
		name  string
		texts []pair
		want  []string
	}{
		{"kept", []pair{{Head: p, Base: p, Variants: []string{"p"}, Hunks: []hunk{{0, 2, 2}, {1, 4, 3}}}}, nil},
		{"longer than git's", []pair{{Head: p, Base: p, Variants: []string{"p"}, Hunks: []hunk{{0, 2, 2}, {2, 3, 2}}}}, []string{lawSound}},
		{"not the head's text", []pair{{Head: p, Base: p, Variants: []string{"p"}, Hunks: []hunk{{0, 2, 2}}}}, []string{lawPatch}},
		{"kept quiet", nil, []string{lawPatch}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			doc := document{Changes: edits, Texts: &tt.texts}
			out := row{}
			if err := b.judgeTexts(&out, doc, t.TempDir(), func(law, _ string, _ ...any) { got = append(got, law) }); err != nil || len(out.Unchecked) > 0 {
				t.Fatal(err, out.Unchecked)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTally(t *testing.T) {
	rows := []row{
		{Unique: 2, Hunk: 2, Header: 4, Lines: 8, Git: 10, Took: time.Second},
		{Unique: 2, Hunk: 6, Header: 2, Lines: 30, Git: 10, Violations: []violation{{lawOnce, ""}, {lawPatch, ""}}},
		{Refused: "no"},
		{Refused: "no"},
		{Unique: 1, Failed: "exit 3"},
		{},
	}
	got := tally(rows)
	want := []string{"1.00", "3.00", "1.00", "once", "2 × refused: no,1 × failed: exit 3"}
	if d := cmp.Diff(want, []string{got.share(row.hunks, 50), got.share(row.hunks, 90), got.share(row.headers, 50), strings.Fields(strings.Replace(got.laws(), "patch 1, ", "", 1))[0], strings.Join(got.reasons(), ",")}); d != "" {
		t.Error(d)
	}
	if took, _ := got.slowest(); got.longer() != 1 || took != time.Second || got.none != 1 || got.refused != 2 || got.failed != 1 {
		t.Errorf("%+v", got)
	}
}

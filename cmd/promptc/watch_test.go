package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// watched is a project, and a promptc that watches it.
type watched struct {
	dir    string
	env    []string
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan error // that of reading stdout to its end

	mu   sync.Mutex
	said bytes.Buffer
	more chan struct{}
}

func newWatched(t *testing.T, files map[string]string) *watched {
	t.Helper()
	w := &watched{dir: t.TempDir(), env: append(os.Environ(), "NO_COLOR=1"), ended: make(chan error, 1), more: make(chan struct{}, 1)}
	for name, text := range files {
		w.write(t, name, text)
	}
	return w
}

func (w *watched) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *watched) write(t *testing.T, name, text string) {
	t.Helper()
	file := w.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// promptc gives all that a command prints, in the order in which it does.
func (w *watched) promptc(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(ourProgram(t), args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	said, err := cmd.CombinedOutput()
	if ended := (&exec.ExitError{}); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return string(said)
}

func (w *watched) start(t *testing.T, args ...string) {
	t.Helper()
	w.cmd = exec.Command(ourProgram(t), append([]string{"watch"}, args...)...)
	w.cmd.Dir, w.cmd.Env, w.cmd.Stderr = w.dir, w.env, &w.stderr
	out, err := w.cmd.StdoutPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := io.Copy(w, out)
		w.ended <- err
	}()
	t.Cleanup(func() { _ = w.cmd.Process.Kill() })
}

// Write takes what the watch prints.
func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return w.said.Write(p)
}

// changes are what was printed so far, one for each change behind the first.
func (w *watched) changes(t *testing.T) []string {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	parts := strings.Split("\n"+w.said.String(), "\n==> change ")
	parts[0] = "0" + parts[0]
	for i, p := range parts {
		number, text, whole := strings.Cut(p, "\n")
		if whole && number != strconv.Itoa(i) {
			t.Fatalf("%q is not change %d", p, i)
		}
		parts[i] = strings.TrimSuffix(text, "\n") + "\n"
	}
	return parts
}

// shows waits until the last change says what check says now.
func (w *watched) shows(t *testing.T) string {
	t.Helper()
	args := append([]string{"check"}, w.cmd.Args[2:]...)
	want, late := w.promptc(t, args...), time.After(time.Minute)
	for {
		changes := w.changes(t)
		if changes[len(changes)-1] == want {
			return want
		}
		select {
		case <-w.more:
		case <-late:
			t.Fatalf("check says\n%s\nwatch says\n%s\n%s", want, changes[len(changes)-1], w.stderr.String())
		}
	}
}

// watchStep changes what a check reads.
type watchStep struct {
	name  string
	do    func()
	clean bool // the snapshots are up to date then
}

// follow holds that the watch says the same as a check after each step.
func (w *watched) follow(t *testing.T, steps []watchStep) {
	t.Helper()
	for i, s := range append([]watchStep{{name: "the start", do: func() {}, clean: true}}, steps...) {
		s.do()
		if said := w.shows(t); strings.HasPrefix(said, "snapshots are up to date") != s.clean {
			t.Errorf("step %d, %s: %s", i, s.name, said)
		}
	}
	w.end(t)
}

// end ends the watch as Ctrl+C does. No process that it started may be left: that
// would have its stdout still.
func (w *watched) end(t *testing.T) {
	t.Helper()
	stop := os.Interrupt
	if runtime.GOOS == "windows" {
		stop = os.Kill
	}
	if err := w.cmd.Process.Signal(stop); err != nil {
		t.Fatal(err)
	}
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
	err := w.cmd.Wait()
	if state := w.cmd.ProcessState.String(); !strings.HasPrefix(state, "signal: ") && runtime.GOOS != "windows" {
		t.Errorf("ended with %s: %v", state, err)
	}
	if said, want := w.stderr.String(), "promptc: note: watching; Ctrl+C ends it\n"; said != want {
		t.Errorf("stderr has %q", said)
	}
	changes := w.changes(t)
	if !slices.Equal(changes, slices.Compact(slices.Clone(changes))) {
		t.Errorf("a change is reported twice:\n%s", w.said.String())
	}
}

// must runs steps in order.
func must(t *testing.T, steps ...error) {
	t.Helper()
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
}

// ways are how programs save a file.
var ways = []struct {
	name string
	save func(t *testing.T, file, text string)
}{
	{"in place", func(t *testing.T, file, text string) { // VS Code, nano
		t.Helper()
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}},
	{"with a backup", func(t *testing.T, file, text string) { // vim
		t.Helper()
		probe := filepath.Join(filepath.Dir(file), "4913")
		must(t, os.WriteFile(probe, nil, 0o644), os.Remove(probe), os.Rename(file, file+"~"), os.WriteFile(file, []byte(text), 0o644), os.Remove(file+"~"))
	}},
	{"renamed over", func(t *testing.T, file, text string) { // git, sed -i
		t.Helper()
		must(t, os.WriteFile(file+".tmp", []byte(text), 0o644), os.Rename(file+".tmp", file))
	}},
	{"safe write", func(t *testing.T, file, text string) { // JetBrains
		t.Helper()
		must(t, os.WriteFile(file+"___jb_tmp___", []byte(text), 0o644), os.Rename(file, file+"___jb_old___"),
			os.Rename(file+"___jb_tmp___", file), os.Remove(file+"___jb_old___"))
	}},
	{"deleted and created", func(t *testing.T, file, text string) {
		t.Helper()
		must(t, os.Remove(file), os.WriteFile(file, []byte(text), 0o644))
	}},
}

var watchedProject = map[string]string{
	"prompts.yaml": `version: 1
sources:
  rules: {kind: rules, path: "rules/**/*.md", absent: omit}
prompts:
  agent:
    axes: {mode: [ask, edit]}
    sections:
      - {id: role, path: role.md}
      - {id: mode, path: "modes/{mode}.md"}
      - {id: rules, source: rules}
`,
	"role.md":       "You help.\n",
	"modes/ask.md":  "Answer.\n",
	"modes/edit.md": "Change files.\n",
	"rules/a.md":    "Be brief.\n",
	"rules/b/c.md":  "Be kind.\n",
}

// TestWatchReportsEveryEdit edits at random: PROMPTC_EDITS=200 for the full number.
func TestWatchReportsEveryEdit(t *testing.T) {
	t.Parallel()
	w := newWatched(t, watchedProject)
	w.promptc(t, "build")
	w.start(t)
	w.shows(t)
	var want []string
	random, used := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for i := range rounds(t, "PROMPTC_EDITS", 15) {
		name := []string{"role.md", "modes/ask.md", "modes/edit.md", "rules/a.md", "rules/b/c.md"}[random.IntN(5)]
		way := ways[(i+random.IntN(2))%len(ways)]
		used[way.name]++
		way.save(t, w.path(name), fmt.Sprintf("%sThis is edit %d.\n", watchedProject[name], i))
		want = append(want, w.shows(t))
	}
	w.end(t)
	changes := w.changes(t)
	for i, one := range want {
		if n := len(slices.DeleteFunc(slices.Clone(changes), func(c string) bool { return c != one })); n != 1 {
			t.Errorf("edit %d is reported %d times", i, n)
		}
	}
	t.Logf("%d edits, %d reports, %v", len(want), len(changes)-1, used)
}

func TestWatchFollowsWhatACheckReads(t *testing.T) {
	t.Parallel()
	w := newWatched(t, watchedProject)
	manifest := watchedProject["prompts.yaml"]
	put := func(name, text string) func() { return func() { w.write(t, name, text) } }
	move := func(from, to string) func() { return func() { must(t, os.Rename(w.path(from), w.path(to))) } }
	remove := func(name string) func() { return func() { must(t, os.RemoveAll(w.path(name))) } }
	w.promptc(t, "build")
	w.start(t)
	w.follow(t, []watchStep{
		{"a broken manifest", put("prompts.yaml", manifest+"{"), false},
		{"is repaired", put("prompts.yaml", manifest), true},
		{"no manifest", move("prompts.yaml", "kept.yaml"), false},
		{"is there again", move("kept.yaml", "prompts.yaml"), true},
		{"a second manifest", put("prompts.yml", manifest), false},
		{"goes", remove("prompts.yml"), true},
		{"a folder goes", move("modes", "kept"), false},
		{"and comes again", move("kept", "modes"), true},
		{"a file in it still counts", put("modes/ask.md", "Answer at once.\n"), false},
		{"a build", func() { w.promptc(t, "build") }, true},
		{"a new folder in a pattern", put("rules/new/deep/d.md", "Be quick.\n"), false},
		{"a file in it", put("rules/new/deep/d.md", "Be slow.\n"), false},
		{"the folder gets another name", move("rules/new", "rules/other"), false},
		{"a file in it still counts", put("rules/other/deep/d.md", "Be quiet.\n"), false},
		{"the folder goes", remove("rules/other"), true},
		{"a folder is replaced at once", func() {
			must(t, os.CopyFS(w.path("copy"), os.DirFS(w.path("modes"))), os.RemoveAll(w.path("modes")), os.Rename(w.path("copy"), w.path("modes")))
			w.write(t, "modes/edit.md", "Change one file.\n")
		}, false},
		{"back", put("modes/edit.md", watchedProject["modes/edit.md"]), true},
		{"an edited snapshot", put("snapshots/agent/sections/role.txt", "You do not help.\n"), false},
		{"all snapshots go", remove("snapshots"), false},
		{"a build", func() { w.promptc(t, "build") }, true},
		{"the manifest names a file that is not there", put("prompts.yaml", strings.Replace(manifest, "role.md", "far/away/role.md", 1)), false},
		{"which comes", put("far/away/role.md", "You help.\n"), false},
		{"its folders go", remove("far"), false},
		{"and come", put("far/away/role.md", "You help a lot.\n"), false},
		{"the old manifest", put("prompts.yaml", manifest), true},
		{"an edit then", put("role.md", "You listen.\n"), false},
	})
}

// inFolder puts files into a folder.
func inFolder(folder string, files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[folder+"/"+name] = text
	}
	return out
}

// In a repository: links, a root, a policy, a commit, and a project that is cloned
// again while somebody watches it from outside.
func TestWatchInARepository(t *testing.T) {
	t.Parallel()
	files := inFolder("p", watchedProject)
	files["p/prompts.yaml"] = "extends: \"shared:policy.yaml\"\nroots: {shared: ../shared}\n" +
		strings.Replace(watchedProject["prompts.yaml"], "path: role.md", "path: \"shared:role.md\"", 1)
	files["shared/policy.yaml"] = "version: 1\nchecks: [{code: PC6024, level: error}]\n"
	files["shared/role.md"], files["p/texts/other.md"] = "You help all.\n", "Answer in one word.\n"
	w := newWatched(t, files)
	w.env = append(w.env, gitWorld(t.TempDir())...)
	git := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = w.dir, w.env
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	git("init", "-qb", "main")
	w.promptc(t, "build", "-C", "p")
	git("add", ".")
	git("commit", "-qm", "one")
	w.start(t, "-C", "p")
	w.follow(t, []watchStep{
		{"a file in a root", func() { w.write(t, "shared/role.md", "You help everybody.\n") }, false},
		{"a policy", func() { w.write(t, "shared/policy.yaml", "version: 1\nnothing: 1\n") }, false},
		{"all as it was", func() { git("checkout", "-q", ".") }, true},
		{"a link in place of a file", func() {
			must(t, os.Remove(w.path("p/modes/ask.md")), os.Symlink("../texts/other.md", w.path("p/modes/ask.md")))
		}, false},
		{"what it leads to", func() { w.write(t, "p/texts/other.md", "Answer in two words.\n") }, false},
		{"a snapshot that somebody edits", func() {
			git("checkout", "-q", ".")
			w.write(t, "p/snapshots/agent/sections/role.txt", "You help me.\n")
		}, false},
		{"a build that is committed", func() {
			git("checkout", "-q", ".")
			w.write(t, "shared/role.md", "You help us.\n")
			w.promptc(t, "build", "-C", "p")
			git("commit", "-qam", "two")
		}, true},
		{"a snapshot of the commit before", func() { git("checkout", "-q", "HEAD~1", "--", "p/snapshots") }, false},
		{"the project goes", func() { must(t, os.RemoveAll(w.path("p"))) }, false},
		{"and comes again", func() { git("checkout", "-qf", "HEAD", "--", ".") }, true},
		{"an edit then", func() { w.write(t, "p/modes/edit.md", "Change nothing.\n") }, false},
	})
}

func TestWatchInAWorkspace(t *testing.T) {
	t.Parallel()
	const one, work = "version: 1\nprompts: {agent: {sections: [{id: role, path: role.md}]}}\n", "version: 1\nprojects: [\"teams/*\"]\n"
	w := newWatched(t, map[string]string{
		"promptc.work.yaml":    work,
		"teams/a/prompts.yaml": one, "teams/a/role.md": "You help.\n",
		"teams/b/prompts.yaml": one, "teams/b/role.md": "You listen.\n",
	})
	w.promptc(t, "build")
	w.start(t)
	w.follow(t, []watchStep{
		{"an edit", func() { w.write(t, "teams/b/role.md", "You talk.\n") }, false},
		{"back", func() { w.write(t, "teams/b/role.md", "You listen.\n") }, true},
		{"a new project", func() { must(t, os.CopyFS(w.path("teams/c"), os.DirFS(w.path("teams/a")))) }, true},
		{"an edit in it", func() { w.write(t, "teams/c/role.md", "You write.\n") }, false},
		{"it goes", func() { must(t, os.RemoveAll(w.path("teams/c"))) }, true},
		{"a broken file of the workspace", func() { w.write(t, "promptc.work.yaml", "version: 1\nproject: x\n") }, false},
		{"is repaired", func() { w.write(t, "promptc.work.yaml", work) }, true},
		{"a broken project", func() { w.write(t, "teams/a/prompts.yaml", one+"x\n") }, false},
		{"an edit in another", func() { w.write(t, "teams/b/role.md", "You read.\n") }, false},
	})
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// teams is a random workspace in a repository.
type teams struct {
	t       *testing.T
	random  *rand.Rand
	dir     string
	folders []string // of the projects, sorted
}

func (w *teams) write(name, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// runApp gives what a command prints at the top, and its exit status.
func (w *teams) run(args ...string) (stdout, stderr string, status int) {
	w.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(ourProgram(w.t), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// newTeams makes projects, some of which share files, and builds them.
func newTeams(t *testing.T, seed uint64) *teams {
	t.Helper()
	w := &teams{t: t, random: rand.New(rand.NewPCG(seed, 18)), dir: t.TempDir()}
	if out, err := exec.Command("git", "init", "-q", w.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, rule := range []string{"a", "b", "c"} {
		w.write("shared/"+rule+".md", w.text())
	}
	for i := range 1 + w.random.IntN(5) {
		folder := fmt.Sprintf("teams/%c%d", 'z'-rune(w.random.IntN(20)), i)
		if w.random.IntN(3) == 0 {
			folder = path.Join(folder, "deep")
		}
		w.folders = append(w.folders, folder)
		w.write(folder+"/own.md", w.text())
		up := strings.Repeat("../", strings.Count(folder, "/")+1)
		w.write(folder+"/prompts.yaml", w.manifest(up+"shared"))
	}
	slices.Sort(w.folders)
	w.write("promptc.work.yaml", "version: 1\nprojects: [\"teams/**\"]\n")
	w.run("build")
	return w
}

func (w *teams) text() string {
	return strings.Repeat("Answer with care. ", 1+w.random.IntN(4)) + strconv.Itoa(w.random.IntN(100)) + "\n"
}

func (w *teams) manifest(root string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nroots: {shared: %s}\nprompts:\n", root)
	for i := range 1 + w.random.IntN(2) {
		fmt.Fprintf(&b, "  p%d:\n    axes: {tier: [free, paid]}\n    budget: {tokens: %d}\n    sections:\n", i, 20+w.random.IntN(60))
		fmt.Fprintf(&b, "      - {id: own, path: own.md, when: {tier: %s}}\n", []string{"free", "paid"}[w.random.IntN(2)])
		for _, rule := range []string{"a", "b", "c"} {
			if w.random.IntN(2) == 0 {
				fmt.Fprintf(&b, "      - {id: %s, path: \"shared:%s.md\"}\n", rule, rule)
			}
		}
		fmt.Fprintf(&b, "      - {id: text, text: Be brief.}\n")
	}
	return b.String()
}

// spoil changes something, or makes a manifest wrong.
func (w *teams) spoil() {
	folder := w.folders[w.random.IntN(len(w.folders))]
	switch w.random.IntN(5) {
	case 0:
		w.write("shared/a.md", w.text())
	case 1:
		w.write(folder+"/own.md", w.text())
	case 2:
		w.write(folder+"/prompts.yaml", "version: 1\nprompt: {}\n")
	case 3:
		if err := os.RemoveAll(filepath.Join(w.dir, filepath.FromSlash(folder), "snapshots")); err != nil {
			w.t.Fatal(err)
		}
	default:
		w.write(folder+"/own.md", "")
	}
}

// TestCheckOfAWorkspaceIsThatOfItsProjects compares the checks of each project
// with the one of all: prompts have their folder before their names, and nothing
// else differs. The exit status is the highest.
func TestCheckOfAWorkspaceIsThatOfItsProjects(t *testing.T) {
	for seed := range uint64(rounds(t, "PROMPTC_WORKSPACES", 6)) {
		w := newTeams(t, seed)
		for range w.random.IntN(4) {
			w.spoil()
		}
		highest := 0
		merged := map[string][]any{}
		counts := map[string]float64{}
		for _, folder := range w.folders {
			stdout, stderr, status := w.run("-C", folder, "check", "--format", "json")
			highest = max(highest, status)
			one := w.document(strings.ReplaceAll(stdout, "(promptc explain ", "(promptc -C "+folder+" explain "), stderr)
			placed(one, folder)
			add(merged, counts, one)
		}
		stdout, stderr, status := w.run("check", "--format", "json")
		all := map[string][]any{}
		sums := map[string]float64{}
		add(all, sums, w.document(stdout, stderr))
		if status != highest {
			t.Errorf("seed %d: check exits %d, that of a project %d", seed, status, highest)
		}
		if diff := cmp.Diff(merged, all); diff != "" {
			t.Errorf("seed %d: alone, and all together:\n%s", seed, diff)
		}
		if diff := cmp.Diff(counts, sums); diff != "" {
			t.Errorf("seed %d: counts alone, and all together:\n%s", seed, diff)
		}
	}
}

func (w *teams) document(stdout, stderr string) map[string]any {
	w.t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		w.t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	return doc
}

// placed puts the folder of a project before the names of its prompts.
func placed(doc any, folder string) {
	switch d := doc.(type) {
	case map[string]any:
		for key, value := range d {
			name, ok := value.(string)
			switch names, list := value.([]any); {
			case ok && (key == "id" || key == "prompt" || key == "name"):
				d[key] = folder + "/" + name
			case list && key == "prompts" && len(names) > 0:
				for i := range names {
					if id, ok := names[i].(string); ok {
						names[i] = folder + "/" + id
					}
				}
				placed(names, folder)
			default:
				placed(value, folder)
			}
		}
	case []any:
		for _, value := range d {
			placed(value, folder)
		}
	}
}

// add takes over what a document says, but for prompts that were not composed: a
// project that does not compile has none in a report on several. A sentence names
// the command that explains a variant with the folder, if it is not the own.
func add(lists map[string][]any, counts map[string]float64, doc map[string]any) {
	for key, value := range doc {
		if list, ok := value.([]any); ok && key == "prompts" {
			value = slices.DeleteFunc(list, func(p any) bool { return len(p.(map[string]any)["variants"].([]any)) == 0 }) //nolint:forcetypeassert // as the schema says
		}
		switch v := value.(type) {
		case []any:
			lists[key] = append(lists[key], v...)
			slices.SortStableFunc(lists[key], func(a, b any) int {
				one, _ := a.(map[string]any)["path"].(string)   //nolint:forcetypeassert // as the schema says
				other, _ := b.(map[string]any)["path"].(string) //nolint:forcetypeassert // as the schema says
				return strings.Compare(one, other)
			})
		case float64:
			if key != "version" {
				counts[key] += v
			}
		}
	}
}

// TestOrderOfFilesChangesNothing writes the files of a workspace in another order:
// every command prints the same.
func TestOrderOfFilesChangesNothing(t *testing.T) {
	w := newTeams(t, 4)
	w.spoil()
	other := &teams{t: t, dir: t.TempDir()}
	var names []string
	err := filepath.WalkDir(w.dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		below, err := filepath.Rel(w.dir, name)
		if err != nil {
			t.Fatal(err)
		}
		other.write(filepath.ToSlash(below), string(text))
	}
	for _, args := range [][]string{{"check"}, {"check", "--format", "json"}, {"list", "--format", "json"}, {"build"}} {
		was, wasSaid, _ := w.run(args...)
		is, isSaid, _ := other.run(args...)
		if diff := cmp.Diff(was+wasSaid, is+isSaid); diff != "" {
			t.Errorf("%v:\n%s", args, diff)
		}
	}
}

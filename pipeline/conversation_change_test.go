package pipeline_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/tests/testproject"
)

// builtWorld gives the tree of a project after a build.
func builtWorld(t testing.TB, w *world) (*prompt.Result, fstest.MapFS) {
	t.Helper()
	fsys := w.fsys()
	r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml"})
	if err != nil || r.Delta == nil {
		t.Fatal(err, r.Findings)
	}
	return r, built(fsys, outputs(r))
}

// inFullOf gives the paths that a fixture shows in full.
func (w *world) inFullOf(f *fixture) []string {
	found := map[string]bool{}
	for _, key := range append(slices.Concat(f.tiers[:]...), prefixed("file:", f.selected)...) {
		if p, ok := strings.CutPrefix(key, "file:"); ok && !w.empty(f, p) {
			found[p] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// inFull gives the workspace files that the fixtures show in full, as paths of
// the tree.
func (w *world) inFull() []string {
	found := map[string]bool{}
	for _, f := range w.fixtures {
		for _, p := range w.inFullOf(f) {
			found[path.Join(f.workspace, p)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func TestEditingAWorkspaceFileChangesOneItem(t *testing.T) {
	skipIfShort(t)
	edits := 0
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		_, fsys := builtWorld(t, w)
		for _, name := range w.inFull()[:min(2, len(w.inFull()))] {
			edits++
			changed := maps.Clone(fsys)
			changed[name] = &fstest.MapFile{Data: append([]byte("edited "), fsys[name].Data...)}
			r := compile(t, changed)
			var items []string
			for _, c := range r.Delta.Snapshots {
				items = append(items, c.Output.Path)
			}
			if len(items) != 1 || !strings.HasPrefix(items[0], "snapshots/talk/files/") {
				t.Errorf("seed %d: editing %q changes %q", seed, name, items)
			}
		}
	}
	if edits < worlds {
		t.Errorf("only %d edits", edits)
	}
}

// mutate changes, removes or adds a single byte.
func mutate(random *rand.Rand, whole []byte) ([]byte, int) {
	i := random.IntN(len(whole))
	out := bytes.Clone(whole)
	switch random.IntN(4) {
	case 0:
		return slices.Delete(out, i, i+1), i
	case 1:
		return slices.Insert(out, i, []byte("x \n0`/\"")[random.IntN(7)]), i
	case 2:
		out[i] ^= byte(1 + random.IntN(127))
	default:
		out[i] = []byte("ax \n019`\r")[random.IntN(9)]
	}
	return out, i
}

func TestEveryByteOfEveryContentCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for seed := range uint64(worlds / 4) {
		r, fsys := builtWorld(t, newWorld(seed))
		var contents []string
		for _, o := range r.Delta.Wanted {
			if o.Owner.Kind == assembly.OutContent {
				contents = append(contents, o.Path)
			}
		}
		for range 10 {
			changed := maps.Clone(fsys)
			var names []string
			for _, name := range contents {
				text, _ := mutate(random, fsys[name].Data)
				if !bytes.Equal(text, fsys[name].Data) {
					names = append(names, name)
					changed[name] = &fstest.MapFile{Data: text}
				}
			}
			mustBeRed(t, r, changed, names, "")
		}
	}
}

// fixtureFrom turns what the program read of a fixture into the model, so that
// the documented rules say whether a change can be seen.
func fixtureFrom(r *prompt.Result, file string) *fixture {
	for doc, c := range r.Spec.Conversations {
		if doc.File.Path != file {
			continue
		}
		out := &fixture{workspace: strings.TrimSuffix(c.Workspace.Str, "/"), legend: c.Legend.Str, prompt: c.Prompt.Str}
		for _, s := range c.Selected {
			out.selected = append(out.selected, s.Str)
		}
		for i, t := range c.Tiers {
			for _, k := range t {
				out.tiers[i] = append(out.tiers[i], k.Word.Str)
			}
		}
		for _, s := range c.Symbols {
			out.symbols = append(out.symbols, named{s.Path.Str, s.Text.Str})
		}
		for _, h := range c.History {
			out.history = append(out.history, named{h.Role.Str, h.Content.Str})
		}
		for _, p := range c.URLs {
			out.urls = append(out.urls, page{p.Title.Str, p.URL.Str, p.Content.Str, p.Symbols.Str})
		}
		for _, i := range c.Images {
			out.images = append(out.images, i.URL)
		}
		if v := c.Review; v != nil {
			out.codeReview = &codeReview{v.Summary.Str, v.Commits.Str, v.Stats.Str, v.Symbols.Str, nil}
			for _, d := range v.Diffs {
				out.codeReview.diffs = append(out.codeReview.diffs, named{d.Path.Str, d.Text.Str})
			}
		}
		return out
	}
	return nil
}

// visible gives all that can be seen of a fixture.
func (w *world) visible(f *fixture) []any {
	return []any{w.messages(f, false), w.messages(f, true), f.images}
}

// trimmed gives what a JSON fixture says, read by another reader, without the
// white space around its texts.
func trimmed(text []byte) any {
	var root any
	if json.Unmarshal(text, &root) != nil {
		return nil
	}
	var walk func(any) any
	walk = func(value any) any {
		switch v := value.(type) {
		case string:
			return strings.TrimSpace(v)
		case []any:
			out := []any{}
			for _, item := range v {
				out = append(out, walk(item))
			}
			return out
		case map[string]any:
			out := map[string]any{}
			for k, item := range v {
				out[k] = walk(item)
			}
			return out
		}
		return value
	}
	return walk(root)
}

// TestEveryByteOfAFixtureReachesAnOutput changes single bytes of fixtures: a
// change is an error, or seen, or one of nothing that is shown.
func TestEveryByteOfAFixtureReachesAnOutput(t *testing.T) {
	skipIfShort(t)
	random := rand.New(rand.NewPCG(10, 11))
	seen, refused := 0, 0
	for seed := range uint64(worlds / 4) {
		w := newWorld(seed)
		before, fsys := builtWorld(t, w)
		for range 30 {
			f := w.fixtures[random.IntN(len(w.fixtures))]
			changed := maps.Clone(fsys)
			text, i := mutate(random, fsys[f.file].Data)
			changed[f.file] = &fstest.MapFile{Data: text}
			r := testproject.Compile(t, changed, pipeline.Built)
			if r.Stopped || r.Delta == nil {
				refused++
				continue
			}
			was, is := fixtureFrom(before, f.file), fixtureFrom(r, f.file)
			if strings.HasSuffix(f.file, ".json") && cmp.Diff(was, is, cmp.AllowUnexported(fixture{}, named{}, page{}, codeReview{})) == "" &&
				!reflect.DeepEqual(trimmed(fsys[f.file].Data), trimmed(text)) {
				t.Errorf("seed %d: a change of byte %d of %s is not read:\n%s", seed, i, f.file, text)
			}
			for _, a := range r.Artifacts {
				if a.Build.Prompt.ID.Str != "talk" || w.fixtureOf(a) != f {
					continue
				}
				if diff := cmp.Diff(w.messages(is, isFlat(a)), spoken(a)); diff != "" {
					t.Errorf("seed %d, %s (-documented +built):\n%s", seed, a.Variant.Name, diff)
				}
			}
			if r.Delta.Drifted() {
				seen++
			} else if !reflect.DeepEqual(w.visible(was), w.visible(is)) {
				t.Errorf("seed %d: a change of byte %d of %s goes unseen:\n%s", seed, i, f.file, text)
			}
		}
	}
	if seen < worlds || refused < worlds {
		t.Errorf("only %d changes seen and %d refused", seen, refused)
	}
}

// asShown gives what stands between the fences: whether the last line ended is
// not told apart there.
func asShown(file []byte) string {
	text := asRead(string(file))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func TestEveryByteOfAShownFileReachesAnOutput(t *testing.T) {
	skipIfShort(t)
	random := rand.New(rand.NewPCG(12, 13))
	for seed := range uint64(worlds / 4) {
		w := newWorld(seed)
		_, fsys := builtWorld(t, w)
		names := w.inFull()
		for range min(20, 20*len(names)) {
			name := names[random.IntN(len(names))]
			if len(fsys[name].Data) == 0 {
				continue
			}
			changed := maps.Clone(fsys)
			text, i := mutate(random, fsys[name].Data)
			changed[name] = &fstest.MapFile{Data: text}
			r := testproject.Compile(t, changed, pipeline.Built)
			if !r.Stopped && !r.Delta.Drifted() && asShown(text) != asShown(fsys[name].Data) {
				t.Errorf("seed %d: a change of byte %d of %q goes unseen: %q", seed, i, name, text)
			}
		}
	}
}

func TestSameConversationsGiveSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for seed := range uint64(worlds / 4) {
		w := newWorld(seed)
		fsys := w.fsys()
		runtime.GOMAXPROCS(1)
		want := compile(t, fsys)
		runtime.GOMAXPROCS(8)
		got := compile(t, shuffled{fsys, rand.New(rand.NewPCG(seed, 1))})
		if diff := cmp.Diff(outputs(want), outputs(got)); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if len(want.Findings) != len(got.Findings) {
			t.Errorf("seed %d: other findings", seed)
			continue
		}
		for i := range want.Findings {
			if worded(want.Findings[i]) != worded(got.Findings[i]) {
				t.Errorf("seed %d: %s instead of %s", seed, worded(got.Findings[i]), worded(want.Findings[i]))
			}
		}
	}
}

// TestConversationsAreWrittenOnce builds on a disk, twice.
func TestConversationsAreWrittenOnce(t *testing.T) {
	for seed := range uint64(5) {
		dir := t.TempDir()
		testproject.Write(t, dir, newWorld(seed).fsys())
		times := func() map[string]string {
			out := map[string]string{}
			err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				stat, err := os.Lstat(name)
				out[name] = stat.ModTime().String() + " " + strconv.FormatInt(stat.Size(), 10)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		var was map[string]string
		for round := range 2 {
			r := compile(t, os.DirFS(dir))
			if n := len(r.Delta.Snapshots) + len(r.Delta.Artifacts.Changes); round > 0 && n > 0 {
				t.Errorf("seed %d: %d files are out of date after a build", seed, n)
			}
			if err := pipeline.Commit(dir, r, snapshot.Snapshots+snapshot.Artifacts); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(was, times()); round > 0 && diff != "" {
				t.Errorf("seed %d: the second build touches files: %s", seed, diff)
			}
			was = times()
		}
	}
}

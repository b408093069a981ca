package pipeline_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

// ourselves reads this repository's own prompts, sources and snapshots into
// memory: its largest test.
func ourselves(t *testing.T) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	root := os.DirFS("..")
	for _, top := range []string{"prompts.yaml", "sources", "snapshots"} {
		err := fs.WalkDir(root, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(root, name)
			out[name] = &fstest.MapFile{Data: text}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func compile(t *testing.T, fsys fs.FS) *prompt.Result {
	t.Helper()
	r, err := pipeline.Compile(fsys, "prompts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if r.Stopped || r.Delta == nil {
		t.Fatalf("the run stopped: %v", r.Findings)
	}
	return r
}

// compare holds a compiled result against another tree, without compiling
// again.
func compare(t *testing.T, r *prompt.Result, fsys fs.FS) (drift bool) {
	t.Helper()
	delta, found, err := snapshot.Run(fsys, snapshot.Input{
		Plan: r.Plan, Renderings: r.Renderings, Artifacts: r.Artifacts,
		Count: counter(r), Tokenizer: r.Plan.Tokenizer,
	})
	if err != nil {
		t.Fatal(err)
	}
	return found.HasErrors() || delta == nil || delta.Drifted()
}

func counter(r *prompt.Result) func(string) int {
	c := pipeline.Counters(r.Spec)(r.Plan.Tokenizer)
	return func(text string) int { return c.Sum([]string{text}) }
}

func TestOurOwnSnapshotsAreCurrent(t *testing.T) {
	r := compile(t, ourselves(t))
	for _, d := range r.Findings {
		t.Errorf("%s: %s", d.Code, d.Message)
	}
	for _, c := range r.Delta.Snapshots {
		t.Errorf("%s is out of date; run: go run ./cmd/promptc build", c.Output.Path)
	}
}

// TestEveryByteOfEverySnapshotCounts changes, removes and adds single bytes
// in every snapshot, and files beside them: each turns the check red.
func TestEveryByteOfEverySnapshotCounts(t *testing.T) {
	fsys := ourselves(t)
	r := compile(t, fsys)
	if compare(t, r, fsys) {
		t.Fatal("the tree is not current to begin with")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for name, file := range fsys {
		if !strings.HasPrefix(name, "snapshots/") {
			continue
		}
		whole := file.Data
		positions := []int{0, len(whole) - 1, random.IntN(len(whole)), random.IntN(len(whole)), random.IntN(len(whole))}
		for _, i := range positions {
			changed := bytes.Clone(whole)
			changed[i] ^= byte(1 + random.IntN(127))
			for what, data := range map[string][]byte{
				"changed": changed,
				"removed": slices.Delete(bytes.Clone(whole), i, i+1),
				"doubled": slices.Insert(bytes.Clone(whole), i, 'x'),
			} {
				fsys[name] = &fstest.MapFile{Data: data}
				if !compare(t, r, fsys) {
					t.Errorf("%s with byte %d %s passes", name, i, what)
				}
			}
		}
		delete(fsys, name)
		if !compare(t, r, fsys) {
			t.Errorf("%s may be missing", name)
		}
		fsys[name] = file
		extra := path.Join(path.Dir(name), "extra.txt")
		fsys[extra] = &fstest.MapFile{Data: []byte("extra\n")}
		if !compare(t, r, fsys) {
			t.Errorf("%s may be added", extra)
		}
		delete(fsys, extra)
	}
}

// TestEverySourceByteReachesAnOutput changes letters of the bodies of this
// repository's sources: none may go unseen.
func TestEverySourceByteReachesAnOutput(t *testing.T) {
	fsys := ourselves(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"sources/persona/SOUL.md", "sources/persona/guidelines/tools.md", "sources/persona/tools/exec.json"} {
		file := fsys[name]
		for range 6 {
			letters := letterPositions(file.Data)
			i := letters[random.IntN(len(letters))]
			changed := bytes.Clone(file.Data)
			changed[i] ^= 0x20 // the other case: still a letter, still valid
			fsys[name] = &fstest.MapFile{Data: changed}
			r, err := pipeline.Compile(fsys, "prompts.yaml")
			if err != nil {
				t.Fatal(err)
			}
			if !r.Stopped && !r.Delta.Drifted() {
				t.Errorf("%s: a change of byte %d (%q) goes unseen", name, i, file.Data[i])
			}
		}
		fsys[name] = file
	}
}

func letterPositions(text []byte) []int {
	var out []int
	for i, b := range text {
		if b|0x20 >= 'a' && b|0x20 <= 'z' {
			out = append(out, i)
		}
	}
	return out
}

// shuffled lists every folder in another order.
type shuffled struct {
	fs.FS
	random *rand.Rand
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	s.random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}

func TestSameInputGivesSameBytes(t *testing.T) {
	fsys := ourselves(t)
	outputs := func(fsys fs.FS) []string {
		var out []string
		for _, o := range compile(t, fsys).Delta.Wanted {
			out = append(out, o.Path+"\n"+o.Content)
		}
		return out
	}
	want := outputs(fsys)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, procs := range []int{1, 8} {
		runtime.GOMAXPROCS(procs)
		got := outputs(shuffled{fsys, rand.New(rand.NewPCG(5, uint64(procs)))})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %d processors and folders shuffled: %s", procs, diff)
		}
	}
}

// TestTotalsAreCountsOfTheEmittedText holds that no total is a sum of parts
// that were counted by themselves.
func TestTotalsAreCountsOfTheEmittedText(t *testing.T) {
	r := compile(t, ourselves(t))
	for _, a := range r.Artifacts {
		text := a.Text()
		if want := pipeline.Counters(r.Spec)(a.Variant.Tokenizer).Count(text); a.Tokens != want {
			t.Errorf("%s: the ledger says %d tokens, the text has %d", a.Variant.Name, a.Tokens, want)
		}
		if a.Bytes() != len(text) {
			t.Errorf("%s: the ledger says %d bytes, the text has %d", a.Variant.Name, a.Bytes(), len(text))
		}
	}
}

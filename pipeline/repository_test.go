package pipeline_test

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/tests/testproject"
)

func compile(t *testing.T, fsys fs.FS) *prompt.Result {
	t.Helper()
	r := testproject.Compile(t, fsys, pipeline.Built)
	if r.Stopped || r.Delta == nil {
		t.Fatalf("the run stopped: %v", r.Findings)
	}
	return r
}

// compare holds a compiled result against another tree, without compiling
// again: it gives the paths that differ or are findings.
func compare(t *testing.T, r *prompt.Result, fsys fs.FS) map[string]bool {
	t.Helper()
	delta, found, err := snapshot.Run(fsys, snapshot.Input{
		Plan: r.Plan, Artifacts: r.Artifacts, Renderings: r.Renderings, Counters: pipeline.Counters(r.Spec),
	})
	if err != nil {
		t.Fatal(err)
	}
	red := map[string]bool{}
	for _, d := range found {
		if d.Level == diag.Error {
			red[d.Span.File.Path] = true
		}
	}
	if delta != nil {
		for _, c := range delta.Snapshots {
			red[c.Output.Path] = true
		}
	}
	return red
}

func TestOurOwnSnapshotsAreCurrent(t *testing.T) {
	r := compile(t, testproject.Ourselves(t))
	for _, d := range r.Findings {
		// The clock of `contributors` stands where its design wants it, in
		// spite of what that costs a cache; and the mode `user` has no templates
		// until somebody writes some.
		if d.Code != diag.VolatileFirst && d.Code != diag.FallbackUsed || d.Level != diag.Note {
			t.Errorf("%s: %s", d.Code, wording.Message(d))
		}
	}
	for _, c := range r.Delta.Snapshots {
		t.Errorf("%s is out of date; run: go run ./cmd/promptc build", c.Output.Path)
	}
}

// TestEveryByteOfEverySnapshotCounts changes, removes and adds a single byte
// in every snapshot at once, at other places in each round: every one of the
// files has to be found.
func TestEveryByteOfEverySnapshotCounts(t *testing.T) {
	skipIfShort(t)
	fsys := testproject.Ourselves(t)
	r := compile(t, fsys)
	if red := compare(t, r, fsys); len(red) > 0 {
		t.Fatalf("the tree is not current to begin with: %v", red)
	}
	random := rand.New(rand.NewPCG(1, 2))
	mutations := []func(whole []byte, i int) []byte{
		func(whole []byte, i int) []byte { whole[i] ^= byte(1 + random.IntN(127)); return whole },
		func(whole []byte, i int) []byte { return slices.Delete(whole, i, i+1) },
		func(whole []byte, i int) []byte { return slices.Insert(whole, i, 'x') },
		func(whole []byte, _ int) []byte { return append(whole, '\n') },
		func(whole []byte, _ int) []byte { return whole[:len(whole)-1] },
	}
	for round := range 40 {
		changed := maps.Clone(fsys)
		for _, name := range snapshotNames(fsys) {
			whole := bytes.Clone(fsys[name].Data)
			changed[name] = &fstest.MapFile{Data: mutations[round%len(mutations)](whole, random.IntN(len(whole)))}
		}
		// The index marks the folder as ours: with another first line every
		// file is somebody else's, and the folder as a whole is refused.
		changed["snapshots/README.md"] = fsys["snapshots/README.md"]
		mustBeRed(t, r, changed, snapshotNames(fsys), "snapshots/README.md")
		index := maps.Clone(fsys)
		whole := bytes.Clone(fsys["snapshots/README.md"].Data)
		index["snapshots/README.md"] = &fstest.MapFile{Data: mutations[round%len(mutations)](whole, random.IntN(len(whole)))}
		if len(compare(t, r, index)) == 0 {
			t.Errorf("round %d: a change of snapshots/README.md goes unseen", round)
		}
	}
}

func TestMissingAndExtraSnapshotsAreFound(t *testing.T) {
	fsys := testproject.Ourselves(t)
	r := compile(t, fsys)
	without, with := maps.Clone(fsys), maps.Clone(fsys)
	var extras []string
	for _, name := range snapshotNames(fsys) {
		if name != "snapshots/README.md" {
			delete(without, name)
		}
		extra := path.Join(path.Dir(name), "extra.txt")
		if with[extra] == nil {
			with[extra] = &fstest.MapFile{Data: []byte("extra\n")}
			extras = append(extras, extra)
		}
	}
	mustBeRed(t, r, without, snapshotNames(fsys), "snapshots/README.md")
	mustBeRed(t, r, with, extras, "")
	delete(fsys, "snapshots/README.md")
	if len(compare(t, r, fsys)) == 0 {
		t.Error("snapshots/README.md may be missing")
	}
}

// snapshotNames gives the paths below snapshots/, sorted.
func snapshotNames(fsys fstest.MapFS) []string {
	var out []string
	for name := range fsys {
		if strings.HasPrefix(name, "snapshots/") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func mustBeRed(t *testing.T, r *prompt.Result, fsys fs.FS, names []string, but string) {
	t.Helper()
	red := compare(t, r, fsys)
	for _, name := range names {
		if name != but && !red[name] {
			t.Errorf("%s goes unseen", name)
		}
	}
}

// TestEverySourceByteReachesAnOutput changes letters of the bodies of this
// repository's sources: none may go unseen.
func TestEverySourceByteReachesAnOutput(t *testing.T) {
	skipIfShort(t)
	fsys := testproject.Ourselves(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"sources/persona/SOUL.md", "sources/persona/guidelines/tools.md", "sources/persona/tools/exec.json"} {
		file := fsys[name]
		for range 6 {
			letters := letterPositions(file.Data)
			i := letters[random.IntN(len(letters))]
			changed := bytes.Clone(file.Data)
			changed[i] ^= 0x20 // the other case: still a letter, still valid
			fsys[name] = &fstest.MapFile{Data: changed}
			r := testproject.Compile(t, fsys, pipeline.Built)
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
	fsys := testproject.Ourselves(t)
	outputs := func(fsys fs.FS) []string {
		var out []string
		for _, o := range compile(t, fsys).Delta.Wanted {
			out = append(out, o.Path+"\n"+o.Content())
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
// that were counted by themselves: a text is counted as a whole, and so is each
// text of a request.
func TestTotalsAreCountsOfTheEmittedText(t *testing.T) {
	r := compile(t, testproject.Ourselves(t))
	for _, a := range r.Artifacts {
		text, want := a.Text(), 0
		count := pipeline.Counters(r.Spec)(a.Variant.Tokenizer).Count
		if a.Variant.Dialect.JSON {
			for _, m := range a.Messages {
				for _, b := range m.Blocks {
					want += count(a.BlockText(b))
				}
			}
		} else {
			want = count(text)
		}
		if a.Tokens != want {
			t.Errorf("%s: the ledger says %d tokens, the text has %d", a.Variant.Name, a.Tokens, want)
		}
		if a.Bytes() != len(text) {
			t.Errorf("%s: the ledger says %d bytes, the text has %d", a.Variant.Name, a.Bytes(), len(text))
		}
	}
}

package pipeline_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// brokenDisk is a file system that can be listed and not read.
type brokenDisk struct{ fstest.MapFS }

var errDisk = errors.New("the disk is gone")

func (brokenDisk) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errDisk}
}

func (b brokenDisk) ReadFile(name string) ([]byte, error) {
	return nil, &fs.PathError{Op: "read", Path: name, Err: errDisk}
}

// Compiled at once and with shared counters, both sides are what they are each
// by itself.
func TestSidesAreWhatEachIsByItself(t *testing.T) {
	state := func(name, text string) pipeline.Request {
		manifest := "version: 1\ntokenizers: {mine: {base: o200k_base, factor: " + name + ", error: 0.1}}\n" +
			"prompts:\n  a:\n    tokenizer: mine\n    sections:\n      - {id: s, text: " + text + "}\n      - {id: t, text: The same.}\n"
		return pipeline.Request{Name: name, Files: testproject.Of("prompts.yaml", manifest), Manifest: "prompts.yaml", Until: pipeline.Composed}
	}
	states := []pipeline.Request{state("1.5", "You help."), state("3", "You help people.")}
	made, err := pipeline.Review(t.Context(), states[0], states[1], pipeline.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	base, head := made.Base, made.Head
	if base.Name != "1.5" || head.Name != "3" {
		t.Errorf("the sides are called %q and %q", base.Name, head.Name)
	}
	for i, got := range []int{base.Result.Artifacts[0].Use, head.Result.Artifacts[0].Use} {
		alone := testproject.Compile(t, states[i].Files, pipeline.Composed)
		if want := alone.Artifacts[0].Use; got != want || want == 0 {
			t.Errorf("side %d uses %d tokens, by itself %d", i, got, want)
		}
	}
}

func TestWhatIsWrongWithTheHeadGoesFirst(t *testing.T) {
	files := func(manifest string) fs.FS { return testproject.Of("prompts.yaml", manifest) }
	good := pipeline.Request{Files: files("version: 1\nprompts: {a: {sections: [{id: s, text: x}]}}\n"), Manifest: "prompts.yaml", Until: pipeline.Composed}
	wrong := pipeline.Request{Files: files("version: 1\nprompts: 7\n"), Manifest: "prompts.yaml", Until: pipeline.Composed}
	broken := pipeline.Request{Files: brokenDisk{fstest.MapFS{"prompts.yaml": {}}}, Manifest: "prompts.yaml", Until: pipeline.Composed}
	for name, c := range map[string]struct {
		base, head       pipeline.Request
		fails            bool
		hasBase, hasHead bool
	}{
		"both":              {good, good, false, true, true},
		"borrowing base":    {pipeline.Request{Files: fstest.MapFS{}, Manifest: "prompts.yaml", Text: []byte("version: 1\nprompts: {a: {sections: [{id: s, text: x}]}}\n"), Until: pipeline.Composed}, good, false, true, true},
		"no manifest":       {pipeline.Request{Files: fstest.MapFS{}, Manifest: "prompts.yaml", Until: pipeline.Composed}, good, true, false, false},
		"wrong base":        {wrong, good, false, true, true},
		"wrong head":        {good, wrong, false, false, true},
		"wrong and broken":  {broken, wrong, false, false, true},
		"broken base":       {broken, good, true, false, false},
		"broken head":       {good, broken, true, false, false},
		"broken wrong base": {wrong, broken, true, false, false},
	} {
		made, err := pipeline.Review(t.Context(), c.base, c.head, pipeline.Policy{})
		if (errors.Is(err, errDisk) || errors.Is(err, fs.ErrNotExist)) != c.fails || (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && ((made.Base.Result != nil) != c.hasBase || (made.Head.Result != nil) != c.hasHead) {
			t.Errorf("%s: base %t, head %t", name, made.Base.Result != nil, made.Head.Result != nil)
		}
	}
}

func TestAPromptWhoseRenderedFilesWereNotYetThereIsNew(t *testing.T) {
	manifest := "version: 1\nprompts:\n  legacy: {rendered: \"t/{f}.md\", axes: {f: auto}}\n"
	base := pipeline.Request{Files: testproject.Of("prompts.yaml", manifest), Manifest: "prompts.yaml", Until: pipeline.Composed}
	head := pipeline.Request{
		Files:    testproject.Of("prompts.yaml", manifest, "t/a.md", "# A\n"),
		Manifest: "prompts.yaml", Until: pipeline.Composed,
	}
	made, err := pipeline.Review(t.Context(), base, head, pipeline.Policy{})
	d := made.Difference
	if err != nil || d == nil {
		t.Fatalf("%v, %v, %v", err, made.Base.Result.Findings, made.Head.Result.Findings)
	}
	if len(d.Edits) != 2 || d.Edits[0].Kind != review.PromptAdded || len(d.Edits[1].Hunks) != 1 || len(d.Edits[1].Hunks[0].Lines) != 1 {
		t.Fatalf("edits %v", d.Edits)
	}
	if made, _ := pipeline.Review(t.Context(), head, base, pipeline.Policy{}); made.Base.Result != nil {
		t.Error("a head without the files compiles")
	}
}

// What a borrowed manifest names and a base does not have leaves the rest to be
// compared; a prompt that the base has no file of is new.
func TestABaseWithoutAManifestMayLackAnyFile(t *testing.T) {
	skipIfShort(t)
	files := testproject.Ourselves(t)
	head := pipeline.Request{Files: files, Manifest: "prompts.yaml", Until: pipeline.Composed}
	compared := func(base fstest.MapFS) *review.Difference {
		was := pipeline.Request{Files: base, Manifest: "prompts.yaml", Text: files["prompts.yaml"].Data, Until: pipeline.Composed}
		made, err := pipeline.Review(t.Context(), was, head, pipeline.Policy{})
		if err != nil || made.Difference == nil {
			t.Fatalf("%v, %v", err, made.Base.Result.Findings)
		}
		return made.Difference
	}
	for _, name := range []string{
		"sources/persona/SOUL.md", "sources/persona/tools/exec.json", "sources/modes/registry/core-mandates.md",
		"sources/modes/goal.yaml", "sources/coder/fixtures/review.yaml", "sources/contributors/clock.md",
	} {
		fewer := maps.Clone(files)
		delete(fewer, name)
		if len(fewer) == len(files) {
			t.Fatalf("there is no %s", name)
		}
		if d := compared(fewer); len(d.Edits) == 0 || len(d.Base.Result.Plan.Builds) != len(d.Head.Result.Plan.Builds) {
			t.Errorf("without %s: %d edits, %d prompts in the base", name, len(d.Edits), len(d.Base.Result.Plan.Builds))
		}
	}
	for _, e := range compared(fstest.MapFS{}).Edits {
		if e.Kind != review.PromptAdded && e.Kind != review.TextChanged {
			t.Errorf("without any file: %s of %s", e.Kind, e.Section)
		}
	}
}

// A proposed manifest that takes nothing on either side is no reason to say that
// nothing changed; nor is one that names what a side does not have.
func TestAProposalThatTakesNothingIsRefused(t *testing.T) {
	for prompts, want := range map[string]diag.Code{
		`legacy: {rendered: "t/{f}.md", axes: {f: auto}}`:                                    "",
		`legacy: {rendered: "t/{f}.md", axes: {f: [a, b]}}`:                                  "",
		`legacy: {rendered: "u/{f}.md", axes: {f: auto}}`:                                    diag.RenderedNothing,
		`{a: {rendered: "t/{f}.md", axes: {f: auto}}, p: {sections: [{id: s, path: x.md}]}}`: diag.NoFile,
	} {
		side := pipeline.Request{Files: testproject.Of("t/a.md", "# A\n"), Manifest: "proposed", Patterns: []string{"t/*"}, Until: pipeline.Composed}
		side.Text = []byte("version: 1\nprompts:\n  " + prompts + "\n")
		base := side
		base.Files = fstest.MapFS{}
		made, err := pipeline.Review(t.Context(), base, side, pipeline.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		is := made.Head
		refused := slices.ContainsFunc(is.Result.Findings, func(f diag.Diagnostic) bool { return f.Code == want })
		if is.Result.Stopped != (want != "") || refused != (want != "") {
			t.Errorf("%s: stopped %t, %v", prompts, is.Result.Stopped, is.Result.Findings)
		}
	}
}

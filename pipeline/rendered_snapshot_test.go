package pipeline_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/tests/testproject"
)

// compiledDelta compiles a project and gives what a build would do, a line a
// file, and what was found.
func compiledDelta(t *testing.T, fsys fstest.MapFS) (wanted, changed, found []string) {
	t.Helper()
	r := testproject.Compile(t, fsys, pipeline.Built)
	for _, f := range r.Findings {
		found = append(found, string(f.Code)+" "+wording.Message(f))
	}
	if r.Delta == nil {
		return nil, nil, append(found, "nothing may be written")
	}
	words := map[store.Status]string{store.Added: "added ", store.Changed: "changed ", store.Orphaned: "removed "}
	for _, w := range r.Delta.Wanted {
		wanted = append(wanted, w.Path)
	}
	for _, c := range r.Delta.Snapshots {
		changed = append(changed, words[c.Status]+c.Output.Path)
	}
	return wanted, changed, found
}

func TestRenderedPromptsAloneLeaveTheFolderOfSnapshotsAlone(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no folder":              {"t/a.txt": "A."},
		"another program's":      {"t/a.txt": "A.", "snapshots/README.md": "# Ours\n", "snapshots/p.test.ts.snap": "x"},
		"with the rendered ones": {"t/a.txt": "A.", "snapshots/legacy/sections/a.txt": "x"},
		"a file of that name":    {"t/a.txt": "A.", "snapshots": "x"},
	} {
		wanted, changed, found := compiledDelta(t, testproject.Rendered("rendered: 't/{f}.txt'\naxes: auto", files))
		if len(wanted)+len(changed)+len(found) > 0 {
			t.Errorf("%s: wants %q, changes %q, found %q", name, wanted, changed, found)
		}
	}
	if _, _, found := compiledDelta(t, testproject.Rendered("rendered: 'snapshots/{f}.txt'\naxes: auto", map[string]string{"snapshots/a.txt": "A."})); len(found) > 0 {
		t.Errorf("texts in a folder that promptc does not write: %q", found)
	}
}

func TestSnapshotsOfAPromptThatIsNowRenderedElsewhereAreOrphans(t *testing.T) {
	fsys := testproject.Rendered("sections: [{id: a, text: A.}]", map[string]string{"t/a.txt": "A."})
	r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml"})
	if err != nil || r.Delta == nil {
		t.Fatal(err, r.Findings)
	}
	for _, w := range r.Delta.Wanted {
		fsys[w.Path] = &fstest.MapFile{Data: []byte(w.Content())}
	}
	fsys["prompts.yaml"] = testproject.Rendered("rendered: 't/{f}.txt'\naxes: auto", nil)["prompts.yaml"]
	_, changed, found := compiledDelta(t, fsys)
	want := []string{"removed snapshots/README.md", "removed snapshots/legacy/outline.txt", "removed snapshots/legacy/sections/a.txt"}
	if d := cmp.Diff(want, changed); d != "" || len(found) > 0 {
		t.Errorf("%q (-want +got):\n%s", found, d)
	}
}

package pipeline_test

import (
	"encoding/json"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

const fuzzManifest = `version: 1
sources: {chat: {kind: conversation, path: "fx/state0.*"}}
prompts:
  talk:
    axes: {assembly: [tiered, flat], state: [state0]}
    dialect: openai-responses
    layout: {name: messages, conversation: chat, assembly: "{assembly}"}
    sections: [{id: s0, text: System.}]
`

// FuzzConversation changes a fixture and a file of its workspace. Whatever they
// hold, the program says what is wrong and where, or builds what the documented
// rules say.
func FuzzConversation(f *testing.F) {
	for seed := range uint64(30) {
		w := newWorld(seed)
		fsys := w.fsys()
		f.Add(fsys[w.fixtures[0].file].Data, []byte(w.workspaces["ws"]["src/always.go"]), strings.HasSuffix(w.fixtures[0].file, ".json"))
	}
	for _, h := range hostilePaths() {
		f.Add([]byte(h.fixture), []byte("x"), strings.HasPrefix(h.fixture, "{"))
	}
	f.Fuzz(func(t *testing.T, text, file []byte, isJSON bool) {
		w := &world{system: []string{"System."}, workspaces: map[string]map[string]string{"ws": {"src/always.go": string(file)}}}
		for _, p := range paths {
			w.workspaces["ws"][p] = p + "\n"
		}
		name := map[bool]string{true: "fx/state0.json", false: "fx/state0.yaml"}[isJSON]
		fsys := testproject.Of("prompts.yaml", fuzzManifest, name, string(text))
		for p, content := range w.workspaces["ws"] {
			fsys[path.Join("ws", p)] = &fstest.MapFile{Data: []byte(content)}
		}
		checkFuzzed(t, w, fsys, name)
	})
}

func checkFuzzed(t *testing.T, w *world, fsys fstest.MapFS, name string) {
	t.Helper()
	r := testproject.Compile(t, fsys, pipeline.Built)
	for _, d := range r.Findings {
		if !d.Span.Known() || d.Level == diag.Error && wording.Hint(d) == "" {
			t.Errorf("%s %s has no place or no hint", d.Level, worded(d))
		}
	}
	if r.Stopped {
		return
	}
	if r.Delta == nil {
		t.Fatal(r.Findings)
	}
	for _, a := range r.Artifacts {
		if !json.Valid([]byte(dialect.Encode(a).Text())) {
			t.Errorf("%s is no JSON", a.Variant.Name)
		}
		if f := fixtureFrom(r, name); f.workspace == "ws" {
			want := w.messages(f, isFlat(a))
			if diff := cmp.Diff(want, spoken(a)); diff != "" {
				t.Errorf("%s (-documented +built):\n%s", a.Variant.Name, diff)
			}
		}
		for _, d := range ground.Dialects {
			if out, found := pipeline.WithDialect(r, a, d.Name); out == nil && !found.HasErrors() {
				t.Errorf("%s refuses without a word", d.Name)
			}
		}
	}
	again := testproject.Compile(t, built(fsys, outputs(r)), pipeline.Built)
	if again.Delta == nil || again.Delta.Drifted() {
		t.Errorf("out of date after a build: %v", again.Findings)
	}
}

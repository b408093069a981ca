package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

func (p *persona) built(t *testing.T, did run.Outcome) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return run.Build(w, p.result, did, words.Options{}) })
}

func TestBuildNamesWhatItWrote(t *testing.T) {
	p := newPersona()
	other := &assembly.Build{Prompt: &language.Prompt{ID: word("contributors")}}
	other.Variants = make([]*assembly.Variant, 1200)
	p.result.Plan.Builds = append(p.result.Plan.Builds, other)
	p.result.Delta.Snapshots = []store.Change{
		readmeChanged(), p.soulChanged(),
		{Status: store.Orphaned, Old: "x", Output: assembly.Output{Path: "snapshots/persona/sections/old.txt", Owner: sectionOf("old")}},
	}
	p.result.Delta.Artifacts.Changes = []store.Change{{Status: store.Added}, {Status: store.Changed}, {Status: store.Orphaned}}
	equal(t, p.built(t, run.Outcome{Command: "build", Snapshots: true, Artifacts: true}), `persona            5 variants   2 renderings   1 changed, 1 removed
contributors   1,200 variants   0 renderings
wrote snapshots/persona/sections/soul.txt, snapshots/README.md
removed snapshots/persona/sections/old.txt
wrote 2 files below dist, removed 1 file there
`)
}

func TestBuildOfManyFilesNamesTheFirst(t *testing.T) {
	p := newPersona()
	for i := range 9 {
		c := p.soulChanged()
		c.Status, c.Output.Path = store.Added, fmt.Sprintf("snapshots/persona/sections/s%d.txt", i)
		p.result.Delta.Snapshots = append(p.result.Delta.Snapshots, c)
	}
	equal(t, p.built(t, run.Outcome{Command: "build", Snapshots: true}), `persona   5 variants   2 renderings   9 added
wrote 9 files: snapshots/persona/sections/s0.txt, snapshots/persona/sections/s1.txt, snapshots/persona/sections/s2.txt, snapshots/persona/sections/s3.txt and 5 more
`)
}

func TestBuildWithNothingToDo(t *testing.T) {
	p := newPersona()
	equal(t, p.built(t, run.Outcome{Command: "build", Snapshots: true}), `persona   5 variants   2 renderings
nothing to write: everything is up to date
`)
}

func TestFrozenBuildDoesNotSpeakOfSnapshots(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{p.soulChanged()}
	p.result.Delta.Artifacts.Changes = []store.Change{{Status: store.Added}}
	equal(t, p.built(t, run.Outcome{Command: "build", Artifacts: true}), `persona   5 variants   2 renderings   1 changed
wrote 1 file below dist
`)
}

// Package pipeline compiles prompts. [Compile] is the ordered list of stages;
// each stage is a package below this one whose Run turns one noun into the next:
//
//	prompts.yaml + sources
//	   │ load       reads    → Tree         files with positions, no meaning yet
//	   │ validate   pure     → Spec         schema-valid, typed
//	   │ resolve    pure     → Plan         names bound, axes expanded
//	   │ render     pure     → []Rendering  every distinct text of each section
//	   │ compose    pure     → []Artifact   the emitted bytes with their ledger
//	   │ lint       pure     → diagnostics  what only the assembled text shows
//	   │ bind       pure     → []Generated  typed modules that load what was built
//	   │ snapshot   reads    → Delta        compared with the baseline
//	   ▼ Commit     writes   (build only)
//
// A stage that returns no error is pure. From load to render the first stage
// that finds errors ends the run, after it has reported all of them; compose
// and lint never end it, so that what is too long can be looked at. What the
// findings of a run count as is settled once, when all are there.
package pipeline

import (
	"context"
	"io/fs"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/bind"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/assembly/resolve"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review/policy"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// Request says what is compiled, and how far.
type Request struct {
	// Name is what people call the state. Only a review tells.
	Name string
	// Files hold the project, with the manifest at a path.
	Files    fs.FS
	Manifest string
	// Text is a manifest that does not stand there, else nil: another state's, or
	// one that was proposed for the files of patterns.
	Text     []byte
	Patterns []string
	// Past says that another state came from this one. A prompt whose rendered files
	// were not yet there is new then, and no mistake.
	Past bool
	// Until is how far the run goes.
	Until Until
	// Choose gives the variants to compose, of all in a plan; nil for all. What there
	// is to say of several variants is then not among the findings. Its error ends the
	// run, and is that of Compile.
	Choose func(*assembly.Plan) ([]*assembly.Variant, error)
	// MaxUses allows the manifest so many uses of sections, which is variants times
	// sections over all prompts; 0 for resolve.DefaultUses.
	MaxUses int
	// without are variants that are not built.
	without map[string]bool
	// Look finds out what no stage can know of a project that is compared with its
	// disk, such as what git does not have of it; nil for nothing.
	Look Look
}

// Look finds out what no stage can know of a compiled project.
type Look func(*prompt.Result) (diag.List, error)

// Until says how far a run goes.
type Until int

// How far a run goes, from everything on.
const (
	// Built: all that a build writes is there, and compared with the disk.
	Built Until = iota
	// Compared: for those who will not write. Artifacts that were never built are not
	// assembled.
	Compared
	// Snapshots: only these are compared, for what was never built where it stands, such
	// as the index of a repository.
	Snapshots
	// Composed: nothing is compared with the disk.
	Composed
	// Named: nothing is composed; artifacts are the names of variants alone.
	Named
)

// Compile runs the stages over a manifest. An error means that the job could not be
// done; what is wrong with the input is in the result's findings.
func Compile(ctx context.Context, q Request) (*prompt.Result, error) {
	return q.compile(ctx, plainCounters())
}

func (q Request) compile(ctx context.Context, plain map[string]*token.Counter) (*prompt.Result, error) {
	tree, found, err := q.load()
	if err != nil {
		return &prompt.Result{}, err
	}
	r := q.rendered(tree, found)
	for _, step := range []func() error{
		func() error { return q.composed(r, plain) },
		func() error { q.fit(r); return q.compared(r, plain) },
	} {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if err := step(); err != nil {
			return r, err
		}
		if q.without == nil && tree.Borrowed {
			if q.without = emptied(r); len(q.without) > 0 {
				again, err := q.compile(ctx, plain)
				if q.Patterns == nil {
					again.Lacks = r.Lacks
				} else {
					again.Unrendered = append(again.Unrendered, r.Lacks...)
				}
				return again, err
			}
		}
	}
	return q.settled(r), nil
}

// load reads what is compiled.
func (q Request) load() (*language.Tree, diag.List, error) {
	if q.Text == nil {
		tree, found, err := load.Run(q.Files, q.Manifest, validate.Language{})
		return tree, q.past(found), err
	}
	tree, found, err := load.RunBorrowed(q.Files, q.Manifest, q.Text, validate.Language{})
	if tree != nil {
		tree.Past = q.Past
	}
	return tree, q.past(found), err
}

func (q Request) past(found diag.List) diag.List {
	if !q.Past {
		return found
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.RenderedNothing })
}

// rendered runs the stages that end a run, after load.
func (q Request) rendered(tree *language.Tree, found diag.List) *prompt.Result {
	r := &prompt.Result{Tree: tree}
	if stop(r, found) {
		return r
	}
	r.Spec, found = validate.Run(r.Tree)
	if stop(r, found) {
		return r
	}
	r.Plan, found = resolve.Run(r.Spec, resolve.Limits{Uses: q.MaxUses, Without: q.without})
	if !found.HasErrors() {
		found = slices.Concat(found, lint.Locked(r.Spec), policy.Locked(r.Plan))
	}
	if stop(r, found) {
		return r
	}
	r.Renderings, found = render.Run(r.Plan)
	stop(r, found)
	return r
}

// composed adds the artifacts, and what compose and lint find. Neither ends a run.
func (q Request) composed(r *prompt.Result, plain map[string]*token.Counter) error {
	if r.Stopped {
		return nil
	}
	counters := withEstimators(plain, r.Spec)
	if q.Choose == nil && q.Until != Named {
		artifacts, found := compose.Run(r.Plan, r.Renderings, counters)
		r.Artifacts = artifacts
		judge(r, found)
		return nil
	}
	wanted, err := q.wanted(r.Plan)
	switch {
	case err != nil:
		return err
	case q.Until == Named:
		for _, b := range r.Plan.Builds {
			for _, v := range b.Variants {
				if wanted(v) {
					r.Artifacts = append(r.Artifacts, &assembly.Artifact{Build: b, Variant: v})
				}
			}
		}
	default:
		artifacts, found := compose.Some(r.Plan, r.Renderings, counters, wanted)
		r.Artifacts = artifacts
		judge(r, found)
	}
	return nil
}

// wanted tells the variants that are chosen.
func (q Request) wanted(plan *assembly.Plan) (func(*assembly.Variant) bool, error) {
	if q.Choose == nil {
		return func(*assembly.Variant) bool { return true }, nil
	}
	chosen, err := q.Choose(plan)
	wanted := map[*assembly.Variant]bool{}
	for _, v := range chosen {
		wanted[v] = true
	}
	return func(v *assembly.Variant) bool { return wanted[v] }, err
}

// judge adds what compose found, and what lint finds in what it composed.
// Neither ends a run.
func judge(r *prompt.Result, found diag.List) {
	r.Findings = append(r.Findings, found...)
	r.Findings = lint.Once(append(r.Findings, lint.Run(r.Plan, r.Artifacts)...)).Sorted()
}

// compared adds what differs from the disk.
func (q Request) compared(r *prompt.Result, plain map[string]*token.Counter) error {
	if r.Stopped || q.Until > Snapshots {
		return nil
	}
	in := snapshot.Input{
		Compared: q.Until == Compared, SnapshotsOnly: q.Until == Snapshots,
		Plan: r.Plan, Artifacts: r.Artifacts, Renderings: r.Renderings, Counters: withEstimators(plain, r.Spec),
	}
	in.Files = snapshot.Files(q.Files, in)
	generated, wrong := bind.Run(bind.Input{Plan: r.Plan, Renderings: r.Renderings, Artifacts: r.Artifacts, Files: in.Files})
	in.Generated = generated
	delta, found, err := snapshot.Run(q.Files, in)
	if err != nil {
		return err
	}
	if found = append(found, wrong...); wrong.HasErrors() {
		delta = nil // nothing may be written
	}
	r.Delta = delta
	if q.Look != nil {
		seen, err := q.Look(r)
		if err != nil {
			return err
		}
		found = slices.Concat(found, seen)
	}
	r.Findings = append(r.Findings, found...).Sorted()
	return nil
}

// settled makes of a run's findings what the manifest's settings say, once all
// are there: they never change how far a run goes.
func (q Request) settled(r *prompt.Result) *prompt.Result {
	seen := lint.SeenVariants
	switch {
	case r.Stopped, q.Choose != nil, q.Until == Named:
		seen = lint.SeenSome
	case q.Until < Snapshots:
		seen = lint.SeenAll
	}
	r.Findings, r.Off = lint.Settle(r.Spec, r.Findings, seen)
	return r
}

// stop adds a stage's findings and says whether they end the run.
func stop(r *prompt.Result, found diag.List) bool {
	if r.Tree.Borrowed {
		found = lacking(r, found)
	}
	r.Findings = append(r.Findings, found...).Sorted()
	r.Stopped = found.HasErrors()
	return r.Stopped
}

// Commit writes what a compiled result wants on disk below dir.
func Commit(dir string, r *prompt.Result, what snapshot.Parts) error {
	if r.Delta == nil {
		return diag.Fail("nothing-compiled")
	}
	return snapshot.Commit(dir, r.Delta, what)
}

// Package joining makes one result of those of several projects, each named as it is
// called from the workspace's folder.
package joining

import (
	"path"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/store"
)

// MoveResult names what a result is about as seen from another folder: folder is
// where the project's own folder stands, with slashes. Paths of files, ids of
// prompts and names of variants get it in front. Texts stay as they are, and so
// do the paths of outputs in the places of other files.
//
// It comes after everything that looks a name up in the manifest, and after
// [pipeline.Commit].
func MoveResult(r *prompt.Result, folder string) { newMover(folder).result(r) }

// MoveDifference is [MoveResult] for the results that were compared, what differs
// between them, and findings about that.
func MoveDifference(d *review.Difference, folder string, found diag.List) {
	m := newMover(folder)
	m.result(d.Base.Result)
	m.result(d.Head.Result)
	if d.Policy.Result != d.Base.Result {
		m.result(d.Policy.Result)
	}
	for i := range found {
		m.finding(&found[i])
	}
	for _, p := range d.Pairs {
		p.ID = m.path(p.ID)
	}
	for _, e := range d.Edits {
		m.file(e.At.File)
		for _, at := range e.Also {
			m.file(at.File)
		}
		for _, h := range e.Hunks {
			m.file(h.At.File)
		}
	}
	m.idle(d.Idle)
	for _, s := range d.Stale {
		m.idle(s.Inputs)
	}
}

func newMover(folder string) *mover {
	return &mover{folder: folder, files: map[*diag.File]bool{nil: true}}
}

func (m *mover) result(r *prompt.Result) {
	if r == nil {
		return
	}
	if r.Tree != nil {
		m.tree = r.Tree
		m.file(r.Tree.File)
		for _, d := range r.Tree.Docs() {
			m.file(d.File)
		}
	}
	for _, list := range []diag.List{r.Findings, r.Lacks, r.Unrendered} {
		for i := range list {
			m.finding(&list[i])
		}
	}
	for i := range r.Off {
		m.finding(&r.Off[i].Finding)
	}
	if r.Plan != nil {
		for _, b := range r.Plan.Builds {
			b.Prompt.ID.Str = m.path(b.Prompt.ID.Str)
			for _, v := range b.Variants {
				v.Name = m.path(v.Name)
			}
		}
	}
	if d := r.Delta; d != nil {
		m.delta(d)
	}
}

// mover puts a folder in front of names, of each file once.
type mover struct {
	folder string
	files  map[*diag.File]bool
	tree   *language.Tree // which knows where roots are
}

func (m *mover) path(name string) string { return path.Join(m.folder, m.tree.Place(name)) }

func (m *mover) file(f *diag.File) {
	if !m.files[f] {
		m.files[f] = true
		f.Path = m.path(f.Path)
	}
}

func (m *mover) finding(d *diag.Diagnostic) {
	m.file(d.Span.File)
	if d.Variant != "" {
		d.Variant = m.path(d.Variant)
	}
	for i, words := range d.Detail {
		for j, arg := range words.Args {
			if e, ok := arg.(diag.Explain); ok {
				e.Folder = m.folder
				d.Detail[i].Args[j] = e
			}
		}
	}
	d.Prompts, d.Also = m.paths(d.Prompts), m.paths(d.Also)
}

func (m *mover) idle(files []review.Idle) {
	for i := range files {
		m.file(files[i].At.File)
		files[i].Path = m.path(files[i].Path)
		if files[i].Includer != "" {
			files[i].Includer = m.path(files[i].Includer)
		}
		if files[i].Was != "" {
			files[i].Was = m.path(files[i].Was)
		}
	}
}

func (m *mover) paths(names []string) []string {
	out := slices.Clone(names)
	for i := range out {
		out[i] = m.path(out[i])
	}
	return out
}

func (m *mover) delta(d *store.Delta) {
	m.changes(d.Snapshots)
	for _, e := range d.Emitted() {
		m.changes(e.Changes)
		e.Folder = m.path(e.Folder)
	}
	for i := range d.Wanted {
		m.output(&d.Wanted[i])
	}
	d.SnapshotFolder = m.path(d.SnapshotFolder)
}

func (m *mover) changes(all []store.Change) {
	for i := range all {
		m.output(&all[i].Output)
	}
}

func (m *mover) output(o *assembly.Output) {
	o.Path = m.path(o.Path)
	if o.Owner.Prompt != "" {
		o.Owner.Prompt = m.path(o.Owner.Prompt)
	}
	if o.Owner.Kind == assembly.OutIndex {
		o.Owner.Project = m.folder
	}
	if o.Owner.Kind == assembly.OutFull || o.Owner.Kind == assembly.OutArtifact {
		o.Owner.Item = m.path(o.Owner.Item)
	}
}

// NoResult is the result of a project that is not there: it has no prompts.
func NoResult() *prompt.Result {
	spec := &language.Spec{}
	return &prompt.Result{Tree: &language.Tree{}, Spec: spec, Plan: &assembly.Plan{Spec: spec}}
}

// Join makes one result of those of several projects, each moved to where it
// stands, for those who report on all of them: prompts, artifacts, changes and
// findings follow one another in the order of the projects. Its Spec knows the
// estimators of all, and nothing else; it has no Tree. It is stopped where all
// are.
func Join(all []*prompt.Result) *prompt.Result {
	out := &prompt.Result{Spec: &language.Spec{}, Plan: &assembly.Plan{}, Stopped: len(all) > 0}
	for i, r := range all {
		out.Stopped = out.Stopped && r.Stopped
		out.Findings = append(out.Findings, r.Findings...)
		out.Off = append(out.Off, r.Off...)
		out.Lacks, out.Unrendered = append(out.Lacks, r.Lacks...), append(out.Unrendered, r.Unrendered...)
		if r.Stopped {
			continue
		}
		out.Spec.Tokenizers = append(out.Spec.Tokenizers, r.Spec.Tokenizers...)
		if i == 0 || len(out.Plan.Builds) == 0 {
			out.Plan.Tokenizer = r.Plan.Tokenizer
		}
		out.Plan.Builds = append(out.Plan.Builds, r.Plan.Builds...)
		out.Artifacts = append(out.Artifacts, r.Artifacts...)
		if r.Delta != nil {
			out.Delta = with(out.Delta, r.Delta)
		}
	}
	out.Findings = out.Findings.Sorted()
	return out
}

// with gives the two deltas as one. What lies in several folders lies below the
// one that all are seen from.
func with(d, o *store.Delta) *store.Delta {
	if d == nil {
		d = &store.Delta{SnapshotFolder: o.SnapshotFolder, Artifacts: store.Emitted{Folder: o.Artifacts.Folder}}
	} else {
		d.SnapshotFolder, d.Artifacts.Folder = ".", "."
	}
	d.Snapshots = append(d.Snapshots, o.Snapshots...)
	d.Wanted = append(d.Wanted, o.Wanted...)
	d.Snapshotted += o.Snapshotted
	d.Artifacts.Changes = append(d.Artifacts.Changes, o.Artifacts.Changes...)
	d.Artifacts.Have = d.Artifacts.Have || o.Artifacts.Have
	d.Bindings = append(d.Bindings, o.Bindings...)
	return d
}

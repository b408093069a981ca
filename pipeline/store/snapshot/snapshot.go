// Package snapshot compares what a build wants on disk with what is there,
// and writes it.
package snapshot

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Input is what a build made.
type Input struct {
	Plan      *assembly.Plan
	Artifacts []*assembly.Artifact
	// Renderings are by unit, those that no artifact took included.
	Renderings []*assembly.Rendering
	// Counters gives the counter of a tokenizer's name.
	Counters func(name string) *token.Counter
	// SnapshotsOnly leaves the artifacts out, as if the manifest asked for
	// none: they are neither wanted nor looked at.
	SnapshotsOnly bool
	// Compared says that nothing will be written. Artifacts are then wanted
	// where some were built before: without their folder there is nothing to
	// compare.
	Compared bool
	// Files are what [Files] gives for this input, and Generated the code of the
	// bindings that was made of them.
	Files     []assembly.Output
	Generated []assembly.Generated
}

// Files builds every file below the artifact folder, sorted by path: none where
// none are asked for, or where nothing is there that they could be compared with.
func Files(fsys fs.FS, in Input) []assembly.Output {
	spec := in.Plan.Spec
	if spec.Artifacts.Str == "" {
		return nil
	}
	at := path.Clean(spec.Artifacts.Str)
	wanted := !in.Compared && !in.SnapshotsOnly || !in.SnapshotsOnly && built(fsys, folder{path: at})
	for _, b := range spec.Bindings {
		code := path.Clean(b.Folder.Str)
		wanted = wanted || b.Inline && built(fsys, folder{path: code}) || !in.SnapshotsOnly && built(fsys, folder{path: code + "/" + dataName})
	}
	if !wanted {
		return nil
	}
	return wantArtifacts(in, at)
}

// Run builds every output in memory and compares it with the folders below
// fsys, which is the manifest's folder. It writes nothing.
//
// The Delta is nil where nothing may be written: the findings say why. An
// error means that something could not be read; it names path and cause.
func Run(fsys fs.FS, in Input) (*store.Delta, diag.List, error) {
	at, found := folders(in.Plan)
	if found.HasErrors() {
		return nil, found.Sorted(), nil
	}
	if in.SnapshotsOnly {
		at.artifacts = folder{}
	}
	var snapshots []assembly.Output
	var findings diag.List
	var there *walker
	// One half computes, the other waits for the disk.
	_, err := par.Try([]func() error{
		func() error { snapshots, findings = wantSnapshots(in, at.snapshots.path); return nil },
		func() (err error) { there, err = readSnapshots(fsys, at.snapshots); return err },
	}, func(half func() error) (struct{}, error) { return struct{}{}, half() })
	if err != nil {
		return nil, nil, err
	}
	found = append(found, findings...)
	delta := &store.Delta{
		Wanted: slices.Clone(snapshots), Snapshotted: len(snapshots),
		SnapshotFolder: at.snapshots.path, Artifacts: store.Emitted{Folder: at.artifacts.path, Manifest: at.artifacts.path + "/" + manifestName},
	}
	var artifacts []assembly.Output
	if !in.SnapshotsOnly && (!in.Compared || built(fsys, at.artifacts)) {
		artifacts = in.Files
	}
	delta.Wanted = append(delta.Wanted, artifacts...)

	tree, err := there.against(snapshots)
	if err != nil {
		return nil, nil, err
	}
	found = append(found, tree.findings...)
	delta.Snapshots = changes(at.snapshots.path, snapshots, tree)
	found = append(found, staleTexts(in.Plan, delta.Snapshots)...)

	dist, err := compareArtifacts(fsys, at.artifacts, artifacts)
	if err != nil {
		return nil, nil, err
	}
	found = append(found, dist.findings...)
	dist.into(&delta.Artifacts)
	refused, more, err := compareBindings(fsys, in, at, delta)
	if err != nil {
		return nil, nil, err
	}
	found = append(found, more...)
	found = append(found, lineEnds(delta)...)
	slices.SortFunc(delta.Wanted, byPath)
	if tree.refused || dist.refused || refused || findings.HasErrors() {
		return nil, found.Sorted(), nil
	}
	return delta, found.Sorted(), nil
}

// built reports whether something stands where a folder would. What cannot be
// found out is for the reading of the folder to say.
func built(fsys fs.FS, at folder) bool {
	if at.path == "" {
		return false
	}
	s, err := look(fsys, at.path)
	return err != nil || s.exists
}

// changes compares outputs with what was found in their places below a folder.
// Both are sorted by path, and so is the result.
func changes(folder string, wanted []assembly.Output, have baseline) []store.Change {
	var out []store.Change
	for _, w := range wanted {
		old, ok := have.files[w.Path]
		switch {
		case !ok:
			out = append(out, store.Change{Output: w, Status: store.Added})
		case old != w.Content():
			out = append(out, store.Change{Output: w, Status: store.Changed, Old: old, LineEnds: sameText(old, w.Parts)})
		}
	}
	for _, path := range have.orphans {
		out = append(out, store.Change{Output: assembly.Output{Path: path, Owner: ownerOf(folder, path)}, Status: store.Orphaned, Old: have.files[path]})
	}
	slices.SortFunc(out, func(a, b store.Change) int { return byPath(a.Output, b.Output) })
	return out
}

func byPath(a, b assembly.Output) int { return strings.Compare(a.Path, b.Path) }

// pathSpan places a finding at a path that was not read.
func pathSpan(path string) diag.Span { return diag.Span{File: &diag.File{Path: path}} }

// defaultFolder is where snapshots go unless the manifest says else.
const defaultFolder = "snapshots"

// folder is a folder that a build writes to. Its path is clean, relative to the
// manifest's folder, with slashes; "" where a build writes to no such folder.
type folder struct {
	path string
	at   diag.Span
}

// span gives where the manifest says which folder it is.
func (f folder) span() diag.Span {
	if f.at.Known() {
		return f.at
	}
	return pathSpan(f.path)
}

// targets are the folders of a build.
type targets struct {
	snapshots, artifacts folder
	bindings             []folder
}

// folders gives where a build writes. That they lie below the manifest's folder
// and apart was checked with the manifest; what they hold is known only here.
func folders(plan *assembly.Plan) (targets, diag.List) {
	spec := plan.Spec
	out := targets{
		snapshots: folder{path: defaultFolder, at: spec.Snapshots.Path.At},
		artifacts: folder{at: spec.Artifacts.At},
	}
	if word := spec.Snapshots.Path; word.Str != "" {
		out.snapshots.path = path.Clean(word.Str)
	}
	if word := spec.Artifacts; word.Str != "" {
		out.artifacts.path = path.Clean(word.Str)
	}
	var found diag.List
	for _, b := range spec.Bindings {
		out.bindings = append(out.bindings, folder{path.Clean(b.Folder.Str), b.Folder.At})
	}
	for _, f := range append([]folder{out.snapshots, out.artifacts}, out.bindings...) {
		if f.path == "" || f.path == out.snapshots.path && !hasSnapshots(plan) {
			continue // nothing is written there
		}
		if source, ok := holdsSource(plan, f.path); ok {
			found = append(found, diag.New(diag.FolderRefused, f.at, "folder-holds-source", f.path, source).
				WithHint("choose-own-folder"))
		}
	}
	return out, found
}

func hasSnapshots(plan *assembly.Plan) bool {
	return slices.ContainsFunc(plan.Builds, func(b *assembly.Build) bool { return b.Prompt.HasSnapshots() })
}

// within reports whether a path is a folder or lies in it, on file systems
// that ignore case too.
func within(p, folder string) bool {
	p, folder = strings.ToLower(p), strings.ToLower(folder)
	return p == folder || strings.HasPrefix(p, folder+"/")
}

// holdsSource gives a file below a folder that is read for the build: the
// manifest, else the first source by path.
func holdsSource(plan *assembly.Plan, folder string) (string, bool) {
	if f := plan.Spec.File; f != nil && within(f.Path, folder) {
		return f.Path, true
	}
	var inside []string
	note := func(paths ...string) {
		for _, p := range paths {
			if within(p, folder) {
				inside = append(inside, p)
			}
		}
	}
	for _, u := range plan.Units {
		note(u.Sources()...)
	}
	if tree := plan.Spec.Tree; tree != nil {
		for _, d := range tree.Docs() {
			note(d.File.Path, d.Real)
		}
	}
	if len(inside) == 0 {
		return "", false
	}
	return slices.Min(inside), true
}

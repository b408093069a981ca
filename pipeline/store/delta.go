package store

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
)

// Status says what happened to an output.
type Status int

// The statuses.
const (
	Unchanged Status = iota
	Added
	Changed
	Orphaned // on disk, in our folder, with our form of name, wanted by nothing
)

// Change is one output against the baseline. Old is "" for Added and for
// artifacts; the output has no parts for Orphaned, and of its owner what the path
// says.
type Change struct {
	Output assembly.Output
	Status Status
	Old    string
	// LineEnds says that the file differs from the output in nothing but line ends.
	LineEnds bool
	// Cause is why a snapshot differs, where somebody asked.
	Cause DriftCause
}

// DriftCause says why a snapshot on disk is not what a build writes, as far as the
// last commit tells.
type DriftCause int

// The causes.
const (
	// NotAsked says that the snapshot was compared with no commit.
	NotAsked DriftCause = iota
	// OutOfDate says that its sources changed, or that no commit tells more.
	OutOfDate
	// Edited says that the last commit has what a build writes, so that the file
	// was changed and its sources were not.
	Edited
	// OtherVersion says that the file and its sources are those of the last commit,
	// so that another version wrote it, or nobody built before that commit.
	OtherVersion
	// NotStaged says that the file in the working tree is what the staged sources
	// need, and that the index has another.
	NotStaged
	// SourceNotStaged says that the staged file is what the sources in the working
	// tree need, and that the index has others.
	SourceNotStaged
	// NotCheckedOut says that git has the file and a sparse checkout leaves it out.
	NotCheckedOut
)

// Untracked is a file of a project that git does not have, so that a clone will
// lack it.
type Untracked struct {
	Path string
	// By is the place of the pattern for which git ignores it, for people; "" where
	// nobody added it.
	By string
	// In is the folder of another repository that it lies in, "" for none.
	In string
}

// Delta is the difference between what a build wants and what is on disk.
type Delta struct {
	// Snapshots are the changes below that folder, sorted by path, without the
	// unchanged.
	Snapshots []Change
	// Artifacts is their folder; its Folder is "" where none are asked for. Bindings
	// are the folders of generated code, in declared order.
	Artifacts Emitted
	Bindings  []Emitted
	// Wanted are all outputs, sorted by path.
	Wanted []assembly.Output
	// SnapshotFolder is the folder's path.
	SnapshotFolder string
	// Snapshotted is how many of Wanted are below the snapshot folder.
	Snapshotted int
}

// Emitted gives the folders that a build writes besides the snapshots.
func (d *Delta) Emitted() []*Emitted {
	var out []*Emitted
	if d.Artifacts.Folder != "" {
		out = append(out, &d.Artifacts)
	}
	for i := range d.Bindings {
		out = append(out, &d.Bindings[i])
	}
	return out
}

// Emitted is a folder that a build writes besides the snapshots, and how it
// differs.
type Emitted struct {
	Folder string
	// Changes are below the folder, sorted by path, without the unchanged.
	Changes []Change
	// Have says that the folder exists.
	Have bool
	// Manifest is the path of the manifest of the artifacts in it, and Interim that
	// manifest while their files are replaced: it also records what is replaced and
	// removed. Nil where nothing is.
	Manifest string
	Interim  *assembly.Output
}

// Stale reports whether what is on disk differs from what a build writes. Without
// the folder there is nothing to be stale: CI checks out no artifacts.
func (e *Emitted) Stale() bool { return e.Have && len(e.Changes) > 0 }

// CodeDrifted reports whether generated code on disk, which is reviewed as
// snapshots are, differs.
func (d *Delta) CodeDrifted() bool {
	return slices.ContainsFunc(d.Bindings, func(e Emitted) bool {
		return e.Have && slices.ContainsFunc(e.Changes, func(c Change) bool { return c.Output.Owner.Kind == assembly.OutCode })
	})
}

// Differs reports whether anything that is emitted besides the snapshots differs.
func (d *Delta) Differs() bool {
	return slices.ContainsFunc(d.Emitted(), func(e *Emitted) bool { return len(e.Changes) > 0 })
}

// Drifted reports whether anything below the snapshot folder differs.
func (d *Delta) Drifted() bool { return len(d.Snapshots) > 0 }

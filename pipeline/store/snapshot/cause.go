package snapshot

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Explain says of each snapshot that differs why it does. The head is the last
// commit, compiled by the same program; nil where there is none, or where it
// does not compile.
func Explain(now, head *store.Delta) {
	for i, c := range now.Snapshots {
		now.Snapshots[i].Cause = causeOf(now, head, c.Output.Path)
	}
}

func causeOf(now, head *store.Delta, path string) store.DriftCause {
	if head == nil {
		return store.OutOfDate
	}
	want, have, committed := wantedAt(now, path), foundAt(now, path), foundAt(head, path)
	switch {
	case have == want: // but for its line ends, which have a finding of their own
		return store.OutOfDate
	case committed.exists && committed == want:
		return store.Edited
	case committed == have && wantedAt(head, path) == want:
		return store.OtherVersion
	default:
		return store.OutOfDate
	}
}

// Doubt looks once more at the snapshots that are said to be another version's.
// Last is the last commit that changed any snapshot, compiled by the same program,
// or nil. Where it asks for another text than now, a source changed later, and was
// committed without a build.
func Doubt(now, last *store.Delta) {
	for i, c := range now.Snapshots {
		path := c.Output.Path
		if c.Cause == store.OtherVersion && (last == nil || wantedAt(last, path) != wantedAt(now, path)) {
			now.Snapshots[i].Cause = store.OutOfDate
		}
	}
}

// Staging says what the working tree has to do with an index whose snapshots differ
// from what a build writes.
type Staging struct {
	// Built says that the snapshots in the working tree are those that the staged
	// sources need, Sourced that the staged snapshots are those that the sources in
	// the working tree need, Current that the working tree is up to date.
	Built, Sourced, Current bool
}

// Staged compares the index with the working tree, compiled by the same program, and
// says of each snapshot that differs whether only one of the two was staged.
func Staged(index, work *store.Delta) Staging {
	out := Staging{Built: true, Sourced: true, Current: !work.Drifted()}
	paths := map[string]bool{}
	for _, d := range []*store.Delta{index, work} {
		for _, o := range d.Wanted {
			if strings.HasPrefix(o.Path, index.SnapshotFolder+"/") {
				paths[o.Path] = true
			}
		}
		for _, c := range d.Snapshots {
			paths[c.Output.Path] = true
		}
	}
	// Line ends count where the index has others, too: then neither is right.
	converted := func(p string) bool { return changeAt(index, p).LineEnds && changeAt(work, p).LineEnds }
	for p := range paths {
		if converted(p) {
			out.Built, out.Sourced = false, false
		}
		out.Built = out.Built && foundAt(work, p) == wantedAt(index, p)
		out.Sourced = out.Sourced && foundAt(index, p) == wantedAt(work, p)
	}
	for i, c := range index.Snapshots {
		switch p := c.Output.Path; {
		case converted(p):
		case foundAt(work, p) == wantedAt(index, p):
			index.Snapshots[i].Cause = store.NotStaged
		case foundAt(index, p) == wantedAt(work, p):
			index.Snapshots[i].Cause = store.SourceNotStaged
		}
	}
	return out
}

// fileText is what a file holds, with LF line ends. A file that is not there holds nothing.
type fileText struct {
	exists bool
	text   string
}

// wantedAt gives what a build writes to a path.
func wantedAt(d *store.Delta, path string) fileText {
	i, ok := slices.BinarySearchFunc(d.Wanted, path, func(o assembly.Output, path string) int { return strings.Compare(o.Path, path) })
	if !ok {
		return fileText{}
	}
	return fileText{true, unixEnds(d.Wanted[i].Content())}
}

// foundAt gives what stands at a path that is a snapshot's.
func foundAt(d *store.Delta, path string) fileText {
	switch c := changeAt(d, path); c.Status {
	case store.Unchanged:
		return wantedAt(d, path)
	case store.Added:
		return fileText{}
	default:
		return fileText{true, unixEnds(c.Old)}
	}
}

// changeAt gives how a snapshot differs, one that is Unchanged where it does not.
func changeAt(d *store.Delta, path string) store.Change {
	i, ok := slices.BinarySearchFunc(d.Snapshots, path, func(c store.Change, path string) int { return strings.Compare(c.Output.Path, path) })
	if !ok {
		return store.Change{}
	}
	return d.Snapshots[i]
}

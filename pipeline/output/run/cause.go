package run

import (
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

// driftReason says why some snapshots differ from what a build writes, and what to do
// about it, "" where the remedy is enough. Those that are plainly out of date need none.
type driftReason struct{ why, hint string }

// reasonOf gives the reason of a number of snapshots with one cause.
func reasonOf(cause store.DriftCause, n diag.Words) (driftReason, bool) {
	switch cause {
	case store.Edited:
		return driftReason{
			wording.Text(diag.Say("right-in-head", n)), wording.Text(diag.Say("edit-the-source")),
		}, true
	case store.OtherVersion:
		return driftReason{
			wording.Text(diag.Say("same-in-head", n)), wording.Text(diag.Say("build-or-other-version")),
		}, true
	case store.NotStaged:
		return driftReason{why: wording.Text(diag.Say("right-in-work-tree", n))}, true
	case store.NotCheckedOut:
		return driftReason{why: wording.Text(diag.Say("not-checked-out", n))}, true
	default:
		return driftReason{}, false
	}
}

// explain finds why the snapshots differ, each reason once.
func (f *Facts) explain() {
	of := map[store.DriftCause]int{}
	if f.state == outOfDate {
		for _, c := range f.changes {
			of[c.Cause]++
		}
	}
	for _, cause := range []store.DriftCause{store.Edited, store.OtherVersion, store.NotStaged, store.NotCheckedOut} {
		if r, ok := reasonOf(cause, diag.Counted(of[cause], "file-is", "files-are")); ok && of[cause] > 0 {
			f.reasons = append(f.reasons, r)
		}
	}
	f.unstaged = notStagedWhy(f.opt)
	f.reasons = append(f.reasons, f.unstaged...)
}

// maxUnstaged is how many sources a line names that are not staged.
const maxUnstaged = 3

// notStaged gives the reasons that are sources which are not staged.
func notStagedWhy(o words.Options) []driftReason {
	if len(o.Unstaged) == 0 {
		return nil
	}
	var all []string
	var out []driftReason
	for _, u := range o.Unstaged {
		all = append(all, o.Path(u.Path))
		if u.By != "" {
			out = append(out, driftReason{
				wording.Text(diag.Say("git-ignores-source", o.Path(u.Path), u.By)), wording.Text(diag.Say("take-out", u.By)),
			})
		}
	}
	n := diag.Counted(len(all), "source-is", "sources-are")
	names := diag.Say("names", diag.Names(all[:min(len(all), maxUnstaged)]))
	if more := len(all) - maxUnstaged; more > 0 {
		names = diag.Say("names-and-more", diag.Names(all[:maxUnstaged]), diag.Count(more))
	}
	return append([]driftReason{{why: wording.Text(diag.Say("sources-not-staged", n, names))}}, out...)
}

func reasonLines(all []driftReason) []string {
	var out []string
	for _, r := range all {
		out = append(out, r.why)
		if r.hint != "" {
			out = append(out, "hint: "+r.hint)
		}
	}
	return out
}

// cause names why a snapshot differs, in words that programs may rely on; "" where
// nobody asked.
func cause(c store.DriftCause) string {
	return [...]string{"", "out-of-date", "edited", "other-version", "not-staged", "source-not-staged", "not-checked-out"}[c]
}

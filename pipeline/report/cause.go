package report

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

// driftReason says why some snapshots differ from what a build writes, and what to do
// about it. Those that are plainly out of date need none.
type driftReason struct{ why, hint string }

// reasonOf gives the reason of a number of snapshots with one cause.
func reasonOf(cause prompt.DriftCause, n diag.Words) (driftReason, bool) {
	switch cause {
	case prompt.Edited:
		return driftReason{
			wording.Text(diag.Say("right-in-head", n)), wording.Text(diag.Say("edit-the-source")),
		}, true
	case prompt.OtherVersion:
		return driftReason{
			wording.Text(diag.Say("same-in-head", n)), wording.Text(diag.Say("build-or-other-version")),
		}, true
	default:
		return driftReason{}, false
	}
}

// reasons gives those of all snapshots that differ, each once.
func (f *facts) reasons() []driftReason {
	if !f.drifted || f.fresh {
		return nil
	}
	var out []driftReason
	for _, cause := range []prompt.DriftCause{prompt.Edited, prompt.OtherVersion} {
		n := 0
		for _, c := range f.changes {
			if c.Cause == cause {
				n++
			}
		}
		if r, ok := reasonOf(cause, diag.Counted(n, "file-is", "files-are")); ok && n > 0 {
			out = append(out, r)
		}
	}
	return out
}

// cause names why a snapshot differs, in words that programs may rely on; "" where
// nobody asked.
func cause(c prompt.DriftCause) string {
	return [...]string{"", "out-of-date", "edited", "other-version"}[c]
}

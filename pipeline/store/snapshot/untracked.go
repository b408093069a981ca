package snapshot

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Untracked warns of files that git does not have: once of those that nobody added,
// and once of those that each pattern ignores, or that lie in each other repository. The
// command adds files to git, as the user types it.
func Untracked(files []store.Untracked, command func(paths []string) string) diag.List {
	var reasons ordered.Map[store.Untracked, []string] // without paths
	for _, f := range files {
		paths := reasons.Of(store.Untracked{By: f.By, In: f.In})
		*paths = append(*paths, f.Path)
	}
	var out diag.List
	for why, paths := range reasons.All() {
		all := slices.Sorted(slices.Values(*paths))
		n, first, add := diag.Counted(len(all), "file-is", "files-are"), diag.Some(all, maxNamed), diag.Verbatim(command(all))
		var d diag.Diagnostic
		switch {
		case why.By != "":
			d = diag.New(diag.IgnoredByGit, diag.Span{}, "git-ignores", n, why.By, first).WithHint("take-out-and-run", why.By, add)
		case why.In != "":
			d = diag.New(diag.NotInGit, diag.Span{}, "in-other-repository", n, why.In, first).WithHint("make-submodule", why.In)
		default:
			d = diag.New(diag.NotInGit, diag.Span{}, "not-in-git", n, first).WithHint("run-command", add)
		}
		d.Also = all
		out = append(out, d)
	}
	return out
}

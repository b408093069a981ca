package snapshot

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Untracked warns of files that git does not have: once of those that nobody added,
// and once of those that each pattern ignores. The command adds files to git, as the
// user types it.
func Untracked(files []prompt.Untracked, command func(paths []string) string) diag.List {
	var by []string
	paths := map[string][]string{}
	for _, f := range files {
		if paths[f.By] == nil {
			by = append(by, f.By)
		}
		paths[f.By] = append(paths[f.By], f.Path)
	}
	var out diag.List
	for _, pattern := range by {
		all := slices.Sorted(slices.Values(paths[pattern]))
		n, first, add := diag.Counted(len(all), "file-is", "files-are"), diag.Some(all, maxNamed), diag.Verbatim(command(all))
		var d diag.Diagnostic
		if pattern == "" {
			d = diag.New(diag.NotInGit, diag.Span{}, "not-in-git", n, first).WithHint("run-command", add)
		} else {
			d = diag.New(diag.IgnoredByGit, diag.Span{}, "git-ignores", n, pattern, first).WithHint("take-out-and-run", pattern, add)
		}
		d.Also = all
		out = append(out, d)
	}
	return out
}

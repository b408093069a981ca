package git

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/load"
)

// Sparse gives the paths below a folder that the index has and a sparse checkout
// leaves out of the work tree, seen from the folder. Where the checkout is not sparse,
// git is not started. Errors are of the type *[Error].
func Sparse(dir string) (paths []string, err error) {
	top, err := load.Repository(dir)
	if err != nil || top == "" || !load.MaybeSparse(top) {
		return nil, nil //nolint:nilerr // git would say it, where it matters
	}
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	if on, err := r.git.line("config", "--type=bool", "--get", "core.sparseCheckout"); err != nil || on != "true" {
		return nil, nil //nolint:nilerr // it is not set
	}
	listing, err := r.git.run("ls-files", "-t", "-z")
	if err != nil {
		return nil, failed(diag.Say("read-index"), err)
	}
	for entry := range strings.SplitSeq(listing, "\x00") {
		if name, ok := strings.CutPrefix(entry, "S "); ok {
			paths = append(paths, name)
		}
	}
	return paths, nil
}

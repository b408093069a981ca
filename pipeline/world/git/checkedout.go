package git

import (
	"context"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// NotCheckedOut gives the paths below a folder that the index has and a sparse checkout
// leaves out of the work tree, and those of all submodules, seen from the folder. Where
// there are neither, git is not started. Errors are of the type *[Error].
func NotCheckedOut(ctx context.Context, dir string) (sparse, submodules []string, err error) {
	top, err := load.Repository(dir)
	if err != nil || top == "" || !load.MaybePartial(top) {
		return nil, nil, nil //nolint:nilerr // git would say it, where it matters
	}
	r, err := Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	listing, err := r.git.run("ls-files", "-t", "--stage", "-z")
	if err != nil {
		return nil, nil, failed(diag.Say("read-index"), err)
	}
	for line := range strings.SplitSeq(listing, "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		switch tag, mode, _ := strings.Cut(about, " "); {
		case strings.HasPrefix(mode, modeSubmodule):
			submodules = append(submodules, name)
		case tag == "S":
			sparse = append(sparse, name)
		}
	}
	if on, err := r.git.line("config", "--type=bool", "--get", "core.sparseCheckout"); err != nil || on != "true" {
		sparse = nil
	}
	return sparse, submodules, nil
}

// Filtered gives those of some files that git keeps in another form than it checks them
// out, line ends aside: through a filter, in another encoding, or with an id put in.
// Errors are of the type *[Error].
func (r *Repository) Filtered(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	git := r.git
	git.in = strings.Join(paths, "\x00") + "\x00"
	listing, err := git.run("check-attr", "--stdin", "-z", "filter", "working-tree-encoding", "ident")
	if err != nil {
		return nil, failed(diag.Say("read-attributes"), err)
	}
	var out []string
	for fields := strings.Split(listing, "\x00"); len(fields) > 3; fields = fields[3:] {
		name, value := fields[0], fields[2]
		if value != "unspecified" && value != "unset" && (len(out) == 0 || out[len(out)-1] != name) {
			out = append(out, name)
		}
	}
	return out, nil
}

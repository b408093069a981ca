package git

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Ignored gives the paths below the folder that was opened that git is told not to
// keep, and does not: files, and folders with a slash behind them. Errors are of
// the type *[Error].
func (r *Repository) Ignored() ([]string, error) {
	listing, err := r.git.run("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
	if err != nil {
		return nil, failed(diag.Say("read-ignored"), err)
	}
	return strings.FieldsFunc(listing, func(c rune) bool { return c == 0 }), nil
}

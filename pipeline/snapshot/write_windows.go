package snapshot

import (
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"
)

// replacer puts files in their places in one folder.
type replacer struct{ folder string }

// into gives the replacer of a folder.
func (c *committer) into(folder string) (replacer, error) {
	return replacer{filepath.Join(c.dir, filepath.FromSlash(folder))}, nil
}

func (replacer) close() {}

// replace puts a file in a place. Windows cannot replace a file in one step;
// the library writes it directly there.
func (r replacer) replace(name string, parts []string) error {
	return maybe.WriteFile(filepath.Join(r.folder, name), []byte(strings.Join(parts, "")), 0o644)
}

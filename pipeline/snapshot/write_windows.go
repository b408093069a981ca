package snapshot

import (
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
)

// replace puts a file in a place. Windows cannot replace a file in one step;
// the library writes it directly there.
func (c *committer) replace(p, content string) error {
	return maybe.WriteFile(filepath.Join(c.dir, filepath.FromSlash(p)), []byte(content), 0o644)
}

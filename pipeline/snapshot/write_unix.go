//go:build !windows

package snapshot

import (
	"path"

	"github.com/google/renameio/v2"
)

// replace puts a whole file in a place: it is written to a temporary file in
// the same folder, synced and renamed. An existing file's permissions are
// kept.
func (c *committer) replace(p, content string) (err error) {
	// The library makes its temporary file at the top of the root that it is
	// given, so the file's own folder has to be the root.
	folder, err := c.root.OpenRoot(path.Dir(p))
	if err != nil {
		return err
	}
	defer folder.Close() // only opened to look things up
	f, err := renameio.NewPendingFile(path.Base(p), renameio.WithRoot(folder),
		renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Cleanup() // the first error is the one to report
		}
	}()
	if _, err := f.WriteString(content); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

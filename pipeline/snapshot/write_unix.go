//go:build !windows

package snapshot

import (
	"bufio"
	"os"
	"sync"

	"github.com/google/renameio/v2"
)

// replacer puts whole files in their places in one folder.
type replacer struct {
	root    *os.Root
	buffer  *bufio.Writer
	buffers *sync.Pool // where it came from
}

// into gives the replacer of a folder.
func (c *committer) into(folder string) (*replacer, error) {
	// The library makes its temporary file at the top of the root that it is
	// given, so the file's own folder has to be the root.
	root, err := c.root.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	buffer, ok := c.buffers.Get().(*bufio.Writer)
	if !ok {
		buffer = bufio.NewWriterSize(nil, 64<<10)
	}
	return &replacer{root: root, buffer: buffer, buffers: &c.buffers}, nil
}

func (r *replacer) close() {
	r.buffers.Put(r.buffer)
	_ = r.root.Close() // only opened to look things up
}

// replace puts a whole file in a place: it is written to a temporary file in
// the same folder, synced and renamed. An existing file's permissions are
// kept.
func (r *replacer) replace(name string, parts []string) (err error) {
	f, err := renameio.NewPendingFile(name, renameio.WithRoot(r.root),
		renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Cleanup() // the first error is the one to report
		}
	}()
	r.buffer.Reset(f)
	for _, p := range parts {
		if _, err := r.buffer.WriteString(p); err != nil {
			return err
		}
	}
	if err := r.buffer.Flush(); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

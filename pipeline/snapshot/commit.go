package snapshot

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Parts says which of the two folders are written.
type Parts uint8

// The parts of a build's output; they may be added.
const (
	Snapshots Parts = 1 << iota
	Artifacts
)

// Commit writes what a delta says below dir, the manifest's folder: new and
// changed files each as a whole or not at all, then it removes orphans and the
// folders that they leave empty. Files that did not change are not touched.
// Links are not followed. The error names the path and the cause; a file that
// could not be written is still what it was.
//
// A delta with the SnapshotFolder "." writes anywhere below dir: that is how a
// project's first files are made.
func Commit(dir string, delta *prompt.Delta, what Parts) error {
	if delta == nil {
		return errors.New("write: the build was refused")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", dir, cause(err))
	}
	defer root.Close() // only opened to look things up
	c := committer{dir: dir, root: root, ready: map[string]bool{}}
	parts := []struct {
		part    Parts
		folder  string
		changes []prompt.Change
	}{
		{Snapshots, delta.SnapshotFolder, delta.Snapshots},
		{Artifacts, delta.ArtifactFolder, delta.Artifacts},
	}
	for _, p := range parts {
		if what&p.part == 0 || p.folder == "" {
			continue
		}
		if err := c.write(p.folder, p.changes); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if what&p.part == 0 || p.folder == "" {
			continue
		}
		if err := c.removeOrphans(p.folder, p.changes, delta.Wanted); err != nil {
			return err
		}
	}
	return nil
}

// committer writes below one folder.
type committer struct {
	dir   string
	root  *os.Root
	ready map[string]bool // folders known to be there and no links
	// buffers are those that nobody writes with now.
	buffers sync.Pool
}

// write makes all folders and looks at all places first, so that what is in
// the way is found before anything changed.
func (c *committer) write(folder string, changes []prompt.Change) error {
	var outputs []prompt.Output
	for _, change := range changes {
		if change.Status != prompt.Added && change.Status != prompt.Changed {
			continue
		}
		if err := c.prepare(folder, change.Output.Path); err != nil {
			return fmt.Errorf("write %s: %w", change.Output.Path, cause(err))
		}
		outputs = append(outputs, change.Output)
	}
	// Most of the time goes into waiting for the disk to sync.
	_, err := par.TryWaiting(byFolder(outputs), c.replaceAll)
	return err
}

// byFolder cuts outputs into pieces of work, each within one folder.
func byFolder(outputs []prompt.Output) [][]prompt.Output {
	const most = 32
	var out [][]prompt.Output
	for i, o := range outputs {
		last := len(out) - 1
		if i == 0 || len(out[last]) == most || path.Dir(o.Path) != path.Dir(out[last][0].Path) {
			out, last = append(out, nil), last+1
		}
		out[last] = append(out[last], o)
	}
	return out
}

// replaceAll writes the files of one folder, all that it can. The error is of
// the first that it could not write.
func (c *committer) replaceAll(outputs []prompt.Output) (struct{}, error) {
	var first error
	note := func(o prompt.Output, err error) {
		if err != nil && first == nil {
			first = fmt.Errorf("write %s: %w", o.Path, cause(err))
		}
	}
	into, err := c.into(path.Dir(outputs[0].Path))
	if err != nil {
		note(outputs[0], err)
		return struct{}{}, first
	}
	defer into.close()
	for _, o := range outputs {
		note(o, into.replace(path.Base(o.Path), o.Parts))
	}
	return struct{}{}, first
}

var (
	errOutside = errors.New("outside the folder of the build")
	errInWay   = errors.New("something that is no ordinary file is in its place")
	errNoDir   = errors.New("something that is no folder is on the way")
)

// prepare makes the folders of a file and checks its place.
func (c *committer) prepare(folder, p string) error {
	if !fs.ValidPath(p) || p == "." || folder != "." && !strings.HasPrefix(p, folder+"/") {
		return errOutside
	}
	if err := c.makeFolder(path.Dir(p)); err != nil {
		return err
	}
	stat, err := c.root.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !stat.Mode().IsRegular() {
		return errInWay
	}
	return err
}

func (c *committer) makeFolder(p string) error {
	if p == "." || c.ready[p] {
		return nil
	}
	if err := c.makeFolder(path.Dir(p)); err != nil {
		return err
	}
	stat, err := c.root.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		err = c.root.Mkdir(p, 0o755)
	} else if err == nil && !stat.IsDir() {
		err = errNoDir
	}
	if err != nil {
		return err
	}
	c.ready[p] = true
	return nil
}

// removeOrphans removes files that nothing wants, and the folders that are
// empty then.
func (c *committer) removeOrphans(folder string, changes []prompt.Change, wanted []prompt.Output) error {
	spelled := make(map[string]string, len(wanted))
	for _, w := range wanted {
		spelled[strings.ToLower(w.Path)] = w.Path
	}
	for _, change := range changes {
		if change.Status != prompt.Orphaned {
			continue
		}
		p := change.Output.Path
		if err := c.removeOrphan(folder, p, spelled[strings.ToLower(p)]); err != nil {
			return fmt.Errorf("remove %s: %w", p, cause(err))
		}
	}
	return nil
}

func (c *committer) removeOrphan(folder, p, wanted string) error {
	if !fs.ValidPath(p) || !strings.HasPrefix(p, folder+"/") {
		return errOutside
	}
	if !c.plainWay(path.Dir(p)) {
		return errNoDir
	}
	stat, err := c.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !stat.Mode().IsRegular():
		return errInWay
	}
	if wanted != "" {
		// Where case does not count, the file just written may be this very
		// one under its old spelling.
		if other, err := c.root.Lstat(wanted); err == nil && os.SameFile(stat, other) {
			return c.root.Rename(p, wanted)
		}
	}
	if err := c.root.Remove(p); err != nil {
		return err
	}
	return c.removeEmpty(folder, path.Dir(p))
}

// plainWay reports whether all folders of a path are folders and no links.
func (c *committer) plainWay(p string) bool {
	for ; p != "."; p = path.Dir(p) {
		if stat, err := c.root.Lstat(p); err != nil || !stat.IsDir() {
			return errors.Is(err, fs.ErrNotExist)
		}
	}
	return true
}

// removeEmpty removes a folder below the build's own if nothing is in it, then
// the one above it.
func (c *committer) removeEmpty(folder, p string) error {
	for ; strings.HasPrefix(p, folder+"/"); p = path.Dir(p) {
		empty, err := c.empty(p)
		if err != nil || !empty {
			return err
		}
		if err := c.root.Remove(p); err != nil {
			return err
		}
		delete(c.ready, p)
	}
	return nil
}

func (c *committer) empty(p string) (bool, error) {
	f, err := c.root.Open(p)
	if err != nil {
		return false, err
	}
	_, err = f.Readdirnames(1)
	closing := f.Close()
	if errors.Is(err, io.EOF) {
		return true, closing
	}
	return false, err
}

// cause gives what went wrong without the operation and the path, which the
// message names itself.
func cause(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	default:
		return err
	}
}

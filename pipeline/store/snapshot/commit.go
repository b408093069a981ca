package snapshot

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Parts says which folders are written.
type Parts uint8

// The parts of a build's output; they may be added.
const (
	Snapshots Parts = 1 << iota
	Artifacts       // and the bindings with them
)

// Commit writes what a delta says below dir, the manifest's folder. It makes all
// folders and writes every new content to a temporary file first, so that what
// cannot be written is found while nothing has changed; then it puts the files
// in their places, one after another, and removes orphans and the folders that
// they leave empty. Files that did not change are not touched. Links are not
// followed. The error names the path and the cause.
//
// The manifest of artifacts is replaced before them, so that whatever stands
// there if the process is killed is recorded in it.
//
// A delta with the SnapshotFolder "." writes anywhere below dir: that is how a
// project's first files are made.
func Commit(dir string, delta *store.Delta, what Parts) (err error) {
	if delta == nil {
		return diag.Fail("build-refused")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return writing(dir, err)
	}
	defer root.Close() // only opened to look things up
	c := committer{root: root, ready: map[string]bool{}}
	parts := partsOf(delta, what)
	first, rest, last, err := c.outputs(parts)
	if err != nil {
		return err
	}
	all := slices.Concat(rest, first, last)
	defer func() {
		if err != nil {
			c.discard(all)
		}
	}()
	// Most of the time goes into waiting for the disk to sync.
	if _, err := par.TryWaiting(all, c.stage); err != nil {
		return err
	}
	if err := c.replace(slices.Concat(first, rest)); err != nil {
		return err
	}
	for _, p := range parts {
		if err := c.removeOrphans(p.Folder, p.Changes, delta.Wanted); err != nil {
			return err
		}
	}
	return c.replace(last)
}

// partsOf gives the folders that are written.
func partsOf(delta *store.Delta, what Parts) []*store.Emitted {
	var out []*store.Emitted
	if what&Snapshots != 0 && delta.SnapshotFolder != "" {
		out = append(out, &store.Emitted{Folder: delta.SnapshotFolder, Changes: delta.Snapshots})
	}
	if what&Artifacts != 0 {
		out = append(out, delta.Emitted()...)
	}
	return out
}

// committer writes below one folder.
type committer struct {
	root  *os.Root
	ready map[string]bool // folders known to be there and no links
}

// outputs gives what is to be written: the manifest of the artifacts before all
// others, and once more after them where the first one records what it replaces.
// It makes the folders and looks at all places.
func (c *committer) outputs(parts []*store.Emitted) (first, rest, last []*staged, err error) {
	for _, p := range parts {
		for _, change := range p.Changes {
			if change.Status != store.Added && change.Status != store.Changed {
				continue
			}
			out := change.Output
			if err := c.prepare(p.Folder, out.Path); err != nil {
				return nil, nil, nil, writing(out.Path, err)
			}
			switch {
			case out.Path != p.Manifest:
				rest = append(rest, &staged{Output: out})
			case p.Interim == nil:
				first = append(first, &staged{Output: out})
			default:
				first = append(first, &staged{Output: *p.Interim})
				last = append(last, &staged{Output: out})
			}
		}
	}
	return first, rest, last, nil
}

// writing says which path could not be written.
func writing(path string, err error) error {
	if err == nil {
		return nil
	}
	return diag.Fail("write-file", path, cause(err))
}

var (
	errOutside error = diag.Fail("outside-build")
	errInWay   error = diag.Fail("no-file-in-place")
	errNoDir   error = diag.Fail("no-folder-in-place")
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
func (c *committer) removeOrphans(folder string, changes []store.Change, wanted []assembly.Output) error {
	spelled := make(map[string]string, len(wanted))
	for _, w := range wanted {
		spelled[strings.ToLower(w.Path)] = w.Path
	}
	for _, change := range changes {
		if change.Status != store.Orphaned {
			continue
		}
		p := change.Output.Path
		if err := c.removeOrphan(folder, p, spelled[strings.ToLower(p)]); err != nil {
			return diag.Fail("remove-file", p, cause(err))
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
	// Of the folders above it those go that are empty now; others stay.
	for up := path.Dir(p); strings.HasPrefix(up, folder+"/") && c.root.Remove(up) == nil; up = path.Dir(up) {
		continue
	}
	return nil
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

// cause gives what went wrong without the operation and the path, which the
// message names itself.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// staged is an output with the name of the temporary file beside its place that
// holds it; "" once it is in its place.
type staged struct {
	assembly.Output
	temp string
}

// firstNumber ends the name of a temporary file unless another one has it.
// People name files .eslintrc.json5: leftovers have two digits or more.
const firstNumber = 10

// stage writes an output to a temporary file beside its place and syncs it. An
// existing file's permissions are kept.
func (c *committer) stage(s *staged) (struct{}, error) {
	perm, exists := fs.FileMode(0o644), false
	if stat, err := c.root.Lstat(s.Path); err == nil {
		perm, exists = stat.Mode().Perm(), true
	}
	var f *os.File
	var temp string
	err := fs.ErrExist
	for n := firstNumber; errors.Is(err, fs.ErrExist); n++ {
		temp = path.Join(path.Dir(s.Path), "."+path.Base(s.Path)+strconv.Itoa(n))
		f, err = c.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	}
	if err != nil {
		return struct{}{}, writing(s.Path, err)
	}
	s.temp = temp
	buffer := bufio.NewWriter(f)
	for _, p := range s.Parts {
		_, _ = buffer.WriteString(p) // Flush gives the first error
	}
	err = buffer.Flush()
	if err == nil && exists {
		err = f.Chmod(perm) // the mask took some away
	}
	if err == nil {
		err = f.Sync()
	}
	return struct{}{}, writing(s.Path, errors.Join(err, f.Close()))
}

// replace puts staged files in their places, each in one step.
func (c *committer) replace(all []*staged) error {
	for _, s := range all {
		if err := c.root.Rename(s.temp, s.Path); err != nil {
			return writing(s.Path, err)
		}
		s.temp = ""
	}
	return nil
}

// discard removes the temporary files that are still there.
func (c *committer) discard(all []*staged) {
	for _, s := range all {
		if s.temp != "" {
			_ = c.root.Remove(s.temp) // the error that is reported came first; the next build removes it
		}
	}
}

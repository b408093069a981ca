package snapshot

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// maxRead is how much is read of a file that may be anything, in bytes. A
// file that is longer than what is wanted differs from it in any case.
const maxRead = 16 << 20

// baseline is what stands in the snapshot folder.
type baseline struct {
	// refused says that nothing may be written; the findings say why.
	refused  bool
	files    map[string]string // content of our files by path
	orphans  []string          // those that nothing wants
	findings diag.List
}

// walker reads the snapshot folder and tells our files from other things.
type walker struct {
	fsys    fs.FS
	folder  folder
	root    standing // what stands at the folder's path
	out     baseline
	strange []standing
}

// readSnapshots reads the snapshot folder. It does not know yet what is wanted:
// that is computed at the same time.
func readSnapshots(fsys fs.FS, at folder) (*walker, error) {
	w := &walker{fsys: fsys, folder: at, out: baseline{files: map[string]string{}}}
	var err error
	if w.root, err = look(fsys, at.path); err != nil || !w.root.mode.IsDir() {
		return w, err
	}
	return w, w.walk(at.path)
}

// against compares what was read with what is wanted.
func (w *walker) against(wanted []assembly.Output) (baseline, error) {
	if !w.root.mode.IsDir() {
		if w.root.exists && len(wanted) > 0 {
			w.refuse(occupiedFinding(w.root))
		}
		return w.out, nil
	}
	readme, ok := w.out.files[w.folder.path+"/"+readmeName]
	if len(wanted) == 0 && !marked(readme) {
		return baseline{}, nil // nothing is written there, and nothing was
	}
	isWanted := map[string]bool{}
	for _, o := range wanted {
		isWanted[o.Path] = true
		if _, ok := w.out.files[o.Path]; ok && length(o.Parts) >= maxRead {
			var err error
			if w.out.files[o.Path], err = readFile(w.fsys, o.Path, length(o.Parts)); err != nil {
				return baseline{}, err
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(w.out.files)) {
		if !isWanted[p] {
			w.out.orphans = append(w.out.orphans, p)
		}
	}
	if ok && !marked(readme) || !ok && len(w.strange) > 0 {
		d := diag.New(diag.FolderUnmarked, w.folder.span(), "folder-without-mark", w.folder.path).WithHint("choose-empty-folder")
		for _, s := range w.strange[:min(3, len(w.strange))] {
			d = d.WithDetail(diag.Say("it-holds", s.path))
		}
		w.refuse(d)
		return w.out, nil
	}
	w.judge(wanted)
	return w.out, nil
}

func (w *walker) walk(dir string) error {
	entries, err := fs.ReadDir(w.fsys, dir)
	if err != nil {
		return reading(dir, err)
	}
	for _, e := range entries {
		p := dir + "/" + e.Name()
		switch form := formOf(p[len(w.folder.path)+1:], e.IsDir()); {
		case e.IsDir() && form == ourFolder:
			err = w.walk(p)
		case e.Type().IsRegular() && form == ourFile:
			w.out.files[p], err = readFile(w.fsys, p, 0)
		default:
			w.strange = append(w.strange, standing{p, true, e.Type()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judge reports what no build wrote. Whatever is in the way of a file refuses
// the whole build.
func (w *walker) judge(wanted []assembly.Output) {
	way := map[string]string{} // by lower-case path: the path as we need it
	for _, o := range wanted {
		for p := o.Path; len(p) > len(w.folder.path); p = path.Dir(p) {
			way[strings.ToLower(p)] = p
		}
	}
	for _, s := range w.strange {
		needed, inWay := way[strings.ToLower(s.path)]
		switch {
		case inWay && needed == s.path:
			w.refuse(occupiedFinding(s))
		case inWay:
			w.refuse(diag.New(diag.PathOccupied, pathSpan(s.path), "differs-in-case-from-wanted", s.path, needed).
				WithHint("rename-and-build"))
		default:
			w.out.findings = append(w.out.findings, diag.New(diag.ForeignFile, pathSpan(s.path), "no-build-wrote", s.path, s.noun()).
				WithHint("move-out-or-delete", w.folder.path))
		}
	}
}

func (w *walker) refuse(d diag.Diagnostic) {
	w.out.refused = true
	w.out.findings = append(w.out.findings, d)
}

func occupiedFinding(s standing) diag.Diagnostic {
	return diag.New(diag.PathOccupied, pathSpan(s.path), "in-the-way-of-build", s.path, s.noun()).
		WithHint("move-away-and-build")
}

type standing struct {
	path   string
	exists bool
	mode   fs.FileMode
}

// look finds out what stands at a path, without following links. Where something
// other than a folder is on the way to it, that is what it gives.
func look(fsys fs.FS, p string) (standing, error) {
	for i := range len(p) + 1 {
		if i < len(p) && p[i] != '/' {
			continue
		}
		stat, err := fs.Lstat(fsys, p[:i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return standing{path: p[:i]}, nil
		case err != nil:
			return standing{}, reading(p[:i], err)
		case i == len(p) || !stat.IsDir():
			return standing{p[:i], true, stat.Mode().Type()}, nil
		}
	}
	return standing{path: p}, nil
}

// isFile reports whether a file stands at a path, and not something else at it
// or on the way to it.
func (s standing) isFile(p string) bool { return s.exists && s.path == p && s.mode.IsRegular() }

// noun says what it is.
func (s standing) noun() diag.Words {
	switch {
	case s.mode&fs.ModeSymlink != 0:
		return diag.Say("a-symbolic-link")
	case s.mode.IsDir():
		return diag.Say("a-folder")
	case s.mode.IsRegular():
		return diag.Say("a-file")
	default:
		return diag.Say("a-special-file")
	}
}

// readFile reads a regular file, but not much more than the length that it
// ought to have, which other line ends may double.
func readFile(fsys fs.FS, p string, length int) (string, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return "", reading(p, err)
	}
	defer f.Close() // nothing was written
	var text bytes.Buffer
	text.Grow(min(length, maxRead) + bytes.MinRead) // as much as is expected
	if _, err := text.ReadFrom(io.LimitReader(f, int64(max(maxRead, 2*length+1)))); err != nil {
		return "", reading(p, err)
	}
	return text.String(), nil
}

// reading says which path could not be read.
func reading(p string, err error) error { return diag.Fail("read-file", p, cause(err)) }

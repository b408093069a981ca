package snapshot

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxRead is how much is read of a file that may be anything, in bytes. A
// file that is longer than what is wanted differs from it in any case.
const maxRead = 16 << 20

// baseline is what stands in one of the two folders.
type baseline struct {
	exists bool
	// refused says that nothing may be written; the findings say why.
	refused  bool
	files    map[string]string // content of our files by path
	orphans  []string          // those that nothing wants
	findings diag.List
}

// walker reads the snapshot folder, and then compares it with what is wanted.
type walker struct {
	fsys    fs.FS
	folder  string
	root    state          // what stands at the folder's path
	wanted  map[string]int // length by path
	out     baseline
	strange []stranger
}

// stranger is something in the folder that no build wrote.
type stranger struct{ path, what string }

// readSnapshots reads the snapshot folder and tells ours from other things. It
// needs not know what is wanted: that is made meanwhile.
func readSnapshots(fsys fs.FS, at folder) (*walker, error) {
	w := &walker{fsys: fsys, folder: at.path, out: baseline{files: map[string]string{}}}
	kinds := lookup{fsys: fsys, known: map[string]sort{}}
	var err error
	if w.root, err = kinds.folder(at.path); err != nil || w.root.what != isFolder {
		return w, err
	}
	w.out.exists = true
	return w, w.walk(at.path)
}

// against gives what was read as the baseline of what is wanted.
func (w *walker) against(at folder, wanted []prompt.Output) (baseline, error) {
	if w.root.what != isFolder {
		if w.root.what != isMissing && len(wanted) > 0 {
			w.occupied(w.root)
		}
		return w.out, nil
	}
	w.wanted = lengths(wanted)
	if err := w.claim(); err != nil {
		return baseline{}, err
	}
	readme, ok := w.out.files[at.path+"/"+readmeName]
	if len(wanted) == 0 && !marked(readme) {
		return baseline{files: map[string]string{}}, nil // nothing is written there, and nothing was
	}
	if ok && !marked(readme) || !ok && len(w.strange) > 0 {
		w.unmarked(at)
		return w.out, nil
	}
	w.judge()
	return w.out, nil
}

func lengths(outputs []prompt.Output) map[string]int {
	out := make(map[string]int, len(outputs))
	for _, o := range outputs {
		out[o.Path] = length(o.Parts)
	}
	return out
}

func (w *walker) walk(dir string) error {
	entries, err := fs.ReadDir(w.fsys, dir)
	if err != nil {
		return fmt.Errorf("read %s: %w", dir, cause(err))
	}
	for _, e := range entries {
		p := dir + "/" + e.Name()
		switch form := formOf(p[len(w.folder)+1:], e.IsDir()); {
		case e.IsDir() && form == ourFolder:
			if err := w.walk(p); err != nil {
				return err
			}
		case e.Type().IsRegular() && form == ourFile:
			if err := w.read(p); err != nil {
				return err
			}
		default:
			w.strange = append(w.strange, stranger{p, describeType(e.Type())})
		}
	}
	return nil
}

func (w *walker) read(p string) error {
	text, err := readFile(w.fsys, p, 0)
	w.out.files[p] = text
	return err
}

// claim tells the files that are wanted from the orphans. Of one that is longer
// than what was read the rest matters only where as much is wanted.
func (w *walker) claim() error {
	for _, p := range slices.Sorted(maps.Keys(w.out.files)) {
		length, ok := w.wanted[p]
		if !ok {
			w.out.orphans = append(w.out.orphans, p)
		}
		if length >= maxRead {
			var err error
			if w.out.files[p], err = readFile(w.fsys, p, length); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge turns strangers into findings: those in the way of a file refuse the
// whole build.
func (w *walker) judge() {
	way := map[string]string{} // by lower-case path: the path as we need it
	for p := range w.wanted {
		for ; len(p) > len(w.folder); p = path.Dir(p) {
			way[strings.ToLower(p)] = p
		}
	}
	for _, s := range w.strange {
		needed, inWay := way[strings.ToLower(s.path)]
		switch {
		case inWay && needed == s.path:
			w.occupied(state{path: s.path, name: s.what})
		case inWay:
			w.out.refused = true
			w.out.findings = append(w.out.findings, diag.New(diag.PathOccupied, pathSpan(s.path),
				"differs-in-case-from-wanted", s.path, needed).
				WithHint("rename-and-build"))
		default:
			w.out.findings = append(w.out.findings, diag.New(diag.ForeignFile, pathSpan(s.path),
				"no-build-wrote", s.path, s.what).
				WithHint("move-out-or-delete", w.folder))
		}
	}
}

func (w *walker) occupied(s state) {
	w.out.refused = true
	w.out.findings = append(w.out.findings, occupiedFinding(s))
}

func occupiedFinding(s state) diag.Diagnostic {
	return diag.New(diag.PathOccupied, pathSpan(s.path), "in-the-way-of-build", s.path, s.name).
		WithHint("move-away-and-build")
}

func (w *walker) unmarked(at folder) {
	place := at.at
	if !place.Known() {
		place = pathSpan(at.path)
	}
	d := diag.New(diag.FolderUnmarked, place, "folder-without-mark", at.path).
		WithHint("choose-empty-folder")
	for _, s := range w.strange[:min(3, len(w.strange))] {
		d = d.WithDetail(diag.Say("it-holds", s.path))
	}
	w.out.refused = true
	w.out.findings = append(w.out.findings, d)
}

// readFile reads a regular file, but not much more than the length that it
// ought to have.
func readFile(fsys fs.FS, p string, length int) (string, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", p, cause(err))
	}
	defer f.Close() // nothing was written
	var text bytes.Buffer
	if info, err := f.Stat(); err == nil { // where to start from: the size may change
		text.Grow(int(min(max(info.Size(), 0), maxRead)) + bytes.MinRead)
	}
	if _, err := text.ReadFrom(io.LimitReader(f, int64(max(maxRead, length+1)))); err != nil {
		return "", fmt.Errorf("read %s: %w", p, cause(err))
	}
	return text.String(), nil
}

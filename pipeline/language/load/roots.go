package load

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Neighbour is a file system that knows what lies beside it in its repository.
type Neighbour interface {
	// Beside gives a folder outside, by its path from the file system's top. The
	// errors are those of [BesideIn], and ErrNoRepository.
	Beside(folder string) (fs.FS, error)
}

// What a folder beside a project may not be. All are found with errors.Is, and
// so are ErrEscapes and ErrGit.
var (
	// ErrNoRepository is the error where nothing tells how far a path may lead.
	ErrNoRepository error = diag.Fail("outside-repository")
	// ErrOverlap is the error of a folder that holds the project, or is in it.
	ErrOverlap error = diag.Fail("not-beside")
	// ErrNotFolder is the error of what is no folder.
	ErrNotFolder error = diag.Fail("not-a-folder")
)

// BesideIn gives a folder of a file system, by its path from another folder of it,
// which it neither holds nor is in. Links in the path may not leave the file
// system: that is ErrEscapes, or ErrGit.
func BesideIn(top fs.ReadLinkFS, own, folder string) (fs.FS, error) {
	name := path.Join(own, folder)
	if name == ".." || strings.HasPrefix(name, "../") {
		return nil, ErrEscapes
	}
	dest, info, err := follow(top, name, nil)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, ErrNotFolder
	case within(dest, own) || within(own, dest):
		return nil, ErrOverlap
	}
	return Sub(top, dest)
}

// Beside implements [Neighbour] by the repository that holds the folder.
func (f *folder) Beside(name string) (fs.FS, error) {
	top, own, err := f.Whole()
	if err != nil {
		return nil, err
	}
	return BesideIn(top, own, name)
}

// Part is a file system that is a folder of a repository.
type Part interface {
	// Whole gives the repository, and the path in it. The error is ErrNoRepository
	// where there is none.
	Whole() (top fs.ReadLinkFS, own string, err error)
}

// Whole implements [Part] by the repository that holds the folder.
func (f *folder) Whole() (top fs.ReadLinkFS, own string, err error) {
	dir, err := filepath.Abs(f.root.Name())
	if err != nil {
		return nil, "", err
	}
	at, err := Repository(dir)
	if err != nil {
		return nil, "", err
	}
	if at == "" {
		return nil, "", ErrNoRepository
	}
	if own, err = filepath.Rel(at, dir); err != nil {
		return nil, "", err
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, "", err
	}
	return &folder{root: root, see: f.see}, filepath.ToSlash(own), nil
}

// Sub gives a folder of a file system as one of its own, which links do not
// leave. What lies beside it is in the file system.
func Sub(fsys fs.FS, folder string) (fs.FS, error) {
	if folder == "." {
		return fsys, nil
	}
	below, err := fs.Sub(fsys, folder)
	if err != nil {
		return nil, err
	}
	links, ok := below.(fs.ReadLinkFS)
	if !ok {
		return below, nil
	}
	return &sub{links, fsys, folder}, nil
}

type sub struct {
	fs.ReadLinkFS

	top    fs.FS
	folder string
}

// ReadDir implements [fs.ReadDirFS].
func (s *sub) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(s.ReadLinkFS, name) }

// Beside implements [Neighbour].
func (s *sub) Beside(name string) (fs.FS, error) {
	outside := path.Join(s.folder, name)
	if further, ok := s.top.(Neighbour); ok && (outside == ".." || strings.HasPrefix(outside, "../")) {
		return further.Beside(outside)
	}
	links, ok := s.top.(fs.ReadLinkFS)
	if !ok {
		return nil, ErrNoRepository
	}
	return BesideIn(links, s.folder, name)
}

// openRoots opens the folders that the manifest declares beside its own. Each is
// read by a run of its own, so that neither a link nor a pattern leads from one
// into another.
func (r *run) openRoots(roots []language.Root) {
	r.roots = map[string]*run{}
	r.tree.Roots = map[string]string{}
	for _, root := range roots {
		name, at := root.Name.Str, root.Path.At
		refuse := func(hint, key string, args ...any) {
			r.found = append(r.found, diag.New(diag.BadRoot, at, key, append([]any{name}, args...)...).WithHint(hint))
		}
		fsys, err := r.beside(root.Path.Str)
		r.tree.Roots[name] = path.Clean(root.Path.Str)
		own := newRun(fsys)
		own.tree, own.root, own.language = r.tree, name+":", r.language
		r.roots[name] = own
		switch {
		case err == nil:
		case errors.Is(err, ErrEscapes):
			refuse("root-in-repository", "root-leaves-repository")
		case errors.Is(err, ErrGit):
			refuse("choose-path-outside", "root-in-git")
		case errors.Is(err, ErrNoRepository):
			refuse("root-needs-repository", "root-without-repository")
		case errors.Is(err, ErrOverlap):
			refuse("root-beside", "root-overlaps")
		case errors.Is(err, ErrNotFolder), errors.Is(err, ErrNotRegular):
			refuse("name-a-folder", "root-no-folder", root.Path.Str)
		default:
			refuse("root-from-manifest", "root-not-there", root.Path.Str)
		}
	}
}

func (r *run) beside(folder string) (fs.FS, error) {
	if f := checkLength(folder); f != nil || folder == "" || path.IsAbs(folder) || strings.ContainsAny(folder, "\\\x00") {
		return nil, ErrNotFolder
	}
	n, ok := r.disk.fsys.(Neighbour)
	if !ok {
		return nil, ErrNoRepository
	}
	return n.Beside(folder)
}

// rootName is what a path in a root starts with; one letter is a drive.
var rootName = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9_.-]+):`)

// in gives the run that reads a path, and the path there; nil where the path names
// no root that is declared, which is said.
func (r *run) in(p string, at diag.Span) (*run, string) {
	m := rootName.FindStringSubmatch(p)
	if m == nil || r.root != "" || isAddress(p) {
		return r, p
	}
	if own := r.roots[m[1]]; own != nil {
		return own, strings.TrimPrefix(p, m[0])
	}
	names := slices.Sorted(maps.Keys(r.roots))
	d := diag.New(diag.BadRoot, at, "no-such-root", m[1])
	below := path.Join(m[1], strings.TrimPrefix(p, m[0]))
	if state, err := r.disk.inspect(m[1]); err == nil && state == directory {
		d = d.WithHint("root-not-needed", below)
	} else if best, ok := suggest.Best(m[1], names); ok {
		d = d.WithHint("did-you-mean", best+":"+strings.TrimPrefix(p, m[0]))
	} else {
		d = d.WithHint("declare-root", m[1])
	}
	r.found = append(r.found, d)
	return nil, ""
}

// join takes over what the run of a root found.
func (r *run) join(own *run) {
	if own != r {
		r.found, own.found = append(r.found, own.found...), nil
		maps.Copy(r.changed, own.changed)
	}
}

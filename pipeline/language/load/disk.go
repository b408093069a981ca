package load

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
)

// disk asks a file system the questions of this package, each once.
type disk struct {
	fsys    fs.FS
	links   fs.ReadLinkFS // nil where fsys knows no links
	folders map[string][]fs.DirEntry
	targets map[string]target
}

// target is what a path's links lead to.
type target struct {
	path string // without links
	info fs.FileInfo
}

func newDisk(fsys fs.FS) disk {
	links, _ := fsys.(fs.ReadLinkFS)
	return disk{fsys: fsys, links: links, folders: map[string][]fs.DirEntry{}, targets: map[string]target{}}
}

// state is what stands at a path.
type state int

const (
	missing   state = iota
	regular         // a regular file, maybe through links
	directory       // a folder, maybe through links
	special         // a pipe, socket or device
	escaping        // a link out of the folder
	dangling        // a link to nothing
	astray          // a name below a link to nothing
	circular        // links in a circle
	misnamed        // a name that is not UTF-8
	misled          // a link to such a name
	reserved        // in the folder that Git keeps for itself, maybe through links
	straying        // a link out of the workspace, within the manifest's folder
	unlisted        // a name that is no line of a list
	flattened       // a link that git checked out as a file, with its target as the text
)

// fact says of a path that is no file what it is instead.
func (s state) fact() diag.Words {
	return diag.Say([...]string{
		"does-not-exist", "is-file", "is-folder", "is-special", "link-leaves-folder", "link-to-nothing", "below-link-to-nothing",
		"link-to-itself", "name-not-utf8", "link-to-name-not-utf8", "link-into-git", "link-leaves-workspace", "name-breaks-lines",
		"link-as-file",
	}[s])
}

// advice gives the code for what is no readable file, and the key of what to do.
func (s state) advice() (diag.Code, string) {
	switch s {
	case escaping, straying:
		return diag.PathEscapes, "copy-file-into-folder"
	case reserved:
		return diag.PathEscapes, "choose-path-outside"
	case directory:
		return diag.NotAFile, "name-files-in-it"
	case dangling, astray, circular:
		return diag.NotAFile, "repair-link"
	case misnamed, misled, unlisted:
		return diag.NotAFile, "rename-or-narrow"
	default:
		return diag.NotAFile, "name-regular-file"
	}
}

// real gives the path that links lead to.
func (d disk) real(name string) (string, error) {
	if d.links == nil {
		return name, nil
	}
	t, err := d.target(name)
	return t.path, err
}

func (d disk) target(name string) (target, error) {
	if t, ok := d.targets[name]; ok {
		return t, nil
	}
	t, err := target{path: name}, error(nil)
	if d.links == nil {
		t.info, err = fs.Stat(d.fsys, name)
	} else {
		t.path, t.info, err = follow(d.links, name, nil)
	}
	if err == nil {
		d.targets[name] = t
	}
	return t, err
}

// inspect says what stands at a path. The error is for what could not be
// found out.
func (d disk) inspect(name string) (state, error) {
	t, err := d.target(name)
	switch {
	case err == nil && t.info.IsDir():
		return directory, nil
	case err == nil && t.info.Mode().IsRegular():
		return regular, nil
	case err == nil:
		return special, nil
	case errors.Is(err, ErrEscapes):
		return escaping, nil
	case errors.Is(err, ErrGit):
		return reserved, nil
	case errors.Is(err, ErrNotRegular):
		return special, nil
	case errors.Is(err, errLinkLoop):
		return circular, nil
	case errors.Is(err, errAstray):
		return astray, nil
	case errors.Is(err, errDangling):
		return dangling, nil
	case errors.Is(err, fs.ErrInvalid):
		return misled, nil // the name itself comes from a text, or was looked at before
	case errors.Is(err, fs.ErrNotExist):
		return missing, nil
	default:
		return missing, diag.Fail("read-file", name, cause(err))
	}
}

// inspectBelow is inspect for a path that links may not lead out of the folder
// root, which is free of links itself.
func (d disk) inspectBelow(name, root string) (state, error) {
	s, err := d.inspect(name)
	if err != nil || root == "." || s != regular && s != directory {
		return s, err
	}
	dest, err := d.real(name)
	if err != nil {
		return missing, err
	}
	if !within(dest, root) {
		return straying, nil
	}
	return s, nil
}

// cause drops the path that fs errors repeat.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// read gives a file's bytes, at most one more than the limit: the caller
// tells by the length.
func (d disk) read(name string, limit int64) ([]byte, error) {
	dest, err := d.real(name)
	if err != nil {
		return nil, diag.Fail("read-file", name, cause(err))
	}
	file, err := d.fsys.Open(dest)
	if err != nil {
		return nil, diag.Fail("read-file", name, cause(err))
	}
	data, err := allOf(file, limit)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, diag.Fail("read-file", name, cause(err))
	}
	return data, nil
}

// allOf reads a file up to the limit. What is said of its size is where reading
// starts from, and no more.
func allOf(file fs.File, limit int64) ([]byte, error) {
	var text bytes.Buffer
	if info, err := file.Stat(); err == nil {
		text.Grow(int(min(max(info.Size(), 0), limit)) + bytes.MinRead)
	}
	_, err := text.ReadFrom(io.LimitReader(file, limit+1))
	return text.Bytes(), err
}

// list gives a folder's entries, sorted by name, without those that Git keeps
// for itself; none where there is no folder. It takes a path without links.
func (d disk) list(folder string) ([]fs.DirEntry, error) {
	if entries, ok := d.folders[folder]; ok {
		return entries, nil
	}
	entries, err := fs.ReadDir(d.fsys, folder)
	if err != nil {
		return nil, diag.Fail("read-file", folder, cause(err))
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return pathrule.Git(e.Name()) })
	sortEntries(entries)
	d.folders[folder] = entries
	return entries, nil
}

func sortEntries(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}

// What the folder of Dir refuses. All are found with errors.Is.
var (
	// ErrEscapes is the error of a name whose symbolic links lead out of the
	// folder. A link with an absolute target leads out wherever it points,
	// since it means something else on every machine.
	ErrEscapes error = diag.Fail("link-leaves-folder")
	// ErrNotRegular is the error of a name that is neither a regular file
	// nor a folder: a pipe, a socket, a device.
	ErrNotRegular error = diag.Fail("is-special")
	// ErrGit is the error of a name that is in the folder that Git keeps for
	// itself, or whose symbolic links lead there: a checkout leaves credentials
	// in it.
	ErrGit error = diag.Fail("link-into-git")
)

var (
	errDangling error = &diag.Failure{Fact: diag.Say("link-to-nothing"), Cause: fs.ErrNotExist}
	errAstray   error = &diag.Failure{Fact: diag.Say("below-link-to-nothing"), Cause: fs.ErrNotExist}
	errLinkLoop error = diag.Fail("link-to-itself")
)

// maxLinks is how many symbolic links one name may go through; Linux stops
// at the same number.
const maxLinks = 40

// Dir gives a folder on disk as an fs.FS that never leaves it and never waits:
// links out of it are ErrEscapes, and what is neither a regular file nor a
// folder is ErrNotRegular instead of a read that hangs. Every .git in it is
// hidden: lists leave it out, and names in it are ErrGit. It implements
// fs.ReadDirFS, fs.StatFS and fs.ReadLinkFS, and io.Closer for those who want
// the folder's handle back early.
func Dir(path string) (fs.FS, error) { return Observed(path, nil) }

// Observed is [Dir] for those who want to know what is looked at. Before it asks
// for a name in a folder it calls see with the folder's path and the name, and
// before it lists a folder with no name; so do the folders beside it. Several
// goroutines may call see at once. Dir has none.
func Observed(path string, see func(folder, name string)) (fs.FS, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &folder{root: root, see: see}, nil
}

type folder struct {
	root *os.Root
	see  func(folder, name string) // nil without an observer
	// folders are the folders that were met, by name: they stand on the way to
	// nearly every file. Should one become a link meanwhile, root still keeps
	// what is opened inside.
	folders sync.Map
}

var (
	_ fs.ReadDirFS  = (*folder)(nil)
	_ fs.StatFS     = (*folder)(nil)
	_ fs.ReadLinkFS = (*folder)(nil)
)

// Close gives the folder's handle back.
func (f *folder) Close() error { return f.root.Close() }

// Open opens a regular file or a folder.
func (f *folder) Open(name string) (fs.File, error) {
	dest, info, err := f.follow("open", name)
	if err != nil {
		return nil, err
	}
	// Asked before opening, because opening a device can already do harm,
	// and after it, because the answer may have changed.
	if !isPlain(info.Mode()) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	file, err := f.root.OpenFile(dest, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil && !isPlain(info.Mode()) {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func isPlain(mode fs.FileMode) bool { return mode.IsRegular() || mode.IsDir() }

// ReadDir lists a folder, sorted by name.
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f.notice(name, "")
	dir, ok := file.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.ErrUnsupported}
	}
	entries, err := dir.ReadDir(-1)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return pathrule.Git(e.Name()) })
	sortEntries(entries)
	return entries, err
}

// Stat describes what a name's links lead to.
func (f *folder) Stat(name string) (fs.FileInfo, error) {
	_, info, err := f.follow("stat", name)
	return info, err
}

// Lstat describes a name itself, link or not.
func (f *folder) Lstat(name string) (fs.FileInfo, error) {
	if err := usable("lstat", name); err != nil {
		return nil, err
	}
	f.notice(path.Dir(name), path.Base(name))
	if known, ok := f.folders.Load(name); ok {
		if info, ok := known.(fs.FileInfo); ok {
			return info, nil
		}
	}
	info, err := f.root.Lstat(name)
	if err == nil && info.IsDir() {
		f.folders.Store(name, info)
	}
	return info, err
}

// notice tells an observer what is about to be looked at.
func (f *folder) notice(dir, name string) {
	if f.see != nil {
		f.see(filepath.Join(f.root.Name(), filepath.FromSlash(dir)), name)
	}
}

// ReadLink gives the target of a link as it is written.
func (f *folder) ReadLink(name string) (string, error) {
	if err := usable("readlink", name); err != nil {
		return "", err
	}
	return f.root.Readlink(name)
}

func (f *folder) follow(op, name string) (string, fs.FileInfo, error) {
	if err := usable(op, name); err != nil {
		return "", nil, err
	}
	return follow(f, name, nil)
}

// usable refuses the names that the folder has nothing at.
func usable(op, name string) error {
	switch {
	case !fs.ValidPath(name):
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	case pathrule.InGit(name):
		return &fs.PathError{Op: op, Path: name, Err: ErrGit}
	}
	return nil
}

// Follow gives the name that a name's symbolic links lead to in a file system,
// free of links: ErrEscapes where they lead out of it, ErrGit where they lead
// into what Git keeps for itself.
func Follow(fsys fs.ReadLinkFS, name string) (string, error) {
	dest, _, err := follow(fsys, name, nil)
	return dest, err
}

// Links gives the symbolic links that a name goes through, those in their targets
// included, and the name that they lead to, as [Follow] does.
func Links(fsys fs.ReadLinkFS, name string) (links []string, dest string, err error) {
	dest, _, err = follow(fsys, name, func(link string) { links = append(links, link) })
	return links, dest, err
}

// absent is the error of a name if something on its way is not there. ofLink says that
// it is an element of a link's target, and own how many elements of the name itself
// come behind it.
func absent(name string, ofLink bool, own int) error {
	err := fs.ErrNotExist
	switch {
	case ofLink && own > 0:
		err = errAstray
	case ofLink:
		err = errDangling
	}
	return &fs.PathError{Op: "follow", Path: name, Err: err}
}

// follow is Follow with what stands there. It calls met, if that is not nil, for each
// link.
func follow(fsys fs.ReadLinkFS, name string, met func(link string)) (dest string, there fs.FileInfo, err error) {
	rest := strings.Split(name, "/")
	at, links := ".", 0
	own := len(rest) // the elements at the end that are the name's, not of a link's target
	for len(rest) > 0 {
		elem := rest[0]
		rest = rest[1:]
		ofLink := len(rest) >= own
		own = min(own, len(rest))
		switch elem {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return "", nil, &fs.PathError{Op: "follow", Path: name, Err: ErrEscapes}
			}
			at, there = path.Dir(at), nil
			continue
		}
		if pathrule.Git(elem) {
			return "", nil, &fs.PathError{Op: "follow", Path: name, Err: ErrGit}
		}
		next := path.Join(at, elem)
		info, err := fsys.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) && ofLink {
			return "", nil, absent(name, ofLink, own)
		}
		if err != nil {
			return "", nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if len(rest) > 0 && !info.IsDir() {
				return "", nil, absent(name, len(rest) > own, own)
			}
			at, there = next, info
			continue
		}
		if links++; links > maxLinks {
			return "", nil, &fs.PathError{Op: "follow", Path: name, Err: errLinkLoop}
		}
		target, err := fsys.ReadLink(next)
		if err != nil {
			return "", nil, err
		}
		if met != nil {
			met(next)
		}
		target = filepath.ToSlash(target)
		if path.IsAbs(target) || filepath.VolumeName(target) != "" {
			return "", nil, &fs.PathError{Op: "follow", Path: name, Err: ErrEscapes}
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	if there == nil {
		there, err = fsys.Lstat(at)
	}
	return at, there, err
}

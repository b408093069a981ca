package load

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ServersFile is the name of the file in which programs that run agents name MCP
// servers.
const ServersFile = ".mcp.json"

// Manifest reads a manifest and nothing that it names.
func Manifest(fsys fs.FS, name string) (*prompt.Tree, diag.List, error) {
	r := newRun(fsys)
	data, err := r.manifestBytes(name)
	if err != nil {
		return nil, nil, err
	}
	r.readManifest(name, data)
	return r.tree, r.found.Sorted(), nil
}

// Servers reads the ServersFile of a folder or of the nearest one above it, up to
// the top of the repository; outside of one that of the folder alone. It gives
// the folder as seen from the first one. The node is nil where there is no such
// file, and where the findings say why it cannot be read.
func Servers(dir string) (folder string, file *prompt.Node, found diag.List, err error) {
	err = upwards(dir, func(r *run, at string) (bool, error) {
		data, err := r.manifestBytes(ServersFile)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err == nil {
			folder = at
			file, found = JSON(path.Join(at, ServersFile), data)
		}
		return true, err
	})
	return folder, file, found, err
}

// upwards looks at a folder, then at those above it up to the top of the repository,
// outside of one at the folder alone, until found says that it has what it looks for.
// Folders are named as seen from the first one.
func upwards(dir string, found func(r *run, folder string) (bool, error)) error {
	top, err := Repository(dir)
	if err != nil {
		return err
	}
	at, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for folder := ""; ; at, folder = filepath.Dir(at), path.Join(folder, "..") {
		fsys, err := Dir(at)
		if err != nil {
			return err
		}
		if done, err := found(newRun(fsys), folder); done || err != nil {
			return err
		}
		if top == "" || at == top || filepath.Dir(at) == at {
			return nil
		}
	}
}

// JSON reads the bytes of a JSON file. The node is nil where the findings say why
// it cannot be read.
func JSON(name string, data []byte) (*prompt.Node, diag.List) {
	r := newRun(nil)
	if len(data) > maxRendered {
		return nil, diag.List{tooLarge(diag.Whole(&diag.File{Path: name}), name, "larger-16-mib")}
	}
	file, ok := r.normalise(name, data)
	if !ok {
		return nil, r.found.Sorted()
	}
	node, _ := parseJSON(file, 0, &r.found)
	if r.found.HasErrors() {
		node = nil
	}
	return node, r.found.Sorted()
}

// Below reads the files below a folder, by their paths from the top of the file
// system on; none where there is no such folder.
func Below(fsys fs.FS, folder string) (map[string]string, error) {
	below, err := Sub(fsys, folder)
	if err != nil {
		return nil, err
	}
	if st, err := fs.Stat(fsys, folder); errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir() {
		return nil, nil
	}
	names, _, _, err := Walk(below, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := ReadSome(below, name)
		if err != nil {
			return nil, err
		}
		out[path.Join(folder, name)] = string(text)
	}
	return out, nil
}

// Replaced gives the file system below with some files instead of all that it has
// below a folder.
func Replaced(below fs.FS, folder string, files map[string][]byte) fs.FS {
	return &replaced{below: below, folder: folder, memory: Over(nil, files).(*over)} //nolint:errcheck,forcetypeassert // it is one
}

type replaced struct {
	below  fs.FS
	folder string
	memory *over
}

var (
	_ fs.ReadDirFS  = (*replaced)(nil)
	_ fs.ReadLinkFS = (*replaced)(nil)
)

// inside reports whether a name is the folder or lies in it.
func (r *replaced) inside(name string) bool {
	return name == r.folder || strings.HasPrefix(name, r.folder+"/")
}

// from gives the file system that has a name: a folder on the way to the replaced
// one may stand in memory alone.
func (r *replaced) from(name string) fs.FS {
	if r.inside(name) {
		return r.memory
	}
	if strings.HasPrefix(r.folder, name+"/") {
		if _, err := fs.Stat(r.below, name); errors.Is(err, fs.ErrNotExist) {
			return r.memory
		}
	}
	return r.below
}

// Open implements [fs.FS].
func (r *replaced) Open(name string) (fs.File, error) { return r.from(name).Open(name) }

// ReadDir implements [fs.ReadDirFS].
func (r *replaced) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(r.from(name), name)
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	rest, above := strings.CutPrefix(r.folder, prefix)
	if err != nil || !above || r.inside(name) {
		return entries, err
	}
	next, _, _ := strings.Cut(rest, "/")
	is := func(e fs.DirEntry) bool { return e.Name() == next }
	_, err = fs.Stat(r.memory, prefix+next)
	switch {
	case err == nil && !slices.ContainsFunc(entries, is):
		entries = append(entries, fs.FileInfoToDirEntry(memoryInfo{name: next, dir: true}))
		sortEntries(entries)
	case err != nil && prefix+next == r.folder:
		entries = slices.DeleteFunc(entries, is)
	}
	return entries, nil
}

// Lstat implements [fs.ReadLinkFS].
func (r *replaced) Lstat(name string) (fs.FileInfo, error) {
	from := r.from(name)
	if links, ok := from.(fs.ReadLinkFS); ok {
		return links.Lstat(name)
	}
	return fs.Stat(from, name)
}

// ReadLink implements [fs.ReadLinkFS].
func (r *replaced) ReadLink(name string) (string, error) {
	if links, ok := r.from(name).(fs.ReadLinkFS); ok {
		return links.ReadLink(name)
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// Beside implements [Neighbour].
func (r *replaced) Beside(name string) (fs.FS, error) {
	if further, ok := r.below.(Neighbour); ok {
		return further.Beside(name)
	}
	return nil, ErrNoRepository
}

package load

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Over gives the file system below with some files in memory over its own: a
// manifest that was not written yet, say. Folders list what is below; without
// anything below, the files are all there is.
func Over(below fs.FS, files map[string][]byte) fs.FS {
	if below == nil {
		return &over{below: memoryFolders(files), files: files}
	}
	return &over{below: below, files: files}
}

// Without gives the file system below as if it did not have some files.
func Without(below fs.FS, names map[string]bool) fs.FS {
	return &over{below: below, hidden: names}
}

type over struct {
	below  fs.FS
	files  map[string][]byte
	hidden map[string]bool
}

var (
	_ fs.ReadDirFS  = (*over)(nil)
	_ fs.ReadLinkFS = (*over)(nil)
)

// Open implements [fs.FS].
func (o *over) Open(name string) (fs.File, error) {
	if o.hidden[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if data, ok := o.files[name]; ok {
		return &memoryFile{memoryInfo{name: path.Base(name), size: int64(len(data))}, bytes.NewReader(data)}, nil
	}
	return o.below.Open(name)
}

// ReadDir implements [fs.ReadDirFS].
func (o *over) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.below, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return o.hidden[path.Join(name, e.Name())]
	}), err
}

// Lstat implements [fs.ReadLinkFS].
func (o *over) Lstat(name string) (fs.FileInfo, error) {
	if o.hidden[name] {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
	}
	if data, ok := o.files[name]; ok {
		return memoryInfo{name: path.Base(name), size: int64(len(data))}, nil
	}
	if links, ok := o.below.(fs.ReadLinkFS); ok {
		return links.Lstat(name)
	}
	return fs.Stat(o.below, name)
}

// ReadLink implements [fs.ReadLinkFS].
func (o *over) ReadLink(name string) (string, error) {
	if links, ok := o.below.(fs.ReadLinkFS); ok && o.files[name] == nil {
		return links.ReadLink(name)
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// folders are those of files in memory, by name.
type folders map[string][]fs.DirEntry

func memoryFolders(files map[string][]byte) folders {
	out := folders{".": nil}
	for name, data := range files {
		out.add(name, memoryInfo{name: path.Base(name), size: int64(len(data))})
	}
	for _, entries := range out {
		sortEntries(entries)
	}
	return out
}

func (f folders) add(name string, info memoryInfo) {
	dir := path.Dir(name)
	_, known := f[dir]
	f[dir] = append(f[dir], fs.FileInfoToDirEntry(info))
	if !known {
		f.add(dir, memoryInfo{name: path.Base(dir), dir: true})
	}
}

// Open implements [fs.FS].
func (f folders) Open(name string) (fs.File, error) {
	if _, ok := f[name]; !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{memoryInfo{name: path.Base(name), dir: true}, strings.NewReader("")}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (f folders) ReadDir(name string) ([]fs.DirEntry, error) {
	if entries, ok := f[name]; ok {
		return entries, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type memoryFile struct {
	info memoryInfo
	io.Reader
}

// Stat implements [fs.File].
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close implements [fs.File].
func (f *memoryFile) Close() error { return nil }

type memoryInfo struct {
	name string
	size int64
	dir  bool
}

// Name implements [fs.FileInfo].
func (i memoryInfo) Name() string { return i.name }

// Size implements [fs.FileInfo].
func (i memoryInfo) Size() int64 { return i.size }

// ModTime implements [fs.FileInfo].
func (memoryInfo) ModTime() time.Time { return time.Time{} }

// IsDir implements [fs.FileInfo].
func (i memoryInfo) IsDir() bool { return i.dir }

// Sys implements [fs.FileInfo].
func (memoryInfo) Sys() any { return nil }

// Mode implements [fs.FileInfo].
func (i memoryInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

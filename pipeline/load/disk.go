package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
)

// disk asks a file system the questions of this package, each once.
type disk struct {
	fsys    fs.FS
	links   fs.ReadLinkFS // nil where fsys knows no links
	folders map[string][]fs.DirEntry
}

func newDisk(fsys fs.FS) disk {
	links, _ := fsys.(fs.ReadLinkFS)
	return disk{fsys: fsys, links: links, folders: map[string][]fs.DirEntry{}}
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
	circular        // links in a circle
	misnamed        // a name that is not UTF-8
	misled          // a link to such a name
	reserved        // in the folder that Git keeps for itself, maybe through links
	straying        // a link out of the workspace, within the manifest's folder
	unlisted        // a name that is no line of a list
)

// fact says of a path that is no file what it is instead.
func (s state) fact() diag.Words {
	return diag.Say([...]string{
		"does-not-exist", "is-file", "is-folder", "is-special", "link-leaves-folder", "link-to-nothing", "link-to-itself",
		"name-not-utf8", "link-to-name-not-utf8", "link-into-git", "link-leaves-workspace", "name-breaks-lines",
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
	case dangling, circular:
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
	return Follow(d.links, name)
}

// inspect says what stands at a path. The error is for what could not be
// found out.
func (d disk) inspect(name string) (state, error) {
	dest, err := d.real(name)
	if err == nil {
		var info fs.FileInfo
		if info, err = fs.Stat(d.fsys, dest); err == nil {
			switch {
			case info.IsDir():
				return directory, nil
			case info.Mode().IsRegular():
				return regular, nil
			default:
				return special, nil
			}
		}
	}
	switch {
	case errors.Is(err, ErrEscapes):
		return escaping, nil
	case errors.Is(err, ErrGit):
		return reserved, nil
	case errors.Is(err, ErrNotRegular):
		return special, nil
	case errors.Is(err, errLinkLoop):
		return circular, nil
	case errors.Is(err, errDangling):
		return dangling, nil
	case errors.Is(err, fs.ErrInvalid):
		return misled, nil // the name itself comes from a text, or was looked at before
	case errors.Is(err, fs.ErrNotExist):
		return missing, nil
	default:
		return missing, fmt.Errorf("read %s: %w", name, cause(err))
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
func (d disk) read(name string) ([]byte, error) {
	dest, err := d.real(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, cause(err))
	}
	file, err := d.fsys.Open(dest)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, cause(err))
	}
	data, err := allOf(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, cause(err))
	}
	return data, nil
}

// allOf reads a file up to the limit. What is said of its size is where reading
// starts from, and no more.
func allOf(file fs.File) ([]byte, error) {
	var text bytes.Buffer
	if info, err := file.Stat(); err == nil {
		text.Grow(int(min(max(info.Size(), 0), maxBytes)) + bytes.MinRead)
	}
	_, err := text.ReadFrom(io.LimitReader(file, maxBytes+1))
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
		return nil, fmt.Errorf("read %s: %w", folder, cause(err))
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return pathrule.Git(e.Name()) })
	sortEntries(entries)
	d.folders[folder] = entries
	return entries, nil
}

func sortEntries(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}

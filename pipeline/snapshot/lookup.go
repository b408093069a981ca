package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// sort is what stands at a path.
type sort int

const (
	isMissing sort = iota
	isFile
	isFolder
	isOther // a link or a special file
)

// state is what was found at a path or on the way to it.
type state struct {
	path string // where it stands
	what sort
	name string // in words
}

// lookup finds out what stands at paths, without following links.
type lookup struct {
	fsys  fs.FS
	known map[string]sort
}

// folder looks at a folder and all folders on the way to it. It gives the
// first that is none.
func (l *lookup) folder(p string) (state, error) {
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		s, err := l.at(p[:i])
		if err != nil || s.what != isFolder {
			return s, err
		}
	}
	return state{path: p, what: isFolder}, nil
}

// file looks at a file and all folders on the way to it. What stands in the
// way is given in its stead.
func (l *lookup) file(p string) (state, error) {
	s, err := l.folder(path.Dir(p))
	if err != nil || s.what != isFolder {
		return s, err
	}
	return l.at(p)
}

func (l *lookup) at(p string) (state, error) {
	if l.known[p] == isFolder {
		return state{path: p, what: isFolder}, nil
	}
	stat, err := fs.Lstat(l.fsys, p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return state{path: p, what: isMissing}, nil
	case err != nil:
		return state{}, fmt.Errorf("read %s: %w", p, cause(err))
	}
	s := state{path: p, what: isOther, name: describeType(stat.Mode().Type())}
	if stat.IsDir() {
		s.what = isFolder
		l.known[p] = isFolder
	} else if stat.Mode().IsRegular() {
		s.what = isFile
	}
	return s, nil
}

// describeType names what a directory entry is.
func describeType(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a folder"
	case mode.IsRegular():
		return "a file"
	default:
		return "a special file"
	}
}

// readArtifacts reads what stands in the places of artifacts. Other files in
// that folder are left alone: it is not reviewed, and tools put their own
// things there. Ours are those that the manifest of an earlier build lists.
func readArtifacts(fsys fs.FS, at folder, wanted []prompt.Output) (baseline, error) {
	out := baseline{files: map[string]string{}}
	if at.path == "" {
		return out, nil
	}
	l := lookup{fsys: fsys, known: map[string]sort{}}
	s, err := l.folder(at.path)
	if err != nil || s.what == isMissing {
		return out, err
	}
	if s.what != isFolder {
		out.refused = true
		out.findings = append(out.findings, occupiedFinding(s))
		return out, nil
	}
	out.exists = true
	want := lengths(wanted)
	for _, w := range wanted {
		if err := out.readOne(&l, w.Path, want[w.Path]); err != nil {
			return baseline{}, err
		}
	}
	for _, p := range listed(at.path, out.files[at.path+"/"+manifestName]) {
		if _, ok := want[p]; ok {
			continue
		}
		if s, err := l.file(p); err != nil || s.what != isFile {
			continue // gone, or not what the earlier build wrote
		}
		if out.files[p], err = readFile(fsys, p, 0); err != nil {
			return baseline{}, err
		}
		out.orphans = append(out.orphans, p)
	}
	return out, nil
}

// readOne reads the file in the place of one artifact.
func (b *baseline) readOne(l *lookup, p string, length int) error {
	s, err := l.file(p)
	if err != nil {
		return err
	}
	switch {
	case s.what == isMissing:
	case s.what == isFile && s.path == p:
		b.files[p], err = readFile(l.fsys, p, length)
	default:
		b.refused = true
		b.findings = append(b.findings, occupiedFinding(s))
	}
	return err
}

// artifactName is the form of the paths that a manifest lists. Only what has
// it is ever removed: the file could have been edited.
var artifactName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9._-]|%2E)*/[A-Za-z0-9._~%=,+-]+\.(?:txt|json)$`)

// listed gives the files that a manifest says an earlier build wrote, each
// once, sorted. One that cannot be read lists nothing; it is out of date then
// in any case.
func listed(folder, text string) []string {
	var m manifest
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	var out []string
	add := func(file string) {
		if artifactName.MatchString(file) && !strings.Contains(file, "..") {
			out = append(out, folder+"/"+file)
		}
	}
	for _, v := range m.Variants {
		add(v.File)
		if v.Tools != nil {
			add(v.Tools.File)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// comparison is how the artifact folder differs from what is wanted there.
type comparison struct {
	exists bool
	// refused says that nothing may be written; the findings say why.
	refused  bool
	changes  []prompt.Change
	findings diag.List
}

// compareArtifacts compares what stands in the places of artifacts with what is
// wanted there. Other files in that folder are left alone: it is not reviewed,
// and tools put their own things there. Ours are those that the manifest of an
// earlier build lists.
func compareArtifacts(fsys fs.FS, at folder, wanted []prompt.Output) (comparison, error) {
	if at.path == "" {
		return comparison{}, nil
	}
	l := lookup{fsys: fsys, known: map[string]sort{}}
	s, err := l.folder(at.path)
	if err != nil || s.what == isMissing {
		return comparison{changes: added(wanted)}, err
	}
	if s.what != isFolder {
		return comparison{refused: true, findings: diag.List{occupiedFinding(s)}, changes: added(wanted)}, nil
	}
	pieces, err := par.Try(slices.Collect(slices.Chunk(wanted, batch)), func(some []prompt.Output) (comparison, error) {
		return compareSome(fsys, some)
	})
	if err != nil {
		return comparison{}, err
	}
	out := comparison{exists: true}
	for _, p := range pieces {
		out.refused = out.refused || p.refused
		out.changes, out.findings = append(out.changes, p.changes...), append(out.findings, p.findings...)
	}
	orphans, err := orphanedArtifacts(fsys, at.path, wanted, out.changes)
	if err != nil {
		return comparison{}, err
	}
	out.changes = append(out.changes, orphans...)
	slices.SortFunc(out.changes, func(a, b prompt.Change) int { return byPath(a.Output, b.Output) })
	return out, nil
}

// added gives outputs of which none is there.
func added(wanted []prompt.Output) []prompt.Change {
	var out []prompt.Change
	for _, w := range wanted {
		out = append(out, prompt.Change{Output: w, Status: prompt.Added})
	}
	return out
}

// compareSome looks at the files in the places of some artifacts.
func compareSome(fsys fs.FS, wanted []prompt.Output) (comparison, error) {
	var out comparison
	l := lookup{fsys: fsys, known: map[string]sort{}}
	buffer := make([]byte, 64<<10)
	for _, w := range wanted {
		s, err := l.file(w.Path)
		if err != nil {
			return comparison{}, err
		}
		status := prompt.Added
		switch {
		case s.what == isFile && s.path == w.Path:
			if status, err = compareFile(fsys, w, buffer); err != nil {
				return comparison{}, err
			}
		case s.what != isMissing:
			out.refused = true
			out.findings = append(out.findings, occupiedFinding(s))
		}
		if status != prompt.Unchanged {
			out.changes = append(out.changes, prompt.Change{Output: w, Status: status})
		}
	}
	return out, nil
}

// compareFile reads a file, a piece at a time, up to where it is not what is
// wanted.
func compareFile(fsys fs.FS, wanted prompt.Output, buffer []byte) (prompt.Status, error) {
	f, err := fsys.Open(wanted.Path)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", wanted.Path, cause(err))
	}
	defer f.Close() // nothing was written
	rest := expected{parts: wanted.Parts}
	for {
		n, err := f.Read(buffer)
		switch {
		case !rest.begins(buffer[:n]):
			return prompt.Changed, nil
		case errors.Is(err, io.EOF):
			if !rest.ended() {
				return prompt.Changed, nil
			}
			return prompt.Unchanged, nil
		case err != nil:
			return 0, fmt.Errorf("read %s: %w", wanted.Path, cause(err))
		}
	}
}

// expected is what is to come of a content: a part of which something was seen,
// and the parts behind it.
type expected struct {
	part  string
	parts []string
}

// begins reports whether bytes are the next, and takes them off.
func (e *expected) begins(with []byte) bool {
	for len(with) > 0 {
		if e.ended() {
			return false
		}
		n := min(len(with), len(e.part))
		if e.part[:n] != string(with[:n]) {
			return false
		}
		e.part, with = e.part[n:], with[n:]
	}
	return true
}

// ended reports whether nothing is to come.
func (e *expected) ended() bool {
	for e.part == "" && len(e.parts) > 0 {
		e.part, e.parts = e.parts[0], e.parts[1:]
	}
	return e.part == ""
}

// orphanedArtifacts gives the files that an earlier build wrote and nothing
// wants. A manifest that did not change lists none.
func orphanedArtifacts(fsys fs.FS, folder string, wanted []prompt.Output, changes []prompt.Change) ([]prompt.Change, error) {
	manifest := folder + "/" + manifestName
	at := slices.IndexFunc(changes, func(c prompt.Change) bool { return c.Output.Path == manifest })
	if at < 0 || changes[at].Status != prompt.Changed {
		return nil, nil
	}
	text, err := readFile(fsys, manifest, length(changes[at].Output.Parts))
	if err != nil {
		return nil, err
	}
	want := make(map[string]bool, len(wanted))
	for _, w := range wanted {
		want[w.Path] = true
	}
	var out []prompt.Change
	l := lookup{fsys: fsys, known: map[string]sort{}}
	for _, p := range listed(folder, text) {
		if want[p] {
			continue
		}
		if s, err := l.file(p); err != nil || s.what != isFile {
			continue // gone, or not what the earlier build wrote
		}
		out = append(out, prompt.Change{Output: prompt.Output{Path: p}, Status: prompt.Orphaned})
	}
	return out, nil
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

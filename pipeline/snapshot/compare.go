package snapshot

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

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
	// replaced are the files that are changed or orphaned, as they are now.
	replaced []fileSum
}

// compareArtifacts compares what stands in the places of artifacts with what is
// wanted there. Ours are the files that the manifest of an earlier build records
// with the bytes that they have. Others are left alone: the folder is not
// reviewed, and tools put their own things there.
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
	in, err := survey(fsys, at.path)
	if err != nil {
		return comparison{}, err
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
		out.replaced = append(out.replaced, p.replaced...)
	}
	if len(out.changes) > 0 || out.refused { // else the manifest is the one that is wanted
		have, err := recorded(fsys, at.path)
		if err != nil {
			return comparison{}, err
		}
		if have == nil && len(in.others) > 0 {
			return comparison{exists: true, refused: true, findings: diag.List{unownedFinding(at, in.others)}}, nil
		}
		out.judge(at, have)
		if err := out.orphans(fsys, have, wanted); err != nil {
			return comparison{}, err
		}
	}
	for _, p := range in.leftovers {
		out.changes = append(out.changes, prompt.Change{Output: prompt.Output{Path: p}, Status: prompt.Orphaned})
	}
	slices.SortFunc(out.changes, func(a, b prompt.Change) int { return byPath(a.Output, b.Output) })
	return out, nil
}

// judge refuses to replace a file unless the record has its bytes.
func (c *comparison) judge(at folder, have *record) {
	var edited []string
	for _, r := range c.replaced {
		if !have.has(r.SHA256) {
			edited = append(edited, r.File)
		}
	}
	if len(edited) > 0 {
		c.refused = true
		c.findings = append(c.findings, editedFinding(at, edited))
	}
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
		if status == prompt.Changed && w.Owner.Kind != prompt.OutIndex {
			sum, err := sumOf(fsys, w.Path)
			if err != nil {
				return comparison{}, err
			}
			out.replaced = append(out.replaced, fileSum{w.Path, sum})
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

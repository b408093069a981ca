package snapshot

import (
	"io/fs"
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
	var out comparison
	s, err := look(fsys, at.path)
	if err != nil || !s.exists || !s.mode.IsDir() {
		for _, w := range wanted {
			out.changes = append(out.changes, prompt.Change{Output: w, Status: prompt.Added})
		}
		if s.exists {
			out.refused, out.findings = true, diag.List{occupiedFinding(s)}
		}
		return out, err
	}
	in, err := survey(fsys, at.path)
	if err != nil {
		return comparison{}, err
	}
	each, err := par.Try(wanted, func(w prompt.Output) (comparison, error) { return compareFile(fsys, w) })
	if err != nil {
		return comparison{}, err
	}
	out.exists = true
	for _, c := range each {
		out.refused = out.refused || c.refused
		out.changes, out.findings = append(out.changes, c.changes...), append(out.findings, c.findings...)
		out.replaced = append(out.replaced, c.replaced...)
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

// compareFile looks at what stands in the place of a file.
func compareFile(fsys fs.FS, w prompt.Output) (comparison, error) {
	s, err := look(fsys, w.Path)
	if err != nil {
		return comparison{}, err
	}
	change := prompt.Change{Output: w, Status: prompt.Added}
	if !s.isFile(w.Path) {
		out := comparison{changes: []prompt.Change{change}}
		if s.exists {
			out.refused, out.findings = true, diag.List{occupiedFinding(s)}
		}
		return out, nil
	}
	text, err := readFile(fsys, w.Path, length(w.Parts))
	if err != nil || holds(text, w.Parts) {
		return comparison{}, err
	}
	change.Status = prompt.Changed
	out := comparison{changes: []prompt.Change{change}}
	if w.Owner.Kind != prompt.OutIndex {
		sum, err := sumOfFile(fsys, w.Path)
		if err != nil {
			return comparison{}, err
		}
		out.replaced = []fileSum{{w.Path, sum}}
	}
	return out, nil
}

// holds reports whether a text is the parts, one after another.
func holds(text string, parts []string) bool {
	for _, p := range parts {
		rest, ok := strings.CutPrefix(text, p)
		if !ok {
			return false
		}
		text = rest
	}
	return text == ""
}

package load

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/language"
)

// WorkFile is the name of the file that makes a folder a workspace: it names the
// folders of the projects.
const WorkFile = "promptc.work.yaml"

// Work reads the WorkFile at the top of a file system. The node is nil where it
// cannot be read as YAML, which a finding says. Without the file the error is
// fs.ErrNotExist.
func Work(fsys fs.FS) (*ground.Node, diag.List, error) {
	r := newRun(fsys)
	data, err := r.manifestBytes(WorkFile)
	if err != nil {
		return nil, nil, err
	}
	r.readManifest(WorkFile, data)
	return r.tree.Manifest, r.found.Sorted(), nil
}

// Fit says what fits a pattern of a workspace: any project, and one of its own,
// which no other pattern fits.
type Fit struct{ Any, Own bool }

// Projects gives the manifests below the top of a file system whose folders
// fit one of some patterns, sorted by folder, and for each pattern what fits it.
// It looks into no folder that starts with a dot, is called node_modules,
// or is ignored.
func Projects(fsys fs.FS, patterns []string, ignored func(folder string) bool) (manifests []string, fits []Fit, err error) {
	read := make([]glob.Pattern, len(patterns))
	var fixed []string
	for i, p := range patterns {
		read[i], _ = glob.Parse(path.Clean(p)) // one that cannot be read fits nothing
		fixed = append(fixed, read[i].Fixed()...)
	}
	files, _, all, err := Walk(fsys, func(folder string) bool {
		near := func(fixed string) bool { return within(folder, fixed) || within(fixed, folder) }
		return language.PassedOver(path.Base(folder)) || ignored(folder) || !slices.ContainsFunc(fixed, near)
	})
	if err != nil {
		return nil, nil, err
	}
	if !all {
		return nil, nil, diag.Fail("workspace-too-large", strings.Join(patterns, ", "), maxWalked)
	}
	fits = make([]Fit, len(patterns))
	folders := map[string]bool{}
	for _, name := range files {
		if !slices.Contains(manifestNames, path.Base(name)) {
			continue
		}
		var by []int
		for i := range read {
			if read[i].Match(path.Dir(name)) {
				by = append(by, i)
				fits[i].Any = true
			}
		}
		if len(by) == 0 {
			continue
		}
		if len(by) == 1 {
			fits[by[0]].Own = true
		}
		if folders[path.Dir(name)] {
			return nil, nil, diag.Fail("two-manifests", path.Dir(name), manifestNames[0], manifestNames[1])
		}
		folders[path.Dir(name)] = true
		manifests = append(manifests, name)
	}
	slices.SortFunc(manifests, func(a, b string) int { return strings.Compare(path.Dir(a), path.Dir(b)) })
	return manifests, fits, nil
}

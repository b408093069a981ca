package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/glob"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// WorkFile is the name of the file that makes a folder a workspace: it names the
// folders of the projects.
const WorkFile = "promptc.work.yaml"

// Work reads the WorkFile at the top of a file system. The node is nil where it
// cannot be read as YAML, which a finding says. Without the file the error is
// fs.ErrNotExist.
func Work(fsys fs.FS) (*prompt.Node, diag.List, error) {
	r := newRun(fsys)
	data, err := r.manifestBytes(WorkFile)
	if err != nil {
		return nil, nil, err
	}
	r.readManifest(WorkFile, data)
	return r.tree.Manifest, r.found.Sorted(), nil
}

// ErrTwoManifests is the error of a folder that has a manifest of each name.
var ErrTwoManifests = errors.New("holds two manifests")

// Projects gives the manifests below the top of a file system whose folders
// fit one of some patterns, sorted by folder, and for each pattern whether one
// does. It looks into no folder that starts with a dot, is called node_modules,
// or is ignored.
func Projects(fsys fs.FS, patterns []string, ignored func(folder string) bool) (manifests []string, fits []bool, err error) {
	read := make([]glob.Pattern, len(patterns))
	var fixed []string
	for i, p := range patterns {
		read[i], _ = glob.Parse(path.Clean(p)) // one that cannot be read fits nothing
		fixed = append(fixed, read[i].Fixed()...)
	}
	files, _, all, err := Walk(fsys, func(folder string) bool {
		near := func(fixed string) bool { return within(folder, fixed) || within(fixed, folder) }
		return prompt.PassedOver(path.Base(folder)) || ignored(folder) || !slices.ContainsFunc(fixed, near)
	})
	if err != nil {
		return nil, nil, err
	}
	if !all {
		return nil, nil, fmt.Errorf("the folders of %s hold more than %d files", strings.Join(patterns, ", "), maxWalked)
	}
	fits = make([]bool, len(patterns))
	folders := map[string]bool{}
	for _, name := range files {
		if !slices.Contains(manifestNames, path.Base(name)) {
			continue
		}
		fit := false
		for i := range read {
			if read[i].Match(path.Dir(name)) {
				fits[i], fit = true, true
			}
		}
		if !fit {
			continue
		}
		if folders[path.Dir(name)] {
			return nil, nil, fmt.Errorf("%s: %w: %s: remove one of them", path.Dir(name), ErrTwoManifests, strings.Join(manifestNames, " and "))
		}
		folders[path.Dir(name)] = true
		manifests = append(manifests, name)
	}
	slices.SortFunc(manifests, func(a, b string) int { return strings.Compare(path.Dir(a), path.Dir(b)) })
	return manifests, fits, nil
}

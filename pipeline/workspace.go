package pipeline

import (
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Projects gives the manifests of a workspace, sorted by folder: those that the
// [load.WorkFile] at the top of a file system names, or with all those of every
// folder, where there is no such file. ignored are paths that git does not keep,
// of folders with a slash behind them. What is wrong with the file is in the
// findings; the error says that the job could not be done.
func Projects(fsys fs.FS, all bool, ignored []string) ([]string, diag.List, error) {
	patterns := []ground.Word{{Str: "**"}}
	if !all {
		file, found, err := load.Work(fsys)
		if err != nil || found.HasErrors() {
			return nil, found, err
		}
		if patterns, found = validate.Work(file); found.HasErrors() {
			return nil, found, nil
		}
	}
	var names []string
	for _, p := range patterns {
		names = append(names, p.Str)
	}
	manifests, fits, err := load.Projects(fsys, names, func(folder string) bool { return slices.Contains(ignored, folder+"/") })
	if err != nil {
		return nil, nil, err
	}
	var found diag.List
	for i, p := range patterns {
		switch {
		case !p.At.Known(): // every folder
		case !fits[i].Any:
			found = append(found, diag.New(diag.NoProject, p.At, "no-project-fits", p.Str).WithHint("project-fits-folder"))
		case !fits[i].Own:
			found = append(found, diag.New(diag.NoOwnProject, p.At, "no-project-of-its-own", p.Str).WithHint("remove-pattern"))
		}
	}
	return manifests, found, nil
}

// Unchanged reports whether two states of a project read the same files, with the
// same texts, so that there is nothing to compare.
func Unchanged(base, head Request) (bool, error) {
	was, foundBefore, err := base.load()
	if err != nil {
		return false, nil //nolint:nilerr // who compiles the base says what is wrong with it
	}
	is, foundNow, err := head.load()
	return err == nil && reflect.DeepEqual(was, is) && reflect.DeepEqual(foundBefore, foundNow), err
}

// Nested gives the first of some projects that lies in a folder which another one
// builds, and that other: by their folders and results, in one order.
func Nested(folders []string, results []*prompt.Result) (inner, outer string, found bool) {
	for i, r := range results {
		if r.Delta == nil {
			continue
		}
		outputs := []string{r.Delta.SnapshotFolder}
		for _, e := range r.Delta.Emitted() {
			outputs = append(outputs, e.Folder)
		}
		for _, built := range outputs {
			for _, folder := range folders {
				if at := path.Join(folders[i], built); built != "" && strings.HasPrefix(folder+"/", at+"/") {
					return folder, folders[i], true
				}
			}
		}
	}
	return "", "", false
}

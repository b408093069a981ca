package pipeline

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Uncovered finds the files that init would take and that no prompt of a result reads,
// as the settings of its checks say. ignored are the paths that git does not keep.
func Uncovered(r *prompt.Result, files fs.FS, ignored []string) (diag.List, error) {
	if r == nil || r.Tree == nil || r.Tree.File == nil || r.Spec == nil {
		return nil, nil
	}
	read := map[string]bool{}
	for _, d := range r.Tree.Docs() {
		read[d.File.Path], read[d.Real] = true, true
	}
	for _, sums := range r.Tree.Inputs {
		for _, s := range sums {
			read[s.Path] = true
		}
	}
	a := &adopting{below: files, known: read}
	var err error
	if a.files, err = a.look(files, ignored); err != nil {
		return nil, err
	}
	outputs := validate.Language{}.Readings(r.Tree).Outputs
	var all diag.List
	for _, name := range scaffold.Adopt(a.files).Texts() {
		made := slices.ContainsFunc(outputs, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
		if !read[name] && !made {
			all = append(all, diag.New(diag.NotAdopted, diag.Whole(&diag.File{Path: name}), "in-no-prompt", name))
		}
	}
	kept, _ := lint.Settle(r.Spec, all, lint.SeenSome)
	return byLevel(kept), nil
}

// maxNamed is how many files a finding names.
const maxNamed = 3

// byLevel makes one finding of all those of a level.
func byLevel(all diag.List) diag.List {
	var out diag.List
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		var names []string
		first := -1
		for i, d := range all {
			if d.Level == level {
				names = append(names, d.Span.File.Path)
				if first < 0 {
					first = i
				}
			}
		}
		if first < 0 {
			continue
		}
		d := all[first]
		if len(names) > 1 {
			made := diag.New(diag.NotAdopted, d.Span, "in-no-prompt-several", diag.Count(len(names)), diag.Some(names, maxNamed))
			made.Level, made.Also = level, names[1:]
			d = made
		}
		out = append(out, d.WithHint("see-what-init-takes"))
	}
	return out
}

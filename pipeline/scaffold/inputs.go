package scaffold

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Folder is how Inputs looks at what lies beside rendered files.
type Folder interface {
	// Text gives the text of a file, "" for none.
	Text(name string) string
	// Names gives the names of the files and folders in a folder.
	Names(dir string) []string
}

// What tests are called, what they import by a relative path, which of that
// speaks of prompts, and what only helps them.
var (
	testName = regexp.MustCompile(`\.(test|spec)\.[cm]?[jt]sx?$|_test\.go$|^test_.*\.py$|_test\.py$`)
	imports  = regexp.MustCompile(`(?m)(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)['"](\.{1,2}/[^'"\n]+)['"]`)
	pyImport = regexp.MustCompile(`(?m)^\s*from\s+(\.*)([A-Za-z_][\w.]*)?\s+import\b`)
	speaks   = regexp.MustCompile(`(?i)prompt|template|instruction|persona|(?:^|[-_.])system(?:[-_.]|$)`)
	helps    = regexp.MustCompile(`(?i)test|mock|fixture|snapshot|stub`)
)

// endings are what an import leaves out of a file's name.
var endings = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.js", ".py", "/__init__.py"}

// maxInputs is how many patterns are proposed for a prompt, and maxTests how many
// tests are read.
const (
	maxInputs = 8
	maxTests  = 20
)

// Inputs proposes what rendered files are made from: what the tests beside them
// import and what speaks of prompts by its name or its folder's, and folders of
// prompts or templates beside the tests. It gives patterns in their order. They
// are few: a folder of code changes every day, and texts with it seldom.
func Inputs(files []string, at Folder) []string {
	var all []string
	tests := testsOf(files, at)
	for _, test := range tests {
		for _, input := range imported(test, at) {
			if !slices.Contains(files, input) && ofPrompts(input) {
				all = append(all, input)
			}
		}
	}
	if len(tests) == 0 {
		tests = files
	}
	for _, test := range tests {
		dir := besides(test)
		for _, name := range at.Names(dir) {
			if full := path.Join(dir, name); (name == "prompts" || name == "templates") && !below(files, full) {
				all = append(all, full+"/**")
			}
		}
	}
	out := slices.DeleteFunc(distinct(all), func(name string) bool {
		return slices.ContainsFunc(all, func(other string) bool {
			dir, ok := strings.CutSuffix(other, "**")
			return ok && other != name && strings.HasPrefix(name, dir)
		})
	})
	if len(out) > maxInputs { // then the folders say it
		for i, name := range out {
			if !strings.HasSuffix(name, "/**") {
				out[i] = path.Join(path.Dir(name), "*"+path.Ext(name))
			}
		}
	}
	out = slices.DeleteFunc(distinct(out), func(name string) bool { return strings.ContainsAny(name, "?[]{}") })
	return out[:min(len(out), maxInputs)]
}

// besides gives the folder that a test is about: its own, but for those that are
// called after tests.
func besides(test string) string {
	dir := path.Dir(test)
	for dir != "." && slices.Contains(noWords, slug(path.Base(dir))) && path.Base(dir) != "src" {
		dir = path.Dir(dir)
	}
	return dir
}

// ofPrompts reports whether the name of a file or of its folder speaks of
// prompts.
func ofPrompts(name string) bool {
	return speaks.MatchString(path.Base(name)) || speaks.MatchString(path.Base(path.Dir(name)))
}

// below reports whether a file lies in a folder.
func below(files []string, dir string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, dir+"/") })
}

// testsOf gives the tests beside snapshots: the one that a file is called after,
// else those in the nearest folder above that has any.
func testsOf(files []string, at Folder) []string {
	var out []string
	for _, f := range files {
		named := path.Join(path.Dir(path.Dir(f)), strings.TrimSuffix(path.Base(f), path.Ext(f)))
		if testName.MatchString(path.Base(named)) && at.Text(named) != "" {
			out = append(out, named)
			continue
		}
		for dir := path.Dir(f); dir != "."; dir = path.Dir(dir) {
			var tests []string
			for _, name := range at.Names(dir) {
				if testName.MatchString(name) {
					tests = append(tests, path.Join(dir, name))
				}
			}
			if out = append(out, tests...); len(tests) > 0 {
				break
			}
		}
	}
	out = distinct(out)
	return out[:min(len(out), maxTests)]
}

// imported gives the files that a test names by a path of its own folder; of a
// test in Go those of its package.
func imported(test string, at Folder) []string {
	dir, text := path.Dir(test), at.Text(test)
	var names []string
	switch path.Ext(test) {
	case ".go":
		return []string{dir + "/*.go"}
	case ".py":
		for _, m := range pyImport.FindAllStringSubmatch(text, -1) {
			if up := len(m[1]); up > 0 && m[2] != "" {
				names = append(names, strings.Repeat("../", up-1)+strings.ReplaceAll(m[2], ".", "/"))
			}
		}
	default:
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	}
	var out []string
	for _, name := range names {
		full := path.Join(dir, name)
		stem := strings.TrimSuffix(full, ".js") // TypeScript imports what it will be
		for _, ending := range endings {
			if file := stem + ending; !helps.MatchString(path.Base(full)) && !strings.Contains(path.Dir(full), "__tests__") && at.Text(file) != "" {
				out = append(out, file)
				break
			}
		}
	}
	return out
}

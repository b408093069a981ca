package scaffold

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// ProposeFrom says whether manifests have `from` in their language.
const ProposeFrom = false

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
	speaks   = regexp.MustCompile(`(?i)prompt|template|instruction|system|persona`)
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
// import, and folders of templates near them. It gives patterns in their order.
func Inputs(files []string, at Folder) []string {
	found := map[string]bool{}
	for _, test := range testsOf(files, at) {
		for _, input := range imported(test, at) {
			found[input] = true
		}
		for dir, level := path.Dir(test), 0; level < 3 && dir != "."; dir, level = path.Dir(dir), level+1 {
			for _, name := range at.Names(dir) {
				if (name == "prompts" || name == "templates") && !below(files, path.Join(dir, name)) {
					found[path.Join(dir, name)+"/**"] = true
				}
			}
		}
	}
	var out []string
	for name := range found {
		if strings.ContainsAny(name, "?[]{}") || slices.Contains(files, name) {
			continue
		}
		out = append(out, name)
	}
	if of := slices.DeleteFunc(slices.Clone(out), ofNoPrompts); len(of) > 0 {
		out = of
	}
	if len(out) > maxInputs { // then the folders say it
		for i, name := range out {
			if !strings.HasSuffix(name, "/**") {
				out[i] = path.Join(path.Dir(name), "*"+path.Ext(name))
			}
		}
	}
	out = distinct(out)
	return out[:min(len(out), maxInputs)]
}

// ofNoPrompts reports whether neither a file's name nor its folder's speaks of
// prompts.
func ofNoPrompts(name string) bool {
	name = strings.TrimSuffix(name, "/**")
	return !speaks.MatchString(path.Base(name)) && !speaks.MatchString(path.Base(path.Dir(name)))
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

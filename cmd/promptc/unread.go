package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

// maxNamed is how many names one line holds.
const maxNamed = 5

// unread says, in a line for each reason, what the sources of a project touch
// and git cannot show: submodules, whose files are in another repository, and
// files whose names are not UTF-8, or such as no folder could hold. The state is
// what people call it.
func (con Console) unread(p *project, r *prompt.Result, state string) error {
	if p.tree == nil || r.Tree == nil {
		return nil
	}
	for _, row := range []struct {
		names     []string
		one, many string
	}{
		{p.tree.Submodules(), "the submodule %s is not read", "the submodules %s are not read"},
		{p.tree.Unreadable(), "the file %s cannot be read by its name", "the files %s cannot be read by their names"},
	} {
		names := slices.DeleteFunc(slices.Clone(row.names), func(name string) bool { return !touched(r.Tree, name) })
		if len(names) == 0 {
			continue
		}
		words := row.one
		if len(names) > 1 {
			words = row.many
		}
		if err := con.note(words+" in %s", quoted(names), state); err != nil {
			return err
		}
	}
	return nil
}

// note says something that one should know and that is no finding.
func (con Console) note(format string, args ...any) error {
	_, err := fmt.Fprintf(con.Stderr, "promptc: note: %s\n", report.Safe(fmt.Sprintf(format, args...)))
	return failed(err)
}

// quoted lists names, the first ones with what hides in them.
func quoted(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), maxNamed)] {
		out = append(out, fmt.Sprintf("%q", name))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// touched reports whether anything that the manifest names could be the path
// name, or lie below it.
func touched(tree *prompt.Tree, name string) bool {
	for key := range tree.Matches {
		if matches(key.Path, name) {
			return true
		}
	}
	for key := range tree.Walks {
		if below(key.Path, name) {
			return true
		}
	}
	for folder := range tree.Workspaces {
		if below(folder, name) || below(name, folder) {
			return true
		}
	}
	return false
}

// below reports whether a path is a folder or lies in it.
func below(name, folder string) bool {
	name, folder = path.Clean(name), path.Clean(folder)
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}

// matches reports whether a pattern could match a path, or something below it.
// Where it is not plain what a pattern means, it could.
func matches(pattern, name string) bool {
	steps := strings.Split(path.Clean(pattern), "/")
	for i, elem := range strings.Split(path.Clean(name), "/") {
		if i == len(steps) {
			return false // the pattern's last name is a file above
		}
		if steps[i] == "**" || strings.ContainsAny(steps[i], "{[\\") {
			return true
		}
		if ok, err := path.Match(steps[i], elem); err != nil || !ok {
			return err != nil
		}
	}
	return true
}

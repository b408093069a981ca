package snapshot

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// defaultFolder is where snapshots go unless the manifest says else.
const defaultFolder = "snapshots"

// folder is a folder that a build writes to. Its path is clean, relative to the
// manifest's folder, with slashes; "" where a build writes to no such folder.
type folder struct {
	path string
	at   diag.Span
}

// span gives where the manifest says which folder it is.
func (f folder) span() diag.Span {
	if f.at.Known() {
		return f.at
	}
	return pathSpan(f.path)
}

// targets are the two folders of a build.
type targets struct{ snapshots, artifacts folder }

// folders gives where a build writes. That they lie below the manifest's folder
// and apart was checked with the manifest; what they hold is known only here.
func folders(plan *prompt.Plan) (targets, diag.List) {
	spec := plan.Spec
	out := targets{
		snapshots: folder{path: defaultFolder, at: spec.Snapshots.Path.At},
		artifacts: folder{at: spec.Artifacts.At},
	}
	if word := spec.Snapshots.Path; word.Str != "" {
		out.snapshots.path = path.Clean(word.Str)
	}
	if word := spec.Artifacts; word.Str != "" {
		out.artifacts.path = path.Clean(word.Str)
	}
	var found diag.List
	for _, f := range []folder{out.snapshots, out.artifacts} {
		if f.path == "" || f.path == out.snapshots.path && !assembles(plan) {
			continue // nothing is written there
		}
		if source, ok := holdsSource(plan, f.path); ok {
			found = append(found, diag.New(diag.FolderRefused, f.at, "folder-holds-source", f.path, source).
				WithHint("choose-own-folder"))
		}
	}
	return out, found
}

// assembles reports whether a plan has a prompt of sections, and not only such
// as another program renders.
func assembles(plan *prompt.Plan) bool {
	return slices.ContainsFunc(plan.Builds, func(b *prompt.Build) bool { return b.Prompt.Rendered == nil })
}

// within reports whether a path is a folder or lies in it, on file systems
// that ignore case too.
func within(p, folder string) bool {
	p, folder = strings.ToLower(p), strings.ToLower(folder)
	return p == folder || strings.HasPrefix(p, folder+"/")
}

// holdsSource gives a file below a folder that is read for the build: the
// manifest, else the first source by path.
func holdsSource(plan *prompt.Plan, folder string) (string, bool) {
	if f := plan.Spec.File; f != nil && within(f.Path, folder) {
		return f.Path, true
	}
	var inside []string
	note := func(paths ...string) {
		for _, p := range paths {
			if within(p, folder) {
				inside = append(inside, p)
			}
		}
	}
	for _, u := range plan.Units {
		note(u.Sources()...)
	}
	if tree := plan.Spec.Tree; tree != nil {
		for _, d := range tree.Docs() {
			note(d.File.Path, d.Real)
		}
	}
	if len(inside) == 0 {
		return "", false
	}
	return slices.Min(inside), true
}

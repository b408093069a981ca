package load

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolsKind reads the schemas beside a prompt that is rendered elsewhere.
const toolsKind = "tools"

// renderedLookups collects the patterns of prompts that are rendered elsewhere.
// Their axes may take the values from the files, so that one lookup is for the
// pattern as a whole.
func renderedLookups(manifest *prompt.Node) []lookup {
	var out []lookup
	add := func(n *prompt.Node, kind string) {
		if p, ok := written(n); ok {
			out = append(out, lookup{path: p, at: n.At, kind: kind})
		}
	}
	for _, f := range fields(manifest.Field("prompts")) {
		rendered := f.Value.Field("rendered")
		if rendered == nil {
			continue
		}
		if rendered.Kind == prompt.Mapping {
			rendered = rendered.Field("path")
		}
		add(rendered, prompt.RenderedKind)
		add(f.Value.Field("tools"), toolsKind)
	}
	return out
}

// readRendered finds and reads what other programs rendered.
func (r *run) readRendered() error {
	for _, l := range renderedLookups(r.tree.Manifest) {
		if err := r.renderedFiles(l); err != nil {
			return err
		}
	}
	return nil
}

// renderedFiles finds and reads the files of one pattern.
func (r *run) renderedFiles(l lookup) error {
	if len(l.path) > maxPathBytes {
		r.badPattern(l.path, l.at, fault{"is longer than 4,096 bytes", "use `*`"})
		return nil
	}
	glob := prompt.PathPattern(l.path).Glob()
	if strings.ContainsAny(glob, "?[]{}") {
		r.badPattern(l.path, l.at, fault{"holds `?`, brackets or braces that name no axis", "write `*` for what no axis names"})
		return nil
	}
	if f := checkPath(glob); f != nil {
		r.badPath(l.path, l.at, *f)
		return nil
	}
	before := len(r.found)
	key := prompt.MatchKey{Path: l.path, Kind: l.kind}
	if err := r.matches(glob, lookup{path: glob, at: l.at, kind: l.kind}); err != nil {
		return err
	}
	docs := r.tree.Matches[prompt.MatchKey{Path: glob, Kind: l.kind}]
	if glob != l.path {
		// A source may be read by the same glob; else the lookup is ours alone.
		r.tree.Matches[key] = docs
		if l.kind == prompt.RenderedKind {
			delete(r.tree.Matches, prompt.MatchKey{Path: glob, Kind: l.kind})
		}
	}
	if len(docs) > 0 || len(r.found) > before {
		return nil
	}
	hint, err := r.nothingHint(l.path, glob)
	if err != nil {
		return err
	}
	r.found = append(r.found, diag.New(diag.RenderedNothing, l.at, "%q matches no file", brief(l.path)).WithHint("%s", hint))
	return nil
}

// nothingHint says what is near a pattern that matches nothing: the folder that
// was probably meant, or what is in the one that is named.
func (r *run) nothingHint(pattern, glob string) (string, error) {
	const relative = "paths are relative to the manifest"
	dir := staticFolder(glob)
	for _, folder := range r.outputs {
		if within(folded(dir), folded(folder)) {
			return fmt.Sprintf("promptc writes the folder %q and does not read it: set snapshots.path or artifacts to another", folder), nil
		}
	}
	state, err := r.disk.inspect(dir)
	if err != nil {
		return "", err
	}
	if state != directory {
		meant, err := r.nearFolder(dir)
		if err != nil || meant == "" {
			return fmt.Sprintf("the folder %q is not there; %s", dir, relative), err
		}
		return fmt.Sprintf("did you mean %q?", meant+strings.TrimPrefix(pattern, dir)), nil
	}
	dest, err := r.disk.real(dir)
	if err != nil {
		return "", err // it was followed a moment ago
	}
	entries, err := r.disk.list(dest)
	if err != nil {
		return "", err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return inFolderHint(dir, glob, names), nil
}

// inFolderHint names the entry of a folder that is close to a pattern's next
// name, or the first entries.
func inFolderHint(dir, glob string, names []string) string {
	where := "the manifest's folder"
	if dir != "." {
		where = diag.Quote(dir)
		glob = strings.TrimPrefix(glob, dir+"/")
	}
	next, _, _ := strings.Cut(glob, "/")
	if best, ok := near.Best(next, names); ok && !isPattern(next) {
		return fmt.Sprintf("did you mean %q?", path.Join(dir, best))
	}
	if len(names) == 0 {
		return where + " is empty"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = diag.Quote(n)
	}
	slices.Sort(quoted)
	return where + " holds " + firstOf(quoted)
}

// staticFolder gives the folder of a glob up to its first wildcard.
func staticFolder(glob string) string {
	if i := strings.IndexByte(glob, '*'); i >= 0 {
		glob = glob[:i] + "x"
	}
	return path.Dir(glob)
}

// rendered reads a file that another program rendered: a snapshot file of
// vitest or jest with its entries, or a text as it is.
func (r *run) rendered(doc *prompt.Doc) bool {
	doc.Format = prompt.PlainText
	doc.Body = prompt.Verbatim(diag.Span{File: doc.File, End: len(doc.File.Text)})
	if !isSaved(doc.File.Text) {
		return true
	}
	p := savedParser{file: doc.File}
	saved, bad := p.entries()
	if bad != nil {
		r.found = append(r.found, *bad)
		return false
	}
	doc.Saved = saved
	return true
}

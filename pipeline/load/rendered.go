package load

import (
	"fmt"
	"path"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// renderedFiles finds and reads what another program rendered. The axes of its
// pattern may take the values from the names of the files, so that the pattern
// is looked up as a whole.
func (r *run) renderedFiles(one prompt.Reading) error {
	written, at := one.Path.Str, one.Path.At
	if len(written) > maxPathBytes {
		r.badPattern(written, at, fault{"is longer than 4,096 bytes", "use `*`"})
		return nil
	}
	glob := prompt.PathPattern(written).Glob()
	if strings.ContainsAny(glob, "?[]{}") {
		r.badPattern(written, at, fault{"holds `?`, brackets or braces that name no axis", "write `*` for what no axis names"})
		return nil
	}
	if f := checkPath(glob); f != nil {
		r.badPath(written, at, *f)
		return nil
	}
	before := len(r.found)
	if err := r.lookUp(glob, one.Kind, at); err != nil {
		return err
	}
	docs := r.tree.Matches[prompt.MatchKey{Path: glob, Kind: one.Kind}]
	if glob != written {
		// A source may be read by the same glob; else the lookup is ours alone.
		r.tree.Matches[prompt.MatchKey{Path: written, Kind: one.Kind}] = docs
		if one.Kind == prompt.RenderedKind {
			delete(r.tree.Matches, prompt.MatchKey{Path: glob, Kind: one.Kind})
		}
	}
	if len(docs) > 0 || len(r.found) > before {
		return nil
	}
	hint, err := r.nothingHint(written, glob)
	if err != nil {
		return err
	}
	r.found = append(r.found, diag.New(diag.RenderedNothing, at, "%q matches no file", brief(written)).WithHint("%s", hint))
	return nil
}

// nothingHint says what is near a pattern that matches nothing: the folder that
// was probably meant, or what is in the one that is named.
func (r *run) nothingHint(pattern, glob string) (string, error) {
	dir := literalFolder(glob)
	if r.isOutput(dir) {
		return fmt.Sprintf("promptc writes the folder %q and does not read it: set snapshots.path or artifacts to another", dir), nil
	}
	meant, names, err := r.around(dir)
	switch {
	case err != nil:
		return "", err
	case meant != "":
		return fmt.Sprintf("did you mean %q?", meant+strings.TrimPrefix(pattern, dir)), nil
	case names == nil:
		return fmt.Sprintf("the folder %q is not there; paths are relative to the manifest", dir), nil
	}
	where := "the manifest's folder"
	if dir != "." {
		where = diag.Quote(dir)
		glob = strings.TrimPrefix(glob, dir+"/")
	}
	next, _, _ := strings.Cut(glob, "/")
	if best, ok := near.Best(next, names); ok && !isPattern(next) {
		return fmt.Sprintf("did you mean %q?", path.Join(dir, best)), nil
	}
	if len(names) == 0 {
		return where + " is empty", nil
	}
	return where + " holds " + firstOf(names), nil
}

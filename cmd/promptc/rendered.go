package main

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/scaffold"
)

// renderedFlag makes diff work before there is a manifest.
func renderedFlag() cli.Flag {
	return &cli.StringSliceFlag{
		Name:  "rendered",
		Usage: "compare the prompts in the files of `GLOB`, which another program writes, without a manifest; may be repeated",
	}
}

// proposed is what findings call a manifest that nobody has written.
const proposed = scaffold.Manifest + " (proposed)"

// openRendered takes the folder to start in as a project whose manifest is
// still to be proposed.
func openRendered(c *cli.Context) (*project, error) {
	for _, name := range []string{"config", "policy"} {
		if c.IsSet(name) {
			return nil, usage("--rendered and --%s exclude one another", name).withHint("--rendered works without a manifest, and so without its limits")
		}
	}
	start, _ := location(c)
	dir, err := filepath.Abs(start)
	if err != nil {
		return nil, usage("%s", err)
	}
	if c.Bool("staged") {
		p, err := indexAt(dir)
		if err == nil {
			p.name = proposed
		}
		return p, err
	}
	fsys, err := load.Dir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound(start, err)
	}
	if err != nil {
		return nil, notOpened(err)
	}
	return &project{dir: dir, name: proposed, fsys: fsys}, nil
}

// propose gives both sides the manifest that init would write for the files that
// either has, and says what is left aside and left out.
func propose(c *cli.Context, head *project, base *side) (notes []string, err error) {
	texts := map[string]string{}
	for _, pattern := range c.StringSlice("rendered") {
		now, err := matching(head.fsys, pattern, texts, func(is, _ string) string { return is })
		if err != nil {
			return nil, err
		}
		was, err := matching(base.fsys, pattern, texts, scaffold.Union)
		if err != nil {
			return nil, err
		}
		if len(now.Files) == 0 && len(was.Files) == 0 {
			if now.Near == "" && len(now.Beside) == 0 {
				return nil, usage("--rendered %q matches no file on either side", pattern).
					withHint("the pattern is relative to the folder that the command works in; put it in quotes, so that no shell expands it")
			}
			return nil, noMatch(pattern, now)
		}
	}
	manifest, said, err := proposal(texts)
	if unfit, ok := errors.AsType[*scaffold.Unfit](err); ok {
		return nil, usage("--rendered %s: %s", quoted(c.StringSlice("rendered")), unfit).withHint("%s", unfit.Hint)
	}
	if err != nil {
		return nil, failed(err)
	}
	head.text, base.text, base.name = manifest, manifest, head.name
	if dir, name, err := load.Find(head.dir); err == nil {
		notes = append(notes, path.Join(filepath.ToSlash(near(dir)), name)+" is left aside: --rendered works without a manifest")
	}
	return append(notes, said...), nil
}

// matching adds the texts of the files of a pattern to those that are known;
// both says what becomes of two texts of one file.
func matching(fsys fs.FS, pattern string, texts map[string]string, both func(is, was string) string) (load.Matched, error) {
	found, err := load.Match(fsys, pattern)
	if bad, ok := errors.AsType[*load.PatternError](err); ok {
		return found, usage("the pattern %q %s", bad.Pattern, report.Words(bad.Fact)).withHint("%s", report.Words(bad.Hint))
	}
	if err != nil {
		return found, failed(err)
	}
	for _, name := range found.Files {
		data, err := load.ReadSome(fsys, name)
		if err != nil {
			return found, failed(err)
		}
		text := string(data)
		if is, known := texts[name]; known {
			text = both(is, text)
		}
		texts[name] = text
	}
	return found, nil
}

// proposal gives the manifest for files by their names and texts, and what was
// made of those that are not simply taken. The error is a *scaffold.Unfit.
func proposal(texts map[string]string) (manifest []byte, said []string, err error) {
	var files []scaffold.Snapshot
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.TrimSpace(texts[name]) == "" {
			said = append(said, "left out "+strconv.Quote(name)+": it says nothing")
			continue
		}
		files = append(files, scaffold.Look(name, texts[name]))
	}
	found, err := scaffold.Derive(files)
	if err != nil {
		return nil, nil, err
	}
	return []byte(scaffold.Files(scaffold.Input{Folder: ".", Rendered: found.Prompts})[0].Content), append(said, found.Said...), nil
}

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// renderedFlag makes diff work before there is a manifest.
func renderedFlag() cli.Flag {
	return &cli.StringSliceFlag{
		Name:  "rendered",
		Usage: "compare the prompts in the files of `GLOB`, which another program writes, without a manifest; may be repeated",
	}
}

// expandedByShell says that a pattern had no quotes: a shell put files in its place.
// The option takes the first of them, and the others stand as arguments.
func expandedByShell(command string, patterns, args []string) error {
	isNoFile := func(name string) bool {
		st, err := os.Stat(name)
		return err != nil || !st.Mode().IsRegular()
	}
	if len(patterns) == 0 || len(args) == 0 || slices.ContainsFunc(args, isNoFile) {
		return nil
	}
	first := patterns[len(patterns)-1]
	pattern := shellWord(path.Join(path.Dir(first), "*"+path.Ext(first)))
	if slices.ContainsFunc(args, func(name string) bool { return path.Dir(name) != path.Dir(first) || path.Ext(name) != path.Ext(first) }) {
		pattern = "'GLOB'"
	}
	return usage("--rendered takes one pattern, and the shell made %s files of it", diag.Number(len(args)+1)).
		withHint("quote it: promptc %s --rendered %s", command, pattern)
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
	if err := expandedByShell("diff", c.StringSlice("rendered"), c.Args().Slice()); err != nil {
		return nil, err
	}
	start, _ := location(c)
	dir, err := filepath.Abs(start)
	if err != nil {
		return nil, statusOf(exitUsage, err)
	}
	if at, err := keptByGit(c); at != nil || err != nil {
		if err != nil {
			return nil, err
		}
		p, err := at(dir)
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
	patterns := c.StringSlice("rendered")
	r := &renderings{of: map[string]int{}}
	for i, p := range []*project{head, &base.project} {
		state := headName(head)
		if p != head {
			state = base.label
		}
		if err := r.read(p, state, 1<<i, patterns); err != nil {
			return nil, err
		}
	}
	for i, pattern := range patterns {
		if found := r.found[i]; len(found.Files)+len(found.Bad)+len(r.found[i+len(patterns)].Files) > 0 {
			continue
		}
		return nil, usage("--rendered %q matches no file on either side", pattern).withHint("%s", words.Text(r.found[i].Hint))
	}
	out, err := pipeline.Propose(c.Context, nil, patterns, r.files, nil, head.fsys, base.fsys)
	if none, ok := errors.AsType[*pipeline.NoText](err); ok {
		return nil, noText(quoted(patterns), none, r.said)
	}
	if err != nil {
		return nil, failed(err)
	}
	head.text, base.text, base.name = []byte(out.Manifest), []byte(out.Manifest), head.name
	if dir, name, err := load.Find(head.dir); err == nil {
		notes = append(notes, path.Join(filepath.ToSlash(near(dir)), name)+" is left aside: --rendered works without a manifest")
	}
	return slices.Concat(notes, r.said, toldOf(out)), nil
}

type renderings struct {
	files []pipeline.RenderedFile
	of    map[string]int // by path
	found []load.Matched // by state and pattern
	said  []string
}

// read adds the files that a state has. What cannot be read there, or says
// nothing, is left out of that state alone, whose bit the others get.
func (r *renderings) read(p *project, state string, bit int, patterns []string) error {
	known := len(r.said)
	hidden := map[string]bool{}
	leave := func(name, why string) {
		hidden[name] = true
		r.said = append(r.said, "left out "+strconv.Quote(name)+" in "+state+": "+why)
	}
	seen := map[string]bool{}
	for _, pattern := range patterns {
		found, err := load.Match(p.fsys, pattern)
		if bad, ok := errors.AsType[*load.PatternError](err); ok {
			return statusOf(exitUsage, bad)
		}
		if err != nil {
			return failed(err)
		}
		r.found = append(r.found, found)
		for _, d := range found.Bad {
			if name := d.Span.File.Path; !hidden[name] {
				leave(name, words.Text(d.What))
			}
		}
		for _, name := range found.Files {
			if seen[name] {
				continue
			}
			seen[name] = true
			data, err := load.ReadSome(p.fsys, name)
			if err != nil {
				return failed(err)
			}
			if i, ok := r.of[name]; ok && bytes.Equal(r.files[i].Data, data) {
				r.files[i].Sides |= bit
				continue
			}
			doc, bad := load.Look(name, data)
			switch {
			case doc == nil:
				leave(name, words.Text(bad[0].What))
			case twice(doc.Saved) != "":
				leave(name, "it has the entry "+strconv.Quote(twice(doc.Saved))+" twice")
			default:
				r.add(name, data, bit)
			}
		}
	}
	if len(r.said) > known {
		p.fsys = load.Without(p.fsys, hidden)
	}
	return nil
}

// twice gives an entry that a file has more than once, "" for none.
func twice(entries []language.Saved) string {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.Name] {
			return e.Name
		}
		seen[e.Name] = true
	}
	return ""
}

// add keeps a file as the first state has it that has a text in it, with the
// entries of both.
func (r *renderings) add(name string, data []byte, bit int) {
	if i, ok := r.of[name]; ok {
		r.files[i].Sides |= bit
		if len(bytes.TrimSpace(r.files[i].Data)) == 0 {
			r.files[i].Data = data
		}
		r.files[i].Data = []byte(scaffold.Union(string(r.files[i].Data), string(data)))
		return
	}
	r.of[name] = len(r.files)
	r.files = append(r.files, pipeline.RenderedFile{Path: name, Data: data, Sides: bit})
}

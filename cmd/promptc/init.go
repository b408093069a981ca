package main

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

func initCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a manifest that builds, with hook and workflows",
		UsageText: "promptc init [OPTIONS] [DIR]",
		Description: "Writes a project into DIR (by default, here). It finds the prompts of a product (texts,\n" +
			"templates, values of YAML and JSON, literals in code, snapshots and requests of tests), and\n" +
			"what agents read (AGENTS.md, CLAUDE.md, GEMINI.md, rules, skills, JSON that defines tools).\n" +
			"prompts.yaml names these files where they are, with a prompt for each agent, and the\n" +
			"snapshots are written, too.\n" +
			"A file with an error is left out and named first, with exit status 1.\n" +
			"In an empty folder, or with --example, it writes an example: prompts.yaml with its sources.\n" +
			"A folder is empty if it has nothing but .git (or .hg, .svn, .jj) and files such as README,\n" +
			"LICENSE, .gitignore, .gitattributes and .editorconfig.\n\n" +
			".gitattributes is for the snapshots. What has one place in a repository goes to its root:\n" +
			".pre-commit-config.yaml, .prettierignore, and two workflows for GitHub, one that checks\n" +
			"and one that comments on pull requests. For GitLab (origin is there, or .gitlab-ci.yml\n" +
			"exists) the job to add is printed instead. If origin is elsewhere, workflows are only\n" +
			"written beside those in .github/workflows. A file that is there already is never changed:\n" +
			"the lines that it needs are printed.\n\n" +
			"With --rendered, the manifest takes prompts that another program assembles, as the files\n" +
			"of a pattern hold them (in quotes: \"test/__snapshots__/*.snap\"); what their names differ\n" +
			"in becomes the axes, and no file that the pattern does not match is read. JSON that defines\n" +
			"tools goes beside the texts that its name says, or is a prompt of its own.\n" +
			"promptc check finds no error in it: what is not a text is left out and named. Such prompts\n" +
			"have no snapshots but those of tools without a text, and the record of what they are made\n" +
			"from: the folders called prompts or templates beside them or their tests.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "rendered", Usage: "take the prompts in the files of `GLOB`, which another program writes"},
			&cli.StringSliceFlag{Name: "only", Usage: "take only the files of `GLOB`, or those in a folder; may be repeated"},
			&cli.StringSliceFlag{Name: "skip", Usage: "leave out the files of `GLOB`, or those in a folder; may be repeated"},
			&cli.BoolFlag{Name: "example", Usage: "write the example, whatever there is"},
			&cli.BoolFlag{Name: "no-ci", Usage: "write no workflow, and print no job"},
			&cli.BoolFlag{Name: "no-hooks", Usage: "write no .pre-commit-config.yaml"},
			&cli.BoolFlag{Name: "list", Usage: "say what would be written, and write nothing"},
			&cli.StringFlag{Name: "C", Usage: "work as if started in `DIR`"},
		},
		Action: func(c *cli.Context) error { return con.init(c) },
	}
}

func (con Console) init(c *cli.Context) error {
	if c.IsSet("rendered") {
		if err := expandedByShell("init", []string{c.String("rendered")}, c.Args().Slice()); err != nil {
			return err
		}
	}
	dir := "."
	if c.NArg() > 0 {
		var err error
		if dir, err = argument(c, "a folder"); err != nil {
			return err
		}
	}
	if start := c.String("C"); start != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(start, dir)
	}
	for _, p := range slices.Concat(c.StringSlice("only"), c.StringSlice("skip")) {
		if !glob.Valid(p) {
			return usage("%q is not a pattern", p).withHint("name a file or a folder, or use * within a name and ** for any folders")
		}
	}
	if c.Bool("example") && c.IsSet("rendered") {
		return usage("--example does not go with --rendered").withHint("leave one of them out")
	}
	at, err := siteOf(dir, c.Bool("list"))
	if err != nil {
		return err
	}
	if above := at.projectAbove(); above != "" && at.workspace == "" {
		if err := con.note("%q is a project, too: the one here is separate from it", seen(above)); err != nil {
			return err
		}
	}
	in := scaffold.Input{Folder: at.folder, Workspace: at.workspace, Version: version(), Commit: revision(), NoHooks: c.Bool("no-hooks"), CI: scaffold.NoCI}
	out := founding{Console: con, site: at, list: c.Bool("list"), store: scaffold.DefaultSnapshots, namesSchema: in.NamesSchema(), only: c.StringSlice("only"), skip: c.StringSlice("skip")}
	if !c.Bool("no-ci") {
		in.CI, out.end = at.ci(c.Context)
	}
	switch {
	case c.Bool("example"):
		return out.write(scaffold.Files(in), nil, "promptc build")
	case !c.IsSet("rendered"):
		return out.adopt(c.Context, in)
	}
	found, err := at.rendered(c.Context, c.String("rendered"))
	if err != nil {
		return err
	}
	in.Rendered, in.Snapshots = found.Prompts, found.Snapshots
	return out.write(scaffold.Files(in), toldOf(found), "promptc list --tokens") // there is nothing to build
}

// projectAbove gives the manifest of the nearest folder above, in the same
// repository, "" for none.
func (s *site) projectAbove() string {
	for dir := s.dir(); dir != s.root && dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		for _, name := range load.ManifestNames() {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return filepath.Join(dir, name)
			}
		}
	}
	return ""
}

// maxWrote is how many snapshots are named, each in a line.
const maxWrote = 5

// founding is a project that is being made, or only listed.
type founding struct {
	Console
	*site
	list  bool
	store string // the folder of the snapshots
	// namesSchema says that the manifest tells editors where its schema is.
	namesSchema bool
	only, skip  []string // patterns of the files that are taken, and of those that are not
	end         []string // what is said behind the files
}

// write writes the files that are not there, and says what became of each.
func (f founding) write(files []scaffold.File, said []string, next string) error {
	at, verb := f.site, "wrote "
	if f.list {
		verb = "would write "
	}
	delta := &store.Delta{SnapshotFolder: "."}
	snapshots := 0
	for _, file := range files {
		name := filepath.Join(at.root, filepath.FromSlash(file.Path))
		shown := seen(name)
		_, err := os.Lstat(name)
		if err == nil || file.IsPrinted {
			said = append(said, lacking(name, shown, err == nil, file)...)
			continue
		}
		below, err := filepath.Rel(at.ground, name)
		if err != nil {
			return failed(err)
		}
		out := assembly.Output{Path: filepath.ToSlash(below), Parts: []string{file.Content}}
		delta.Snapshots = append(delta.Snapshots, store.Change{Output: out, Status: store.Added})
		if file.IsSnapshot {
			snapshots++
		}
		if !file.IsSnapshot || snapshots <= maxWrote {
			said = append(said, verb+shown)
		}
		if file.Path == scaffold.Hooks && !f.list {
			said = append(said, "  run: pre-commit install (it turns the hook on)")
		}
	}
	if more := snapshots - maxWrote; more > 0 {
		said = append(said, verb+diag.Number(more)+" more below "+f.store+"/")
	}
	said = append(said, f.end...)
	if f.list {
		return f.Console.write("%s\n", words.Safe(strings.Join(said, "\n")))
	}
	slices.SortFunc(delta.Snapshots, func(a, b store.Change) int { return strings.Compare(a.Output.Path, b.Output.Path) })
	if err := commit(&project{dir: at.ground}, &prompt.Result{Delta: delta}, snapshot.Snapshots); err != nil {
		if st, ok := errors.AsType[*status](err); ok && st.message != "" && seen(at.ground) != "." {
			st.message = "in " + seen(at.ground) + ": " + st.message
		}
		return err
	}
	if unnamed, err := at.unnamed(); err != nil {
		return failed(err)
	} else if unnamed != "" {
		said = append(said, unnamed)
	}
	if !f.namesSchema {
		file := path.Join(seen(f.dir()), scaffold.SchemaFile)
		said = append(said, "for completion in an editor: "+scaffold.WriteSchema+shellWord(file))
	}
	return f.Console.write("%s\n", words.Safe(strings.Join(append(said, "next: "+f.inFolder(next)), "\n")))
}

// inFolder is a command as somebody in the working directory runs it for the
// project.
func (s *site) inFolder(command string) string {
	if folder := seen(s.dir()); folder != "." {
		command += " -C " + shellWord(folder)
	}
	return command
}

// seen is a path, absolute and free of links, as somebody in the working
// directory writes it; as it is where there is no other way.
func seen(name string) string {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err == nil {
		if rel, err := filepath.Rel(here, name); err == nil {
			name = rel
		}
	}
	return filepath.ToSlash(name)
}

// lacking says what a file that is not written needs, whether it is there or not.
func lacking(name, shown string, exists bool, f scaffold.File) []string {
	var text []byte
	if exists {
		shown += " exists"
	}
	if fsys, err := load.Dir(filepath.Dir(name)); err == nil {
		text, _ = load.ReadSome(fsys, filepath.Base(name)) // what cannot be read lacks all
	}
	gaps, asked := f.Lacks(string(text))
	switch {
	case !asked:
		return []string{shown + ": it was left as it is"}
	case len(gaps) == 0:
		return []string{shown + ", and has what it needs"}
	}
	var said []string
	for _, g := range gaps {
		said = append(said, shown+": "+words.Text(g.What)+":\n  "+strings.ReplaceAll(strings.TrimSuffix(g.Lines, "\n"), "\n", "\n  "))
	}
	return said
}

// ci tells for which system a repository gets jobs, and why for none.
func (s *site) ci(ctx context.Context) (ci scaffold.CI, said []string) {
	hosts, err := s.origin(ctx)
	ci = scaffold.CIOf(hosts, s.has)
	switch {
	case err != nil:
		said = []string{"git does not say where origin is: " + words.Error(err)}
	case ci == scaffold.NoCI:
		said = []string{"origin is on " + hosts[0] + ", so there is no workflow for GitHub: jobs for other systems are in " + scaffold.Recipes}
	}
	return ci, said
}

// origin gives the hosts that the repository's origin is on.
func (s *site) origin(ctx context.Context) ([]string, error) {
	if !s.has(".git") {
		return nil, nil
	}
	repo, err := git.Open(ctx, seen(s.root))
	if err != nil {
		return nil, err
	}
	return repo.Origin()
}

// has reports whether a name exists in the root.
func (s *site) has(name string) bool {
	_, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(name)))
	return err == nil
}

// site is where a project is made.
type site struct {
	// ground is the folder that exists already and holds all that is written,
	// root that of the repository, or else of the project: absolute paths free of
	// links.
	ground, root string
	folder       string // of the manifest, as seen from root, with slashes
	workspace    string // the folder of the workspace, likewise; "" for none
}

func (s *site) dir() string { return filepath.Join(s.root, filepath.FromSlash(s.folder)) }

// unnamed says that no pattern of the workspace names the project. It is "" if one
// does, and outside of workspaces.
func (s *site) unnamed() (string, error) {
	if s.workspace == "" {
		return "", nil
	}
	top := filepath.Join(s.root, filepath.FromSlash(s.workspace))
	fsys, err := load.Dir(top)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(top, s.dir())
	if err != nil {
		return "", err
	}
	manifests, found, err := pipeline.Projects(fsys, false, nil)
	if err != nil || found.HasErrors() || slices.Contains(manifests, path.Join(filepath.ToSlash(below), scaffold.Manifest)) {
		return "", err
	}
	return seen(filepath.Join(top, load.WorkFile)) + " does not name the project: add " + strconv.Quote(filepath.ToSlash(below)) + " to its projects", nil
}

// siteOf finds out where the files of a project in a folder go, and refuses one
// that has a manifest, unless they are only listed.
func siteOf(dir string, list bool) (*site, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, failed(err)
	}
	ground, rest, err := standing(full)
	if err != nil {
		return nil, err
	}
	root, err := load.Repository(ground)
	if err != nil {
		return nil, failed(err)
	}
	s := &site{ground: root, root: root}
	if root == "" {
		s.ground, s.root = ground, filepath.Join(ground, rest)
	}
	folder, err := filepath.Rel(s.root, filepath.Join(ground, rest))
	if err != nil {
		return nil, failed(err)
	}
	s.folder = filepath.ToSlash(folder)
	if load.InBare(ground) {
		return nil, inBare(dir)
	}
	if load.InGit(s.folder) {
		return nil, usage("%q lies in the folder that Git keeps for itself", dir).withHint("name another folder")
	}
	if !scaffold.Usable(s.folder) {
		return nil, usage("the folder %q cannot be named in workflows and hooks", s.folder).
			withHint("letters, digits, spaces and ._/+=~@- can; rename it, or run: promptc init at the repository's root")
	}
	if above, named, err := (Console{}).workspaceAbove(s.dir(), true, onDisk); err != nil {
		return nil, err
	} else if below, err := filepath.Rel(s.root, above); err == nil && named {
		s.workspace = filepath.ToSlash(below)
	}
	for _, name := range load.ManifestNames() {
		if _, err := os.Lstat(filepath.Join(s.dir(), name)); err == nil && !list {
			return nil, usage("%q has a %s already", dir, name).
				withHint("run: %s; to see what init would take today: %s", s.inFolder("promptc build"), s.inFolder("promptc init --list"))
		}
	}
	return s, nil
}

// standing splits a path into the folder that is there, free of links, and the
// rest.
func standing(full string) (ground, rest string, err error) {
	for ground = full; ; ground = filepath.Dir(ground) {
		st, err := os.Stat(ground)
		switch {
		case err == nil && st.IsDir():
			rest, err = filepath.Rel(ground, full)
			if err != nil {
				return "", "", failed(err)
			}
			ground, err = filepath.EvalSymlinks(ground)
			return ground, rest, failed(err)
		case err == nil:
			return "", "", usage("%q is a file", filepath.Base(ground)).withHint("name a folder to write to")
		case ground == filepath.Dir(ground):
			return "", "", failed(err)
		}
		if _, err := os.Lstat(ground); err == nil {
			return "", "", usage("%q is a link that leads nowhere", filepath.Base(ground)).withHint("remove it, or name a folder to write to")
		}
	}
}

// rendered finds the files of a pattern, and the axes in their names.
func (s *site) rendered(ctx context.Context, pattern string) (*pipeline.Proposal, error) {
	fsys, err := load.Dir(s.dir())
	if err != nil {
		return nil, usage("no folder %q", filepath.Base(s.dir())).withHint("--rendered is relative to the folder of the manifest, which has to be there")
	}
	found, err := load.Match(fsys, pattern)
	if bad, ok := errors.AsType[*load.PatternError](err); ok {
		return nil, statusOf(exitUsage, bad)
	} else if err != nil {
		return nil, failed(err)
	}
	if len(found.Files)+len(found.Bad) == 0 {
		return nil, usage("--rendered %q matches no file", pattern).withHint("%s", words.Text(found.Hint))
	}
	files := make([]pipeline.RenderedFile, len(found.Files))
	for i, name := range found.Files {
		data, err := load.ReadSome(fsys, name)
		if err != nil {
			return nil, failed(err)
		}
		files[i] = pipeline.RenderedFile{Path: name, Data: data}
	}
	out, err := pipeline.Propose(ctx, fsys, []string{pattern}, files, found.Bad)
	if none, ok := errors.AsType[*pipeline.NoText](err); ok {
		return nil, noText(strconv.Quote(pattern), none, nil)
	}
	return out, failed(err)
}

// noText says why nothing that a pattern matches is a prompt.
func noText(pattern string, none *pipeline.NoText, said []string) error {
	said = slices.Concat([]string{words.Text(none.Fact)}, said, worded(none.Said), refused(none.Refused), leftOut(none.Left))
	return usage("--rendered %s: %s", pattern, strings.Join(said, "\n  ")).withHint("%s", words.Text(none.Hint))
}

func worded(all []diag.Words) []string {
	var out []string
	for _, w := range all {
		out = append(out, words.Text(w))
	}
	return out
}

// toldOf says what was made of files that are not simply taken.
func toldOf(p *pipeline.Proposal) []string {
	return slices.Concat(worded(p.Said), refused(p.Refused), leftOut(p.Left))
}

// refused says why no tools are read from files, each reason once.
func refused(all []pipeline.Refusal) (said []string) {
	for len(all) > 0 {
		why := all[0].Why
		var files []string
		all = slices.DeleteFunc(slices.Clone(all), func(r pipeline.Refusal) bool {
			same := r.Why.Code == why.Code
			if same {
				files = append(files, r.Files...)
			}
			return same
		})
		said = append(said, "no tools are read from "+words.Text(diag.AndOthers(files))+": "+words.Text(why.What))
	}
	return said
}

// leftOut says what was left out of each file, and why: the first of what is
// alike in a file, and how many there are.
func leftOut(left diag.List) []string {
	var said []string
	for len(left) > 0 {
		first, n := left[0], 1
		for n < len(left) && left[n].Code == first.Code && left[n].Span.File == first.Span.File {
			n++
		}
		line := "left out: " + words.Text(first.What)
		if first.Span.Known() && first.Span.File.Path != scaffold.Manifest && !first.What.Has(first.Span.File.Path) {
			line = "left out " + strconv.Quote(first.Span.File.Path) + ": " + words.Text(first.What)
		}
		if n > 1 {
			line += ", and " + diag.Number(n-1) + " more like it"
		}
		said, left = append(said, line), left[n:]
	}
	return said
}

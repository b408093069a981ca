package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// project is the manifest that a command works on.
type project struct {
	dir  string // the manifest's folder
	name string // the manifest in it
	// text is the manifest that counts where none stands there, else nil.
	text []byte
	fsys fs.FS
	// tree is what git keeps, where the project is not read from disk.
	tree *git.Tree
	// ref is what git calls that, "" for the index, label what people call it, and
	// notes are what git has to say about the ref.
	ref, label string
	notes      []string
	// maxUses is what the command line allows the manifest, 0 for the usual.
	maxUses int
	// look is what else a comparison looks at; nil for nothing.
	look pipeline.Look
	// remedy brings the snapshots up to date.
	remedy remedyCommands
	// ignored is the place of the pattern that makes git ignore snapshots, "" for none.
	ignored string
	// unstaged are the sources that it adds to the index.
	unstaged []store.Untracked
	// within is the project's folder in what tree has, "" for the top of it.
	within string
	// tracked is what git has of the workspace that the project is in, nil where
	// nobody asked.
	tracked git.Listing
	// looked says that there is no manifest: it is the one that init would write. unkept are
	// the paths that git ignores then.
	looked bool
	unkept []string
	// gone says that only the base of a comparison has the project.
	gone bool
	// parts are the results of the projects that a report on several is about.
	parts []*prompt.Result
}

// close gives back what reading the project took. Projects on disk take
// nothing that would outlive the run.
func (p *project) close() error {
	if p.tree == nil {
		return nil
	}
	return p.tree.Close()
}

// request asks for the project as it is, until a stage.
func (p *project) request(until pipeline.Until) pipeline.Request {
	return pipeline.Request{Name: headName(p), Files: p.fsys, Manifest: p.name, Text: p.text, MaxUses: p.maxUses, Until: until}
}

// compared compiles a project and compares it. What git keeps was not built where it
// is kept, so that the artifacts beside it say nothing about it.
func (p *project) compared(ctx context.Context) (*prompt.Result, error) {
	q := p.request(pipeline.Compared)
	if q.Look = p.look; p.tree != nil {
		q.Until = pipeline.Snapshots
	}
	return pipeline.Compile(ctx, q)
}

// locationFlags say where the manifest is, and how much it may ask for. Every
// command that reads one has them.
func locationFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Usage: "use this manifest `FILE` (default: prompts.yaml here or in a parent folder)"},
		&cli.StringFlag{Name: "C", Usage: "work as if started in `DIR`"},
		&cli.IntFlag{Name: "max-uses", Usage: "allow the manifest `N` uses of sections, which is variants × sections", DefaultText: "2,000,000"},
	}
}

// location gives the folder to start in, and the manifest that was named, ""
// for none.
func location(c *cli.Context) (start, config string) {
	start, config = c.String("C"), c.String("config")
	if start == "" {
		start = "."
	}
	if config != "" && !filepath.IsAbs(config) {
		config = filepath.Join(start, config)
	}
	return start, config
}

// open finds the manifest: on disk, or in the index where the command was
// asked for that.
func (con Console) open(c *cli.Context) (*project, error) {
	if c.IsSet("max-uses") && c.Int("max-uses") <= 0 {
		return nil, usage("--max-uses needs a number above 0")
	}
	p, err := con.find(c)
	if p != nil && c.IsSet("max-uses") {
		p.maxUses = c.Int("max-uses")
	}
	return p, err
}

func (con Console) find(c *cli.Context) (*project, error) {
	if c.IsSet("rendered") {
		return openRendered(c)
	}
	if at, err := keptByGit(c); at != nil || err != nil {
		return con.openKept(c, at)
	}
	start, config := location(c)
	var p project
	var err error
	if config != "" {
		p.dir, p.name = filepath.Split(config)
		if p.dir == "" {
			p.dir = "."
		}
	} else if p.dir, p.name, err = load.Find(start); err != nil {
		if looks(c, start, err) {
			return con.lookAround(c, start, onDiskAt(con))
		}
		return nil, notFound(start, err)
	}
	if p.fsys, err = con.openFolder(p.dir); err != nil {
		return nil, notOpened(err)
	}
	return &p, p.readable(cmp.Or(c.String("config"), p.name), "")
}

func (con Console) openFolder(name string) (fs.FS, error) {
	con.sees(name, ".") // it may be gone, and come again
	return load.Observed(name, con.See)
}

// sees tells whoever watches which names in a folder are about to be looked at.
func (con Console) sees(folder string, names ...string) {
	for _, name := range names {
		if con.See != nil {
			con.See(folder, name)
		}
	}
}

// readable says why the manifest cannot be one, before anything is read. The
// name is that by which people know it; where says in what, with a blank in
// front, or nothing for the disk.
func (p *project) readable(name, where string) error {
	st, err := fs.Stat(p.fsys, p.name)
	switch {
	case errors.Is(err, load.ErrEscapes), errors.Is(err, load.ErrGit):
		return usage("the manifest %q%s is a link out of its folder", name, where).withHint("copy the file into the folder; paths in a manifest are relative to it")
	case refusedBySystem(err):
		return failed(err)
	case err != nil:
		return usage("no manifest at %q%s", name, where).withHint("--config names the manifest file itself")
	case st.IsDir():
		return usage("the manifest %q%s is a folder", name, where).withHint("--config names the manifest file itself")
	case !st.Mode().IsRegular():
		return usage("the manifest %q%s is not a regular file", name, where).withHint("write it to a file, and name that")
	default:
		return nil
	}
}

// notFound says why there is no manifest to work on.
func notFound(start string, err error) error {
	switch {
	case errors.Is(err, load.ErrNoManifest) && load.InBare(start):
		return inBare(start)
	case errors.Is(err, load.ErrNoManifest):
		if dir, named, err := (Console{}).workspaceAbove(start, true, onDisk); err == nil && named {
			below := load.FolderBelow(dir)
			return usage("this is a workspace: %q has no prompts.yaml", start).withHint("name a project with -C, such as -C %s; build, check, watch, diff, list and report take all", shellWord(seen(filepath.Join(dir, filepath.FromSlash(below)))))
		}
		if name := load.NearManifest(start); name != "" {
			return usage("no prompts.yaml in %q or a folder above it", start).withHint("found %s: rename it to prompts.yaml, or name it with --config %s", name, name)
		}
		if below := load.FolderBelow(start); below != "" {
			return usage("no prompts.yaml in %q or a folder above it", start).withHint("there is one in %q: -C %s takes that; build, check, watch, diff, list and report take all below with --all", below, shellWord(filepath.Join(start, below)))
		}
		return usage("no prompts.yaml in %q or a folder above it", start).withHint("run: promptc init (over the files that agents read here), or promptc init --example; or name yours with --config FILE")
	case errors.Is(err, fs.ErrNotExist):
		return usage("no folder %q", start).withHint("-C names the folder to start in")
	default:
		return notOpened(err)
	}
}

// inBare says that nothing is checked out in a folder.
func inBare(dir string) error {
	return usage("%q is in a bare repository, which has no files checked out", dir).withHint("start it in a checkout of the repository")
}

// notOpened tells a wrong path from one that the system does not open.
func notOpened(err error) error {
	if refusedBySystem(err) {
		return failed(err)
	}
	return statusOf(exitUsage, err)
}

// refusedBySystem reports whether an error is no fault of the path that was given.
func refusedBySystem(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO, fs.ErrPermission,
	}, func(e error) bool { return errors.Is(err, e) })
}

// several opens what a command works on, and reads the format, for the commands that
// take no arguments.
func (con Console) several(c *cli.Context) (*workspace, string, error) {
	if err := noArguments(c); err != nil {
		return nil, "", err
	}
	format, err := formatOf(c, run.FormatNames()...)
	if err != nil {
		return nil, "", err
	}
	w, err := con.openProjects(c)
	return w, format, err
}

type choice = func(*assembly.Plan) ([]*assembly.Variant, error)

// assembled runs the pipeline without the comparison with what is on disk, for
// the variants that are chosen alone.
func (con Console) assembled(c *cli.Context, choose choice) (*project, *prompt.Result, error) {
	return con.compiled(c, pipeline.Composed, choose)
}

// compiled opens the project and compiles it until a stage, for the variants that are
// chosen. Findings that end the run are printed, and are the error.
func (con Console) compiled(c *cli.Context, until pipeline.Until, choose choice) (*project, *prompt.Result, error) {
	p, err := con.open(c)
	if err != nil {
		return nil, nil, err
	}
	q := p.request(until)
	q.Choose = choose
	r, err := pipeline.Compile(c.Context, q)
	if _, ours := errors.AsType[*status](err); ours {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, failed(err)
	}
	if r.Stopped {
		return nil, nil, con.refuse(c, p, r)
	}
	return p, r, nil
}

// failed makes of an error, which may be a status already, what ends the run.
func failed(err error) error {
	if err == nil {
		return nil
	}
	if st, ours := errors.AsType[*status](err); ours {
		return st
	}
	return statusOf(exitFailed, err)
}

// statusOf ends the run with what an error says.
func statusOf(code int, err error) *status {
	return &status{code: code, message: words.Error(err), hint: words.ErrorHint(err)}
}

// selectVariants gives the variants that the patterns name, in their own
// order; all of them without a pattern. A pattern is a variant's name, a
// prompt's id, or prompt/ and a set as the outlines write it.
func selectVariants(plan *assembly.Plan, patterns []string) ([]*assembly.Variant, error) {
	wanted := map[*assembly.Variant]bool{}
	for _, pattern := range patterns {
		id, expr := setcover.CutName(pattern, idsOf(plan))
		b := plan.Build(id)
		if b == nil {
			return nil, unknownPrompt(idsOf(plan), id)
		}
		set, err := setcover.NewCover(b).Select(expr)
		if err != nil {
			return nil, noVariant(b, pattern, err)
		}
		if set.Len() == 0 {
			return nil, usage("no variant is %q", pattern).withHint("promptc list %s shows those that are built", id)
		}
		for _, v := range b.Variants {
			if set.Has(v.Index) {
				wanted[v] = true
			}
		}
	}
	var out []*assembly.Variant
	for _, b := range plan.Builds {
		for _, v := range b.Variants {
			if len(patterns) == 0 || wanted[v] {
				out = append(out, v)
			}
		}
	}
	return out, nil
}

// oneVariant gives the single variant that a name means: a variant's own name,
// axes in any order, else a part of one that only one variant has.
func oneVariant(plan *assembly.Plan, name string) (*assembly.Variant, error) {
	id, part := setcover.CutName(name, idsOf(plan))
	if b := plan.Build(id); b != nil {
		if v, ok := setcover.Named(b, part); ok {
			return v, nil
		}
	}
	found, err := selectVariants(plan, []string{name})
	if err != nil {
		return nil, err
	}
	if len(found) == 1 {
		return found[0], nil
	}
	var names []string
	for _, v := range found[:min(len(found), 8)] {
		names = append(names, v.Name)
	}
	more := ""
	if n := len(found) - len(names); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return nil, usage("%q names %d variants", name, len(found)).withHint("name one: %s%s", strings.Join(names, ", "), more)
}

// artifact opens the project and gives the artifact of the one variant that a
// name means, composed alone. With others, all are composed beside it, for who
// asks what was said of them.
func (con Console) artifact(c *cli.Context, name string, others bool) (*project, *prompt.Result, *assembly.Artifact, error) {
	var one *assembly.Variant
	p, r, err := con.assembled(c, func(plan *assembly.Plan) (_ []*assembly.Variant, err error) {
		if one, err = oneVariant(plan, name); err != nil || !others {
			return []*assembly.Variant{one}, err
		}
		return selectVariants(plan, nil)
	})
	if err != nil {
		return nil, nil, nil, err
	}
	i := slices.IndexFunc(r.Artifacts, func(a *assembly.Artifact) bool { return a.Variant == one })
	return p, r, r.Artifacts[i], nil
}

func idsOf(plan *assembly.Plan) []string {
	var ids []string
	for _, b := range plan.Builds {
		ids = append(ids, b.Prompt.ID.Str)
	}
	return ids
}

func unknownPrompt(ids []string, id string) error {
	err := usage("no prompt is called %q", id)
	if strings.Contains(id, "=") {
		return err.withHint("a set of variants has its prompt in front: %s/%s", ids[0], id)
	}
	return err.nearest(id, ids, "prompts: %s", strings.Join(ids, ", "))
}

func noVariant(b *assembly.Build, pattern string, cause error) error {
	const hint = "promptc list %s shows those that are built"
	if wrong, ok := errors.AsType[*setcover.SelectError](cause); ok {
		return usage("no variant is %q: %s", pattern, words.Text(wrong.Fact())).nearest(wrong.Word, wrong.Candidates, hint, b.Prompt.ID.Str)
	}
	return usage("no variant is %q", pattern).withHint(hint, b.Prompt.ID.Str)
}

func formatFlag(formats ...string) cli.Flag {
	return &cli.StringFlag{Name: "format", Value: formats[0], Usage: "print as `FORMAT`: " + strings.Join(formats, ", ")}
}

// strictFlag makes every finding count.
func strictFlag() cli.Flag {
	return &cli.BoolFlag{Name: "strict", Usage: "fail on warnings and notes, too"}
}

// formatOf gives the chosen format, or refuses it.
func formatOf(c *cli.Context, formats ...string) (string, error) {
	f := c.String("format")
	if slices.Contains(formats, f) {
		return f, nil
	}
	return "", usage("unknown format %q", f).withHint("formats: %s", strings.Join(formats, ", "))
}

// colour decides whether a stream gets ANSI styles. NO_COLOR wins over
// FORCE_COLOR, as no-color.org asks; both count when they are not empty.
func (con Console) colour(terminal bool) bool {
	switch {
	case con.Getenv("NO_COLOR") != "":
		return false
	case con.Getenv("FORCE_COLOR") != "" && con.Getenv("FORCE_COLOR") != "0":
		return true
	default:
		return terminal && con.Getenv("TERM") != "dumb"
	}
}

// reportOptions prepares the printing of a project's result.
func (con Console) reportOptions(c *cli.Context, p *project, r *prompt.Result, terminal bool) words.Options {
	opt := words.Options{Color: con.colour(terminal), Strict: c.Bool("strict"), Base: p.base(), Remedy: p.remedy.String(), Ignored: p.ignored, Unstaged: p.unstaged, Of: append([]*prompt.Result{r}, p.parts...)}
	opt.Tree = r.Tree
	if r.Plan != nil && r.Spec != nil && r.Plan.Tokenizer != "" {
		count := pipeline.Counters(r.Spec)(r.Plan.Tokenizer)
		opt.Count = count.Count
	}
	return opt
}

// base is the manifest's folder as somebody in the working directory writes
// it, with slashes; "" for the working directory itself. Output never names
// where a project stands, so a folder that cannot be reached by a relative
// path counts as the working directory.
func (p *project) base() string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	return p.from(here)
}

// from is the manifest's folder as seen from another one.
func (p *project) from(folder string) string {
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(folder, dir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// inRepository is the manifest's folder as seen from the repository's root,
// which is how annotations name files.
func (p *project) inRepository() string { return p.from(p.top()) }

// top is the root of the repository that holds the manifest's folder, else the
// working directory.
func (p *project) top() string {
	if root, err := load.Repository(p.dir); err == nil && root != "" {
		return root
	}
	here, err := os.Getwd()
	if err != nil {
		return p.dir
	}
	return here
}

// refuse prints the findings that ended a run before it had a result.
func (con Console) refuse(c *cli.Context, p *project, r *prompt.Result) error {
	opt := con.reportOptions(c, p, r, con.ErrTerminal)
	if err := finding.Text(con.Stderr, r.Findings, opt); err != nil {
		return failed(err)
	}
	if err := run.Summary(con.Stderr, r, run.Outcome{Command: c.Command.Name}, opt); err != nil {
		return failed(err)
	}
	if err := con.sayAbsent(c.Context, p, r); err != nil {
		return err
	}
	return &status{code: exitFindings, stopped: true}
}

func argument(c *cli.Context, what string) (string, error) {
	if c.NArg() == 1 {
		return c.Args().First(), nil
	}
	err := usage("%s takes one argument, not %d", c.Command.Name, c.NArg())
	if c.NArg() == 0 {
		err = usage("%s needs %s", c.Command.Name, what)
	}
	return "", err.withHint("promptc help %s", c.Command.Name)
}

// noArguments refuses arguments, which would otherwise be ignored. A command that
// looks at a project may be meant for a folder, and takes all prompts anyway.
func noArguments(c *cli.Context) error {
	if c.NArg() == 0 {
		return nil
	}
	name, given := c.Command.Name, c.Args().First()
	out := usage("%s takes no arguments, but got %q", name, given)
	start, _ := location(c)
	if given == "help" || !slices.Contains(flagNames(c.Command.Flags), "C") {
		return out.withHint("promptc help %s", name)
	}
	if st, err := os.Stat(filepath.Join(start, given)); err == nil && st.IsDir() {
		return out.withHint("run: promptc %s -C %s", name, shellWord(path.Join(filepath.ToSlash(start), given)))
	}
	return out.withHint("run: promptc %s (it takes every prompt)", name)
}

// write prints a line of result.
func (con Console) write(format string, args ...any) error {
	_, err := fmt.Fprintf(con.Stdout, format, args...)
	return failed(err)
}

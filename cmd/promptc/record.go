package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/world/record"
)

const (
	// recordedFolder is where recordings go for which no manifest has a place.
	recordedFolder = "prompts/recorded"
	// usualTime is how long a command may take.
	usualTime = 120 * time.Second
)

func recordCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "record",
		Usage:     "run a program and save the requests that it sends to a provider",
		UsageText: "promptc record [OPTIONS] -- COMMAND [ARGUMENT...]\npromptc record [OPTIONS] [PROMPT[/VARIANT]...]",
		Description: "Runs a command, answers its requests as OpenAI, Anthropic, Gemini and Ollama do, and writes\n" +
			"the bodies of the requests to " + recordedFolder + ". The program reads the address from\n" +
			"OPENAI_BASE_URL, ANTHROPIC_BASE_URL and the like, so it need not change. If it has a name of\n" +
			"its own for the address, write ${" + record.AddressVariable + "} in an argument.\n\n" +
			"Keys in the environment are replaced, and a proxy refuses requests to other hosts and names\n" +
			"them. --offline cuts off programs that take no notice of proxies.\n\n" +
			"Without a command, it runs the commands that the manifest names under record:, and writes\n" +
			"what they send to the files that rendered: names. It runs what the manifest says, as you:\n" +
			"never use it on pull requests of strangers.",
		Flags: append(locationFlags(),
			&cli.StringFlag{Name: "name", Usage: "with a command, write " + recordedFolder + "/`NAME`.json (default: the name of the program)"},
			&cli.StringFlag{Name: "fixtures", Usage: "with a command, answer what this `FILE` says, in turn"},
			&cli.BoolFlag{Name: "check", Usage: "write nothing; exit 1 if something else is sent than was recorded"},
			&cli.DurationFlag{Name: "timeout", Usage: "end a command after this `TIME`", Value: usualTime, DefaultText: "2m"},
			&cli.BoolFlag{Name: "offline", Usage: "on Linux, run where there is no network but the loopback address"},
			&cli.BoolFlag{Name: "clean-home", Usage: "give the command an empty home, without settings and memories"},
			&cli.BoolFlag{Name: "doctor", Usage: "write nothing; say from which variables the program reads the address"}),
		Action: func(c *cli.Context) error { return con.record(c) },
	}
}

// recordings records the programs of one command.
type recordings struct {
	con  Console
	c    *cli.Context
	dir  string // where programs start, and from which on files go
	fsys fs.FS
	// project is the manifest that names the programs, nil for a command of the
	// command line.
	project *project
	name    string // of the files of that command
	read    *heardInput
}

func (con Console) record(c *cli.Context) (err error) {
	if c.Bool("offline") {
		code, again, err := record.Offline(os.Args, con.Stdin, con.Stdout, con.Stderr, heard()...)
		if err != nil {
			return failed(err)
		}
		if again {
			return &status{code: code}
		}
	}
	if c.Duration("timeout") <= 0 {
		return usage("--timeout needs a time above 0, such as 30s")
	}
	r := &recordings{con: con, c: c}
	args := c.Args().Slice()
	var programs []*pipeline.Program
	if len(args) > 0 && args[0] == "--" {
		programs, err = r.command(args[1:])
	} else {
		programs, err = r.declared()
	}
	if err != nil {
		return err
	}
	asked := asksToEnd()
	defer signal.Stop(asked)
	ctx, stop := untilAsked(c.Context)
	defer stop()
	all, err := par.Try(programs, func(p *pipeline.Program) (*taken, error) { return r.take(ctx, p) })
	if ctx.Err() != nil {
		return &status{code: stoppedBy(<-asked), message: "stopped: nothing was written"}
	}
	if err != nil {
		return failed(err)
	}
	return r.finish(ctx, all)
}

// command is the program of the command line.
func (r *recordings) command(args []string) ([]*pipeline.Program, error) {
	if len(args) == 0 {
		return nil, usage("record needs a command behind --").withHint("for example: promptc record -- node agent.js hello")
	}
	start, config := location(r.c)
	if config != "" {
		return nil, usage("--config and a command exclude one another").withHint("write the command into the manifest, under record:")
	}
	var err error
	if r.dir, err = filepath.Abs(start); err != nil {
		return nil, failed(err)
	}
	if r.fsys, err = load.Dir(r.dir); err != nil {
		return nil, usage("no folder %q", start)
	}
	if r.name = r.c.String("name"); r.name == "" {
		r.name = r.programName(args)
	} else if r.name != plainName(r.name) || r.name[0] == '.' {
		return nil, usage("--name %q is no name of a file", r.name).withHint("use letters, digits, and . _ - =, and no full stop at the beginning")
	}
	return []*pipeline.Program{{Args: args, Fixtures: r.c.String("fixtures")}}, nil
}

// declared are the programs that the manifest names.
func (r *recordings) declared() ([]*pipeline.Program, error) {
	for _, name := range []string{"name", "fixtures"} {
		if r.c.IsSet(name) {
			return nil, usage("--%s is for a command", name).withHint("the manifest says it under record:")
		}
	}
	p, err := r.con.asking(r.c, "programs are recorded for one project", "promptc record")
	if err != nil {
		start, config := location(r.c)
		_, _, none := load.Find(start)
		if st, ours := errors.AsType[*status](err); ours && config == "" && errors.Is(none, load.ErrNoManifest) && load.NearManifest(start)+load.FolderBelow(start) == "" {
			st.hint = "record a command: promptc record -- " + cmp.Or(repeatedArguments(r.c), "COMMAND")
		}
		return nil, err
	}
	r.project, r.dir, r.fsys = p, p.dir, p.fsys
	programs, found, err := pipeline.Programs(p.fsys, p.name, func(plan *assembly.Plan) ([]*assembly.Variant, error) {
		if len(plan.Builds) == 0 {
			return nil, usage("no prompt of %s says how it is recorded", p.name).withHint("add record: {run: [COMMAND, ARGUMENT]} beside rendered:, or run: promptc record -- COMMAND")
		}
		return selectVariants(plan, r.c.Args().Slice())
	})
	if err != nil {
		return nil, failed(err)
	}
	return programs, r.con.tell(r.c, p, found)
}

// plainName gives a name with only the characters that names of files have here.
func plainName(name string) string { return unlikelyInName.ReplaceAllString(name, "_") }

var unlikelyInName = regexp.MustCompile(`[^A-Za-z0-9._=-]+`)

// programName gives the name for a program: that of the first argument that is a file
// here, else of the command.
func (r *recordings) programName(args []string) string {
	name := args[0]
	for _, a := range args {
		if st, err := fs.Stat(r.fsys, path.Clean(filepath.ToSlash(a))); err == nil && st.Mode().IsRegular() {
			name = a
			break
		}
	}
	name = path.Base(filepath.ToSlash(name))
	name = plainName(strings.TrimSuffix(name, path.Ext(name)))
	if strings.Trim(name, "._") == "" {
		return "agent"
	}
	return name
}

// file gives the file for a label of a command.
func (r *recordings) file(label string) string {
	if label == "" {
		return path.Join(recordedFolder, r.name+".json")
	}
	return path.Join(recordedFolder, r.name, plainName(label)+".json")
}

// taken is what a run of a program came to.
type taken struct {
	program *pipeline.Program
	rec     *record.Recorder
	ended   record.Ended
	all     []*pipeline.Recording
	strange []string               // labels that no variant has
	said    string                 // the end of what the program printed
	changes map[string]differences // by path
}

// differences are those of two recordings: the first ones, and how many there
// are.
type differences struct {
	first []record.Changing
	n     int
}

// take records a program; twice where there is no recording yet, to see what changes by
// itself.
func (r *recordings) take(ctx context.Context, p *pipeline.Program) (*taken, error) {
	answers, err := r.answers(p.Fixtures)
	if err != nil {
		return nil, err
	}
	if r.project != nil && r.con.ErrTerminal {
		if err := r.con.note("recording %s", quoted(targetNames(p.Chosen()))); err != nil {
			return nil, err
		}
	}
	out, err := r.once(ctx, p, answers)
	if err != nil || r.c.Bool("check") || r.c.Bool("doctor") || !r.isFirst(out) {
		return out, err
	}
	again, err := r.once(ctx, p, answers)
	if err != nil {
		return nil, err
	}
	for _, one := range out.all {
		text := ""
		for _, other := range again.all {
			if other.Path == one.Path {
				text = other.Text
			}
		}
		list, n := record.Changes(one.Text, text)
		out.changes[one.Path] = differences{list, n}
	}
	return out, nil
}

func targetNames(targets []*pipeline.Target) []string {
	var out []string
	for _, t := range targets {
		out = append(out, t.Name)
	}
	return out
}

// isFirst reports whether a file is missing for something that was sent.
func (r *recordings) isFirst(t *taken) bool {
	return slices.ContainsFunc(t.all, func(one *pipeline.Recording) bool {
		_, err := fs.Stat(r.fsys, one.Path)
		return one.Text != "" && errors.Is(err, fs.ErrNotExist)
	})
}

// answers reads the file with the answers for a program: one that the command line names
// is anywhere, one that the manifest names is in its project.
func (r *recordings) answers(name string) ([]language.Answer, error) {
	if name == "" {
		return nil, nil
	}
	read := func() ([]byte, error) { return load.ReadSome(r.fsys, path.Clean(filepath.ToSlash(name))) }
	p := r.project
	if p == nil {
		p = &project{dir: r.dir, fsys: r.fsys}
		read = func() ([]byte, error) {
			if filepath.IsAbs(name) {
				return os.ReadFile(name)
			}
			return os.ReadFile(filepath.Join(r.dir, name))
		}
	}
	data, err := read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("no file %q with answers", name)
	}
	if err != nil {
		return nil, failed(err)
	}
	answers, found := pipeline.Answers(name, data)
	if len(found) == 0 {
		return answers, nil
	}
	return answers, r.con.tell(r.c, p, found)
}

// once runs a program once.
func (r *recordings) once(ctx context.Context, p *pipeline.Program, answers []language.Answer) (out *taken, err error) {
	out = &taken{program: p, changes: map[string]differences{}}
	if out.rec, err = record.Listen(answers, record.Usual()); err != nil {
		return nil, err
	}
	temp, err := record.Folder(r.c.Bool("clean-home"))
	if err != nil {
		return nil, errors.Join(err, out.rec.Close())
	}
	defer func() {
		if left := temp.Remove(); left != nil {
			err = errors.Join(err, r.con.note("%s could not be removed", temp.Path))
		}
	}()
	said := &record.Tail{}
	var printed io.Writer = said
	var in io.Reader
	if r.project == nil {
		printed = io.MultiWriter(said, r.con.Stderr)
		in = r.input()
	}
	err = out.rec.While(func() (err error) {
		out.ended, err = out.rec.Run(ctx, record.Command{
			Args: p.Args, Dir: r.dir, Env: temp.Environment(os.Environ()), Own: p.Env, In: in, Out: printed, Within: r.c.Duration("timeout"),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	out.said = said.Text()
	settle := pipeline.Settle(r.places(out.rec, temp)...)
	if r.project == nil {
		out.all = pipeline.RecordLabels(out.rec.Sent(), r.file, settle)
	} else {
		out.all, out.strange = p.Record(out.rec.Sent(), settle)
	}
	return out, nil
}

// input is what a command reads: not a terminal, and in the second run the same as in the
// first.
func (r *recordings) input() io.Reader {
	if f, isFile := r.con.Stdin.(*os.File); r.con.Stdin == nil || isFile && isTerminal(f) {
		return nil
	}
	if r.read == nil {
		r.read = &heardInput{from: r.con.Stdin}
		return r.read
	}
	return r.read.again()
}

// heardInput keeps what is read from a stream.
type heardInput struct {
	from io.Reader

	mu   sync.Mutex
	text []byte
}

// Read implements [io.Reader].
func (h *heardInput) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:n]...)
	return n, err
}

// again gives what was read.
func (h *heardInput) again() io.Reader {
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.NewReader(slices.Clone(h.text))
}

// places are the folders that differ from machine to machine, and from run to run, each as
// it is called and as its links lead.
func (r *recordings) places(rec *record.Recorder, temp record.Temporary) []pipeline.Place {
	out := []pipeline.Place{{Path: rec.URL(), Name: "[PROMPTC_URL]", Anywhere: true}, {Path: filepath.Base(temp.Path), Name: "[TMP]", Anywhere: true}}
	for _, p := range []pipeline.Place{
		{Path: temp.Path, Name: "[TMP]"}, {Path: r.dir, Name: "[CWD]"}, {Path: cmp.Or(temp.Home, r.con.Getenv("HOME"), r.con.Getenv("USERPROFILE")), Name: "[HOME]"},
	} {
		if p.Path == "" {
			continue
		}
		p.Path = filepath.Clean(p.Path)
		out = append(out, p)
		if to, err := filepath.EvalSymlinks(p.Path); err == nil && to != p.Path {
			out = append(out, pipeline.Place{Path: to, Name: p.Name})
		}
	}
	return out
}

// after gives the files as they are with what was recorded.
func (r *recordings) after(all []*pipeline.Recording) fs.FS {
	files := map[string][]byte{}
	for _, one := range all {
		if one.Text != "" {
			files[one.Path] = []byte(one.Text)
		}
	}
	return load.Over(r.fsys, files)
}

// written compiles what was recorded, to say how large it is. Without a manifest, that is
// one which is proposed for it.
func (r *recordings) compiled(ctx context.Context, all []*pipeline.Recording) (*project, *prompt.Result, error) {
	p := &project{dir: r.dir, name: "prompts.yaml", fsys: r.after(all)}
	if r.project != nil {
		p.name = r.project.name
	} else {
		var files []pipeline.RenderedFile
		for _, one := range all {
			files = append(files, pipeline.RenderedFile{Path: one.Path, Data: []byte(one.Text)})
		}
		slices.SortFunc(files, func(a, b pipeline.RenderedFile) int { return strings.Compare(a.Path, b.Path) })
		made, err := pipeline.Propose(ctx, nil, []string{r.pattern(all)}, files, nil, p.fsys)
		if none, ok := errors.AsType[*pipeline.NoText](err); ok {
			for _, d := range none.Left { // such as a key in what is sent
				if err := r.con.note("promptc init --rendered leaves %s out: %s", all[0].Path, words.Text(d.What)); err != nil {
					return p, nil, err
				}
			}
			return p, nil, nil
		}
		if err != nil {
			return p, nil, err
		}
		p.text = []byte(made.Manifest)
	}
	wanted := p.request(pipeline.Composed)
	wanted.Past = r.c.Args().Present() // then others may not be recorded yet
	out, err := pipeline.Compile(ctx, wanted)
	return p, out, err
}

// pattern gives the pattern of the files that a command wrote.
func (r *recordings) pattern(all []*pipeline.Recording) string {
	if len(all) == 1 && all[0].Path == r.file("") {
		return all[0].Path
	}
	return path.Join(recordedFolder, r.name) + "/*.json"
}

// repeatedArguments gives the arguments as a shell takes them.
func repeatedArguments(c *cli.Context) string {
	var out []string
	for _, a := range c.Args().Slice() {
		out = append(out, shellWord(a))
	}
	return strings.Join(out, " ")
}

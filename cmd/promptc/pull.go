package main

import (
	"context"
	"maps"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/lock"
	"github.com/promptc-build/promptc/pipeline/world/live"
)

func pullCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "pull",
		Usage:     "save the tools, prompts and instructions that MCP servers offer",
		UsageText: "promptc pull [OPTIONS] [SERVER...]",
		Description: "Starts or calls each server, lists what it offers and writes it below " + language.PulledFolder + "/SERVER, one\n" +
			"file for each tool, prompt and template of resources, with a lock beside them. It says what\n" +
			"changed, and which variants that reaches, before it writes. If one server fails, nothing is\n" +
			"written.\n\n" +
			"Servers are those under servers: in the manifest and in the nearest " + load.ServersFile + ", here or above\n" +
			"in the repository. Without arguments: those that a source pulls from or that something\n" +
			"was pulled from before.\n\n" +
			"pull runs what these files say, as you. Run it only on files that you trust.",
		Flags: append(locationFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "say what changed and write nothing"},
			&cli.IntFlag{Name: "only", Usage: "print change `K` alone, with all of its lines; only with --dry-run"}),
		Action: func(c *cli.Context) error {
			if c.IsSet("only") && !c.Bool("dry-run") {
				return usage("--only needs --dry-run").withHint("run: promptc pull --dry-run --only %d", c.Int("only"))
			}
			p, err := con.asking(c, askedAlone, "promptc pull")
			if err != nil {
				return err
			}
			return con.pull(c, p)
		},
	}
}

// askedAlone is why servers are not asked for a workspace.
const askedAlone = "servers are asked for one project"

// asking opens the project whose servers are asked, or whose programs are run. Those of a
// workspace have their turn project by project: one that fails must not keep the others
// from being written.
func (con Console) asking(c *cli.Context, why, command string) (*project, error) {
	w, err := con.openWorkspace(c)
	if err != nil {
		return nil, err
	}
	if w != nil {
		return nil, w.refused(why, command)
	}
	return con.open(c)
}

func (con Console) pull(c *cli.Context, p *project) error {
	files, err := con.ask(c, p)
	if err != nil {
		return err
	}
	// What is compared with the disk has to be what is replaced there.
	release, err := lock.Take(c.Context, p.dir, p.name, con.waits)
	if err != nil {
		return failed(err)
	}
	defer release()
	delta, err := con.offered(c, p, files)
	if err != nil {
		return err
	}
	if c.Bool("dry-run") || !delta.Drifted() {
		return nil
	}
	return holding(func() error { return pipeline.CommitPulled(p.dir, delta) })
}

// checkLive compares what servers offer with what was pulled from them.
func (con Console) checkLive(c *cli.Context) error {
	for _, other := range []string{"staged", "strict", "format"} {
		if c.IsSet(other) {
			return usage("--live and --%s exclude one another", other).withHint("--live compares servers with what was pulled, and nothing else")
		}
	}
	p, err := con.asking(c, askedAlone, "promptc check --live")
	if err != nil {
		return err
	}
	files, err := con.ask(c, p)
	if err != nil {
		return err
	}
	delta, err := con.offered(c, p, files)
	if err != nil {
		return err
	}
	if !delta.Drifted() {
		return nil
	}
	return &status{
		code: exitFindings, message: "servers offer something else than what was pulled",
		hint: "run: " + repeated(c, "promptc pull", "live") + " (then review what changed, and run " + buildLine(c) + ")",
	}
}

// serverList has the servers that a project names, and the sources that pull from one.
type serverList struct {
	servers []*language.Server
	sources []*language.Source
	// folder holds the ServersFile, from the manifest's folder on.
	folder string
	found  diag.List
}

// serversOf reads the manifest and the ServersFile of a project.
func serversOf(p *project) (d serverList, err error) {
	var file *ground.Node
	d.folder, file, d.found, err = load.Servers(p.dir)
	if err != nil || d.found.HasErrors() {
		return d, err
	}
	var more diag.List
	d.servers, d.sources, more, err = pipeline.Servers(p.fsys, p.name, file)
	d.found = slices.Concat(d.found, more)
	return d, err
}

func (d serverList) names() []string {
	var out []string
	for _, s := range d.servers {
		out = append(out, s.Name.Str)
	}
	return out
}

// servers gives the entries of the servers that are asked, and the folder that
// those of the ServersFile start in, from the manifest's folder on.
func (con Console) servers(c *cli.Context, p *project) ([]*language.Server, string, error) {
	d, err := serversOf(p)
	if err != nil {
		return nil, "", failed(err)
	}
	if err := con.tell(c, p, d.found); err != nil {
		return nil, "", err
	}
	wanted := c.Args().Slice()
	if len(wanted) == 0 {
		if wanted, err = pipeline.PulledBefore(p.fsys); err != nil {
			return nil, "", failed(err)
		}
		for _, s := range d.sources {
			wanted = append(wanted, s.Pull.Str)
		}
	}
	slices.Sort(wanted)
	var out []*language.Server
	names := d.names()
	for _, name := range slices.Compact(wanted) {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, "", unknownServer(name, names)
		}
		out = append(out, d.servers[i])
	}
	if len(out) == 0 {
		out := usage("no source pulls from a server, and none is named")
		if len(names) == 0 {
			return nil, "", out.withHint("declare one under servers: in the manifest, or in %s", load.ServersFile)
		}
		return nil, "", out.withHint("run: promptc pull %s", strings.Join(names, " "))
	}
	return out, d.folder, nil
}

func unknownServer(name string, names []string) error {
	err := usage("no server is called %q", name)
	if len(names) == 0 {
		return err.withHint("declare it under servers: in the manifest, or in %s", load.ServersFile)
	}
	return err.nearest(name, names, "servers: %s", strings.Join(names, ", "))
}

// tell prints findings about the entries or the answers of servers; errors among
// them end the run.
func (con Console) tell(c *cli.Context, p *project, found diag.List) error {
	if len(found) == 0 {
		return nil
	}
	r := &prompt.Result{Findings: found, Stopped: found.HasErrors()}
	if r.Stopped {
		return con.refuse(c, p, r)
	}
	return failed(finding.Text(con.Stderr, found, con.reportOptions(c, p, r, con.ErrTerminal)))
}

// ask asks the servers of a project one after another, and gives the files that are made of their
// answers. What a signal interrupts leaves no server running.
func (con Console) ask(c *cli.Context, p *project) (map[string]map[string]string, error) {
	entries, folder, err := con.servers(c, p)
	if err != nil {
		return nil, err
	}
	asked := asksToEnd()
	defer signal.Stop(asked)
	ctx, stop := untilAsked(c.Context)
	defer stop()
	out := map[string]map[string]string{}
	for _, entry := range entries {
		if con.ErrTerminal {
			if err := con.note("asking %s", entry.Name.Str); err != nil {
				return nil, err
			}
		}
		server, err := live.Expand(entry, con.Getenv)
		if err != nil {
			return nil, failed(err)
		}
		server.Dir, server.Version = p.dir, version()
		if entry.Name.At.File.Path != p.name {
			server.Dir = filepath.Join(p.dir, filepath.FromSlash(folder))
		}
		answer, err := live.Ask(ctx, server, live.Default())
		if ctx.Err() != nil {
			return nil, &status{code: stoppedBy(<-asked), message: "stopped: nothing was written"}
		}
		if err != nil {
			return nil, failed(err)
		}
		files, found, err := pipeline.PulledFiles(pipeline.Offer{
			Entry: entry, Dir: server.Dir, Protocol: answer.Protocol, Hello: answer.Hello,
			Tools: answer.Tools, Prompts: answer.Prompts, Resources: answer.Resources,
		})
		if err != nil {
			return nil, failed(err)
		}
		if err := con.tell(c, p, found); err != nil {
			return nil, &status{code: exitFailed, message: "the answer of the server " + entry.Name.Str + " cannot be read"}
		}
		out[entry.Name.Str] = files
	}
	return out, nil
}

// untilAsked gives a context that ends with the first signal that asks the program to
// end.
func untilAsked(ctx context.Context) (context.Context, context.CancelFunc) {
	if len(heard()) == 0 { // none would mean any
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, heard()...)
}

// offered compares what servers offer with what is on disk, and prints what
// changed: the files, and what of it variants send.
func (con Console) offered(c *cli.Context, p *project, files map[string]map[string]string) (*store.Delta, error) {
	delta, after, err := pipeline.Pulled(p.fsys, files)
	if err != nil {
		return nil, failed(err)
	}
	was := p.request(pipeline.Composed)
	is := was
	was.Name, is.Name, is.Files = "what was pulled", "what servers offer", after
	made, err := pipeline.Review(c.Context, was, is, pipeline.Policy{})
	if err != nil {
		return nil, failed(err)
	}
	d, compared := made.Difference, delta.Drifted() && made.Difference != nil
	if !compared {
		d = &review.Difference{Base: made.Base, Head: made.Head}
	}
	opt := con.reportOptions(c, p, made.Head.Result, con.Terminal)
	opt.Only = c.Int("only")
	if err := onlyOf(c, d); err != nil {
		return nil, err
	}
	switch {
	case c.Command.Name == "check":
		opt.Command = repeated(c, "promptc pull --dry-run", "live")
	case c.Bool("dry-run"):
		opt.Command = repeated(c, "promptc pull")
	default: // what was there is gone afterwards, but for git
		top, err := load.Repository(p.dir)
		if err != nil {
			return nil, failed(err)
		}
		opt.Whole = top == ""
	}
	if opt.Only == 0 {
		if err := run.Pulled(con.Stdout, slices.Sorted(maps.Keys(files)), delta, places(d), opt); err != nil {
			return nil, failed(err)
		}
		if compared {
			if err := con.write("\n"); err != nil {
				return nil, err
			}
		}
	}
	if !compared {
		return delta, nil
	}
	return delta, failed(change.Text(con.Stdout, d, made.Findings, change.Judge(d, made.Findings, nil), opt))
}

// places gives the files that the edits of a difference are in.
func places(d *review.Difference) map[string]bool {
	out := map[string]bool{}
	for _, e := range d.Edits {
		for _, at := range append(slices.Clip(e.Also), e.At) {
			if at.Known() {
				out[at.File.Path] = true
			}
		}
	}
	return out
}

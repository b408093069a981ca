package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/lock"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

func buildCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "compile, write snapshots and artifacts, say what changed",
		UsageText: "promptc build [OPTIONS]",
		Description: "Compiles every variant and brings snapshots/ and, where the manifest asks for them,\n" +
			"the artifacts up to date. If a variant is over budget, build still writes everything and\n" +
			"exits 1. With an error in the manifest or a source, sources that git has and that are not\n" +
			"checked out, or a folder of artifacts that no build wrote, it writes nothing. A build waits up\n" +
			"to 10 s for another one in the same folder. Once it writes, it finishes before a signal ends it.",
		Flags: append(append(locationFlags(), workspaceFlags()...), formatFlag(run.FormatNames()...), strictFlag(),
			&cli.BoolFlag{Name: "frozen", Usage: "write artifacts only, and fail when the snapshots are out of date"}),
		Action: func(c *cli.Context) error { return build(c, con) },
	}
}

func build(c *cli.Context, con Console) (err error) {
	w, format, err := con.several(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, failed(w.close())) }()
	results, did, err := con.built(c, w)
	if err != nil {
		return err
	}
	for i, r := range results {
		if writable(r, c.Bool("frozen")) == 0 {
			if err := con.explainDrift(c, &w.projects[i].project, r); err != nil {
				return err
			}
		}
	}
	return con.reportAll(c, w, results, did, format)
}

// built compiles all projects, and then writes what they want.
func (con Console) built(c *cli.Context, w *workspace) (results []*prompt.Result, did run.Outcome, err error) {
	did.Command = "build"
	// What is compared with the disk has to be what is replaced there.
	for _, m := range w.projects {
		release, err := lock.Take(c.Context, m.dir, m.name, con.waits)
		if err != nil {
			return nil, did, failed(err)
		}
		defer release()
	}
	results, err = con.every(w, func(_ Console, m *member) (*prompt.Result, error) {
		return pipeline.Compile(c.Context, m.request(pipeline.Built))
	})
	if err != nil {
		return nil, did, err
	}
	for i, r := range results {
		if err := con.wholeSources(c.Context, &w.projects[i].project, r); err != nil {
			return nil, did, err
		}
	}
	left, emitted := false, []*store.Emitted{}
	for i, r := range results {
		parts := writable(r, c.Bool("frozen"))
		if parts == 0 {
			left = left || r.Delta != nil
			continue
		}
		if err := commit(&w.projects[i].project, r, parts); err != nil {
			return nil, did, err
		}
		did.Snapshots = did.Snapshots || parts&snapshot.Snapshots != 0
		emitted = append(emitted, r.Delta.Emitted()...)
	}
	if did.Artifacts = !left && len(emitted) > 0; !did.Artifacts {
		for _, e := range emitted {
			e.Changes = nil // these are written, and are no difference to report
		}
	}
	return results, did, nil
}

// waits says that a build waits for another one.
func (con Console) waits() error {
	if con.See != nil {
		return nil // to wait is no result, and the build is a change itself
	}
	return con.note("waiting for another promptc build in this folder")
}

// writable gives what a build may write. Frozen artifacts are written only
// when the snapshots and the code that were reviewed are those of the same sources.
func writable(r *prompt.Result, frozen bool) snapshot.Parts {
	switch {
	case r.Delta == nil || frozen && (r.Delta.Drifted() || r.Delta.CodeDrifted()):
		return 0
	case frozen:
		return snapshot.Artifacts
	default:
		return snapshot.Snapshots | snapshot.Artifacts
	}
}

// held are the signals that ask a program to end. Ctrl+C and the closing of a
// console on Windows are among them.
func held() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// commit writes what a build wants.
func commit(p *project, r *prompt.Result, parts snapshot.Parts) error {
	return holding(func() error { return pipeline.Commit(p.dir, r, parts) })
}

// holding writes, and holds back what asks it to end until every file is whole.
func holding(write func() error) error {
	asked := asksToEnd()
	defer signal.Stop(asked)
	if err := write(); err != nil {
		return failed(err)
	}
	select {
	case s := <-asked:
		return &status{code: stoppedBy(s)}
	default:
		return nil
	}
}

// asksToEnd gives a channel with the first signal that asks the program to end.
func asksToEnd() chan os.Signal {
	asked := make(chan os.Signal, 1)
	for _, s := range heard() {
		signal.Notify(asked, s)
	}
	return asked
}

// heard are those of held that nobody asked to ignore, as nohup does.
func heard() []os.Signal { return slices.DeleteFunc(held(), signal.Ignored) }

// stoppedBy gives the exit status of a program that a signal ended, as shells
// give it.
func stoppedBy(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return exitStopped + int(n)
	}
	return exitStopped + int(syscall.SIGINT)
}

// report prints what build or check found, in the chosen format, and turns
// the verdict into an exit status.
func (con Console) report(c *cli.Context, p *project, r *prompt.Result, did run.Outcome, format string) error {
	opt := con.reportOptions(c, p, r, con.Terminal)
	write := con.reportText
	if f, ok := run.LookupFormat(format); ok && f.Write != nil {
		write = f.Write
		if f.Repository {
			opt.Base = p.inRepository()
		}
	}
	if err := write(con.Stdout, r, did, opt); err != nil {
		return failed(err)
	}
	if run.Judge(r, did, opt) != finding.Clean {
		return &status{code: exitFindings, stopped: r.Stopped}
	}
	return nil
}

// reportText sends what was found to one stream and what came of it to the
// other.
func (con Console) reportText(stdout io.Writer, r *prompt.Result, did run.Outcome, opt words.Options) error {
	toErr := opt
	toErr.Color = con.colour(con.ErrTerminal)
	if err := finding.Text(con.Stderr, r.Findings, toErr); err != nil {
		return err
	}
	switch {
	case r.Stopped:
	case did.Command == "check" || !did.Snapshots && r.Delta != nil && (r.Delta.Drifted() || r.Delta.CodeDrifted()):
		if err := run.Check(stdout, r, opt); err != nil {
			return err
		}
	default:
		if err := run.Build(stdout, r, did, opt); err != nil {
			return err
		}
	}
	return run.Summary(con.Stderr, r, did, toErr)
}

func checkCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "say whether the snapshots are current; write nothing",
		UsageText: "promptc check [OPTIONS]\npromptc check --live [SERVER...]",
		Description: "Compiles in memory and compares with snapshots/ (and with the artifacts, where their\n" +
			"folder exists). A difference, a missing or an extra file, an error or a budget that is\n" +
			"exceeded gives exit status 1. For CI and for a pre-commit hook.\n\n" +
			"In a git repository a difference is compared with HEAD, to say whether sources changed,\n" +
			"a snapshot was edited, or another version of promptc wrote it. Sources and snapshots that\n" +
			"git does not have are warnings.\n\n" +
			"With --staged, manifest, sources and snapshots are those of git's index: what the next\n" +
			"commit would hold, whatever the working tree says. A difference is compared with the working\n" +
			"tree, to say what was not staged. Artifacts are not looked at.\n\n" +
			"With --live, MCP servers are asked as promptc pull asks them, all or those that arguments\n" +
			"name, and nothing else is compared:\n" +
			"exit status 0 means that they offer what was pulled, 1 that they do not, 3 that one did not\n" +
			"answer. It runs what the project names: never use it on pull requests of strangers.",
		Flags: append(append(locationFlags(), workspaceFlags()...), formatFlag(run.FormatNames()...), strictFlag(),
			stagedFlag("check what is staged for the next commit, not the working tree"),
			&cli.BoolFlag{Name: "live", Usage: "instead, ask MCP servers whether they offer what was pulled from them"}),
		Action: func(c *cli.Context) error { return check(c, con) },
	}
}

func check(c *cli.Context, con Console) error {
	if c.Bool("live") {
		return con.checkLive(c)
	}
	w, format, err := con.several(c)
	if err != nil {
		return err
	}
	return con.compare(c, w, format)
}

// compare checks the projects that a command works on.
func (con Console) compare(c *cli.Context, w *workspace, format string) (err error) {
	defer func() { err = errors.Join(err, failed(w.close())) }()
	var tracked git.Listing
	if !w.alone {
		if tracked, err = w.tracked(c.Context); err != nil {
			return err
		}
	}
	results, err := con.every(w, func(con Console, m *member) (*prompt.Result, error) {
		m.tracked = tracked
		return con.examined(c, &m.project)
	})
	if err != nil {
		return err
	}
	return con.reportAll(c, w, results, run.Outcome{Command: "check"}, format)
}

// examined compares a project with what is on disk or in the index, and finds out why
// that differs.
func (con Console) examined(c *cli.Context, p *project) (*prompt.Result, error) {
	p.look = con.untracked(c.Context, p)
	r, err := con.settled(c.Context, p)
	if err != nil {
		return nil, err
	}
	if err := con.unread(p, r, headName(p)); err != nil {
		return nil, err
	}
	return r, con.explainDrift(c, p, r)
}

// settled compares a project with the files on disk. A difference that it finds
// while a build replaces files is compared again after that build.
func (con Console) settled(ctx context.Context, p *project) (*prompt.Result, error) {
	if p.tree != nil {
		r, err := p.compared(ctx)
		return r, failed(err)
	}
	before, err := lock.Held(p.dir, p.name)
	if err != nil {
		return nil, failed(err)
	}
	r, err := p.compared(ctx)
	if err == nil && (r.Stopped || r.Delta != nil && !r.Delta.Drifted() && !r.Delta.Differs()) {
		return r, nil
	}
	after, waitErr := lock.Await(ctx, p.dir, p.name, con.waits)
	if waitErr != nil {
		return nil, failed(waitErr)
	}
	if before || after {
		r, err = p.compared(ctx)
	}
	return r, failed(err)
}

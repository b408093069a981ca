package main

import (
	"io"
	"os"
	"os/signal"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

func buildCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "compile, write snapshots and artifacts, say what changed",
		UsageText: "promptc build [OPTIONS]",
		Description: "Compiles every variant and brings snapshots/ and, where the manifest asks for them,\n" +
			"the artifacts up to date. Over budget writes everything and exits 1; a mistake in the\n" +
			"manifest or a source writes nothing.",
		Flags: append(locationFlags(), formatFlag(report.FormatNames()...), strictFlag(),
			&cli.BoolFlag{Name: "frozen", Usage: "write artifacts only, and fail when the snapshots are out of date"}),
		Action: func(c *cli.Context) error { return build(c, con) },
	}
}

func build(c *cli.Context, con Console) error {
	p, r, format, err := compiled(c, false)
	if err != nil {
		return err
	}
	did := report.Outcome{Command: "build"}
	if parts := writable(r, c.Bool("frozen")); parts != 0 {
		if err := commit(p, r, parts); err != nil {
			return err
		}
		did.Snapshots = parts&snapshot.Snapshots != 0
		did.Artifacts = parts&snapshot.Artifacts != 0 && r.Delta.ArtifactFolder != ""
	}
	return con.report(c, p, r, did, format)
}

// writable gives what a build may write. Frozen artifacts are written only
// when the snapshots that were reviewed are those of the same sources.
func writable(r *prompt.Result, frozen bool) snapshot.Parts {
	switch {
	case r.Delta == nil || frozen && r.Delta.Drifted():
		return 0
	case frozen:
		return snapshot.Artifacts
	default:
		return snapshot.Snapshots | snapshot.Artifacts
	}
}

// commit writes, and holds an interrupt back until every file is whole.
func commit(p *project, r *prompt.Result, parts snapshot.Parts) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	if err := pipeline.Commit(p.dir, r, parts); err != nil {
		return failed(err)
	}
	select {
	case <-interrupts:
		return &status{code: exitStopped}
	default:
		return nil
	}
}

// report prints what build or check found, in the chosen format, and turns
// the verdict into an exit status.
func (con Console) report(c *cli.Context, p *project, r *prompt.Result, did report.Outcome, format string) error {
	opt := con.reportOptions(c, p, r, con.Terminal)
	write := con.reportText
	if f, ok := report.LookupFormat(format); ok && f.Write != nil {
		write = f.Write
		if f.Repository {
			opt.Base = p.inRepository()
		}
	}
	if err := write(con.Stdout, r, did, opt); err != nil {
		return failed(err)
	}
	if report.Judge(r, did, opt) != report.Clean {
		return &status{code: exitFindings}
	}
	return nil
}

// reportText sends what was found to one stream and what came of it to the
// other.
func (con Console) reportText(stdout io.Writer, r *prompt.Result, did report.Outcome, opt report.Options) error {
	toErr := opt
	toErr.Color = con.colour(con.ErrTerminal)
	if err := report.Diagnostics(con.Stderr, r.Findings, toErr); err != nil {
		return err
	}
	switch {
	case r.Stopped:
	case did.Command == "check" || !did.Snapshots && r.Delta != nil && r.Delta.Drifted():
		if err := report.Check(stdout, r, opt); err != nil {
			return err
		}
	default:
		if err := report.Build(stdout, r, did, opt); err != nil {
			return err
		}
	}
	return report.Summary(con.Stderr, r, did, toErr)
}

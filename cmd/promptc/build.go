package main

import (
	"os"
	"os/signal"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

var reportFormats = []string{"text", "json", "github"}

func buildCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "compile, write snapshots and artifacts, say what changed",
		UsageText: "promptc build [OPTIONS]",
		Description: "Compiles every variant and brings snapshots/ and, where the manifest asks for them,\n" +
			"the artifacts up to date. Over budget writes everything and exits 1; a mistake in the\n" +
			"manifest or a source writes nothing.",
		Flags: append(locationFlags(), formatFlag(reportFormats...), strictFlag(),
			&cli.BoolFlag{Name: "frozen", Usage: "write artifacts only, and fail when the snapshots are out of date"}),
		Action: func(c *cli.Context) error { return build(c, con) },
	}
}

func build(c *cli.Context, con Console) error {
	if err := noArguments(c); err != nil {
		return err
	}
	format, err := formatOf(c, reportFormats...)
	if err != nil {
		return err
	}
	p, err := open(c)
	if err != nil {
		return err
	}
	r, err := p.compile()
	if err != nil {
		return err
	}
	did := report.Outcome{Command: "build"}
	frozen := c.Bool("frozen")
	if r.Delta != nil && !r.Stopped {
		drifted := r.Delta.Drifted()
		parts := snapshot.Parts{Snapshots: !frozen, Artifacts: !frozen || !drifted}
		if err := commit(p, r, parts); err != nil {
			return err
		}
		did.Snapshots, did.Artifacts = parts.Snapshots, parts.Artifacts && r.Delta.ArtifactFolder != ""
	}
	if err := con.report(c, p, r, did, format); err != nil {
		return err
	}
	if r.Stopped || counts(r.Findings, c.Bool("strict")) || frozen && r.Delta.Drifted() {
		return &status{code: exitFindings}
	}
	return nil
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

// report prints what build and check found, in the chosen format.
func (con Console) report(c *cli.Context, p *project, r *prompt.Result, did report.Outcome, format string) error {
	switch format {
	case "json":
		return failed(report.JSON(con.Stdout, r, did, con.reportOptions(c, p, r, false)))
	case "github":
		return failed(report.GitHub(con.Stdout, r, did, con.reportOptions(c, p, r, false)))
	}
	opt := con.reportOptions(c, p, r, con.ErrTerminal)
	if err := report.Diagnostics(con.Stderr, r.Findings, opt); err != nil {
		return failed(err)
	}
	out := opt
	out.Color = con.colour(con.Terminal)
	if !r.Stopped {
		print := report.Build
		if did.Command == "check" {
			print = report.Check
		}
		if err := print(con.Stdout, r, did, out); err != nil {
			return failed(err)
		}
	}
	return failed(report.Summary(con.Stderr, r, did, opt))
}

package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/snapshot/lock"
)

func checkCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "say whether the snapshots are current; write nothing",
		UsageText: "promptc check [OPTIONS]",
		Description: "Compiles in memory and compares with snapshots/ (and with the artifacts, where their\n" +
			"folder exists). A difference, a missing or an extra file, an error or a budget that is\n" +
			"exceeded gives exit status 1. For CI and for a pre-commit hook.\n\n" +
			"With --staged, manifest, sources and snapshots are those of git's index: what the next\n" +
			"commit would hold, whatever the working tree says. Artifacts are not looked at.",
		Flags: append(locationFlags(), formatFlag(report.FormatNames()...), strictFlag(),
			stagedFlag("check what is staged for the next commit, not the working tree")),
		Action: func(c *cli.Context) error { return check(c, con) },
	}
}

func check(c *cli.Context, con Console) (err error) {
	p, format, err := opened(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, failed(p.close())) }()
	r, err := con.settled(p)
	if err != nil {
		return err
	}
	if err := con.unread(p, r, headName(p)); err != nil {
		return err
	}
	return con.report(c, p, r, report.Outcome{Command: "check"}, format)
}

// settled compares a project with what is on disk. What differs while a build
// replaces files is compared again when that has ended.
func (con Console) settled(p *project) (*prompt.Result, error) {
	if p.tree != nil {
		r, err := p.compile(true)
		return r, failed(err)
	}
	before, err := lock.Held(p.dir, p.name)
	if err != nil {
		return nil, failed(err)
	}
	r, err := p.compile(true)
	if err == nil && (r.Stopped || r.Delta != nil && !r.Delta.Drifted() && len(r.Delta.Artifacts) == 0) {
		return r, nil
	}
	after, waitErr := lock.Await(p.dir, p.name, con.waits)
	if waitErr != nil {
		return nil, locked(waitErr)
	}
	if before || after {
		r, err = p.compile(true)
	}
	return r, failed(err)
}

package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/report"
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
	p, r, format, err := compiled(c, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, failed(p.close())) }()
	if err := con.unread(p, r, headName(p)); err != nil {
		return err
	}
	return con.report(c, p, r, report.Outcome{Command: "check"}, format)
}

package main

import (
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/report"
)

func explainCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "show where a variant's tokens go, or what a code means",
		UsageText: "promptc explain [OPTIONS] VARIANT|CODE",
		Description: "For a variant: each section's place, source lines and tokens, what was left out and\n" +
			"why, and what is left of the budget; then each tool with who takes its definition: the\n" +
			"Model Context Protocol and each provider. For a code such as PC3002: what the finding\n" +
			"means and what to do about it.",
		Flags: append(locationFlags(), formatFlag(listFormats...),
			&cli.IntFlag{Name: "budget", Usage: "explain what if the variant's budget were `N` tokens"}),
		Action: func(c *cli.Context) error { return explain(c, con) },
	}
}

// findingCode is what a finding's code looks like.
var findingCode = regexp.MustCompile(`^(?i)PC\d+$`)

func explain(c *cli.Context, con Console) error {
	name, err := argument(c, "a variant or a code")
	if err != nil {
		return err
	}
	format, err := formatOf(c, listFormats...)
	if err != nil {
		return err
	}
	if findingCode.MatchString(name) {
		if c.IsSet("budget") {
			return usage("--budget goes with a variant, not with a code")
		}
		return con.explainCode(strings.ToUpper(name), format)
	}
	p, r, a, err := con.artifact(c, name, false)
	if err != nil {
		return err
	}
	with := report.ExplainWith{}
	if c.IsSet("budget") {
		if with.Budget = c.Int("budget"); with.Budget <= 0 {
			return usage("--budget takes a number of tokens above 0")
		}
		a = pipeline.WithBudget(r, a, with.Budget)
	}
	with.Windows = pipeline.Windows(r, a)
	with.Tools = &report.ToolsWith{Count: pipeline.Counters(r.Spec)(a.Variant.Tokenizer).Count, Objections: pipeline.Objections(a)}
	opt := con.reportOptions(c, p, r, con.Terminal)
	if format == "json" {
		return failed(report.ExplainJSON(con.Stdout, r, a, with, opt))
	}
	return failed(report.Explain(con.Stdout, r, a, with, opt))
}

func (con Console) explainCode(code, format string) error {
	e, ok := diag.Lookup(diag.Code(code))
	if !ok {
		var codes []string
		for _, e := range diag.Codes() {
			codes = append(codes, string(e.Code))
		}
		return usage("no finding has the code %s", code).nearest(code, codes, "docs/diagnostics.md lists all")
	}
	if format == "json" {
		return failed(report.ExplainCodeJSON(con.Stdout, e))
	}
	return failed(report.ExplainCode(con.Stdout, e, report.Options{Color: con.colour(con.Terminal)}))
}

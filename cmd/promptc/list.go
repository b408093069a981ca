package main

import (
	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

var listFormats = []string{"text", "json"}

func listCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "print the variants, one id a line",
		UsageText: "promptc list [OPTIONS] [PATTERN...]",
		Description: "Prints every variant, or those that the patterns name: a prompt's id, a name or a\n" +
			"part of one (persona/entry=full), or a set as outlines write it\n" +
			"(modes/mode=developer+planning,tier=1+2).",
		Flags: append(locationFlags(), formatFlag(listFormats...),
			&cli.BoolFlag{Name: "tokens", Usage: "add tokens, characters, budget and share"},
			&cli.IntFlag{Name: "context", Usage: "only the variants made for a context of `N` tokens"}),
		Action: func(c *cli.Context) error { return list(c, con) },
	}
}

func list(c *cli.Context, con Console) error {
	format, err := formatOf(c, listFormats...)
	if err != nil {
		return err
	}
	run := pipeline.AssembleSome
	if format == "text" && !c.Bool("tokens") {
		run = pipeline.NameSome
	}
	p, r, err := con.run(c, run, func(plan *prompt.Plan) ([]*prompt.Variant, error) {
		return selectVariants(plan, c.Args().Slice())
	})
	if err != nil {
		return err
	}
	found := r.Artifacts
	if c.IsSet("context") {
		if found, err = forContext(found, c.Int("context")); err != nil {
			return err
		}
	}
	opt := con.reportOptions(c, p, r, con.Terminal)
	if format == "json" {
		return failed(report.ListJSON(con.Stdout, found))
	}
	return failed(report.List(con.Stdout, r, found, listing(c), opt))
}

// listing says what stands beside the names: nothing, unless sizes were
// asked for.
func listing(c *cli.Context) report.Listing {
	if !c.Bool("tokens") {
		return report.Listing{}
	}
	return report.Listing{Tokens: true, Context: c.Int("context")}
}

// forContext keeps the variants whose axes are made for a context window of
// so many tokens: on every axis with `context`, the first value whose upper
// limit is not exceeded.
func forContext(artifacts []*prompt.Artifact, tokens int) ([]*prompt.Artifact, error) {
	if tokens <= 0 {
		return nil, usage("--context takes a number of tokens above 0")
	}
	declared := false
	var out []*prompt.Artifact
	for _, a := range artifacts {
		fits, has := true, false
		for i, axis := range a.Build.Prompt.Axes {
			if axis.Context == nil {
				continue
			}
			has = true
			fits = fits && a.Variant.Values[i] == valueFor(axis, tokens)
		}
		declared = declared || has
		if has && fits {
			out = append(out, a)
		}
	}
	if !declared {
		return nil, usage("no axis of these prompts declares a context").withHint("an axis says context: [4096, 8192] to give each value's upper limit in tokens")
	}
	if len(out) == 0 {
		return nil, usage("no variant is made for a context of %d tokens", tokens).withHint("the axes' context gives each value's upper limit; a last value without one has none")
	}
	return out, nil
}

// valueFor gives the index of the first value whose limit is not exceeded, or
// -1 where all have a limit and none is large enough.
func valueFor(axis *prompt.Axis, tokens int) int {
	for i, limit := range axis.Context {
		if tokens <= limit {
			return i
		}
	}
	if len(axis.Context) < len(axis.Values) {
		return len(axis.Values) - 1 // the last value has no limit
	}
	return -1
}

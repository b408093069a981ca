package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

// formatFlag chooses who reads the output.
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
func (con Console) reportOptions(c *cli.Context, p *project, r *prompt.Result, terminal bool) report.Options {
	opt := report.Options{Color: con.colour(terminal), Strict: c.Bool("strict"), Base: p.base(), Of: []*prompt.Result{r}}
	if r.Plan != nil && r.Spec != nil {
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
	if err := report.Diagnostics(con.Stderr, r.Findings, opt); err != nil {
		return failed(err)
	}
	if err := report.Summary(con.Stderr, r, report.Outcome{Command: c.Command.Name}, opt); err != nil {
		return failed(err)
	}
	return &status{code: exitFindings}
}

// argument gives the only argument of a command.
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

// noArguments refuses arguments, which would otherwise be ignored.
func noArguments(c *cli.Context) error {
	if c.NArg() > 0 {
		return usage("%s takes no arguments, but got %q", c.Command.Name, c.Args().First()).withHint("promptc help %s", c.Command.Name)
	}
	return nil
}

// write prints a line of result.
func (con Console) write(format string, args ...any) error {
	_, err := fmt.Fprintf(con.Stdout, format, args...)
	return failed(err)
}

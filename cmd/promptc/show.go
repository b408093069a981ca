package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/dialect"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

func showCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print the bytes of one variant",
		UsageText: "promptc show [OPTIONS] VARIANT",
		Description: "Prints exactly what the variant's artifact holds, also when it is over budget.\n" +
			"VARIANT is a name as `promptc list` prints it, axes in any order; a part of a name is\n" +
			"enough where only one variant has it.",
		Flags: append(
			locationFlags(),
			&cli.StringFlag{Name: "dialect", Usage: "print the variant in the request shape `NAME`: " + strings.Join(prompt.DialectNames(), ", ")},
			&cli.StringFlag{Name: "section", Usage: "print the section with this `ID` alone, heading included"},
			&cli.BoolFlag{Name: "example", Usage: "put each slot's example in its place"},
			&cli.BoolFlag{Name: "tools", Usage: "print the native tool schemas that go with the request, as a JSON list"},
		),
		Action: func(c *cli.Context) error { return show(c, con) },
	}
}

func show(c *cli.Context, con Console) error {
	name, err := argument(c, "a variant")
	if err != nil {
		return err
	}
	if c.Bool("tools") && (c.IsSet("section") || c.Bool("example")) {
		return usage("--tools prints schemas; it does not go with --section or --example")
	}
	if err := knownDialect(c); err != nil {
		return err
	}
	p, r, a, err := con.artifact(c, name, c.IsSet("dialect"))
	if err != nil {
		return err
	}
	if c.IsSet("dialect") {
		if a, err = con.converted(c, p, r, a); err != nil {
			return err
		}
	}
	if c.Bool("tools") {
		return con.bytes(dialect.Tools(a.Variant.Dialect, a.Beside))
	}
	if c.Bool("example") {
		a = exampled(a)
	}
	if c.IsSet("section") {
		text, err := sectionText(a, c.String("section"))
		if err != nil {
			return err
		}
		return con.bytes(text)
	}
	text := dialect.Encode(a).Text()
	if text == "" && len(a.Beside) > 0 {
		if _, err := fmt.Fprintf(con.Stderr, "promptc: %q emits no text: its tools go beside it\n  hint: promptc show --tools %s\n", a.Variant.Name, a.Variant.Name); err != nil {
			return failed(err)
		}
	}
	return con.bytes(text)
}

// bytes prints a text as it is, but where it goes to a terminal: that would act
// upon what is hidden in it, so that it is named there.
func (con Console) bytes(text string) error {
	if con.Terminal {
		if tame := report.Tame(text); tame != text {
			text = tame
			if err := con.note("hidden characters are shown by their numbers; what is written to a file or a pipe is exact"); err != nil {
				return err
			}
		}
	}
	return con.write("%s", text)
}

// knownDialect refuses a name that no dialect has.
func knownDialect(c *cli.Context) error {
	name := c.String("dialect")
	if _, ok := prompt.LookupDialect(name); ok || !c.IsSet("dialect") {
		return nil
	}
	known := prompt.DialectNames()
	return usage("no dialect is called %q", name).nearest(name, known, "dialects: %s", strings.Join(known, ", "))
}

// converted gives a variant's artifact in another dialect, and says what that
// cannot carry. What its provider refuses is not printed.
func (con Console) converted(c *cli.Context, p *project, r *prompt.Result, a *prompt.Artifact) (*prompt.Artifact, error) {
	out, found := pipeline.WithDialect(r, a, c.String("dialect"))
	if len(found) == 0 {
		return out, nil
	}
	if out == nil {
		return nil, con.refuse(c, p, &prompt.Result{Spec: r.Spec, Plan: r.Plan, Findings: found, Stopped: true})
	}
	return out, failed(report.Diagnostics(con.Stderr, found, con.reportOptions(c, p, r, con.ErrTerminal)))
}

// sectionText gives what a section says, with a final line break.
func sectionText(a *prompt.Artifact, id string) (string, error) {
	sections := a.Build.Prompt.Sections
	for _, p := range a.Parts {
		if p.Section >= 0 && sections[p.Section].ID.Str == id {
			if p.Text == "" && p.Rendering != nil && cutWhenEmpty(p.Rendering) {
				return "", usage("section %q is not in %s: its slot %q is optional and has no example", id, a.Variant.Name, p.Rendering.Slots[0].Slot.Name.Str).
					withHint("give the slot an example, or leave out --example")
			}
			return p.Text + "\n", nil
		}
	}
	for _, o := range a.Out {
		if sections[o.Section].ID.Str == id {
			why := o.Reason.String()
			if o.Why != "" {
				why += " " + o.Why
			}
			return "", usage("section %q is not in %s: %s", id, a.Variant.Name, why)
		}
	}
	var ids []string
	for _, s := range sections {
		ids = append(ids, s.ID.Str)
	}
	if slices.Contains(ids, id) {
		return "", usage("section %q of %s has no text: its tools go beside it", id, a.Variant.Name).withHint("--tools prints them")
	}
	return "", usage("prompt %q has no section %q", a.Build.Prompt.ID.Str, id).nearest(id, ids, "sections: %s", strings.Join(ids, ", "))
}

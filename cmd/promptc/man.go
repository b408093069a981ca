package main

import (
	"bytes"
	"strings"

	"github.com/urfave/cli/v2"
)

func manCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:        "man",
		Usage:       "print the manual page",
		UsageText:   "promptc man",
		Description: "It says what --help says of all commands. To read it: promptc man | man -l -",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return con.write("%s", manual(c.App))
		},
	}
}

// manual is the page in the language of man(7): the help of the program and of each
// command, as --help prints it.
func manual(app *cli.App) string {
	date, _, _ := strings.Cut(revisionDate(), "T")
	var b strings.Builder
	b.WriteString(strings.TrimSpace(".TH PROMPTC 1 "+date) + "\n.SH NAME\n" + roff(app.Name+" - "+app.Usage))
	b.WriteString(".SH DESCRIPTION\n" + roffHelp(cli.AppHelpTemplate, app))
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range app.VisibleCommands() {
		if cmd.UsageText != "" { // else the library's help command
			b.WriteString(".SS " + roff(cmd.HelpName) + roffHelp(cli.CommandHelpTemplate, cmd))
		}
	}
	return b.String()
}

// roffHelp is a help text whose lines stay as they are.
func roffHelp(template string, of any) string {
	var help bytes.Buffer
	cli.HelpPrinter(&help, template, of)
	var b strings.Builder
	b.WriteString(".nf\n")
	for line := range strings.SplitSeq(strings.TrimSpace(help.String()), "\n") {
		b.WriteString(roff(line))
	}
	return b.String() + ".fi\n"
}

// roff is a line of text that man(7) takes for no instruction. A hyphen stays
// one that can be copied.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(strings.TrimRight(line, " "))
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line + "\n"
}

package main

import (
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

// manual is the page in the language of man(7). What the descriptions lay out
// by hand stays so.
func manual(app *cli.App) string {
	var b strings.Builder
	date, _, _ := strings.Cut(revisionDate(), "T")
	b.WriteString(strings.TrimSpace(".TH PROMPTC 1 "+date) + "\n.SH NAME\n" + roff(app.Name+" - "+app.Usage))
	b.WriteString(".SH SYNOPSIS\n" + roff(app.UsageText))
	b.WriteString(".SH DESCRIPTION\n" + roffLines(app.Description))
	b.WriteString(".SH GLOBAL OPTIONS\n" + roffFlags(app.VisibleFlags()))
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range app.VisibleCommands() {
		if cmd.UsageText == "" {
			continue // the library's help command
		}
		b.WriteString(".SS " + roff(cmd.UsageText) + roffFilled(cmd.Usage))
		if cmd.Description != "" {
			b.WriteString(".PP\n" + roffLines(cmd.Description))
		}
		b.WriteString(roffFlags(cmd.VisibleFlags()))
	}
	return b.String()
}

// roffFlags is a list of options, each in the words of --help.
func roffFlags(flags []cli.Flag) string {
	var b strings.Builder
	for _, f := range flags {
		names, usage, _ := strings.Cut(f.String(), "\t")
		b.WriteString(".TP\n" + roff(names) + roffFilled(usage))
	}
	return b.String()
}

// roffFilled is a text whose lines man breaks by itself. Its language asks for less
// than 80 bytes a line.
func roffFilled(text string) string {
	var b strings.Builder
	for _, line := range broken(text, 72) {
		b.WriteString(roff(line))
	}
	return b.String()
}

// broken breaks a text between words into lines of at most so many bytes.
func broken(text string, most int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) > most:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	return lines
}

func roffLines(text string) string {
	var b strings.Builder
	b.WriteString(".nf\n")
	for line := range strings.SplitSeq(text, "\n") {
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

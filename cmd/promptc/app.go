package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// Exit statuses. They are part of the command line's contract.
const (
	exitClean    = 0 // nothing to say against it
	exitFindings = 1 // errors in the input, drift, or over budget
	exitUsage    = 2 // the command line is wrong; no manifest; unknown variant
	exitFailed   = 3 // the job could not be done: I/O, internal
	// exitStopped is for a signal, whose number is added.
	exitStopped = 128
)

// Console is the world that a run sees.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Terminal and ErrTerminal say whether the streams are shown to a person.
	Terminal, ErrTerminal bool
	// See is told what a run is about to look at: a name in a folder, or with no
	// name all of it. It is nil where nobody watches.
	See func(folder, name string)
	// Commits keeps what was compiled for the runs that follow, nil for one run.
	Commits *Commits
}

// status is an error that carries an exit status. An empty message means
// that everything has been said.
type status struct {
	code    int
	message string
	hint    string
	// stopped says that the input does not compile.
	stopped bool
}

func (s *status) Error() string { return s.message }

func usage(format string, args ...any) *status {
	return &status{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

func (s *status) withHint(format string, args ...any) *status {
	s.hint = fmt.Sprintf(format, args...)
	return s
}

// nearest hints at the candidate that a word may mean; without one, it hints
// what the rest says.
func (s *status) nearest(word string, candidates []string, format string, args ...any) *status {
	if best, ok := suggest.Best(word, candidates); ok {
		return s.withHint("did you mean %q?", best)
	}
	return s.withHint(format, args...)
}

// remembering keeps the first error of a writer: the command line library prints
// its help without looking.
type remembering struct {
	io.Writer
	err error
}

func (w *remembering) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// Run is the whole program as a function: it gives the exit status.
func Run(args []string, con Console) int {
	stdout := &remembering{Writer: con.Stdout}
	con.Stdout = stdout
	err := recovered(func() error {
		if err := enoughFiles(); err != nil {
			return err
		}
		app := newApp(con)
		if last := len(args) - 1; last > 0 && args[last] == completionFlag {
			return app.Run(completions(con, app, args[1:last]))
		}
		return app.Run(arrange(args, app))
	})
	if err == nil {
		err = failed(stdout.err)
	}
	if err == nil {
		return exitClean
	}
	code, err := con.say(err)
	if err != nil {
		return exitFailed
	}
	return code
}

// say prints the error that ended a run, and gives the exit status.
func (con Console) say(err error) (int, error) {
	var st *status
	if !errors.As(err, &st) {
		st = statusOf(exitFailed, err)
	}
	// A message may hold what was typed, or what the system calls a file.
	text := ""
	if st.message != "" {
		text = "promptc: " + st.message + "\n"
	}
	if st.hint != "" {
		text += "  hint: " + st.hint + "\n"
	}
	_, err = io.WriteString(con.Stderr, words.Safe(text))
	return st.code, err
}

// recovered turns a panic, which is a mistake of ours, into an error: an
// uncaught one would exit with the status of a wrong command line.
func recovered(run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = (&status{code: exitFailed, message: fmt.Sprintf("internal error: %v\n%s", p, debug.Stack())}).
				withHint("this is a mistake in promptc; please report it with the lines above")
		}
	}()
	return run()
}

// newApp puts the commands together. This is the table of commands.
func newApp(con Console) *cli.App {
	app := &cli.App{
		Name:                   "promptc",
		Usage:                  "compile prompts, and review what changes in them",
		UsageText:              "promptc COMMAND [OPTIONS] [ARGUMENTS]",
		Description:            "promptc reads prompts.yaml, assembles every prompt variant, checks token budgets\nand writes snapshots that reviews can read.\n\nExit status: 0 clean, 1 findings or drift, 2 usage, 3 could not run.\n\nEvery word, such as variant or rendering, is explained in one sentence here:\nhttps://github.com/promptc-build/promptc/blob/main/docs/concepts.md",
		Writer:                 con.Stdout,
		ErrWriter:              con.Stderr,
		HideVersion:            true,
		EnableBashCompletion:   true,
		Suggest:                true,
		UseShortOptionHandling: false,
		// A pattern may hold commas; what takes a list splits it by itself.
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		Flags:                     append(locationFlags(), &cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version", DisableDefaultText: true}),
		Commands: []*cli.Command{
			buildCommand(con), checkCommand(con), watchCommand(con), diffCommand(con), showCommand(con), listCommand(con),
			explainCommand(con), tokensCommand(con), reportCommand(con), pullCommand(con), recordCommand(con), initCommand(con), schemaCommand(con), versionCommand(con), completionCommand(con),
			manCommand(con),
		},
	}
	app.OnUsageError = func(c *cli.Context, err error, _ bool) error { return usageError(app, c.Command, err) }
	app.CommandNotFound = nil
	app.Before = func(c *cli.Context) error { return helpTopic(app, c.Args().Slice()) }
	app.Action = func(c *cli.Context) error {
		if c.Bool("version") {
			return con.write("promptc %s\n", fullVersion())
		}
		if c.NArg() == 0 {
			return cli.ShowAppHelp(c)
		}
		return unknownCommand(app, c.Args().First())
	}
	for _, cmd := range app.Commands {
		cmd.OnUsageError = app.OnUsageError
		cmd.HideHelpCommand = true
		cmd.Description = describedWithExamples(cmd)
	}
	return app
}

// meant are the commands that other programs have, and what does the same here.
var meant = []struct{ word, runs string }{
	{"lint", "promptc check"},
	{"validate", "promptc check"},
	{"verify", "promptc check"},
	{"test", "promptc check"},
	{"compile", "promptc build"},
	{"generate", "promptc build"},
	{"bind", "promptc build (it writes bindings, too)"},
	{"serve", "promptc watch --report (or promptc report, which writes a file)"},
	{"compare", "promptc diff"},
	{"create", "promptc init"},
	{"new", "promptc init"},
}

// helpTopic refuses `promptc help NAME` if there is no such command: the library would
// guess one, and exit with another status.
func helpTopic(app *cli.App, args []string) error {
	if len(args) < 2 || !isHelp(args[0]) || strings.HasPrefix(args[1], "-") || app.Command(args[1]) != nil {
		return nil
	}
	return unknownCommand(app, args[1])
}

func isHelp(command string) bool { return command == "help" || command == "h" }

func unknownCommand(app *cli.App, name string) error {
	for _, m := range meant {
		if m.word == name {
			return usage("unknown command %q", name).withHint("run: %s", m.runs)
		}
	}
	var names []string
	for _, cmd := range app.Commands {
		names = append(names, cmd.Name)
	}
	return usage("unknown command %q", name).nearest(name, names, "commands: %s", strings.Join(names, ", "))
}

// flagMistake reads what the flag library says of an option, which it has as text
// alone: that it knows none of the name, or that its value is missing.
func flagMistake(err error) (name string, unknown, lacksValue bool) {
	if name, unknown = strings.CutPrefix(err.Error(), "flag provided but not defined: -"); !unknown {
		name, lacksValue = strings.CutPrefix(err.Error(), "flag needs an argument: -")
	}
	return strings.TrimLeft(name, "-"), unknown, lacksValue
}

// usageError words what the flag parser found, in our own way. The command is
// that which it read the options of.
func usageError(app *cli.App, of *cli.Command, err error) error {
	help := "promptc help"
	if of != nil && app.Command(of.Name) != nil {
		help += " " + of.Name
	}
	name, unknown, lacksValue := flagMistake(err)
	switch {
	case lacksValue:
		return usage("the option %s lacks its value", dashed(name)).withHint("%s lists the options", help)
	case !unknown:
		return statusOf(exitUsage, err)
	}
	out := usage("unknown option %s", dashed(name))
	switch {
	case name == "version" || name == "V":
		return out.withHint("run: promptc --version")
	case app.Command(name) != nil:
		return out.withHint("it is a command: promptc %s", name)
	}
	if owners := ownersOf(app, name); len(owners) > 0 {
		return out.withHint("%s belongs to %s", dashed(name), strings.Join(owners, " and "))
	}
	if of != nil {
		if best, ok := suggest.Best(name, flagNames(of.Flags)); ok {
			return out.withHint("did you mean --%s?", best)
		}
	}
	return out.withHint("%s lists the options", help)
}

// dashed gives an option as people write it.
func dashed(name string) string {
	name = strings.TrimLeft(name, "-")
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// ownersOf names the commands that have a flag.
func ownersOf(app *cli.App, name string) []string {
	var out []string
	for _, cmd := range app.Commands {
		if slices.Contains(flagNames(cmd.Flags), name) {
			out = append(out, cmd.Name)
		}
	}
	return out
}

func flagNames(flags []cli.Flag) []string {
	var out []string
	for _, f := range flags {
		out = append(out, f.Names()...)
	}
	return out
}

// flagTable says for every flag of every command whether it takes a value.
func flagTable(app *cli.App) map[string]bool {
	table := map[string]bool{"help": false, "h": false}
	add := func(flags []cli.Flag) {
		for _, f := range flags {
			_, isBool := f.(*cli.BoolFlag)
			for _, name := range f.Names() {
				table[name] = !isBool
			}
		}
	}
	add(app.Flags)
	for _, cmd := range app.Commands {
		add(cmd.Flags)
	}
	return table
}

// arrange puts flags where the parser looks for them: after the command, in
// front of its arguments. The parser would take a flag behind an argument for
// an argument, and one in front of the command for another flag.
func arrange(args []string, app *cli.App) []string {
	table := flagTable(app)
	var flags, rest []string
	for i := 1; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			if slices.Equal(rest, []string{"record"}) { // what follows is a command, and no name of a prompt
				rest = append(rest, arg)
			}
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		flags = append(flags, arg)
		name := strings.TrimLeft(arg, "-")
		if table[name] && !strings.Contains(arg, "=") && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	if len(rest) == 0 {
		return append(args[:1:1], flags...)
	}
	out := append([]string{args[0], rest[0]}, flags...)
	if len(rest) > 1 {
		if !isHelp(rest[0]) {
			out = append(out, "--")
		}
		out = append(out, rest[1:]...)
	}
	return out
}

package main

import (
	"embed"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/schema"
)

// completionFlag is what the scripts put behind the words of a line that is to
// be completed. The command line library then asks for completions, and runs
// nothing.
const completionFlag = "--generate-bash-completion"

// Lines that ask the shell for names of files or folders besides. No candidate
// starts with a colon.
const (
	wantFiles   = ":files"
	wantFolders = ":folders"
)

// shells are those that have a script, which asks the program itself.
var shells = []string{"bash", "zsh", "fish"}

//go:embed completion
var completionScripts embed.FS

func completionCommand(con Console) *cli.Command {
	known := strings.Join(shells, ", ")
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for a shell",
		UsageText: "promptc completion SHELL",
		Description: "Shells: " + known + ". The script completes commands, options, their values, prompts,\n" +
			"variants, codes and files. For bash, put this line into ~/.bashrc, for zsh with zsh in it\n" +
			"into ~/.zshrc, behind compinit:\n\n" +
			"  source <(promptc completion bash)\n\n" +
			"For fish: promptc completion fish > ~/.config/fish/completions/promptc.fish",
		Action: func(c *cli.Context) error {
			name, err := argument(c, "a shell: "+known)
			if err != nil {
				return err
			}
			if !slices.Contains(shells, name) {
				return usage("no completion for %q", name).withHint("shells: %s", known)
			}
			script, err := completionScripts.ReadFile("completion/promptc." + name)
			if err != nil {
				return failed(err)
			}
			return con.write("%s", script)
		},
	}
}

type commandLine struct {
	app     *cli.App
	context *cli.Context // says where the project is
	name    string       // what stands where a command does, "" for nothing
	command *cli.Command // the one of that name, nil for none
	options map[string]string
	// pending is the option whose value is to be completed, "" for none.
	pending string
	// word is what is typed of the last word; fixed the part of it that stays as
	// it is.
	word, fixed string
	// closed says that a -- went before: what follows is no option.
	closed bool
}

// completions has the library complete a line instead of running it. Of the line,
// it reads only where the project is. The last word is the one at the cursor, which
// may be empty.
func completions(con Console, app *cli.App, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	line := readLine(app, words)
	app.BashComplete = func(c *cli.Context) {
		line.context = c
		seen := map[string]bool{}
		for _, found := range line.candidates() {
			asks := found == wantFiles || found == wantFolders
			if !seen[found] && (asks || strings.HasPrefix(found, line.word)) {
				// An error is kept by the stream, as for the help.
				_ = con.write("%s\n", found)
			}
			seen[found] = true
		}
	}
	args := []string{app.Name}
	for _, f := range locationFlags() {
		name := f.Names()[0]
		value, given := line.options[name]
		if !given {
			continue
		}
		if rest, home := strings.CutPrefix(value, "~/"); home { // shells pass it as it is typed
			value = filepath.Join(con.Getenv("HOME"), rest)
		}
		args = append(args, dashed(name)+"="+value)
	}
	return append(args, completionFlag)
}

func readLine(app *cli.App, words []string) *commandLine {
	line := &commandLine{app: app, options: map[string]string{}}
	takesValue := flagTable(app)
	last := len(words) - 1
	for _, w := range words[:last] {
		switch {
		case line.pending != "":
			line.options[line.pending], line.pending = w, ""
		case line.closed || len(w) < 2 || w[0] != '-':
			if line.name == "" {
				line.name, line.command = w, app.Command(w)
			}
		case w == "--":
			line.closed = true
		default:
			name, value, given := strings.Cut(strings.TrimLeft(w, "-"), "=")
			line.options[name] = value
			if takesValue[name] && !given {
				line.pending = name
			}
		}
	}
	line.word = words[last]
	if option, _, given := strings.Cut(line.word, "="); given && line.pending == "" && !line.closed && strings.HasPrefix(option, "-") {
		line.pending, line.fixed = strings.TrimLeft(option, "-"), option+"="
	}
	return line
}

// candidates are what may stand in place of the word, each with a tab and a
// description behind it where it has one.
func (t *commandLine) candidates() []string {
	var out []string
	switch {
	case t.pending != "":
		out = t.values()
	case !t.closed && strings.HasPrefix(t.word, "-"):
		return t.optionNames()
	case slices.Contains([]string{"", "help", "h"}, t.name):
		return t.commands()
	case t.command != nil:
		return t.arguments()
	}
	for i, c := range out {
		if c != wantFiles && c != wantFolders {
			out[i] = t.fixed + c
		}
	}
	return out
}

func (t *commandLine) commands() []string {
	var out []string
	for _, cmd := range t.app.VisibleCommands() {
		out = append(out, cmd.Name+"\t"+cmd.Usage)
	}
	return out
}

// optionNames are the options that the line does not have yet, and those that
// may be there several times.
func (t *commandLine) optionNames() []string {
	flags := t.app.Flags
	if t.command != nil {
		flags = t.command.Flags
	}
	var out []string
	for _, f := range flags {
		name := f.Names()[0]
		_, again := f.(*cli.StringSliceFlag)
		if _, given := t.options[name]; given && !again {
			continue
		}
		if name == "help" {
			continue
		}
		words := ""
		if f, ok := f.(cli.DocGenerationFlag); ok {
			words = "\t" + strings.ReplaceAll(f.GetUsage(), "`", "")
		}
		out = append(out, dashed(name)+words)
	}
	return append(out, "--help\tshow help")
}

// values are those of the option in front of the cursor.
func (t *commandLine) values() []string {
	switch t.pending {
	case "config", "rendered", "o", "fixtures", "skip":
		return []string{wantFiles}
	case "only":
		if t.command != nil && t.command.Name == "init" {
			return []string{wantFiles}
		}
		return nil
	case "C", "p", "against":
		return []string{wantFolders}
	case "format":
		if t.command == nil {
			return nil
		}
		return slices.Clone(formatsOf(t.command.Name))
	case "dialect":
		return ground.DialectNames()
	case "encoding":
		return append(token.Names(), t.estimators()...)
	case "model":
		return token.Models()
	case "policy":
		if t.command != nil && t.command.Name == "explain" {
			return t.prompts()
		}
		return []string{policyBase, policyHead, wantFiles}
	case "section":
		return t.sections()
	case "fail-on":
		value := strings.TrimPrefix(t.word, t.fixed)
		t.fixed += value[:strings.LastIndex(value, ",")+1]
		var out []string
		for _, word := range change.FailOns() {
			out = append(out, word+"\t"+change.FailOnHelp(word))
		}
		return out
	default: // a number, or a commit
		return nil
	}
}

func formatsOf(command string) []string {
	switch command {
	case "build", "check":
		return run.FormatNames()
	case "diff":
		return change.FormatNames()
	case "list":
		return listingFormats
	default:
		return listFormats
	}
}

func (t *commandLine) arguments() []string {
	switch t.command.Name {
	case "list", "diff":
		return append(t.prompts(), t.variants()...)
	case "show":
		return t.variants()
	case "explain":
		out := t.variants()
		for _, e := range diag.Codes() {
			out = append(out, string(e.Code)+"\t"+e.Level.String()+": "+e.Title)
		}
		return out
	case "tokens":
		return append(append(t.prompts(), t.variants()...), wantFiles)
	case "init":
		return []string{wantFolders}
	case "pull":
		return t.servers()
	case "schema":
		return schema.Names()
	case "completion":
		return slices.Clone(shells)
	default:
		return nil
	}
}

// project compiles the manifest that the line means as far as names need it.
// Without one, there is nothing to offer.
func (t *commandLine) project() *prompt.Result {
	p, err := Console{}.open(t.context)
	if err != nil {
		return &prompt.Result{}
	}
	r, err := pipeline.Compile(t.context.Context, p.request(pipeline.Named))
	if err != nil {
		return &prompt.Result{}
	}
	return r
}

func (t *commandLine) servers() []string {
	p, err := Console{}.open(t.context)
	if err != nil {
		return nil
	}
	d, err := serversOf(p)
	if err != nil {
		return nil
	}
	return d.names()
}

func (t *commandLine) builds() []*assembly.Build {
	if plan := t.project().Plan; plan != nil {
		return plan.Builds
	}
	return nil
}

func (t *commandLine) prompts() []string {
	var out []string
	for _, b := range t.builds() {
		out = append(out, b.Prompt.ID.Str)
	}
	return out
}

func (t *commandLine) variants() []string {
	var out []string
	for _, b := range t.builds() {
		for _, v := range b.Variants {
			out = append(out, v.Name)
		}
	}
	return out
}

func (t *commandLine) sections() []string {
	var out []string
	for _, b := range t.builds() {
		for _, s := range b.Prompt.Sections {
			if !slices.Contains(out, s.ID.Str) {
				out = append(out, s.ID.Str)
			}
		}
	}
	return out
}

func (t *commandLine) estimators() []string {
	r := t.project()
	if r.Spec == nil {
		return nil
	}
	var out []string
	for _, e := range r.Spec.Tokenizers {
		out = append(out, e.Name.Str)
	}
	return out
}

// Package report formats a Result for people and machines.
//
// Every function writes to the io.Writer it is given, in one Write, and
// returns that Write's error. Nothing is read from flags or the environment:
// colour and strictness are Options. The output depends on the
// arguments alone.
//
// Text of sources reaches a terminal only through clean, which makes control
// characters and invisible ones visible. Keys are masked in all
// that is written.
package words

import (
	"cmp"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

//go:generate go run ../../../docs/gen_diagnostics.go ../../../docs/diagnostics.md

// quoteWidth is the number of columns a quoted source line may take: what
// fits a common terminal beside the gutter.
const quoteWidth = 100

// Options say how to print. The zero value is plain text without token
// differences.
type Options struct {
	// Color puts ANSI styles around the parts of a line.
	Color bool
	// Strict says that warnings and notes fail the run.
	Strict bool
	// Base is put before every path of a source or an output: the manifest's
	// folder as the reader sees it (from the working directory in text, from
	// the repository's root in annotations), with slashes. "" for none.
	Base string
	// Tree knows where the files of roots are; nil for no roots.
	Tree *language.Tree
	// Against is the manifest's folder in the base of a difference, as Base is
	// that of the head, where the base is a folder of its own; "." for where the
	// reader is. "" where it is the same folder in another state.
	Against string
	// Ref is put with a colon before every path: what git calls the state that
	// the paths are in, where it is not the tree that the reader has. "" for
	// none.
	Ref string
	// Count gives the tokens of a text. Without it changes are shown without
	// the difference in tokens.
	Count func(string) int
	// Only is the number of the change of a difference that is printed whole, and
	// alone; 0 for all of them.
	Only int
	// Whole prints all changes of a difference whole, where no command could print
	// one again.
	Whole bool
	// Remedy is the command that brings the snapshots up to date; "" for the plain
	// one.
	Remedy string
	// Ignored is the place of the pattern that makes git ignore snapshots, for people;
	// "" for none.
	Ignored string
	// Unstaged are the sources that the index does not have as the working tree has
	// them, where Remedy adds them.
	Unstaged []store.Untracked
	// Command is the command as it was typed, which hints repeat; "" for the
	// plain one.
	Command string
	// Of are runs whose keys are masked in what is printed. What is given a run
	// masks its keys anyway.
	Of []*prompt.Result
}

// Style is how a part of a line looks on a terminal.
type Style int

const (
	Bold Style = iota
	Dim
	Red
	Green
	Yellow
	Cyan
	RedMark   // a part of a line that is red
	GreenMark // a part of a line that is green
	EvenToken // every other token of a text
	OddToken
)

// codes holds the ANSI parameters of each style, in its order.
func (s Style) code() string {
	return [...]string{"1", "2", "1;31", "32", "1;33", "36", "1;31;7", "32;7", "30;46", "30;43"}[s]
}

// Printer collects lines; print sends them off together, so that a reader of a
// pipe never sees half a report because of a slow writer.
type Printer struct {
	strings.Builder
	Opt   Options
	known *secret.Known // what mask masks, nil before the first time
}

func NewPrinter(opt Options) *Printer { return &Printer{Opt: opt} }

// Line appends the parts and a line break, without blanks at its end.
func (p *Printer) Line(parts ...string) {
	p.WriteString(strings.TrimRight(strings.Join(parts, ""), " "))
	p.WriteByte('\n')
}

// Paint puts a style around a text where colour is on.
func (p *Printer) Paint(s Style, text string) string {
	if !p.Opt.Color || text == "" {
		return text
	}
	return "\x1b[" + s.code() + "m" + text + "\x1b[0m"
}

// Path gives a path as the reader is to see it.
func (p *Printer) Path(name string) string { return Clean(p.Opt.Path(name)) }

// Path puts the base before a path, and the ref before that.
func (o Options) Path(name string) string {
	name = o.Tree.Place(name)
	if o.Base != "" {
		name = path.Join(o.Base, name)
	}
	if o.Ref != "" {
		name = o.Ref + ":" + name
	}
	return name
}

// Line gives the path and line of a place, "" for none.
func (o Options) Line(at diag.Span) string {
	if !at.Known() {
		return ""
	}
	return o.Path(at.File.Path) + ":" + strconv.Itoa(at.File.LineAt(at.Start))
}

// OfBase gives the options for what is in the base of a difference.
func (o Options) OfBase() Options {
	if o.Against != "" {
		o.Base = o.Against
	}
	return o
}

// UpToDate says what brings the snapshots up to date: what to do first, and the command.
func (o Options) UpToDate() (first, command string) {
	first, command = "run: ", cmp.Or(Clean(o.Remedy), "promptc build")
	if slices.ContainsFunc(o.Of, func(r *prompt.Result) bool {
		return slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == diag.StaleTexts })
	}) {
		first = wording.Text(diag.Say("render-first")) + first
	}
	if o.Ignored != "" {
		first = wording.Text(diag.Say("take-out-then", o.Ignored)) + first
	}
	return first, command
}

func (o Options) RemedyLine() string {
	first, command := o.UpToDate()
	return first + command
}

// Print sends the page off. The log of a workflow keeps what it says, so no line
// may be a command to the runner.
func (p *Printer) Print(w io.Writer) error { return p.Send(w, Harmless(p.String())) }

// Send writes a text without its keys.
func (p *Printer) Send(w io.Writer, text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(w, p.Mask(text))
	return err
}

// LineOf is the line of a place as the reader is to see it.
func (p *Printer) LineOf(at diag.Span) string { return Clean(p.Opt.Line(at)) }

// ManifestOf gives the manifest of a result, nil where it was never read.
func ManifestOf(r *prompt.Result) *diag.File {
	switch {
	case r.Spec != nil && r.Spec.File != nil:
		return r.Spec.File
	case r.Tree != nil:
		return r.Tree.File
	default:
		return nil
	}
}

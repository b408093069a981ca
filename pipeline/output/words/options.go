// Package words is what all of the wing writes with: the options of a run, a printer for
// lines, tables, spans of Markdown, JSON, quoted source lines, numbers and names.
//
// What writes in this wing takes an io.Writer, writes to it once, and returns the error of
// that Write. Nothing is read from flags or the environment: colour and
// strictness are Options. The output depends on the arguments alone.
//
// Text of sources reaches a terminal only through Clean, which makes control characters and
// invisible ones visible. Keys are masked in all that is written.
package words

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

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

// RemedyLine gives both parts of UpToDate as one line.
func (o Options) RemedyLine() string {
	first, command := o.UpToDate()
	return first + command
}

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

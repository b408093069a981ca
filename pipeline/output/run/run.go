// Package run writes a run of build, check, list or pull: how it ended, the findings, what
// is not what a build writes, what was written. [FactsOf] computes that once; each format
// is a file that lays it out, and a row of [Formats].
package run

import (
	"io"
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Outcome says which command ran and what it wrote.
type Outcome struct {
	// Command is the name as typed: "build" or "check".
	Command string
	// Snapshots and Artifacts, these with the bindings, say that the files were
	// brought up to date.
	Snapshots, Artifacts bool
}

// Format is a way to write a run of build or check.
type Format struct {
	Name string
	// Write writes a run to one stream; nil for text, which has two.
	Write func(io.Writer, *prompt.Result, Outcome, words.Options) error
	// Repository says that paths are from the top of the repository on, since it
	// is read beside that.
	Repository bool
}

// Formats gives all formats of build and check, in the order in which they are
// listed.
func Formats() []Format {
	return []Format{
		{Name: "text"},
		{Name: "json", Write: JSON},
		{Name: "github", Write: GitHub, Repository: true},
		{Name: "sarif", Write: SARIF, Repository: true},
		{Name: "markdown", Write: Markdown, Repository: true},
		{Name: "junit", Write: JUnit, Repository: true},
		{Name: "codequality", Write: CodeQuality, Repository: true},
	}
}

// FormatNames gives the names of the formats, in order.
func FormatNames() []string {
	var out []string
	for _, f := range Formats() {
		out = append(out, f.Name)
	}
	return out
}

// LookupFormat gives the format of a name.
func LookupFormat(name string) (Format, bool) {
	all := Formats()
	if i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name }); i >= 0 {
		return all[i], true
	}
	return Format{}, false
}

// overBudget are the codes that say that something is over its budget.
var overBudget = []diag.Code{diag.OverTokens, diag.OverChars, diag.OverToolTokens, diag.OverSection, diag.OverSticky}

// Judge gives the verdict on a run. Files that the run wrote do not drift.
func Judge(r *prompt.Result, did Outcome, opt words.Options) finding.Verdict {
	other := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool {
		return d.Level == diag.Error && !slices.Contains(overBudget, d.Code)
	})
	switch {
	case r.Stopped:
		return finding.Invalid
	case other:
		return finding.Findings
	case r.Findings.HasErrors():
		return finding.Budget
	case drifts(r.Delta, did):
		return finding.Drift
	case opt.Strict && len(r.Findings) > 0:
		return finding.Findings
	default:
		return finding.Clean
	}
}

func drifts(d *store.Delta, did Outcome) bool {
	if d == nil {
		return false
	}
	return !did.Snapshots && d.Drifted() || !did.Artifacts && len(staleFolders(d)) > 0
}

// staleFolders gives the folders of artifacts and of bindings that differ.
func staleFolders(d *store.Delta) []*store.Emitted {
	return slices.DeleteFunc(d.Emitted(), func(e *store.Emitted) bool { return !e.Stale() })
}

package report

import (
	"io"
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Format is a way to write a run of build or check.
type Format struct {
	Name string
	// Write writes a run to one stream; nil for text, which has two.
	Write func(io.Writer, *prompt.Result, Outcome, Options) error
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

package change

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// Format is a way to write a difference.
type Format struct {
	Name string
	// Write writes it, with findings about it, as it was judged.
	Write func(w io.Writer, d *review.Difference, findings diag.List, judged Verdict, opt words.Options) error
	// Repository says that paths start at the top of the repository, as the programs that
	// show this format expect.
	Repository bool
	// Remarks says that it has the remarks about the comparison as a whole.
	Remarks bool
	// Findings says that it has the findings of sides that do not compile. Other formats
	// leave them to standard error.
	Findings bool
	// Names says that it has names for programs and nothing else. The reason why a
	// difference fails is left to standard error.
	Names bool
}

// Formats gives all formats of a difference, in the order in which they are listed. The
// first is the usual one.
func Formats() []Format {
	return []Format{
		{Name: "text", Write: Text, Remarks: true},
		{Name: "json", Write: JSON, Remarks: true, Findings: true},
		{Name: "markdown", Write: Markdown, Remarks: true, Findings: true, Repository: true},
		{Name: "github", Write: GitHub, Remarks: true, Findings: true, Repository: true},
		{Name: "sarif", Write: SARIF, Findings: true, Repository: true},
		{Name: "affected", Write: affected, Names: true},
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

// FormatOf gives the format of a name, the first for an unknown one.
func FormatOf(name string) Format {
	for _, f := range Formats() {
		if f.Name == name {
			return f
		}
	}
	return Formats()[0]
}

// affected writes the names of the variants of the head that send other bytes than
// before, or a template that includes a changed file, one a line.
func affected(w io.Writer, d *review.Difference, _ diag.List, _ Verdict, _ words.Options) error {
	p := words.NewPrinter(words.Options{})
	for _, pair := range d.Pairs {
		for _, name := range Names(pair.Head, pair.Reached()) {
			p.Line(words.Clean(name))
		}
	}
	return p.Print(w)
}

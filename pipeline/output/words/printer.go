package words

import (
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// Style is how a part of a line looks on a terminal.
type Style int

// The styles.
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

// code gives the ANSI parameters of a style.
func (s Style) code() string {
	return [...]string{"1", "2", "1;31", "32", "1;33", "36", "1;31;7", "32;7", "30;46", "30;43"}[s]
}

// Printer collects lines; Print sends them off together, so that a reader of a
// pipe never sees half a report because of a slow writer.
type Printer struct {
	strings.Builder
	Opt   Options
	known *secret.Known // what Mask masks, nil before the first time
}

// NewPrinter gives an empty printer.
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

// LineOf is the line of a place as the reader is to see it.
func (p *Printer) LineOf(at diag.Span) string { return Clean(p.Opt.Line(at)) }

// Print sends the lines off. The log of a workflow keeps what it says, so no line
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

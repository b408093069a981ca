package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/internal/chars"
)

// Level says how serious a finding is.
type Level int

// The levels, most serious first. Only errors fail a run, unless it is strict.
const (
	Error Level = iota
	Warning
	Note
)

func (l Level) String() string {
	switch l {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Note:
		return "note"
	default:
		return fmt.Sprintf("Level(%d)", int(l))
	}
}

// Code names a finding for ever: PC, then a digit for the stage (1 load,
// 2 validate, 3 resolve, 4 render, 5 compose, 6 lint, 7 snapshot, 8 diff), then three
// digits of its own.
type Code string

// Diagnostic is one finding.
type Diagnostic struct {
	Code    Code
	Level   Level
	Span    Span
	Message string   // one line, lower case, no full stop, names the thing in quotes
	Detail  []string // further facts, a line each; may be empty
	Hint    string   // what to do; may be empty
	// Prompts are the ids of the prompts that it is about, in declared order;
	// nil where it is about the input as such.
	Prompts []string
	// Also are the paths of the other files that it is about; nil for none.
	Also []string
}

// longest is how many characters of a text a finding tells: enough for a name or
// a list of names, and few enough that no finding is a megabyte.
const longest = 200

// New makes a finding of the code's own level. Hidden characters of the
// arguments read `<U+200B>` in it, quoted or not, and of a long text it has the
// start.
func New(code Code, at Span, format string, args ...any) Diagnostic {
	return Diagnostic{Code: code, Level: code.Level(), Span: at, Message: fmt.Sprintf(format, visible(args)...)}
}

// WithHint gives the same finding with a hint, which shows hidden characters as
// the message does.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = fmt.Sprintf(format, visible(args)...)
	return d
}

// WithDetail gives the same finding with more lines of facts, which show hidden
// characters as the message does.
func (d Diagnostic) WithDetail(lines ...string) Diagnostic {
	d.Detail = slices.Clone(d.Detail)
	for _, line := range lines {
		d.Detail = append(d.Detail, chars.Visible(start(line, 10*longest)))
	}
	return d
}

// Quote gives a text in double quotes, as %q does, but for hidden characters,
// which read `<U+200B>`: for what is put into a finding later.
func Quote(s string) string { return strconv.Quote(chars.Visible(s)) }

// start gives at most so many characters of a text.
func start(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for i := range s {
		if most--; most < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// visible gives the arguments of a message with texts as they may be shown.
func visible(args []any) []any {
	out := args
	for i, arg := range args {
		var text string
		switch a := arg.(type) {
		case string:
			text = a
		case error:
			text = a.Error()
		default:
			continue
		}
		seen := chars.Visible(start(text, longest))
		if seen == text {
			continue
		}
		if &out[0] == &args[0] {
			out = slices.Clone(args) // they are the caller's
		}
		out[i] = seen
	}
	return out
}

// List is a sequence of findings. Stages return it sorted (see Sorted).
type List []Diagnostic

// Add appends a finding of the code's own level.
func (l *List) Add(code Code, at Span, format string, args ...any) {
	*l = append(*l, New(code, at, format, args...))
}

// HasErrors reports whether a finding of level Error is among them.
func (l List) HasErrors() bool { return l.Count(Error) > 0 }

// Count gives the number of findings of one level.
func (l List) Count(level Level) int {
	n := 0
	for _, d := range l {
		if d.Level == level {
			n++
		}
	}
	return n
}

// Sorted gives the findings ordered by place, then level, code and message,
// without repetitions: of those that say the same one is left, about the prompts
// of all. Findings without a place come last.
func (l List) Sorted() List {
	all := slices.Clone(l)
	slices.SortStableFunc(all, compare)
	out := all[:0]
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && compare(all[i], all[end]) == 0 {
			end++
		}
		d := all[i]
		d.Prompts = promptsOf(all[i:end])
		out, i = append(out, d), end
	}
	return out
}

// promptsOf gives the prompts that findings which say the same are about; nil
// where one of them is about the input as such.
func promptsOf(same List) []string {
	if len(same) == 1 {
		return same[0].Prompts
	}
	var out []string
	met := map[string]bool{}
	for _, d := range same {
		if d.Prompts == nil {
			return nil
		}
		for _, id := range d.Prompts {
			if !met[id] {
				met[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		boolFirst(a.Span.Known(), b.Span.Known()),
		cmp.Compare(pathOf(a), pathOf(b)),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Level, b.Level),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

func boolFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

func pathOf(d Diagnostic) string {
	if !d.Span.Known() {
		return ""
	}
	return d.Span.File.Path
}

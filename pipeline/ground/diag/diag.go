package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// Words are something to say to people that is not worded yet: the key of a row
// of package wording, and what stands in its gaps. Only that package makes a
// text of them, so that nothing is computed from prose.
type Words struct {
	// Key names the row; "" for a text that is said as it is, the only one of
	// Args.
	Key string
	// Args are texts, numbers, errors of libraries, Names, Variants, Explain, or further Words.
	Args []any
}

// Say gives words by the key of their row.
func Say(key string, args ...any) Words { return Words{key, args} }

// Verbatim gives words that are said as they are: a name, a list of names, what
// a library says.
func Verbatim(text string) Words { return Words{Args: []any{text}} }

// Names are a list of names in a sentence: each is quoted, commas stand between
// them.
type Names []string

// Variants are variants in a sentence: as Described, or, where that is "" or too
// long, the first of Names and how many others there are.
type Variants struct {
	Described string
	// Names are all of them, or the first of many; nil where Described is short.
	Names []string
	Count int
}

// Explain is, in a sentence, the command that explains a variant.
type Explain struct {
	Folder  string // of the variant's project, from where a report is read; "" for its own
	Variant string
}

// None reports whether there is nothing to say.
func (w Words) None() bool { return w.Key == "" && len(w.Args) == 0 }

// Unnamed gives the names of all variants, if the sentence names only a few of them.
func (w Words) Unnamed() []string {
	var out []string
	for _, arg := range w.Args {
		switch a := arg.(type) {
		case Words:
			out = append(out, a.Unnamed()...)
		case Variants:
			if len(a.Names) > MaxVariants {
				out = append(out, a.Names...)
			}
		}
	}
	return out
}

// Has reports whether a text is one of the arguments.
func (w Words) Has(text string) bool {
	return slices.ContainsFunc(w.Args, func(arg any) bool {
		switch a := arg.(type) {
		case string:
			return a == text
		case Names:
			return slices.Contains(a, text)
		case Words:
			return a.Has(text)
		default:
			return false
		}
	})
}

// Compare orders words by their keys and arguments.
func (w Words) Compare(o Words) int {
	return cmp.Or(cmp.Compare(w.Key, o.Key), cmp.Compare(fmt.Sprint(w.Args...), fmt.Sprint(o.Args...)))
}

// Diagnostic is one finding.
type Diagnostic struct {
	Code  Code
	Level Level
	Span  Span
	// What is wrong: worded in one line, lower case, without a full stop.
	What   Words
	Detail []Words // further facts, a line each; may be empty
	Hint   Words   // what to do; may say nothing
	// Variant is the name of the variant that it is about, of several the one that
	// it names; "" where it is about none.
	Variant string
	// Prompts are the ids of the prompts that it is about, in declared order;
	// nil where it is about the input as such.
	Prompts []string
	// Also are the paths of the other files that it is about; nil for none.
	Also []string
}

// New makes a finding of the code's own level.
func New(code Code, at Span, key string, args ...any) Diagnostic {
	return Diagnostic{Code: code, Level: code.Level(), Span: at, What: Say(key, args...)}
}

// WithHint gives the same finding with a hint.
func (d Diagnostic) WithHint(key string, args ...any) Diagnostic {
	d.Hint = Say(key, args...)
	return d
}

// WithDetail gives the same finding with more facts, a line each.
func (d Diagnostic) WithDetail(lines ...Words) Diagnostic {
	d.Detail = append(slices.Clip(d.Detail), lines...)
	return d
}

// Same reports whether two findings say the same of the same place.
func (d Diagnostic) Same(o Diagnostic) bool {
	return d.Code == o.Code && d.Span == o.Span && d.What.Compare(o.What) == 0
}

// List is a sequence of findings. Stages return it sorted (see Sorted).
type List []Diagnostic

// Add appends a finding of the code's own level.
func (l *List) Add(code Code, at Span, key string, args ...any) {
	*l = append(*l, New(code, at, key, args...))
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

// Sorted gives the findings ordered by place, then level, code and words,
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
		a.What.Compare(b.What),
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

// Number writes an amount as messages do: with a comma at every third digit.
// Lines, columns and offsets are no amounts.
func Number(n int) string {
	digits, sign := strconv.Itoa(n), ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// Count is an amount in a message, written with a comma at every third digit.
// Unlike a text it does not tell findings apart that are otherwise equal.
type Count int

func (c Count) String() string { return Number(int(c)) }

// Counted gives words that depend on whether an amount is one. Either row has a
// gap for it.
func Counted(n int, one, many string) Words {
	if n == 1 {
		return Say(one, Count(n))
	}
	return Say(many, Count(n))
}

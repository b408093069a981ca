package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Snapshot is a file with a prompt that another program assembled, or several.
type Snapshot struct {
	Path    string   // relative to the manifest's folder, with slashes
	Entries []string // see [Entries]
}

// Legacy is a prompt that another program assembles: where its texts are, and
// which axes their names tell apart.
type Legacy struct {
	Path, Entry string
	Axes        []Axis
	// Missing are the variants without a text, as values in the order of Axes.
	Missing [][]string
}

// Axis is a part in which names differ.
type Axis struct {
	Name string
	// Values are in the order of the manifest; nil says that they are to be
	// found in the names.
	Values []string
}

// Unfit says why no pattern stands for some names, and what to do.
type Unfit struct{ Fact, Hint string }

func (u *Unfit) Error() string { return u.Fact }

// maxMissing is how many variants without a text are excluded one by one.
const maxMissing = 20

// Derive finds the axes in the names of files and their entries. The error is an
// *Unfit.
func Derive(files []Snapshot) (*Legacy, error) {
	paths := make([]string, len(files))
	var entries []string
	known := map[string]bool{}
	several := false
	for i, f := range files {
		paths[i] = f.Path
		several = several || len(f.Entries) > 1
		for _, e := range f.Entries {
			if !known[e] {
				known[e] = true
				entries = append(entries, e)
			}
		}
	}
	byPath := shapeOf(paths, true)
	if byPath == nil {
		return nil, &Unfit{
			fmt.Sprintf("no pattern stands for %q and %s", paths[0], others(len(paths)-1)),
			"narrow it to files of one folder; the parts in which names differ become axis values: letters, digits, '.', '_' and '-'",
		}
	}
	byEntry := &shape{rows: [][]string{nil}}
	if several {
		for _, f := range files {
			if len(f.Entries) == 0 {
				return nil, &Unfit{fmt.Sprintf("%q has no entries, and other files have several", f.Path), "narrow it to files of one sort"}
			}
		}
		if byEntry = shapeOf(entries, false); byEntry == nil {
			return nil, &Unfit{
				fmt.Sprintf("no pattern stands for the entry %q and %s", entries[0], others(len(entries)-1)),
				"the parts in which names differ become axis values: letters, digits, '.', '_' and '-'",
			}
		}
	}
	out := &Legacy{}
	names := axisNames(byPath, byEntry)
	out.Path = byPath.pattern(names)
	if several {
		out.Entry = byEntry.pattern(names[len(byPath.axes):])
	}
	out.fill(names, byPath, byEntry, rowsOf(files, byPath, byEntry, entries, several))
	return out, nil
}

// others counts what is not named.
func others(n int) string {
	if n == 1 {
		return "1 other"
	}
	return diag.Number(n) + " others"
}

// rowsOf gives the axis values of every text that is there.
func rowsOf(files []Snapshot, byPath, byEntry *shape, entries []string, several bool) [][]string {
	place := map[string]int{}
	for i, e := range entries {
		place[e] = i
	}
	var rows [][]string
	for i, f := range files {
		if !several {
			rows = append(rows, byPath.rows[i])
			continue
		}
		for _, e := range f.Entries {
			rows = append(rows, slices.Concat(byPath.rows[i], byEntry.rows[place[e]]))
		}
	}
	return rows
}

// axisNames gives every axis a name: the key in front of its values, else a
// number.
func axisNames(shapes ...*shape) []string {
	var names []string
	n := 0
	for _, s := range shapes {
		n += len(s.axes)
	}
	for _, s := range shapes {
		for _, key := range s.axes {
			name := key
			switch {
			case key != "" && !slices.Contains(names, key):
			case n == 1:
				name = "name"
			default:
				name = fmt.Sprintf("a%d", len(names)+1)
			}
			names = append(names, name)
		}
	}
	return names
}

// fill lists the values of the axes and what is missing; where much is, or the
// names have no order in them, the values stay to be found.
func (l *Legacy) fill(names []string, byPath, byEntry *shape, rows [][]string) {
	product := 1
	for i, name := range names {
		var values []string
		for _, row := range rows {
			values = append(values, row[i])
		}
		slices.SortFunc(values, byNumber(values))
		values = slices.Compact(values)
		product = min(product*len(values), 1<<30)
		l.Axes = append(l.Axes, Axis{Name: name, Values: values})
	}
	missing := product - len(rows)
	if byPath.auto || byEntry.auto || missing > maxMissing || missing*2 > product {
		for i := range l.Axes {
			l.Axes[i].Values = nil
		}
		return
	}
	there := map[string]bool{}
	for _, row := range rows {
		there[strings.Join(row, "\x00")] = true
	}
	for n := range product {
		if row := l.variant(n, product); !there[strings.Join(row, "\x00")] {
			l.Missing = append(l.Missing, row)
		}
	}
}

// variant gives the values of the n-th variant; the last axis changes first.
func (l *Legacy) variant(n, product int) []string {
	var row []string
	for _, a := range l.Axes {
		product /= len(a.Values)
		row = append(row, a.Values[n/product])
		n %= product
	}
	return row
}

// byNumber orders values by bytes; where all are numbers, by size.
func byNumber(values []string) func(a, b string) int {
	numbers := !slices.ContainsFunc(values, func(s string) bool { return strings.Trim(s, "0123456789") != "" })
	return func(a, b string) int {
		if x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0"); numbers && len(x) != len(y) {
			return len(x) - len(y)
		}
		return strings.Compare(a, b)
	}
}

// manifest writes the manifest of a project that has this prompt.
func (l *Legacy) manifest() string {
	var b strings.Builder
	b.WriteString(strings.NewReplacer("@schema@", SchemaURL, "@manual@", manualURL).Replace(read("rendered.yaml")))
	if l.Entry == "" {
		fmt.Fprintf(&b, "    rendered: %s\n", quote(l.Path))
	} else {
		fmt.Fprintf(&b, "    rendered:\n      path: %s\n      entry: %s\n", quote(l.Path), quote(l.Entry))
	}
	if len(l.Axes) > 0 {
		b.WriteString("    axes:\n")
	}
	for _, a := range l.Axes {
		fmt.Fprintf(&b, "      %s: %s\n", a.Name, a.list())
	}
	if len(l.Missing) > 0 {
		b.WriteString("    exclude: # there is no text for these\n")
	}
	for _, row := range l.Missing {
		var terms []string
		for i, value := range row {
			terms = append(terms, l.Axes[i].Name+": "+scalar(value))
		}
		fmt.Fprintf(&b, "      - {%s}\n", strings.Join(terms, ", "))
	}
	b.WriteString("    # budget: {tokens: 8000, growth: 5%}\n")
	return b.String()
}

// listWidth is where a list of values goes on in the next line.
const listWidth = 110

func (a Axis) list() string {
	if a.Values == nil {
		return "auto"
	}
	var b strings.Builder
	b.WriteString("[")
	width := len(a.Name) + len("      : [")
	for i, value := range a.Values {
		word := scalar(value)
		switch {
		case i == 0:
		case width+len(word)+3 > listWidth:
			b.WriteString(",\n        ")
			width = len("        ")
		default:
			b.WriteString(", ")
			width += 2
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String() + "]"
}

// scalar writes an axis value as YAML: plain, but for what would be none, or the
// word for values that are to be found.
func scalar(value string) string {
	if strings.EqualFold(value, "null") || value == "auto" || !prompt.IsAxisValue(value) {
		return quote(value)
	}
	return value
}

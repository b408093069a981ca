package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Legacy is a prompt that another program assembles: where its texts are, and
// which axes their names tell apart.
type Legacy struct {
	ID          string
	Path, Entry string
	// Tools is the pattern of the files with the tools that go beside the texts,
	// "" for none.
	Tools string
	Axes  []Axis
	// Slugs says that what tells the entries apart are words, of which values
	// are made.
	Slugs bool
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

// maxMissing is how many variants without a text are excluded one by one.
const maxMissing = 20

// names are those of the files of one prompt, and of their entries.
type names struct {
	files   []Snapshot
	paths   []string
	entries []string // each once
	several bool     // entries in a file, so that they are named
	mixed   bool     // files that have some and files that have none
}

func namesOf(files []Snapshot) *names {
	n := &names{files: files}
	known := map[string]bool{}
	none := false
	for _, f := range files {
		n.paths = append(n.paths, f.Path)
		n.several = n.several || len(f.Entries) > 1
		none = none || len(f.Entries) == 0
		for _, e := range f.Entries {
			if !known[e] {
				known[e] = true
				n.entries = append(n.entries, e)
			}
		}
	}
	n.mixed = none && n.several
	return n
}

// derived is a prompt with the values of each text that it takes.
type derived struct {
	legacy *Legacy
	rows   [][]string
	// regular says that its values are listed: its names have an order.
	regular bool
}

// derive finds the axes in the names of files and their entries; nil where no
// pattern stands for all.
func (n *names) derive() *derived {
	if n.mixed {
		return nil
	}
	byPath := shapeOf(n.paths, pathCandidates...)
	byEntry := &shape{rows: [][]string{nil}}
	if n.several && byPath != nil {
		byEntry = shapeOf(n.entries, entryCandidates...)
	}
	if byPath == nil || byEntry == nil {
		return nil
	}
	if byEntry.slugs {
		byEntry.listSlugs()
	}
	out := &Legacy{Slugs: byEntry.slugs}
	axes := axisNames(byPath, byEntry)
	out.Path = byPath.pattern(axes)
	if n.several {
		out.Entry = byEntry.pattern(axes[len(byPath.axes):])
	}
	rows := n.rows(byPath, byEntry)
	out.fill(axes, byPath, byEntry, rows)
	return &derived{out, rows, !byPath.auto && !byEntry.auto && !byEntry.slugs}
}

// rows gives the axis values of every text that is there.
func (n *names) rows(byPath, byEntry *shape) [][]string {
	place := map[string]int{}
	for i, e := range n.entries {
		place[e] = i
	}
	var rows [][]string
	for i, f := range n.files {
		if !n.several {
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
		values := valuesOf(rows, i)
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

// valuesOf gives the values of an axis in their order.
func valuesOf(rows [][]string, axis int) []string {
	var values []string
	for _, row := range rows {
		values = append(values, row[axis])
	}
	slices.SortFunc(values, byNumber(values))
	return slices.Compact(values)
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

// legacies writes the manifest of a project that has these prompts.
func legacies(prompts []*Legacy) string {
	var b strings.Builder
	b.WriteString(strings.NewReplacer("@schema@", SchemaURL, "@manual@", manualURL).Replace(read("rendered.yaml")))
	for i, l := range prompts {
		if i > 0 {
			b.WriteString("\n")
		}
		l.write(&b)
	}
	return b.String()
}

func (l *Legacy) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s:\n", scalar(l.ID))
	if l.Entry == "" {
		fmt.Fprintf(b, "    rendered: %s\n", quote(l.Path))
	} else {
		fmt.Fprintf(b, "    rendered:\n      path: %s\n      entry: %s\n", quote(l.Path), quote(l.Entry))
	}
	if l.Tools != "" {
		fmt.Fprintf(b, "    tools: %s\n", quote(l.Tools))
	}
	if len(l.Axes) > 0 {
		b.WriteString("    axes:\n")
	}
	for i, a := range l.Axes {
		note := ""
		if l.Slugs && i == len(l.Axes)-1 {
			note = " # the words of an entry, with - between"
		}
		fmt.Fprintf(b, "      %s: %s%s\n", a.Name, a.list(), note)
	}
	if len(l.Missing) > 0 {
		b.WriteString("    exclude: # there is no text for these\n")
	}
	for _, row := range l.Missing {
		var terms []string
		for i, value := range row {
			terms = append(terms, l.Axes[i].Name+": "+scalar(value))
		}
		fmt.Fprintf(b, "      - {%s}\n", strings.Join(terms, ", "))
	}
	b.WriteString("    # budget: {tokens: 8000, growth: 5%}\n")
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

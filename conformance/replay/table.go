package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// printTable writes the row of a repository, and what is behind it; and reports
// whether a law is broken.
func printTable(out io.Writer, opt options, rows []row) (broken bool, err error) {
	t := tally(rows)
	took, cpu := t.slowest()
	var b strings.Builder
	fmt.Fprintln(&b, "| repository | manifest | commits | none | refused | failed | measured | hunk/unique p50 | p90 | max | header/unique p50 | not git's p90 | longer | slowest (CPU) | broken laws |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %s | %s | %s | %s | %s | %d | %d ms (%d) | %s |\n",
		opt.name, opt.source(), len(rows), t.none, t.refused, t.failed, len(t.measured),
		t.share(row.hunks, 50), t.share(row.hunks, 90), t.share(row.hunks, 100), t.share(row.headers, 50), t.share(row.beside, 90),
		t.longer(), took.Milliseconds(), cpu.Milliseconds(), t.laws())
	list(&b, opt, t.reasons())
	if opt.worst > 0 {
		t.worst(&b, opt.worst)
	}
	for _, law := range laws() {
		var said []string
		for _, r := range rows {
			for _, v := range r.Violations {
				if v.Law == law {
					said = append(said, fmt.Sprintf("%s breaks %s: %s", r.Commit[:12], v.Law, v.What))
				}
			}
		}
		list(&b, opt, said)
	}
	_, err = io.WriteString(out, b.String())
	return len(t.broken) > 0, err
}

// list writes the first of some lines, and how many there are beside.
func list(b *strings.Builder, opt options, lines []string) {
	most := max(10, opt.worst)
	for _, line := range lines[:min(most, len(lines))] {
		fmt.Fprintln(b, line)
	}
	if left := len(lines) - most; left > 0 {
		fmt.Fprintf(b, "and %d more (-worst lists more, -rows has all)\n", left)
	}
}

// source says where the manifest is from.
func (o options) source() string {
	switch {
	case o.manifest != "":
		return "by hand"
	case o.rendered:
		return "--rendered"
	default:
		return "init at " + o.where
	}
}

// totals are the rows of a repository by what became of them.
type totals struct {
	measured              []row
	none, refused, failed int
	why                   map[string]int
	broken                map[string]int
}

func tally(rows []row) totals {
	t := totals{why: map[string]int{}, broken: map[string]int{}}
	for _, r := range rows {
		switch {
		case r.Refused != "":
			t.refused++
			t.why["refused: "+r.Refused]++
		case r.Unique == 0:
			t.none++
		case r.Failed != "":
			t.failed++
			t.why["failed: "+r.Failed]++
		default:
			t.measured = append(t.measured, r)
		}
		for _, u := range r.Unchecked {
			t.why["laws not checked: "+u]++
		}
		if r.Skipped > 0 {
			t.why["commits with links or submodules, which were left out"]++
		}
		for _, v := range r.Violations {
			t.broken[v.Law]++
		}
	}
	return t
}

func (r row) hunks() float64   { return r.ratio(r.Hunk) }
func (r row) headers() float64 { return r.ratio(r.Header) }

func (r row) beside() float64 { return r.ratio(r.Beside) }

// beyond is by how many lines the text is longer than git's, and ten.
func (r row) beyond() float64 { return float64(r.Lines - r.Git - 10) }

// share gives a percentile of a figure of the rows, by nearest rank.
func (t totals) share(figure func(row) float64, percent int) string {
	if len(t.measured) == 0 {
		return "–"
	}
	var all []float64
	for _, r := range t.measured {
		all = append(all, figure(r))
	}
	slices.Sort(all)
	rank := int(math.Ceil(float64(percent*len(all)) / 100))
	return fmt.Sprintf("%.2f", all[max(rank, 1)-1])
}

func (t totals) longer() int {
	n := 0
	for _, r := range t.measured {
		if r.beyond() > 0 {
			n++
		}
	}
	return n
}

// slowest gives the longest time that a commit took, and the most that it took of
// a processor, which other programs on the machine do not lengthen.
func (t totals) slowest() (took, cpu time.Duration) {
	for _, r := range t.measured {
		took, cpu = max(took, r.Took), max(cpu, r.CPU)
	}
	return took, cpu
}

// laws gives how often each law is broken.
func (t totals) laws() string {
	var out []string
	for _, law := range laws() {
		if n := t.broken[law]; n > 0 {
			out = append(out, fmt.Sprintf("%s %d", law, n))
		}
	}
	if len(out) == 0 {
		return "0"
	}
	return strings.Join(out, ", ")
}

// reasons gives why commits were not measured, or not in all, the most frequent
// first.
func (t totals) reasons() []string {
	type reason struct {
		what string
		n    int
	}
	var all []reason
	for what, n := range t.why {
		all = append(all, reason{what, n})
	}
	slices.SortFunc(all, func(a, b reason) int { return cmp.Or(b.n-a.n, strings.Compare(a.what, b.what)) })
	var out []string
	for _, r := range all {
		out = append(out, fmt.Sprintf("%d × %s", r.n, r.what))
	}
	return out
}

// worst lists the commits that are furthest from what is wanted.
func (t totals) worst(b *strings.Builder, n int) {
	for _, by := range []struct {
		name   string
		figure func(row) float64
	}{{"most hunk lines for each unique one", row.hunks}, {"most header lines for each unique one", row.headers}, {"longest beside git", row.beyond}, {"most lines that git does not have, for each unique one", row.beside}} {
		sorted := slices.Clone(t.measured)
		slices.SortStableFunc(sorted, func(a, b row) int { return cmp.Compare(by.figure(b), by.figure(a)) })
		fmt.Fprintf(b, "%s:\n", by.name)
		for _, r := range sorted[:min(n, len(sorted))] {
			fmt.Fprintf(b, "  %s  unique %d, hunk %d, header %d, lines %d, git %d, not git's %d  %s\n", r.Commit[:12], r.Unique, r.Hunk, r.Header, r.Lines, r.Git, r.Beside, r.Subject)
		}
	}
}

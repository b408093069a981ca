package code

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// run is a text as far as it is known: literals that are joined, and holes.
type run struct {
	first    ground.Text
	rest     []ground.Text
	size     int // bytes of all
	holes    []Hole
	from, to int  // in the file: its first byte, and behind its last
	placed   bool // from and to are known
	texts    bool // there is a literal in it
	format   string
	aside    bool // it is of another language
}

func (r *run) text() ground.Text {
	if len(r.rest) > 0 {
		var b ground.Builder
		b.Grow(r.size, len(r.rest)+1)
		b.WriteText(r.first)
		for _, t := range r.rest {
			b.WriteText(t)
		}
		r.first, r.rest = b.Text(), nil
	}
	return r.first
}

func (r *run) write(t ground.Text) {
	if r.size += len(t.Str); r.first.Str == "" {
		r.first = t
	} else if t.Str != "" {
		r.rest = append(r.rest, t)
	}
}

// add appends another, whose holes move along.
func (r *run) add(other *run) {
	at := r.size
	r.write(other.first)
	for _, t := range other.rest {
		r.write(t)
	}
	for _, h := range other.holes {
		r.holes = append(r.holes, Hole{h.Start + at, h.End + at, h.Field})
	}
	if other.placed {
		r.reach(other.from, other.to)
	}
	r.texts, r.format, r.aside = r.texts || other.texts, max(r.format, other.format), r.aside || other.aside
}

// joined puts a run behind another, which may be nil.
func joined(r, next *run) *run {
	if r == nil {
		return next
	}
	r.add(next)
	return r
}

// say appends decoded text of the bytes [from, to) of the file.
func (r *run) say(t ground.Text, from, to int) {
	r.write(t)
	r.texts = true
	r.reach(from, to)
}

// reach notes that the bytes [from, to) of the file are in it, too.
func (r *run) reach(from, to int) {
	if !r.placed {
		r.from, r.to, r.placed = from, to, true
	}
	r.from, r.to = min(r.from, from), max(r.to, to)
}

// hole appends what running the program would fill.
func (r *run) hole(t ground.Text, field string) {
	at := r.size
	r.write(t)
	r.holes = append(r.holes, Hole{at, at + len(t.Str), field})
}

// part gives the bytes [start, end) of the text.
func (r *run) part(start, end int) *run {
	out := &run{from: r.from, to: r.to, placed: r.placed, texts: r.texts, format: r.format}
	out.write(r.text().Slice(start, end))
	for _, h := range r.holes {
		if h.Start >= start && h.End <= end {
			out.holes = append(out.holes, Hole{h.Start - start, h.End - start, h.Field})
		}
	}
	return out
}

// trimmed takes the blanks at the ends away.
func (r *run) trimmed(left, right bool) *run {
	s := r.text().Str
	start, end := 0, len(s)
	if right {
		end = len(strings.TrimRight(s, " \t\n\r\f\v"))
	}
	if left {
		start = min(end, len(s)-len(strings.TrimLeft(s, " \t\n\r\f\v")))
	}
	return r.part(start, end)
}

// maxField is how long an expression may be shown, in characters.
const maxField = 60

// shortened gives code on one line.
func shortened(code string) string {
	const most = 5 * maxField // bytes: what is behind them is not shown in any case
	if len(code) > most {
		code = strings.ToValidUTF8(code[:most], "")
	}
	code = strings.Join(strings.Fields(code), " ")
	if utf8.RuneCountInString(code) > maxField {
		code = string([]rune(code)[:maxField]) + "…"
	}
	return code
}

// wordy reports a text of several words: what is shorter, in an expression, is code.
func wordy(s string) bool {
	blanks, wide := 0, 0
	for _, c := range strings.TrimSpace(s) {
		switch {
		case c == ' ' || c == '\n':
			blanks++
		case c >= 0x2e80:
			wide++
		}
	}
	return blanks >= 2 || wide >= 4
}

// insert is a text in an expression.
type insert struct{ run *run }

// compose gives the text of an expression [from, to) of the file with texts in it: what
// is between these is holes. Before the first stands open, and behind the last shut.
func compose(file *diag.File, from, to int, inserts []insert, open, shut string) *run {
	out := &run{}
	out.reach(from, to)
	at := from
	between := func(end int) {
		if at < end {
			code := file.Text[at:end]
			shown := shortened(code)
			if len(out.holes) == 0 {
				shown = open + shown
			}
			if end == to {
				shown += shut
			}
			t := ground.Derived(shown, diag.Span{File: file, Start: at, End: end})
			if shown == code {
				t = ground.Verbatim(diag.Span{File: file, Start: at, End: end})
			}
			out.hole(t, "")
		}
	}
	for _, in := range inserts {
		if in.run.from < at {
			continue
		}
		between(in.run.from)
		out.add(in.run)
		at = in.run.to
	}
	between(to)
	if len(out.holes) > 0 {
		out.holes[0].Field = variable(strings.TrimLeft(out.text().Str[out.holes[0].Start:out.holes[0].End], "${(!. \n\t"))
	}
	return out
}

// variable gives the name with which code begins.
func variable(code string) string {
	n := strings.IndexFunc(code, func(c rune) bool {
		return c != '_' && c != '$' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if n >= 0 {
		code = code[:n]
	}
	return code
}

// said are the texts among inserts that are more than code.
func said(inserts []insert) []insert {
	out := slices.DeleteFunc(slices.Clone(inserts), func(in insert) bool { return !wordy(in.run.text().Str) })
	slices.SortStableFunc(out, func(a, b insert) int { return a.run.from - b.run.from })
	return out
}

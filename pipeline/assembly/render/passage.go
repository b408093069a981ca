package render

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// passage is a text under construction with the items, slots and optional parts
// that lie in it. Every operation keeps their offsets right, so that no later step has to
// search for them.
type passage struct {
	text     ground.Text
	items    []assembly.Item
	slots    []assembly.SlotAt
	optional []assembly.OptionalPart
}

// plain gives a passage without items and slots.
func plain(t ground.Text) passage { return passage{text: t} }

// words gives a passage that came from no file.
func words(s string) passage { return plain(ground.Literal(s)) }

func (p passage) empty() bool { return p.text.Str == "" }

// runes gives the length that limits are measured in.
func (p passage) runes() int { return utf8.RuneCountInString(p.text.Str) }

// writer puts passages together. The zero writer is empty.
type writer struct {
	b        ground.Builder
	items    []assembly.Item
	slots    []assembly.SlotAt
	optional []assembly.OptionalPart
}

func (w *writer) literal(s string) { w.b.WriteString(s) }

func (w *writer) write(p passage) {
	at := w.b.Len()
	w.b.WriteText(p.text)
	for _, it := range p.items {
		it.Start, it.End = it.Start+at, it.End+at
		w.items = append(w.items, it)
	}
	for _, s := range p.slots {
		s.Start, s.End = s.Start+at, s.End+at
		w.slots = append(w.slots, s)
	}
	for _, o := range p.optional {
		o.Start, o.End = o.Start+at, o.End+at
		w.optional = append(w.optional, o)
	}
}

// byPlace orders optional parts: those that hold others first.
func byPlace(a, b assembly.OptionalPart) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
}

// part makes what was written from a place on an optional part.
func (w *writer) part(start int, slots []*language.Slot) {
	w.optional = append(w.optional, assembly.OptionalPart{Slots: slots, Start: start, End: w.b.Len()})
}

// item writes a passage as an item of its own.
func (w *writer) item(name string, file *diag.File, p passage) {
	start := w.b.Len()
	w.write(p)
	if w.b.Len() > start {
		w.items = append(w.items, assembly.Item{Name: name, Start: start, End: w.b.Len(), File: file})
	}
}

func (w *writer) passage() passage {
	slices.SortStableFunc(w.optional, byPlace)
	return passage{text: w.b.Text(), items: w.items, slots: w.slots, optional: w.optional}
}

// join puts glue between passages; empty ones take none.
func join(parts []passage, glue string) passage {
	var w writer
	bytes, segs, last := -len(glue), 0, passage{}
	for _, p := range parts {
		if !p.empty() {
			bytes, segs, last = bytes+len(glue)+len(p.text.Str), segs+len(p.text.Segs), p
		}
	}
	if bytes <= len(last.text.Str) {
		return last // there are no others
	}
	w.b.Grow(bytes, segs)
	var before []*language.Slot // of the parts so far, if all of them are optional
	certain := false
	for _, p := range parts {
		if p.empty() {
			continue
		}
		start, own := w.b.Len(), p.whole()
		if start > 0 {
			w.literal(glue)
			if len(before) > 0 && !certain {
				w.part(start, slices.Clone(before))
			}
		}
		w.write(p)
		if before, certain = append(before, own...), certain || len(own) == 0; len(own) > 0 && start > 0 {
			w.part(start, own)
		}
	}
	if !certain {
		w.part(0, before)
	}
	return w.passage()
}

// whole gives the slots without whose values nothing of the passage is left, nil
// if something stays.
func (p passage) whole() []*language.Slot {
	for _, o := range p.optional {
		if o.Start == 0 && o.End == len(p.text.Str) {
			return o.Slots
		}
	}
	return nil
}

// unless makes what a passage has because of a part of it go with that part: what
// it is without the part is rest. That has to be the passage with one gap.
func (p passage) unless(part, rest passage) passage {
	slots := part.whole()
	whole, short := p.text.Str, rest.text.Str
	gap := len(whole) - len(short)
	start := 0
	for start < len(short) && start < len(whole) && whole[start] == short[start] {
		start++
	}
	if slots == nil || gap <= 0 || short[start:] != whole[start+gap:] {
		return p
	}
	p.optional = append(slices.Clone(p.optional), assembly.OptionalPart{Slots: slots, Start: start, End: start + gap})
	slices.SortStableFunc(p.optional, byPlace)
	return p
}

// slice gives the bytes [start, end) with what lies in them: items are
// clipped, slots must be whole.
func (p passage) slice(start, end int) passage {
	out := passage{text: p.text.Slice(start, end)}
	for _, it := range p.items {
		it.Start, it.End = max(it.Start, start)-start, min(it.End, end)-start
		if it.Start < it.End {
			out.items = append(out.items, it)
		}
	}
	for _, s := range p.slots {
		if s.Start >= start && s.End <= end {
			s.Start, s.End = s.Start-start, s.End-start
			out.slots = append(out.slots, s)
		}
	}
	for _, o := range p.optional {
		o.Start, o.End = max(o.Start, start)-start, min(o.End, end)-start
		if o.Start < o.End {
			out.optional = append(out.optional, o)
		}
	}
	return out
}

// trimOuter gives the passage without outer blank lines and without white
// space at its end. The first line keeps its indentation.
func (p passage) trimOuter() passage {
	s := p.text.Str
	end := len(strings.TrimRight(s, " \t\n"))
	start := 0
	for start < end {
		line := strings.IndexByte(s[start:end], '\n')
		if line < 0 || strings.Trim(s[start:start+line], " \t") != "" {
			break
		}
		start += line + 1
	}
	if start == 0 && end == len(s) {
		return p
	}
	return p.slice(start, end)
}

// edit replaces the bytes [start, end): by with, or by str as something made
// from them.
type edit struct {
	start, end int
	str        string
	with       *passage
	newStart   int
	newEnd     int
}

// edited gives the passage with replacements, which ascend and do not
// overlap. A border of an item that lies inside one moves to its edge.
func (p passage) edited(edits []edit) passage {
	if len(edits) == 0 {
		return p
	}
	var w writer
	at := 0
	for i := range edits {
		e := &edits[i]
		w.b.WriteText(p.text.Slice(at, e.start))
		at = e.end
		e.newStart = w.b.Len()
		if e.with != nil {
			w.write(*e.with)
		} else {
			w.b.WriteText(derived(e.str, p.text.Span(e.start, e.end)))
		}
		e.newEnd = w.b.Len()
	}
	w.b.WriteText(p.text.Slice(at, len(p.text.Str)))
	out := w.passage()
	for _, it := range p.items {
		it.Start, it.End = moved(edits, it.Start, false), moved(edits, it.End, true)
		if it.Start < it.End {
			out.items = append(out.items, it)
		}
	}
	for _, s := range p.slots {
		s.Start, s.End = moved(edits, s.Start, false), moved(edits, s.End, true)
		out.slots = append(out.slots, s)
	}
	for _, o := range p.optional {
		o.Start, o.End = moved(edits, o.Start, false), moved(edits, o.End, true)
		out.optional = append(out.optional, o)
	}
	slices.SortStableFunc(out.slots, func(a, b assembly.SlotAt) int { return a.Start - b.Start })
	return out
}

// moved gives the place of an offset after the edits.
func moved(edits []edit, at int, end bool) int {
	i := sort.Search(len(edits), func(i int) bool { return edits[i].end > at })
	if i < len(edits) && edits[i].start < at {
		if end {
			return edits[i].newEnd
		}
		return edits[i].newStart
	}
	if i == 0 {
		return at
	}
	return at - edits[i-1].end + edits[i-1].newEnd
}

// derived gives text that was made from a place, byte for byte where nothing
// changed.
func derived(s string, at diag.Span) ground.Text {
	switch {
	case !at.Known():
		return ground.Literal(s)
	case s == at.File.Text[at.Start:at.End]:
		return ground.Verbatim(at)
	default:
		return ground.Derived(s, at)
	}
}

// placed gives text whose place may have quotes around it: byte for byte
// where the file has the very bytes, else derived.
func placed(s string, at diag.Span) ground.Text {
	if at.Known() && at.End-at.Start == len(s)+2 && at.File.Text[at.Start+1:at.End-1] == s {
		at.Start, at.End = at.Start+1, at.End-1
	}
	return derived(s, at)
}

// lineBreaks are the characters that end a line anywhere: besides those of
// ASCII the next-line, line-separator and paragraph-separator characters.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

var brokenLine = regexp.MustCompile(`[\s\v\x{85}\x{2028}\x{2029}]*[\n\r\v\f\x{85}\x{2028}\x{2029}][\s\v\x{85}\x{2028}\x{2029}]*`)

// oneLine collapses every run of white space that holds a line break to one
// space, and drops white space at both ends.
func oneLine(p passage) passage {
	p = trimmed(p)
	if !strings.ContainsAny(p.text.Str, lineBreaks) {
		return p
	}
	var edits []edit
	for _, m := range brokenLine.FindAllStringIndex(p.text.Str, -1) {
		edits = append(edits, edit{start: m[0], end: m[1], str: " "})
	}
	return p.edited(edits)
}

// trimmed gives a text without outer white space.
func trimmed(p passage) passage {
	const space = " \t" + lineBreaks
	s := p.text.Str
	start := len(s) - len(strings.TrimLeft(s, space))
	end := max(start, len(strings.TrimRight(s, space)))
	if start == 0 && end == len(s) {
		return p
	}
	return p.slice(start, end)
}

// xmlEscapes are the characters that XML text and attributes in double quotes
// cannot hold as they are. The apostrophe can stand in both, and is left.
var xmlEscapes = []struct{ raw, escaped string }{
	{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {`"`, "&quot;"},
}

// escapeXML replaces what XML would misread.
func escapeXML(p passage) passage {
	var edits []edit
	for i := range len(p.text.Str) {
		for _, e := range xmlEscapes {
			if p.text.Str[i] == e.raw[0] {
				edits = append(edits, edit{start: i, end: i + 1, str: e.escaped})
			}
		}
	}
	return p.edited(edits)
}

// summaryRunes is how much of a tool's description a native line shows, in
// code points (the conformance document, item 10).
const summaryRunes = 160

// summary gives a description as one line of at most summaryRunes code
// points, and `...` where more was there.
func summary(p passage) passage {
	p = oneLine(p)
	at := runeOffset(p.text.Str, summaryRunes)
	if at == len(p.text.Str) {
		return p
	}
	var w writer
	w.write(p.slice(0, at))
	w.literal("...")
	return w.passage()
}

// beforeSlot gives the offset, or the start of the slot that it lies in.
func beforeSlot(p passage, at int) int {
	for _, s := range p.slots {
		if s.Start < at && at < s.End {
			return s.Start
		}
	}
	return at
}

// runeOffset gives the byte offset after n code points, or the length.
func runeOffset(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

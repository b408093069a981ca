// Package diag says where something is wrong, and what: places in files,
// findings with permanent codes, and the table that explains every code.
package diag

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// File is the immutable text of one input. Spans point into Text.
//
// Text is what the pipeline works on: UTF-8 without byte order mark, lines
// ended by LF. Neither change moves a line or a column, so positions computed
// from it hold for the file on disk too.
type File struct {
	// Path is relative to the manifest's folder and uses slashes.
	Path string
	// Text is the whole normalised content; CRLF says that lines ended so, or in CR.
	Text string
	CRLF bool

	once  sync.Once
	lines []int // byte offset of each line's first byte

	countOnce sync.Once
	marks     []int // byte offset of every markEvery-th rune

	secretsOnce sync.Once
	secrets     []secret.Match
}

// markEvery is how many runes lie between two marks.
const markEvery = 1024

// Secrets returns what looks like a key in the text, which is read for them once.
func (f *File) Secrets() []secret.Match {
	f.secretsOnce.Do(func() { f.secrets = secret.Find(f.Text) })
	return f.secrets
}

// Position gives the 1-based line and column of a byte offset. Columns count
// runes, as editors do. An offset past the end is the end.
func (f *File) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(f.Text))
	line = f.LineAt(offset)
	start := f.lines[line-1]
	if offset-start < 4*markEvery {
		return line, utf8.RuneCountInString(f.Text[start:offset]) + 1
	}
	return line, f.runes(offset) - f.runes(start) + 1
}

// runes counts those before an offset. Findings can be many in one long line.
func (f *File) runes(offset int) int {
	f.countOnce.Do(func() {
		n := 0
		for i := range f.Text {
			if n%markEvery == 0 {
				f.marks = append(f.marks, i)
			}
			n++
		}
	})
	mark := sort.SearchInts(f.marks, offset+1) - 1
	return mark*markEvery + utf8.RuneCountInString(f.Text[f.marks[mark]:offset])
}

// LineAt gives the 1-based line of a byte offset. Unlike Position it takes no
// longer in a long line.
func (f *File) LineAt(offset int) int {
	f.index()
	return max(1, sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }))
}

// Line gives the text of a 1-based line without its line break, or "" when
// the file has no such line.
func (f *File) Line(line int) string {
	f.index()
	if line < 1 || line > len(f.lines) {
		return ""
	}
	rest := f.Text[f.lines[line-1]:]
	if before, _, ok := strings.Cut(rest, "\n"); ok {
		return before
	}
	return rest
}

func (f *File) index() {
	f.once.Do(func() {
		f.lines = []int{0}
		for i := range len(f.Text) {
			if f.Text[i] == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	})
}

// Span is the byte range [Start, End) of a file's Text. The zero Span is no
// place at all.
type Span struct {
	File       *File
	Start, End int
}

// Known reports whether the span is a place.
func (s Span) Known() bool { return s.File != nil }

// FirstLine gives what of a span is in the line that it begins in.
func (s Span) FirstLine() Span {
	if !s.Known() {
		return s
	}
	if line := s.File.LineAt(s.Start); line < len(s.File.lines) {
		s.End = min(s.End, s.File.lines[line]-1)
	}
	return s
}

// Whole gives the span of the first line of a file: the place of findings
// that concern the file as such.
func Whole(f *File) Span {
	return Span{File: f, Start: 0, End: len(f.Line(1))}
}

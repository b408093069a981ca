package ground

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// NodeKind tells the shapes of a Node apart.
type NodeKind int

// The shapes. A YAML plain scalar is Null, Bool or Number only where JSON
// would read the same characters as such, but for the case of a Bool's letters;
// everything else is a String, so that `on`, `010` and `2026-11-20` stay what was
// written.
const (
	Null NodeKind = iota
	Bool
	Number
	String
	Sequence
	Mapping
)

// Node is a YAML or JSON value with its place.
type Node struct {
	Kind NodeKind
	// At is the value: a scalar with its quotes, a block scalar from its
	// indicator, a sequence or mapping from its first to its last byte.
	At diag.Span
	// Text is the scalar's text after quotes, escapes, folding and
	// indentation are undone; for Null, Bool and Number what was written.
	Text Text
	// Items are the values of a Sequence.
	Items []*Node
	// Fields are the entries of a Mapping as written; keys are distinct.
	Fields []Field
}

// Field is one entry of a mapping.
type Field struct {
	Key   string
	KeyAt diag.Span
	Value *Node
}

// Field gives the value of a key, or nil when the node is no mapping or has
// no such key.
func (n *Node) Field(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Key == key {
			return n.Fields[i].Value
		}
	}
	return nil
}

// Scalar gives the text of a scalar, "" for anything else and for nil.
func (n *Node) Scalar() string {
	if n == nil {
		return ""
	}
	return n.Text.Str
}

// List gives the values of a sequence, none for anything else and for nil.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Entries gives the entries of a mapping, none for anything else and for nil.
func (n *Node) Entries() []Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// Step gives the value that one step of a JSON Pointer leads to, a key or an index
// in a sequence; nil if there is no such value.
func (n *Node) Step(step string) *Node {
	if n == nil || n.Kind != Sequence {
		return n.Field(step)
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

// IsTrue reports whether a scalar says true, which YAML writes in three ways.
func (n *Node) IsTrue() bool { return strings.EqualFold(n.Scalar(), "true") }

// IsScalar reports whether the node is Null, Bool, Number or String.
func (n *Node) IsScalar() bool { return n != nil && n.Kind <= String }

// Text is a string that remembers which source bytes each part came from, so
// that a finding in emitted text can be placed in the file that caused it.
type Text struct {
	Str string
	// Segs are the parts that came from a file, ascending, not overlapping.
	// What no segment covers was written by promptc itself.
	Segs []Seg
}

// Seg ties Str[Start:End] to a place. Both agree byte for byte when they have
// the same length and Changed is not set; otherwise the text was changed on
// the way (an escape, a collapsed line break) and only the place as a whole is
// known.
type Seg struct {
	Start, End int
	At         diag.Span
	Changed    bool
}

// Literal gives a text that came from no file.
func Literal(s string) Text { return Text{Str: s} }

// Verbatim gives the text of a span, byte for byte.
func Verbatim(at diag.Span) Text {
	s := at.File.Text[at.Start:at.End]
	if s == "" {
		return Text{}
	}
	return Text{Str: s, Segs: []Seg{{Start: 0, End: len(s), At: at}}}
}

// Derived gives a text that was made from the text of a span; a Literal where
// that is no place.
func Derived(s string, at diag.Span) Text {
	if s == "" || !at.Known() {
		return Literal(s)
	}
	return Text{Str: s, Segs: []Seg{{Start: 0, End: len(s), At: at, Changed: true}}}
}

// Slice gives the part [start, end) with its places.
func (t Text) Slice(start, end int) Text {
	out := Text{Str: t.Str[start:end]}
	near := sort.Search(len(t.Segs), func(i int) bool { return t.Segs[i].End > start })
	for _, s := range t.Segs[near:] {
		from, to := max(s.Start, start), min(s.End, end)
		if from >= to {
			break
		}
		seg := Seg{Start: from - start, End: to - start, At: s.At, Changed: !s.Exact()}
		if s.Exact() {
			seg.At.Start = s.At.Start + from - s.Start
			seg.At.End = s.At.Start + to - s.Start
		}
		out.Segs = append(out.Segs, seg)
	}
	return out
}

// Span gives the place of the part [start, end): from where its first mapped
// byte came from to where its last one did, within one file. Text that came
// from no file has no place.
func (t Text) Span(start, end int) diag.Span {
	var out diag.Span
	near := sort.Search(len(t.Segs), func(i int) bool { return t.Segs[i].End >= start })
	for _, s := range t.Segs[near:] {
		if s.Start > end {
			break
		}
		point := start == end && s.Start <= start && start <= s.End
		if !point && (s.End <= start || s.Start >= end) {
			continue
		}
		at := s.At
		if s.Exact() {
			at.Start = s.At.Start + max(start, s.Start) - s.Start
			at.End = s.At.Start + min(end, s.End) - s.Start
		}
		if !out.Known() {
			out = at
		} else if out.File == at.File && at.End > out.End {
			out.End = at.End
		}
		if point {
			break
		}
	}
	return out
}

// Within gives the text that was read from another, with the places of that one:
// its own lead into the bytes of the other.
func (t Text) Within(outer Text) Text {
	var out Builder
	at := 0
	for _, s := range t.Segs {
		out.WriteString(t.Str[at:s.Start])
		if s.Exact() {
			out.WriteText(outer.Slice(s.At.Start, s.At.End))
		} else {
			out.WriteText(Derived(t.Str[s.Start:s.End], outer.Span(s.At.Start, s.At.End)))
		}
		at = s.End
	}
	out.WriteString(t.Str[at:])
	return out.Text()
}

// Within gives the places of a value that was read from a text those of the text.
func (n *Node) Within(outer Text) {
	n.At, n.Text = outer.Span(n.At.Start, n.At.End), n.Text.Within(outer)
	for _, item := range n.Items {
		item.Within(outer)
	}
	for i, f := range n.Fields {
		n.Fields[i].KeyAt = outer.Span(f.KeyAt.Start, f.KeyAt.End)
		f.Value.Within(outer)
	}
}

// Exact reports whether the text and its place agree byte for byte.
func (s Seg) Exact() bool { return !s.Changed && s.End-s.Start == s.At.End-s.At.Start }

// Trim gives the text without the leading and trailing runes of cutset.
func (t Text) Trim(cutset string) Text {
	start := len(t.Str) - len(strings.TrimLeft(t.Str, cutset))
	end := max(start, len(strings.TrimRight(t.Str, cutset)))
	return t.Slice(start, end)
}

// Builder puts a Text together. The zero Builder is empty.
type Builder struct {
	str  strings.Builder
	segs []Seg
}

// Len gives the bytes written so far.
func (b *Builder) Len() int { return b.str.Len() }

// Grow makes room for so many more bytes and segments at once.
func (b *Builder) Grow(bytes, segs int) {
	b.str.Grow(bytes)
	b.segs = slices.Grow(b.segs, segs)
}

// WriteString appends text that came from no file.
func (b *Builder) WriteString(s string) { b.str.WriteString(s) }

// WriteText appends a text with its places.
func (b *Builder) WriteText(t Text) {
	at := b.str.Len()
	b.str.WriteString(t.Str)
	for _, s := range t.Segs {
		b.segs = append(b.segs, Seg{Start: s.Start + at, End: s.End + at, At: s.At, Changed: s.Changed})
	}
}

// Text gives what was written.
func (b *Builder) Text() Text { return Text{Str: b.str.String(), Segs: b.segs} }

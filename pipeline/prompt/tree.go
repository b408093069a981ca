package prompt

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
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

// Step gives the value that one step of a JSON Pointer leads to: that of a key, or
// of an index in a sequence; nil where there is none.
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

// Tree is what load read: files with positions, no meaning yet.
type Tree struct {
	// Manifest is the root mapping of prompts.yaml.
	Manifest *Node
	// File is the manifest itself.
	File *diag.File
	// Borrowed says that the manifest is that of another state: this one need
	// not have what it names.
	Borrowed bool
	// Past says that it is besides only compared with: an entry of a snapshot file
	// that is not a text is no mistake.
	Past bool
	// Roots are the paths of the folders beside the project, from the manifest's
	// folder on, by name. Files in them are called NAME:PATH.
	Roots map[string]string
	// Extends are the policies that the manifest extends, in its order.
	Extends []*Policy
	// Matches gives for every path of the manifest, as written but with its
	// `{axis}` replaced by values, what was found there; sorted by bytes.
	// A path at which nothing was found has an empty entry.
	Matches map[MatchKey][]*Doc
	// Walks gives what a context source's walk found, outermost first.
	Walks map[WalkKey][]*Doc
	// Workspaces gives what the workspaces of conversations hold; by the path
	// that a fixture writes. A folder that is not there has no entry.
	Workspaces map[string]*Workspace
	// Meant gives, for paths that name no file, as in Matches, and for workspaces
	// that are not there, what was probably meant, where there is something.
	Meant map[string]string
	// Inputs gives the files of the patterns, as written, that name what rendered
	// texts are made from; sorted by path.
	Inputs map[string][]FileSum
	// Unread are the files that nothing reads, beside those that patterns match, in
	// the order of the manifest.
	Unread []*Unread
}

// Policy is a file that the manifest extends, or that another policy does.
type Policy struct {
	Doc     *Doc
	Extends []*Policy // in its order
}

// Policies gives all policies, each once and behind those that it extends: where
// several set the same, the last counts.
func (t *Tree) Policies() []*Policy { return flatten(t.Extends) }

// All gives a policy behind those that it extends, as Tree.Policies does.
func (p *Policy) All() []*Policy { return flatten([]*Policy{p}) }

func flatten(policies []*Policy) []*Policy {
	var out []*Policy
	met := map[*Policy]bool{}
	var add func([]*Policy)
	add = func(policies []*Policy) {
		for _, p := range policies {
			if !met[p] {
				met[p] = true
				add(p.Extends)
				out = append(out, p)
			}
		}
	}
	add(policies)
	return out
}

// Place gives the path of a file from the manifest's folder on: of one in a root,
// too.
func (t *Tree) Place(name string) string {
	if t == nil {
		return name
	}
	if root, rest, ok := strings.Cut(name, ":"); ok && t.Roots[root] != "" {
		return path.Join(t.Roots[root], rest)
	}
	return name
}

// Docs returns all that was read beside the manifest, by path and each once:
// policies, sources, templates, transcripts, rendered files, and what conversations show.
func (t *Tree) Docs() []*Doc {
	var out []*Doc
	met := map[*Doc]bool{nil: true}
	var add func(docs ...*Doc)
	add = func(docs ...*Doc) {
		for _, d := range docs {
			if !met[d] && d.File != nil {
				out = append(out, d)
				if d.Expanded != nil {
					add(d.Expanded.Imported...)
				}
			}
			met[d] = true
		}
	}
	for _, p := range t.Policies() {
		add(p.Doc)
	}
	for _, key := range slices.SortedFunc(maps.Keys(t.Matches), func(a, b MatchKey) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind))
	}) {
		add(t.Matches[key]...)
	}
	for _, key := range slices.SortedFunc(maps.Keys(t.Walks), func(a, b WalkKey) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Root, b.Root), cmp.Compare(strconv.FormatBool(a.Local), strconv.FormatBool(b.Local)))
	}) {
		add(t.Walks[key]...)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Workspaces)) {
		docs := t.Workspaces[name].Docs
		for _, file := range slices.Sorted(maps.Keys(docs)) {
			add(docs[file])
		}
	}
	slices.SortStableFunc(out, func(a, b *Doc) int { return cmp.Compare(a.File.Path, b.File.Path) })
	return out
}

// Files gives the files of Docs by path.
func (t *Tree) Files() map[string]*diag.File {
	out := map[string]*diag.File{}
	for _, d := range t.Docs() {
		out[d.File.Path] = d.File
	}
	return out
}

// MatchKey names one lookup: a path or glob and the kind that reads it. A
// section's own path is of kind TextKind, a style's file of kind StyleKind.
type MatchKey struct {
	Path string
	Kind string
}

// StyleKind stands for the kind of template files, which no source can have.
// They are read as plain text, whatever their extension.
const StyleKind = "(style)"

// TranscriptKind stands for the kind of transcripts, which no source can
// have. They are read as plain text, too.
const TranscriptKind = "(transcript)"

// WorkspaceKind stands for the kind of workspace files, which no source can
// have. They are read as they are: no front matter, no comments, no trimming.
const WorkspaceKind = "(workspace)"

// RenderedKind stands for the kind of files that another program rendered,
// which no source can have. They are read as they are, to the last byte; the
// entries of a snapshot file are told apart. Their key is the pattern as it is
// written, with its `{axis}`; that of the tools beside them, too.
const RenderedKind = "(rendered)"

// WalkKey names one walk of a context source. Root is "." for the manifest's
// folder.
type WalkKey struct {
	Path, Root string
	Local      bool
}

// Format is the syntax a file was read in.
type Format int

// The formats of sources.
const (
	PlainText Format = iota // no front matter, no comments stripped
	Markdown                // .md, .mdc, .markdown, .prompty, .prompt
	YAML                    // .yaml, .yml
	JSON                    // .json
)

// Reads says which formats a kind takes; the file's extension picks one.
type Reads int

// What kinds read.
const (
	// ReadsProse takes any text; Markdown by its extension.
	ReadsProse Reads = iota
	// ReadsData takes YAML and JSON.
	ReadsData
	// ReadsEither takes YAML and JSON by extension, else prose.
	ReadsEither
)

// Doc is one file, read.
type Doc struct {
	File   *diag.File
	Format Format
	// Front is the front matter's mapping (possibly without fields), nil
	// when the file has none.
	Front *Node
	// FrontAt is the front matter with its fences.
	FrontAt diag.Span
	// Body is the text after the front matter, without leading Markdown
	// comments and outer blank lines. Data files have none.
	Body Text
	// Labels are the items `- **Label:** value` of a Markdown file's lists,
	// in order (read for kinds that ask for them).
	Labels []Label
	// Data is the value of a YAML or JSON file; nil when the file holds
	// nothing but comments.
	Data *Node
	// Saved are the entries of a snapshot file that holds several texts, in the
	// order of the file; nil for any other file, not nil for one without entries.
	Saved []Saved
	// Real is the path that the file's symbolic links lead to, relative to
	// the manifest's folder; File.Path where there is none.
	Real string
	// Expanded is the same file with the texts that it imports, for sources that
	// expand them; nil where there are none to look for. Of it alone, Imported are
	// the files of these texts.
	Expanded *Doc
	Imported []*Doc
}

// Empty reports whether the file says nothing: no body text, or no data.
func (d *Doc) Empty() bool {
	if d.Format == YAML || d.Format == JSON {
		return d.Data == nil
	}
	return d.Body.Str == ""
}

// Label is one `Label: value` item of a Markdown list.
type Label struct {
	Name   Text // without emphasis and colon
	Value  Text // trimmed; "" where nothing follows
	Placed diag.Span
}

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

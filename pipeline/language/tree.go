package language

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// Tree is what load read: files with positions, no meaning yet.
type Tree struct {
	// Manifest is the root mapping of prompts.yaml.
	Manifest *ground.Node
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
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.How.Dialect, b.How.Dialect),
			cmp.Compare(a.How.Pointer, b.How.Pointer), cmp.Compare(a.How.Symbol, b.How.Symbol), cmp.Compare(strconv.FormatBool(a.How.AsText), strconv.FormatBool(b.How.AsText)))
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
	How  How // of RenderedKind
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
	Front *ground.Node
	// FrontAt is the front matter with its fences.
	FrontAt diag.Span
	// Body is the text after the front matter, without leading Markdown
	// comments and outer blank lines. Data files have none.
	Body ground.Text
	// Labels are the items `- **Label:** value` of a Markdown file's lists,
	// in order (read for kinds that ask for them).
	Labels []Label
	// Data is the value of a YAML or JSON file; nil when the file holds
	// nothing but comments.
	Data *ground.Node
	// Saved are the entries of a snapshot file that holds several texts, in the
	// order of the file; nil for any other file, not nil for one without entries.
	Saved []Saved
	// Recording says that the file holds requests in a form that programs record them
	// in, and Others how many of them ask no provider for text.
	Recording bool
	Others    int
	// Holes are those of a Body that stands in code.
	Holes []templates.Tag
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
	Name   ground.Text // without emphasis and colon
	Value  ground.Text // trimmed; "" where nothing follows
	Placed diag.Span
}

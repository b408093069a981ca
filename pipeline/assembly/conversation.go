package assembly

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Dialogue is a conversation bound for one assembly: every key found, and
// everything in the one place where it is shown.
type Dialogue struct {
	Conversation *language.Conversation
	// Name tells the fixture from the prompt's others: its file's name
	// without extension, or more of the path where two would be alike.
	Name string
	// Flat is the assembly without tiers; then Tiers are empty, Symbols are
	// in the system message, and Active is the whole history.
	Flat  bool
	Tiers [language.Tiers]Tier
	// Symbols are the blocks outside the tiers, by path.
	Symbols []*language.SymbolBlock
	// Tree are all files of the workspace, by bytes.
	Tree []string
	// Working are the files that are shown in full outside the tiers, by path.
	Working []WorkFile
	// Active are indices of the history outside the tiers, ascending.
	Active []int
	// LeftOut are the keys that the assembly shows elsewhere or not at all, in
	// the order of the fixture.
	LeftOut []LeftOut
}

// Files gives the files that are shown in full.
func (d *Dialogue) Files() []WorkFile {
	out := slices.Clone(d.Working)
	for _, t := range d.Tiers {
		out = append(out, t.Files...)
	}
	return out
}

// LeftOut is a key of a fixture that does not stand where it was asked for.
type LeftOut struct {
	// Kind is ContentSymbols, of a file that is there in full, or ContentFile, one that a
	// tier has, or that is empty.
	Kind ContentKind
	Path string
	Tier int // that has the file
	// Empty says that the file is shown nowhere.
	Empty bool
}

// Why gives the reason in the outline's words.
func (l LeftOut) Why() string {
	if l.Empty {
		return "empty"
	}
	if l.Kind == ContentSymbols {
		return "in full"
	}
	return "in L" + strconv.Itoa(l.Tier)
}

// Content gives what the key names.
func (l LeftOut) Content() *Content { return &Content{Kind: l.Kind, Key: l.Path} }

// Tier is what one cache tier shows: symbols and files by path, history by
// index.
type Tier struct {
	Symbols []*language.SymbolBlock
	Files   []WorkFile
	History []int
}

// Empty reports whether the tier shows nothing.
func (t Tier) Empty() bool { return len(t.Symbols)+len(t.Files)+len(t.History) == 0 }

// WorkFile is a file of the workspace that is shown in full. Its bytes are
// Doc.File.Text.
type WorkFile struct {
	Path string // below the workspace
	Doc  *language.Doc
	At   diag.Span // where the fixture names it first
}

// The blocks of a conversation, in the outline's words: what a message is for.
const (
	BlockSystem  = "system"
	BlockTier    = "tier"
	BlockMap     = "map"
	BlockTree    = "tree"
	BlockURLs    = "urls"
	BlockReview  = "review"
	BlockFiles   = "files"
	BlockHistory = "history"
	BlockPrompt  = "prompt"
)

// ContentKind says what a piece of a conversation is; snapshots keep each in a
// folder of its own.
type ContentKind int

// The kinds of content, in the order of contentKinds.
const (
	ContentLegend ContentKind = iota
	ContentSymbols
	ContentFile
	ContentHistory
	ContentTree
	ContentPage
	ContentReview
	ContentPrompt
	ContentImage
)

var contentKinds = []struct {
	word string
	// workspace says that it belongs to the workspace: fixtures over the same
	// one have the same, under the same name. Anything else belongs to a
	// fixture.
	workspace bool
	// single says that there is only one of the kind, without a key.
	single bool
}{
	ContentLegend:  {"legend", true, true},
	ContentSymbols: {"symbols", true, false},
	ContentFile:    {"files", true, false},
	ContentHistory: {"history", false, false},
	ContentTree:    {"tree", true, true},
	ContentPage:    {"urls", false, false},
	ContentReview:  {"review", false, false},
	ContentPrompt:  {"prompt", false, true},
	ContentImage:   {"images", false, false},
}

// String gives the word that outlines and folders have for the kind.
func (k ContentKind) String() string { return contentKinds[k].word }

// OfWorkspace reports whether a content belongs to the workspace, not to a
// fixture.
func (k ContentKind) OfWorkspace() bool { return contentKinds[k].workspace }

// Single reports whether there is only one of the kind, without a key.
func (k ContentKind) Single() bool { return contentKinds[k].single }

// ContentKinds gives all kinds of content, in order.
func ContentKinds() []ContentKind {
	out := make([]ContentKind, len(contentKinds))
	for i := range out {
		out[i] = ContentKind(i)
	}
	return out
}

// Content names a piece of a conversation that a source wrote.
type Content struct {
	Kind ContentKind
	// Key names it within its kind: a path, `3-user`, a number from 1, a part
	// of the review; "" where a conversation has only one.
	Key string
	// Fixture is Dialogue.Name.
	Fixture string
}

// Name gives the kind and the key, as people read it: `files/src/main.go`.
func (c *Content) Name() string {
	if c.Key == "" {
		return c.Kind.String()
	}
	return c.Kind.String() + "/" + c.Key
}

// Passage is a piece of a message: what a source says, or (without Content)
// what the layout says by itself: headings, joins, acknowledgements.
type Passage struct {
	Content *Content
	Text    ground.Text // never ""
}

// Turn is one message of a rendered conversation, before the sections join it.
type Turn struct {
	Role language.Role
	// Tier is "L0" to "L3", "" for what is not meant to be cached.
	Tier string
	// Block says what the message is for: one of the words above. An
	// acknowledgement has that of the message before it.
	Block    string
	Passages []Passage
	Images   []language.Image
	// Marked puts a cache breakpoint behind the message.
	Marked bool
	At     diag.Span
}

// Message is one message of an artifact.
type Message struct {
	Role   language.Role
	Tier   string // as in Turn
	Block  string // as in Turn; BlockSystem for the system message
	Blocks []Block
	At     diag.Span // in the fixture; unknown for the sections' own
	Turn   int       // of a request that a program sent, from 1; else 0
}

// Block is one part of a message's content: text, or an image. The texts of
// the blocks of all messages, one after another, are Artifact.Text.
type Block struct {
	// From and To bound the text in Artifact.Parts; equal for an image.
	From, To int
	Image    *language.Image
	// Marked puts a cache breakpoint behind the block, and Point is its index
	// in Cache.Points.
	Marked bool
	Point  int
}

// BlockText gives the text of a block.
func (a *Artifact) BlockText(b Block) string {
	var out strings.Builder
	for _, p := range a.Parts[b.From:b.To] {
		out.WriteString(p.Text)
	}
	return out.String()
}

// Said gives the message and the block that a part stands in, nil for none.
func (a *Artifact) Said(part int) (*Message, Block) {
	for i := range a.Messages {
		for _, b := range a.Messages[i].Blocks {
			if b.From <= part && part < b.To {
				return &a.Messages[i], b
			}
		}
	}
	return nil, Block{}
}

// Run is a stretch [From, To) of Artifact.Parts that a provider gets as one
// text.
type Run struct{ From, To int }

// Runs gives the texts that a provider gets: each block of a request body (or
// each message, where the dialect makes one string of its blocks), or the text
// as a whole.
func (a *Artifact) Runs() []Run {
	d := a.Variant.Dialect
	if d == nil || !d.JSON {
		return []Run{{0, len(a.Parts)}}
	}
	var out []Run
	for _, m := range a.Messages {
		if d.OneText && !a.Variant.Talks() && len(m.Blocks) > 0 {
			out = append(out, Run{m.Blocks[0].From, m.Blocks[len(m.Blocks)-1].To})
			continue
		}
		for _, b := range m.Blocks {
			if b.Image == nil {
				out = append(out, Run{b.From, b.To})
			}
		}
	}
	return out
}

// Cache says how much of an artifact a provider can keep from one request to
// the next. Providers keep prefixes: the tools, then the messages in order.
type Cache struct {
	// Points are the breakpoints, in order.
	Points []Point
	// Volatile is the first byte that may change from one request to the
	// next; nil where nothing is declared volatile.
	Volatile *VolatileAt
	// Stable is what comes before it, in tokens, native schemas included; the
	// whole artifact where there is none.
	Stable int
}

// BreakpointLine stands in outlines and ledgers where a provider is told to
// keep what comes before.
const BreakpointLine = "── cache breakpoint ──"

// Point is one cache breakpoint.
type Point struct {
	// Name is the tier, or the id of the section that declares it.
	Name string
	// Part is the index behind the last part before it.
	Part int
	// Tokens is the prefix up to it, native schemas included.
	Tokens int
	At     diag.Span
}

// VolatileAt is a place in an artifact that may change from one request to the
// next.
type VolatileAt struct {
	Part    int            // index in Artifact.Parts
	Section int            // index in Prompt.Sections; -1 for what the user asks, which differs in every request
	Slot    *language.Slot // nil where the whole section is volatile
	Source  *language.Source
	// Offset and End are byte offsets in the part.
	Offset, End int
}

// Volatile gives such places in the order of the text: where something is
// declared to change, and what the user asks.
func (a *Artifact) Volatile() iter.Seq[VolatileAt] {
	return func(yield func(VolatileAt) bool) {
		for i := range a.Parts {
			for _, v := range a.volatile(i) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// volatile gives the places of one part: the whole of it, else its slots.
func (a *Artifact) volatile(part int) []VolatileAt {
	p := a.Parts[part]
	whole := VolatileAt{Part: part, Section: p.Section, End: len(p.Text)}
	if p.Asks() {
		return []VolatileAt{whole}
	}
	if p.Rendering == nil {
		return nil
	}
	whole.Source = p.Rendering.Unit.VolatileSource()
	if whole.Source != nil || a.Variant.Uses[p.Section].Volatile {
		return []VolatileAt{whole}
	}
	var out []VolatileAt
	for _, s := range p.Rendering.Slots {
		if s.Slot.Volatile {
			out = append(out, VolatileAt{Part: part, Section: p.Section, Slot: s.Slot, Offset: s.Start, End: s.End})
		}
	}
	return out
}

// Name names such a place of an artifact: by its slot, source or section.
func (v *VolatileAt) Name(a *Artifact) string {
	if v.Section < 0 {
		return "the prompt"
	}
	id := a.Build.Prompt.Sections[v.Section].ID.Str
	switch {
	case v.Slot != nil:
		return "slot " + v.Slot.Name.Str + " of " + id
	case v.Source != nil:
		return "source " + v.Source.ID.Str + " of " + id
	default:
		return "section " + id
	}
}

package prompt

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// Role says who speaks in a message.
type Role string

// The roles. Dialects have words of their own for them.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

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

// contentKinds is the table of the kinds of content.
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
	Text    Text // never ""
}

// Turn is one message of a rendered conversation, before the sections join it.
type Turn struct {
	Role Role
	// Tier is "L0" to "L3", "" for what is not meant to be cached.
	Tier string
	// Block says what the message is for: one of the words above. An
	// acknowledgement has that of the message before it.
	Block    string
	Passages []Passage
	Images   []Image
	// Marked puts a cache breakpoint behind the message.
	Marked bool
	At     diag.Span
}

// Message is one message of an artifact.
type Message struct {
	Role   Role
	Tier   string // as in Turn
	Block  string // as in Turn; BlockSystem for the system message
	Blocks []Block
	At     diag.Span // in the fixture; unknown for the sections' own
}

// Block is one part of a message's content: text, or an image. The texts of
// the blocks of all messages, one after another, are Artifact.Text.
type Block struct {
	// From and To bound the text in Artifact.Parts; equal for an image.
	From, To int
	Image    *Image
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
		if d.OneText && a.Variant.Messages == nil && len(m.Blocks) > 0 {
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
	Part    int   // index in Artifact.Parts
	Section int   // index in Prompt.Sections; -1 for what the user asks, which differs in every request
	Slot    *Slot // nil where the whole section is volatile
	Source  *Source
	Offset  int // byte offset in the part
}

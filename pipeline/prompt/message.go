package prompt

import (
	"slices"
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

// ContentKind says what a piece of a conversation is; snapshots keep each in a
// folder of its own.
type ContentKind int

// The kinds of content.
const (
	ContentLegend ContentKind = iota
	ContentSymbols
	ContentFile
	ContentHistory
	ContentTree
	ContentPage
	ContentReview
	ContentPrompt
)

func (k ContentKind) String() string {
	return [...]string{"legend", "symbols", "files", "history", "tree", "urls", "review", "prompt"}[k]
}

// Content names a piece of a conversation that a source wrote.
type Content struct {
	Kind ContentKind
	// Key names it within its kind: a path, `3-user`, a number from 1, a part
	// of the review; "" where a conversation has only one.
	Key string
	// Fixture is Dialogue.Name.
	Fixture string
	File    *diag.File
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
	// Block says what the message is for, in the outline's words: "system",
	// "tier", "history", "map", "tree", "urls", "review", "files", "prompt".
	// An acknowledgement has that of the message before it.
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
	Block  string // as in Turn; "system" for the system message
	Blocks []Block
	At     diag.Span // in the fixture; unknown for the sections' own
}

// HasImages reports whether a message holds anything but text.
func (m Message) HasImages() bool {
	return slices.ContainsFunc(m.Blocks, func(b Block) bool { return b.Image != nil })
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

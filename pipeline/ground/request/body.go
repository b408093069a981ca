// Package request knows how providers' requests are shaped: a body is read from
// JSON into one model and written from it, whatever the provider.
package request

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Body is a request, or the fragment of one that a prompt decides.
type Body struct {
	// Dialect is a row of ground.Dialects that is JSON.
	Dialect  *ground.Dialect
	Messages []Message
	// NoList says that the list of messages is not there: who sends the fragment
	// adds it.
	NoList bool
	Tools  []*Tool
	// Settings are the other keys, as written: model, temperature and the like.
	Settings []ground.Field
}

// Role says who speaks, in the words that all shapes share.
type Role string

// The roles.
const (
	System    Role = "system" // OpenAI's "developer", too
	User      Role = "user"
	Assistant Role = "assistant" // Gemini's "model"
	FromTool  Role = "tool"      // what a tool answered, where the shape has a role for it
)

// Message is what somebody says in one turn.
type Message struct {
	Role Role
	// Word is the role as it is written, where that is not the shape's usual word:
	// "developer". Unsaid says that no role is written; in OpenAI's Responses, no type.
	Word   string
	Unsaid bool
	// Apart says that it stands in the shape's own place for system text, and
	// not in the list of messages.
	Apart bool
	// Item says that it stands in the list as an item that is no message, and Bare
	// that it stands there instead of a list.
	Item, Bare bool
	Blocks     []Block
	// Content is the form of what it says.
	Content Form
	// Answers is the number of the call that it is the result of, 0 for none.
	Answers int
	Rest    []ground.Field // its other keys, as written
	At      diag.Span
}

// Form says how content is written.
type Form int

// The forms.
const (
	Listed Form = iota // a list of blocks
	Plain              // one string
	Absent             // not at all, or null
)

// Kind says what a block is.
type Kind int

// The kinds of blocks.
const (
	Text Kind = iota
	Picture
	Call   // of a tool
	Result // of a call
	Other  // anything else
)

// Block is a part of a message.
type Block struct {
	Kind Kind
	// Word is the type as it is written, where that is not the usual one.
	Word string
	// Said is the text in its parts, one after another. Of a call it is the
	// arguments, of what is Other the whole value, as JSON.
	Said  []ground.Text
	Image *Image
	// Marked puts a cache breakpoint behind the block, and Lasting is how long
	// it is to be kept, as written; "" where nothing says so.
	Marked  bool
	Lasting string
	// Name is that of the tool. Number tells the calls of a body apart, from 1, and
	// ties a result to its call: ids differ from run to run. 0 is for none.
	Name   string
	Number int
	// Inner are the blocks of a result that has a list of them, and Content says
	// whether it has.
	Inner   []Block
	Content Form
	// Raw is the value of what is Other, of arguments and of a result that are no
	// string.
	Raw *ground.Node
	// Called says that what is Other stands among the calls.
	Called bool
	Rest   []ground.Field // its other keys, as written
	At     diag.Span
}

// Besides gives the messages without what they say, in JSON: who speaks, in which
// blocks, breakpoints, and the keys that have no meaning here.
func (b *Body) Besides() string {
	bare := Body{Dialect: b.Dialect, NoList: b.NoList}
	for _, m := range b.Messages {
		m.Blocks = silent(m.Blocks)
		bare.Messages = append(bare.Messages, m)
	}
	return NewEncoder().Encode(&bare).Text()
}

// silent gives blocks without their texts.
func silent(blocks []Block) []Block {
	out := slices.Clone(blocks)
	for i := range out {
		b := &out[i]
		b.Inner = silent(b.Inner)
		if b.Said != nil {
			b.Said = []ground.Text{ground.Literal("…")}
		}
		if b.Image != nil {
			b.Image = b.Image.summed()
		}
		switch {
		case b.Raw == nil:
		case b.Kind == Other && b.Raw.Field("type") != nil:
			b.Raw = &ground.Node{Kind: ground.Mapping, Fields: []ground.Field{{Key: "type", Value: b.Raw.Field("type")}}}
		default:
			b.Raw = &ground.Node{Kind: ground.Mapping}
		}
	}
	return out
}

// summed gives a picture with its sum in the place of its data.
func (i *Image) summed() *Image {
	const most = 200 // bytes
	if len(i.URL) <= most {
		return i
	}
	sum := fmt.Sprintf("%d bytes, sha256 %x", i.Bytes, sha256.Sum256([]byte(i.URL)))
	return &Image{URL: sum, Data: sum, Media: i.Media, Bytes: i.Bytes, At: i.At}
}

// Texts gives what the blocks of all messages say, one after another.
func (b *Body) Texts() []ground.Text {
	var out []ground.Text
	for i := range b.Messages {
		for _, block := range b.Messages[i].Leaves() {
			out = append(out, block.Said...)
		}
	}
	return out
}

// Text joins what a block says.
func (b Block) Text() string {
	if len(b.Said) == 1 {
		return b.Said[0].Str
	}
	var out strings.Builder
	for _, t := range b.Said {
		out.WriteString(t.Str)
	}
	return out.String()
}

// Image is a picture.
type Image struct {
	URL   string // data:MEDIA;base64,DATA, or where it is
	Media string // image/png, …; "" for one that is not sent along
	Data  string // base64
	Bytes int    // decoded
	At    diag.Span
}

// Tool is a definition that goes with a request.
type Tool struct {
	Name, Description string
	Input             *ground.Node // the JSON Schema of its arguments
	Strict            bool
	// Sent is the definition as it is sent, in JSON over several lines; "" for one
	// that the shape writes from the above.
	Sent string
	// Node is the definition as it was read, nil for one that was not.
	Node *ground.Node
}

// Leaves gives the blocks of a message that say something by themselves: in the
// place of a result with a list of blocks, these.
func (m *Message) Leaves() []Block {
	var out []Block
	for _, b := range m.Blocks {
		if b.Kind != Result || b.Content != Listed {
			out = append(out, b)
			continue
		}
		for _, inner := range b.Inner {
			if inner.Kind == Text {
				inner.Kind = Result
			}
			inner.Name, inner.Number = b.Name, b.Number
			out = append(out, inner)
		}
		if n := len(out); len(b.Inner) > 0 && b.Marked {
			out[n-1].Marked, out[n-1].Lasting = true, b.Lasting
		}
	}
	return out
}

package request

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Noise are the keys of a body, and of what is in its messages, that say nothing
// of the prompt: ids, users, how the answer is delivered, and what the provider
// signed. They are not read. Ids that tie a result to its call are numbered
// instead.
var Noise = struct{ Body, Message []string }{
	Body: []string{
		"stream", "stream_options", "user", "safety_identifier", "prompt_cache_key", "metadata", "previous_response_id", "conversation",
	},
	Message: []string{"id", "status", "signature", "thoughtSignature", "thought_signature", "encrypted_content"},
}

// Misfit is a place at which a body is not as its shape has it.
type Misfit struct {
	Pointer string // RFC 6901
	Want    ground.NodeKind
	At      diag.Span
}

// Decode takes a value for a body of a dialect that is JSON. Values that are null
// are the same as none, and so are lists without tools, calls or images. It is nil where something does not fit.
func Decode(d *ground.Dialect, n *ground.Node) (*Body, *Misfit) {
	r := &decoder{body: &Body{Dialect: d}, numbers: map[string]int{}, names: map[int]string{}}
	if n = r.mapping(n, ""); r.bad == nil {
		lookup(d).read(r, n)
	}
	if r.bad != nil {
		return nil, r.bad
	}
	return r.body, nil
}

// decoder reads one body. Behind the first misfit it reads on, and nobody looks.
type decoder struct {
	body    *Body
	numbers map[string]int // of the calls, by id
	names   map[int]string // of the tools, by number
	bad     *Misfit
}

func (d *decoder) misfit(n *ground.Node, want ground.NodeKind, pointer string) {
	if d.bad == nil {
		d.bad = &Misfit{Pointer: pointer, Want: want}
		if n != nil {
			d.bad.At = n.At
		}
	}
}

// mapping, list and word want a value of a kind; one that is not there is none.
func (d *decoder) mapping(n *ground.Node, pointer string) *ground.Node {
	if n == nil || n.Kind != ground.Mapping {
		d.misfit(n, ground.Mapping, pointer)
		return &ground.Node{Kind: ground.Mapping}
	}
	return n
}

func (d *decoder) list(n *ground.Node, pointer string) []*ground.Node {
	if isNone(n) {
		return nil
	}
	if n.Kind != ground.Sequence {
		d.misfit(n, ground.Sequence, pointer)
	}
	return n.Items
}

// listOrOne is list for Gemini's JSON, in which one value stands for a list of it.
func (d *decoder) listOrOne(n *ground.Node, pointer string) []*ground.Node {
	if isOf(n, ground.Mapping) {
		return []*ground.Node{n}
	}
	return d.list(n, pointer)
}

func (d *decoder) word(n *ground.Node, pointer string) string {
	if n == nil || n.Kind != ground.String {
		d.misfit(n, ground.String, pointer)
		return ""
	}
	return n.Text.Str
}

func isNone(n *ground.Node) bool { return n == nil || n.Kind == ground.Null }

// isOf reports whether a value is of a kind.
func isOf(n *ground.Node, kind ground.NodeKind) bool { return n != nil && n.Kind == kind }

// hasOnly reports whether a mapping has these keys, and no others.
func hasOnly(n *ground.Node, keys ...string) bool {
	return isOf(n, ground.Mapping) && len(n.Fields) == len(keys) &&
		!slices.ContainsFunc(keys, func(key string) bool { return n.Field(key) == nil })
}

// rest gives the keys that are neither known, null nor noise.
func rest(n *ground.Node, noise []string, known ...string) []ground.Field {
	var out []ground.Field
	for _, f := range n.Entries() {
		if !isNone(f.Value) && !slices.Contains(known, f.Key) && !slices.Contains(noise, f.Key) {
			out = append(out, f)
		}
	}
	return out
}

// settings keeps the keys of the body that are neither its messages nor its
// tools.
func (d *decoder) settings(n *ground.Node, known ...string) {
	d.body.Settings = rest(n, Noise.Body, known...)
}

// tools reads the list of tools.
func (d *decoder) tools(n *ground.Node) {
	for _, item := range d.list(n, "/tools") {
		d.body.Tools = append(d.body.Tools, &Tool{Sent: canon.Indent(item), Node: item})
	}
}

func at(pointer string, i int) string { return fmt.Sprintf("%s/%d", pointer, i) }

// number gives the number of a call by its id, 0 for none.
func (d *decoder) number(n *ground.Node, pointer string) int {
	if isNone(n) {
		return 0
	}
	id := d.word(n, pointer)
	if id == "" {
		return 0
	}
	if d.numbers[id] == 0 {
		d.numbers[id] = len(d.numbers) + 1
	}
	return d.numbers[id]
}

// call numbers a call and remembers the tool that it is of.
func (d *decoder) call(id *ground.Node, pointer string, b Block) Block {
	b.Kind, b.Number = Call, d.number(id, pointer)
	d.names[b.Number] = b.Name
	return b
}

// plain gives the block of a content that is one string.
func plain(n *ground.Node) Block { return Block{Said: []ground.Text{n.Text}, At: n.At} }

// asJSON gives a value as text: JSON in one line.
func asJSON(n *ground.Node) []ground.Text {
	return []ground.Text{ground.Derived(canon.Compact(n), n.At)}
}

// callKeys are the keys that have the id of a call.
var callKeys = []string{"call_id", "tool_call_id", "tool_use_id"}

// other takes a value that the shape says nothing of.
func (d *decoder) other(n *ground.Node, known ...string) Block {
	kept := n
	if n.Kind == ground.Mapping {
		kept = &ground.Node{Kind: ground.Mapping, At: n.At, Fields: rest(n, Noise.Message, known...)}
		for i, f := range kept.Fields {
			if slices.Contains(callKeys, f.Key) {
				kept.Fields[i].Value = d.numbered(f.Value)
			}
		}
		if id := n.Field("id"); strings.HasSuffix(n.Field("type").Scalar(), "_use") && !isNone(id) {
			kept.Fields = append(kept.Fields, ground.Field{Key: "id", Value: d.numbered(id)})
		}
	}
	return Block{Kind: Other, Raw: kept, Said: asJSON(kept), At: n.At}
}

// otherCall takes what stands among the calls and is none of a function.
func (d *decoder) otherCall(n *ground.Node) Block {
	b := d.other(n)
	if id := n.Field("id"); b.Raw.Kind == ground.Mapping && !isNone(id) {
		b.Raw.Fields = append(b.Raw.Fields, ground.Field{Key: "id", Value: d.numbered(id)})
		b.Said = asJSON(b.Raw)
	}
	b.Called = true
	return b
}

// numbered gives an id with its number in its place.
func (d *decoder) numbered(n *ground.Node) *ground.Node {
	if !isOf(n, ground.String) || n.Scalar() == "" {
		return n
	}
	return &ground.Node{Kind: ground.String, Text: ground.Literal(callID(d.number(n, ""))), At: n.At}
}

// content reads what a message, or a result, says: a string, a list of blocks, or
// nothing.
func (d *decoder) content(n *ground.Node, pointer string, block func(n *ground.Node, pointer string) Block) (Form, []Block) {
	switch {
	case isNone(n):
		return Absent, nil
	case n.Kind == ground.String:
		return Plain, []Block{plain(n)}
	}
	var out []Block
	for i, item := range d.list(n, pointer) {
		out = append(out, block(item, at(pointer, i)))
	}
	return Listed, out
}

// marked takes the cache breakpoint of a block that has one.
func marked(b Block, n *ground.Node) Block {
	control := n.Field("cache_control")
	switch {
	case isNone(control):
	case hasOnly(control, "type") && control.Field("type").Scalar() == "ephemeral":
		b.Marked = true
	case hasOnly(control, "type", "ttl") && control.Field("type").Scalar() == "ephemeral" && isOf(control.Field("ttl"), ground.String) && control.Field("ttl").Scalar() != "":
		b.Marked, b.Lasting = true, control.Field("ttl").Scalar()
	default:
		b.Rest = append(b.Rest, ground.Field{Key: "cache_control", Value: control})
	}
	return b
}

// image gives a picture that is sent along.
func image(media string, data *ground.Node) *Image {
	s := data.Scalar()
	return &Image{
		URL: "data:" + media + ";base64," + s, Media: media, Data: s,
		Bytes: base64.StdEncoding.DecodedLen(len(s)) - strings.Count(s[max(0, len(s)-2):], "="), At: data.At,
	}
}

// imageAt gives the picture of a URL, which may hold it.
func imageAt(n *ground.Node) *Image {
	url := n.Scalar()
	head, data, ok := strings.Cut(url, ",")
	media, isData := strings.CutPrefix(head, "data:")
	if media, isBase64 := strings.CutSuffix(media, ";base64"); ok && isData && isBase64 {
		out := image(media, &ground.Node{Kind: ground.String, Text: ground.Literal(data), At: n.At})
		out.URL = url
		return out
	}
	return &Image{URL: url, At: n.At}
}

// roleOf reads who says a message. Words other than the usual ones of the shape
// stay as they are written.
func (d *decoder) roleOf(n *ground.Node, pointer string, roles map[string]Role) (Role, string) {
	word := d.word(n, pointer)
	role, known := roles[word]
	if word == "" {
		d.misfit(n, ground.String, pointer)
	}
	switch {
	case !known:
		return Role(word), ""
	case word != string(role):
		return role, word
	default:
		return role, ""
	}
}

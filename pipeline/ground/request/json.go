package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
)

// value is a piece of JSON whose keys stay in the order in which a shape
// documents them, which neither maps nor canonical JSON keep.
type value interface {
	write(w *writer)
}

type (
	// object is a JSON object.
	object []member
	// array is a JSON array.
	array []value
	// text is a string that the shape itself says, or a tool.
	text string
	// flag is true or false.
	flag bool
	// raw is JSON over several lines, indented from the margin.
	raw string
	// written is JSON that was written before, for the same level.
	written string
)

type member struct {
	key   string
	value value
}

// spoken is a string that holds blocks of a body.
type spoken struct {
	texts  []string // one after another; each is whole UTF-8
	blocks []block
}

// block says which block of which message starts where in a string.
type block struct{ message, index, start int }

// writer writes values with two spaces a level, and notes where the blocks
// stand.
type writer struct {
	encoder *Encoder
	parts   []string
	b       strings.Builder // what comes behind them
	path    []string        // keys and indices that lead to the present value
	places  [][]Place
}

// share writes a text that others have too.
func (w *writer) share(s string) {
	w.flush()
	w.parts = append(w.parts, s)
}

func (w *writer) flush() {
	if w.b.Len() > 0 {
		w.parts = append(w.parts, w.b.String())
		w.b.Reset()
	}
}

func (o object) write(w *writer) {
	w.list('{', '}', len(o), func(i int) {
		w.string(o[i].key)
		w.b.WriteString(": ")
		w.below(o[i].key, o[i].value)
	})
}

func (a array) write(w *writer) {
	w.list('[', ']', len(a), func(i int) { w.below(strconv.Itoa(i), a[i]) })
}

func (t text) write(w *writer) { w.string(string(t)) }

func (f flag) write(w *writer) { w.b.WriteString(strconv.FormatBool(bool(f))) }

// write moves the lines in. No string of JSON goes over a line's end.
func (r raw) write(w *writer) {
	w.b.WriteString(strings.ReplaceAll(string(r), "\n", w.margin(len(w.path))))
}

func (wr written) write(w *writer) { w.share(string(wr)) }

func (s spoken) write(w *writer) {
	w.b.WriteByte('"')
	for _, text := range s.texts {
		w.share(w.encoder.escaped(text))
	}
	w.b.WriteByte('"')
	pointer := w.pointer()
	for _, b := range s.blocks {
		w.places[b.message][b.index] = Place{Pointer: pointer, Start: b.start}
	}
}

// list writes n entries between brackets, each on a line of its own.
func (w *writer) list(open, shut byte, n int, entry func(i int)) {
	w.b.WriteByte(open)
	for i := range n {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.b.WriteString(w.margin(len(w.path) + 1))
		entry(i)
	}
	if n > 0 {
		w.b.WriteString(w.margin(len(w.path)))
	}
	w.b.WriteByte(shut)
}

func (w *writer) below(step string, v value) {
	w.path = append(w.path, step)
	v.write(w)
	w.path = w.path[:len(w.path)-1]
}

func (w *writer) margin(depth int) string { return "\n" + strings.Repeat("  ", depth) }

// pointer gives the present path as RFC 6901 writes it. The keys of the shapes
// that lead to a text hold neither '~' nor '/', which it would escape.
func (w *writer) pointer() string {
	var out strings.Builder
	for _, step := range w.path {
		out.WriteByte('/')
		out.WriteString(step)
	}
	return out.String()
}

// string writes a string with the fewest possible escapes.
func (w *writer) string(s string) {
	w.b.WriteString(quoted(s))
}

func quoted(s string) string {
	return canon.Compact(&ground.Node{Kind: ground.String, Text: ground.Literal(s)})
}

// asIs gives a value in canonical form.
func asIs(n *ground.Node) raw { return raw(canon.Indent(n)) }

// others gives keys as members.
func others(fields []ground.Field) object {
	var out object
	for _, f := range fields {
		out = append(out, member{f.Key, asIs(f.Value)})
	}
	return out
}

// arguments gives the schema of a tool as OpenAI takes it: an object has to
// name its properties, also where there are none.
func arguments(n *ground.Node) raw {
	if kind := n.Field("type"); kind == nil || kind.Scalar() != "object" || n.Field("properties") != nil {
		return asIs(n)
	}
	whole := *n
	whole.Fields = append(slices.Clone(n.Fields), ground.Field{Key: "properties", Value: &ground.Node{Kind: ground.Mapping}})
	return asIs(&whole)
}

package dialect

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Encoder writes artifacts. It remembers how it wrote the texts and the tools
// that artifacts share, so that each is written and kept once. It is for one
// goroutine.
type Encoder struct {
	texts map[string]string // what stands between the quotes, by the text
	lists map[string]string // tools in a dialect, by toolsKey
	known map[*language.Tool]int
}

// NewEncoder makes an encoder that remembers nothing yet.
func NewEncoder() *Encoder {
	return &Encoder{texts: map[string]string{}, lists: map[string]string{}, known: map[*language.Tool]int{}}
}

// Encode writes an artifact in the dialect of its variant.
func (e *Encoder) Encode(a *assembly.Artifact) Body {
	places := make([][]Place, len(a.Messages))
	for m, message := range a.Messages {
		places[m] = make([]Place, len(message.Blocks))
	}
	s := lookup(a.Variant.Dialect)
	if s == nil {
		return plainText(a, places)
	}
	body := s.body(a)
	if len(a.Beside) > 0 {
		body = append(body, member{"tools", written(e.list(a.Variant.Dialect, a.Beside, 1))})
	}
	w := writer{encoder: e, places: places}
	body.write(&w)
	w.b.WriteByte('\n')
	w.flush()
	return Body{Parts: w.parts, Places: places}
}

// Tools is the function of that name.
func (e *Encoder) Tools(d *ground.Dialect, tools []*language.Tool) string { return e.list(d, tools, 0) }

// list writes tools as they stand so many levels deep in a body; on the
// outermost with the file's final line break.
func (e *Encoder) list(d *ground.Dialect, tools []*language.Tool, depth int) string {
	key := e.toolsKey(d, tools, depth)
	if list, ok := e.lists[key]; ok {
		return list
	}
	list := each(canonicalTool)
	if s := lookup(d); s != nil {
		list = s.tools
	}
	w := writer{encoder: e, path: make([]string, depth)}
	list(tools).write(&w)
	if depth == 0 {
		w.b.WriteByte('\n')
	}
	e.lists[key] = w.b.String()
	return e.lists[key]
}

// toolsKey tells apart what list writes.
func (e *Encoder) toolsKey(d *ground.Dialect, tools []*language.Tool, depth int) string {
	key := strconv.AppendInt(nil, int64(depth), 10)
	if d != nil {
		key = append(key, d.Name...)
	}
	for _, t := range tools {
		if _, ok := e.known[t]; !ok {
			e.known[t] = len(e.known)
		}
		key = strconv.AppendInt(append(key, ' '), int64(e.known[t]), 10)
	}
	return string(key)
}

// escaped gives a text as it stands between the quotes of a JSON string, with
// the fewest possible escapes.
func (e *Encoder) escaped(s string) string {
	if out, ok := e.texts[s]; ok {
		return out
	}
	quoted := quoted(s)
	e.texts[s] = quoted[1 : len(quoted)-1]
	return e.texts[s]
}

func quoted(s string) string {
	return canon.Compact(&ground.Node{Kind: ground.String, Text: ground.Literal(s)})
}

package leaf

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonValue is a value of JSON whose objects keep the order of their keys and
// whose numbers stay as they are written.
type jsonValue struct {
	text  string   // in one line, without blanks
	keys  []string // of an object, in order
	parts []*jsonValue
}

// kind is `{` for an object, `[` for a list, and `"` or the like for others.
func (v *jsonValue) kind() byte {
	if c := v.text[0]; c == '{' || c == '[' {
		return c
	}
	return '"'
}

// parseJSON reads one value. The standard library has checked the syntax, and
// bounded the depth, before anything is read here.
func parseJSON(text string) (*jsonValue, bool) {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil || b.Len() == 0 {
		return nil, false
	}
	r := jsonReader{text: b.String()}
	return r.value(), true
}

// jsonReader reads valid JSON without blanks.
type jsonReader struct {
	text string
	at   int
}

func (r *jsonReader) value() *jsonValue {
	start := r.at
	out := &jsonValue{}
	switch r.text[r.at] {
	case '{':
		r.elements('}', func() {
			out.keys = append(out.keys, r.key())
			r.at++ // the colon
			out.parts = append(out.parts, r.value())
		})
	case '[':
		r.elements(']', func() { out.parts = append(out.parts, r.value()) })
	case '"':
		r.quoted()
	default:
		n := strings.IndexAny(r.text[r.at:], ",]}")
		if n < 0 {
			n = len(r.text) - r.at
		}
		r.at += n
	}
	out.text = r.text[start:r.at]
	return out
}

// elements reads what stands between two brackets, one element at a time.
func (r *jsonReader) elements(end byte, one func()) {
	for r.at++; r.text[r.at] != end; {
		if r.text[r.at] == ',' {
			r.at++
		}
		one()
	}
	r.at++
}

func (r *jsonReader) key() string {
	start := r.at
	r.quoted()
	var out string
	if err := json.Unmarshal([]byte(r.text[start:r.at]), &out); err != nil {
		return r.text[start:r.at]
	}
	return out
}

func (r *jsonReader) quoted() {
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
}

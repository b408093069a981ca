package load

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// parseJSON reads a file from an offset on as one JSON value. The node is nil for a file
// of white space; false means that errors kept it from being read.
//
// The standard library decides what is JSON; a second walk finds the places,
// the repeated keys and the half characters that it lets pass.
func parseJSON(file *diag.File, start int, found *diag.List) (*ground.Node, bool) {
	return parseLargeJSON(file, start, maxNodes, found)
}

// parseLargeJSON is parseJSON for a file that may hold so many values.
func parseLargeJSON(file *diag.File, start, most int, found *diag.List) (*ground.Node, bool) {
	if strings.Trim(file.Text[start:], jsonSpace) == "" {
		return nil, true
	}
	var raw json.RawMessage
	if err := json.Unmarshal([]byte(file.Text[start:]), &raw); err != nil && !tooDeep(err) {
		*found = append(*found, explainJSON(file, start, err))
		return nil, false
	}
	j := &jsonReader{file: file, found: found, at: start, most: most}
	node := j.value(1)
	return node, !j.stopped
}

const jsonSpace = " \t\r\n"

func explainJSON(file *diag.File, start int, err error) diag.Diagnostic {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return diag.New(diag.JSONSyntax, diag.Whole(file), "not-valid-json", err).WithHint("mind-json")
	}
	// The offset counts the bytes read, the last of which is the wrong one.
	at := max(0, min(start+int(syntax.Offset), len(file.Text))-1)
	for at > 0 && !utf8.RuneStart(file.Text[at]) {
		at--
	}
	_, size := utf8.DecodeRuneInString(file.Text[at:])
	span := diag.Span{File: file, Start: at, End: at + size}
	return diag.New(diag.JSONSyntax, span, "not-valid-json", err).WithHint("mind-json")
}

// tooDeep tells the library's own limit of depth. It is far beyond ours, so
// that the second walk stops before it, at the right place, and all that it
// sees is valid.
func tooDeep(err error) bool { return strings.Contains(err.Error(), "max depth") }

func tooDeepJSON(at diag.Span) diag.Diagnostic {
	return diag.New(diag.TooComplex, at, "nested-deeper-levels", maxDepth).WithHint("right-file")
}

// jsonReader walks over text that is known to be valid JSON, at least as deep
// as maxDepth.
type jsonReader struct {
	file    *diag.File
	found   *diag.List
	at      int
	nodes   int
	most    int // how many there may be
	stopped bool
}

func (j *jsonReader) span(start int) diag.Span {
	return diag.Span{File: j.file, Start: start, End: j.at}
}

// next skips white space and gives the byte there.
func (j *jsonReader) next() byte {
	for j.at < len(j.file.Text) && strings.IndexByte(jsonSpace, j.file.Text[j.at]) >= 0 {
		j.at++
	}
	if j.at == len(j.file.Text) {
		return 0
	}
	return j.file.Text[j.at]
}

func (j *jsonReader) value(depth int) *ground.Node {
	first := j.next()
	if j.nodes++; j.nodes > j.most || depth > maxDepth {
		j.stopped = true
		d := tooDeepJSON(diag.Span{File: j.file, Start: j.at, End: j.at + 1})
		if depth <= maxDepth {
			d = diag.New(diag.TooComplex, d.Span, "more-values", diag.Count(j.most)).WithHint("divide-file")
		}
		*j.found = append(*j.found, d)
		return nil
	}
	switch first {
	case '{':
		return j.object(depth)
	case '[':
		return j.array(depth)
	case '"':
		start := j.at
		text := j.text()
		return &ground.Node{Kind: ground.String, Text: text, At: j.span(start)}
	default:
		start := j.at
		for j.at < len(j.file.Text) && strings.IndexByte(jsonSpace+",]}", j.file.Text[j.at]) < 0 {
			j.at++
		}
		at := j.span(start)
		return &ground.Node{Kind: plainKind(j.file.Text[start:j.at]), Text: ground.Verbatim(at), At: at}
	}
}

func (j *jsonReader) array(depth int) *ground.Node {
	out, start := &ground.Node{Kind: ground.Sequence}, j.at
	j.at++
	for j.next() != ']' {
		item := j.value(depth + 1)
		if j.stopped {
			return nil
		}
		out.Items = append(out.Items, item)
		if j.next() == ',' {
			j.at++
		}
	}
	j.at++
	out.At = j.span(start)
	return out
}

func (j *jsonReader) object(depth int) *ground.Node {
	out, start := &ground.Node{Kind: ground.Mapping}, j.at
	places := map[string]diag.Span{}
	j.at++
	for j.next() != '}' {
		keyStart := j.at
		field := ground.Field{Key: j.text().Str, KeyAt: j.span(keyStart)}
		j.next()
		j.at++ // the colon
		field.Value = j.value(depth + 1)
		if j.stopped {
			return nil
		}
		if first, ok := places[field.Key]; ok {
			*j.found = append(*j.found, repeatedKey(field.Key, field.KeyAt, first))
		} else {
			places[field.Key] = field.KeyAt
			out.Fields = append(out.Fields, field)
		}
		if j.next() == ',' {
			j.at++
		}
	}
	j.at++
	out.At = j.span(start)
	return out
}

// text reads a string with its quotes.
func (j *jsonReader) text() ground.Text {
	start := j.at
	j.at = closing(j.file.Text, start, '"')
	var decoded string
	if err := json.Unmarshal([]byte(j.file.Text[start:j.at]), &decoded); err != nil {
		return ground.Text{} // cannot be: the library has read it before
	}
	span := func(start, end int) diag.Span { return diag.Span{File: j.file, Start: start, End: end} }
	out, _, _ := align(j.file.Text, decoded, start+1, `"`, span)
	for i, r := range decoded {
		if r != utf8.RuneError {
			continue
		}
		at := out.Span(i, i+len("\uFFFD"))
		source := at.File.Text[at.Start:at.End]
		if source == "\uFFFD" || strings.EqualFold(source, `\ufffd`) {
			continue
		}
		*j.found = append(*j.found, diag.New(diag.JSONSyntax, at, "half-character", source).
			WithHint("characters-above-ffff-take"))
	}
	return out
}

// align finds a decoded text of YAML or JSON in its source from a place on, and
// gives its end there. An escape stands for one character; folding, breaks and indentation only turn white space into
// other white space; all else has to be equal.
func align(src, text string, at int, quote string, span func(start, end int) diag.Span) (ground.Text, int, bool) {
	var out textMap
	for {
		same := 0
		for same < len(text) && at+same < len(src) && text[same] == src[at+same] && (quote != `"` || text[same] != '\\') {
			same++
		}
		out.put(text[:same], span(at, at+same))
		at, text = at+same, text[same:]
		if text == "" || at == len(src) {
			// A last line break may be in the text alone.
			out.put(text, span(at, at))
			return out.Text(), at, text == "" || text == "\n"
		}
		from, taken := src[at:], 0
		switch {
		case quote == `'` && from[0] == '\'' && src[at-1] == '\'': // the second of two
			at++
			continue
		case quote == `"` && from[0] == '\\':
			var r rune
			if len(from) < 2 {
				return ground.Text{}, at, false
			}
			if rest := strings.TrimLeft(from[1:], yamlSpace); breakAt(strings.TrimLeft(from[1:], " \t"), 0) > 0 { // joins two lines
				at = len(src) - len(rest)
				continue
			}
			r, taken = utf8.DecodeRuneInString(text)
			same = min(escapeLength(from[1], r), len(from))
		default:
			taken = len(text) - len(strings.TrimLeft(text, yamlSpace))
			if same = len(from) - len(strings.TrimLeft(from, yamlSpace)); same == 0 {
				return ground.Text{}, at, false
			}
		}
		out.put(text[:taken], span(at, at+same))
		at, text = at+same, text[taken:]
	}
}

// escapeLength gives the bytes of the escape for a character from the letter
// behind its backslash.
func escapeLength(letter byte, r rune) int {
	switch {
	case letter == 'x':
		return len(`\x00`)
	case letter == 'u' && r > 0xFFFF: // two halves, in JSON
		return len(`\u0000\u0000`)
	case letter == 'u':
		return len(`\u0000`)
	case letter == 'U':
		return len(`\U00000000`)
	default:
		return len(`\n`)
	}
}

// closing gives the end of a scalar in quotes.
func closing(src string, at int, quote byte) int {
	for at++; at < len(src); at++ {
		switch {
		case src[at] == '\\' && quote == '"', quote == '\'' && strings.HasPrefix(src[at:], "''"):
			at++
		case src[at] == quote:
			return at + 1
		}
	}
	return len(src)
}

// textMap puts decoded text together, piece by piece with its source.
type textMap struct {
	b ground.Builder
	// run is the verbatim text not yet handed to b.
	run diag.Span
}

// verbatim appends a span byte for byte. Neighbours become one segment.
func (m *textMap) verbatim(at diag.Span) {
	if m.run.Known() && m.run.End == at.Start {
		m.run.End = at.End
		return
	}
	m.flush()
	m.run = at
}

// put appends text that was made from a span. A segment of equal lengths
// claims equal bytes, so where lengths agree and bytes do not, the text goes
// without a place.
func (m *textMap) put(text string, at diag.Span) {
	source := at.File.Text[at.Start:at.End]
	switch {
	case text == "":
	case source == text:
		m.verbatim(at)
	case source == "" || len(source) == len(text):
		m.flush()
		m.b.WriteString(text)
	default:
		m.flush()
		m.b.WriteText(ground.Derived(text, at))
	}
}

func (m *textMap) flush() {
	if m.run.Known() {
		m.b.WriteText(ground.Verbatim(m.run))
		m.run = diag.Span{}
	}
}

// Text gives what was put.
func (m *textMap) Text() ground.Text {
	m.flush()
	return m.b.Text()
}

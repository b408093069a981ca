package load

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// parseJSON reads a whole file as one JSON value. The node is nil for a file
// of white space; false means that errors kept it from being read.
//
// The standard library decides what is JSON; a second walk finds the places,
// the repeated keys and the half characters that it lets pass.
func parseJSON(file *diag.File, found *diag.List) (*prompt.Node, bool) {
	if strings.Trim(file.Text, jsonSpace) == "" {
		return nil, true
	}
	var raw json.RawMessage
	if err := json.Unmarshal([]byte(file.Text), &raw); err != nil && !tooDeep(err) {
		*found = append(*found, explainJSON(file, err))
		return nil, false
	}
	j := &jsonReader{file: file, found: found}
	node := j.value(1)
	return node, !j.stopped
}

const jsonSpace = " \t\r\n"

func explainJSON(file *diag.File, err error) diag.Diagnostic {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return diag.New(diag.JSONSyntax, diag.Whole(file), "not-valid-json", err).WithHint("mind-json")
	}
	// The offset counts the bytes read, the last of which is the wrong one.
	at := max(0, min(int(syntax.Offset), len(file.Text))-1)
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

func (j *jsonReader) value(depth int) *prompt.Node {
	first := j.next()
	if j.nodes++; j.nodes > maxNodes || depth > maxDepth {
		j.stopped = true
		d := tooDeepJSON(diag.Span{File: j.file, Start: j.at, End: j.at + 1})
		if depth <= maxDepth {
			d = diag.New(diag.TooComplex, d.Span, "more-values", diag.Count(maxNodes)).WithHint("divide-file")
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
		return &prompt.Node{Kind: prompt.String, Text: text, At: j.span(start)}
	default:
		start := j.at
		for j.at < len(j.file.Text) && strings.IndexByte(jsonSpace+",]}", j.file.Text[j.at]) < 0 {
			j.at++
		}
		at := j.span(start)
		return &prompt.Node{Kind: plainKind(j.file.Text[start:j.at]), Text: prompt.Verbatim(at), At: at}
	}
}

func (j *jsonReader) array(depth int) *prompt.Node {
	out, start := &prompt.Node{Kind: prompt.Sequence}, j.at
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

func (j *jsonReader) object(depth int) *prompt.Node {
	out, start := &prompt.Node{Kind: prompt.Mapping}, j.at
	places := map[string]diag.Span{}
	j.at++
	for j.next() != '}' {
		keyStart := j.at
		field := prompt.Field{Key: j.text().Str, KeyAt: j.span(keyStart)}
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
func (j *jsonReader) text() prompt.Text {
	start := j.at
	j.at = closing(j.file.Text, start, '"')
	var decoded string
	if err := json.Unmarshal([]byte(j.file.Text[start:j.at]), &decoded); err != nil {
		return prompt.Text{} // cannot be: the library has read it before
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

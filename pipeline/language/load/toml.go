package load

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// maxTOML is how many keys a file may have: the library takes time by its square.
const maxTOML = 10_000

// parseTOML reads a file as TOML 1.0. The library decides what is TOML; a walk over its
// expressions finds the places. Dates and numbers that JSON does not have are strings,
// as they are written.
func parseTOML(file *diag.File, found *diag.List) (*ground.Node, bool) {
	root := &ground.Node{Kind: ground.Mapping, At: diag.Whole(file)}
	t := tomlReader{file: file}
	t.parser.Reset([]byte(file.Text))
	table := root
	for t.parser.NextExpression() {
		e := t.parser.Expression()
		switch {
		case e.Kind == unstable.Table:
			table = t.at(root, e.Key())
		case e.Kind == unstable.ArrayTable:
			table = t.element(root, e.Key())
		case e.Kind == unstable.KeyValue:
			t.entry(table, e, 1)
		}
		switch {
		case t.deep:
			*found = append(*found, tooDeepJSON(diag.Whole(file).FirstLine()))
			return nil, false
		case t.keys > maxTOML:
			*found = append(*found, diag.New(diag.TooComplex, diag.Whole(file).FirstLine(), "more-values", diag.Count(maxTOML)).WithHint("divide-file"))
			return nil, false
		}
	}
	var all map[string]any
	if err := toml.Unmarshal([]byte(file.Text), &all); err != nil {
		*found = append(*found, tomlMistake(file, err))
		return nil, false
	}
	return root, true
}

// tomlMistake places an error of the library.
func tomlMistake(file *diag.File, err error) diag.Diagnostic {
	at := diag.Whole(file)
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := bad.Position()
		at = tomlLine(file, row, column)
	}
	return diag.New(diag.TOMLSyntax, at, "no-toml", diag.Ends(strings.TrimPrefix(err.Error(), "toml: "))).WithHint("mend-toml")
}

// tomlLine gives the rest of a line from a column on, both from 1.
func tomlLine(file *diag.File, row, column int) diag.Span {
	start := 0
	for range row - 1 {
		next := strings.IndexByte(file.Text[start:], '\n')
		if next < 0 {
			break
		}
		start += next + 1
	}
	line, _, _ := strings.Cut(file.Text[start:], "\n")
	column = min(max(column-1, 0), len(line))
	return diag.Span{File: file, Start: start + column, End: start + len(line)}
}

// tomlReader puts the expressions of a file together.
type tomlReader struct {
	file   *diag.File
	parser unstable.Parser
	keys   int
	deep   bool
}

func (t *tomlReader) span(r unstable.Range) diag.Span {
	return diag.Span{File: t.file, Start: int(r.Offset), End: int(r.Offset + r.Length)}
}

// at gives the table that a key leads to; of a list of tables the last.
func (t *tomlReader) at(n *ground.Node, keys unstable.Iterator) *ground.Node {
	for keys.Next() {
		n = t.table(n, keys.Node(), ground.Mapping)
	}
	return n
}

// element adds a table to the list that a key leads to.
func (t *tomlReader) element(n *ground.Node, keys unstable.Iterator) *ground.Node {
	for keys.Next() {
		kind := ground.Mapping
		if keys.IsLast() {
			kind = ground.Sequence
		}
		n = t.table(n, keys.Node(), kind)
	}
	list := n
	n = &ground.Node{Kind: ground.Mapping, At: list.At}
	list.Items = append(list.Items, n)
	return n
}

// table gives the value of a key, made where there is none yet.
func (t *tomlReader) table(n *ground.Node, key *unstable.Node, kind ground.NodeKind) *ground.Node {
	if t.keys++; t.keys > maxTOML {
		return n
	}
	if n.Kind == ground.Sequence && len(n.Items) > 0 {
		n = n.Items[len(n.Items)-1]
	}
	if known := n.Field(string(key.Data)); known != nil {
		return known
	}
	at := t.span(key.Raw)
	out := &ground.Node{Kind: kind, At: at}
	n.Fields = append(n.Fields, ground.Field{Key: string(key.Data), KeyAt: at, Value: out})
	return out
}

// entry adds a key and its value to a table.
func (t *tomlReader) entry(table *ground.Node, e *unstable.Node, depth int) {
	for keys := e.Key(); keys.Next(); {
		if !keys.IsLast() {
			table = t.table(table, keys.Node(), ground.Mapping)
			continue
		}
		if table.Kind == ground.Sequence && len(table.Items) > 0 {
			table = table.Items[len(table.Items)-1]
		}
		t.keys++
		key := keys.Node()
		table.Fields = append(table.Fields, ground.Field{Key: string(key.Data), KeyAt: t.span(key.Raw), Value: t.value(e.Value(), t.span(key.Raw), depth)})
	}
}

// value gives a value; one without a place of its own has that of its key.
func (t *tomlReader) value(v *unstable.Node, key diag.Span, depth int) *ground.Node {
	at := t.span(v.Raw)
	if at.Start == at.End {
		at = key
	}
	out := &ground.Node{Kind: ground.String, At: at}
	switch v.Kind {
	case unstable.Array, unstable.InlineTable:
		if out.Kind = ground.Sequence; v.Kind == unstable.InlineTable {
			out.Kind = ground.Mapping
		}
		if t.deep = t.deep || depth > maxDepth; t.deep {
			return out
		}
		for items := v.Children(); items.Next(); {
			if v.Kind == unstable.InlineTable {
				t.entry(out, items.Node(), depth+1)
			} else {
				out.Items = append(out.Items, t.value(items.Node(), at, depth+1))
			}
		}
	case unstable.String:
		out.Text = t.text(string(v.Data), at)
	case unstable.Bool:
		out.Kind, out.Text = ground.Bool, ground.Derived(string(v.Data), at)
	default:
		out.Text = ground.Derived(string(v.Data), at)
		if out.Kind = plainKind(string(v.Data)); out.Kind != ground.Number {
			out.Kind = ground.String
		}
	}
	return out
}

// text gives a decoded string with its places. What was written with escapes of which
// these are not found has one place.
func (t *tomlReader) text(decoded string, at diag.Span) ground.Text {
	raw := t.file.Text[at.Start:at.End]
	quote := raw[:min(1, len(raw))]
	if long := strings.Repeat(quote, 3); len(raw) >= 6 && strings.HasPrefix(raw, long) {
		quote = long
	}
	start := at.Start + len(quote)
	if quote == `"""` || quote == "'''" {
		start += len(t.file.Text[start:]) - len(strings.TrimPrefix(t.file.Text[start:], "\n"))
	}
	if end := at.End - len(quote); start <= end && t.file.Text[start:end] == decoded {
		return ground.Verbatim(diag.Span{File: t.file, Start: start, End: end})
	}
	span := func(from, to int) diag.Span { return diag.Span{File: t.file, Start: from, End: to} }
	if out, _, ok := align(t.file.Text[:at.End], decoded, start, `"`, span); ok && quote == `"` || ok && quote == `"""` {
		return out
	}
	return ground.Derived(decoded, at)
}

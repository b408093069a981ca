package render_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// fixture is a unit written down in a txtar comment, a setting a line:
//
//	input KIND          starts an input; the settings after it are its own
//	form, style, base   words
//	files A B …         which of the archive's files it has
//	tools A …           tool definitions (MCP, JSON), one a file
//	style-file, text, location, limit N [source] [cut], expand, routing, lenient, origin
//
// and for the whole unit heading, before, after, expand-all, slot NAME,
// fragment NAME VALUE. VALUE, heading, text and the like are Go strings.
type fixture struct {
	t     testing.TB
	files map[string]*diag.File
	unit  *assembly.Unit
	in    *assembly.Input
}

// newFixture reads the comment of an archive. Its lines are themselves the
// manifest, so that what is written there has a place.
func newFixture(t testing.TB, a *txtar.Archive) *fixture {
	t.Helper()
	f := &fixture{t: t, files: map[string]*diag.File{}, unit: &assembly.Unit{
		Prompt: &language.Prompt{}, Section: &language.Section{},
	}}
	for _, file := range a.Files {
		f.files[file.Name] = &diag.File{Path: file.Name, Text: string(file.Data)}
	}
	manifest := &diag.File{Path: "prompts.yaml", Text: string(a.Comment)}
	at := 0
	for line := range strings.Lines(manifest.Text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		span := diag.Span{File: manifest, Start: at, End: at + len(strings.TrimRight(line, "\n"))}
		at += len(line)
		if word != "" && word != "#" {
			f.setting(word, rest, span)
		}
	}
	return f
}

func (f *fixture) setting(word, rest string, at diag.Span) {
	f.t.Helper()
	switch word {
	case "input":
		kind, ok := language.LookupKind(rest)
		if !ok {
			f.t.Fatalf("no kind %q", rest)
		}
		f.in = &assembly.Input{Kind: kind, At: at}
		f.unit.Inputs = append(f.unit.Inputs, f.in)
	case "form":
		f.in.Form = rest
	case "style":
		f.in.Style = rest
	case "base":
		f.in.Base = rest
	case "files":
		for name := range strings.FieldsSeq(rest) {
			f.in.Docs = append(f.in.Docs, f.doc(name))
		}
	case "tools":
		for name := range strings.FieldsSeq(rest) {
			f.in.Tools = append(f.in.Tools, f.tool(name))
		}
	case "style-file":
		file := f.file(rest)
		f.in.StyleDoc = &language.Doc{File: file, Body: ground.Verbatim(diag.Span{File: file, End: len(strings.TrimRight(file.Text, "\n"))})}
	case "text":
		f.in.Text, f.in.Origin = quotedText(f.t, rest, at), assembly.FromInline
	case "location":
		f.in.Location = quotedText(f.t, rest, at)
	case "limit":
		words := strings.Fields(rest)
		n, err := strconv.Atoi(words[0])
		if err != nil {
			f.t.Fatal(err)
		}
		f.in.Limit = &language.Limit{Chars: n, PerSource: strings.Contains(rest, "source"), Cut: strings.Contains(rest, "cut"), At: at}
	case "expand":
		f.in.Expand = true
	case "routing":
		f.in.Routing = true
	case "lenient":
		f.in.Lenient = true
	case "origin":
		for _, o := range []assembly.Origin{assembly.FromFallback, assembly.FromElse, assembly.FromBuiltIn} {
			if o.String() == rest {
				f.in.Origin = o
			}
		}
	default:
		f.unitSetting(word, rest, at)
	}
}

func (f *fixture) unitSetting(word, rest string, at diag.Span) {
	f.t.Helper()
	switch word {
	case "heading":
		t := quotedText(f.t, rest, at)
		f.unit.Heading = &t
	case "before":
		f.unit.Before = quotedText(f.t, rest, at)
	case "after":
		f.unit.After = quotedText(f.t, rest, at)
	case "expand-all":
		f.unit.Expand = true
	case "slot":
		f.unit.Bindings = append(f.unit.Bindings, assembly.Binding{Name: rest, Slot: &language.Slot{Name: ground.Word{Str: rest}}})
	case "fragment":
		name, value, _ := strings.Cut(rest, " ")
		f.unit.Bindings = append(f.unit.Bindings, assembly.Binding{Name: name, Value: quotedText(f.t, value, at)})
	default:
		f.t.Fatalf("no setting %q", word)
	}
}

// quotedText reads a Go string; its place is exact where it needs no escape.
func quotedText(t testing.TB, s string, at diag.Span) ground.Text {
	t.Helper()
	value, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	at.Start = at.End - len(s)
	if s == `"`+value+`"` {
		at.Start, at.End = at.Start+1, at.End-1
		return ground.Verbatim(at)
	}
	return ground.Derived(value, at)
}

func (f *fixture) file(name string) *diag.File {
	f.t.Helper()
	file, ok := f.files[name]
	if !ok {
		f.t.Fatalf("no file %q", name)
	}
	return file
}

// doc reads a file as load does, as far as these tests need it: front matter
// of `key: value` lines, labels, a trimmed body; JSON as data.
func (f *fixture) doc(name string) *language.Doc {
	f.t.Helper()
	file := f.file(name)
	if strings.HasSuffix(name, ".json") {
		return &language.Doc{File: file, Format: language.JSON, Data: parseJSON(f.t, file)}
	}
	d := &language.Doc{File: file, Format: language.Markdown, Real: name}
	body := 0
	if strings.HasPrefix(file.Text, "---\n") {
		end := strings.Index(file.Text[3:], "\n---\n") + 3
		d.Front = &ground.Node{Kind: ground.Mapping}
		at := 4
		for line := range strings.Lines(file.Text[4 : end+1]) {
			key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ":")
			start := at + len(key) + 1
			start += len(value) - len(strings.TrimLeft(value, " "))
			span := diag.Span{File: file, Start: start, End: at + len(strings.TrimRight(line, "\n"))}
			node := &ground.Node{Kind: ground.String, At: span, Text: ground.Verbatim(span)}
			if node.Text.Str == "" {
				node.Kind = ground.Null
			}
			d.Front.Fields = append(d.Front.Fields, ground.Field{Key: key, Value: node})
			at += len(line)
		}
		body = end + 5
	}
	d.Body = ground.Verbatim(diag.Span{File: file, Start: body, End: len(file.Text)}).Trim("\n")
	d.Labels = labels(file, body)
	return d
}

func labels(file *diag.File, at int) []language.Label {
	var out []language.Label
	for line := range strings.Lines(file.Text[at:]) {
		start := at
		at += len(line)
		name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ":** ")
		if !ok || !strings.HasPrefix(name, "- **") {
			continue
		}
		end := start + len(name) + len(":** ") + len(value)
		out = append(out, language.Label{
			Name:   ground.Verbatim(diag.Span{File: file, Start: start + 4, End: start + len(name)}),
			Value:  ground.Verbatim(diag.Span{File: file, Start: end - len(value), End: end}),
			Placed: diag.Span{File: file, Start: start, End: end},
		})
	}
	return out
}

func (f *fixture) tool(name string) *language.Tool {
	f.t.Helper()
	file := f.file(name)
	n := parseJSON(f.t, file)
	t := &language.Tool{
		Name: n.Field("name").Scalar(), Description: n.Field("description").Scalar(), Input: n.Field("inputSchema"),
		File: file, At: n.At, NameAt: n.Field("name").At,
	}
	if d := n.Field("description"); d != nil {
		t.DescAt = d.At
	}
	return t
}

// parseJSON gives a node with places, for valid JSON.
func parseJSON(t testing.TB, file *diag.File) *ground.Node {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(file.Text))
	d.UseNumber()
	n, err := nextNode(d, file)
	if err != nil {
		t.Fatalf("%s: %v", file.Path, err)
	}
	return n
}

func nextNode(d *json.Decoder, file *diag.File) (*ground.Node, error) {
	start := int(d.InputOffset())
	start += len(file.Text[start:]) - len(strings.TrimLeft(file.Text[start:], " \n\t,:"))
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &ground.Node{Kind: ground.String}
	switch v := tok.(type) {
	case json.Delim:
		n.Kind = map[json.Delim]ground.NodeKind{'{': ground.Mapping, '[': ground.Sequence}[v]
		for d.More() {
			var f ground.Field
			if v == '{' {
				key, err := nextNode(d, file)
				if err != nil {
					return nil, err
				}
				f.Key, f.KeyAt = key.Text.Str, key.At
			}
			if f.Value, err = nextNode(d, file); err != nil {
				return nil, err
			}
			if v == '{' {
				n.Fields = append(n.Fields, f)
			} else {
				n.Items = append(n.Items, f.Value)
			}
		}
		if _, err := d.Token(); err != nil {
			return nil, err
		}
	case string:
		n.Text.Str = v
	case json.Number:
		n.Kind, n.Text.Str = ground.Number, v.String()
	case bool:
		n.Kind, n.Text.Str = ground.Bool, strconv.FormatBool(v)
	case nil:
		n.Kind, n.Text.Str = ground.Null, "null"
	}
	n.At = diag.Span{File: file, Start: start, End: int(d.InputOffset())}
	if n.Kind <= ground.String && n.Text.Str != "" {
		at := n.At
		if n.Kind == ground.String && at.End-at.Start == len(n.Text.Str)+2 {
			at.Start, at.End = at.Start+1, at.End-1
		}
		n.Text = ground.Derived(n.Text.Str, at)
		if file.Text[at.Start:at.End] == n.Text.Str {
			n.Text = ground.Verbatim(at)
		}
	}
	return n, nil
}

// run renders the unit alone.
func (f *fixture) run() (*assembly.Rendering, diag.List) {
	out, found := render.Run(&assembly.Plan{Units: []*assembly.Unit{f.unit}})
	return out[0], found
}

// describe writes down a rendering as the goldens do: the text, then what
// lies in it and what was found.
func describe(r *assembly.Rendering, found diag.List) (text, facts string) {
	var b bytes.Buffer
	for _, it := range r.Items {
		fmt.Fprintf(&b, "item %s %q\n", it.Name, short(r.Text.Str[it.Start:it.End]))
	}
	for _, s := range r.Slots {
		fmt.Fprintf(&b, "slot %s at %d: %q\n", s.Slot.Name.Str, s.Start, r.Text.Str[s.Start:s.End])
	}
	for _, c := range r.Cuts {
		fmt.Fprintf(&b, "cut %s %d of %d, limit %d\n", c.File.Path, c.Included, c.Original, c.Limit)
	}
	if len(r.Marks) > 0 {
		fmt.Fprintf(&b, "marks %s\n", strings.Join(r.Remarks(), ", "))
	}
	if len(r.Tools) > 0 {
		fmt.Fprintf(&b, "tools %d beside %t\n", len(r.Tools), r.Beside)
	}
	for _, d := range found {
		where := "?"
		if d.Span.Known() {
			line, col := d.Span.File.Position(d.Span.Start)
			where = fmt.Sprintf("%s:%d:%d", d.Span.File.Path, line, col)
		}
		fmt.Fprintf(&b, "%s: %s[%s]: %s\n", where, d.Level, d.Code, wording.Message(d))
		if wording.Hint(d) != "" {
			fmt.Fprintf(&b, "  hint: %s\n", wording.Hint(d))
		}
	}
	return r.Text.Str, b.String()
}

func short(s string) string {
	if len(s) > 48 {
		return s[:24] + "…" + s[len(s)-20:]
	}
	return s
}

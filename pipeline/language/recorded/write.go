package recorded

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Request is what a program sent to a provider.
type Request struct {
	Path string // of the address: /v1/messages
	Body *ground.Node
}

// Kept are requests as a file keeps them.
type Kept struct {
	Text string
	// Requests counts those that differ, Sent all that are kept, and Others those that
	// are not picked.
	Requests, Sent, Others int
	// Misfits say which are not as their provider's shape has it, and are left out.
	Misfits []Misfit
}

// Misfit is a request that is left out. Without a pointer it has no messages.
type Misfit struct{ Path, Pointer string }

// kept is a request in the order of a file.
type kept struct {
	path, model, tool string
	messages          int
	text              string
}

// Keeping says what is kept of requests.
type Keeping struct {
	Pick language.Pick
	// Settle replaces in what a string says what differs from run to run.
	Settle func(string) string
}

// Write gives the file for requests: a JSON object with url and body, or a list of these.
// It is without what differs from run to run. Each request is there once, in an order
// that says nothing of when it came.
func Write(all []Request, how Keeping) Kept {
	var out Kept
	var list []kept
	for _, r := range all {
		one, misfit := keep(r, how)
		switch {
		case misfit != nil:
			out.Misfits = append(out.Misfits, *misfit)
		case one == nil:
			out.Others++
		default:
			out.Sent++
			list = append(list, *one)
		}
	}
	slices.SortFunc(list, func(a, b kept) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.model, b.model), cmp.Compare(a.tool, b.tool),
			cmp.Compare(a.messages, b.messages), cmp.Compare(a.text, b.text))
	})
	list = slices.CompactFunc(list, func(a, b kept) bool { return a.path == b.path && a.text == b.text })
	out.Requests = len(list)
	var texts []string
	for _, k := range list {
		url, body := canon.Value(k.path), strings.ReplaceAll(strings.TrimSuffix(k.text, "\n"), "\n", "\n  ")
		texts = append(texts, "{\n  \"url\": "+url+",\n  \"body\": "+body+"\n}")
	}
	switch len(texts) {
	case 0:
	case 1:
		out.Text = texts[0] + "\n"
	default:
		out.Text = "[\n  " + strings.ReplaceAll(strings.Join(texts, ",\n"), "\n", "\n  ") + "\n]\n"
	}
	return out
}

// keep gives what is kept of a request: nil for one that is not picked.
func keep(r Request, how Keeping) (*kept, *Misfit) {
	path := strings.Replace(r.Path, ":streamGenerateContent", ":generateContent", 1)
	name := endpoint(path)
	if name == "" {
		return nil, &Misfit{Path: r.Path}
	}
	body, bad := request.Decode(lookup(name), settled(r.Body, how.Settle, ""))
	switch {
	case bad != nil:
		return nil, &Misfit{r.Path, cmp.Or(bad.Pointer, "/")}
	case body.NoList:
		return nil, &Misfit{Path: r.Path}
	}
	slices.SortStableFunc(body.Settings, func(a, b ground.Field) int { return cmp.Compare(a.Key, b.Key) })
	out := &kept{path: path, model: modelOf(exchange{url: path, body: r.Body}), messages: len(body.Messages)}
	var tools []string
	for _, t := range body.Tools {
		tools = append(tools, toolNames(t.Node)...)
	}
	if len(tools) > 0 {
		out.tool = tools[0]
	}
	if !picked(how.Pick, out.model, tools, body) {
		return nil, nil //nolint:nilnil // said above
	}
	out.text = request.NewEncoder().Encode(body).Text()
	return out, nil
}

// picked reports whether a request has all that is asked for.
func picked(p language.Pick, model string, tools []string, body *request.Body) bool {
	says := func(t ground.Text) bool { return strings.Contains(t.Str, p.Contains.Str) }
	return (p.Model.Str == "" || p.Model.Str == model) &&
		(p.Tool.Str == "" || slices.Contains(tools, p.Tool.Str)) &&
		(p.Contains.Str == "" || slices.ContainsFunc(body.Texts(), says))
}

// prose are the keys whose strings people or programs wrote as text, and whole those
// with values of any shape in which all strings are such: what goes to a tool, and what
// comes from it. Models, roles, types, names and schemas are none.
var (
	prose = []string{"text", "content", "instructions", "input", "system", "description", "arguments", "output", "thinking", "summary"}
	whole = []string{"args", "arguments", "response", "output"}
)

// settled gives a value with its texts settled. Key is that under which it stands, "*"
// for any below one of whole.
func settled(n *ground.Node, settle func(string) string, key string) *ground.Node {
	if n == nil {
		return nil
	}
	out := *n
	if n.Kind == ground.String && (key == "*" || slices.Contains(prose, key)) {
		out.Text = ground.Literal(settle(n.Text.Str))
	}
	out.Items, out.Fields = nil, nil
	for _, item := range n.Items {
		out.Items = append(out.Items, settled(item, settle, key))
	}
	below := func(f ground.Field) string {
		switch {
		case key == "*", slices.Contains(whole, key), key == "input" && n.Field("role") == nil && n.Field("type") == nil:
			return "*"
		default:
			return f.Key
		}
	}
	for _, f := range n.Fields {
		f.Value = settled(f.Value, settle, below(f))
		out.Fields = append(out.Fields, f)
	}
	return &out
}

// Package recorded takes files apart in which tests, proxies and logs keep the
// requests that a program sent.
package recorded

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Found is what a file holds.
type Found struct {
	// Entries are the requests to providers, in the order of the file; those of one
	// conversation are one.
	Entries []language.Saved
	// Others counts the requests that go elsewhere or ask for something else, and the
	// lines of a log that hold none.
	Others int
	// Recording says that the file is a recording, whatever it holds.
	Recording bool
	Bad       diag.List
}

// Parse reads a text as JSON, with the places that the text has; false where it is
// none.
type Parse func(ground.Text) (*ground.Node, bool)

// Read finds the requests in what a file says.
func Read(root *ground.Node, how language.How, parse Parse) Found {
	f := newFinder(how, parse)
	f.file(root)
	return f.done()
}

// Lines finds the requests in the lines of a file, nil for those that are no JSON.
func Lines(lines []*ground.Node, how language.How, parse Parse) Found {
	f := newFinder(how, parse)
	if how.Pointer == "" && slices.Contains(lines, nil) {
		return Found{} // a text that begins like JSON
	}
	for _, n := range lines {
		f.record(n)
	}
	return f.done()
}

// finder collects the requests of a file.
type finder struct {
	how   language.How
	parse Parse
	out   Found
	sent  []sent
	// parsed are the bodies that were read from a string: aliases share these.
	parsed map[*ground.Node]*ground.Node
	// room is how many bytes compressed bodies may still become.
	room int
}

func newFinder(how language.How, parse Parse) *finder {
	return &finder{how: how, parse: parse, parsed: map[*ground.Node]*ground.Node{}, room: maxInflated}
}

// sent is one request.
type sent struct {
	model  string
	inPath string // the model, where the address has it
	at     diag.Span
	body   *request.Body
	tools  []*ground.Node
}

// file takes a file for a recording of a known form, a list, or one value.
func (f *finder) file(root *ground.Node) {
	for _, form := range forms {
		list := form.list(root)
		if list == nil {
			continue
		}
		f.out.Recording = true
		if f.how.Pointer != "" {
			f.bad(list, "pointer-in-recording", "remove-pointer")
			return
		}
		for _, n := range list.Items {
			f.exchange(form.read(f, n))
		}
		return
	}
	if root.Kind != ground.Sequence {
		f.record(root)
		return
	}
	for _, n := range root.Items {
		f.record(n)
	}
}

func (f *finder) bad(n *ground.Node, key, hint string, args ...any) {
	f.out.Bad = append(f.out.Bad, diag.New(diag.BodyShape, n.At.FirstLine(), key, args...).WithHint(hint))
}

// record takes one value of a list, a log, or a file: what the pointer leads to, a
// request with its address, or a body.
func (f *finder) record(n *ground.Node) {
	if f.how.Pointer != "" {
		body := n
		for step := range strings.SplitSeq(strings.TrimPrefix(f.how.Pointer, "/"), "/") {
			body = body.Step(strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
		f.exchange(exchange{body: f.json(body), at: body})
		return
	}
	if url := addressOf(n); url != "" && endpoint(url) != "" {
		f.exchange(exchange{url: url, body: f.json(n.Field("body")), at: n})
		return
	}
	f.exchange(exchange{body: n, at: n})
}

// addressOf gives where a request goes that stands beside its body, as in files for
// batches.
func addressOf(n *ground.Node) string {
	for _, key := range []string{"url", "uri", "path", "endpoint"} {
		if at := n.Field(key); at != nil && at.Kind == ground.String && n.Field("body") != nil {
			return at.Scalar()
		}
	}
	return ""
}

// json gives a body that stands as it is, or as JSON in a string; nil for none.
func (f *finder) json(n *ground.Node) *ground.Node {
	if n == nil || n.Kind != ground.String {
		return n
	}
	if known, ok := f.parsed[n]; ok {
		return known
	}
	out, _ := f.parse(n.Text)
	f.parsed[n] = out
	return out
}

// exchange takes a request for an entry if it goes to a provider.
func (f *finder) exchange(x exchange) {
	d := f.dialect(x)
	if d == nil {
		f.out.Others++
		return
	}
	if fits := request.Recognise(x.body); f.how.Dialect == d.Name && len(fits) > 0 && !request.MayBe(d, x.body) {
		f.bad(x.body, "body-of-other-dialect", "as-text-or-dialect", fits[0].Name, d.Name)
		return
	}
	body, bad := request.Decode(d, x.body)
	if bad != nil {
		at := x.body
		if bad.At.Known() {
			at = &ground.Node{At: bad.At}
		}
		f.bad(at, "body-misfit", "as-text-or-dialect", d.Name, bad.Pointer, wanted(bad.Want))
		return
	}
	if body.NoList {
		if f.how.Dialect == d.Name && x.url == "" {
			f.bad(x.body, "body-without-messages", "as-text-or-dialect", d.Name)
		} else {
			f.out.Others++
		}
		return
	}
	s := sent{model: modelOf(x), at: x.at.At, body: body}
	if x.body.Field("model") == nil {
		s.inPath = s.model
	}
	for _, t := range body.Tools {
		s.tools = append(s.tools, t.Node)
	}
	f.sent = append(f.sent, s)
}

// wanted names a kind of values.
func wanted(kind ground.NodeKind) diag.Words {
	switch kind {
	case ground.Sequence:
		return diag.Say("type-array")
	case ground.Mapping:
		return diag.Say("type-object")
	default:
		return diag.Say("type-string")
	}
}

// dialect gives the dialect of a request, nil for one that is no provider's: what
// the manifest says, what its address says, or what its body looks like.
func (f *finder) dialect(x exchange) *ground.Dialect {
	if x.body == nil || x.body.Kind != ground.Mapping {
		return nil
	}
	name := endpoint(x.url)
	if f.how.Dialect != "" && (name == "" || name == f.how.Dialect) {
		name = f.how.Dialect
	}
	if name != "" {
		if d := lookup(name); x.body.Field(listOf[name]) != nil || f.how.Dialect == name {
			return d
		}
		return nil // to the same path of another service
	}
	switch fits := request.Recognise(x.body); {
	case len(fits) == 0, x.url != "" && (len(fits) > 1 || x.body.Field("input") != nil):
		return nil // something else, or through a gateway whose requests tell nothing
	case len(fits) == 1:
		return fits[0]
	default:
		f.bad(x.body, "body-fits-several", "say-dialect-beside", fits[0].Name, fits[1].Name)
		return nil
	}
}

// listOf has the key of the messages in each dialect.
var listOf = map[string]string{"openai-chat": "messages", "openai-responses": "input", "anthropic": "messages", "gemini": "contents", "ollama": "messages"}

// lookup gives the dialect of a name in which bodies are read.
func lookup(name string) *ground.Dialect {
	all := ground.BodyDialects()
	return all[slices.IndexFunc(all, func(d *ground.Dialect) bool { return d.Name == name })]
}

// modelChars are what names of models are made of.
const modelChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@"

// modelOf gives the name of the model: Gemini's stands in the address, and so does the
// deployment that stands for one with Azure.
func modelOf(x exchange) string {
	if model := x.body.Field("model").Scalar(); model != "" {
		return strings.TrimPrefix(model, "models/")
	}
	for _, mark := range []string{"/models/", "/deployments/"} {
		if _, rest, ok := strings.Cut(x.url, mark); ok {
			return rest[:len(rest)-len(strings.TrimLeft(rest, modelChars))]
		}
	}
	return ""
}

// unlikely are characters that no value of an axis has.
var unlikely = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// done puts the requests of one conversation together and names the entries: after
// the model, the first tool and a number, so that another request leaves the names
// of those before it alone.
func (f *finder) done() Found {
	count := map[string]int{}
	all := conversations(f.sent)
	for _, c := range all {
		name := c.model
		if len(c.tools) > 0 {
			name += " " + toolName(c.tools[0])
		}
		if name = unlikely.ReplaceAllString(strings.TrimSpace(name), "-"); name == "" {
			name = c.body.Dialect.Name
		}
		count[name]++
		name += "-" + strconv.Itoa(count[name])
		f.out.Entries = append(f.out.Entries, language.Saved{
			Name: name, NameAt: c.at.FirstLine(), At: c.at, Value: said(c.body), IsText: true,
			Sent: &language.Sent{Body: c.body, Model: c.inPath, Tools: c.tools, Turns: c.turns, Break: c.breaks},
		})
	}
	for i, c := range all {
		if c.breaks != nil {
			f.out.Entries[i].Sent.Break.Of = &f.out.Entries[c.broken]
		}
	}
	return f.out
}

// said gives all that a body says, one after another.
func said(b *request.Body) ground.Text {
	var out ground.Builder
	for _, t := range b.Texts() {
		out.WriteText(t)
	}
	return out.Text()
}

// toolName gives the name of a tool as any shape writes it, "" for none.
func toolName(n *ground.Node) string {
	if names := toolNames(n); len(names) > 0 {
		return names[0]
	}
	return ""
}

// toolNames gives the names of the tools that one entry of a list defines: Gemini's has
// several.
func toolNames(n *ground.Node) (out []string) {
	for _, key := range []string{"functionDeclarations", "function_declarations"} {
		for _, one := range n.Field(key).List() {
			out = append(out, toolNames(one)...)
		}
	}
	if out != nil {
		return out
	}
	for _, name := range []*ground.Node{n.Field("name"), n.Field("function").Field("name"), n.Field("type")} {
		if name.Scalar() != "" {
			return []string{name.Scalar()}
		}
	}
	if len(n.Entries()) > 0 {
		return []string{n.Fields[0].Key}
	}
	return nil
}

package validate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolReader brings the tool definitions of one file into the form of the
// Model Context Protocol.
type toolReader struct {
	checker *checker
	file    *diag.File
	found   diag.List
	tools   []*prompt.Tool
}

// read gives the tools of a file in its order. A value that is no definition
// is a finding.
func (r *toolReader) read(data *prompt.Node) []*prompt.Tool {
	if data == nil {
		return nil // empty, which the source's `absent` decides on
	}
	if size(data, maxFileNodes) > maxFileNodes {
		r.found = append(r.found, diag.New(diag.TooLargeToCheck, firstLine(data.At), "the file holds more than %s values", diag.Number(maxFileNodes)).
			WithHint("divide the file"))
		return nil
	}
	r.any(data, false, 0)
	names := newDistinct("tool")
	d := decoder{}
	for _, t := range r.tools {
		d.once(names, prompt.Word{Str: t.Name, At: t.NameAt})
	}
	r.found = append(r.found, d.found...)
	return r.tools
}

// maxWrappers bounds how deep definitions may be wrapped: a JSON-RPC response
// with a result with a list of Gemini declarations is four.
const maxWrappers = 6

// any reads whatever may hold definitions. declared says that it stands in a
// list of Gemini's function declarations.
func (r *toolReader) any(n *prompt.Node, declared bool, depth int) {
	if n.Kind == prompt.Sequence && depth < maxWrappers {
		for _, item := range n.Items {
			r.any(item, declared, depth+1)
		}
		return
	}
	if n.Kind != prompt.Mapping || depth >= maxWrappers {
		r.unknown(n, "a tool definition is %s; expected a mapping", is(n))
		return
	}
	if inner, consumed := wrapped(n); inner != nil {
		r.leftOver(n, consumed)
		if cursor := n.Field("nextCursor"); cursor.Scalar() != "" && cursor.Kind != prompt.Null {
			r.found = append(r.found, diag.New(diag.PartialToolList, firstLine(cursor.At), "the list of tools goes on: it has a \"nextCursor\"").
				WithHint("fetch the further pages and join them under one `tools`"))
		}
		r.any(inner, consumed[0] == "functionDeclarations" || consumed[0] == "function_declarations", depth+1)
		return
	}
	s := r.shape(n, declared)
	if s == nil {
		return
	}
	r.definition(n, s)
}

// wrappers are the mappings around lists of tools: the key with the tools
// first, then what else may stand there without a word.
var wrappers = [][]string{
	{"tools", "resultType", "nextCursor", "ttlMs", "cacheScope", "_meta", "$schema"},
	{"result", "jsonrpc", "id"},
	{"functionDeclarations"},
	{"function_declarations"},
}

// wrapped gives what a mapping around tools holds, nil where it is none.
func wrapped(n *prompt.Node) (inner *prompt.Node, consumed []string) {
	if len(signalsOf(n)) > 0 || n.Field("name") != nil || n.Field("type") != nil {
		return nil, nil
	}
	for _, w := range wrappers {
		if inner := n.Field(w[0]); inner != nil {
			return inner, w
		}
	}
	return nil, nil
}

func (r *toolReader) definition(n *prompt.Node, s *shape) {
	broken := false
	for _, v := range r.checker.check("tools#/definitions/"+s.name, n) {
		r.found = append(r.found, v.diagnostics()...)
		broken = true
	}
	body, known := n, s.outer
	if s.body != "" {
		r.beyond(n, s.outer)
		if body = n.Field(s.body); body == nil || body.Kind != prompt.Mapping {
			return
		}
		known = s.known
	}
	r.beyond(body, known)
	name := body.Field("name")
	if broken || !r.name(name) {
		return
	}
	t := &prompt.Tool{
		Name:        name.Text.Str,
		Title:       said(body.Field("title")),
		Description: said(body.Field("description")),
		File:        r.file,
		At:          n.At,
		NameAt:      name.At,
	}
	if d := body.Field("description"); d != nil {
		t.DescAt, t.DescText = d.At, d.Text
	}
	t.Input = r.input(body, s, t.Name)
	output := schemaUnder(body, s.output, s)
	if output != nil {
		r.schema(output, "the output schema of "+quote(t.Name))
	}
	c := canonical{own: map[string]*prompt.Node{"inputSchema": t.Input, "outputSchema": output}}
	if s.body != "" {
		c.add(n, s.outer)
	}
	c.add(body, append(slices.Clip(known), "title"))
	t.Strict = c.own["strict"].Scalar() == "true"
	t.Canonical = c.text()
	r.tools = append(r.tools, t)
}

// said gives a text, "" for null.
func said(n *prompt.Node) string {
	if n == nil || n.Kind != prompt.String {
		return ""
	}
	return n.Text.Str
}

// leftOver reports the keys around a list of tools that nothing is done with.
func (r *toolReader) leftOver(n *prompt.Node, known []string) {
	for i, f := range n.Fields {
		if slices.Contains(known, f.Key) {
			continue
		}
		found := diag.New(diag.DroppedToolField, f.KeyAt, "%s of the list of tools is dropped", quote(f.Key))
		if i < maxHints {
			found = withNear(found, f.Key, known)
		}
		r.found = append(r.found, found)
	}
}

var (
	possibleName = regexp.MustCompile(`^[A-Za-z0-9_.:/-]+$`)
	// portableName is what the Model Context Protocol recommends.
	portableName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
)

// name checks the name of a tool and reports whether it can be used.
func (r *toolReader) name(n *prompt.Node) bool {
	name := n.Scalar()
	switch {
	case name == "":
		r.found = append(r.found, diag.New(diag.BadToolName, n.At, "a tool's name is empty").
			WithHint("name it with letters, digits, '_' and '-'"))
		return false
	case !possibleName.MatchString(name):
		what := "a character that no provider takes"
		if odd, ok := chars.InName(name); ok {
			what = odd.Says()
		}
		r.found = append(r.found, diag.New(diag.BadToolName, n.At, "the tool name %s holds %s", quote(name), what).
			WithHint("use letters, digits, '_' and '-'"))
		return false
	case !portableName.MatchString(name):
		r.found = append(r.found, diag.New(diag.UnportableToolName, n.At, "some providers refuse the tool name %s", quote(name)).
			WithHint("use at most 64 letters, digits, '_' and '-'"))
	}
	return true
}

func (r *toolReader) unknown(n *prompt.Node, format string, args ...any) {
	r.found = append(r.found, diag.New(diag.UnknownToolShape, firstLine(n.At), format, args...).
		WithHint("a definition has %s", strings.Join(shapeHints, ", ")))
}

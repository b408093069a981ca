package lint

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// provider is what a provider documents, or its API enforces, about tools. A
// limit of 0 is none.
type provider struct {
	dialect string
	name    *regexp.Regexp // of a tool; anything else is refused
	safe    int            // bytes of a name that every model takes
	tools   int            // in a request
	advised int            // tools in a request
	long    int            // runes of a description that some servers still refuse
	strict  bool           // a definition can say it
	// rules are the rules that a schema has to keep.
	rules []rule
	// limits are the limits on all strict tools of a request together.
	limits strictLimits
}

// lostFields are the fields of the Model Context Protocol that no provider's
// requests have. From its specification of 2026-07-28, and from the providers'
// documentation, 2026-11: the references of their requests' tools.
var lostFields = []string{"title", "outputSchema", "annotations", "icons", "execution", "_meta"}

// providers has a row for each dialect that is a request. From the providers'
// documentation, 2026-11: OpenAI's guide "Function calling" and the reference of
// its API, Anthropic's pages on tool use and "Structured outputs" (the limits on
// strict tools), Gemini's reference of FunctionDeclaration. From error messages of the APIs: OpenAI's 128
// tools, Anthropic's 128 characters of a name (64 are documented), and Gemini's
// former 64. OpenAI itself takes longer descriptions since 2025; other servers
// still answer with an error.
var providers = []provider{
	{
		dialect: "openai-chat", name: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), tools: 128, advised: 20, long: 1024,
		strict: true, rules: openAIRules,
	},
	{
		dialect: "openai-responses", name: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), tools: 128, advised: 20, long: 1024,
		strict: true, rules: openAIRules,
	},
	{
		dialect: "anthropic", name: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`), safe: 64,
		strict: true, rules: anthropicRules, limits: strictLimits{tools: 20, optional: 24, unions: 16},
	},
	{
		dialect: "gemini", name: regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`), safe: 64, tools: 512,
		rules: geminiRules,
	},
}

// requested is one prompt in one dialect, with all tools that go with it.
type requested struct {
	build   *prompt.Build
	dialect string
}

type toolbox struct {
	provider provider
	tools    []*prompt.Tool
	met      map[*prompt.Tool]bool
	number   tally // over the limit
	many     tally // over the advice
	strict   [3]tally
}

// tools judges the tools that go with requests: each definition once for a
// prompt and a dialect, and their numbers.
func (s *scope) tools(artifacts []*prompt.Artifact) diag.List {
	var all ordered[requested, toolbox]
	counts := map[*prompt.Tool]strictLimits{}
	for _, a := range artifacts {
		d := dialectOf(a)
		i := slices.IndexFunc(providers, func(p provider) bool { return p.dialect == d.Name })
		if !d.JSON || i < 0 || len(a.Beside) == 0 {
			continue
		}
		box := all.of(requested{a.Build, d.Name})
		box.provider = providers[i]
		box.add(a, counts)
	}
	var out diag.List
	for _, key := range all.keys {
		box := all.values[key]
		out = append(out, s.numbers(key.build, box)...)
		for _, t := range box.tools {
			out = append(out, box.provider.tool(t)...)
		}
		out = append(out, box.leftOut(key.build)...)
	}
	return out
}

func (box *toolbox) add(a *prompt.Artifact, counts map[*prompt.Tool]strictLimits) {
	p := box.provider
	if n := len(a.Beside); p.tools > 0 && n > p.tools {
		box.number.add(a, n)
	} else if p.advised > 0 && n > p.advised {
		box.many.add(a, n)
	}
	if box.met == nil {
		box.met = map[*prompt.Tool]bool{}
	}
	var sum strictLimits
	for _, t := range a.Beside {
		if !box.met[t] {
			box.met[t] = true
			box.tools = append(box.tools, t)
		}
		if t.Strict {
			sum = sum.plus(t, counts)
		}
	}
	for i, row := range p.limits.rows(sum) {
		if row.limit > 0 && row.n > row.limit {
			box.strict[i].add(a, row.n)
		}
	}
}

// numbers reports requests with too many tools.
func (s *scope) numbers(b *prompt.Build, box *toolbox) diag.List {
	var out diag.List
	p, id := box.provider, b.Prompt.ID
	report := func(t tally, level diag.Level, hint, format string, args ...any) {
		if !t.any {
			return
		}
		d := diag.New(diag.TooManyTools, at(id.At), format, args...).WithHint("%s", hint)
		d.Level = level
		out = append(out, s.among(d, b, t.users))
	}
	fewer := "select fewer with only"
	report(box.number, diag.Error, fewer, "%q sends %s; %q takes %d", id.Str, box.number.amount("tool"), p.dialect, p.tools)
	report(box.many, diag.Note, fewer, "%q sends %s; for %q some %d are advised", id.Str, box.many.amount("tool"), p.dialect, p.advised)
	for i, row := range p.limits.rows(strictLimits{}) {
		report(box.strict[i], diag.Error, "let fewer tools be strict",
			"%q sends %s; %q takes %d", id.Str, box.strict[i].amount(row.noun), p.dialect, row.limit)
	}
	return out
}

// tool judges one definition.
func (p provider) tool(t *prompt.Tool) diag.List {
	var out diag.List
	switch {
	case !p.name.MatchString(t.Name):
		out.Add(diag.ToolNameRefused, at(t.NameAt, t.At), "%q refuses the tool name %q", p.dialect, t.Name)
		out[0].Hint = "use at most 64 letters, digits, '_' and '-', and begin with a letter"
	case p.safe > 0 && len(t.Name) > p.safe:
		d := diag.New(diag.ToolNameRefused, at(t.NameAt, t.At), "the tool name %q has %d characters; some models of %q take %d", t.Name, len(t.Name), p.dialect, p.safe)
		d.Level = diag.Warning
		out = append(out, d.WithHint("shorten it"))
	}
	if n := utf8.RuneCountInString(t.Description); p.long > 0 && n > p.long {
		out = append(out, diag.New(diag.LongToolDescription, at(t.DescAt, t.NameAt, t.At),
			"the description of the tool %q has %s; some servers that speak %q take %s", t.Name, number(n, "character"), p.dialect, diag.Number(p.long)).
			WithHint("shorten it, or say the rest in the text"))
	}
	return append(out, p.schema(t)...)
}

// leftOut reports the fields of definitions that the dialect has no place for,
// in one note.
func (box *toolbox) leftOut(b *prompt.Build) diag.List {
	tools := make([][]string, len(lostFields)+1) // by field
	var first *prompt.Tool
	for _, t := range box.tools {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(t.Canonical), &fields) != nil {
			continue // canonical JSON is valid
		}
		for i, name := range lostFields {
			if _, ok := fields[name]; ok {
				tools[i] = append(tools[i], t.Name)
				first = firstTool(first, t)
			}
		}
		if t.Strict && !box.provider.strict {
			tools[len(lostFields)] = append(tools[len(lostFields)], t.Name)
			first = firstTool(first, t)
		}
	}
	if first == nil {
		return nil
	}
	var names, lines []string
	for i, name := range append(slices.Clone(lostFields), "strict") {
		if len(tools[i]) > 0 {
			names = append(names, name)
			lines = append(lines, fmt.Sprintf("%q of %s", name, named(tools[i])))
		}
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	return diag.List{diag.New(diag.ToolFieldLeftOut, at(first.NameAt, first.At), "%q has no place for %s, which %s left out of the tools of %q",
		box.provider.dialect, named(names), verb, b.Prompt.ID.Str).WithDetail(lines...).
		WithHint("nothing needs to be done, unless the model is to know it: then say it in the description")}
}

func firstTool(first, t *prompt.Tool) *prompt.Tool {
	if first == nil {
		return t
	}
	return first
}

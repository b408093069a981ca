package lint

import (
	"fmt"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/match"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// provider is what a provider documents, or its API enforces, about tools. A
// limit of 0 is none.
type provider struct {
	dialect string
	name    match.Word // of a tool; anything else is refused
	lenient bool       // of the name, which is advice
	safe    int        // bytes of a name that every model takes
	tools   int        // in a request
	advised int        // tools in a request
	long    int        // runes of a description that some servers still refuse
	strict  bool       // a definition can say it
	// rules are the rules that a schema has to keep.
	rules []rule
	// limits are the limits on all strict tools of a request together.
	limits strictLimits
}

// lostFields are the fields of the Model Context Protocol that no provider's
// requests have. From its specification of 2026-07-28, and from the providers'
// documentation, 2026-11: the references of their requests' tools.
var lostFields = []string{"title", "outputSchema", "annotations", "icons", "execution", "_meta"}

// providers has a row for each of prompt.ToolTakers. From the specification of
// the Model Context Protocol, 2026-07-28, which says "should" of names. From the
// providers' documentation, 2026-11: OpenAI's guide "Function calling" and the
// reference of its API, Anthropic's pages on tool use and "Structured outputs"
// (the limits on strict tools), Gemini's reference of FunctionDeclaration. From
// error messages of the APIs: OpenAI's 128 tools, Anthropic's 128 characters of
// a name (64 are documented), and Gemini's former 64. OpenAI itself takes longer
// descriptions since 2025; other servers still answer with an error.
var providers = []provider{
	{dialect: prompt.MCP, name: match.Word{Rest: "a-zA-Z0-9_.-", Max: 128}, lenient: true},
	{
		dialect: "openai-chat", name: match.Word{Rest: "a-zA-Z0-9_-", Max: 64}, tools: 128, advised: 20, long: 1024,
		strict: true, rules: openAIRules,
	},
	{
		dialect: "openai-responses", name: match.Word{Rest: "a-zA-Z0-9_-", Max: 64}, tools: 128, advised: 20, long: 1024,
		strict: true, rules: openAIRules,
	},
	{
		dialect: "anthropic", name: match.Word{Rest: "a-zA-Z0-9_-", Max: 128}, safe: 64,
		strict: true, rules: anthropicRules, limits: strictLimits{tools: 20, optional: 24, unions: 16},
	},
	{
		dialect: "gemini", name: match.Word{First: "a-zA-Z_", Rest: "a-zA-Z0-9_.:-", Max: 128}, safe: 64, tools: 512,
		rules: geminiRules,
	},
}

// Objections says what each of prompt.ToolTakers has against the tools, if they
// went with one request: in their order, and against all together last.
func Objections(tools []*prompt.Tool) []prompt.Objection {
	var out []prompt.Objection
	counts := map[*prompt.Tool]strictLimits{}
	for _, p := range providers {
		for _, t := range tools {
			out = append(out, p.tool(t)...)
		}
		var sum strictLimits
		for _, t := range tools {
			if t.Strict {
				sum = sum.plus(t, counts)
			}
		}
		out = append(out, p.number(len(tools), sum)...)
	}
	return out
}

// number judges how many tools there are.
func (p provider) number(n int, strict strictLimits) []prompt.Objection {
	var out []prompt.Objection
	against := func(level diag.Level, noun string, n, most int) {
		message, says := "%s; %q takes %d", "%s; %d are taken"
		if level == diag.Note {
			message, says = "%s; for %q some %d are advised", "%s; some %d are advised"
		}
		d := diag.New(diag.TooManyTools, diag.Span{}, message, number(n, noun), p.dialect, most)
		d.Level = level
		out = append(out, prompt.Objection{Taker: p.dialect, Reason: "count", Says: fmt.Sprintf(says, number(n, noun), most), Finding: d})
	}
	switch {
	case p.tools > 0 && n > p.tools:
		against(diag.Error, "tool", n, p.tools)
	case p.advised > 0 && n > p.advised:
		against(diag.Note, "tool", n, p.advised)
	}
	for _, row := range p.limits.rows(strict) {
		if row.limit > 0 && row.n > row.limit {
			against(diag.Error, row.noun, row.n, row.limit)
		}
	}
	return out
}

// tool judges one definition.
func (p provider) tool(t *prompt.Tool) []prompt.Objection {
	var out []prompt.Objection
	if o, ok := p.named(t); !ok {
		out = append(out, o)
	}
	if n := utf8.RuneCountInString(t.Description); p.long > 0 && n > p.long {
		d := diag.New(diag.LongToolDescription, at(t.DescAt, t.NameAt, t.At),
			"the description of the tool %q has %s; some servers that speak %q take %s", t.Name, number(n, "character"), p.dialect, diag.Number(p.long)).
			WithHint("shorten it, or say the rest in the text")
		out = append(out, prompt.Objection{
			Taker: p.dialect, Tool: t, Reason: "length", Finding: d,
			Says: "the description has " + number(n, "character") + "; some servers take " + diag.Number(p.long),
		})
	}
	return append(out, p.schema(t)...)
}

// What names are advised.
const (
	portableName = "use at most 64 letters, digits, '_' and '-', and begin with a letter"
	protocolName = "use at most 128 letters, digits, '_', '.' and '-'"
)

// named judges the name of a tool; ok says that there is nothing against it.
func (p provider) named(t *prompt.Tool) (o prompt.Objection, ok bool) {
	o = prompt.Objection{Taker: p.dialect, Tool: t, Reason: "name"}
	place := at(t.NameAt, t.At)
	switch {
	case !p.name.MatchString(t.Name) && p.lenient:
		o.Says = "it " + p.name.Breach(t.Name)
		o.Finding = diag.New(diag.ToolNameRefused, place, "%q advises against the tool name %q", p.dialect, t.Name).WithHint(protocolName)
		o.Finding.Level = diag.Warning
	case !p.name.MatchString(t.Name):
		o.Says = "it " + p.name.Breach(t.Name)
		o.Finding = diag.New(diag.ToolNameRefused, place, "%q refuses the tool name %q", p.dialect, t.Name).WithHint(portableName)
	case p.safe > 0 && len(t.Name) > p.safe:
		o.Says = fmt.Sprintf("it has %d characters; some models take %d", len(t.Name), p.safe)
		o.Finding = diag.New(diag.ToolNameRefused, place, "the tool name %q has %d characters; some models of %q take %d", t.Name, len(t.Name), p.dialect, p.safe).
			WithHint("shorten it")
		o.Finding.Level = diag.Warning
	default:
		return o, true
	}
	return o, false
}

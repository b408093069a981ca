package lint

import (
	"fmt"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// provider is what a provider documents, or its API enforces, about tools. A
// limit of 0 is none.
type provider struct {
	dialect string
	name    nameRule // of a tool; anything else is refused
	lenient bool     // of the name, which is advice
	safe    int      // bytes of a name that every model takes
	tools   int      // in a request
	advised int      // tools in a request
	long    int      // runes of a description that some servers still refuse
	strict  bool     // a definition can say it
	// rules are the rules that a schema has to keep.
	rules []rule
	// limits are the limits on all strict tools of a request together.
	limits strictAmounts
}

// nameRule is the form of a name: what it begins with, of what all of it is, and
// the most characters.
type nameRule struct {
	first, rest *regexp.Regexp
	most        int
}

// nameOf makes a rule of the classes of the first character and of all.
func nameOf(first, rest string, most int) nameRule {
	return nameRule{regexp.MustCompile(`^` + first), regexp.MustCompile(`^` + rest + `*`), most}
}

// breach says what keeps a text from being such a name; "" where nothing does.
func (r nameRule) breach(s string) string {
	other := s[len(r.rest.FindString(s)):]
	switch {
	case s == "":
		return "is empty"
	case other == "" && !r.first.MatchString(s):
		return "begins with " + character(s)
	case other != "":
		return "has " + character(other)
	case len(s) > r.most:
		return fmt.Sprintf("has %d characters; %d are taken", len(s), r.most)
	}
	return ""
}

// character names the first character of a text.
func character(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return "what is no text"
	case r == ' ':
		return "a blank"
	case !unicode.IsGraphic(r):
		return fmt.Sprintf("a %U", r)
	}
	return "a '" + string(r) + "'"
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
	{dialect: prompt.MCP, name: nameOf(`[a-zA-Z0-9_.-]`, `[a-zA-Z0-9_.-]`, 128), lenient: true},
	{
		dialect: "openai-chat", name: nameOf(`[a-zA-Z0-9_-]`, `[a-zA-Z0-9_-]`, 64), tools: 128, advised: 20, long: 1024,
		strict: true, rules: openAIRules,
	},
	{
		dialect: "openai-responses", name: nameOf(`[a-zA-Z0-9_-]`, `[a-zA-Z0-9_-]`, 64), tools: 128, advised: 20, long: 1024,
		strict: true, rules: openAIRules,
	},
	{
		dialect: "anthropic", name: nameOf(`[a-zA-Z0-9_-]`, `[a-zA-Z0-9_-]`, 128), safe: 64,
		strict: true, rules: anthropicRules, limits: strictAmounts{tools: 20, optional: 24, unions: 16},
	},
	{
		dialect: "gemini", name: nameOf(`[a-zA-Z_]`, `[a-zA-Z0-9_.:-]`, 128), safe: 64, tools: 512,
		rules: geminiRules,
	},
}

// Objections says what each of prompt.ToolTakers has against the tools, if they
// went with one request: in their order, and against all together last.
func Objections(tools []*prompt.Tool) []prompt.Objection {
	var out []prompt.Objection
	known := map[*prompt.Tool]strictAmounts{}
	for _, p := range providers {
		for _, t := range tools {
			out = append(out, p.tool(t)...)
		}
		for _, over := range p.over(tools, known) {
			has := number(over.n, over.noun)
			message, says := "%s; %q takes %d", "%s; %d are taken"
			if over.level == diag.Note {
				message, says = "%s; for %q some %d are advised", "%s; some %d are advised"
			}
			d := diag.New(diag.TooManyTools, diag.Span{}, message, has, p.dialect, over.limit)
			d.Level = over.level
			out = append(out, prompt.Objection{Taker: p.dialect, Reason: "count", Says: fmt.Sprintf(says, has, over.limit), Finding: d})
		}
	}
	return out
}

// toolLimit is a limit on all tools of a request together.
type toolLimit struct {
	noun   string
	limit  int
	level  diag.Level
	strict bool
}

// overLimit is an amount that is over a limit.
type overLimit struct {
	toolLimit
	n int
}

// over gives the limits that tools of a request are over. The amounts of each
// strict tool are counted once.
func (p provider) over(tools []*prompt.Tool, known map[*prompt.Tool]strictAmounts) []overLimit {
	var sum strictAmounts
	for _, t := range tools {
		if !t.Strict {
			continue
		}
		n, ok := known[t]
		if !ok {
			n = amountsOf(t)
			known[t] = n
		}
		sum.tools += n.tools
		sum.optional += n.optional
		sum.unions += n.unions
	}
	all := []overLimit{
		{toolLimit{"tool", p.tools, diag.Error, false}, len(tools)},
		{toolLimit{"tool", p.advised, diag.Note, false}, len(tools)},
		{toolLimit{"strict tool", p.limits.tools, diag.Error, true}, sum.tools},
		{toolLimit{"optional strict parameter", p.limits.optional, diag.Error, true}, sum.optional},
		{toolLimit{"union-typed strict parameter", p.limits.unions, diag.Error, true}, sum.unions},
	}
	if p.tools > 0 && len(tools) > p.tools {
		all = slices.Delete(all, 1, 2) // who breaks the limit needs no advice
	}
	return slices.DeleteFunc(all, func(o overLimit) bool { return o.limit == 0 || o.n <= o.limit })
}

// strictAmounts are amounts over strict tools.
type strictAmounts struct {
	tools    int
	optional int // properties that are not required
	unions   int // properties of several types
}

func amountsOf(t *prompt.Tool) strictAmounts {
	n := strictAmounts{tools: 1}
	for _, s := range schemas(t.Input) {
		n.optional += len(optional(s.node))
		if kind := s.node.Field("type"); s.node.Field("anyOf") != nil || kind != nil && len(kind.Items) > 1 {
			n.unions++
		}
	}
	return n
}

// tool judges one definition.
func (p provider) tool(t *prompt.Tool) []prompt.Objection {
	var out []prompt.Objection
	if o, ok := p.named(t); !ok {
		out = append(out, o)
	}
	if n := utf8.RuneCountInString(t.Description); p.long > 0 && n > p.long {
		d := diag.New(diag.LongToolDescription, at(t.DescAt, t.NameAt, t.At),
			"description-tool-some-servers", t.Name, number(n, "character"), p.dialect, diag.Number(p.long)).
			WithHint("shorten-say-rest-text")
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
	case p.name.breach(t.Name) != "" && p.lenient:
		o.Says = "it " + p.name.breach(t.Name)
		o.Finding = diag.New(diag.ToolNameRefused, place, "advises-against-tool-name", p.dialect, t.Name).WithHint(protocolName)
		o.Finding.Level = diag.Warning
	case p.name.breach(t.Name) != "":
		o.Says = "it " + p.name.breach(t.Name)
		o.Finding = diag.New(diag.ToolNameRefused, place, "refuses-tool-name", p.dialect, t.Name).WithHint(portableName)
	case p.safe > 0 && len(t.Name) > p.safe:
		o.Says = fmt.Sprintf("it has %d characters; some models take %d", len(t.Name), p.safe)
		o.Finding = diag.New(diag.ToolNameRefused, place, "tool-name-characters-some", t.Name, len(t.Name), p.dialect, p.safe).
			WithHint("shorten")
		o.Finding.Level = diag.Warning
	default:
		return o, true
	}
	return o, false
}

// openAIRules are OpenAI's, of both its interfaces. What is strict is from the
// providers' documentation, 2026-11: its guide "Structured outputs", supported
// schemas, and for look-around, formats and names under "required" from error
// messages of its API. What is not comes from those, too: it checks schemas by
// 2020-12, and patterns as Python reads them.
var openAIRules = []rule{
	{
		reason: "root", words: "it has %q at its root", hint: "describe the arguments as properties of one object",
		find: rootKeys("oneOf", "anyOf", "allOf", "enum", "not"),
	},
	{reason: "items", words: "%sis an array without \"items\"", hint: `say what the array holds: "items": {"type": "string"}`, find: arraysWithoutItems},
	{
		reason: "pattern", words: "the pattern %q holds what patterns of Python do not: \\p{…} or (?<name>…)",
		hint: "write the characters out, or a group without a name", find: patternsWith(propertyClass, namedGroup),
	},
	{level: diag.Warning, reason: "draft", words: outdated, hint: outdatedHint, find: wherever(olderDrafts)},
	{strict: true, words: "%slacks \"additionalProperties\": false", hint: "say it of every object", find: openObjects},
	{
		strict: true, words: "the property %q is not required",
		hint: `name every property under "required"; let an optional one be null: "type": ["string", "null"]`, find: optionalProperties,
	},
	{strict: true, words: "it requires %q, which is no property", hint: "describe it under \"properties\", or do not require it", find: unknownRequired},
	{
		strict: true, words: "it has the keyword %q", hint: "leave it out, or let the tool not be strict",
		find: keywordsBelow("allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "oneOf", "patternProperties"),
	},
	{strict: true, words: "the pattern %q looks around", hint: "write it without (?=…), (?!…), (?<=…) and (?<!…)", find: patternsWith(lookAround)},
	{
		strict: true, words: "it has the format %q", hint: "say it in the description, or let the tool not be strict",
		find: formatsBut("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
	},
	{strict: true, words: "objects are nested %s deep; " + diag.Number(strictLevels) + " levels are taken", hint: "make it flatter", find: nestedTooDeep},
	{strict: true, words: "it has %s properties; " + diag.Number(strictProperties) + " are taken", hint: "make it smaller", find: tooManyProperties},
	{strict: true, words: "it has %s enum values; " + diag.Number(strictValues) + " are taken", hint: "make it smaller", find: tooManyValues},
	{
		strict: true, hint: "make it smaller", find: tooLongEnums,
		words: "an enum has %s characters; " + diag.Number(strictEnumRunes) + " are taken where it has more than " + diag.Number(strictEnumValues) + " values",
	},
	{strict: true, words: "its names and values have %s characters; " + diag.Number(strictRunes) + " are taken", hint: "make it smaller", find: tooManyCharacters},
}

// anthropicRules are Anthropic's. What is strict is from the providers'
// documentation, 2026-11: the page "Structured outputs", limitations. What is
// not comes from error messages of its API, which checks schemas by 2020-12.
var anthropicRules = []rule{
	{
		reason: "root", words: "it has %q at its root", hint: "describe the arguments as properties of one object",
		find: rootKeys("oneOf", "anyOf", "allOf"),
	},
	{
		reason: "property", words: "the property %s", hint: "use at most 64 letters, digits, '_', '.' and '-'",
		find: propertyNames(nameOf(`[a-zA-Z0-9_.-]`, `[a-zA-Z0-9_.-]`, 64)),
	},
	{reason: "draft", words: outdated, hint: outdatedHint, find: wherever(olderDrafts)},
	{strict: true, words: "%slacks \"additionalProperties\": false", hint: "say it of every object", find: openObjects},
	{
		strict: true, words: "it has the keyword %q", hint: "say it in the description, or let the tool not be strict",
		find: keywords("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems"),
	},
	{strict: true, words: "%sasks for more than one item", hint: "minItems may be 0 or 1; say the rest in the description", find: wherever(manyItems)},
	{
		strict: true, words: "the pattern %q looks around, refers back or asks for the edge of a word",
		hint: "write it without, or say it in the description", find: patternsWith(lookAround, backReference, wordEdge),
	},
	{strict: true, words: "the reference %q leads back to what it stands in", hint: "describe a fixed number of levels, or let the tool not be strict", find: recursion},
	{strict: true, words: "%shas an enum of values that are not simple", hint: "list texts, numbers, true, false or null", find: wherever(complexEnums)},
	{strict: true, words: "the enum values %s differ only in case", hint: "keep one of them", find: caseTwins},
}

// geminiRules are Gemini's. From the providers' documentation, 2026-11: the
// reference of FunctionDeclaration, which asks for names that its API does not
// always insist on. Schemas go out as parametersJsonSchema, which takes any
// keyword.
var geminiRules = []rule{
	{
		level: diag.Warning, reason: "property", words: "the parameter %s",
		hint: "begin with a letter or '_', and use at most 64 letters, digits and '_'",
		find: propertyNames(nameOf(`[a-zA-Z_]`, `[a-zA-Z0-9_]`, 64)),
	},
}

// What is said of what only drafts before 2020-12 have.
const (
	outdated     = "it has %q as it was written before JSON Schema 2020-12"
	outdatedHint = `write "prefixItems" for a list of "items", and the bound itself after "exclusiveMinimum" and "exclusiveMaximum"`
)

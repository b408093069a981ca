package lint

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
)

// requested is one prompt in one dialect, with all tools that go with it.
type requested struct {
	build   *assembly.Build
	dialect string
}

type toolbox struct {
	provider provider
	tools    []*language.Tool
	met      map[*language.Tool]bool
	over     ordered.Map[toolLimit, tally]
}

// sent is a definition in a dialect, which several prompts may send.
type sent struct {
	dialect string
	tool    *language.Tool
}

// tools judges the tools that go with requests by their dialects, and then what
// is so whoever takes them.
func (s *requestSet) tools() diag.List {
	taken := s.taken()
	return slices.Concat(taken, s.definitions(taken), s.alike())
}

// taken judges the tools that go with requests: each definition once for a
// dialect, and their numbers.
func (s *requestSet) taken() diag.List {
	var all ordered.Map[requested, toolbox]
	amounts := map[*language.Tool]strictAmounts{}
	for _, a := range s.artifacts {
		d := a.Variant.Shape()
		i := slices.IndexFunc(providers, func(p provider) bool { return p.dialect == d.Name })
		if !d.JSON || i < 0 || len(a.Beside) == 0 || a.Variant.Sent != nil { // a provider took what was sent
			continue
		}
		box := all.Of(requested{a.Build, d.Name})
		if box.met == nil {
			box.provider, box.met = providers[i], map[*language.Tool]bool{}
		}
		box.add(a, amounts)
	}
	var out diag.List
	var once ordered.Map[sent, diag.List]
	for key, box := range all.All() {
		out = append(out, s.numbers(key.build, box)...)
		for _, t := range box.tools {
			found := once.Get(sent{key.dialect, t})
			if found == nil {
				found = once.Of(sent{key.dialect, t})
				for _, o := range box.provider.tool(t) {
					*found = append(*found, o.Finding)
				}
			}
			for i := range *found {
				(*found)[i].Prompts = append((*found)[i].Prompts, key.build.Prompt.ID.Str)
			}
		}
		out = append(out, box.leftOut(key.build)...)
	}
	for _, found := range once.All() {
		out = append(out, *found...)
	}
	return out
}

func (box *toolbox) add(a *assembly.Artifact, known map[*language.Tool]strictAmounts) {
	for _, t := range a.Beside {
		if !box.met[t] {
			box.met[t] = true
			box.tools = append(box.tools, t)
		}
	}
	for _, over := range box.provider.over(a.Beside, known) {
		box.over.Of(over.toolLimit).add(a, over.n)
	}
}

// numbers reports requests with too many tools.
func (s *requestSet) numbers(b *assembly.Build, box *toolbox) diag.List {
	var out diag.List
	for l, n := range box.over.All() {
		takes, hint := "sends-takes", "select-fewer"
		if l.level == diag.Note {
			takes = "sends-advised"
		}
		if l.strict {
			hint = "let-fewer-be-strict"
		}
		d := diag.New(diag.TooManyTools, at(b.Prompt.ID.At), takes, b.Prompt.ID.Str, n.amount(l.noun), box.provider.dialect, diag.Count(l.limit)).WithHint(hint)
		d.Level = l.level
		out = append(out, s.among(d, b, n.users))
	}
	return out
}

// leftOut reports the fields of definitions that the dialect has no place for,
// in one note.
func (box *toolbox) leftOut(b *assembly.Build) diag.List {
	tools := make([][]string, len(lostFields)+1) // by field
	var first *language.Tool
	for _, t := range box.tools {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(t.Canonical), &fields) != nil {
			continue // canonical JSON is valid
		}
		for i, name := range lostFields {
			if _, ok := fields[name]; ok {
				tools[i] = append(tools[i], t.Name)
				first = cmp.Or(first, t)
			}
		}
		if t.Strict && !box.provider.strict {
			tools[len(lostFields)] = append(tools[len(lostFields)], t.Name)
			first = cmp.Or(first, t)
		}
	}
	if first == nil {
		return nil
	}
	var names diag.Names
	var lines []diag.Words
	for i, name := range append(slices.Clone(lostFields), "strict") {
		if len(tools[i]) > 0 {
			names = append(names, name)
			lines = append(lines, diag.Say("field-of-tools", name, diag.Some(tools[i], shown)))
		}
	}
	d := diag.New(diag.ToolFieldLeftOut, at(first.NameAt, first.At), "no-place-left-out", box.provider.dialect, names, b.Prompt.ID.Str).
		WithDetail(lines...).WithHint("nothing-needs-done-unless")
	d.Prompts = []string{b.Prompt.ID.Str}
	return diag.List{d}
}

// definitionRules are asked of every definition that reaches a model, whoever
// takes it.
var definitionRules = []struct {
	code diag.Code
	// words are the key of a sentence of the tool and the breach.
	words, hint string
	find        func(all []schemaAt) []breach
}{
	{diag.EnumTwins, "schema-has-enum-twins", "keep-one-enum-value", caseTwins},
	{diag.UnknownRequired, "schema-requires-unknown", "describe-or-not-require", unknownRequired},
	{diag.NoValue, "schema-takes-no-value", "correct-or-remove", contradictions},
}

// definitions judges the tools that reach a model, each once. What a provider
// refuses for the same cause was found before.
func (s *requestSet) definitions(before diag.List) diag.List {
	refused := map[diag.Span]bool{}
	for _, d := range before {
		refused[d.Span] = refused[d.Span] || d.Code == diag.StrictRefused
	}
	var out diag.List
	for t, prompts := range shownTools(s.artifacts).All() {
		if t.Provider != "" {
			continue // it has no schema, and its description is the provider's
		}
		add := func(d diag.Diagnostic) {
			d.Prompts = *prompts
			out = append(out, d)
		}
		if strings.TrimSpace(t.Description) == "" {
			add(diag.New(diag.NoToolDescription, at(t.NameAt, t.At), "tool-no-description", t.Name).
				WithHint("say-when-use-model"))
		}
		all := schemas(t.Input)
		for _, r := range definitionRules {
			for _, b := range r.find(all) {
				if d := diag.New(r.code, at(b.at, t.NameAt, t.At), r.words, t.Name, b.args[0]).WithHint(r.hint); !refused[d.Span] {
					add(d)
				}
			}
		}
	}
	return capFindings(out)
}

// Once leaves out the finding that some providers refuse a tool's name if another
// finding at the same place says that the provider it is sent to refuses it.
func Once(found diag.List) diag.List {
	refused := map[diag.Span]bool{}
	for _, d := range found {
		if d.Code == diag.ToolNameRefused {
			refused[d.Span] = true
		}
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.UnportableToolName && refused[d.Span] })
}

// shownTools gives the tools whose definitions reach a model, beside a text or
// in it, in the order in which variants have them, with their prompts. Those
// that are only declared do not.
func shownTools(artifacts []*assembly.Artifact) *ordered.Map[*language.Tool, []string] {
	var all ordered.Map[*language.Tool, []string]
	type use struct {
		build     *assembly.Build
		rendering *assembly.Rendering
	}
	met := map[use]bool{}
	note := func(b *assembly.Build, tools []*language.Tool) {
		id := b.Prompt.ID.Str
		for _, t := range tools {
			if prompts := all.Of(t); len(*prompts) == 0 || (*prompts)[len(*prompts)-1] != id {
				*prompts = append(*prompts, id)
			}
		}
	}
	for _, a := range artifacts {
		note(a.Build, a.Beside)
		for _, p := range a.Parts {
			if r := p.Rendering; r != nil && len(r.Tools) > 0 && r.Text.Str != "" && !met[use{a.Build, r}] {
				met[use{a.Build, r}] = true
				note(a.Build, r.Tools)
			}
		}
	}
	return &all
}

// alike finds tools of one toolset whose names become the same where programs
// make them fit a provider.
func (s *requestSet) alike() diag.List {
	var all shapes
	known := map[*language.Tool]string{}
	folded := func(t *language.Tool) string {
		if _, ok := known[t]; !ok {
			known[t] = fold(t.Name)
		}
		return known[t]
	}
	for _, a := range s.artifacts {
		met := make(map[string]*language.Tool, len(a.Toolset))
		for _, t := range a.Toolset {
			key := folded(t)
			if first := met[key]; first != nil && first.Name != t.Name {
				words := "tools-become-one-name"
				if strings.EqualFold(first.Name, t.Name) {
					words = "tools-differ-in-case"
				}
				all.note(a, diag.New(diag.ToolNamesAlike, at(t.NameAt, t.At), words, first.Name, t.Name).WithHint("give-another-name-call"))
			} else {
				met[key] = t
			}
		}
	}
	return capFindings(all.list(s))
}

// fold gives what becomes of a name where case does not count, and programs put
// '_' for every character that not all providers take.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		}
		return '_'
	}, name)
}

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

// breach says what keeps a text from being such a name; nothing where it is one.
func (r nameRule) breach(s string) diag.Words {
	other := s[len(r.rest.FindString(s)):]
	character := func(s string) string {
		_, size := utf8.DecodeRuneInString(s)
		return s[:size]
	}
	switch {
	case s == "":
		return diag.Say("name-is-empty")
	case other == "" && !r.first.MatchString(s):
		return diag.Say("name-begins-with", character(s))
	case other != "":
		return diag.Say("name-has-character", character(other))
	case len(s) > r.most:
		return diag.Say("has-characters-taken", diag.Count(len(s)), diag.Count(r.most))
	}
	return diag.Words{}
}

// lostFields are the fields of the Model Context Protocol that no provider's
// requests have. From its specification of 2026-07-28, and from the providers'
// documentation, 2026-11: the references of their requests' tools.
var lostFields = []string{"title", "outputSchema", "annotations", "icons", "execution", "_meta"}

// providers has a row for each of ground.ToolTakers. From the specification of
// the Model Context Protocol, 2026-07-28, which says "should" of names. From the
// providers' documentation, 2026-11: OpenAI's guide "Function calling" and the
// reference of its API, Anthropic's pages on tool use and "Structured outputs"
// (the limits on strict tools), Gemini's reference of FunctionDeclaration. From
// error messages of the APIs: OpenAI's 128 tools, Anthropic's 128 characters of
// a name (64 are documented), and Gemini's former 64. OpenAI itself takes longer
// descriptions since 2025; other servers still answer with an error.
var providers = []provider{
	{dialect: ground.MCP, name: nameOf(`[a-zA-Z0-9_.-]`, `[a-zA-Z0-9_.-]`, 128), lenient: true},
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

// Objections says what each of ground.ToolTakers has against the tools, if they
// went with one request: in their order, and against all together last.
func Objections(tools []*language.Tool) []guard.Objection {
	var out []guard.Objection
	known := map[*language.Tool]strictAmounts{}
	for _, p := range providers {
		for _, t := range tools {
			out = append(out, p.tool(t)...)
		}
		for _, over := range p.over(tools, known) {
			has, takes, says := amount(over.n, over.noun), "count-and-taken", "count-taken"
			if over.level == diag.Note {
				takes, says = "count-and-advised", "count-advised"
			}
			d := diag.New(diag.TooManyTools, diag.Span{}, takes, has, p.dialect, diag.Count(over.limit))
			d.Level = over.level
			out = append(out, guard.Objection{Taker: p.dialect, Reason: "count", Says: diag.Say(says, has, diag.Count(over.limit)), Finding: d})
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
func (p provider) over(tools []*language.Tool, known map[*language.Tool]strictAmounts) []overLimit {
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
		{toolLimit{"strict-tool", p.limits.tools, diag.Error, true}, sum.tools},
		{toolLimit{"optional-strict-parameter", p.limits.optional, diag.Error, true}, sum.optional},
		{toolLimit{"union-typed-strict-parameter", p.limits.unions, diag.Error, true}, sum.unions},
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

func amountsOf(t *language.Tool) strictAmounts {
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
func (p provider) tool(t *language.Tool) []guard.Objection {
	var out []guard.Objection
	if t.Provider == p.dialect {
		return nil // its own, which it knows best
	}
	if t.Provider != "" {
		return []guard.Objection{{
			Taker: p.dialect, Tool: t, Reason: "provider", Says: diag.Say("own-tool-of", t.Provider),
			Finding: diag.New(diag.ProviderTool, at(t.NameAt, t.At), "takes-own-tool-of", p.dialect, t.Name, t.Provider).WithHint("send-own-tool", t.Provider),
		}}
	}
	if o, refused := p.judgeName(t); refused {
		out = append(out, o)
	}
	if n := utf8.RuneCountInString(t.Description); p.long > 0 && n > p.long {
		d := diag.New(diag.LongToolDescription, at(t.DescAt, t.NameAt, t.At),
			"description-tool-some-servers", t.Name, amount(n, "character"), p.dialect, diag.Count(p.long)).
			WithHint("shorten-say-rest-text")
		out = append(out, guard.Objection{
			Taker: p.dialect, Tool: t, Reason: "length", Finding: d,
			Says: diag.Say("description-too-long", amount(n, "character"), diag.Count(p.long)),
		})
	}
	return append(out, p.schema(t)...)
}

// judgeName judges the name of a tool.
func (p provider) judgeName(t *language.Tool) (o guard.Objection, refused bool) {
	o = guard.Objection{Taker: p.dialect, Tool: t, Reason: "name"}
	place, why := at(t.NameAt, t.At), p.name.breach(t.Name)
	switch {
	case !why.None() && p.lenient:
		o.Finding = diag.New(diag.ToolNameRefused, place, "advises-against-tool-name", p.dialect, t.Name).WithHint("use-name-of-protocol")
		o.Finding.Level = diag.Warning
	case !why.None():
		o.Finding = diag.New(diag.ToolNameRefused, place, "refuses-tool-name", p.dialect, t.Name).WithHint("use-portable-name")
	case p.safe > 0 && len(t.Name) > p.safe:
		why = diag.Say("has-characters-some-take", diag.Count(len(t.Name)), diag.Count(p.safe))
		o.Finding = diag.New(diag.ToolNameRefused, place, "tool-name-characters-some", t.Name, diag.Count(len(t.Name)), p.dialect, diag.Count(p.safe)).
			WithHint("shorten")
		o.Finding.Level = diag.Warning
	default:
		return o, false
	}
	o.Says = diag.Say("name-breaks-rule", why)
	return o, true
}

// openAIRules are OpenAI's, of both its interfaces. What is strict is from the
// providers' documentation, 2026-11: its guide "Structured outputs", supported
// schemas, and for look-around, formats and names under "required" from error
// messages of its API. What is not comes from those, too: it checks schemas by
// 2020-12, and patterns as Python reads them.
var openAIRules = []rule{
	{
		reason: "root", words: "has-at-root", hint: "describe-as-one-object",
		find: rootKeys("oneOf", "anyOf", "allOf", "enum", "not"),
	},
	{reason: "items", words: "array-without-items", hint: "say-what-array-holds", find: arraysWithoutItems},
	{
		reason: "pattern", words: "pattern-not-of-python",
		hint: "write-characters-out", find: patternsWith(propertyClass, namedGroup),
	},
	{level: diag.Warning, reason: "draft", words: "written-before-2020-12", hint: "write-prefix-items", find: wherever(olderDrafts)},
	{strict: true, words: "allows-more-properties", hint: "say-of-every-object", find: openObjects},
	{
		strict: true, words: "property-not-required",
		hint: "require-every-property", find: optionalProperties,
	},
	{strict: true, words: "requires-unknown", hint: "describe-or-not-require", find: unknownRequired},
	{
		strict: true, words: "has-keyword", hint: "leave-out-or-not-strict",
		find: keywordsBelow("allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "oneOf", "patternProperties"),
	},
	{strict: true, words: "pattern-looks-around", hint: "write-without-look-around", find: patternsWith(lookAround)},
	{
		strict: true, words: "has-format", hint: "describe-or-not-strict",
		find: formatsBut("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
	},
	{strict: true, words: "nested-deep", hint: "make-flatter", find: nestedTooDeep},
	{strict: true, words: "has-properties", hint: "make-smaller", find: total(strictProperties, properties)},
	{strict: true, words: "has-enum-values", hint: "make-smaller", find: total(strictValues, enumValues)},
	{
		strict: true, hint: "make-smaller", find: tooLongEnums,
		words: "enum-characters",
	},
	{strict: true, words: "names-and-values-characters", hint: "make-smaller", find: total(strictRunes, characters)},
}

// anthropicRules are Anthropic's. What is strict is from the providers'
// documentation, 2026-11: the page "Structured outputs", limitations. What is
// not comes from error messages of its API, which checks schemas by 2020-12.
var anthropicRules = []rule{
	{
		reason: "root", words: "has-at-root", hint: "describe-as-one-object",
		find: rootKeys("oneOf", "anyOf", "allOf"),
	},
	{
		reason: "property", words: "property-name", hint: "use-64-letters-and-dots",
		find: propertyNames(nameOf(`[a-zA-Z0-9_.-]`, `[a-zA-Z0-9_.-]`, 64)),
	},
	{reason: "draft", words: "written-before-2020-12", hint: "write-prefix-items", find: wherever(olderDrafts)},
	{strict: true, words: "allows-more-properties", hint: "say-of-every-object", find: openObjects},
	{
		strict: true, words: "has-keyword", hint: "describe-or-not-strict",
		find: keywords("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems"),
	},
	{strict: true, words: "asks-for-many-items", hint: "min-items-one", find: wherever(manyItems)},
	{
		strict: true, words: "pattern-refers-back",
		hint: "write-without", find: patternsWith(lookAround, backReference, wordEdge),
	},
	{strict: true, words: "reference-leads-back", hint: "describe-fixed-levels", find: recursion},
	{strict: true, words: "enum-not-simple", hint: "list-simple-values", find: wherever(complexEnums)},
	{strict: true, words: "enum-differs-in-case", hint: "keep-one-value", find: caseTwins},
}

// geminiRules are Gemini's. From the providers' documentation, 2026-11: the
// reference of FunctionDeclaration, which asks for names that its API does not
// always insist on; nor does it always refuse empty enum values, which comes from
// its error messages. Schemas go out as parametersJsonSchema, which takes any
// keyword.
var geminiRules = []rule{
	{
		level: diag.Warning, reason: "property", words: "parameter-name",
		hint: "begin-with-letter",
		find: propertyNames(nameOf(`[a-zA-Z_]`, `[a-zA-Z0-9_]`, 64)),
	},
	{level: diag.Warning, reason: "enum", words: "has-empty-enum-value", hint: "leave-empty-value-out", find: emptyEnumValues},
}

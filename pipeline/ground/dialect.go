package ground

// Midway says what a dialect does with a system message that is not the first.
type Midway int

// The ways.
const (
	MidwayKept    Midway = iota // the provider takes it
	MidwayAdvised               // OpenAI's API takes it, programs that speak its dialect may not
	MidwaySome                  // some of the provider's models take it, most refuse
	MidwayRefused               // there is no such message
)

// Dialect is a provider's request shape. What is in the table decides the
// shape; package dialect holds an encoder for each.
type Dialect struct {
	Name string
	// JSON says that an artifact is a fragment of a request body; else it is
	// the text alone, and native schemas stand in a file beside it.
	JSON bool
	// Markers says that a cache breakpoint is written into the fragment.
	Markers bool
	// OneText says that the text of sections alone is emitted as one string,
	// whatever its blocks.
	OneText bool
	// CachesTools says that the provider's cached prefix begins with the
	// tools.
	CachesTools bool
	// Midway is what becomes of a system message inside the history.
	Midway Midway
	// MustAlternate says that two messages of one role in a row are an error,
	// since they are refused or read as something else than what was written;
	// else they are only advised against.
	MustAlternate bool
	// OwnTokens says that its models have a tokenizer that is not built in, so that
	// counts are estimates.
	OwnTokens bool
}

// TextDialect is the dialect of a prompt that names none.
const TextDialect = "text"

// Limits on cache breakpoints, as Anthropic documents them.
const (
	// MaxBreakpoints is the most that one request may have.
	MaxBreakpoints = 4
	// MinimumPrefix is the least, in tokens, that is worth a breakpoint where
	// a prompt says nothing else.
	MinimumPrefix = 1024
)

// Dialects is the table of dialects, in the order of the documentation.
//
// Alternation: Anthropic's API joins two messages of one role into one,
// Gemini's refuses them, and so do many servers that speak OpenAI's chat
// dialect; OpenAI's newer API takes any order.
var Dialects = []Dialect{
	{Name: TextDialect},
	{Name: "openai-chat", JSON: true, Markers: true, CachesTools: true, Midway: MidwayAdvised, MustAlternate: true},
	{Name: "openai-responses", JSON: true, OneText: true, CachesTools: true, Midway: MidwayKept},
	{Name: "anthropic", JSON: true, Markers: true, CachesTools: true, Midway: MidwaySome, MustAlternate: true, OwnTokens: true},
	{Name: "gemini", JSON: true, CachesTools: true, Midway: MidwayRefused, MustAlternate: true, OwnTokens: true},
}

// ollama is the shape of Ollama's chat. Nothing is emitted in it: what speaks to
// Ollama in a shape of its own is read.
var ollama = Dialect{Name: "ollama", JSON: true, CachesTools: true, Midway: MidwayKept, OwnTokens: true}

// BodyDialects gives the dialects in which bodies of requests are read: those of
// Dialects that are JSON, and Ollama's.
func BodyDialects() []*Dialect {
	var out []*Dialect
	for i := range Dialects {
		if Dialects[i].JSON {
			out = append(out, &Dialects[i])
		}
	}
	return append(out, &ollama)
}

// LookupDialect gives the dialect of a name.
func LookupDialect(name string) (*Dialect, bool) {
	for i := range Dialects {
		if Dialects[i].Name == name {
			return &Dialects[i], true
		}
	}
	return nil, false
}

// RequestDialects gives the names of the dialects that are request bodies, in
// the order of the table.
func RequestDialects() []string {
	var out []string
	for _, d := range Dialects {
		if d.JSON {
			out = append(out, d.Name)
		}
	}
	return out
}

// DialectNames gives the names in the order of the table.
func DialectNames() []string {
	out := make([]string, 0, len(Dialects))
	for _, d := range Dialects {
		out = append(out, d.Name)
	}
	return out
}

// MCP stands for what the Model Context Protocol itself takes. It is no
// dialect: nothing is emitted in it but the definitions of tools.
const MCP = "mcp"

// ToolTakers gives whoever takes the definitions of tools: the protocol, then
// the dialects that are request bodies, in the order of the table.
func ToolTakers() []string { return append([]string{MCP}, RequestDialects()...) }

package language

// Kind fixes how a source is read, which schema its files obey and how it is
// rendered by default. Kinds are data; render holds one function for each.
type Kind struct {
	Name  string
	Reads Reads
	// Schema names the JSON Schema of the front matter or data, "" for none:
	// then front matter is dropped with a note.
	Schema string
	// Labels asks load for the `- **Label:** value` items.
	Labels bool
	// Forms are the renderings on offer, the default first; nil where there
	// is only one and `form` is refused.
	Forms []string
	// Styles are the built-in templates, the default first; nil where
	// `style` is refused. `style: {path: …}` is allowed where this is not nil.
	Styles []string
	// Options are the further keys that a source of this kind, and a section
	// that uses it, may have.
	Options []string
	// BuiltIn says that `absent: default` has a text to give.
	BuiltIn bool
	// FrontKeys are the keys of front matter without which a file says too
	// little: where there are any, a file without front matter is an error.
	FrontKeys []string
	// Printed are the keys of front matter that get into prompts. A wrong type
	// there is an error; elsewhere it is another tool's affair.
	Printed []string
	// Advice is how long the kind's formats want the text of a file.
	Advice []Advice
	// FrontLoose says that a leading block which cannot be read as front
	// matter is kept as text, with a note, since other tools accept it.
	FrontLoose bool
	// Items says that the rendering is made of addressable items.
	Items bool
	// Walks says that a source's path is a folder, and that its files are those
	// of the folders from its root down to it.
	Walks bool
	// Tools says that its files define tools.
	Tools bool
	// Skills says that its files are skills by the Agent Skills specification:
	// folders with further files, each listed by name and description.
	Skills bool
	// Shown says that its files stand in the prompt as files, so that other
	// texts may name them.
	Shown bool
	// Entries says that its files are entries, and that sections select some of them.
	Entries bool
	// Goals says that a file is a goal, which is never dropped or shortened.
	Goals bool
	// Lines says that each line stands for itself, so that a cut leaves whole ones.
	Lines bool
	// Merges says that neighbouring inputs with the same settings read as one
	// listing.
	Merges bool
	// Companion is the kind that a prompt with a section of this kind should have a
	// section of, too; "" for none.
	Companion string
	// Messages says that it renders messages, not text: a layout names its
	// sources, and no section does.
	Messages bool
}

// Advice is what the documentation of a file format wants of the text of a file:
// fewer lines and tokens than these; 0 is no advice.
type Advice struct {
	Suffix, Says  string
	Lines, Tokens int
}

// Names of the kinds that files may have without a source: TextKind is that of
// sources which name none, and of the files that a section names itself;
// ToolsKind that of the tools beside rendered prompts; ContextKind that of files
// found on the way through folders; SkillsKind, RulesKind and SubagentsKind those of what
// init finds.
const (
	TextKind    = "text"
	ToolsKind   = "tools"
	ContextKind = "context"
	SkillsKind  = "skills"
	RulesKind   = "rules"

	SubagentsKind = "subagents"
)

// Kinds is the table of kinds, in the order of the language's documentation. Its
// Advice is from the Agent Skills specification and Cursor's page on rules,
// 2026-11.
var Kinds = []Kind{
	{Name: TextKind, Reads: ReadsProse},
	{Name: "identity", Reads: ReadsProse, Schema: "identity", Labels: true, Styles: []string{"default"}, Printed: []string{"name", "emoji", "creature", "vibe", "theme"}, Companion: "soul"},
	{Name: "soul", Reads: ReadsProse, BuiltIn: true, Styles: []string{"default"}},
	{Name: "user", Reads: ReadsProse, Schema: "user", Styles: []string{"default"}, Printed: []string{"name"}},
	{
		Name: RulesKind, Reads: ReadsProse, Schema: "rules", Forms: []string{"full", "index"}, Items: true, Shown: true,
		Printed: []string{"description", "globs", "applyTo", "paths"}, Advice: []Advice{{Suffix: ".mdc", Says: "Cursor", Lines: 500}},
	},
	{
		Name: SkillsKind, Reads: ReadsProse, Schema: "skills", FrontKeys: []string{"name", "description"}, Items: true, Merges: true,
		Skills: true, Printed: []string{"name", "description"},
		Advice: []Advice{{Suffix: ".md", Says: "the Agent Skills specification", Lines: 500, Tokens: 5000}},
		Forms:  []string{"full", "compact", "names"}, Styles: []string{"moltis", "skills-ref"}, Options: []string{"location"},
	},
	{
		Name: SubagentsKind, Reads: ReadsProse, Schema: "subagents", Items: true, Shown: true,
		Forms: []string{"full", "listing"}, Printed: []string{"name", "description"},
	},
	{
		Name: ToolsKind, Reads: ReadsData, Schema: "tools", Tools: true, Items: true, Merges: true,
		Forms: []string{"native", "fallback", "schemas", "declare"}, Options: []string{"only"},
		Styles: []string{"moltis", "hermes", "llama", "xml", "json"},
	},
	{
		Name: ContextKind, Reads: ReadsProse, FrontLoose: true, Walks: true, Items: true, Shown: true,
		Styles: []string{"default"}, Options: []string{"root", "local"},
	},
	{Name: "workspace", Reads: ReadsProse, FrontLoose: true, Styles: []string{"default"}, Items: true, Shown: true},
	{Name: "runtime", Reads: ReadsData, Schema: "runtime", Styles: []string{"default"}, Options: []string{"routing"}},
	{Name: "goal", Reads: ReadsData, Schema: "goal", Goals: true, Styles: []string{"default"}, Options: []string{"transcript"}},
	{
		Name: "registry", Reads: ReadsEither, Schema: "registry", Entries: true, FrontKeys: []string{"id"}, Items: true, Merges: true,
		Styles: []string{"default"}, Options: []string{"select"},
		Printed: []string{"id", "name", "description", "requiredTools", "tags", "source", "serverName"},
	},
	{Name: "records", Reads: ReadsData, Schema: "records", Lines: true, Styles: []string{"default"}, Items: true},
	{Name: "conversation", Reads: ReadsData, Schema: "conversation", Messages: true},
}

// LookupKind gives the kind of a name.
func LookupKind(name string) (*Kind, bool) {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i], true
		}
	}
	return nil, false
}

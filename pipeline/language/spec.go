package language

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// Spec is the manifest and its sources, schema-valid and typed. Names in it
// are not yet looked up.
type Spec struct {
	Tree       *Tree
	File       *diag.File  // the manifest
	Tokenizer  ground.Word // "" means o200k_base
	Tokenizers []*Estimator
	Snapshots  Snapshots
	// Artifacts is the folder of emitted bytes, "" for none.
	Artifacts ground.Word
	// Bindings are the folders of generated code, in declared order, and CodeNames
	// the names that things have there otherwise than by their ids.
	Bindings  []BindingFolder
	CodeNames []CodeName
	Servers   []*Server
	Slots     []*Slot
	Fragments []*Fragment
	Sources   []*Source
	Prompts   []*Prompt
	// Checks are the rows of `checks`, in declared order.
	Checks []*Setting
	// Families are the model families whose special tokens no text may hold,
	// rows of Families; nil for all.
	Families []ground.Word
	Defined

	// Asides are those of the manifest and of its policies, by file.
	Asides map[*diag.File]*Asides
	// Locks are what policies lock.
	Locks []*Lock
}

// Lock is a setting of a policy that may be made stricter, and not weaker.
type Lock struct {
	// Key is as a policy writes it: `checks`, `budget.growth`.
	Key string
	At  diag.Span
	// Budget has the limits where the key is one of a budget, or all of them.
	Budget *Limits
	// Checks are the rows where the key is that of them.
	Checks []*Setting
}

// Defined is what source files define.
type Defined struct {
	// Tools holds what each data document of a tools source declares, in
	// file order; keyed by the document.
	Tools map[*Doc][]*Tool
	// SentTools holds the tools of each request that a program sent, as they stand in
	// its body.
	SentTools map[*Saved][]*Tool
	// Pulled gives the server that the tool in a document was pulled from.
	Pulled map[*Doc]string
	// Goals, Markers and Entries hold what each file of a goal source, each
	// transcript and each file of a registry source says, in file order;
	// keyed by the document.
	Goals   map[*Doc]*Goal
	Markers map[*Doc][]Marker
	Entries map[*Doc][]*Entry
	// Conversations holds what each file of a conversation source says; keyed
	// by the document.
	Conversations map[*Doc]*Conversation
}

// Asides are the values of a manifest or policy that speak of text and send none: what
// `expect` asks for, and the reasons of `checks`. All are their places, and
// Sought those of `contains` and `lacks`, by offset. None is also the value of
// another key, as an alias may be.
type Asides struct {
	All, Sought []diag.Span
}

// Root is a folder beside the project, in the same repository, whose files paths
// name as `NAME:PATH`.
type Root struct{ Name, Path ground.Word }

// Server is an MCP server that tools are pulled from: a program, or a URL. The
// values are as written, with their ${VAR}.
type Server struct {
	Name    ground.Word
	Command ground.Word
	Args    []ground.Word
	Env     []NamedValue
	URL     ground.Word
	Headers []NamedValue
	// Type is the transport where the entry names one.
	Type ground.Word
}

// NamedValue is a variable or a header.
type NamedValue struct{ Name, Value ground.Word }

// Package is a package of npm as a lock file records it.
type Package struct{ Name, Version, Integrity string }

// PulledFolder holds what was pulled, a folder for each server.
const PulledFolder = "mcp"

// PulledTools is the pattern of the tools that were pulled from a server.
func PulledTools(server string) string { return PulledFolder + "/" + server + "/tools/**/*.json" }

// PulledFrom gives the server whose tools a pattern is for, "" for any other.
func PulledFrom(pattern string) string {
	server, _, _ := strings.Cut(strings.TrimPrefix(pattern, PulledFolder+"/"), "/")
	if pattern != PulledTools(server) {
		return ""
	}
	return server
}

// BindingFolder says where the generated code of a language goes.
type BindingFolder struct {
	Language string
	Folder   ground.Word
	// Inline says that what was built is in the code, and not in files beside it.
	Inline bool
}

// CodeName gives a thing another name in generated code. Of is what it is called in
// messages: `PROMPT`, `PROMPT/AXIS`, `PROMPT/AXIS=VALUE` or `PROMPT/{{SLOT}}`.
type CodeName struct{ Of, Name ground.Word }

// Snapshots says where snapshots go and which variants are kept whole.
type Snapshots struct {
	Path ground.Word   // default "snapshots"
	Full []ground.Word // variant names as written
}

// Estimator is a declared tokenizer for a family without a public one.
type Estimator struct {
	Name   ground.Word
	Base   ground.Word
	Factor float64 // the base's count is multiplied by it, rounded up
	Error  float64 // stated error, a share: 0.15 is 15 %
}

// Slot is a value known only at run time.
type Slot struct {
	Name      ground.Word
	Example   ground.Text
	MaxTokens int // what `use` adds for each place the slot is emitted at
	Volatile  bool
	Optional  bool
}

// Fragment is a build-time text that other text may name.
type Fragment struct {
	Name  ground.Word
	Value Cases[ground.Text]
}

// Absent says what a source does where its files are not there.
type Absent int

// What `absent:` may say.
const (
	AbsentError Absent = iota
	AbsentOmit
	AbsentDefault
)

// Limit bounds the text of a source.
type Limit struct {
	Chars     int // runes
	PerSource bool
	Cut       bool // else over is an error
	// Refuse says that `over: error` is written out: kinds that would leave
	// whole files out by default do not.
	Refuse bool
	At     diag.Span
}

// Style is a built-in template by name, or a file.
type Style struct {
	Name ground.Word
	Path ground.Word // when not "", a template file
}

// Options are the settings that a source may have and a section may replace.
// A nil Cases is "not set here".
type Options struct {
	Style    Cases[Style]
	Limit    Cases[Limit]
	Expand   Cases[bool]
	Location Cases[ground.Text] // skills; may name {name} and {path}
	Routing  Cases[bool]        // runtime
}

// Source is a declared input.
type Source struct {
	ID   ground.Word
	Kind *Kind
	// Text is inline text instead of files.
	Text Cases[ground.Text]
	Path Cases[[]ground.Word]
	// Pull is the server that its tools were pulled from, "" for none; then Path
	// is where they are.
	Pull ground.Word
	// Only are the tools that it has; nil for all.
	Only     []ground.Word
	Fallback Cases[[]ground.Word]
	// Else is a declared default file: used without a note.
	Else   ground.Word
	Absent Absent
	Root   ground.Word // context
	Local  bool        // context
	// Transcript is the path of the files whose markers update a goal, ""
	// for none.
	Transcript ground.Word
	// Volatile says that its text may change from one request to the next.
	Volatile bool
	// Limits are the programs that read its files, rows of Presets.
	Limits []ground.Word
	// KeepImports leaves `@path` in its files as it is written.
	KeepImports bool
	// Pointer leads to its texts in files of data; it may hold {axis}. Template is the
	// language that they are templates of: then they are for review. "" for none.
	Pointer, Template ground.Word
	// Symbol leads to its texts in files of code, as Rendered.Symbol does; "" for none.
	Symbol  ground.Word
	Options Options
}

// Within says where its texts stand in its files: a pointer or a symbol, "" for files as
// they are. It may hold {axis}.
func (s *Source) Within() ground.Word {
	if s.Symbol.Str != "" {
		return s.Symbol
	}
	return s.Pointer
}

// How says how its files are read, where the axes have given Within a value.
func (s *Source) How(within string) How {
	if s.Symbol.Str != "" {
		return How{Symbol: within}
	}
	return How{Pointer: within}
}

// Prompt is a named thing to build.
type Prompt struct {
	ID        ground.Word
	Axes      []*Axis
	Exclude   Condition // variants for which it holds are not built; empty excludes none
	Tokenizer Cases[ground.Word]
	Budget    Cases[Budget]
	Layout    Cases[Layout]
	Dialect   Cases[ground.Word] // default "text"; may hold {axis}
	// CacheMinimum is the least prefix, in tokens, that is worth a breakpoint with
	// the models that the prompt is for; default MinimumPrefix.
	Cache    Cases[int]
	Join     Cases[ground.Text] // default "\n\n"
	Order    Cases[[]ground.Word]
	Sections []*Section
	// Expect says what its variants have to hold.
	Expect []*Expectation
	// Rendered says that another program assembles the prompt, and where its
	// texts are; nil for one that is assembled here. Then Sections are those
	// that its texts split into.
	Rendered *Rendered
	// Record says how the texts are made, nil where nothing says so.
	Record *Record
}

// Axis gives the index of the axis of a name, -1 for none.
func (p *Prompt) Axis(name string) int {
	return slices.IndexFunc(p.Axes, func(a *Axis) bool { return a.Name.Str == name })
}

// HasSnapshots reports whether a build writes snapshots of the prompt: of one
// that is rendered elsewhere only the sums of what it is made from.
func (p *Prompt) HasSnapshots() bool { return p.Rendered == nil || len(p.Rendered.From) > 0 }

// Rendered says where the texts of a prompt are that another program
// assembles.
type Rendered struct {
	// Path is the pattern of the files, with {axis} for every axis that their
	// names tell apart.
	Path ground.Word
	// Entry is the pattern of the names of entries, where the files are
	// snapshot files with several; "" where each has one entry, or is the text
	// itself.
	Entry ground.Word
	// Split says where sections begin, in the order of Splits; empty for a text
	// that is one section.
	Split []Split
	// Tools are the patterns of the files with the schemas beside the text. A
	// variant has those of all files that they match for it, in this order.
	Tools []ground.Word
	// From are the patterns of the files that the texts are made from, templates
	// and code, as far as they are named.
	From []ground.Word
	// As is "text" where bodies of requests are texts, too; Pointer leads to the body
	// in each record, and Dialect is that of the bodies. "" where nothing says so.
	As, Pointer, Dialect ground.Word
	// Symbol leads to texts in files of code: the names of constants, functions, keys and
	// calls, a line each; "" where files are no code.
	Symbol ground.Word
	// Template is the language that the texts are templates of; "" where they are texts
	// as they are sent.
	Template ground.Word
	At       diag.Span
}

// How says how the files are read.
func (r *Rendered) How() How {
	return How{AsText: r.As.Str == AsText, Dialect: r.Dialect.Str, Pointer: r.Pointer.Str, Symbol: r.Symbol.Str}
}

// Names is the pattern of the names of entries: of JSON Pointers, whose steps are
// names of their own, where Pointer has an axis and isPath is true; "" for no pattern.
func (r *Rendered) Names() (pattern ground.Word, isPath bool) {
	if r.Entry.Str == "" && strings.Contains(r.Pointer.Str, "{") {
		return r.Pointer, true
	}
	if strings.Contains(r.Symbol.Str, "{") {
		return r.Symbol, false
	}
	return r.Entry, false
}

// Key is that of the files in Tree.Matches.
func (r *Rendered) Key() MatchKey {
	return MatchKey{Path: r.Path.Str, Kind: RenderedKind, How: r.How()}
}

// AsText is what `as` may say.
const AsText = "text"

// Split is a mark at which the text of a rendered prompt is cut into sections.
type Split string

// The splits.
const (
	SplitHeadings Split = "headings" // Markdown headings
	SplitTags     Split = "tags"     // lines <tag> … </tag> at the top level
	SplitRules    Split = "rules"    // lines of ==== or ----
)

// Splits gives all splits, in the order of the documentation. They are also
// what a prompt that says nothing is split at.
func Splits() []Split { return []Split{SplitHeadings, SplitTags, SplitRules} }

// Layout says how sections become a prompt. The zero Layout is `sequence`.
type Layout struct {
	// Name is "sequence", "phases" or "messages".
	Name Cases[ground.Word]
	// What belongs to `messages`: the source of the conversation, how it is
	// assembled ("tiered", the default, or "flat"; may hold {axis}), and the
	// section whose text follows the user's, "" for none.
	Conversation, Assembly, Reminder Cases[ground.Word]
	// The rest belongs to `phases`. Order replaces the default order of the
	// phases. Place "sticky-first" emits all sticky sections before the others, else
	// everything stands in phase order. Fill "stop" ends the walk at the first section
	// that does not fit, else it goes on with the next. Notice adds a line that names
	// what was dropped.
	Order       Cases[[]ground.Word]
	Place, Fill Cases[ground.Word]
	Notice      Cases[bool]
}

// Axis is a dimension of a prompt.
type Axis struct {
	Name    ground.Word
	Values  []ground.Word
	Default ground.Word // "" for none
	Ordered bool
	// Context is the upper limit in tokens that each value stands for; the
	// last may be missing, which is "no limit". Nil when not declared.
	Context []int
	// Auto says that the values are those found in the names of rendered
	// files; Values holds them once resolve has seen the files.
	Auto bool
	// Names are values under other names than those that the files or entries
	// have, in the order of the manifest.
	Names []ValueName
}

// ValueName is the value that what is written in the name of a rendered file, or
// of an entry, stands for.
type ValueName struct{ Written, Value ground.Word }

// Condition holds when any of its mappings does. An empty Condition always
// holds (but see Prompt.Exclude).
type Condition []Clause

// Clause holds when all its terms do.
type Clause []Term

// Term compares one axis.
type Term struct {
	Axis   ground.Word
	Values []ground.Word
	Not    bool // holds when the axis has none of the values
}

// Estimator finds a declared estimator by its name; nil if there is none. Without a
// manifest the spec is nil, and has none.
func (s *Spec) Estimator(name string) *Estimator {
	if s == nil {
		return nil
	}
	for _, e := range s.Tokenizers {
		if e.Name.Str == name {
			return e
		}
	}
	return nil
}

// Cases is a value that may depend on the variant: the first case that holds
// counts. A plain value is one case without a condition; nil is "not set".
type Cases[T any] []Case[T]

// Case is one of several values.
type Case[T any] struct {
	When  Condition
	Value T
	At    diag.Span // the value
}

// Set reports whether anything was declared.
func (c Cases[T]) Set() bool { return len(c) > 0 }

// Budget limits what is emitted. Nil amounts are "not limited".
type Budget struct {
	Tokens     Cases[int]
	Chars      Cases[int] // runes
	ToolTokens Cases[int]
	Plus       []Plus
	WarnAt     Cases[float64] // a share: 0.9 is 90 %
	// Growth and GrowthTokens limit by how much it may grow in one change.
	Growth       Cases[float64] // a share of the base's count: 0.05 is 5 %
	GrowthTokens Cases[int]
	Warn         Cases[bool] // over: warn
	At           diag.Span
}

// Plus raises a budget where its condition holds.
type Plus struct {
	When   Condition
	Tokens int
	Chars  int
	At     diag.Span
}

// Section is the smallest addressable piece of a prompt. Exactly one of Text,
// Path and Source is set.
type Section struct {
	ID     ground.Word
	When   Condition
	Needs  Cases[Needs]
	Text   Cases[ground.Text]
	Path   Cases[[]ground.Word]
	Source Cases[[]ground.Word]

	Heading Cases[ground.Text] // set to "" removes the kind's own
	Before  Cases[ground.Text]
	After   Cases[ground.Text]
	Join    Cases[ground.Text]

	Form    Cases[ground.Word] // may hold {axis}
	Only    Cases[[]ground.Word]
	Select  Cases[Select]
	Options Options

	Budget  Cases[Budget]
	Degrade Cases[[]Step]

	// Breakpoint puts a cache breakpoint behind the section (`sequence` only).
	Breakpoint Cases[bool]
	// Volatile says that the text may change from one request to the next.
	Volatile Cases[bool]

	// What the layout `phases` needs; not set under any other.
	Phase    Cases[ground.Word]
	Priority Cases[float64] // finite, 0 or more
	Weight   Cases[float64] // finite, 0 or more; default 1
	Sticky   Cases[bool]
}

// Needs names the tools without which a section says nothing.
type Needs struct {
	Tools []ground.Word
}

// Step is one rung of a degrade ladder: another form or another source.
type Step struct {
	Form   ground.Word
	Source ground.Word
}

// ToolNames gives the names of tools.
func ToolNames(tools []*Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// Tool is one tool definition, brought into the form of the Model Context
// Protocol.
type Tool struct {
	Name        string
	Description string
	// Input is the JSON Schema of the arguments.
	Input *ground.Node
	// Canonical is the whole definition in canonical JSON, also what no
	// request has: keys sorted, arrays and numbers as written, two-space
	// indent, one final newline.
	Canonical string
	// Strict is what the definition says of strict mode.
	Strict bool
	// Provider is the dialect of the provider whose own tool it is: one without a
	// schema, that is sent as it is written; "" for all others.
	Provider string
	File     *diag.File
	At       diag.Span // the definition
	NameAt   diag.Span
	DescAt   diag.Span
	// DescText is the description with its places.
	DescText ground.Text
}

// Entry is one prompt of a registry.
type Entry struct {
	ID          ground.Word
	Name        ground.Text
	Description ground.Text
	Content     ground.Text
	Requires    []ground.Word // tools that the variant must have
	Tags        []ground.Word
	Source      string      // static, mcp or config
	Server      ground.Word // "" where it comes from no server
	Doc         *Doc        // the file that it is in
}

// Select says which entries of its registries a section takes. The keys are
// ANDed and the names of one key ORed; nil takes any.
type Select struct {
	IDs     []ground.Word // in this order
	Tags    []ground.Word
	Sources []ground.Word
	Servers []ground.Word
}

// Saved is one entry of a snapshot file of vitest, jest or syrupy, or one request of
// a file that holds them.
type Saved struct {
	// Name is the entry's name, the number at its end included.
	Name   string
	NameAt diag.Span
	// Value is the text that was saved, without the quotes, indents and line
	// breaks that the programs put around it. IsText is false where something else than a
	// text was saved; then Value is what the program printed of it.
	Value  ground.Text
	IsText bool
	At     diag.Span // the value, with its backticks
	// Sent is the request; nil for a text.
	Sent *Sent
	// Parts say where the literals of a text in code begin; nil for any other. Holes are
	// what only running the code would fill.
	Parts []Part
	Holes []templates.Tag
}

// Part is where a literal begins in a text, and the names that lead to it.
type Part struct {
	Start int
	Name  string
}

// Sent is a request that a program sent, or the requests of one conversation.
type Sent struct {
	Body *request.Body // of the last one, which begins with all others
	// Model is the name of the model where it stands in the address, as Gemini's does;
	// "" where the body has it.
	Model string
	Tools []*ground.Node // the definitions, as they stand in the body
	Turns []int          // how many messages each request has, in order
	// Break says where it could have gone on with what a provider kept of a request
	// before, and does not; nil for none.
	Break *Break
}

// Settings gives what stands beside the messages and the tools.
func (s *Sent) Settings() *ground.Node {
	out := &ground.Node{Kind: ground.Mapping, Fields: s.Body.Settings}
	if s.Model != "" {
		model := ground.Field{Key: "model", Value: &ground.Node{Kind: ground.String, Text: ground.Literal(s.Model)}}
		out.Fields = append([]ground.Field{model}, out.Fields...)
	}
	return out
}

// Break is the first difference to the request that a conversation goes on with.
type Break struct {
	Of *Saved
	// Tools says that the tools differ, with which all begins; else it is in a block
	// of a message, by index, of those in Message.Leaves, of which so many bytes are the
	// Same. Either request may have no such block.
	Tools                bool
	Message, Block, Same int
}

// How says how rendered files are read, where that is not left to their looks.
type How struct {
	AsText bool
	// Dialect is that of their bodies; Pointer leads to these in each record (RFC
	// 6901). "" where nobody says it.
	Dialect, Pointer string
	// Symbol leads to texts in code, a line for each that is looked for; "" for no code.
	Symbol string
}

// Goal is what an agent works towards and how far it is.
type Goal struct {
	Description ground.Text
	// Priority is high, medium or low; Status active, paused or completed.
	// Where nothing says so they have no place.
	Priority, Status ground.Word
	Checkpoints      []Checkpoint
	Decisions        []Decision
	Artifacts        []GoalArtifact
}

// Checkpoint is one step towards a goal.
type Checkpoint struct {
	Description ground.Text
	Status      ground.Word // completed, in-progress, pending or blocked; At is what set it last
}

// Decision is what was decided on the way.
type Decision struct {
	Description ground.Text
	Locked      bool
	LockedAt    diag.Span // what locked it
}

// GoalArtifact is a file that the work on a goal touched.
type GoalArtifact struct {
	Path   ground.Text
	Action ground.Word // created, modified or deleted
}

// The markers of a transcript.
const (
	MarkGoal       = "GOAL"
	MarkCheckpoint = "CHECKPOINT"
	MarkDecision   = "DECISION"
	MarkArtifact   = "ARTIFACT"
	MarkNext       = "NEXT"
)

// Marker is a line of a transcript that changes a goal.
type Marker struct {
	Name string      // one of the Mark constants
	Text ground.Text // the description, or the path of an artifact
	// Word is a checkpoint's status, an artifact's action (both in the words
	// of Goal), or "locked" of a decision that is to be.
	Word ground.Word
	At   diag.Span // the line
}

// Progress says how many checkpoints of a goal are completed.
type Progress struct {
	Completed, Total int
}

// SameWords gives what two descriptions are compared by: their words without
// regard to case and to the white space between them.
func SameWords(description string) string {
	return strings.ToLower(strings.Join(strings.Fields(description), " "))
}

// Readings says which files a manifest names, for those who read them.
type Readings struct {
	Files []Reading
	// Axes gives the values that `{axis}` stands for in a path: those that the
	// axis has in any prompt, in the order in which they are declared.
	Axes map[string][]string
	// Outputs are the folders that promptc writes: nothing in them is a source.
	Outputs []string
}

// Reading is one path of the manifest that is to be read. Whether the files may
// be missing is decided where they are used.
type Reading struct {
	// Path is a file or a pattern as written, with its `{axis}`.
	Path ground.Word
	// Kind reads the files: the name of a Kind, StyleKind, TranscriptKind,
	// RenderedKind or InputKind.
	Kind string
	// Walk says that Path is a folder, and that the files are those of the
	// folders from Root down to it.
	Walk  bool
	Root  ground.Word // "." for the manifest's folder
	Local bool        // with the files of one person
	// Imports says that what the files import is read, too.
	Imports bool
	// AnyValue says that an `{axis}` stands for whatever the names of the files
	// have there.
	AnyValue bool
	// How the files are read, of RenderedKind, and the prompt for which promptc records
	// them, "" for none.
	How     How
	Records string
}

// Shown is what a fixture names: a folder and files in it, as written.
type Shown struct {
	Folder ground.Word // "" for none
	Files  []ground.Word
}

package diag

import (
	"embed"
	"strings"
	"sync"
)

// pages holds a page for each code: level and title in the first line, what the
// finding means and what to do, and for checks of the stage lint an example
// before and after, which a test compiles.
//
//go:embed codes/*.md
var pages embed.FS

// Entry is what the page of a code says.
type Entry struct {
	Code  Code
	Level Level
	// Title is the finding in a few words, as a headline.
	Title string
	// Explanation is one or more short paragraphs: what it means, why it is
	// one, what to do. Markdown, read by `promptc explain` and the docs.
	Explanation string
}

// Codes gives all entries in the order of the codes.
func Codes() []Entry {
	files, _ := pages.ReadDir("codes") // the folder is embedded and always there
	out := make([]Entry, 0, len(files))
	for _, f := range files {
		text, _ := pages.ReadFile("codes/" + f.Name())
		out = append(out, entry(string(text)))
	}
	return out
}

// entry reads a page. Its first line is
//
//	# PC6019 warning: a title
//
// and the rest the explanation.
func entry(page string) Entry {
	head, rest, _ := strings.Cut(page, "\n")
	name, title, _ := strings.Cut(strings.TrimPrefix(head, "# "), ": ")
	code, word, _ := strings.Cut(name, " ")
	e := Entry{Code: Code(code), Title: title, Explanation: strings.TrimSpace(rest)}
	for e.Level < Note && e.Level.String() != word {
		e.Level++
	}
	return e
}

// byCode is the same table by codes.
//
//nolint:gochecknoglobals // nothing changes it
var byCode = sync.OnceValue(func() map[Code]Entry {
	out := map[Code]Entry{}
	for _, e := range Codes() {
		out[e.Code] = e
	}
	return out
})

// Lookup gives the entry of a code.
func Lookup(code Code) (Entry, bool) {
	e, ok := byCode()[code]
	return e, ok
}

// Level gives the level of a code; a code without a page is an Error, so that
// nothing unknown passes quietly.
func (c Code) Level() Level { return byCode()[c].Level }

// Stages whose codes settings treat apart.
const (
	composePrefix = "PC5"
	lintPrefix    = "PC6"
	diskPrefix    = "PC7"
)

// Settable reports whether a manifest may say what findings of the code count
// as: all checks of lint, and what is no error by itself. Whatever else is an
// error would compile to something that nobody meant.
func (e Entry) Settable() bool {
	return e.Level != Error || strings.HasPrefix(string(e.Code), lintPrefix)
}

// OfPrompts reports whether findings of the code are about prompts, which they
// name, and not about the input as such.
func (c Code) OfPrompts() bool {
	return strings.HasPrefix(string(c), composePrefix) || strings.HasPrefix(string(c), lintPrefix)
}

// OfDisk reports whether findings of the code are about the folders that a build
// writes, which not every run looks at.
func (c Code) OfDisk() bool { return strings.HasPrefix(string(c), diskPrefix) }

// Settable reports whether a setting may change what the finding counts as. Findings
// of some codes are errors here and warnings there.
func (d Diagnostic) Settable() bool {
	return d.Level != Error || strings.HasPrefix(string(d.Code), lintPrefix)
}

// Codes of the stage load.
const (
	NotText             Code = "PC1001" // not UTF-8, or a NUL
	ConflictMarkers     Code = "PC1002" // what an unfinished merge leaves behind
	FileTooLarge        Code = "PC1003" // more than 1 MiB, or 16 where another program wrote it
	TextNormalised      Code = "PC1004" // byte order marks and CRLF were normalised
	YAMLSyntax          Code = "PC1005" // not YAML
	YAMLFeature         Code = "PC1006" // YAML that the language leaves out
	RepeatedKey         Code = "PC1007" // a key twice in one mapping
	TooComplex          Code = "PC1008" // depth, number of values, aliases
	JSONSyntax          Code = "PC1009" // not JSON
	NotMapping          Code = "PC1010" // manifest or front matter without keys
	FrontUnterminated   Code = "PC1011" // front matter without an end
	FrontMissing        Code = "PC1012" // no front matter where the kind needs it
	FrontAsBody         Code = "PC1013" // a leading block that is no front matter, kept as text
	CommentUnterminated Code = "PC1014" // a leading comment without an end
	BadPath             Code = "PC1015" // a path that is written in a way it cannot be
	BadGlob             Code = "PC1016" // a pattern that cannot be read, or is too wide
	PathEscapes         Code = "PC1017" // a symbolic link out of the folder
	NotAFile            Code = "PC1018" // a folder, pipe, device, broken link or name
	WrongFormat         Code = "PC1019" // an extension that the kind does not read
	SavedSyntax         Code = "PC1020" // a snapshot file that cannot be read
	RenderedNothing     Code = "PC1021" // a pattern of rendered files that matches none
	LFSPointer          Code = "PC1022" // what Git LFS keeps in a file's stead
	ReceivedFile        Code = "PC1023" // what a test wrote and nobody approved
	ImportLeft          Code = "PC1024" // an import that stays as it is written
	NoProject           Code = "PC1025" // a pattern of a workspace that no project fits
	BadRoot             Code = "PC1026" // a folder beside the project that cannot be read, or is not declared
	NoOwnProject        Code = "PC1027" // a pattern of a workspace whose projects other patterns name
	BadPolicy           Code = "PC1028" // a policy that is not there, or that extends too much
	FrontUnread         Code = "PC1029" // front matter that programs beside promptc do not read
	BodyShape           Code = "PC1030" // a request body that fits no shape, or several
	TOMLSyntax          Code = "PC1031" // not TOML
)

// Codes of the stage validate.
const (
	UnknownKey         Code = "PC2001" // a key that the language, or a data file's schema, does not have
	MissingKey         Code = "PC2002" // a required key that is not there
	WrongType          Code = "PC2003" // a value of another shape than the key takes
	WrongValue         Code = "PC2004" // a value of the right shape that is not allowed
	OneOfKeys          Code = "PC2005" // a mapping that needs exactly one of some keys, and has none or several
	UnknownVersion     Code = "PC2006" // a language version that this release does not read
	BadName            Code = "PC2007" // an id or axis value that breaks the rules for names
	DuplicateName      Code = "PC2008" // a name or value that is declared or listed twice
	KeyNotForKind      Code = "PC2009" // a key that the source's kind does not take
	BadAxis            Code = "PC2010" // an axis whose default or context does not fit its values
	UnreachableCase    Code = "PC2011" // a case behind one that always holds
	BadFolder          Code = "PC2012" // an output folder that cannot be one
	PlusOnNothing      Code = "PC2013" // an addition to a limit that the budget does not set
	UnknownField       Code = "PC2014" // a front matter key that the kind does not know
	UnknownLabel       Code = "PC2015" // an item of a list in IDENTITY.md that is not known
	FrontDropped       Code = "PC2016" // front matter of a kind that has no fields
	OutsideLimit       Code = "PC2017" // a source file that breaks a rule of an outside format
	UnknownToolShape   Code = "PC2018" // a value that is not a tool definition of any known shape
	BadToolName        Code = "PC2019" // a tool name that no provider takes
	UnportableToolName Code = "PC2020" // a tool name that some providers refuse
	BadToolSchema      Code = "PC2021" // a tool's schema that is not a JSON Schema of an object
	RefusedRef         Code = "PC2022" // a reference that leaves the schema, or leads nowhere
	UncheckedPattern   Code = "PC2023" // a regular expression that cannot be checked here
	UnknownDialect     Code = "PC2024" // a schema that names a dialect unknown here
	DroppedToolField   Code = "PC2025" // a field of a tool definition that no request has
	PartialToolList    Code = "PC2026" // a list of tools that has further pages
	TooLargeToCheck    Code = "PC2027" // a value that is refused for its size
	BadMarker          Code = "PC2028" // a line of a transcript that starts like a marker and is not one
	BadTierKey         Code = "PC2029" // a text in a cache tier that names nothing
	UnplainPath        Code = "PC2030" // a path of a conversation that is not written plainly
	BadDataURL         Code = "PC2031" // an image that is not given as a data URL
	UnknownCode        Code = "PC2032" // a code in a setting that no finding has
	NotSettable        Code = "PC2033" // a code that a setting cannot set, or not so
	BadSettingPath     Code = "PC2034" // a pattern of a setting's paths that cannot be used
	LockedSetting      Code = "PC2035" // a setting that a policy locks, made weaker
	PulledToolRefused  Code = "PC2041" // a tool of an MCP server that cannot be used
)

// Codes of the stage resolve.
const (
	UnknownAxis      Code = "PC3001" // a name that no axis of the prompt has
	UnknownSource    Code = "PC3002" // a source that the manifest does not declare
	UnknownValue     Code = "PC3003" // a value that the axis does not have
	UnknownSection   Code = "PC3004" // `order`, a layout or an expectation names a section that is not there
	UnknownTool      Code = "PC3005" // `only` or an expectation names a tool that is not there
	UnmetNeed        Code = "PC3006" // `needs` names a tool that no source declares
	UnknownForm      Code = "PC3007" // a form or style that the kind does not offer
	NoCase           Code = "PC3008" // none of a value's cases holds
	NoFile           Code = "PC3009" // a path that matches no file
	EmptyFile        Code = "PC3010" // a file that says nothing
	FallbackUsed     Code = "PC3011" // a source's fallback stands in
	TooManyVariants  Code = "PC3012" // more than MaxVariants
	DuplicateTool    Code = "PC3013" // two tools of one name in a toolset
	NoVariant        Code = "PC3014" // everything is excluded
	UnknownTokenizer Code = "PC3015" // a tokenizer that is not declared
	IncompleteOrder  Code = "PC3016" // `order` leaves a section out
	UselessOption    Code = "PC3017" // an option that nothing in the section takes
	PartAbsent       Code = "PC3018" // some of a source's files are not there or say nothing
	MissingPhase     Code = "PC3019" // under `phases`, a section without phase or priority
	PhaseElsewhere   Code = "PC3020" // phase, priority, weight or sticky under another layout
	PhaseNotWalked   Code = "PC3021" // a phase that the layout's order leaves out
	UnknownEntry     Code = "PC3022" // `select` names an id that no entry of the registry has
	DuplicateEntry   Code = "PC3023" // two entries of one id in a registry
	ToolNotThere     Code = "PC3024" // an entry whose required tool is not in a toolset
	UnknownTag       Code = "PC3025" // `select` names a tag or server that no entry has
	LockedDecision   Code = "PC3026" // a marker that changes a locked decision
	GoalStaysWhole   Code = "PC3027" // a limit or steps on a section with a goal
	SeveralGoals     Code = "PC3028" // a goal source with more than one file
	UnusedSource     Code = "PC3029" // a source that no section and no layout names

	NoSuchDialect         Code = "PC3030" // a dialect that is not in the table
	TextOfMessages        Code = "PC3031" // the layout `messages` in a dialect that is text
	NotAConversation      Code = "PC3032" // a layout's source of another kind
	ConversationAsSection Code = "PC3033" // a conversation among a section's sources
	ConversationNeeded    Code = "PC3034" // a conversation that may be absent
	SeveralConversations  Code = "PC3035" // a variant with more than one fixture
	UnknownAssembly       Code = "PC3036" // an assembly that there is not
	BreakpointElsewhere   Code = "PC3037" // breakpoint under another layout than `sequence`
	NoWorkspace           Code = "PC3038" // a conversation's workspace that is not there
	NotThere              Code = "PC3039" // a fixture names a file, block or message that is not there
	BoundTwice            Code = "PC3040" // a fixture names a thing in two tiers
	ShownInFull           Code = "PC3041" // left out, since the file is shown elsewhere
	StraySymbols          Code = "PC3042" // symbols of a file that the workspace does not have
	BrokenAlternation     Code = "PC3043" // a history in which the roles do not take turns
	SystemMidway          Code = "PC3044" // a message of the system inside a history
	HistoryOrder          Code = "PC3045" // tiers that take the history out of its order

	RenderedPattern   Code = "PC3046" // a pattern of rendered files that does not tell its variants apart
	RenderedAmbiguous Code = "PC3047" // a name that a pattern splits two ways
	RenderedTwice     Code = "PC3048" // two rendered texts for one variant
	RenderedMissing   Code = "PC3049" // variants without a rendered file
	RenderedUnlisted  Code = "PC3050" // a rendered file that belongs to no variant, or a name of none
	RenderedGap       Code = "PC3051" // combinations of values without a rendered file
	RenderedValue     Code = "PC3052" // a part of a name that can be no axis value
	RenderedEntry     Code = "PC3053" // which entry of a snapshot file is meant
	RenderedNoText    Code = "PC3054" // an entry that is not a text
	TooManySections   Code = "PC3055" // a text that splits into too many sections
	RenderedSlug      Code = "PC3056" // a value that stands for words in the name of an entry

	UnknownPrompt   Code = "PC3057" // a setting names a prompt that there is not
	IdleExpectation Code = "PC3058" // an expectation that no variant is asked for
	TooManyUses     Code = "PC3059" // more sections in variants than are allowed
	RenderedShared  Code = "PC3060" // a rendered text that two prompts have
	ReviewedAlone   Code = "PC3061" // a template of another language in what promptc is to send
	ProviderTool    Code = "PC3071" // a provider's own tool where it cannot be sent
	NoGoalYet       Code = "PC3072" // markers of a transcript before there is a goal
)

// Codes of the stage render.
const (
	SaysNothing           Code = "PC4001" // a source of fields that has none
	EmojiWithoutName      Code = "PC4002" // an identity with an emoji and no name
	UndeclaredPlaceholder Code = "PC4003" // {{name}} that no slot or fragment declares
	SpacedPlaceholder     Code = "PC4004" // {{ name }}
	NestedFragment        Code = "PC4005" // a fragment inside a fragment's value
	OverLimit             Code = "PC4006" // longer than `limit.chars`
	LimitTooSmall         Code = "PC4007" // a limit that cannot hold the line that says what was cut
	CutToLimit            Code = "PC4008" // a text or a listing that a limit shortened
	ConditionNotApplied   Code = "PC4009" // a rule whose paths or globs are not applied
	DuplicateSkill        Code = "PC4010" // two skills of one name in one section
	BrokenLineValue       Code = "PC4011" // a value that would break its one-line list
	BadTemplate           Code = "PC4012" // a style's template that cannot be used
	TemplateField         Code = "PC4013" // a name in a template or a location that the kind does not offer
	RepeatedLabel         Code = "PC4014" // a label of an identity that stands there twice
)

// Codes of the stage compose. They never stop a run: everything is written
// all the same, so that a reviewer sees what is too long.
const (
	OverTokens      Code = "PC5001" // more tokens than the budget
	OverChars       Code = "PC5002" // more characters than the budget
	OverToolTokens  Code = "PC5003" // more tokens of native schemas than the budget
	NearBudget      Code = "PC5004" // past warn_at
	OverSection     Code = "PC5005" // a section over a budget of its own
	NothingComposed Code = "PC5006" // a variant without a single section
	OverSticky      Code = "PC5007" // sticky sections that exceed the budget by themselves
	ToolDropped     Code = "PC5008" // a required tool that the budget took away
	BlankMarker     Code = "PC5009" // a cache breakpoint behind blank text
)

// Codes of the stage lint. Each has a page in the folder checks: level, title,
// explanation and an example stand there.
const (
	LooksLikeSlot Code = "PC6001" // emitted text that reads like a slot, and is not expanded
	SizesShrink   Code = "PC6002" // a text that gets shorter along an ordered axis
	DeadAxis      Code = "PC6003" // an axis that changes nothing
	NeverKept     Code = "PC6004" // a section that no variant has

	VolatileFirst      Code = "PC6005" // text that changes before text that does not
	TooManyBreakpoints Code = "PC6006" // more cache breakpoints than a request may have
	SmallPrefix        Code = "PC6007" // a marked prefix that is too short to be cached
	MaybeBlankMarker   Code = "PC6008" // text that may be empty where that is refused
	MarkersLeftOut     Code = "PC6009" // cache breakpoints that the dialect does not have

	TurnOrder    Code = "PC6010" // messages in an order that the provider does not take
	BlankText    Code = "PC6011" // a message with blank text
	ImageRefused Code = "PC6012" // images that the provider does not take

	ToolNameRefused     Code = "PC6013" // a tool's name that the provider does not take
	TooManyTools        Code = "PC6014" // more tools than a request may have
	LongToolDescription Code = "PC6015" // a description that some servers refuse
	SchemaRefused       Code = "PC6016" // a tool's schema that the provider does not take
	StrictRefused       Code = "PC6017" // a schema outside the provider's strict mode
	ToolFieldLeftOut    Code = "PC6018" // fields of tools that the dialect does not have

	MissingTool        Code = "PC6019" // text that names a tool that the variant does not have
	MissingSkill       Code = "PC6020" // text that names a skill that the variant does not have
	MissingFile        Code = "PC6021" // text that names a file that the variant does not have
	UnnamedTool        Code = "PC6022" // a tool without a schema beside the text that the text never names
	EmptyHeading       Code = "PC6023" // a heading with nothing under it
	EmptySection       Code = "PC6024" // a section rendered empty
	UnexpandedTemplate Code = "PC6051" // a template of another engine that is sent with its placeholders
	AxisInText         Code = "PC6052" // {axis} in emitted text
	OpenPlaceholder    Code = "PC6025" // {{x}}, ${x} or <%x%> in emitted text
	IdleSource         Code = "PC6026" // a source that no variant has
	SourceTwice        Code = "PC6027" // a source rendered twice in one variant
	SameParagraph      Code = "PC6028" // a long paragraph twice in one artifact
	EqualVariants      Code = "PC6029" // variants that send the same

	VolatileContent Code = "PC6030" // a date, time or id in what is meant to be stable

	HiddenText    Code = "PC6031" // characters that are there to be hidden
	OddCharacter  Code = "PC6032" // invisible characters and controls that may be an accident
	Mojibake      Code = "PC6033" // text decoded twice
	Lookalike     Code = "PC6034" // a name with letters of another script that look alike
	SpecialToken  Code = "PC6035" // a special token of a model family
	SecretInText  Code = "PC6036" // what looks like a key
	OverPreset    Code = "PC6037" // more than the program that reads the file takes
	LongListing   Code = "PC6038" // a listing longer than the program that shows it takes
	NotAsExpected Code = "PC6039" // an expectation that a variant breaks
	IdleSetting   Code = "PC6040" // a row of settings that sets nothing

	ToolNamesAlike    Code = "PC6041" // names of tools that become the same for a provider
	NoToolDescription Code = "PC6042" // a tool without a description
	EnumTwins         Code = "PC6043" // enum values that differ only in case
	UnknownRequired   Code = "PC6044" // a required property that is not defined
	NoValue           Code = "PC6046" // a part of a tool's schema that no value satisfies
	PulledOrder       Code = "PC6061" // a definition of a pulled tool that gives orders about something else
	PulledShadow      Code = "PC6062" // tools of two servers with one name
	PulledClientName  Code = "PC6063" // a pulled tool whose name clients change

	PrefixBreaks Code = "PC6064" // a request that does not begin with what was kept of its conversation

	LonelySection Code = "PC6053" // an identity in a prompt without a soul

	UnreadFiles Code = "PC6045" // files beside those of a pattern that nothing reads
)

// Codes of the stage snapshot.
const (
	FolderRefused    Code = "PC7001" // a folder for snapshots or artifacts that a build must not write to, because it holds a source
	FolderUnmarked   Code = "PC7002" // a snapshot folder that holds other people's files
	ForeignFile      Code = "PC7003" // something under the snapshot folder that no build wrote
	PathOccupied     Code = "PC7004" // a folder, a link or a special file in the place of an output
	FullUnknown      Code = "PC7005" // an entry of snapshots.full that names no variant
	LineEndsDiffer   Code = "PC7006" // generated files differ in line ends alone
	FullRendered     Code = "PC7007" // an entry of snapshots.full that names a prompt which is rendered elsewhere
	ArtifactsUnowned Code = "PC7008" // an artifact folder, or a file in the place of an artifact, that no build wrote
	ArtifactKept     Code = "PC7009" // an artifact that nothing wants any more and that stays, since somebody changed it
	StaleTexts       Code = "PC7010" // inputs of a rendered prompt that changed while no text did
	NotInGit         Code = "PC7011" // files that nobody added to git
	IgnoredByGit     Code = "PC7012" // files that a pattern keeps out of git
)

// Codes of the stage bind.
const (
	SameIdentifier Code = "PC7013" // two things that have the same name in generated code
	UnknownRename  Code = "PC7014" // an entry of bindings.names that names nothing

	RequestsNow Code = "PC7015" // files that were texts and are read as requests now
)

// Codes of the stage diff.
const (
	GrowthExceeded Code = "PC8001" // a variant, or a section of one, that grew by more than its budget lets it grow between two states
	OverPolicy     Code = "PC8002" // a variant, or a section of one, that is over a budget which the head raised or removed
	OwnersLine     Code = "PC8010" // what of CODEOWNERS cannot be read
	NotAdopted     Code = "PC8011" // files with prompts that no prompt of the manifest takes
)

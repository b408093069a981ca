package diag

// Codes of the stage lint. Each has a page in the folder checks: level, title,
// explanation and an example stand there.
const (
	LooksLikeSlot Code = "PC6001" // emitted text that reads like a declared slot but is none
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

	MissingTool     Code = "PC6019" // text that names a tool that the variant does not have
	MissingSkill    Code = "PC6020" // text that names a skill that the variant does not have
	MissingFile     Code = "PC6021" // text that names a file that the variant does not have
	UnnamedTool     Code = "PC6022" // a tool without a schema beside the text that the text never names
	EmptyHeading    Code = "PC6023" // a heading with nothing under it
	EmptySection    Code = "PC6024" // a section rendered empty
	OpenPlaceholder Code = "PC6025" // {{x}}, ${x} or <%x%> in emitted text
	IdleSource      Code = "PC6026" // a source that no variant has
	SourceTwice     Code = "PC6027" // a source rendered twice in one variant
	SameParagraph   Code = "PC6028" // a long paragraph twice in one artifact
	EqualVariants   Code = "PC6029" // variants that send the same

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
	UnknownRequired   Code = "PC6044" // a required property that is none
)

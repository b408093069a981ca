package diag

// Codes of the stage lint.
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
)

// Codes of checks that have a page each in the folder checks: level, title,
// explanation and an example stand there.
const (
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

	VolatileContent Code = "PC6030" // a date, id, path or host in what is meant to be stable

	HiddenText    Code = "PC6031" // characters that are there to be hidden
	OddCharacter  Code = "PC6032" // invisible characters and controls that may be an accident
	Mojibake      Code = "PC6033" // text decoded twice
	Lookalike     Code = "PC6034" // a name with letters of another script that look alike
	SpecialToken  Code = "PC6035" // a special token of a model family
	SecretInText  Code = "PC6036" // what looks like a key
	OverPreset    Code = "PC6037" // more than the program that reads the file takes
	LongListing   Code = "PC6038" // a listing longer than the program that shows it takes
	NotAsExpected Code = "PC6039" // an expectation that a variant breaks
	IdleSetting   Code = "PC6040" // a suppression that suppresses nothing
)

var lintCodes = []Entry{
	{
		LooksLikeSlot, Error, "text that reads like a slot",
		"The emitted text holds `{{name}}` where `name` is a declared slot, but the place is not a slot: its section or source is not expanded, or the braces were written as a literal. A reader, and every loader that searches instead of using the offsets, would take it for one.\n\nSay `expand: true` on the section or source to make it a slot, or write it in another way.",
	},
	{
		SizesShrink, Warning, "sizes that shrink along an ordered axis",
		"The axis says `ordered: true`, and a variant emits fewer tokens than its neighbour with the value before: the same on every other axis, but shorter. Where tiers or windows grow, that is most often a template that was forgotten when the others were extended. Neighbours that are counted by different tokenizers are not compared, nor those of the layout `phases`, which fills a budget.\n\nGive the later value at least what the earlier one has. If a larger value is meant to say less, leave `ordered` out.",
	},
	{
		DeadAxis, Warning, "an axis that changes nothing",
		"Any two variants that differ in nothing but their value on this axis emit the same text, have the same tools and the same budgets. The axis multiplies the variants and tells nobody anything; often a `{axis}` in a path, or a condition, was forgotten.\n\n```yaml\naxes: {mode: [chat, code]}\nsections:\n  - {id: role, path: \"roles/{mode}.md\"}    # the axis is named where its values differ\n```\n\nAn axis is not judged where `exclude` leaves no two variants that differ in it alone.",
	},
	{
		NeverKept, Warning, "a section that no variant has",
		"Every variant leaves the section out: its condition never holds for a variant that is built, its tools are never all there, it never fits the budget, or it never has anything to say. What is written there reaches no model.\n\nThe lines below the finding name the reasons and the variants. A section is not judged where a source of it says `absent: omit` and its file is missing or empty.",
	},
	{
		VolatileFirst, Warning, "text that changes before text that does not",
		"Providers keep the beginning of a request and charge less for it when the next one begins with the same bytes. What stands behind the first byte that differs is read, and paid for, in full again. Here something that is declared volatile (a slot, a section or a source) stands before text that is the same every time.\n\nIt is a warning where a cache breakpoint follows and the request says it, since what that one writes is never found again, also where nothing but the breakpoint follows; and a note elsewhere. What is written there is found as a whole or not at all. So the count goes from the last breakpoint before the volatile thing, or from the beginning with the tools where there is none, to the last breakpoint: of all that is written, or where something that stays the same follows, of all but the lines that change. Without breakpoints the provider finds what stands before the volatile thing by itself; the count is then of the text behind it, up to the last that stays the same. Where it begins or ends inside a section it is estimated, and says \"about\". A line with a volatile slot counts as volatile as a whole.\n\nLet what changes stand last: order the sections, or say it in a section of its own. In a conversation that is the layout's `reminder`.",
	},
	{
		TooManyBreakpoints, Error, "too many cache breakpoints",
		"A request may have four cache breakpoints; one more, and the provider refuses it. It is a warning for requests that leave them out. The finding is at the fifth.\n\nA breakpoint covers everything before it, so fewer are often enough: one behind what never changes, one behind what changes once a session.",
	},
	{
		SmallPrefix, Warning, "a prefix that is too short to be cached",
		"The text up to a cache breakpoint, with the tools where the provider counts them first, has fewer tokens than the provider keeps. It takes the breakpoint and ignores it without a word.\n\nThe least that is kept depends on the model: `cache_minimum` of the prompt says it, 1,024 tokens where it says nothing. Move the breakpoint behind more text, leave it out, or set `cache_minimum` to what the models in use keep.",
	},
	{
		MaybeBlankMarker, Warning, "text that may be empty",
		"A cache breakpoint divides the text of a message. All that stands between two of them, behind the last, or in the whole message are sections with nothing but optional slots, or with one that they are cut with. Where their values are empty at run time, what is left is an empty text: Anthropic refuses a request with one, and no provider takes a cache breakpoint on it.\n\nPut the breakpoint on a section that always says something, or let such a section stand with the others.",
	},
	{
		MarkersLeftOut, Note, "cache breakpoints are left out",
		"The prompt declares cache breakpoints, and the dialect has no field for them: OpenAI's Responses and Gemini find repeated prefixes by themselves. The request is the same without them. The dialect `text` is the text alone: `promptc explain` shows where the breakpoints stand, but no artifact says it.\n\nThis note exists because nothing is left out silently.",
	},
	{
		TurnOrder, Error, "messages in an order that is not taken",
		"The dialect expects a conversation to begin with the user, the user and the assistant to take turns, or all system messages to stand at the beginning. Gemini, and many servers that speak OpenAI's chat dialect, answer anything else with an error; Anthropic's API joins two messages of one role into one, and only some of its models take a system message inside the conversation. For these dialects it is an error, since what would be read is not what is written; where it is only advised, or programs that speak the dialect differ, a warning. So is a conversation that nothing is said before: no section has text, and the tier `L0` is empty.\n\nIt shows where a variant is converted: what does not suit the dialect that the manifest gives is refused earlier, in the conversation's file.",
	},
	{
		BlankText, Error, "a message with blank text",
		"A text in the request holds nothing but white space. Anthropic refuses that; for other providers it is a warning, since it only costs tokens. Leave the section or the message out.",
	},
	{
		ImageRefused, Error, "images that are not taken",
		"The provider does not read images of this type, or not so many in one request. PNG, JPEG and WebP are read by all; up to 100 images by every model (that is a warning where some models take more).\n\nConvert the image, or send fewer.",
	},
	{
		ToolNameRefused, Error, "a tool's name that is not taken",
		"OpenAI and Anthropic take names of letters, digits, `_` and `-`, the former up to 64 characters, the latter up to 128; Gemini also `.` and `:`, up to 128, beginning with a letter or `_`. A request with another name is refused as a whole. Names longer than the 64 that Anthropic documents, and that Gemini's API insisted on before, are a warning.\n\nNames that begin with a letter and have at most 64 letters, digits, `_` and `-` suit all.",
	},
	{
		TooManyTools, Error, "too many tools in a request",
		"OpenAI takes 128 tools in a request, Gemini 512, and Anthropic at most 20 strict ones, with at most 24 optional parameters and 16 of several types among them. It is a note where OpenAI's advice is exceeded, which is to stay below about 20 so that the model chooses well.\n\nSelect tools with `only`, by variant if need be.",
	},
	{
		LongToolDescription, Warning, "a long description of a tool",
		"OpenAI itself dropped its limit of 1,024 characters for descriptions, but other servers that speak its dialect still refuse longer ones. Shorten the description, or say in the text of the prompt how the tool is used.",
	},
	{
		SchemaRefused, Error, "a tool's schema that is not taken",
		"The schema is right as JSON Schema, but this provider answers a request with it with an error: OpenAI and Anthropic take no `oneOf`, `anyOf` or `allOf` at the root; OpenAI no array without `items`; Anthropic no names of arguments but letters, digits, `_`, `.` and `-`. Gemini's rule for names of parameters is a warning, since its API does not always insist on it.\n\nThere is one finding for each rule, at the first place; the lines below name others.",
	},
	{
		StrictRefused, Error, "a schema outside the strict mode",
		"The tool says `strict: true`: the provider then holds the model to the schema, and takes only a part of JSON Schema.\n\n- OpenAI: every object says `additionalProperties: false` and requires all its properties (an optional one may be `null`); no `allOf`, `oneOf`, `not`, `if`, `then`, `else`, `dependentRequired`, `dependentSchemas`, `patternProperties`; at most 10 levels, 5,000 properties and 1,000 enum values.\n- Anthropic: every object says `additionalProperties: false`; no recursion, no bounds of numbers, texts or lists but `minItems` of 0 or 1; enums of simple values that differ in more than case.\n\nChange the schema, or let the tool not be strict.",
	},
	{
		ToolFieldLeftOut, Note, "fields of tools are left out",
		"A tool of the Model Context Protocol may have a title, annotations, icons or a schema of its output. Requests have no place for them, nor Gemini's for `strict`. They stay in the snapshots of the tools. This note exists because nothing is left out silently; what the model should know belongs in the description.",
	},
}

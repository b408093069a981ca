package diag

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

var composeCodes = []Entry{
	{
		OverTokens, Error, "over the token budget",
		"What the variant emits, with the `max_tokens` of its slots, is more than its budget allows. The count is of the emitted bytes, joins and headings included.\n\nEverything is built and written all the same, and the exit status is 1. `promptc explain VARIANT` shows what each section costs. Shorten a section, let one step down with `degrade:`, or raise the budget on purpose. `over: warn` makes it a warning.",
	},
	{
		OverChars, Error, "over the character budget",
		"The variant's emitted text has more characters (code points) than `budget: {chars: …}` allows.",
	},
	{
		OverToolTokens, Error, "over the budget of native schemas",
		"The schemas that go beside the text, as compact JSON, count more tokens than `budget: {tool_tokens: …}` allows. Providers count them as input, too. Select fewer tools with `only`, or shorten descriptions.",
	},
	{
		NearBudget, Warning, "near the budget",
		"The variant is within its budget, but past the share that `warn_at` names. Decide now what may go, while nothing is broken.",
	},
	{
		OverSection, Error, "a section over its own budget",
		"A section may have a `budget` of its own. This one's text, by itself, is over it.",
	},
	{
		NothingComposed, Error, "a variant says nothing",
		"Every section of the variant is left out, so it would be an empty text. Exclude the variant, or give it a section.",
	},
	{
		OverSticky, Error, "sticky sections over the budget",
		"Under the layout `phases`, sticky sections are always in. Together they already exceed the budget, after every step of their ladders, so nothing else found a place. Everything is written all the same.\n\nThe finding lists them with their sizes. Shorten one, give it a `degrade` ladder, or make one that can be missed not sticky.",
	},
	{
		ToolDropped, Error, "a required tool was dropped",
		"An entry of a registry requires a tool. The variant's toolset has it by its manifest, but the section that brings it was dropped, or stepped down to fewer tools, to keep within the budget. The entry would tell the model to use what it does not have.\n\nMake the section with the tools sticky, or say with `when` where the entry's section is in.",
	},
	{
		BlankMarker, Error, "a cache breakpoint behind blank text",
		"A cache breakpoint stands behind a block of text: what the sections say since the breakpoint before it, or a message of a conversation. Here that is white space alone, and providers answer a request with such a block with an error.\n\nIt is a warning where a section with `breakpoint: true` is in, but only brings tools: without text it takes its breakpoint with it, and nothing is kept up to there.\n\nPut the breakpoint on a section that says something.",
	},
}

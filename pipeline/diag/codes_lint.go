package diag

// Codes of the stage lint.
const (
	LooksLikeSlot Code = "PC6001" // emitted text that reads like a declared slot but is none
	SizesShrink   Code = "PC6002" // a text that gets shorter along an ordered axis
	DeadAxis      Code = "PC6003" // an axis that changes nothing
	NeverKept     Code = "PC6004" // a section that no variant has
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
}

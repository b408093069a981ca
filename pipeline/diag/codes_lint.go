package diag

// Codes of the stage lint.
const (
	LooksLikeSlot Code = "PC6001" // emitted text that reads like a declared slot but is none
)

var lintCodes = []Entry{
	{
		LooksLikeSlot, Error, "text that reads like a slot",
		"The emitted text holds `{{name}}` where `name` is a declared slot, but the place is not a slot: its section or source is not expanded, or the braces were written as a literal. A reader, and every loader that searches instead of using the offsets, would take it for one.\n\nSay `expand: true` on the section or source to make it a slot, or write it in another way.",
	},
}

package diag

// Codes of the stage diff.
const (
	// GrowthExceeded is a variant, or a section of one, that grew by more than
	// its budget lets it grow between two states.
	GrowthExceeded Code = "PC8001"
)

var diffCodes = []Entry{
	{Code: GrowthExceeded, Level: Error, Title: "grown by more than the budget allows", Explanation: `
` + "`budget: {growth: 5%}` or `{growth_tokens: 50}`" + ` limits by how much a variant, or a section, may grow in one change: ` + "`promptc diff`" + ` compares
it with the base. It is a ratchet beside the wall: the limit in tokens says how long a prompt may be, this one that nobody makes it much
longer unnoticed.

Shorten the text, or raise the limit in the same change, so that the reviewer sees both. ` + "`promptc diff`" + ` fails on it with
` + "`--fail-on growth`" + ` alone.`},
}

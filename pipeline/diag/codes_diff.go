package diag

// Codes of the stage diff.
const (
	// GrowthExceeded is a variant, or a section of one, that grew by more than
	// its budget lets it grow between two states.
	GrowthExceeded Code = "PC8001"
	// OverPolicy is a variant, or a section of one, that is over a budget which
	// the head raised or removed.
	OverPolicy Code = "PC8002"
)

var diffCodes = []Entry{
	{Code: GrowthExceeded, Level: Error, Title: "grown by more than the budget allows", Explanation: `
` + "`budget: {growth: 5%}` or `{growth_tokens: 50}`" + ` limits by how much a variant, or a section, may grow in one change: ` + "`promptc diff`" + ` compares
it with the base. It is a ratchet beside the wall: the limit in tokens says how long a prompt may be, this one that nobody makes it much
longer unnoticed.

The stricter limit of base and head counts. Shorten the text, or raise the limit in a change of its own first; with ` + "`--policy head`" + ` the
head's limit counts alone. ` + "`promptc diff`" + ` fails on it with ` + "`--fail-on growth`" + ` alone.`},
	{Code: OverPolicy, Level: Error, Title: "over the budget of the policy", Explanation: `
The change raises a budget, removes it, or makes it warn only, and the prompt is over the budget that counted before. ` + "`promptc diff`" + ` judges by
the stricter budget of base and head, so that nobody raises a limit and uses it in one change unnoticed.

Make the text smaller, or raise the budget in a change of its own first. ` + "`--policy head`" + ` judges by the head alone, ` + "`--policy REF`" + ` or
` + "`--policy FILE`" + ` by another manifest instead of the base. ` + "`promptc diff`" + ` fails on it with ` + "`--fail-on budget`" + ` alone.`},
}

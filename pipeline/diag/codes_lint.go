package diag

// Codes of the stage lint.
const ()

var lintCodes = []Entry{}

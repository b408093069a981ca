package diag

// Codes of the stage resolve.
const ()

var resolveCodes = []Entry{}

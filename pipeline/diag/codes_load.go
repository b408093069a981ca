package diag

// Codes of the stage load.
const ()

var loadCodes = []Entry{}

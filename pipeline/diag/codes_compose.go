package diag

// Codes of the stage compose.
const ()

var composeCodes = []Entry{}

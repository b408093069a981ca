package diag

// Codes of the stage validate.
const ()

var validateCodes = []Entry{}

package diag

// Codes of the stage render.
const ()

var renderCodes = []Entry{}

package diag

// Codes of the stage snapshot.
const ()

var snapshotCodes = []Entry{}

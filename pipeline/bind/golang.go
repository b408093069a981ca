package bind

// golang writes the package of a model.
func golang(_ *Model) []File { return nil }

// goNames are the identifiers that the package declares.
func goNames(_ *Model) []declared { return nil }

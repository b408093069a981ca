package diag

import "strings"

// Stages whose codes settings treat apart.
const (
	composePrefix = "PC5"
	lintPrefix    = "PC6"
	diskPrefix    = "PC7"
)

// Settable reports whether a manifest may say what findings of the code count
// as: all checks of lint, and what is no error by itself. Whatever else is an
// error would compile to something that nobody meant.
func (e Entry) Settable() bool {
	return e.Level != Error || strings.HasPrefix(string(e.Code), lintPrefix)
}

// OfPrompts reports whether findings of the code are about prompts, which they
// name, and not about the input as such.
func (c Code) OfPrompts() bool {
	return strings.HasPrefix(string(c), composePrefix) || strings.HasPrefix(string(c), lintPrefix)
}

// OfDisk reports whether findings of the code are about the folders that a build
// writes, which not every run looks at.
func (c Code) OfDisk() bool { return strings.HasPrefix(string(c), diskPrefix) }

// Settable reports whether a setting may change what the finding counts as. Findings
// of some codes are errors here and warnings there.
func (d Diagnostic) Settable() bool {
	return d.Level != Error || strings.HasPrefix(string(d.Code), lintPrefix)
}

package prompt

// Readings says which files a manifest names, for those who read them.
type Readings struct {
	Files []Reading
	// Axes gives the values that `{axis}` stands for in a path: those that the
	// axis has in any prompt, in the order in which they are declared.
	Axes map[string][]string
	// Outputs are the folders that promptc writes: nothing in them is a source.
	Outputs []string
}

// Reading is one path of the manifest that is to be read. Whether the files may
// be missing is decided where they are used.
type Reading struct {
	// Path is a file or a pattern as written, with its `{axis}`.
	Path Word
	// Kind reads the files: the name of a Kind, StyleKind, TranscriptKind or
	// RenderedKind.
	Kind string
	// Walk says that Path is a folder, and that the files are those of the
	// folders from Root down to it.
	Walk  bool
	Root  Word // "." for the manifest's folder
	Local bool // with the files of one person
	// AnyValue says that an `{axis}` stands for whatever the names of the files
	// have there.
	AnyValue bool
}

// Shown is what a fixture names: a folder and files in it, as written.
type Shown struct {
	Folder Word // "" for none
	Files  []Word
}

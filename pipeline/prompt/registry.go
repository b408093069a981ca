package prompt

// Entry is one prompt of a registry.
type Entry struct {
	ID          Word
	Name        Text
	Description Text
	Content     Text
	Requires    []Word // tools that the variant must have
	Tags        []Word
	Source      string // static, mcp or config
	Server      Word   // "" where it comes from no server
	Doc         *Doc   // the file that it is in
}

// Select says which entries of its registries a section takes. The keys are
// ANDed and the names of one key ORed; nil takes any.
type Select struct {
	IDs     []Word // in this order
	Tags    []Word
	Sources []Word
	Servers []Word
}

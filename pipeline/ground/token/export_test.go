package token

// Library gives how tiktoken-go by itself counts in an encoding.
func Library(name string) func(text string) int {
	for _, e := range encodings {
		if e.name == name {
			e.reference.load()
			return func(text string) int { return len(e.reference.library.EncodeOrdinary(text)) }
		}
	}
	return nil
}

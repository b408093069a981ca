package ground

// PathStep leads from a value of JSON into it: to a key of an object or, with Element,
// to a place in a list, counted from 0.
type PathStep struct {
	Key     string
	Element bool
}

package ground

import (
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Word is a short scalar of the manifest with its place.
type Word struct {
	Str string
	At  diag.Span
}

// Strings gives words without their places; never nil.
func Strings(words []Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Str
	}
	return out
}

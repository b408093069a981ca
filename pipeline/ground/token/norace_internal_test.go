//go:build !race

package token

// Raced tells whether the race detector watches.
const Raced = false

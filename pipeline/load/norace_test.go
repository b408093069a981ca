//go:build !race

package load_test

// raced says that the race detector slows everything down.
const raced = false

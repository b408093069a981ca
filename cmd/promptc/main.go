// Command promptc compiles prompts: it assembles every variant that a
// prompts.yaml declares, checks budgets, and keeps the snapshots that reviews
// read. See the package documentation of pipeline for how.
package main

import (
	"os"
	"runtime/debug"
)

// A run is short, and what it reads stays in use to its end: collecting often
// finds nothing. Above the second figure, which few projects reach, memory is
// dearer than time.
const (
	growth = 400       // percent of what is in use
	plenty = 160 << 20 // bytes
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(plenty)
	}
	os.Exit(Run(os.Args, Console{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		Terminal: isTerminal(os.Stdout), ErrTerminal: isTerminal(os.Stderr),
	}))
}

// isTerminal reports whether a stream is shown to a person.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// Command promptc compiles prompts: it assembles every variant that a
// prompts.yaml declares, checks budgets, and keeps the snapshots that reviews
// read. See the package documentation of pipeline for how.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	collectLate()
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

// collectLate puts the first garbage collection off until the heap has 64 MB, which
// most runs never have; what is larger is collected as usual from then on. Whoever sets
// GOGC gets that.
func collectLate() {
	const first = 64 << 20 / (4 << 20) * 100 // in percent of the 4 MB that a heap may have at 100 %
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(first)
	// The first collection finds that nothing holds the pointer: one to a pointer, since
	// small values without any share their memory with others, which may be held.
	runtime.AddCleanup(new(*byte), func(usual int) { debug.SetGCPercent(usual) }, usual)
}

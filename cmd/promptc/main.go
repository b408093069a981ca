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

// usual is how much memory may grow between two collections, in percent, where
// the environment does not say otherwise; late is the same of the 4 MB that the
// runtime starts from.
const (
	usual = 100
	late  = 1600
)

// collectLate puts the first collection off until 64 MB are in use, which most
// runs never come to: they are short, and what they read stays in use to the
// end. From then on memory grows as it does in any program.
func collectLate() {
	if before := debug.SetGCPercent(late); before != usual {
		debug.SetGCPercent(before)
		return
	}
	type unused struct{ _ *byte } // nothing refers to it, so that the first collection finds it
	runtime.AddCleanup(&unused{}, func(percent int) { debug.SetGCPercent(percent) }, usual)
}

// isTerminal reports whether a stream is shown to a person.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

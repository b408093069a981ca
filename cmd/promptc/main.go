// Command promptc compiles prompts: it assembles every variant that a
// prompts.yaml declares, checks budgets, and keeps the snapshots that reviews
// read. See the package documentation of pipeline for how.
package main

import (
	"os"
	"runtime"
)

// ballast is memory that is never touched, and so takes none, but counts as in
// use: below twice of it nothing is collected. A run is short, and what it reads
// stays in use to its end.
const ballast = 32 << 20 // bytes

func main() {
	unused := make([]byte, ballast)
	status := Run(os.Args, Console{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		Terminal: isTerminal(os.Stdout), ErrTerminal: isTerminal(os.Stderr),
	})
	runtime.KeepAlive(unused)
	os.Exit(status)
}

// isTerminal reports whether a stream is shown to a person.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

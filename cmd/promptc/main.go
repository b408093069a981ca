// Command promptc compiles prompts: it assembles every variant that a
// prompts.yaml declares, checks budgets, and keeps the snapshots that reviews
// read. See the package documentation of pipeline for how.
package main

import "os"

func main() {
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

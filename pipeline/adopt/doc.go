// Package adopt is the wing that writes a manifest for what a repository has. The room
// scaffold makes the files of init, sorts the files of agents, and finds prompts in the
// names of rendered files.
//
// In come names of files and what was read of them; out come a manifest and the files
// beside it, as outputs. It is pure: it does not compile what it proposes, and writes
// nothing.
package adopt

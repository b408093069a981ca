// Package world is the wing of everything outside the process but the project's own
// files: the git program (git), MCP servers (live) and the files of what they offer
// (pulled), what changes while somebody watches (watch), and browsers on the same
// machine (serve).
//
// In come names, addresses and bytes; out come file systems, tools and pages. It does
// not know plans, artifacts nor findings of lint: what it gives is read as any file is.
package world

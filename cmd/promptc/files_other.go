//go:build !unix

package main

// enoughFiles knows of no limit on open files here.
func enoughFiles() error { return nil }

// Package assembly is the wing that makes prompts: [Plan] is every variant with its
// sections, [Rendering] a distinct text of a section, [Artifact] what a variant sends,
// [Generated] the code that loads it. Its rooms are the stages resolve, render, compose
// and bind, the requests of providers (dialect), and sets of variants in words
// (setcover).
//
// In comes a Spec; out come artifacts. It is pure: it does not know the disk, the
// snapshots, the state that it may be compared with, nor how anything is printed.
package assembly

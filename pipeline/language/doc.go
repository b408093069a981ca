// Package language is the wing of the manifest: [Tree] is what was read, [Spec] what
// it says. The room load reads files and gives each byte its place; validate holds
// them against the schemas and decodes them; axispattern and slugs are how names
// stand in paths and ids.
//
// In come bytes; out comes a [Spec], typed, whose names nobody has looked up yet. It
// does not know variants, texts that are assembled, nor what is on disk because a
// build wrote it. Only load reads files, and only validate knows the manifest's keys.
package language

// Package ground is the wing that everything stands on: texts whose bytes know where
// they come from, values of YAML and JSON, sets, and what providers' requests look
// like. Its rooms say where something is wrong (diag), count tokens (token), look at
// characters, Markdown, patterns of paths, secrets, tags of templates and the texts in
// code (code), and run things in parallel (par).
//
// In comes text; out come places, findings, figures and shapes. It does not know what
// a prompt is, nor what a manifest says, and it reads no file.
package ground

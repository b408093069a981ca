// Package store is the wing between artifacts and the disk: [Delta] says how what a
// build wants differs from what is there. The room snapshot compares and, in Commit,
// writes; lock keeps two builds out of one folder.
//
// In come a plan and its artifacts; out comes a [Delta], and files. Nothing else in the
// program writes a file. It does not know the manifest's keys, findings of lint, nor
// commits.
package store

// Package guard is the wing of checks: what only the assembled text shows, and what
// providers refuse. The room lint has the checks, and settles what findings count as.
//
// In come artifacts; out come findings. It is pure, and changes nothing that it looks
// at.
package guard

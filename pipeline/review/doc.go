// Package review is the wing that compares: [Difference] is what changed in meaning
// between two states, each change once ([Edit]) with the variants that it reaches. The
// room pairing says what is compared with what; diff, policy, volatile and idle find
// the edits; textdiff and leaf compare lines and values; owners says whose they are;
// joining makes one result of those of several projects.
//
// In come two results; out comes a [Difference]. It is pure: it does not know commits,
// nor how a change is worded.
package review

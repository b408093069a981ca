//go:build unix

package load

import "syscall"

// nonblock keeps the opening of a pipe from waiting for a writer, should one
// take a file's place between the look at it and its opening.
const nonblock = syscall.O_NONBLOCK

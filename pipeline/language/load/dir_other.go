//go:build !unix

package load

// nonblock is nothing where files cannot be pipes.
const nonblock = 0

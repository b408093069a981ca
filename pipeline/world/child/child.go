// Package child ends programs together with all that they started.
package child

import "time"

const (
	// tries is how often strays are looked for: one may start another meanwhile.
	tries = 100
	pause = 10 * time.Millisecond
)

// EndMarked ends the processes in whose environment a text stands, which nobody else
// has: those that left the group of the program that started them. Only Linux says
// which these are.
func EndMarked(mark string) {
	for range tries {
		if !endMarked(mark) {
			return
		}
		time.Sleep(pause)
	}
}

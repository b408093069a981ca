package git

import "time"

// OpenWithin is Open with another limit for answers.
func OpenWithin(dir string, limit time.Duration) (*Repository, error) { return open(dir, limit) }

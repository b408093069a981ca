package record

import (
	"strings"
	"sync"
)

// maxTail is how much is kept of what a program prints, in bytes.
const maxTail = 4 << 10

// Tail keeps the end of what is written to it. Its zero value is empty.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements [io.Writer].
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - maxTail; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// Text gives the end, in UTF-8.
func (t *Tail) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.text), "\ufffd")
}

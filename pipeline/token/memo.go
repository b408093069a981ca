package token

import "sync"

// memo remembers what was worked out for a key. Two callers that ask for the
// same new key at once get one computation: the second waits for the first. The
// zero memo is empty and ready.
type memo[K comparable, V any] struct {
	mu    sync.RWMutex
	slots map[K]*slot[V]
}

type slot[V any] struct {
	once  sync.Once
	value V
}

// of returns the value for the key, from compute if the key is new. The lock is
// not held meanwhile, so that other keys do not wait.
func (m *memo[K, V]) of(key K, compute func() V) V {
	s := m.slot(key)
	s.once.Do(func() { s.value = compute() })
	return s.value
}

func (m *memo[K, V]) slot(key K) *slot[V] {
	m.mu.RLock()
	s, ok := m.slots[key]
	m.mu.RUnlock()
	if ok {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok = m.slots[key]; !ok {
		if m.slots == nil {
			m.slots = make(map[K]*slot[V])
		}
		s = new(slot[V])
		m.slots[key] = s
	}
	return s
}

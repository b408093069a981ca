// Package ordered keeps one value for each key, in the order in which the keys
// came: what is found in one variant after another is said once, and always in
// the same order.
package ordered

import "iter"

// Map has a value for each of its keys. Its zero value is empty.
type Map[K comparable, V any] struct {
	Keys   []K // in the order in which they came
	values map[K]*V
}

// Of gives the value of a key, the zero value where it is new.
func (m *Map[K, V]) Of(key K) *V {
	if v, ok := m.values[key]; ok {
		return v
	}
	if m.values == nil {
		m.values = map[K]*V{}
	}
	v := new(V)
	m.Keys = append(m.Keys, key)
	m.values[key] = v
	return v
}

// Get gives the value of a key, nil where there is none.
func (m *Map[K, V]) Get(key K) *V { return m.values[key] }

// All gives the keys and their values.
func (m *Map[K, V]) All() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		for _, key := range m.Keys {
			if !yield(key, m.values[key]) {
				return
			}
		}
	}
}

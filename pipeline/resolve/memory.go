package resolve

import "github.com/promptc-build/promptc/pipeline/prompt"

// memory is what a section was for variants before. What a section is depends
// on the values of the axes that are asked for on the way there, and on nothing
// else of a variant: variants alike in these are decided once.
type memory struct {
	read      []bool // the axes that were asked for, by conditions and paths
	decided   map[string]decided
	fallbacks []*prompt.Source // that stood in for the variant at hand
}

// decided is what one variant does with a section, for all that are like it.
type decided struct {
	use       prompt.Use
	fallbacks []*prompt.Source
}

// remember starts a section's memory. The layout counts with what it asks for
// itself: it decides what a section says of its place.
func (sec *section) remember() {
	sec.memory = memory{read: make([]bool, len(sec.axes)), decided: map[string]decided{}}
	copy(sec.memory.read, sec.shapes)
	sec.scope.read = sec.memory.read
}

// use decides what a variant does with the section.
func (sec *section) use(v *prompt.Variant) {
	m := &sec.memory
	sec.scope.read = m.read
	key := m.key(v)
	if was, ok := m.decided[key]; ok {
		v.Uses[sec.index] = was.use
		for _, src := range was.fallbacks {
			sec.binder.fallbacks[src].stoodIn(sec.scope, v)
		}
		return
	}
	m.fallbacks = nil
	sec.decide(v)
	now := m.key(v)
	if len(now) > len(key) {
		clear(m.decided) // by fewer axes than count
	}
	m.decided[now] = decided{v.Uses[sec.index], m.fallbacks}
}

// key tells variants apart by the values of the axes that were asked for.
func (m *memory) key(v *prompt.Variant) string {
	key := make([]byte, 0, 3*len(m.read))
	for axis, read := range m.read {
		if read {
			key = append(key, byte(v.Values[axis]), byte(v.Values[axis]>>8), byte(v.Values[axis]>>16))
		}
	}
	return string(key)
}

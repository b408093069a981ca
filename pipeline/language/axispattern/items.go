package axispattern

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// namingKeys are the keys by which the items of a list are called, the first that serves.
// An id is not one of them: records of a log have new ones each time.
var namingKeys = []string{"slug", "name"}

// Children calls f with each value in a value, and with the keys that a step of a
// pointer may call it by, the stable one first: in a mapping its key; in a list whose
// items all have a key that names them, each with another value that an axis may have,
// that value, and else the index.
func Children(n *ground.Node, f func(keys []string, field *ground.Field, value *ground.Node)) {
	names := itemNames(n)
	for i, item := range n.List() {
		keys := []string{strconv.Itoa(i)}
		if names != nil {
			keys = []string{names[i], keys[0]}
		}
		f(keys, nil, item)
	}
	for i := range n.Entries() {
		field := &n.Entries()[i]
		f([]string{field.Key}, field, field.Value)
	}
}

func itemNames(n *ground.Node) []string {
	for _, key := range namingKeys {
		var names []string
		met := map[string]bool{}
		for _, item := range n.List() {
			name := item.Field(key).Scalar()
			_, err := strconv.Atoi(name)
			if !IsAxisValue(name) || err == nil || met[name] {
				break
			}
			met[name] = true
			names = append(names, name)
		}
		if len(names) == len(n.List()) {
			return names
		}
	}
	return nil
}

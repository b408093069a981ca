package canon

import (
	"encoding/json"
	"strings"
)

// Value gives a value of Go as JSON on one line, without the escapes that are for
// HTML. The value is of types that always have JSON: strings, numbers, lists and
// structs of them.
func Value(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

package ground

import (
	"regexp"
	"strings"
)

// Placeholder is one `{{name}}` in a text, at the bytes [Start, End).
type Placeholder struct {
	Start, End int
	Name       string
	// Literal marks `{{{{name}}}}`, which stands for the characters
	// {{name}}.
	Literal bool
	// Spaced marks `{{ name }}`, which is no placeholder but reads like one.
	Spaced bool
}

var placeholder = regexp.MustCompile(`\{\{\{\{([A-Za-z0-9._-]+)\}\}\}\}|\{\{([ \t]*)([A-Za-z0-9._-]+)([ \t]*)\}\}`)

// Placeholders finds every placeholder of a text, in order. Braces around
// anything but a name are ordinary text.
func Placeholders(s string) []Placeholder {
	if !strings.Contains(s, "{{") {
		return nil
	}
	var out []Placeholder
	for _, m := range placeholder.FindAllStringSubmatchIndex(s, -1) {
		p := Placeholder{Start: m[0], End: m[1]}
		if m[2] >= 0 {
			p.Name, p.Literal = s[m[2]:m[3]], true
		} else {
			p.Name = s[m[6]:m[7]]
			p.Spaced = m[4] != m[5] || m[8] != m[9]
		}
		out = append(out, p)
	}
	return out
}

package bind

import (
	"slices"
	"strings"
)

// Words are the parts of a name, which each language joins in its own way.
type Words []string

// wordsOf splits an id at its separators. It has at least one word.
func wordsOf(id string) Words {
	return strings.FieldsFunc(id, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
}

// Pascal writes words as in HouseRules.
func (w Words) Pascal() string {
	var out strings.Builder
	for _, word := range w {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// Camel writes words as in houseRules.
func (w Words) Camel() string {
	if len(w) == 0 {
		return ""
	}
	return strings.ToLower(w[0]) + w[1:].Pascal()
}

// Snake writes words as in house_rules.
func (w Words) Snake() string { return strings.ToLower(strings.Join(w, "_")) }

// identifier makes a name one that a language takes: a digit in front gets v, which
// is a letter `v` or `V`, and a reserved word, or a name that the run-time part has,
// a `_` behind it.
func identifier(name, v string, reserved []string) string {
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = v + name
	}
	if slices.Contains(reserved, name) {
		return name + "_"
	}
	return name
}

// declared is a name in generated code: the thing that has it, as messages and
// bindings.names call it, and the space in which it has to differ from others.
type declared struct{ space, name, of string }

// clash is two things that have the same name.
type clash struct{ name, first, second string }

// clashes finds names that two things have, each once. One thing may declare a name
// twice.
func clashes(all []declared) []clash {
	var out []clash
	first := map[[2]string]string{}
	for _, d := range all {
		key := [2]string{d.space, d.name}
		switch of, ok := first[key]; {
		case !ok:
			first[key] = d.of
		case of != d.of:
			if c := (clash{d.name, of, d.of}); !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// ids are what the things of a prompt are called in messages.
func (p *Prompt) axis(a Axis) string           { return p.ID + "/" + a.ID }
func (p *Prompt) value(a Axis, v Value) string { return p.axis(a) + "=" + v.ID }
func (p *Prompt) slot(s Slot) string           { return p.ID + "/{{" + s.ID + "}}" }

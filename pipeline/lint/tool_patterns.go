package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// construct is a part of regular expressions that not everybody reads.
type construct int

const (
	lookAround    construct = iota // (?=…) (?!…) (?<=…) (?<!…)
	namedGroup                     // (?<name>…)
	backReference                  // \1 \k<name>
	wordEdge                       // \b \B
	propertyClass                  // \p{…} \P{…}
)

// patternsWith finds the regular expressions that hold one of some constructs.
func patternsWith(refused ...construct) func([]schemaAt) []breach {
	return func(all []schemaAt) []breach {
		var out []breach
		for _, s := range all {
			for _, f := range s.node.Fields {
				switch {
				case f.Key == "pattern" && f.Value.Kind == prompt.String && holds(f.Value.Text.Str, refused):
					out = append(out, breach{f.Value.At, f.Value.Text.Str})
				case f.Key == "patternProperties":
					for _, named := range f.Value.Fields {
						if holds(named.Key, refused) {
							out = append(out, breach{named.KeyAt, named.Key})
						}
					}
				}
			}
		}
		return out
	}
}

// holds reports whether a regular expression has one of some constructs.
func holds(pattern string, wanted []construct) bool {
	class := false // within […]
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i+1:]
		found := construct(-1)
		switch c := pattern[i]; {
		case c == '\\':
			found = escaping(rest, class)
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			found = grouping(rest)
		}
		if slices.Contains(wanted, found) {
			return true
		}
	}
	return false
}

// escaping tells what follows a backslash, -1 for what everybody reads.
func escaping(rest string, class bool) construct {
	switch {
	case strings.HasPrefix(rest, "p{"), strings.HasPrefix(rest, "P{"):
		return propertyClass
	case class || rest == "":
		return -1
	case rest[0] == 'b', rest[0] == 'B':
		return wordEdge
	case rest[0] >= '1' && rest[0] <= '9', strings.HasPrefix(rest, "k<"):
		return backReference
	}
	return -1
}

// grouping tells what follows an opening bracket, -1 for what everybody reads.
func grouping(rest string) construct {
	for _, open := range []string{"?=", "?!", "?<=", "?<!"} {
		if strings.HasPrefix(rest, open) {
			return lookAround
		}
	}
	if strings.HasPrefix(rest, "?<") {
		return namedGroup
	}
	return -1
}

// Package glob reads the patterns of paths: `*`, `**`, `?`, `[…]` and `{a,b}`,
// with slashes between the elements. It touches no disk.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// MaxAlternatives bounds what the braces of one pattern stand for: nested ones
// multiply.
const MaxAlternatives = 1000

// MaxBytes bounds a pattern. No file has a longer path.
const MaxBytes = 4096

// Valid reports whether a pattern can be read: every `[` and `{` is closed, and
// no class is empty.
func Valid(pattern string) bool { return doublestar.ValidatePattern(pattern) }

// Element reports whether a pattern without braces matches a path, or one element
// of it. One that is not valid matches nothing.
func Element(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	return err == nil && ok
}

// A Pattern is a pattern that was read, and matches whole paths.
type Pattern struct {
	alternatives []string
}

// Parse reads a pattern. fault is the key of the words that say what is wrong with
// it, "" if nothing is.
func Parse(pattern string) (p Pattern, fault string) {
	switch {
	case len(pattern) > MaxBytes:
		return p, "longer-than-paths"
	case !Valid(pattern):
		return p, "pattern-not-readable"
	}
	all, ok := Alternatives(pattern)
	if !ok {
		return p, "too-many-alternatives"
	}
	return Pattern{all}, ""
}

// Alternatives gives the patterns without braces that it stands for. None for
// the zero Pattern.
func (p Pattern) Alternatives() []string { return p.alternatives }

// Fixed gives the folders in front of what is no plain name, of each of its
// Alternatives; "." for none.
func (p Pattern) Fixed() []string {
	var out []string
	for _, one := range p.alternatives {
		folder, _ := doublestar.SplitPattern(one)
		out = append(out, folder)
	}
	return out
}

// Match reports whether a path, with slashes, matches as a whole.
func (p Pattern) Match(path string) bool {
	for _, one := range p.alternatives {
		if ok, err := doublestar.Match(one, path); err == nil && ok {
			return true
		}
	}
	return false
}

// Alternatives expands the braces of a pattern; false when there are more than
// MaxAlternatives.
func Alternatives(pattern string) ([]string, bool) {
	out := []string{}
	pending := []string{pattern}
	for len(pending) > 0 {
		one := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		open, parts, end := firstGroup(one)
		if open < 0 {
			out = append(out, one)
		}
		for i := len(parts) - 1; i >= 0; i-- {
			pending = append(pending, one[:open]+parts[i]+one[end:])
		}
		if len(out)+len(pending) > MaxAlternatives {
			return nil, false
		}
	}
	return out, true
}

// firstGroup finds the first braces of a pattern that are not in a class, and
// what the commas between them separate. open is -1 where there are none.
func firstGroup(p string) (open int, parts []string, end int) {
	open = -1
	depth, from := 0, 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '[':
			i = classEnd(p, i)
		case '{':
			if depth == 0 {
				open, from = i, i+1
			}
			depth++
		case ',':
			if depth == 1 {
				parts, from = append(parts, p[from:i]), i+1
			}
		case '}':
			if depth--; depth == 0 {
				return open, append(parts, p[from:i]), i + 1
			}
			depth = max(depth, 0)
		}
	}
	return -1, nil, 0
}

// classEnd gives the place of the bracket that closes a class.
func classEnd(p string, open int) int {
	i := open + 1
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		i++
	}
	if end := strings.IndexByte(p[i:], ']'); end > 0 {
		return i + end
	}
	return open
}

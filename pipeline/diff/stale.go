package diff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// body is the text of a rendering, for looking up what is in it.
type body struct {
	// n numbers the distinct texts.
	n     int
	text  string
	lines map[string]bool // nil until it is looked into
}

// bodyOf gives the text of a rendering, the breaks at its end left out.
func (r *run) bodyOf(x *prompt.Rendering) *body {
	if b := r.known[x]; b != nil {
		return b
	}
	b := &body{text: strings.TrimRight(x.Text.Str, "\n")}
	n, known := r.bodies[b.text]
	if !known {
		n = len(r.bodies)
		r.bodies[b.text] = n
	}
	b.n = n
	r.known[x] = b
	return b
}

// has reports whether a text has some lines, one after another.
func (b *body) has(lines []string) bool {
	if b.lines == nil {
		b.lines = map[string]bool{}
		for line := range strings.SplitSeq(b.text, "\n") {
			b.lines[line] = true
		}
	}
	if slices.ContainsFunc(lines, func(line string) bool { return !b.lines[line] }) {
		return false
	}
	if len(lines) == 1 {
		return true
	}
	return strings.Contains("\n"+b.text+"\n", "\n"+strings.Join(lines, "\n")+"\n")
}

// stale reports whether a text that an edit does not reach is still what the
// edit found elsewhere: the whole text, or all the lines that it replaced.
func (r *run) stale(e *prompt.Edit, f *found, x *prompt.Rendering) bool {
	if e.Kind != prompt.TextChanged {
		return false
	}
	b := r.bodyOf(x)
	if f.olds[b.n] {
		return true
	}
	said := false
	for i := range e.Hunks {
		var gone []string
		for _, l := range e.Hunks[i].Lines {
			if l.Sign == '-' {
				gone = append(gone, l.Text)
			}
		}
		if len(gone) == 0 {
			continue
		}
		if !b.has(gone) {
			return false
		}
		said = said || slices.ContainsFunc(gone, hasWord)
	}
	return said
}

// hasWord reports whether a line says something: blank ones, rules and fences
// stand everywhere.
func hasWord(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

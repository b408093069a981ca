package load

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// What the library reports is where its grammar ended. The mistake is most often
// one of three, each with a place and a remedy of its own: a text that starts
// with two braces, a text with a colon, a key in the wrong column.

// braces is where a value without quotes starts with two braces.
var braces = regexp.MustCompile(`(?:[:,-][ \t]+|\[[ \t]*)(\{\{)`)

// aliasName is what YAML takes for the name of an alias, with its star. A word may
// be the misspelt name of an anchor, if the file has any.
var (
	aliasName = regexp.MustCompile(`^\*[^ \t\r\n,\[\]{}]*`)
	wordAlias = regexp.MustCompile(`^\*[\w-]+$`)
	anchor    = regexp.MustCompile(`[ \t]&[\w-]+[ \t\r\n]`)
)

// keyLine is a line that starts a key, which may be the first of a list's entry.
var keyLine = regexp.MustCompile(`^([ \t]*(?:- +)*)([A-Za-z0-9_."'-]+):(?:[ \t\r\n]|$)`)

// mistake explains an error at a place; from is where the construct starts that
// the library was in. It is nil for another sort of mistake.
func (y *yamlText) mistake(from, at int) *diag.Diagnostic {
	start := y.lineStart(at)
	line := y.src[start:y.lineEnd(at)]
	if from < at && y.lineStart(from) == start {
		from -= start
	} else {
		from = 0
	}
	if strings.HasSuffix(y.src[start:at], " *") { // the name is empty, and the mark behind it
		at--
	}
	if name := aliasName.FindString(y.src[at:]); name != "" && !(wordAlias.MatchString(name) && anchor.MatchString(y.src)) {
		return y.unquoted(start, at-start, at-start, len(name), "alias-of-nothing")
	}
	if d := y.lookalike(start); d != nil {
		return d
	}
	for _, m := range braces.FindAllStringSubmatchIndex(line, maxBraces) {
		if m[2] >= from && m[2] <= at-start && !inQuotes(line[:m[2]]) {
			return y.unquoted(start, m[2], m[2], len("{{"), "two-braces-without-quotes")
		}
	}
	if colon := colonAt(line, at-start); colon >= 0 {
		if value := valueStart(line[:colon]); value >= 0 {
			return y.unquoted(start, value, colon, len(":"), "colon-in-text")
		}
	}
	return y.misplaced(start, at)
}

// lookalikes are characters that word processors and web pages have where YAML has
// another, as the only group.
var lookalikes = []struct {
	found *regexp.Regexp
	means string
}{
	{regexp.MustCompile(`^[ \t]*(?:- +)*(?:[A-Za-z0-9_.-]+:|-)?([\x{a0}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}])`), " "},
	{regexp.MustCompile(`^[ \t]*(?:- +)*[A-Za-z0-9_.-]+(\x{ff1a})`), ": "},
	{regexp.MustCompile(`^[ \t]*([\x{2013}\x{2014}\x{2212}])`), "- "},
}

// lookalike finds such a character in the line that starts at a place, or in the one
// above.
func (y *yamlText) lookalike(start int) *diag.Diagnostic {
	for _, at := range []int{start, y.lineStart(max(0, start-1))} {
		for _, l := range lookalikes {
			m := l.found.FindStringSubmatchIndex(y.src[at:y.lineEnd(at)])
			if m == nil {
				continue
			}
			r, size := utf8.DecodeRuneInString(y.src[at+m[2]:])
			d := diag.New(diag.YAMLSyntax, y.span(at+m[2], at+m[2]+size), "stands-for-another-character", chars.Name(r), l.means).
				WithHint("type-the-character", l.means)
			return &d
		}
	}
	return nil
}

// lineStart gives the start of the line of a place.
func (y *yamlText) lineStart(at int) int {
	i, here := slices.BinarySearch(y.lines, at)
	if here || i == 0 {
		return at
	}
	return y.lines[i-1]
}

// colonAt gives the place of the colon that an error is about, -1 for none: the
// library points at it, or at the blank behind it.
func colonAt(line string, at int) int {
	for _, i := range []int{at, at - 1} {
		if i >= 0 && i < len(line) && line[i] == ':' {
			return i
		}
	}
	return -1
}

// valueStart gives where the text without quotes starts in which a line ends, -1
// where it does not end in one.
func valueStart(line string) int {
	i := strings.LastIndex(line, ": ")
	if i < 0 {
		return -1
	}
	i += len(": ")
	i += len(line[i:]) - len(strings.TrimLeft(line[i:], " \t"))
	if i == len(line) || strings.ContainsRune("\"'[{&*!|>", rune(line[i])) || strings.ContainsAny(line[i:], ",[]{}") && depth(line[:i]) > 0 {
		return -1
	}
	return i
}

// unquoted reports a text that needs quotes: the text starts at value, what gives
// it away is the length bytes at at, both in the line that starts at start.
func (y *yamlText) unquoted(start, value, at, length int, key string) *diag.Diagnostic {
	text := y.src[start:y.lineEnd(start)]
	text = text[value:valueEnd(text, value)]
	quote := `"`
	if strings.ContainsAny(text, `"\`) {
		quote, text = `'`, strings.ReplaceAll(text, `'`, `''`)
	}
	d := diag.New(diag.YAMLSyntax, y.span(start+at, start+at+length), key).
		WithHint("quote-text", quote+diag.Start(text, maxQuoted)+quote)
	return &d
}

// valueEnd gives the end of a text that was meant to start at a place of a line:
// in brackets it ends at a comma or the closing bracket, elsewhere with the line.
func valueEnd(line string, from int) int {
	inside := depth(line[:from]) > 0
	open := 0
	for i := from; i < len(line); i++ {
		switch c := line[i]; {
		case c == '#' && i > 0 && line[i-1] == ' ' || inside && open == 0 && strings.ContainsRune(",]}", rune(c)):
			return from + len(strings.TrimRight(line[from:i], " \t\r"))
		case c == '{' || c == '[':
			open++
		case c == '}' || c == ']':
			open--
		}
	}
	return from + len(strings.TrimRight(line[from:], " \t\r"))
}

// depth gives how many brackets a part of a line opens and does not close.
func depth(part string) int {
	n := 0
	for i := range len(part) {
		switch part[i] {
		case '{', '[':
			n++
		case '}', ']':
			n--
		}
	}
	return n
}

func inQuotes(part string) bool {
	return strings.Count(part, `"`)%2 == 1
}

// misplaced reports a key whose column no key above it has, with the key above
// that is nearest to it. The error has to be about the key itself.
func (y *yamlText) misplaced(start, at int) *diag.Diagnostic {
	column, name, ok := y.keyOf(start)
	if !ok || at > start+column+len(name)+len(": ") {
		return nil
	}
	const most = 200 // lines that are looked at
	nearest, like, above := -1, "", 0
	for line, up := start, 0; line > 0 && up < most; up++ {
		line = y.lineStart(line - 1)
		other, key, ok := y.keyOf(line)
		if !ok {
			continue
		}
		if nearest < 0 || abs(other-column) < abs(nearest-column) {
			nearest, like, above = other, key, line
		}
		if other == 0 {
			break
		}
	}
	if nearest < 0 || nearest == column {
		return nil
	}
	hint := "start-in-column"
	if column > nearest {
		hint = "start-in-column-or-quote"
	}
	d := diag.New(diag.YAMLSyntax, y.span(start+column, start+column+len(name)), "key-in-wrong-column",
		name, column+1, like, y.file.LineAt(y.base+above), nearest+1).WithHint(hint, nearest+1, like)
	return &d
}

// keyOf gives the key that a line starts with, and how many bytes stand before
// it.
func (y *yamlText) keyOf(start int) (column int, name string, ok bool) {
	m := keyLine.FindStringSubmatch(y.src[start:y.lineEnd(start)])
	if m == nil {
		return 0, "", false
	}
	return len(m[1]), m[2], true
}

// maxBraces bounds in how many places of a line two braces are looked at.
const maxBraces = 20

func abs(n int) int { return max(n, -n) }

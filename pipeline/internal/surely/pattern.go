package surely

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
)

// patterns are the regular expressions of our schemas that documents meet all
// the time, each with a function that matches the same texts. To compile one
// takes longer than to match it a thousand times by hand.
var patterns = [...]struct {
	text    string
	matches func(string) bool
}{
	{`\S`, func(s string) bool { return strings.Trim(s, "\t\n\f\r ") != "" }},
	{`^x-`, func(s string) bool { return strings.HasPrefix(s, "x-") }},
	{`^[a-z]+At$`, isTime},
	{`^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9_-])?$`, func(s string) bool { return isName(s, isLower) }},
	{`^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$`, func(s string) bool { return isName(s, isAlnum) }},
	{`^([Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|[Cc][Oo][Mm][0-9]|[Ll][Pp][Tt][0-9])(\.|$)`, isDevice},
	{`^[a-z0-9]+(-[a-z0-9]+)*$`, isDashed},
	{`^(100(\.0+)?|[0-9]{1,2}(\.[0-9]{1,6})?)%$`, isShare},
}

// matches says whether a text matches a regular expression.
func matches(pattern, text string) verdict {
	for _, p := range patterns {
		if p.text == pattern {
			return verdictOf(p.matches(text))
		}
	}
	return maybe
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' || isDigit(c) }

func isAlnum(c byte) bool { return 'A' <= c && c <= 'Z' || isLower(c) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isTime matches what is called like a point in time: createdAt.
func isTime(s string) bool {
	word, ok := strings.CutSuffix(s, "At")
	return ok && word != "" && strings.IndexFunc(word, func(r rune) bool { return r < 'a' || 'z' < r }) < 0
}

// isName matches what starts with one of some bytes and goes on with them and
// with dots, underscores and dashes; a dot is not the last.
func isName(s string, start func(byte) bool) bool {
	const longest = 64
	if s == "" || len(s) > longest || !start(s[0]) || s[len(s)-1] == '.' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !start(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// isDevice matches the names that Windows keeps for devices, as far as names
// have letters and digits.
func isDevice(s string) bool {
	stem, _, _ := strings.Cut(s, ".")
	return isOnly(stem, isAlnum) && pathrule.Device(s)
}

// isDashed matches words with single dashes between them.
func isDashed(s string) bool {
	for word := range strings.SplitSeq(s, "-") {
		if !isOnly(word, isLower) {
			return false
		}
	}
	return true
}

// isOnly reports whether a text has one byte or more, all of a kind.
func isOnly(s string, kind func(byte) bool) bool {
	for i := range len(s) {
		if !kind(s[i]) {
			return false
		}
	}
	return s != ""
}

// isShare matches a percentage of at most a hundred.
func isShare(s string) bool {
	number, ok := strings.CutSuffix(s, "%")
	whole, rest, dotted := strings.Cut(number, ".")
	if !ok || dotted && !isOnly(rest, isDigit) {
		return false
	}
	if whole == "100" {
		return strings.Trim(rest, "0") == ""
	}
	return len(whole) <= 2 && isOnly(whole, isDigit) && len(rest) <= 6
}

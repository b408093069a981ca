package lint

import (
	"slices"
	"strings"
)

// wordSets are the words that a pattern stands for by one name.
var wordSets = map[string][]string{
	"IF":      {"if", "when", "whenever", "where", "wherever", "unless", "whether", "while", "once", "provided", "assuming", "case"},
	"WHO":     {"you", "we", "they", "it", "i"},
	"IT":      {"it", "they", "them", "this", "that", "these", "those", "one", "access"},
	"HAVE":    {"have", "has", "had", "got", "provides", "offers", "exposes"},
	"USE":     {"use", "using", "call", "calling", "run", "running", "invoke", "invoking", "access"},
	"USED":    {"used", "called", "run", "invoked", "accessed"},
	"CAN":     {"can", "could", "may", "might"},
	"CANNOT":  {"cannot", "can't", "couldn't"},
	"IS":      {"is", "are", "was", "were", "be", "'s", "isn't", "aren't"},
	"MAY":     {"is", "are", "was", "were", "does", "do", "may", "might", "can", "could", "will", "would"},
	"NOT":     {"not", "never", "cannot", "can't", "don't", "doesn't", "didn't", "won't", "isn't", "aren't", "wasn't"},
	"ALSO":    {"also", "already", "currently", "actually", "always", "still", "even", "not"},
	"THERE":   {"available", "present", "there", "enabled", "installed", "offered", "provided", "supported", "configured", "accessible", "exist", "exists", "existing"},
	"AMONG":   {"in", "among", "part", "one"},
	"GONE":    {"unavailable", "missing", "disabled", "absent", "gone", "removed", "off", "denied", "inaccessible", "unsupported"},
	"LACK":    {"lack", "lacks", "lacking"},
	"INSTEAD": {"without", "unlike", "formerly"},
	"MAYBE":   {"optional", "optionally"},
	"TOOLS":   {"tool", "tools", "skill", "skills", "file", "files"},
}

// hedge is a way to say of a thing that it may not be there: what stands right
// before it, and right behind. A word in capitals is one of a set, "…" any words
// of the clause, "_" one word, "?" marks what may be out, END is the end of a
// clause.
type hedge struct{ before, after string }

var hedges = []hedge{
	{"IF … HAVE", ""},
	{"IF … access to", ""},
	{"IF … CAN USE", ""},
	{"IF … able to USE", ""},
	{"IF … there IS", ""},
	{"IF …", "IS? ALSO? THERE"},
	{"IF …", "IS ALSO? AMONG"},
	{"IF …", "CAN be USED"},
	{"IF IT? IS? ALSO? THERE ,? …", ""},
	{"", "… ,? IF IT IS ALSO? THERE"},
	{"", "… ,? IF IT? THERE END"},
	{"", "… ,? IF WHO HAVE IT END"},
	{"", "… ,? IF WHO CAN END"},
	{"", "… ,? IF any END"},
	{"NOT HAVE", ""},
	{"NOT HAVE access to", ""},
	{"no", ""},
	{"no access to", ""},
	{"no longer HAVE", ""},
	{"no longer USE", ""},
	{"LACK", ""},
	{"CANNOT USE", ""},
	{"NOT able to USE", ""},
	{"MAYBE", ""},
	{"", "MAY? NOT be? ALSO? THERE"},
	{"", "MAY? be? ALSO? GONE"},
	{"", "_ or IS? GONE"},
	{"", "MAY? no longer"},
	{"", "CANNOT be USED"},
	{"", "IS? ,? MAYBE"},
}

// swaps say that something else stands in for a thing, or nothing does. Behind
// a word of denials they ask for it: "never answer without it".
var swaps = []string{"INSTEAD", "INSTEAD USE", "without access to", "instead of", "instead of USE", "rather than", "rather than USE"}

var denials = []string{"never", "not", "no", "nobody", "nothing", "don't", "doesn't", "cannot", "can't", "mustn't", "shouldn't", "won't", "avoid", "refuse", "forbidden"}

// intros are what may stand before the colon above a list of such things.
var intros = []string{
	"IF IT? IS? ALSO? THERE ,? …",
	"IF … IS ALSO? THERE",
	"IF WHO HAVE IT? TOOLS?",
	"IF WHO HAVE IT ,? …",
	"IF WHO HAVE access to",
	"NOT HAVE IT?",
	"NOT HAVE access to",
	"NOT be? ALSO? THERE TOOLS?",
	"GONE TOOLS?",
	"MAYBE TOOLS?",
}

// hedged reports whether a text speaks of the thing as one that may not be
// there.
func (m mention) hedged() bool {
	before, after := m.in.sentence(m.start, m.end)
	if call, rest, ok := strings.Cut(after, ")"); ok && strings.HasPrefix(call, "(") {
		after = rest // how it is called
	}
	left, right := saidWords(before), saidWords(after)
	slices.Reverse(left)
	back, right := besides(left, right)
	for _, h := range hedges {
		if says(right, h.after, false) && says(back, h.before, true) {
			return true
		}
	}
	for _, s := range swaps {
		if says(back, s, true) && !denied(back) {
			return true
		}
	}
	return m.intro > 0 && m.introduced()
}

// introduced reports whether the thing stands in a list of such things.
func (m mention) introduced() bool {
	before, _ := m.in.sentence(m.intro, m.intro)
	words := saidWords(before)
	slices.Reverse(words)
	return slices.ContainsFunc(intros, func(s string) bool { return says(words, s, true) })
}

// says reports whether words begin with a pattern. Going back, the words are in
// the order in which they are met, and the pattern is read from its end.
func says(words []string, pattern string, back bool) bool {
	if pattern == "" {
		return true
	}
	want, rest := pattern, ""
	if i := strings.LastIndexByte(pattern, ' '); back && i >= 0 {
		want, rest = pattern[i+1:], pattern[:i]
	} else if !back {
		want, rest, _ = strings.Cut(pattern, " ")
	}
	if want == "…" {
		for i := 0; ; i++ {
			if says(words[i:], rest, back) {
				return true
			}
			if i == len(words) || words[i] == "," {
				return false
			}
		}
	}
	want, optional := strings.CutSuffix(want, "?")
	if optional && says(words, rest, back) {
		return true
	}
	if want == "END" && (len(words) == 0 || words[0] == ",") {
		return says(words, rest, back)
	}
	return len(words) > 0 && isOf(words[0], want) && says(words[1:], rest, back)
}

// isOf reports whether a word is one of a set, or the word itself.
func isOf(word, want string) bool {
	if want == "_" {
		return word != ","
	}
	set, ok := wordSets[want]
	if !ok {
		return word == want
	}
	return slices.Contains(set, word)
}

// denied reports whether a clause has one of the denials.
func denied(back []string) bool {
	for _, w := range back {
		if w == "," {
			return false
		}
		if slices.Contains(denials, w) {
			return true
		}
	}
	return false
}

// aThing stands for a name among the words of a clause.
const aThing = "\x00"

// besides takes away what belongs to the name that stands between two runs of
// words, the first of which goes back: articles, the word for the sort, and
// other names with which it is listed.
func besides(back, after []string) (left, right []string) {
	left, joined := alongside(back)
	right, more := alongside(after)
	if !joined && !more { // commas alone part clauses
		return bare(back), bare(after)
	}
	return left, right
}

func alongside(words []string) (rest []string, joined bool) {
	rest = bare(words)
	for len(rest) > 1 && (rest[0] == "," || rest[0] == "and" || rest[0] == "or") {
		next := bare(rest[1:])
		if len(next) == 0 || next[0] != aThing {
			break
		}
		joined = joined || rest[0] != ","
		rest = bare(next[1:])
	}
	return rest, joined
}

// bare takes away articles and the word for the sort.
func bare(words []string) []string {
	for len(words) > 0 {
		switch words[0] {
		case "a", "an", "the", "any", "our", "your", "its", "either", "both", "tool", "tools", "skill", "skills", "file", "files", "function", "command":
			words = words[1:]
		default:
			return words
		}
	}
	return words
}

// saidWords gives the words of a text in small letters, names as aThing, and
// what parts clauses as a comma.
func saidWords(s string) []string {
	var out []string
	add := func(word string) {
		last := len(out) - 1
		switch {
		case word == "" || word == "," && last >= 0 && out[last] == ",":
			return
		case (word == "and" || word == "or" || word == "but") && last >= 0 && out[last] == ",":
			out[last] = word
		default:
			out = append(out, word)
		}
	}
	for start := 0; start < len(s); {
		end := start
		for end < len(s) && (nameByte(s[end]) && s[end] != ':' || s[end] == '\'') {
			end++
		}
		if end == start {
			if parts(s[start:]) {
				add(",")
			}
			start++
			continue
		}
		coded := start > 0 && s[start-1] == '`' || end < len(s) && s[end] == '`'
		for _, w := range asWords(s[start:end], coded) {
			add(w)
		}
		start = end
	}
	return out
}

// parts reports whether a text begins with what parts clauses.
func parts(s string) bool {
	return strings.IndexByte(",:;()|", s[0]) >= 0 || strings.HasPrefix(s, "—") || strings.HasPrefix(s, "–") || strings.HasPrefix(s, "→")
}

// asWords gives the words of a run of the bytes of names: a slash between two
// things is an "or".
func asWords(run string, coded bool) []string {
	word := strings.Trim(run, "./-")
	switch {
	case word == "" && strings.Trim(run, "-") == "":
		return []string{","}
	case word == "" && run == "/":
		return []string{"or"}
	case word == "":
		return nil
	case !coded && (len(word) < 4 || ordinary(word)):
		return []string{strings.ToLower(strings.TrimRight(word, "'"))}
	}
	out := []string{aThing}
	if run[0] == '/' {
		out = []string{"or", aThing}
	}
	if run[len(run)-1] == '/' {
		out = append(out, "or")
	}
	return out
}

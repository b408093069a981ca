package secret

import "strings"

// Values that a sentence, a table or a command gives, without a separator.

// clause is how far before a value its sentence is looked at, in bytes.
const clause = 80

// said are words of which a sentence says what they are, small.
var said = []string{"password", "passphrase", "passwort", "api key", "access key", "secret key", "token", "secret"}

// quoted finds a value between backticks that the sentence before it calls a
// secret: "the password for staging is `…`", "with the token `…`".
func quoted(text string, i int) (Match, bool) {
	if i < 2 || text[i-1] != ' ' {
		return Match{}, false
	}
	m, ok := valueOf(text, i+1)
	if !ok || m.End == len(text) || text[m.End] != '`' {
		return Match{}, false
	}
	before := text[max(0, i-clause) : i-1]
	for _, stop := range []string{"\n", ". ", "; ", "`"} {
		if j := strings.LastIndex(before, stop); j >= 0 {
			before = before[j+len(stop):]
		}
	}
	sentence, is := strings.CutSuffix(before, " is")
	if !is {
		return m, isAlnum(text[i-2]) && tells(nameBefore(text, i-1))
	}
	sentence = strings.ToLower(sentence)
	for _, word := range said {
		_, rest, ok := strings.Cut(sentence, word)
		if ok && (rest == "" || strings.HasPrefix(rest, " for ") || strings.HasPrefix(rest, " of ") || strings.HasPrefix(rest, " to ")) {
			return m, true
		}
	}
	return Match{}, false
}

// cell finds a value that has a cell of a table for itself, beside one with a
// telling name.
func cell(text string, i int) (Match, bool) {
	from := i + 1
	for from < len(text) && (text[from] == ' ' || text[from] == '`') {
		from++
	}
	m, ok := valueOf(text, from)
	if !ok {
		return Match{}, false
	}
	if rest := strings.TrimLeft(text[m.End:min(len(text), m.End+clause)], " `"); rest == "" || rest[0] != '|' {
		return Match{}, false
	}
	name := text[max(0, i-clause):i]
	return m, tells(nameBefore(text, i-len(name)+len(strings.TrimRight(name, " `*"))))
}

// user finds the password that a command gives behind that of an account: -u
// robin:….
func user(text string, i int) (Match, bool) {
	from := before(text, i, dotted, 64)
	if from == i || i+1 == len(text) || !isAlnum(text[i+1]) {
		return Match{}, false
	}
	if text[from-min(from, 1)] == '"' || text[from-min(from, 1)] == '\'' {
		from--
	}
	command := text[max(0, from-2*clause):from]
	if !strings.HasSuffix(command, " -u ") && !strings.HasSuffix(command, " --user ") || !strings.Contains(command, "curl ") {
		return Match{}, false
	}
	return valueOf(text, i+1)
}

// password finds one that follows the word.
func password(text string, i int) (Match, bool) {
	rest, ok := strings.CutPrefix(text[i:], "password ")
	if !ok {
		return Match{}, false
	}
	rest = strings.TrimPrefix(rest, "is ")
	m, ok := valueOf(text, len(text)-len(rest))
	return m, ok && allKinds(text[m.Start:m.End]) && !spoken(text[m.Start:m.End])
}

// valueOf gives the value that begins at a byte, where it was drawn by chance,
// and is neither a path nor put together of words and numbers.
func valueOf(text string, from int) (Match, bool) {
	end := valueEnd(text, from)
	if end-from < shortValue || end-from > longValue {
		return Match{}, false
	}
	end = from + len(strings.TrimRight(text[from:end], ".,;:!?"))
	return Match{Start: from, End: end, Says: "a secret", Shown: from}.
		sure(isAlnum(text[from]) && random(text[from:end]) && changes(text[from:end]) >= 0.3)
}

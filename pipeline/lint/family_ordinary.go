package lint

import (
	"slices"
	"strings"
)

// ordinary reports whether a name may as well be a word of a sentence: letters
// and hyphens, with a capital at most at the beginning, or capitals alone.
func ordinary(name string) bool {
	if len(name) < 4 {
		return true
	}
	if strings.ContainsAny(name, "_.:/0123456789") {
		return false
	}
	return strings.ToLower(name[1:]) == name[1:] || strings.ToUpper(name) == name
}

// certain reports whether a word on a line can only mean the thing.
func (m mention) certain(line mdLine, known names) bool {
	before, after := m.in.text[line.start:m.start], m.in.text[m.end:line.end]
	switch {
	case line.code:
		quoted := strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `"`)
		tag := (strings.HasSuffix(before, "<") || strings.HasSuffix(before, "</")) && strings.HasPrefix(after, ">")
		return m.sure && m.thing == aSkill || m.thing != aFile && (quoted || tag) && (!ordinary(m.name) || quoted && m.requested(before))
	case m.sure || !ordinary(m.name):
		return true
	case strings.Contains(m.name, "-") && strings.HasSuffix(before, "`") && strings.HasPrefix(after, "`"):
		return true
	default:
		return m.aside(before, after) && m.spokenOf(known)
	}
}

// requested reports whether JSON calls a tool by its name.
func (m mention) requested(before string) bool {
	key, value := strings.CutSuffix(strings.TrimRight(strings.TrimSuffix(before, `"`), " \t"), ":")
	key = strings.TrimRight(key, " \t")
	if m.thing != aTool || !value {
		return false
	}
	if strings.HasSuffix(key, `"tool"`) || strings.HasSuffix(key, `"tool_name"`) {
		return true
	}
	after := m.in.text[m.end+1 : min(len(m.in.text), m.end+nearby)]
	after, more := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), ",")
	after = strings.TrimLeft(after, " \t\r\n")
	return more && strings.HasSuffix(key, `"name"`) &&
		slices.ContainsFunc([]string{`"arguments"`, `"args"`, `"input"`}, func(k string) bool { return strings.HasPrefix(after, k) })
}

// nearby is how many bytes beside a name are looked at.
const nearby = 96

const quotes = "`\"'*“”"

// aside reports whether a word has anything beside it that may make it a name.
func (m mention) aside(before, after string) bool {
	quoted := before != "" && strings.IndexByte(quotes, before[len(before)-1]) >= 0
	return quoted || len(after) < nearby || strings.Contains(after[:nearby], things[m.thing].word)
}

// spokenOf reports whether a sentence says of a word that it is the thing's
// name: by the word for the sort beside it, or by what to do with it.
func (m mention) spokenOf(known names) bool {
	before, after := m.in.sentence(m.start, m.end)
	before, after = before[max(0, len(before)-nearby):], after[:min(len(after), nearby)]
	if strings.HasPrefix(after, "(") || strings.HasPrefix(after, "`(") || strings.HasSuffix(before, "`") && !strings.HasPrefix(after, "`") || isOfCode(after) {
		return false
	}
	return m.called(before, after) || m.thing == aTool && (stressed(before, after) || demanded(before)) || m.listed(before, after, known)
}

// partsOfCode are words behind a name that say that it is one of a program.
var partsOfCode = []string{
	"action", "api", "argument", "attribute", "branch", "class", "classes", "column", "command", "component", "decorator", "directive", "directory", "directories", "element",
	"endpoint", "event", "field", "file", "flag", "folder", "function", "handler", "helper", "hook", "interface", "job", "key", "keyword", "library", "libraries", "macro",
	"method", "modifier", "module", "operator", "option", "package", "parameter", "permission", "plugin", "procedure", "property", "properties", "role", "route", "scope",
	"script", "statement", "subcommand", "subdirectory", "table", "tag", "target", "task", "type", "variable", "workflow",
}

// sortsOfParts are words that may stand before these.
var sortsOfParts = []string{"array", "async", "boolean", "config", "global", "http", "integer", "npm", "number", "object", "prop", "shell", "static", "string"}

// isOfCode reports whether one of these stands behind a name, or behind several
// of which it is the first.
func isOfCode(after string) bool {
	after = strings.TrimLeft(after, quotes)
	if after == "" || after[0] != ' ' && after[0] != ',' {
		return false
	}
	for next := range strings.FieldsSeq(strings.ToLower(after)) {
		if w := strings.TrimSuffix(next, ","); w == "" || isSpan(w) || isJoin(w) {
			continue
		}
		if i := strings.IndexFunc(next, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
			next = next[:i]
		}
		if slices.Contains(sortsOfParts, next) {
			continue
		}
		return slices.Contains(partsOfCode, next) || slices.Contains(partsOfCode, strings.TrimSuffix(next, "s"))
	}
	return false
}

// isSpan reports whether a word is a code span by itself.
func isSpan(word string) bool {
	return len(word) > 2 && word[0] == '`' && word[len(word)-1] == '`'
}

func isJoin(word string) bool { return word == "and" || word == "or" || word == "&" }

// demands are words behind which the name of a tool stands as what is to be
// used; smallWords may stand between the two.
var (
	demands = []string{
		"use", "using", "call", "calling", "run", "running", "invoke", "invoking", "with", "via", "through",
		"benutze", "nutze", "verwende", "mit", "utilise", "utilisez", "usa", "utiliza",
	}
	demandsBefore = []string{"使用", "调用", "运行", "用"} // with no blank behind them
	smallWords    = []string{"a", "an", "the", "your", "our", "this", "only", "just", "always", "first", "then", "again", "either", "both", "das", "le", "la", "el", "werkzeug", "outil", "herramienta"}
	// notWith are words whose "with" has something else behind it.
	notWith = []string{
		"along", "begin", "begins", "beginning", "called", "compatible", "declared", "defined", "end", "ends", "ending", "label", "labeled", "marked", "named",
		"prefix", "prefixed", "prefixes", "replace", "replaced", "start", "starts", "starting", "suffix", "suffixed", "supplied", "tag", "tagged", "together", "used",
	}
)

// demanded reports whether what stands before a code span demands to use it, alone
// or with others.
func demanded(before string) bool {
	before, ok := strings.CutSuffix(before, "`")
	if !ok || strings.HasSuffix(before, "`") {
		return false
	}
	words := strings.Fields(strings.ToLower(before))
	for len(words) > 0 {
		w := strings.TrimSuffix(words[len(words)-1], ",")
		if w != "" && !isSpan(w) && !isJoin(w) && !slices.Contains(smallWords, w) {
			break
		}
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if slices.ContainsFunc(demandsBefore, func(d string) bool { return strings.HasSuffix(last, d) }) {
		return true
	}
	if last == "with" && len(words) > 1 && slices.Contains(notWith, words[len(words)-2]) {
		return false
	}
	return slices.Contains(demands, strings.Trim(last, "(*_:"))
}

// stressed reports whether a name stands in bold behind a word of use: "Use
// **Bash** to run commands".
func stressed(before, after string) bool {
	lead, ok := strings.CutSuffix(before, " **")
	if !ok || !strings.HasPrefix(after, "**") {
		return false
	}
	word := strings.ToLower(lead[strings.LastIndexAny(lead, " \t(")+1:])
	return slices.Contains([]string{"use", "using", "via", "call", "calling"}, word)
}

// listed reports whether a name is one of several that the word for their sort
// follows: "the Bash and grep tools".
func (m mention) listed(before, after string, known names) bool {
	isName := func(word string) bool {
		_, ok := known[strings.Trim(word, quotes+",")]
		return ok
	}
	after = strings.TrimLeft(after, quotes)
	left, right := strings.Fields(strings.TrimRight(before, quotes)), strings.Fields(after)
	if strings.HasPrefix(after, ",") {
		right = right[1:]
	}
	i, j, joined := len(left)-1, 0, false
	for i >= 0 && (isName(left[i]) || isJoin(left[i])) {
		joined = joined || isJoin(left[i])
		i--
	}
	for j < len(right) && (isName(right[j]) || isJoin(right[j])) {
		joined = joined || isJoin(right[j])
		j++
	}
	return joined && i >= 0 && j < len(right) && slices.Contains(determiners, strings.ToLower(left[i])) &&
		strings.TrimRight(right[j], ".,:;") == things[m.thing].word+"s"
}

// determiners stand before a name that is one: "the read tool" names a tool,
// "then read tool output" does not.
var determiners = []string{"a", "an", "call", "our", "the", "this", "use", "using", "via", "with", "your"}

// sortsOfTools stand before "tool" where no tool of a model is meant.
var sortsOfTools = []string{"build", "cli", "code", "debug", "deploy", "design", "dev", "format", "lint", "test"}

// called reports whether the word for the sort stands beside a name: "the exec
// tool", "the tool `exec`".
func (m mention) called(before, after string) bool {
	outside := strings.TrimRight(before, quotes)
	bare := outside == before
	words := strings.Fields(strings.ToLower(outside))
	last := ""
	if len(words) > 0 && strings.HasSuffix(outside, " ") {
		last = words[len(words)-1]
	}
	next, spaced := strings.CutPrefix(strings.TrimLeft(after, quotes), " ")
	if i := strings.IndexFunc(next, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
		next = next[:i] // "The Write Tool" is a title
	}
	if spaced && next == things[m.thing].word {
		return !bare || slices.Contains(determiners, last) && (m.thing != aTool || !slices.Contains(sortsOfTools, strings.ToLower(m.name)))
	}
	return !bare && strings.TrimSuffix(last, ":") == things[m.thing].word
}

package load

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
)

// yamlMessages say in plain words what the commonest messages of the library
// mean; the first whose text occurs in the library's counts. The library has an
// error's places typed, and its cause only as prose.
var yamlMessages = []yamlMessage{
	{
		library: "mapping values are not allowed", quote: true,
		message: "a second \": \" in one line, or a value that is indented like a key",
		hint:    "quote the value: `key: \"first: second\"`",
	},
	{library: "found a tab character", message: "a tab in the indentation", hint: "indent with spaces"},
	missingColon,
	{
		library: "did not find expected key", quote: true,
		message: "this is neither a new key nor part of the value above",
		hint:    "align keys that belong together, and quote a value in which quotes or brackets are only part of the text",
	},
	{
		library: "did not find expected '-' indicator",
		message: "a list goes on without \"- \"", hint: "start every item of the list with `- `, all in the same column",
	},
	{
		library: "did not find expected ',' or ']'", context: true,
		message: "a list that starts with \"[\" is not closed",
		hint:    "close it with `]`, or quote the value if the bracket is part of the text",
	},
	{
		library: "did not find expected ',' or '}'", context: true,
		message: "a mapping that starts with \"{\" is not closed",
		hint:    "close it with `}`, or quote the value if the brace is part of the text",
	},
	{
		library: "found unexpected", context: true, // end of stream, or document indicator
		message: "a quotation that is not closed", hint: "close it with the same kind of quote",
	},
	{
		library: "found unknown escape character", message: "an unknown escape in double quotes",
		hint: "write a backslash as `\\\\`, or use single quotes, in which it is an ordinary character",
	},
	{
		library: "unknown anchor", quote: true,
		message: "an alias without an anchor before it", hint: "quote the value if the `*` is part of the text",
	},
	{
		library: "did not find expected alphabetic or numeric character", context: true, quote: true,
		message: "\"*\" and \"&\" start an alias or an anchor, and no name follows",
		hint:    "quote the value if the character is part of the text",
	},
	{
		library: "undefined tag handle", quote: true,
		message: "\"!\" starts a tag that is not known", hint: "quote the value if the `!` is part of the text",
	},
	{
		library: "scanning a block scalar", message: "text in the line of \"|\" or \">\"",
		hint: "start the text in the next line, or quote the value if the character is part of the text",
	},
	{
		library: "block sequence entries are not allowed", message: "a list item where none can be",
		hint: "start the list in a line of its own, below its key",
	},
	{library: "incompatible YAML document", message: "a second YAML document starts here", hint: "keep one document in the file"},
	{
		library: "did not find expected node content", quote: true,
		message: "a value is missing here", hint: "write the value, or quote it if it starts with a character that YAML reserves",
	},
}

// yamlMessage is what we say for a message of the library that holds a text.
type yamlMessage struct {
	library string
	message string
	hint    string
	context bool // the place is where the construct starts
	quote   bool // a value that has to be quoted may be the cause
}

var missingColon = yamlMessage{
	library: "could not find expected ':'", context: true,
	message: "a line without \":\" where a key is expected",
	hint:    "write `key: value`; a text of several lines needs quotes, or `|` after its key",
}

// explain turns an error of the library into a finding with a place. The cause
// may be a character, in the line or the one above, that ends a line in YAML and
// shows as nothing in editors.
func (y *yamlText) explain(err error) diag.Diagnostic {
	d := y.worded(err)
	before := y.src[:d.Span.Start-y.base]
	line := max(0, strings.LastIndexByte(before, '\n'))
	above := strings.LastIndexByte(before[:line], '\n') + 1
	at := strings.LastIndexAny(before[above:], "\u0085\u2028\u2029")
	if at < 0 {
		return d
	}
	r, size := utf8.DecodeRuneInString(before[above+at:])
	return diag.New(diag.YAMLSyntax, y.span(above+at, above+at+size), "ends-line-yaml-follows", chars.Name(r)).
		WithHint("remove-write-line-break")
}

func (y *yamlText) worded(err error) diag.Diagnostic {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		return diag.New(diag.YAMLSyntax, y.lineFrom(0), "yaml-could-not-read", brief(err.Error())).
			WithHint("yaml-file")
	}
	if strings.Contains(e.Message, errTooDeep.Error()) {
		return diag.New(diag.TooComplex, y.lineFrom(y.mark(e.Mark)), "nested-deeper-levels", maxDepth).
			WithHint("right-file")
	}
	all := e.ContextMsg + ": " + e.Message
	if strings.Contains(e.Message, "cannot start any token") {
		return y.reserved(y.mark(e.Mark))
	}
	for _, m := range yamlMessages {
		if !strings.Contains(all, m.library) {
			continue
		}
		at := y.mark(e.Mark)
		if m.context && e.ContextMark.Line > 0 {
			at = y.mark(e.ContextMark)
		}
		if key := y.bareKey(at); m.quote && key >= 0 {
			m, at = missingColon, key
		}
		hint := m.hint
		if better := y.quoteHint(at); m.quote && better != "" {
			hint = better
		}
		return diag.New(diag.YAMLSyntax, y.visible(at), "%s", m.message).WithHint("%s", hint)
	}
	at := y.mark(e.Mark)
	return diag.New(diag.YAMLSyntax, y.visible(at), "not-valid-yaml", brief(e.Message)).
		WithHint("check-indentation-quotes-line")
}

// mark gives the place of a library's mark. One behind the last line is moved
// back to the last visible character.
func (y *yamlText) mark(m yaml.Mark) int {
	at := y.offset(m.Line, m.Column)
	if at >= len(y.src) || strings.TrimSpace(y.src[at:]) == "" {
		return max(0, len(strings.TrimRight(y.src[:at], " \t\r\n"))-1)
	}
	return at
}

// visible gives the span of a word at a place, at least one character.
func (y *yamlText) visible(at int) diag.Span {
	for at > 0 && at < len(y.src) && !utf8.RuneStart(y.src[at]) {
		at--
	}
	span := y.lineFrom(at)
	text := y.file.Text[span.Start:span.End]
	if end := strings.IndexAny(text, " \t"); end > 0 {
		span.End = span.Start + end
	}
	return span
}

// reserved explains a value that starts with a character YAML keeps for
// itself.
func (y *yamlText) reserved(at int) diag.Diagnostic {
	r, size := utf8.DecodeRuneInString(y.src[at:])
	span := y.span(at, at+size)
	if r == '\t' {
		return diag.New(diag.YAMLSyntax, span, "tab-indentation").WithHint("indent-spaces")
	}
	hint := "quote the value"
	if better := y.quoteHint(at); better != "" {
		hint = better
	}
	return diag.New(diag.YAMLSyntax, span, "no-value-start", string(r)).WithHint("%s", hint)
}

// bareWord is a line that is a key but for its colon.
var bareWord = regexp.MustCompile(`^[ \t]*[A-Za-z0-9_.-]+[ \t]*$`)

// bareKey finds, above the line of an error, a key whose colon was forgotten:
// then the library blames the first colon that follows. It is -1 where there
// is none.
func (y *yamlText) bareKey(at int) int {
	end := strings.LastIndexByte(y.src[:at], '\n')
	if end < 0 {
		return -1
	}
	start := strings.LastIndexByte(y.src[:end], '\n') + 1
	line := y.src[start:end]
	if !bareWord.MatchString(line) || leadingSpaces(line) >= leadingSpaces(y.src[end+1:]) {
		return -1
	}
	return start + leadingSpaces(line)
}

// keyLine takes a line `key: value` apart.
var keyLine = regexp.MustCompile(`^[ \t]*(?:- +)*([A-Za-z0-9_.-]+):[ \t]+(\S.*)$`)

// quoteHint looks for the commonest mistake in the line of an error: a value
// that has to be quoted. It gives "" where the line does not show it.
func (y *yamlText) quoteHint(at int) string {
	line, column := y.file.Position(y.base + at)
	text := y.file.Line(line)
	if len(text) > 4096 {
		return ""
	}
	m := keyLine.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	key, value := m[1], m[2]
	valueColumn := utf8.RuneCountInString(text) - utf8.RuneCountInString(value) + 1
	if column < valueColumn {
		return ""
	}
	before := string([]rune(text)[:column-1])
	if strings.Count(before, "{")+strings.Count(before, "[") > strings.Count(before, "}")+strings.Count(before, "]") {
		return "" // the mistake is in a part of the value
	}
	switch first := value[0]; {
	case first == '"' || first == '\'':
		if strings.IndexByte(value[1:], first) < 0 {
			return ""
		}
		inside := map[byte]string{'"': "`\\\"`", '\'': "`''`"}
		return fmt.Sprintf("the value of %q goes on behind its closing quote: quote all of it, and write quotes inside as %s", key, inside[first])
	case first == '|' || first == '>':
		return ""
	case strings.IndexByte("[{*&!%@`", first) >= 0:
		return fmt.Sprintf("quote the value of %q: YAML gives a meaning to %q at its start", key, string(first))
	case strings.Contains(value, ": ") || strings.HasSuffix(value, ":"):
		return fmt.Sprintf("quote the value of %q: YAML reads \": \" in it as another key", key)
	default:
		return ""
	}
}

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

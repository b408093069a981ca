package load

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/internal/match"
)

// yamlMessage is what we say for a message of the library that holds a text.
type yamlMessage struct {
	library string
	message string
	hint    string
	context bool // the place is where the construct starts
	quote   bool // a value that has to be quoted may be the cause
}

// yamlMessages say in plain words what the library's messages mean; the first
// whose text occurs in the library's counts. Places say which of the two
// marks of an error shows the mistake.
var yamlMessages = []yamlMessage{
	{
		library: "mapping values are not allowed", message: "a second \": \" in one line, or a value that is indented like a key",
		hint: "quote the value: `key: \"first: second\"`", quote: true,
	},
	{
		library: "found a tab character", message: "a tab in the indentation",
		hint: "indent with spaces",
	},
	missingColon,
	{
		library: "did not find expected key", message: "this is neither a new key nor part of the value above",
		hint: "align keys that belong together, and quote a value in which quotes or brackets are only part of the text", quote: true,
	},
	{
		library: "did not find expected '-' indicator", message: "a list goes on without \"- \"",
		hint: "start every item of the list with `- `, all in the same column",
	},
	{
		library: "did not find expected ',' or ']'", message: "a list that starts with \"[\" is not closed",
		hint: "close it with `]`, or quote the value if the bracket is part of the text", context: true,
	},
	{
		library: "did not find expected ',' or '}'", message: "a mapping that starts with \"{\" is not closed",
		hint: "close it with `}`, or quote the value if the brace is part of the text", context: true,
	},
	{
		library: "found unexpected end of stream", message: "a quotation that is not closed",
		hint: "close it with the same kind of quote", context: true,
	},
	{
		library: "found unexpected document indicator", message: "a quotation that is not closed",
		hint: "close it with the same kind of quote", context: true,
	},
	{
		library: "found unknown escape character", message: "an unknown escape in double quotes",
		hint: "write a backslash as `\\\\`, or use single quotes, in which it is an ordinary character",
	},
	{
		library: "hexadecimal number", message: "an escape without its hexadecimal digits",
		hint: "write `\\xAB`, `\\u12AB` or `\\U0001F600`, or a backslash as `\\\\`",
	},
	{
		library: "invalid Unicode character escape", message: "an escape that stands for no character",
		hint: "write the character itself, or its code point as `\\U0001F600`",
	},
	{
		library: "unknown anchor", message: "an alias without an anchor before it",
		hint: "quote the value if the `*` is part of the text", quote: true,
	},
	{
		library: "did not find expected alphabetic or numeric character", message: "\"*\" and \"&\" start an alias or an anchor, and no name follows",
		hint: "quote the value if the character is part of the text", context: true, quote: true,
	},
	{
		library: "undefined tag handle", message: "\"!\" starts a tag that is not known",
		hint: "quote the value if the `!` is part of the text", quote: true,
	},
	{
		library: "scanning a block scalar", message: "text in the line of \"|\" or \">\"",
		hint: "start the text in the next line, or quote the value if the character is part of the text",
	},
	{
		library: "block sequence entries are not allowed", message: "a list item where none can be",
		hint: "start the list in a line of its own, below its key",
	},
	{
		library: "did not find expected node content", message: "a value is missing here",
		hint: "write the value, or quote it if it starts with a character that YAML reserves", quote: true,
	},
	{
		library: "comment without preceding whitespace", message: "\"#\" directly after a value",
		hint: "put a space before a comment; quote the value if the `#` is part of it",
	},
	{
		library: "after document-end marker", message: "text in the line of \"...\"",
		hint: "remove the line",
	},
	{
		library: "incompatible YAML document", message: "a second YAML document starts here", hint: "keep one document in the file",
	},
	{
		library: "directive", message: "a line that starts with \"%\" is an instruction to the YAML reader, and this one is not known",
		hint: "quote the value if the `%` is part of the text",
	},
}

var missingColon = yamlMessage{
	library: "could not find expected ':'", message: "a line without \":\" where a key is expected",
	hint: "write `key: value`; a text of several lines needs quotes, or `|` after its key", context: true,
}

// explain turns an error of the library into a finding with a place.
func (y *yamlText) explain(err error) diag.Diagnostic {
	d := y.worded(err)
	if at, size := y.unseenBreak(d.Span.Start - y.base); at >= 0 {
		r, _ := utf8.DecodeRuneInString(y.src[at:])
		return diag.New(diag.YAMLSyntax, y.span(at, at+size), "%s ends a line in YAML, and what follows is no YAML", chars.Name(r)).
			WithHint("remove it, or write a line break")
	}
	return d
}

// unseenBreak finds, before a place on its line or the one above, what YAML reads
// as the end of a line and editors do not show as one. It is -1 where there is
// none.
func (y *yamlText) unseenBreak(place int) (at, size int) {
	if place < 0 || place > len(y.src) {
		return -1, 0
	}
	above := max(0, strings.LastIndexByte(y.src[:place], '\n'))
	line := y.src[strings.LastIndexByte(y.src[:above], '\n')+1 : place]
	for _, r := range []string{"\u0085", "\u2028", "\u2029"} {
		if i := strings.LastIndex(line, r); i >= 0 {
			return place - len(line) + i, len(r)
		}
	}
	return -1, 0
}

func (y *yamlText) worded(err error) diag.Diagnostic {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		return diag.New(diag.YAMLSyntax, y.lineFrom(0), "the YAML could not be read (%s)", brief(err.Error())).
			WithHint("is this a YAML file?")
	}
	if strings.Contains(e.Message, errTooDeep.Error()) {
		return diag.New(diag.TooComplex, y.lineFrom(y.mark(e.Mark)), "nested deeper than %d levels", maxDepth).
			WithHint("is this the right file?")
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
	return diag.New(diag.YAMLSyntax, y.visible(at), "not valid YAML: %s", brief(e.Message)).
		WithHint("check the indentation and the quotes of this line and the one above")
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
		return diag.New(diag.YAMLSyntax, span, "a tab in the indentation").WithHint("indent with spaces")
	}
	if blockText.MatchString(y.src[at:]) {
		return diag.New(diag.YAMLSyntax, span, "no block text can stand in braces or brackets").
			WithHint("quote the text, or write the mapping in lines of its own, without braces")
	}
	hint := "quote the value"
	if better := y.quoteHint(at); better != "" {
		hint = better
	}
	return diag.New(diag.YAMLSyntax, span, "no value can start with %q", string(r)).WithHint("%s", hint)
}

// bareWord is a line that is a key but for its colon.
var bareWord = match.Regexp{Expr: `^[ \t]*[A-Za-z0-9_.-]+[ \t]*$`}

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
var keyLine = match.Regexp{Expr: `^[ \t]*(?:- +)*([A-Za-z0-9_.-]+):[ \t]+(\S.*)$`}

// quoteHint looks for the commonest mistake in the line of an error: a value
// that has to be quoted. It gives "" where the line does not show it.
func (y *yamlText) quoteHint(at int) string {
	line, column := y.file.Position(y.base + at)
	text := y.file.Line(line)
	if len(text) > 4096 {
		return ""
	}
	if hint, ok := flowHint(text, column); ok {
		return hint
	}
	m := keyLine.Compiled().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	key, value := m[1], m[2]
	valueColumn := utf8.RuneCountInString(text) - utf8.RuneCountInString(value) + 1
	if column < valueColumn {
		return ""
	}
	switch first := value[0]; {
	case first == '"' || first == '\'':
		if strings.IndexByte(value[1:], first) < 0 {
			return ""
		}
		return fmt.Sprintf("the value of %q goes on behind its closing quote: quote all of it, and write a %s inside as %s", key, quoteName(first), quoteEscape(first))
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

func quoteName(quote byte) string {
	if quote == '"' {
		return "double quote"
	}
	return "single quote"
}

func quoteEscape(quote byte) string {
	if quote == '"' {
		return "`\\\"`"
	}
	return "`''`"
}

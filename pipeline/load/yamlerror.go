package load

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
)

// yamlMistakes are what the commonest messages of the library mean; the first
// whose text occurs in the library's counts. The library has an error's places
// typed, and its cause only as prose, which is told where no key is given.
var yamlMistakes = []struct {
	library, key string
	context      bool // the place is where the construct starts
	quote        bool // a value that has to be quoted may be the cause
}{
	{library: "mapping values are not allowed", key: "second-colon", quote: true},
	{library: "found a tab character", key: "tab-indentation"},
	{library: "could not find expected ':'", key: "missing-colon", context: true},
	{library: "did not find expected key", key: "neither-key-nor-value", quote: true},
	{library: "did not find expected ',' or ']'", key: "not-closed", context: true},
	{library: "did not find expected ',' or '}'", key: "not-closed", context: true},
	{library: "found unexpected", key: "not-closed", context: true}, // end of stream, or document indicator
	{library: "unknown anchor", quote: true},
	{library: "did not find expected alphabetic or numeric character", context: true, quote: true},
	{library: "undefined tag handle", quote: true},
	{library: "incompatible YAML document", key: "second-yaml-document-starts"},
	{library: "did not find expected node content", quote: true},
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
		return diag.New(diag.YAMLSyntax, y.lineFrom(0), "not-valid-yaml", err).
			WithHint("mind-yaml")
	}
	if strings.Contains(e.Message, errTooDeep.Error()) {
		return diag.New(diag.TooComplex, y.lineFrom(y.mark(e.Mark)), "nested-deeper-levels", maxDepth).
			WithHint("right-file")
	}
	at := y.mark(e.Mark)
	if strings.Contains(e.Message, "cannot start any token") {
		return y.reserved(at)
	}
	key := ""
	for _, m := range yamlMistakes {
		if !strings.Contains(e.ContextMsg+": "+e.Message, m.library) {
			continue
		}
		if key = m.key; m.context && e.ContextMark.Line > 0 {
			at = y.mark(e.ContextMark)
		}
		if bare := y.bareKey(at); m.quote && bare >= 0 {
			key, at = "missing-colon", bare
		}
		break
	}
	d := diag.New(diag.YAMLSyntax, y.visible(at), "not-valid-yaml", brief(e.Message))
	if key != "" {
		d.What = diag.Say(key)
	}
	return d.WithHint("mind-yaml")
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
		return diag.New(diag.YAMLSyntax, span, "tab-indentation").WithHint("mind-yaml")
	}
	return diag.New(diag.YAMLSyntax, span, "no-value-start", string(r)).WithHint("mind-yaml")
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

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

package load

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Limits of YAML and JSON files. They are far above what prompts need, and low
// enough that a hostile file costs no time.
const (
	maxDepth   = 64     // levels of lists and mappings
	maxNodes   = 50_000 // values (keys are none), aliases expanded
	maxAliases = 10_000 // expansions of an alias
)

// parseYAML reads the bytes [start, end) of a file as one YAML document. The
// node is nil for a document without content. False means that errors kept it
// from being read; findings that leave a usable node are reported with true.
func parseYAML(file *diag.File, start, end int, found *diag.List) (*ground.Node, bool) {
	return parseYAMLAs(&converter{text: newYAMLText(file, start, end), found: found, most: maxNodes})
}

// parseForeignYAML is parseYAML for what another program writes or reads, which may be
// larger, and in which tags and keys may be what they like.
func parseForeignYAML(file *diag.File, start, end int, found *diag.List) (*ground.Node, bool) {
	return parseYAMLAs(&converter{text: newYAMLText(file, start, end), found: found, most: maxRecorded, foreign: true})
}

func parseYAMLAs(c *converter) (*ground.Node, bool) {
	y, found := c.text, c.found
	if at := strings.IndexFunc(y.src, notYAML); at >= 0 {
		r, size := utf8.DecodeRuneInString(y.src[at:])
		*found = append(*found, diag.New(diag.YAMLSyntax, y.span(at, at+size), "control-character-not-allowed", r).
			WithHint("remove-character-write-escape", r))
		return nil, false
	}
	src, refused := y.directives()
	if refused != nil {
		*found = append(*found, *refused)
		return nil, false
	}
	root, second, err := decodeYAML(src)
	if halves.MatchString(src) {
		root, second, err = y.decodeHalves(src, found)
	}
	if err != nil {
		*found = append(*found, y.explain(err))
		return nil, false
	}
	c.done = map[*yaml.Node]*converted{}
	if second != nil {
		at := y.offset(second.Line, second.Column)
		*found = append(*found, diag.New(diag.YAMLFeature, y.lineFrom(at), "second-yaml-document-starts").
			WithHint("keep-document-file-remove"))
	}
	if root == nil || len(root.Content) == 0 || isNothing(root.Content[0]) {
		return nil, second == nil
	}
	out := c.convert(root.Content[0], 1)
	if c.stopped {
		return nil, false
	}
	return out.node, true
}

// versionLine names a version of YAML: what is read here means the same in both.
var versionLine = regexp.MustCompile(`^%YAML[ \t]+1\.[12]([ \t]+#.*|[ \t]*)$`)

// directives gives the text with the line that may name its version of YAML as a
// comment, because the library knows only the older one. The finding is of the
// first line with a directive that is not allowed.
func (y *yamlText) directives() (src string, refused *diag.Diagnostic) {
	src, version := y.src, -1
	for at := 0; at < len(src); {
		line, _, _ := strings.Cut(src[at:], "\n")
		bad := -1
		switch text := strings.TrimSpace(line); {
		case text == "" || text[0] == '#':
		case line[0] != '%':
			if version < 0 || strings.HasPrefix(line, "---") {
				return src, nil
			}
			bad = version
		case version >= 0 || !versionLine.MatchString(line):
			bad = at
		default:
			src, version = src[:at]+"#"+src[at+1:], at
		}
		if bad >= 0 {
			d := diag.New(diag.YAMLFeature, y.lineFrom(bad), "yaml-directive").WithHint("remove-directive")
			return src, &d
		}
		at += len(line) + 1
	}
	return src, nil
}

func isNothing(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == ""
}

// notYAML tells the characters that YAML files may not hold (YAML 1.2.2, 5.1;
// like most readers, the C1 controls are let through).
func notYAML(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

// decodeYAML gives the first document and, where there is one, the second.
// Both are nil for a file without content.
func decodeYAML(src string) (first, second *yaml.Node, err error) {
	// The library panics on what it believes impossible. Input decides what
	// it gets to see, so that a wrong belief must not end the process.
	defer func() {
		if p := recover(); p != nil {
			err = diag.Fail("not-readable", fmt.Sprint(p))
		}
	}()
	loader, err := yaml.NewLoader(strings.NewReader(src), yaml.WithPlugin(yamlLimits{}))
	if err != nil {
		return nil, nil, err
	}
	first, err = nextDocument(loader)
	if err != nil || first == nil {
		return nil, nil, err
	}
	second, err = nextDocument(loader)
	return first, second, err
}

func nextDocument(loader *yaml.Loader) (*yaml.Node, error) {
	var doc yaml.Node
	err := loader.Load(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &doc, nil
}

// yamlLimits stops the parser at maxDepth, before it recurses. Aliases are
// counted by the converter, because a node tree does not expand them.
type yamlLimits struct{}

// CheckDepth refuses a level deeper than maxDepth.
func (yamlLimits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return errTooDeep
	}
	return nil
}

// CheckAlias allows every alias.
func (yamlLimits) CheckAlias(int, int) error { return nil }

// errTooDeep is found again in the text of the library's error.
var errTooDeep = errors.New("promptc-too-deep")

// yamlText is a part of a file as the YAML library counts its lines: a line
// ends at CR, NEL, LS and PS too, and columns count runes.
type yamlText struct {
	file   *diag.File
	src    string
	base   int   // offset of src in the file
	lines  []int // offset in src of each line's first character
	joined []int // offset in src behind each escape that joinHalves wrote

	// The last place asked for. Nodes come in order, so that going on from
	// it keeps a file of one long line linear.
	line, column, at int
}

func newYAMLText(file *diag.File, start, end int) *yamlText {
	y := &yamlText{file: file, base: start}
	y.read(file.Text[start:end])
	return y
}

func (y *yamlText) read(src string) {
	y.src, y.lines = src, []int{0}
	// The library swallows a byte order mark without counting it.
	if strings.HasPrefix(y.src, "\uFEFF") {
		y.lines[0] = len("\uFEFF")
	}
	for i := 0; i < len(y.src); {
		if n := breakAt(y.src, i); n > 0 {
			i += n
			y.lines = append(y.lines, i)
		} else {
			i++
		}
	}
	y.line, y.column, y.at = 1, 1, y.lines[0]
}

// yamlBreaks are the characters that end a line of YAML, yamlSpace those with
// the blanks.
const yamlBreaks, yamlSpace = "\r\n\u0085\u2028\u2029", " \t" + yamlBreaks

// breakAt gives the length of the YAML line break at s[i], 0 where none is.
func breakAt(s string, i int) int {
	if strings.HasPrefix(s[i:], "\r\n") {
		return len("\r\n")
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if !strings.ContainsRune(yamlBreaks, r) {
		return 0
	}
	return size
}

// lineEnd gives the end of the line of a place.
func (y *yamlText) lineEnd(at int) int {
	if n := strings.IndexAny(y.src[at:], yamlBreaks); n >= 0 {
		return at + n
	}
	return len(y.src)
}

// skip goes on over white space, comments and some more characters.
func (y *yamlText) skip(at int, more string) int {
	for {
		at = len(y.src) - len(strings.TrimLeft(y.src[at:], yamlSpace+more))
		if at == len(y.src) || y.src[at] != '#' {
			return at
		}
		at = y.lineEnd(at)
	}
}

// offset gives the place in src of a line and column of the library's. A
// column of 0 is unknown: then it is the line's first visible character.
func (y *yamlText) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(y.lines) {
		return len(y.src)
	}
	start := y.lines[line-1]
	if column < 1 {
		rest := y.src[start:]
		return start + len(rest) - len(strings.TrimLeft(rest, " \t"))
	}
	if line != y.line {
		y.line, y.column, y.at = line, 1, start
	}
	for y.column < column && y.at < len(y.src) {
		_, size := utf8.DecodeRuneInString(y.src[y.at:])
		y.at += size
		y.column++
	}
	for y.column > column && y.at > start {
		_, size := utf8.DecodeLastRuneInString(y.src[:y.at])
		y.at -= size
		y.column--
	}
	return y.at
}

// span gives a place in the file. A collection that the text ends in is given
// one byte at its start, which may be one too many.
func (y *yamlText) span(start, end int) diag.Span {
	start, end = min(start, len(y.src)), min(end, len(y.src))
	return diag.Span{File: y.file, Start: y.inFile(start), End: y.inFile(end)}
}

// lineFrom gives the span from a place to the end of its line, without
// trailing blanks; at the end of the text it is empty.
func (y *yamlText) lineFrom(at int) diag.Span {
	text, _, _ := strings.Cut(y.src[at:], "\n")
	return y.span(at, at+len(strings.TrimRight(text, " \t\r")))
}

// startsNoValue is the mistake whose sentence names a character.
const startsNoValue = "no-value-start"

// yamlMistakes are what the commonest messages of the library mean; the first
// whose text occurs in the library's counts. The library has an error's places
// typed, and its cause only as prose, which is told where no key is given.
var yamlMistakes = []struct {
	library, key string
	context      bool // the place is where the construct starts
	quote        bool // a value that has to be quoted may be the cause
}{
	{library: "cannot start any token", key: startsNoValue},
	{library: "mapping values are not allowed", key: "second-colon", quote: true},
	{library: "found a tab character", key: "tab-indentation"},
	{library: "could not find expected ':'", key: "missing-colon", context: true},
	{library: "did not find expected key", key: "neither-key-nor-value", quote: true},
	{library: "did not find expected '-' indicator", key: "neither-key-nor-value"},
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
	key := ""
	for _, m := range yamlMistakes {
		if !strings.Contains(e.ContextMsg+": "+e.Message, m.library) {
			continue
		}
		if key = m.key; key == startsNoValue {
			return y.reserved(at)
		}
		if m.context && e.ContextMark.Line > 0 {
			at = y.mark(e.ContextMark)
		}
		if bare := y.bareKey(at); m.quote && bare >= 0 {
			key, at = "missing-colon", bare
		} else if d := y.mistake(y.mark(e.ContextMark), y.mark(e.Mark)); d != nil {
			return *d
		}
		break
	}
	d := diag.New(diag.YAMLSyntax, y.visible(at), "not-valid-yaml", diag.Start(e.Message, maxQuoted))
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
	return diag.New(diag.YAMLSyntax, span, startsNoValue, string(r)).WithHint("mind-yaml")
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

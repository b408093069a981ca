// Package code reads the texts that stand in programs: string literals, decoded, with the
// names that lead to them and the place of each byte. It runs nothing: what only running
// the program could tell is a hole in the text. It reads Python, TypeScript, JavaScript
// and Go, in one pass over the bytes.
package code

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Literal is a text in code: a string literal, or several that the code joins.
type Literal struct {
	// Path are the names that lead to it, the outermost first.
	Path  []Step
	Text  ground.Text
	Holes []Hole
	// At is the place of the text, from its first byte to its last.
	At diag.Span
	// Role is that of the message whose content it is, as the code writes it; "" for none.
	Role string
	// Format is the language of the placeholders that the code fills at this place, a name
	// of templates.Languages; "" for none.
	Format string
	// Aside says that it speaks to people: a docstring, or what is logged or thrown.
	Aside bool
	// Drawn says that it is text between the tags of JSX, or an attribute of one.
	Drawn bool
}

// Step is one name of a path.
type Step struct {
	Name string
	// Declared says that it is the name of a class, a function, a variable, or of a call
	// whose value nobody keeps; others are within a value: keys, roles, calls.
	Declared bool
	// Call says that it is the name of what is called.
	Call bool
}

// Hole is a part [Start, End) of a text that running the program would fill.
type Hole struct {
	Start, End int
	// Field is the expression, shortened; "" where it only surrounds text that the
	// program may leave out.
	Field string
}

// Name gives the names that lead to a literal, with dots between them.
func (l *Literal) Name() string {
	var names []string
	for _, s := range l.Path {
		names = append(names, s.Name)
	}
	return strings.Join(names, ".")
}

// leastOfProse is how many words a literal needs to be prose.
const leastOfProse = 4

// browserSteps are attributes of elements whose texts are for browsers.
var browserSteps = []string{"className", "class", "style", "d", "viewBox", "href", "src", "key", "id"}

// IsProse reports a literal of several words that does not speak to people alone.
func (l *Literal) IsProse() bool {
	if l.Aside || l.Drawn && slices.ContainsFunc(l.Path, func(s Step) bool { return slices.Contains(browserSteps, s.Name) }) {
		return false
	}
	return chars.IsProse(l.Prose(), leastOfProse)
}

// Prose gives the text without its holes.
func (l *Literal) Prose() string {
	var b strings.Builder
	at := 0
	for _, h := range l.Holes {
		b.WriteString(l.Text.Str[at:h.Start])
		at = h.End
	}
	return b.String() + l.Text.Str[at:]
}

// row is a language.
type row struct {
	name    string
	endings []string
	// lex cuts a text into tokens.
	lex func(text, ending string) []token
	// open and shut stand around what is put between literals that are joined.
	open, shut string
	// adjacent says that literals beside one another are one.
	adjacent bool
	// breaks are words between operands that are no part of a joined text, resets those
	// behind which one begins, and suffixes those that say something of the operand before.
	breaks, resets, suffixes []string
	// self are names of what a method belongs to, which name nothing.
	self []string
}

// rows is the table of languages.
var rows = []*row{
	{
		name: "Python", endings: []string{".py", ".pyi"}, lex: lexPython, open: "{", shut: "}", adjacent: true,
		breaks: []string{"and", "or", "if", "else", "in", "is", "for", "not", "async", "elif", "while", "with", "except", "import", "as", "match", "del", "global", "assert", "try", "finally"},
		resets: []string{"return", "yield", "raise", "from", "case"},
		self:   []string{"self", "cls"},
	},
	{
		name: "TypeScript", endings: []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}, lex: lexJS, open: "${", shut: "}",
		breaks:   []string{"in", "of", "instanceof", "if", "else", "for", "while", "do", "switch", "import", "extends", "implements", "const", "let", "var", "static", "readonly", "public", "private", "protected", "export", "declare", "abstract", "async", "get", "set", "case", "try", "catch", "finally", "with"},
		resets:   []string{"return", "yield", "throw", "default"},
		suffixes: []string{"as", "satisfies"},
		self:     []string{"this"},
	},
	{
		name: "Go", endings: []string{".go"}, lex: lexGo, open: "{", shut: "}",
		breaks: []string{"if", "else", "for", "range", "switch", "select", "go", "defer", "var", "const", "type", "import", "package", "case", "default", "chan", "struct", "interface"},
		resets: []string{"return"},
	},
}

func rowOf(name string) *row {
	ending := strings.ToLower(path.Ext(name))
	if i := slices.IndexFunc(rows, func(r *row) bool { return slices.Contains(r.endings, ending) }); i >= 0 {
		return rows[i]
	}
	return nil
}

// Reads reports whether the ending of a path is one of a language that is read.
func Reads(name string) bool { return rowOf(name) != nil }

// Read gives the literals of a file, in the order in which they end. It is nil for a file
// that Reads does not know. A file that is not valid in its language has those that can be
// told.
func Read(file *diag.File) []Literal {
	lang := rowOf(file.Path)
	if lang == nil {
		return nil
	}
	return read(file, lang, lang.lex(file.Text, strings.ToLower(path.Ext(file.Path))))
}

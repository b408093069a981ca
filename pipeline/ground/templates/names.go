package templates

// What templates name: includes, parents, partials. A name that has to be computed
// is known only as that.

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/markdown"
)

// Name is a place where a text names another file, or a template that another file
// may define.
type Name struct {
	// Name is what is named, without quotes; "" where it has to be computed.
	Name string
	// Tag is the whole tag, at the bytes [Start, End).
	Tag        string
	Start, End int
	// Defines says that the text does not include the name, but defines it.
	Defines bool
	// Engine is the row of the syntax.
	Engine int
}

// syntax is how the templates of one engine, or of several alike, name others.
type syntax struct {
	endings []string
	// includes finds a tag that names a file: the group is the name. defines finds a
	// tag by which the text defines a part itself; nil if the syntax has none.
	includes, defines *regexp.Regexp
	// unread finds what the engine leaves alone: comments and raw text.
	unread *regexp.Regexp
	// shares says that other files can include what one defines.
	shares bool
	// bare says that a name may stand without quotes; else that is a variable.
	bare bool
	// expressions says that what stands behind a name may make another one of it.
	expressions bool
}

// syntaxes is the table of expressions that name other files, a row a syntax. A
// file with another ending is read by all of them.
var syntaxes = []syntax{
	{ // Jinja, Nunjucks
		endings:  []string{".j2", ".jinja", ".jinja2", ".njk", ".prompty"},
		includes: regexp.MustCompile(`\{%[-+]?\s*(?:include|extends|import|from)\s+((?:"[^"]*"|'[^']*'|[^%])+?)\s*[-+]?%\}`),
		unread:   regexp.MustCompile(`(?s)\{#.*?#\}|\{%[-+]?\s*(?:raw|verbatim)\s*[-+]?%\}.*?\{%[-+]?\s*end(?:raw|verbatim)\s*[-+]?%\}`),

		expressions: true,
	},
	{ // Liquid
		endings:  []string{".liquid"},
		includes: regexp.MustCompile(`\{%-?\s*(?:include|render|layout)\s+((?:"[^"]*"|'[^']*'|[^%])+?)\s*-?%\}|\{%-?\s*liquid\b[^%]*?\b(include|render)\b[^%]*%\}`),
		unread:   regexp.MustCompile(`(?s)\{%-?\s*(?:raw|comment)\s*-?%\}.*?\{%-?\s*end(?:raw|comment)\s*-?%\}`),
	},
	{ // Handlebars, Mustache
		endings:  []string{".hbs", ".handlebars", ".mustache", ".prompt"},
		includes: regexp.MustCompile(`\{\{~?\s*#?>\s*([^{}@\s][^{}]*?)\s*~?\}\}|\{\{<\s*([^{}<>]+?)\s*\}\}`),
		defines:  regexp.MustCompile(`\{\{~?\s*#\*\s*inline\s+["']([^"'{}]+)["']\s*~?\}\}`),
		unread:   regexp.MustCompile(`(?s)\{\{~?!--.*?--~?\}\}|\{\{~?![^}]*\}\}|\\\{\{[^{}]*\}\}|\{\{\{\{[^{}/]*\}\}\}\}.*?\{\{\{\{/[^{}]*\}\}\}\}`),
		bare:     true,
	},
	{ // Go
		endings:  []string{".tmpl", ".gotmpl", ".tpl"},
		includes: regexp.MustCompile(`\{\{-?\s*template\s+([^{}]+?)\s*-?\}\}`),
		defines:  regexp.MustCompile("\\{\\{-?\\s*(?:define|block)\\s+[\"`]([^\"`{}]+)[\"`][^{}]*\\}\\}"),
		unread:   regexp.MustCompile(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}`),
		shares:   true,
	},
	{ // EJS, ERB
		endings:  []string{".ejs", ".erb"},
		includes: regexp.MustCompile(`<%[-_=]?\s*(?:include|render)\b[\s(]*((?:"[^"]*"|'[^']*'|[^%])+?)[\s);]*[-_]?%>`),
		unread:   regexp.MustCompile(`(?s)<%#.*?%>|<%%`),

		expressions: true,
	},
}

// MayName reports whether a text has the beginning of any tag.
func MayName(text string) bool {
	return slices.ContainsFunc([]string{"{%", "{{", "<%"}, func(open string) bool { return strings.Contains(text, open) })
}

// Names gives what a text names, in order. The ending of its file's name tells the
// engine. With another ending it is taken for Markdown, whose code is left alone.
func Names(file, text string) []Name {
	if !MayName(text) {
		return nil
	}
	own, known := engineOf(file)
	var out []Name
	for engine, s := range syntaxes {
		if known && engine != own {
			continue
		}
		left := s.readable(text)
		for _, m := range s.includes.FindAllStringSubmatchIndex(left, -1) {
			for group := 2; group < len(m); group += 2 {
				if m[group] >= 0 {
					out = append(out, Name{Name: s.named(text[m[group]:m[group+1]]), Tag: text[m[0]:m[1]], Start: m[0], End: m[1], Engine: engine})
				}
			}
		}
		if s.defines == nil {
			continue
		}
		for _, m := range s.defines.FindAllStringSubmatchIndex(left, -1) {
			out = append(out, Name{Name: text[m[2]:m[3]], Tag: text[m[0]:m[1]], Start: m[0], End: m[1], Defines: true, Engine: engine})
		}
	}
	slices.SortStableFunc(out, func(a, b Name) int { return cmp.Compare(a.Start, b.Start) })
	out = slices.CompactFunc(out, func(a, b Name) bool { return a.Start == b.Start })
	if !known && len(out) > 0 {
		out = outsideCode(text, out)
	}
	return out
}

// readable gives a text with blanks for what the engine leaves alone.
func (s syntax) readable(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range s.unread.FindAllStringIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		b.WriteString(strings.Repeat(" ", m[1]-m[0]))
		at = m[1]
	}
	b.WriteString(text[at:])
	return b.String()
}

// engineOf gives the row of syntaxes that the ending of a file's name tells.
func engineOf(file string) (row int, known bool) {
	ending := strings.ToLower(path.Ext(file))
	row = slices.IndexFunc(syntaxes, func(s syntax) bool { return slices.Contains(s.endings, ending) })
	return row, row >= 0
}

// literal is a name in quotes, and what stands behind it in the tag.
var literal = regexp.MustCompile("^(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`)\\s*(.*)$")

// computes finds what makes another name of the one before it.
var computes = regexp.MustCompile(`^(?:[~+.|\[(%]|if\b)`)

// bareName is a name without quotes, and perhaps arguments behind it.
var bareName = regexp.MustCompile(`^([\w./-]+)(?:\s.*)?$`)

// named gives the name that a tag has, "" where it is computed.
func (s syntax) named(argument string) string {
	argument = strings.ReplaceAll(argument, "\n", " ")
	if m := literal.FindStringSubmatch(argument); m != nil {
		if s.expressions && computes.MatchString(m[4]) {
			return ""
		}
		return m[1] + m[2] + m[3]
	}
	if m := bareName.FindStringSubmatch(argument); m != nil && s.bare {
		return m[1]
	}
	return ""
}

// outsideCode leaves out what stands in the code of a Markdown text.
func outsideCode(text string, names []Name) []Name {
	lines, i := markdown.Lines(text), -1
	var spans []markdown.Span
	return slices.DeleteFunc(names, func(n Name) bool {
		for i < 0 || lines[i].End < n.Start {
			i++
			spans = nil
		}
		line := lines[i]
		if spans == nil {
			spans = append([]markdown.Span{{}}, markdown.CodeSpans(text[line.Start:line.End])...)
		}
		at := n.Start - line.Start
		next, _ := slices.BinarySearchFunc(spans, at, func(s markdown.Span, at int) int { return cmp.Compare(s.End, at+1) })
		return line.Fenced || line.Indented || next < len(spans) && spans[next].Start <= at
	})
}

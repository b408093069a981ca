// Package templates knows the syntax of other template languages as far as their texts
// show it: which files are templates, their tags, and the files that they name. It
// renders nothing.
package templates

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// endings are those of the files of other template engines.
var endings = []string{
	".j2", ".jinja", ".jinja2", ".njk", ".hbs", ".handlebars", ".mustache", ".liquid", ".ejs", ".erb", ".tmpl", ".prompty", ".prompt",
}

// IsFile reports whether a file's name says that it is a template.
func IsFile(name string) bool { return slices.Contains(endings, strings.ToLower(path.Ext(name))) }

// tags are what only template languages have: conditions, loops, partials and the like
// in Jinja and Liquid, in Handlebars and Mustache, in Dotprompt, in Go's templates, in
// EJS and ERB.
var tags = []string{
	`\{%[-+]?[ \t]*(?:if|for|set|include|import|from|extends|block|macro|call|filter|raw|assign|capture|case|unless|render|layout)\b[^{}%\n]*%\}`,
	`\{\{[-~]?[ \t]*[#^>]>?[ \t]*[A-Za-z_*"'(][^{}\n]*\}\}`,
	`\{\{role[ \t]+"[a-z]+"\}\}`,
	`\{\{-?[ \t]*(?:if|range|with|template|block|define)[ \t]+(?:[."$(]|(?:eq|ne|not|and|or|lt|le|gt|ge|len)[ \t])[^{}\n]*\}\}`,
	`<%[-_]?[ \t]*(?:if|for|while)\b[^%\n]*%>`,
}

// values are what they have in place of a value, and people, too: {{name}}, also with a
// dot or another sign before it, an index, a filter, with marks for blanks and in three
// braces; a helper with a text, a function with its arguments, an expression; ${name},
// the ${input:name} of editors, and <%= name %>.
var values = []string{
	`\{?\{\{[-~]?&?[ \t]*(?:\.\./)*[.$@]?[A-Za-z_][A-Za-z0-9_.-]*(?:\[[0-9]+\][A-Za-z0-9_.-]*)*(?:[ \t]*\|[ \t]*[A-Za-z_][^{}\n]*)?[ \t]*[-~]?\}\}\}?`,
	`\{\{[-~]?[ \t]*[A-Za-z_][A-Za-z0-9_.-]*(?:[ \t]+[A-Za-z0-9_.@/-]+)*[ \t]+(?:[A-Za-z0-9_-]+=)?["'][^{}\n]*\}\}`,
	`\{\{[-~]?[ \t]*[A-Za-z_][A-Za-z0-9_.]*\([^{}\n]*\)[^{}()\n]*\}\}`,
	`\{\{[-~]?[ \t]*[A-Za-z_][A-Za-z0-9_.]*(?:\?\.[A-Za-z_]|[ \t]*(?:\?\?|&&|[=!<>]=|[?+~<>])[ \t]|[ \t]+(?:or|and|if)[ \t])[^{}\n]*\}\}`,
	`\$\{[A-Za-z_][A-Za-z0-9_.-]*\}`,
	`\$\{input:[A-Za-z_][^{}\n]*\}`,
	`<%[=-]?[ \t]*[A-Za-z_@][A-Za-z0-9_.-]*[ \t]*-?%>`,
}

var (
	anyOf  = regexp.MustCompile(strings.Join(slices.Concat(tags, values), "|"))
	tag    = regexp.MustCompile(strings.Join(tags, "|"))
	oneTag = regexp.MustCompile("^(?:" + strings.Join(tags, "|") + ")$")
)

// Find gives the places of a line that read like a tag, or a value to be filled in.
func Find(line string) [][]int { return anyOf.FindAllStringIndex(line, -1) }

// IsTag reports whether what was found is a tag, which no name alone can stand for.
func IsTag(found string) bool { return oneTag.MatchString(found) }

// HasTag reports whether a text has a tag.
func HasTag(text string) bool { return tag.MatchString(text) }

package templates

// What stands in a template and is not text: placeholders and instructions.

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Tag is a place [Start, End) of a template that its engine replaces or takes away.
type Tag struct {
	Start, End int
	// Field is what is put there, such as `user.name`; "" for a comment and for what only
	// instructs the engine.
	Field string
}

// language is how one language marks what is not text.
type language struct {
	name string
	// tag finds what the engine reads. What it leaves as it is, an escape or raw text, is
	// found too, so that nothing in it is taken for a tag: then no group matches. The
	// groups are tags; those of a name that begins with "field" hold what is put there.
	tag func() *regexp.Regexp
}

// once compiles an expression when it is first asked for: most runs need none of these.
func once(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// languages is the table of template languages, in the order of the documentation.
var languages = []language{
	{"f-string", once(`\{\{|\}\}|(?P<tag>\{(?P<field>[A-Za-z_][\w.]*(?:\[[^\[\]{}\n]*\])*(?:\([^(){}\n]*\))?)\s*=?(?:![rsa])?(?::(?:[^{}\n]|\{[^{}\n]*\})*)?\})`)},
	{"jinja2", once(`(?s)(?P<tag>\{%[-+]?\s*(?:raw|verbatim)\s*[-+]?%\}).*?(?P<tag>\{%[-+]?\s*end(?:raw|verbatim)\s*[-+]?%\})|` +
		`(?P<tag>\{#.*?#\})|(?P<tag>\{%(?:"[^"\n]*"|'[^'\n]*'|[^"'%]|%[^}])*?%\}|\{%.*?%\})|(?P<tag>\{\{(?P<field>(?:"[^"\n]*"|'[^'\n]*'|[^"'}]|\}[^}])*?)\}\}|\{\{(?P<field>.*?)\}\})`)},
	{"handlebars", once(`(?s)\\\{\{[^{}]*\}\}|(?P<tag>\{\{\{\{[^{}/]*\}\}\}\}).*?(?P<tag>\{\{\{\{/[^{}]*\}\}\}\})|` +
		`(?P<tag>\{\{~?!--.*?--~?\}\}|\{\{~?![^}]*\}\}|\{\{~?(?:[#/^>*]|\s*else\b)[^{}]*\}\})|(?P<tag>\{\{\{(?P<field>[^{}]*)\}\}\}|\{\{(?P<field>[^{}]*)\}\})`)},
	{"mustache", once(`(?s)(?P<tag>\{\{[!#/^>=<$][^}]*\}\})|(?P<tag>\{\{\{(?P<field>[^{}]*)\}\}\}|\{\{(?P<field>[^{}]*)\}\})`)},
	{"liquid", once(`(?s)(?P<tag>\{%-?\s*raw\s*-?%\}).*?(?P<tag>\{%-?\s*endraw\s*-?%\})|(?P<tag>\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\})|` +
		`(?P<tag>\{%.*?%\})|(?P<tag>\{\{(?P<field>.*?)\}\})`)},
	{"go-template", once("(?s)(?P<tag>\\{\\{-?\\s*/\\*.*?\\*/\\s*-?\\}\\}|\\{\\{-?\\s*(?:if|else|end|range|with|template|block|define|break|continue)\\b(?:\"(?:[^\"\\\\\\n]|\\\\.)*\"|`[^`]*`|[^\"`}]|\\}[^}])*?\\}\\})|" +
		"(?P<tag>\\{\\{(?P<field>(?:\"(?:[^\"\\\\\\n]|\\\\.)*\"|`[^`]*`|[^\"`}]|\\}[^}])*?)\\}\\})")},
	{"dollar", once(`\$\$|\\\$|(?P<tag>\$\{(?P<field>[^{}]*)\}|\$(?P<field>[A-Za-z_]\w*))`)},
	{"percent", once(`%%|(?P<tag>%(?:\((?P<field>[^()\n]+)\))?[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[diouxXeEfFgGcrsav])`)},
	{NoLanguage, nil},
}

// NoLanguage is the language of texts without placeholders.
const NoLanguage = "none"

// Languages gives the names of the languages.
func Languages() []string {
	var out []string
	for _, l := range languages {
		out = append(out, l.name)
	}
	return out
}

// Tags finds the tags of a text in a language, in order; none for a name that is no
// language.
func Tags(name, text string) []Tag {
	i := slices.IndexFunc(languages, func(l language) bool { return l.name == name })
	if i < 0 || languages[i].tag == nil {
		return nil
	}
	re := languages[i].tag()
	var out []Tag
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		for group, is := range re.SubexpNames() {
			switch start, end := m[2*group], m[2*group+1]; {
			case start < 0 || is == "":
			case is == "tag":
				out = append(out, Tag{Start: start, End: end})
			default:
				out[len(out)-1].Field = fieldOf(text[start:end])
			}
		}
	}
	return out
}

// path is the variable with which an expression begins.
var fieldPath = regexp.MustCompile(`^[&~\-(\s]*([$@.\w][\w$@.\-]*(?:\[[^\[\]]*\])?)`)

// maxField is how long the name of a field may be, in bytes.
const maxField = 60

// fieldOf names what an expression puts into the text: after the variable that it
// begins with, or as it is written.
func fieldOf(expression string) string {
	name := strings.Join(strings.Fields(expression), " ")
	if m := fieldPath.FindStringSubmatch(expression); m != nil {
		name = m[1]
	}
	if len(name) > maxField {
		name = strings.ToValidUTF8(name[:maxField], "") + "…"
	}
	return name
}

// Prose gives the text between the tags, which is all that is said in any case.
func Prose(text string, tags []Tag) string {
	if len(tags) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, t := range tags {
		out.WriteString(text[at:t.Start])
		at = t.End
	}
	out.WriteString(text[at:])
	return out.String()
}

// Blank gives a text of the same bytes in which a space stands for each byte of a tag,
// but for its line breaks and the name of its field.
func Blank(text string, tags []Tag) string {
	if len(tags) == 0 {
		return text
	}
	out := []byte(text)
	for _, t := range tags {
		from, to := t.Start, t.Start
		if at := strings.Index(text[t.Start:t.End], t.Field); t.Field != "" && at >= 0 {
			from, to = t.Start+at, t.Start+at+len(t.Field)
		}
		for i := t.Start; i < t.End; i++ {
			if (i < from || i >= to) && out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

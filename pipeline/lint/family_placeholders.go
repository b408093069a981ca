package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// openPlaceholder is what templates have in place of a value: {{name}}, also
// with a dot before it, an index, a filter, with marks for blanks and in three
// braces, ${name}, the ${input:name} of editors, <%= name %>, and the tags with
// which Jinja and Handlebars begin a block.
var openPlaceholder = regexp.MustCompile(`\{?\{\{[-~]?[#^>]?[ \t]*\.?[A-Za-z_][A-Za-z0-9_.-]*(?:\[[0-9]{1,6}\][A-Za-z0-9_.-]*){0,8}(?:[ \t]*\|[ \t]*[A-Za-z_][^{}\n]{0,100})?[ \t]*[-~]?\}\}\}?|\{\{#(?:if|each|unless|with)[ \t][^{}\n]{0,100}\}\}|\$\{[A-Za-z_][A-Za-z0-9_.-]*\}|\$\{input:[A-Za-z_][^{}\n]{0,100}\}|<%[=-]?[ \t]*[A-Za-z_@][A-Za-z0-9_.-]*[ \t]*-?%>|\{%-?[ \t]*(?:if|for|set|include|block|extends)[ \t][^{}%\n]{1,100}%\}`)

// openPlaceholders finds places in emitted text that some program should have
// filled. Code is left alone, and so is what an expanded text has left: there
// it was written as a literal.
func openPlaceholders(c *census) diag.List {
	slots := map[string]bool{}
	for _, s := range c.scope.plan.Spec.Slots {
		slots[s.Name.Str] = true
	}
	var out diag.List
	for _, s := range c.said {
		if !strings.ContainsAny(s.Text.Str, "{<") || listsTools(s) {
			continue
		}
		type open struct {
			text string
			file *diag.File
		}
		met := map[open]bool{}
		for _, at := range unfilled(s) {
			text, place := s.Text.Str[at[0]:at[1]], c.place(s, at[0], at[1])
			name := placeholderName(text)
			if met[open{text, place.File}] || slots[name] && text == "{{"+name+"}}" { // said elsewhere
				continue
			}
			met[open{text, place.File}] = true
			d := c.find(diag.OpenPlaceholder, place, s.users, "%q is emitted by %s of %q, and nothing fills it", brief(text), c.id(s), c.build.Prompt.ID.Str)
			switch {
			case s.Unit.Exact:
				d.Level = diag.Note // another program may fill it later
				d = d.WithHint("fill it where the text is assembled, or put what is meant literally between backticks")
			case slots[name]:
				d = d.WithHint("a slot is written {{%s}}, with nothing else in the braces, in a text with expand: true", name)
			default:
				d = d.WithHint("declare a slot or fragment for it, write the value, or put what is meant literally between backticks")
			}
			out = append(out, d)
		}
	}
	return out
}

// placeholderName gives what stands between the braces of a placeholder, without
// a filter.
func placeholderName(text string) string {
	name, _, _ := strings.Cut(strings.Trim(text, "{}~- \t"), "|")
	return strings.TrimRight(name, " \t")
}

// unfilled gives the places that read like a placeholder and are neither code
// nor a slot.
func unfilled(r *entry) [][2]int {
	filled := map[int]bool{}
	for _, s := range r.Slots {
		filled[s.Start] = true
	}
	var out [][2]int
	for _, line := range r.lines {
		text := r.Text.Str[line.Start:line.End]
		if line.Fenced || line.Indented || !strings.ContainsAny(text, "{<") {
			continue
		}
		found := openPlaceholder.FindAllStringIndex(text, -1)
		if len(found) == 0 {
			continue
		}
		spans := markdown.CodeSpans(text)
		argument := -1 // the end of the last that is one of LaTeX
		for _, m := range found {
			if m[0] == argument || commanded(text[:m[0]]) {
				argument = m[1]
				continue
			}
			start, end := line.Start+m[0], line.Start+m[1]
			if !within(spans, m[0]) && !filled[start] && !filled[start+1] && isOpen(text, m[0], m[1], r.Rendering) {
				out = append(out, [2]int{start, end})
			}
		}
	}
	return out
}

// isOpen reports whether a match is no variable of a shell, no expression of a
// workflow, no value of a Helm chart, and no literal, which a mark before it
// makes.
func isOpen(line string, start, end int, r *prompt.Rendering) bool {
	text := line[start:end]
	if strings.HasPrefix(text, "${") {
		return strings.ToUpper(text) != text && (start == 0 || strings.IndexByte(`$\`, line[start-1]) < 0)
	}
	name := strings.TrimLeft(text, "{-~ \t")
	if slices.ContainsFunc([]string{".Values.", ".Release.", ".Chart."}, func(of string) bool { return strings.HasPrefix(name, of) }) {
		return false
	}
	opened, closed := strings.HasPrefix(text, "{{{"), strings.HasSuffix(text, "}}}")
	if opened != closed || start > 0 && strings.IndexByte(`${^\`, line[start-1]) >= 0 || end < len(line) && line[end] == '}' {
		return false
	}
	return !strings.HasPrefix(text, "{{") || !expanded(r)
}

// commanded reports whether a command of LaTeX ends a text, of which what
// follows in braces is an argument: \frac{{a}}{{b}}.
func commanded(before string) bool {
	name := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(before)-len(name) > 1 && strings.HasSuffix(name, `\`) // \n is a line break
}

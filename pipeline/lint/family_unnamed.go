package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// unnamed finds tools that a variant has without a schema beside the text, and
// never speaks of, while others of the prompt do: the model cannot know them.
func unnamed(c *census) diag.List {
	known := names{}
	silent := sets[*prompt.Tool]{size: len(c.artifacts)}
	by := map[*prompt.Tool]*entry{}
	for _, s := range c.said {
		if s.Beside {
			continue
		}
		for _, t := range s.Tools {
			if silent.of(t).Union(s.users); by[t] == nil {
				by[t] = s
			}
			known.add(subject{aTool, t.Name})
		}
	}
	if len(known) == 0 {
		return nil
	}
	surely, maybe := c.owners(), c.owners()
	for _, s := range c.said {
		for _, m := range mentions(s.Text.Str, s.lines, known) {
			surely.of(m.subject).Union(s.users)
		}
		for _, m := range words(s.Text.Str, known) {
			maybe.of(m).Union(s.users)
		}
	}
	var out diag.List
	for _, t := range silent.keys {
		name := subject{aTool, t.Name}
		if surely.values[name] == nil {
			continue
		}
		users := silent.values[t].Minus(maybe.has(name))
		for _, s := range c.said { // native elsewhere in the variant
			if s.Beside && users.First() >= 0 && slices.ContainsFunc(s.Tools, func(its *prompt.Tool) bool { return its.Name == t.Name }) {
				users = users.Minus(s.users)
			}
		}
		if users.First() < 0 {
			continue
		}
		out = append(out, c.find(diag.UnnamedTool, c.build.Prompt.Sections[by[t].section].ID.At, users,
			"the text of %q never names the tool %q, whose schema is not beside it either", c.build.Prompt.ID.Str, t.Name).
			WithHint("say there, too, how it is called, or leave it out with only"))
	}
	return out
}

// words gives the names that stand in a text, whatever they mean there.
func words(s string, known names) []subject {
	var out []subject
	for start := 0; start < len(s); {
		if !nameByte(s[start]) || s[start] == '/' {
			start++
			continue
		}
		end := start + 1
		for end < len(s) && s[end] != '/' && (nameByte(s[end]) || strings.HasPrefix(s[end:], `\_`)) {
			end++
		}
		for _, m := range meanings(s, start, end, known) {
			out = append(out, m.subject)
		}
		start = end
	}
	return out
}

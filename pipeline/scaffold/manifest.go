package scaffold

import (
	"fmt"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// legacies writes the manifest of a project that has these prompts.
func legacies(prompts []*Legacy) string {
	var b strings.Builder
	b.WriteString(strings.NewReplacer("@schema@", SchemaURL, "@manual@", manualURL).Replace(read("rendered.yaml")))
	for i, l := range prompts {
		if i > 0 {
			b.WriteString("\n")
		}
		l.write(&b)
	}
	return b.String()
}

func (l *Legacy) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s:\n", scalar(l.ID))
	if l.Entry == "" {
		fmt.Fprintf(b, "    rendered: %s\n", quote(l.Path))
	} else {
		fmt.Fprintf(b, "    rendered:\n      path: %s\n      entry: %s\n", quote(l.Path), quote(l.Entry))
	}
	if l.Tools != "" {
		fmt.Fprintf(b, "    tools: %s\n", quote(l.Tools))
	}
	if len(l.Axes) > 0 {
		b.WriteString("    axes:\n")
	}
	for i, a := range l.Axes {
		note := ""
		if l.Slugs && i == len(l.Axes)-1 {
			note = " # the words of an entry, with - between"
		}
		fmt.Fprintf(b, "      %s: %s%s\n", a.Name, a.list(), note)
	}
	if len(l.Missing) > 0 {
		b.WriteString("    exclude: # there is no text for these\n")
	}
	for _, row := range l.Missing {
		var terms []string
		for i, value := range row {
			terms = append(terms, l.Axes[i].Name+": "+scalar(value))
		}
		fmt.Fprintf(b, "      - {%s}\n", strings.Join(terms, ", "))
	}
	b.WriteString("    # budget: {tokens: 8000, growth: 5%}\n")
}

// listWidth is where a list of values goes on in the next line.
const listWidth = 110

func (a Axis) list() string {
	if a.Values == nil {
		return "auto"
	}
	var b strings.Builder
	b.WriteString("[")
	width := len(a.Name) + len("      : [")
	for i, value := range a.Values {
		word := scalar(value)
		switch {
		case i == 0:
		case width+len(word)+3 > listWidth:
			b.WriteString(",\n        ")
			width = len("        ")
		default:
			b.WriteString(", ")
			width += 2
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String() + "]"
}

// scalar writes an axis value as YAML: plain, but for what would be none, or the
// word for values that are to be found.
func scalar(value string) string {
	if strings.EqualFold(value, "null") || value == "auto" || !prompt.IsAxisValue(value) {
		return quote(value)
	}
	return value
}

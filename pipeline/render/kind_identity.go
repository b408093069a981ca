package render

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// identityFields are the fields in the order of their sentences; front matter
// has them in lower case, labels in any.
var identityFields = []string{"Name", "Emoji", "Creature", "Vibe", "Theme"}

// identityBody prints what the agent is, as sentences on one line.
func identityBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	var parts []passage
	for _, doc := range in.Docs {
		if p := b.identity(in, doc); !p.empty() {
			parts = append(parts, p)
		}
	}
	return b.uncut(in, join(parts, "\n\n"))
}

// identity prints one file. A body beside the list is for people.
func (b *bench) identity(in *prompt.Input, doc *prompt.Doc) passage {
	var data scope
	none := true
	for _, field := range identityFields {
		t := stated(doc.Front.Field(strings.ToLower(field)))
		if l := b.label(doc, field); t.Str == "" {
			t = l
		}
		p := oneLine(b.field(in, t))
		none = none && p.empty()
		data = append(data, passEntry(field, p))
	}
	if none {
		b.saysNothing(in, doc, "has-no-identity")
		return passage{}
	}
	if emoji := data.lookup("Emoji").p; data.lookup("Name").p.empty() && !emoji.empty() {
		b.found = append(b.found, diag.New(diag.EmojiWithoutName, emoji.text.Span(0, len(emoji.text.Str)),
			"emoji-no-name-stand", emoji.text.Str).WithHint("add-name-remove-emoji"))
		return passage{}
	}
	return b.frame(b.style(in), data)
}

// label gives the value of the first label of a name that has one.
func (b *bench) label(doc *prompt.Doc, name string) prompt.Text {
	var found prompt.Text
	for _, l := range doc.Labels {
		if !strings.EqualFold(l.Name.Str, name) {
			continue
		}
		value := present(l.Value)
		if found.Str != "" && value.Str != "" {
			b.found = append(b.found, diag.New(diag.RepeatedLabel, l.Placed,
				"label-stands-again-first", l.Name.Str))
			continue
		}
		if found.Str == "" {
			found = value
		}
	}
	return found
}

// stated gives a front matter value, "" where there is none or only a
// placeholder.
func stated(n *prompt.Node) prompt.Text {
	if !n.IsScalar() || n.Kind == prompt.Null {
		return prompt.Text{}
	}
	return present(n.Text)
}

// placeholderForms are how templates for people mark what is to be filled in.
// Translations use the full-width parentheses.
var placeholderForms = []struct{ open, close string }{
	{"_(", ")_"}, {"*(", ")*"}, {"_（", "）_"}, {"*（", "）*"},
}

// present gives a value, "" where it is a placeholder.
func present(t prompt.Text) prompt.Text {
	s := strings.TrimSpace(t.Str)
	for _, f := range placeholderForms {
		if s == "" || strings.HasPrefix(s, f.open) && strings.HasSuffix(s, f.close) {
			return prompt.Text{}
		}
	}
	return t
}

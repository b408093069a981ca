package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// printed is a file, or an entry of one, as a kind and form print it.
type printed struct {
	file  *diag.File
	entry *prompt.Entry
	kind  string
	form  string
	chars int // of the limit; 0 for none
}

// copies follows things that may be in a variant more than once.
type copies struct {
	first *entry // that has it
	at    diag.Span
	users prompt.Set // that have it
	twice prompt.Set // that have it more than once
	// again is the second rendering, and where it has it.
	again   *entry
	againAt diag.Span
}

// add notes that a rendering has the thing once more.
func (p *copies) add(s *entry, at diag.Span) {
	if p.first == nil {
		p.first, p.at = s, at
		p.users, p.twice = prompt.NewSet(s.users.Size()), prompt.NewSet(s.users.Size())
	}
	if more := both(p.users, s.users); more.First() >= 0 {
		if p.again == nil {
			p.again, p.againAt = s, at
		}
		p.twice.Union(more)
	}
	p.users.Union(s.users)
}

// sourcesTwice finds files that a variant has twice in the same form. Tools of
// one name are refused earlier.
func sourcesTwice(c *census) diag.List {
	var all ordered[printed, copies]
	for _, s := range c.said {
		for _, in := range s.Unit.Inputs {
			limit := 0
			if in.Limit != nil {
				limit = in.Limit.Chars
			}
			if in.Kind == nil || in.Kind.Name == "tools" || s.Unit.Exact || s.Text.Str == "" {
				continue
			}
			for _, e := range in.Entries {
				all.of(printed{entry: e, kind: in.Kind.Name, chars: limit}).add(s, in.At)
			}
			if len(in.Entries) > 0 {
				continue
			}
			for _, doc := range in.Docs {
				all.of(printed{file: doc.File, kind: in.Kind.Name, form: in.Form, chars: limit}).add(s, in.At)
			}
		}
	}
	var out diag.List
	for _, key := range all.keys {
		p := all.values[key]
		if p.again == nil {
			continue
		}
		thing := ""
		if key.entry != nil {
			thing = key.entry.ID.Str
		} else {
			thing = key.file.Path
		}
		where := "in " + c.id(p.first) + " and in " + c.id(p.again)
		if p.first.section == p.again.section {
			where = "in " + c.id(p.first)
		}
		out = append(out, c.find(diag.SourceTwice, at(p.againAt, c.build.Prompt.Sections[p.again.section].ID.At), p.twice, "%q is in %q twice: %s", thing, c.build.Prompt.ID.Str, where).
			WithHint("remove one; a short reminder in other words says more than the same again"))
	}
	return out
}

// longParagraph is the least number of characters of a paragraph that nobody
// repeats by chance.
const longParagraph = 200

// sameParagraphs finds long paragraphs that a variant has twice. Those of a
// file that is there twice are not named again, nor what kinds say by
// themselves.
func sameParagraphs(c *census) diag.List {
	var all ordered[string, copies]
	for _, s := range c.said {
		if listsTools(s) || c.reminds(s) {
			continue
		}
		for _, p := range s.long {
			text := s.Text.Str[p[0]:p[1]]
			if place := s.Text.Span(p[0], p[1]); place.Known() {
				all.of(text).add(s, place)
			}
		}
	}
	var out diag.List
	for _, text := range all.keys {
		p := all.values[text]
		if p.again == nil || p.at == p.againAt {
			continue
		}
		line, _ := p.at.File.Position(p.at.Start)
		out = append(out, c.find(diag.SameParagraph, at(p.againAt), p.twice, "%q has %s twice: in %s and in %s",
			c.build.Prompt.ID.Str, quoted(text), c.id(p.first), c.id(p.again)).
			WithHint("the other is at %s:%d; say it once", p.at.File.Path, line))
	}
	return out
}

// reminds reports whether a section stands behind what the user asks, where
// saying something again is the point.
func (c *census) reminds(s *entry) bool {
	v := c.build.Variants[max(0, s.users.First())]
	return v.Messages != nil && v.Messages.Reminder == s.section
}

// quoted names a paragraph or fence by the first words that it says.
func quoted(text string) string {
	const most = 48
	noun := "the paragraph"
	for strings.HasPrefix(text, "<!--") {
		_, rest, _ := strings.Cut(text, "-->")
		if rest = strings.TrimSpace(rest); rest == "" {
			text = strings.TrimSpace(strings.TrimPrefix(text, "<!--")) // it says nothing else
			break
		}
		text = rest
	}
	line, rest, _ := strings.Cut(text, "\n")
	if marks, _ := fenceOf(line); marks != "" {
		noun = "the code"
		line, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
	}
	if utf8.RuneCountInString(line) > most {
		line = string([]rune(line)[:most-1]) + "…"
	}
	return noun + " " + diag.Quote(line)
}

// paragraphs gives the long ones of a text: lines between blank ones, and
// fences as a whole.
func paragraphs(s string, lines []mdLine) [][2]int {
	var out [][2]int
	start, end, code := -1, 0, false
	flush := func() {
		if start >= 0 && end-start >= longParagraph && utf8.RuneCountInString(s[start:end]) >= longParagraph {
			out = append(out, [2]int{start, end})
		}
		start = -1
	}
	for _, line := range lines {
		text := s[line.start:line.end]
		blank := strings.TrimSpace(text) == ""
		if blank && !line.code || line.code != code {
			flush()
		}
		if code = line.code; blank && !code {
			continue
		}
		if start < 0 {
			start = line.start + len(text) - len(strings.TrimLeft(text, " \t"))
		}
		end = line.start + len(strings.TrimRight(text, " \t\r"))
	}
	flush()
	return slices.Clip(out)
}

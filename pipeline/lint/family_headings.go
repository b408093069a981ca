package lint

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// heading is a Markdown heading with its level: 0 where it is none.
type heading struct{ start, end, level int }

// headed says how a text begins and ends, and which of its headings have
// nothing under them.
type headed struct {
	// first is the level of the heading that the text begins with: 0 where
	// something else stands first, -1 where nothing stands there.
	first int
	// last is the heading that it ends with; its level is 0 where something
	// follows it.
	last heading
	// empty are the others, each before the heading that ends it.
	empty [][2]heading
}

// headingsOf looks at the headings of a text. A rule and a closing tag are
// nothing that a heading could be for; a link and code say all there is to say.
func headingsOf(s string, lines []markdown.Line) headed {
	h := headed{first: -1}
	comment := -2 // the end of the last line that may be one
	for i, line := range lines {
		text := s[line.Start:line.End]
		if i > 0 && isUnderlined(s, lines, i-1) || !line.Fenced && saysNothing(text) {
			continue
		}
		level := line.Heading
		if line.Nested {
			level = 0
		}
		if level == 1 {
			if comment == line.Start-1 {
				level = 0 // one under the other, as a program's comments are
			}
			comment = line.End
		}
		if isUnderlined(s, lines, i) {
			level = line.Underlined
		}
		if h.first < 0 {
			h.first = level
		}
		if h.last.level > 0 && level > 0 && level <= h.last.level {
			h.empty = append(h.empty, [2]heading{h.last, {line.Start, line.End, level}})
		}
		h.last = heading{line.Start, line.End, level}
	}
	h.leaveForms()
	h.empty = slices.DeleteFunc(h.empty, func(e [2]heading) bool { return pointsOn(s[e[0].start:e[0].end]) })
	if pointsOn(s[h.last.start:h.last.end]) {
		h.last.level = 0
	}
	return h
}

// isUnderlined reports whether the line below makes a heading of a line. It
// stands by itself, reads like a title, and is about as long as the marks: a rule
// under a sentence is a rule.
func isUnderlined(s string, lines []markdown.Line, i int) bool {
	title := strings.TrimSpace(s[lines[i].Start:lines[i].End])
	if lines[i].Underlined == 0 || i > 0 && strings.TrimSpace(s[lines[i-1].Start:lines[i-1].End]) != "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(title)
	last, _ := utf8.DecodeLastRuneInString(title)
	longer := utf8.RuneCountInString(title) - len(strings.TrimSpace(s[lines[i+1].Start:lines[i+1].End]))
	return unicode.IsLetter(first) && -3 <= longer && longer <= 3 && !strings.ContainsRune(".:;!?,…。", last)
}

// leaveForms takes away several empty headings of one level in a row: they are
// the form of an answer, or steps that say all in their titles.
func (h *headed) leaveForms() {
	var kept [][2]heading
	for i := 0; i < len(h.empty); {
		end := i + 1
		for end < len(h.empty) && h.empty[end][0] == h.empty[end-1][1] && h.empty[end][0].level == h.empty[i][0].level {
			end++
		}
		last := h.empty[end-1][1] == h.last && h.last.level == h.empty[i][0].level
		switch {
		case last:
			h.last.level = 0
		case end == i+1:
			kept = append(kept, h.empty[i])
		}
		i = end
	}
	h.empty = kept
}

// pointsOn reports whether a heading is only a link or a code span.
func pointsOn(line string) bool {
	title := strings.Trim(line, "# \t")
	return len(title) > 1 && (title[0] == '[' && strings.HasSuffix(title, ")") && strings.Count(title, "](") == 1 ||
		title[0] == '`' && title[len(title)-1] == '`' && len(markdown.CodeSpans(title)) == 1)
}

// saysNothing reports whether a line is blank, a rule or a closing tag.
func saysNothing(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.Trim(line, "-") == "" && len(line) >= 3 || strings.HasPrefix(line, "</") && strings.IndexByte(line, '>') == len(line)-1
}

// emptyHeadings finds headings with nothing under them, inside a text and
// where one meets the next.
func emptyHeadings(c *promptView) diag.List {
	var out diag.List
	ending := prompt.NewSet(len(c.artifacts)) // the variants in which some text ends with a heading
	for _, s := range c.texts {
		for _, empty := range s.headed.empty {
			if !s.framed(empty[0], empty[1]) {
				out = append(out, c.emptyHeading(s, empty[0], s.users))
			}
		}
		if s.headed.last.level > 0 {
			ending.Union(s.users)
		}
	}
	open := sets[*prompt.Rendering]{size: len(c.artifacts)}
	for v, a := range c.artifacts {
		if !ending.Has(v) {
			continue
		}
		for _, r := range c.endsEmpty(a) {
			open.of(r).Add(v)
		}
	}
	for _, r := range open.keys {
		out = append(out, c.emptyHeading(c.of[r], c.of[r].headed.last, *open.values[r]))
	}
	return out
}

// framed reports whether the first of two headings was put around a text that
// begins with the second: a kind, or the manifest, gives a file a title of its
// own whatever the file begins with.
func (s *sectionText) framed(a, b heading) bool {
	title, body := s.Text.Span(a.start, a.end), s.Text.Span(b.start, b.end)
	return !title.Known() || title.File != body.File
}

func (c *promptView) emptyHeading(s *sectionText, h heading, users prompt.Set) diag.Diagnostic {
	title := strings.TrimSpace(s.Text.Str[h.start:h.end])
	d := c.find(diag.EmptyHeading, c.origin(s, h.start, h.end), users, "heading-nothing-under", title, c.id(s), c.build.Prompt.ID.Str)
	if s.Unit.Exact {
		d.Level = diag.Note // the program that assembles it decides
	}
	return d.WithHint("say-leave-out-where")
}

// endsEmpty gives the renderings of the system text that end with a heading to
// which nothing behind them belongs.
func (c *promptView) endsEmpty(a *prompt.Artifact) []*prompt.Rendering {
	var out []*prompt.Rendering
	var open *sectionText
	notice := a.NoticePart()
	for i, p := range systemParts(a) {
		var h headed
		s := c.of[p.Rendering]
		switch {
		case i == notice && a.Variant.Messages == nil: // nothing that a heading announces
			continue
		case s != nil:
			h = s.headed
		case open != nil && strings.TrimSpace(p.Text) != "":
			h = headingsOf(p.Text, markdown.Lines(p.Text)) // a join, or what a layout says
		default:
			continue
		}
		if h.first < 0 {
			continue
		}
		if open != nil && h.first > 0 && h.first <= open.headed.last.level {
			out = append(out, open.Rendering)
		}
		if open = nil; s != nil && h.last.level > 0 {
			open = s
		}
	}
	if open != nil {
		out = append(out, open.Rendering)
	}
	return out
}

// systemParts gives the parts of the text that is nobody's message: all of
// them where there is no conversation.
func systemParts(a *prompt.Artifact) []prompt.Part {
	switch {
	case a.Variant.Messages == nil:
		return a.Parts
	case len(a.Messages) == 0 || a.Messages[0].Role != prompt.RoleSystem || len(a.Messages[0].Blocks) == 0:
		return nil
	}
	blocks := a.Messages[0].Blocks
	return a.Parts[blocks[0].From:blocks[len(blocks)-1].To]
}

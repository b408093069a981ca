package lint

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/language"
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
	ending := ground.NewSet(len(c.artifacts)) // the variants in which some text ends with a heading
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
	open := sets[*assembly.Rendering]{size: len(c.artifacts)}
	for v, a := range c.artifacts {
		if !ending.Has(v) {
			continue
		}
		for _, r := range c.endsEmpty(a) {
			open.Of(r).Add(v)
		}
	}
	for r, users := range open.All() {
		out = append(out, c.emptyHeading(c.of[r], c.of[r].headed.last, *users))
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

func (c *promptView) emptyHeading(s *sectionText, h heading, users ground.Set) diag.Diagnostic {
	title := strings.TrimSpace(s.Text.Str[h.start:h.end])
	d := c.find(diag.EmptyHeading, c.origin(s, h.start, h.end), users, "heading-nothing-under", title, c.id(s), c.build.Prompt.ID.Str)
	if s.Unit.Exact {
		d.Level = diag.Note // the program that assembles it decides
	}
	return d.WithHint("say-leave-out-where")
}

// endsEmpty gives the renderings of the system text that end with a heading to
// which nothing behind them belongs.
func (c *promptView) endsEmpty(a *assembly.Artifact) []*assembly.Rendering {
	var out []*assembly.Rendering
	var open *sectionText
	notice := a.NoticePart()
	for i, p := range systemParts(a) {
		var h headed
		s := c.of[p.Rendering]
		switch {
		case i == notice && !a.Variant.Talks(): // nothing that a heading announces
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
func systemParts(a *assembly.Artifact) []assembly.Part {
	switch {
	case !a.Variant.Talks():
		return a.Parts
	case len(a.Messages) == 0 || a.Messages[0].Role != language.RoleSystem || len(a.Messages[0].Blocks) == 0:
		return nil
	}
	blocks := a.Messages[0].Blocks
	return a.Parts[blocks[0].From:blocks[len(blocks)-1].To]
}

// printed is a file, or an entry of one, as a kind and form print it. Of a file
// that is there in full it does not matter which do.
type printed struct {
	file  *diag.File
	entry *language.Entry
	kind  string
	form  string
	chars int // of the limit; 0 for none
}

// name gives what the user calls it, and the file that it is in.
func (p printed) name() (string, *diag.File) {
	if p.entry != nil {
		return p.entry.ID.Str, p.entry.ID.At.File
	}
	return p.file.Path, p.file
}

// copies follows things that may be in a variant more than once.
type copies struct {
	at    diag.Span
	users ground.Set // that have it
	twice ground.Set // that have it twice or more often
	// again is the second rendering, and where it has it; more are the others.
	again   *sectionText
	againAt diag.Span
	more    int
	// sections are the ids of those that have it.
	sections []string
}

// add notes that a rendering has the thing once more.
func (c *promptView) add(p *copies, s *sectionText, at diag.Span) {
	first := len(p.sections) == 0
	if first {
		p.at, p.users, p.twice = at, ground.NewSet(s.users.Size()), ground.NewSet(s.users.Size())
	}
	more := both(p.users, s.users)
	p.users.Union(s.users)
	if id := c.build.Prompt.Sections[s.section].ID.Str; (first || more.First() >= 0) && !slices.Contains(p.sections, id) {
		p.sections = append(p.sections, id)
	}
	if more.First() < 0 {
		return
	}
	if p.twice.Union(more); p.again == nil {
		p.again, p.againAt = s, at
	} else {
		p.more++
	}
}

// sourcesTwice finds files that a variant has twice in the same form. Tools of
// one name are refused earlier.
func sourcesTwice(c *promptView) diag.List {
	var all ordered.Map[printed, copies]
	for _, s := range c.texts {
		if s.Unit.Exact || s.Text.Str == "" {
			continue
		}
		full := s.inFull()
		for _, in := range s.Unit.Inputs {
			limit := 0
			if in.Limit != nil {
				limit = in.Limit.Chars
			}
			if in.Kind == nil || in.Kind.Tools || in.Source != nil && in.Source.Pointer.Str != "" { // a part of a file
				continue
			}
			for _, e := range in.Entries {
				c.add(all.Of(printed{entry: e, kind: in.Kind.Name, chars: limit}), s, in.At)
			}
			if len(in.Entries) > 0 {
				continue
			}
			for _, doc := range in.Docs {
				key := printed{file: doc.File, kind: in.Kind.Name, form: in.Form, chars: limit}
				if full[doc] {
					key = printed{file: doc.File}
				}
				c.add(all.Of(key), s, in.At)
			}
		}
	}
	var out diag.List
	for key, p := range all.All() {
		if p.again == nil {
			continue
		}
		name, file := key.name()
		c.doubled.Of(file).Union(p.twice)
		place := at(p.againAt, c.build.Prompt.Sections[p.again.section].ID.At)
		out = append(out, morePlaces(c.find(diag.SourceTwice, place, p.twice, "is-in-more-than-once", name, c.build.Prompt.ID.Str, diag.Some(p.sections, shown)), p.more).
			WithHint("remove-short-reminder-other"))
	}
	return out
}

// inFull gives the files whose bodies a rendering has, but for a tenth at most:
// what is filled in comes from elsewhere.
func (s *sectionText) inFull() map[*language.Doc]bool {
	printed := map[*diag.File]int{}
	for _, seg := range s.Text.Segs {
		if seg.Exact() {
			printed[seg.At.File] += seg.End - seg.Start
		}
	}
	uses := map[*language.Doc]int{}
	for _, in := range s.Unit.Inputs {
		for _, doc := range in.Docs {
			uses[doc]++
		}
	}
	out := map[*language.Doc]bool{}
	for doc, n := range uses {
		body := len(doc.Body.Str) * n
		out[doc] = body > 0 && printed[doc.File]*10 >= body*9
	}
	return out
}

// longParagraph is the least number of characters of a paragraph that nobody
// repeats by chance.
const longParagraph = 200

// sameParagraphs finds long paragraphs that a variant has twice. Those of a
// file that is there twice are not named again, nor what kinds say by
// themselves.
func sameParagraphs(c *promptView) diag.List {
	var all ordered.Map[string, copies]
	for _, s := range c.texts {
		if listsTools(s) || c.reminds(s) {
			continue
		}
		for _, p := range s.long {
			text := s.Text.Str[p[0]:p[1]]
			place := s.Text.Span(p[0], p[1])
			if !place.Known() {
				continue
			}
			same := all.Of(text)
			if same.at == place && both(same.users, s.users).SubsetOf(c.doubled.has(place.File)) {
				same.users.Union(s.users)
				continue
			}
			c.add(same, s, place)
		}
	}
	var out diag.List
	for text, p := range all.All() {
		if p.again == nil {
			continue
		}
		d := c.find(diag.SameParagraph, at(p.againAt), p.twice, "has-paragraph-twice", c.build.Prompt.ID.Str, firstLine(text), diag.Some(p.sections, shown))
		d = morePlaces(d, p.more).WithHint("first-say-once", p.at.File.Path, p.at.File.LineAt(p.at.Start))
		d.Also = []string{p.at.File.Path}
		out = append(out, d)
	}
	return out
}

// reminds reports whether a section stands behind what the user asks, where
// saying something again is the point.
func (c *promptView) reminds(s *sectionText) bool {
	v := c.build.Variants[max(0, s.users.First())]
	return v.Messages != nil && v.Messages.Reminder == s.section
}

// firstLine gives the first line that a paragraph or fence says.
func firstLine(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		line, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
	}
	return diag.Start(line, 47)
}

// tableHead is the head of a table and the line below it: tables of one form
// share theirs, and only their rows can be said twice.
var tableHead = regexp.MustCompile(`^\|?[^\n|]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*(?:\n|$)`)

// paragraphs gives the long ones of a text: lines between blank ones, a table
// without its head, and fences as a whole.
func paragraphs(s string, lines []markdown.Line) [][2]int {
	var out [][2]int
	start, end, code := -1, 0, false
	flush := func() {
		if start >= 0 && !code {
			start += len(tableHead.FindString(s[start:end]))
		}
		if start >= 0 && end-start >= longParagraph && utf8.RuneCountInString(s[start:end]) >= longParagraph {
			out = append(out, [2]int{start, end})
		}
		start = -1
	}
	for _, line := range lines {
		text := s[line.Start:line.End]
		blank := strings.TrimSpace(text) == ""
		if blank && !line.Fenced || line.Fenced != code {
			flush()
		}
		if code = line.Fenced; blank && !code {
			continue
		}
		if start < 0 {
			start = line.Start + len(text) - len(strings.TrimLeft(text, " \t"))
		}
		end = line.Start + len(strings.TrimRight(text, " \t\r"))
	}
	flush()
	return slices.Clip(out)
}

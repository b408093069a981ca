package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// printed is a file, or an entry of one, as a kind and form print it. Of a file
// that is there in full it does not matter which do.
type printed struct {
	file  *diag.File
	entry *prompt.Entry
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
	users prompt.Set // that have it
	twice prompt.Set // that have it twice or more often
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
		p.at, p.users, p.twice = at, prompt.NewSet(s.users.Size()), prompt.NewSet(s.users.Size())
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
	var all ordered[printed, copies]
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
			if in.Kind == nil || in.Kind.Tools {
				continue
			}
			for _, e := range in.Entries {
				c.add(all.of(printed{entry: e, kind: in.Kind.Name, chars: limit}), s, in.At)
			}
			if len(in.Entries) > 0 {
				continue
			}
			for _, doc := range in.Docs {
				key := printed{file: doc.File, kind: in.Kind.Name, form: in.Form, chars: limit}
				if full[doc] {
					key = printed{file: doc.File}
				}
				c.add(all.of(key), s, in.At)
			}
		}
	}
	var out diag.List
	for _, key := range all.keys {
		p := all.values[key]
		if p.again == nil {
			continue
		}
		name, file := key.name()
		c.doubled.of(file).Union(p.twice)
		place := at(p.againAt, c.build.Prompt.Sections[p.again.section].ID.At)
		out = append(out, morePlaces(c.find(diag.SourceTwice, place, p.twice, "is-in-more-than-once", name, c.build.Prompt.ID.Str, nameSome(p.sections)), p.more).
			WithHint("remove-short-reminder-other"))
	}
	return out
}

// inFull gives the files whose bodies a rendering has, but for a tenth at most:
// what is filled in comes from elsewhere.
func (s *sectionText) inFull() map[*prompt.Doc]bool {
	printed := map[*diag.File]int{}
	for _, seg := range s.Text.Segs {
		if seg.Exact() {
			printed[seg.At.File] += seg.End - seg.Start
		}
	}
	uses := map[*prompt.Doc]int{}
	for _, in := range s.Unit.Inputs {
		for _, doc := range in.Docs {
			uses[doc]++
		}
	}
	out := map[*prompt.Doc]bool{}
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
	var all ordered[string, copies]
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
			same := all.of(text)
			if same.at == place && both(same.users, s.users).SubsetOf(c.doubled.has(place.File)) {
				same.users.Union(s.users)
				continue
			}
			c.add(same, s, place)
		}
	}
	var out diag.List
	for _, text := range all.keys {
		p := all.values[text]
		if p.again == nil {
			continue
		}
		noun, line := excerpt(text)
		d := morePlaces(c.find(diag.SameParagraph, at(p.againAt), p.twice, noun, c.build.Prompt.ID.Str, line, nameSome(p.sections)), p.more)
		hint := "first-say-once"
		if p.at == p.againAt {
			hint = "both-let-sections-say"
		}
		d = d.WithHint(hint, p.at.File.Path, p.at.File.LineAt(p.at.Start))
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

// excerpt gives the key of what a paragraph or fence is, and the first line that
// it says.
func excerpt(text string) (noun, line string) {
	noun = "has-paragraph-twice"
	for strings.HasPrefix(text, "<!--") {
		_, rest, _ := strings.Cut(text, "-->")
		if rest = strings.TrimSpace(rest); rest == "" {
			text = strings.TrimSpace(strings.TrimPrefix(text, "<!--")) // it says nothing else
			break
		}
		text = rest
	}
	line, rest, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		noun = "has-code-twice"
		line, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
	}
	if r := []rune(line); len(r) > 48 {
		line = string(r[:47]) + "…"
	}
	return noun, line
}

// paragraphs gives the long ones of a text: lines between blank ones, and
// fences as a whole.
func paragraphs(s string, lines []markdown.Line) [][2]int {
	var out [][2]int
	start, end, code := -1, 0, false
	flush := func() {
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

package report

import (
	"html"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/promptc-build/promptc/pipeline/internal/secret"
)

// Markdown that goes to a pull request is written with the author of the change
// as an adversary: nothing of a prompt's text or of a file's name may become a
// link, an image, a mention or HTML. Two things are safe, and nothing of other
// people's stands outside them: a code span (codeSpan, tableSpan; spanHTML in
// what is HTML already) and a fenced block (fence).

const (
	// maxMarkdown is how many characters a report holds: a comment on GitHub
	// takes 65,536, and whoever posts it may want to add a line.
	maxMarkdown = 60_000
	// kept is the part of these that is kept free for what stands at the end
	// and must not be left out.
	reserved = 3_000
	// maxTicks is the longest run of backticks that is shown as it is. What
	// GitHub renders with knows no code span of more than 80, and no fence of
	// more than 255.
	maxTicks = 40
	// maxProducts is how many products of a set of variants are named before
	// the rest is counted.
	maxProducts = 5
)

// codeSpan gives a text of one line as a code span, in which nothing is active
// and out of which nothing leads: line breaks and controls are shown by name.
func codeSpan(s string) string { return ticked(inert(s)) }

// ticked puts backticks around what is inert: more than it has in a row.
func ticked(s string) string {
	ticks := strings.Repeat("`", ticksIn(s)+1)
	if first, last := s[0], s[len(s)-1]; first == '`' || last == '`' || first == ' ' && last == ' ' && strings.Trim(s, " ") != "" {
		s = " " + s + " " // the renderer takes one blank off either side again
	}
	return ticks + s + ticks
}

// tableSpan is codeSpan for a cell of a table, which ends at a bar wherever
// that stands.
func tableSpan(s string) string {
	// Of a backslash and a bar, some renderers take the first for an escaped
	// backslash, and the cell ends.
	s = strings.ReplaceAll(inert(s), `\|`, `\<U+007C>`)
	return strings.ReplaceAll(ticked(s), "|", `\|`)
}

// spanHTML gives a text of one line as code within HTML.
func spanHTML(s string) string { return "<code>" + html.EscapeString(inert(s)) + "</code>" }

// inert makes a text one line without controls or tabs, of a length that can be
// read and with no longer run of backticks than renderers know; never empty.
func inert(s string) string {
	if s == "" {
		return "(empty)"
	}
	s = strings.ReplaceAll(clean(shorten(s, 0)), "\t", "<U+0009>")
	if len(s) > 2*maxLine { // all the names of controls
		s = shorten(s, 0)
	}
	return tamed(s)
}

// tamed gives a text with its longest runs of backticks by name.
func tamed(s string) string {
	if ticksIn(s) <= maxTicks {
		return s
	}
	var b strings.Builder
	for s != "" {
		rest := strings.TrimLeft(s, "`")
		if n := len(s) - len(rest); n > maxTicks {
			b.WriteString("<U+0060 × " + number(n) + ">")
		} else {
			b.WriteString(s[:n])
		}
		next := strings.IndexByte(rest, '`')
		if next < 0 {
			next = len(rest)
		}
		b.WriteString(rest[:next])
		s = rest[next:]
	}
	return b.String()
}

// ticksIn gives the length of the longest run of backticks.
func ticksIn(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// fence gives lines as a fenced block that none of them can close.
func fence(lang, body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		b.WriteString(tamed(clean(strings.TrimSuffix(line, "\n"))) + "\n")
	}
	ticks := strings.Repeat("`", max(3, ticksIn(b.String())+1))
	return ticks + lang + "\n" + b.String() + ticks + "\n"
}

// row gives a row of a table. Its cells are Markdown: what is not our own word
// is a tableSpan.
func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// detailsBlock gives a block that opens at a click. The summary is one line of
// HTML, the body is Markdown.
func detailsBlock(summary, body string) string {
	return "<details>\n<summary>" + summary + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}

// sheet collects the blocks of a Markdown report as long as they fit.
type sheet struct {
	strings.Builder
	room int // characters left
}

// newSheet gives a sheet that keeps room for a text which the caller will put at
// its end.
func newSheet(end string) *sheet {
	return &sheet{room: maxMarkdown - reserved - characters(end)}
}

// block adds what is always there: a title, a verdict, what to do. It has to be
// short.
func (s *sheet) block(text string) {
	s.WriteString(text)
	s.room -= characters(text)
}

// fill adds blocks one after another, from the first on, while they fit in what
// is left and in a share of the whole; behind the last one tail. It gives the
// number of those that it left out, and says nothing about them: that is for
// the caller, who knows what they are. Of a block that does not fit, brief
// stands for what is to be tried in its place; nil for nothing.
func (s *sheet) fill(share int, blocks []string, brief func(i int) string) (left int) {
	room := min(s.room, share)
	for i, text := range blocks {
		n := characters(text)
		if n > room && brief != nil {
			text = brief(i)
			n = characters(text)
		}
		if n > room {
			return len(blocks) - i
		}
		s.block(text)
		room -= n
	}
	return 0
}

// characters counts as the strictest of those who limit does: in UTF-16.
func characters(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// print sends the report off with what it kept room for.
func (s *sheet) print(w io.Writer, end string, keys *secret.Known) error {
	_, err := io.WriteString(w, keys.Mask(harmless(strings.TrimRight(s.String()+end, "\n")+"\n")))
	return err
}

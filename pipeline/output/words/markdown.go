package words

import (
	"html"
	"io"
	"strings"
	"unicode/utf16"

	md "github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// Markdown that goes to a pull request is written with the author of the change
// as an adversary: nothing of a prompt's text or of a file's name may become a
// link, an image, a mention or HTML. Two things are safe, and nothing of other
// people's stands outside them: a code span (CodeSpan, TableSpan; SpanHTML in
// what is HTML already) and a fenced block (Fence).

const (
	// MaxMarkdown is how many characters a report holds: a comment on GitHub
	// takes 65,536, and whoever posts it may want to add a line.
	MaxMarkdown = 60_000
	// kept is the part of these that is kept free for what stands at the end
	// and must not be left out.
	reserved = 3_000
	// maxTicks is the longest run of backticks that is shown as it is. What
	// GitHub renders with knows no code span of more than 80, and no fence of
	// more than 255.
	maxTicks = 40
	// MaxProducts is how many products of a set of variants are named before
	// the rest is counted.
	MaxProducts = 5
)

// CodeSpan gives a text of one line as a code span, in which nothing is active
// and out of which nothing leads: line breaks and controls are shown by name.
func CodeSpan(s string) string { return ticked(inert(s)) }

// ticked puts backticks around what is inert: more than it has in a row.
func ticked(s string) string {
	ticks := strings.Repeat("`", md.Ticks(s)+1)
	if first, last := s[0], s[len(s)-1]; first == '`' || last == '`' || first == ' ' && last == ' ' && strings.Trim(s, " ") != "" {
		s = " " + s + " " // the renderer takes one blank off either side again
	}
	return ticks + s + ticks
}

// TableSpan is CodeSpan for a cell of a table, which ends at a bar wherever
// that stands.
func TableSpan(s string) string {
	// Of a backslash and a bar, some renderers take the first for an escaped
	// backslash, and the cell ends.
	s = strings.ReplaceAll(inert(s), `\|`, `\<U+007C>`)
	return strings.ReplaceAll(ticked(s), "|", `\|`)
}

// SpanHTML gives a text of one line as code within HTML.
func SpanHTML(s string) string { return "<code>" + html.EscapeString(inert(s)) + "</code>" }

// inert makes a text one line without controls or tabs, of a length that can be
// read and with no longer run of backticks than renderers know; never empty.
func inert(s string) string {
	if s == "" {
		return "(empty)"
	}
	s = strings.ReplaceAll(Clean(Shorten(s)), "\t", "<U+0009>")
	if len(s) > 2*MaxLine { // all the names of controls
		s = Shorten(s)
	}
	return tamed(s)
}

// tamed gives a text with its longest runs of backticks by name.
func tamed(s string) string {
	if md.Ticks(s) <= maxTicks {
		return s
	}
	var b strings.Builder
	for s != "" {
		rest := strings.TrimLeft(s, "`")
		if n := len(s) - len(rest); n > maxTicks {
			b.WriteString("<U+0060 × " + Number(n) + ">")
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

// Fence gives lines as a fenced block that none of them can close.
func Fence(lang, body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		b.WriteString(tamed(Clean(strings.TrimSuffix(line, "\n"))) + "\n")
	}
	ticks := md.Fence(b.String())
	return ticks + lang + "\n" + b.String() + ticks + "\n"
}

// Row gives a row of a table. Its cells are Markdown: what is not our own word
// is a TableSpan.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// DetailsBlock gives a block that opens at a click. The summary is one line of
// HTML, the body is Markdown.
func DetailsBlock(summary, body string) string {
	return "<details>\n<summary>" + summary + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}

// Sheet collects the blocks of a Markdown report as long as they fit.
type Sheet struct {
	strings.Builder
	room int // characters left
}

// NewSheet gives a sheet that keeps room for a text which the caller will put at
// its end.
func NewSheet(end string) *Sheet {
	return &Sheet{room: MaxMarkdown - reserved - Characters(end)}
}

// Block adds what is always there: a title, a verdict, what to do. It has to be
// short.
func (s *Sheet) Block(text string) {
	s.WriteString(text)
	s.room -= Characters(text)
}

// Fill adds blocks one after another, from the first on, while they fit in what
// is left and in a share of the whole. It gives the number of those that it left
// out, and says nothing about them: that is for the caller, who knows what they are.
func (s *Sheet) Fill(share int, blocks []string) (left int) {
	room := min(s.room, share)
	for i, text := range blocks {
		n := Characters(text)
		if n > room {
			return len(blocks) - i
		}
		s.Block(text)
		room -= n
	}
	return 0
}

// Characters counts as the strictest of those who limit does: in UTF-16.
func Characters(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Print sends the report off with what it kept room for.
func (s *Sheet) Print(w io.Writer, end string, keys *secret.Known) error {
	_, err := io.WriteString(w, keys.Mask(Harmless(strings.TrimRight(s.String()+end, "\n")+"\n")))
	return err
}

// How the room of a report is shared out, in characters: what comes later gets
// what is left.
const (
	TableShare = 15_000
	// MaxBody is the room of one difference. It is an eighth of the whole, so
	// that one long text does not take the place of all others.
	MaxBody = MaxMarkdown / 8
)

// Table adds a table, and counts the rows that do not fit.
func (s *Sheet) Table(head string, rows []string, noun string) {
	if len(rows) == 0 {
		return
	}
	s.Block(head)
	left := s.Fill(TableShare, rows)
	s.Block("\n")
	s.More(left, noun)
}

// More says how many things of a kind were left out just here.
func (s *Sheet) More(left int, noun string) {
	if left > 0 {
		s.Block("and " + Count(left, "more "+noun) + "\n\n")
	}
}

// Optional gives "" for "".
func Optional(s string, span func(string) string) string {
	if s == "" {
		return ""
	}
	return span(s)
}

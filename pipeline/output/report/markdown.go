package report

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	md "github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Markdown that goes to a pull request is written with the author of the change
// as an adversary: nothing of a prompt's text or of a file's name may become a
// link, an image, a mention or HTML. Two things are safe, and nothing of other
// people's stands outside them: a code span (codeSpan, tableSpan; spanHTML in
// what is HTML already) and a fenced block (fence).

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

// TableSpan is codeSpan for a cell of a table, which ends at a bar wherever
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
// is a tableSpan.
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
	TableShare    = 15_000
	FindingsShare = 20_000
	// MaxBody is the room of one difference. It is an eighth of the whole, so
	// that one long text does not take the place of all others.
	MaxBody = MaxMarkdown / 8
	// MaxDetail is how many further facts of a finding are listed.
	MaxDetail = 10
)

// Markdown writes a run of build or check for the summary of a job or a
// comment on a pull request: verdict, what moved, findings, every difference in
// a block of its own, what to do. It holds at most 60,000 characters and counts
// what it leaves out. Its first line is a comment with the command's name, by
// which an earlier report is found and replaced.
func Markdown(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	opt.Color = false
	opt = opt.Masking(r)
	m := &markdown{facts: FactsOf(r, did, opt)}
	end := m.closing()
	m.Sheet = NewSheet(end)
	m.Block("<!-- promptc:" + did.Command + " -->\n")
	m.verdict()
	if did.Command == "build" && !r.Stopped {
		m.built()
	}
	if r.Delta != nil && !did.Snapshots {
		m.drift()
	}
	ListFindings(m.Sheet, m.findings, m.opt)
	m.differences()
	return m.Print(w, end, opt.Keys())
}

// markdown is one report of build or check.
type markdown struct {
	*Sheet
	*facts
}

// verdict says in one line how the run ended.
func (m *markdown) verdict() {
	var facts []string
	d := m.r.Delta
	if d != nil && !m.did.Snapshots {
		facts = append(facts, m.lead+m.amounts)
		if n := len(m.following); n > 0 {
			facts[0] += ", " + Count(n, "generated file") + " with them"
		}
	}
	for _, e := range m.stale {
		facts = append(facts, CodeSpan(m.opt.Path(e.Folder))+emittedWords(m.opt, e, CodeSpan))
	}
	p := NewPrinter(m.opt)
	printSummary(p, m.r, m.did)
	if p.Len() > 0 {
		facts = append(facts, strings.TrimSpace(p.String()))
	}
	if len(facts) == 0 {
		facts = append(facts, extent(m.r))
	}
	m.Block(fmt.Sprintf("**promptc %s: %s** · %s\n\n", m.did.Command, m.facts.Verdict, strings.Join(facts, " · ")))
}

// built is the table of what a build made.
func (m *markdown) built() {
	var rows []string
	for _, b := range builds(m.r) {
		snapshots := b.news()
		if b.elsewhere {
			snapshots = "rendered elsewhere"
		}
		rows = append(rows, Row(TableSpan(b.id), Number(b.variants), Number(b.renderings), snapshots))
	}
	m.Table(Row("prompt", "variants", "renderings", "snapshots")+"|---|---:|---:|---|\n", rows, "prompt")
	d := m.r.Delta
	if d == nil {
		return
	}
	var wrote []*store.Emitted
	if m.did.Snapshots {
		wrote = append(wrote, &store.Emitted{Folder: d.SnapshotFolder, Changes: d.Snapshots})
	}
	if m.did.Artifacts {
		wrote = append(wrote, d.Emitted()...)
	}
	for _, e := range wrote {
		m.Block(cmp.Or(wroteWords(m.opt, e.Folder, e.Changes, CodeSpan), "nothing to write below "+CodeSpan(m.opt.Path(e.Folder))) + "\n\n")
	}
}

// Table adds a table, and counts the rows that do not fit.
func (m *Sheet) Table(head string, rows []string, noun string) {
	if len(rows) == 0 {
		return
	}
	m.Block(head)
	left := m.Fill(TableShare, rows)
	m.Block("\n")
	m.More(left, noun)
}

// More says how many things of a kind were left out just here.
func (m *Sheet) More(left int, noun string) {
	if left > 0 {
		m.Block("and " + Count(left, "more "+noun) + "\n\n")
	}
}

// drift is the table of what differs from the tree.
func (m *markdown) drift() {
	var rows []string
	for _, c := range m.shown {
		id, what := Optional(c.prompt, TableSpan), TableSpan(c.subject)+" "+c.verb()
		rows = append(rows, Row(id, what, TableSpan(c.where), c.amount, affected(c, TableSpan)))
	}
	m.Table(Row("prompt", "what", "source", "tokens", "variants")+"|---|---|---|---:|---|\n", rows, "change")
}

// Optional gives "" for "".
func Optional(s string, span func(string) string) string {
	if s == "" {
		return ""
	}
	return span(s)
}

// affected says which variants have a text: those of the prompt that stores
// it, then those of others.
func affected(c fileChange, span func(string) string) string {
	var out []string
	for _, u := range c.users() {
		text := ""
		if u.other {
			text = span(u.Prompt) + " "
		}
		text += Number(u.In) + " of " + Number(u.Of)
		if u.In < u.Of {
			text += ": " + span(firstProducts(u.products))
		}
		out = append(out, text)
	}
	if n := len(out) - MaxProducts; n > 0 {
		out = append(out[:MaxProducts], "and "+Count(n, "more prompt"))
	}
	return strings.Join(out, "; ")
}

// firstProducts joins the products of a set, of many the first.
func firstProducts(all []string) string {
	if len(all) <= MaxProducts {
		return strings.Join(all, " | ")
	}
	return strings.Join(all[:MaxProducts], " | ") + " and " + Number(len(all)-MaxProducts) + " more"
}

// ListFindings writes findings by level, the most serious first.
func ListFindings(m *Sheet, findings diag.List, opt Options) {
	all := ProblemsOf(opt, Folded(findings, opt))
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		var items []string
		for _, x := range all {
			if x.Level == level {
				items = append(items, x.markdown())
			}
		}
		if len(items) == 0 {
			continue
		}
		m.Block("### " + Count(findings.Count(level), level.String()) + "\n\n")
		left := m.Fill(FindingsShare, items)
		m.Block("\n")
		m.More(left, level.String())
	}
}

// markdown gives a problem as an item of a list, with some of its further facts.
func (x Problem) markdown() string {
	at := ""
	if x.Position != "" {
		at = " at " + CodeSpan(x.Position)
	}
	lines := []string{"- " + CodeSpan(x.Rule) + at + ": " + CodeSpan(x.Message)}
	shown := min(MaxDetail, len(x.Detail))
	for _, line := range x.Detail[:shown] {
		lines = append(lines, "  - "+CodeSpan(line))
	}
	if left := len(x.Detail) - shown; left > 0 {
		lines = append(lines, "  - and "+Count(left, "more line"))
	}
	if x.hint != "" {
		lines = append(lines, "  - hint: "+CodeSpan(x.hint))
	}
	return strings.Join(lines, "\n") + "\n"
}

// differences are the texts that changed, each in a block that opens at a click.
// Of what is missing or no longer built the table says all.
func (m *markdown) differences() {
	var blocks []string
	for _, c := range m.shown {
		if c.Status == store.Changed {
			blocks = append(blocks, changeBlock(c)+"\n")
		}
	}
	if left := m.Fill(MaxMarkdown, blocks); left > 0 {
		m.Block("The differences of " + Count(left, "more change") + " are left out: this report ends at " +
			Number(MaxMarkdown) + " characters. `promptc check` shows them.\n\n")
	}
}

func changeBlock(c fileChange) string {
	summary := strings.TrimSpace(Optional(c.prompt, SpanHTML) + " " + SpanHTML(c.subject) + " " + c.verb())
	body := "At " + CodeSpan(c.where)
	if who := affected(c, CodeSpan); who != "" {
		body += ", in " + who
	}
	return DetailsBlock(summary, body+".\n\n"+Fence("diff", changedLines(&c)))
}

// changedLines gives a difference as check prints it, as many lines of it as
// one change may take.
func changedLines(c *fileChange) string {
	p := DiffPage{Printer: NewPrinter(Options{}), Unmarked: true}
	printChanged(&p, c)
	var b strings.Builder
	room, left := MaxBody, 0
	for line := range strings.Lines(p.String()) {
		line = strings.TrimPrefix(line, "  ")
		if n := Characters(line); left > 0 || n > room {
			left++
		} else {
			b.WriteString(line)
			room -= n
		}
	}
	if left > 0 {
		b.WriteString("… " + Count(left, "more line") + " of this difference\n")
	}
	return b.String()
}

// closing says what to do, and which variant is closest to its budget.
func (m *markdown) closing() string {
	end := ""
	if m.drifted() || len(m.stale) > 0 {
		first, command := m.opt.UpToDate()
		end = first + CodeSpan(command) + "\n\n"
	}
	for _, r := range slices.Backward(m.reasons) {
		why := r.why
		if r.hint != "" {
			why += "; " + r.hint
		}
		end = why + "\n\n" + end
	}
	var most Limit
	for _, a := range m.r.Artifacts {
		most = Nearer(most, a)
	}
	return end + most.Closing(m.r)
}

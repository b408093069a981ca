package run

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Markdown writes a run of build or check for the summary of a job or a
// comment on a pull request: verdict, what moved, findings, every difference in
// a block of its own, what to do. It holds at most 60,000 characters and counts
// what it leaves out. Its first line is a comment with the command's name, by
// which an earlier report is found and replaced.
func Markdown(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	opt.Color = false
	opt = opt.Masking(r)
	m := &markdown{Facts: FactsOf(r, did, opt)}
	end := m.closing()
	m.Sheet = words.NewSheet(end)
	m.Block("<!-- promptc:" + did.Command + " -->\n")
	m.verdict()
	if did.Command == "build" && !r.Stopped {
		m.built()
	}
	if r.Delta != nil && !did.Snapshots {
		m.drift()
	}
	finding.Markdown(m.Sheet, m.findings, m.opt)
	m.differences()
	return m.Print(w, end, opt.Keys())
}

// markdown is one report of build or check.
type markdown struct {
	*words.Sheet
	*Facts
}

// verdict says in one line how the run ended.
func (m *markdown) verdict() {
	var facts []string
	d := m.r.Delta
	if d != nil && !m.did.Snapshots {
		facts = append(facts, m.lead+m.amounts)
		if n := len(m.following); n > 0 {
			facts[0] += ", " + words.Count(n, "generated file") + " with them"
		}
	}
	for _, e := range m.stale {
		facts = append(facts, words.CodeSpan(m.opt.Path(e.Folder))+emittedWords(m.opt, e, words.CodeSpan))
	}
	p := words.NewPrinter(m.opt)
	printSummary(p, m.r, m.did)
	if p.Len() > 0 {
		facts = append(facts, strings.TrimSpace(p.String()))
	}
	if len(facts) == 0 {
		facts = append(facts, extent(m.r))
	}
	m.Block(fmt.Sprintf("**promptc %s: %s** · %s\n\n", m.did.Command, m.Facts.Verdict, strings.Join(facts, " · ")))
}

// built is the table of what a build made.
func (m *markdown) built() {
	var rows []string
	for _, b := range builds(m.r) {
		snapshots := b.news()
		if b.elsewhere {
			snapshots = "rendered elsewhere"
		}
		rows = append(rows, words.Row(words.TableSpan(b.id), words.Number(b.variants), words.Number(b.renderings), snapshots))
	}
	m.Table(words.Row("prompt", "variants", "renderings", "snapshots")+"|---|---:|---:|---|\n", rows, "prompt")
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
		m.Block(cmp.Or(wroteWords(m.opt, e.Folder, e.Changes, words.CodeSpan), "nothing to write below "+words.CodeSpan(m.opt.Path(e.Folder))) + "\n\n")
	}
}

// drift is the table of what differs from the tree.
func (m *markdown) drift() {
	var rows []string
	for _, c := range m.shown {
		id, what := words.Optional(c.prompt, words.TableSpan), words.TableSpan(c.subject)+" "+c.verb()
		rows = append(rows, words.Row(id, what, words.TableSpan(c.where), c.amount, affected(c, words.TableSpan)))
	}
	m.Table(words.Row("prompt", "what", "source", "tokens", "variants")+"|---|---|---|---:|---|\n", rows, "change")
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
		text += words.Number(u.In) + " of " + words.Number(u.Of)
		if u.In < u.Of {
			text += ": " + span(firstProducts(u.products))
		}
		out = append(out, text)
	}
	if n := len(out) - words.MaxProducts; n > 0 {
		out = append(out[:words.MaxProducts], "and "+words.Count(n, "more prompt"))
	}
	return strings.Join(out, "; ")
}

// firstProducts joins the products of a set, of many the first.
func firstProducts(all []string) string {
	if len(all) <= words.MaxProducts {
		return strings.Join(all, " | ")
	}
	return strings.Join(all[:words.MaxProducts], " | ") + " and " + words.Number(len(all)-words.MaxProducts) + " more"
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
	if left := m.Fill(words.MaxMarkdown, blocks); left > 0 {
		m.Block("The differences of " + words.Count(left, "more change") + " are left out: this report ends at " +
			words.Number(words.MaxMarkdown) + " characters. `promptc check` shows them.\n\n")
	}
}

func changeBlock(c fileChange) string {
	summary := strings.TrimSpace(words.Optional(c.prompt, words.SpanHTML) + " " + words.SpanHTML(c.subject) + " " + c.verb())
	body := "At " + words.CodeSpan(c.where)
	if who := affected(c, words.CodeSpan); who != "" {
		body += ", in " + who
	}
	return words.DetailsBlock(summary, body+".\n\n"+words.Fence("diff", changedLines(&c)))
}

// changedLines gives a difference as check prints it, as many lines of it as
// one change may take.
func changedLines(c *fileChange) string {
	p := change.Page{Printer: words.NewPrinter(words.Options{}), Unmarked: true}
	printChanged(&p, c)
	var b strings.Builder
	room, left := words.MaxBody, 0
	for line := range strings.Lines(p.String()) {
		line = strings.TrimPrefix(line, "  ")
		if n := words.Characters(line); left > 0 || n > room {
			left++
		} else {
			b.WriteString(line)
			room -= n
		}
	}
	if left > 0 {
		b.WriteString("… " + words.Count(left, "more line") + " of this difference\n")
	}
	return b.String()
}

// closing says what to do, and which variant is closest to its budget.
func (m *markdown) closing() string {
	end := ""
	if m.drifted() || len(m.stale) > 0 {
		first, command := m.opt.UpToDate()
		end = first + words.CodeSpan(command) + "\n\n"
	}
	for _, r := range slices.Backward(m.reasons) {
		why := r.why
		if r.hint != "" {
			why += "; " + r.hint
		}
		end = why + "\n\n" + end
	}
	var most change.Limit
	for _, a := range m.r.Artifacts {
		most = change.Nearer(most, a)
	}
	return end + most.Closing(m.r)
}

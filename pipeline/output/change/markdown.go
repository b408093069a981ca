package change

import (
	"io"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// idleShare is the room for the sources that changed for nothing, in
// characters.
const idleShare = 3_000

// Markdown writes a difference for the summary of a job or a comment on a
// pull request: a title, a table of what moved, the sources that changed for
// nothing, the findings, the lines of each change in a block that opens at a
// click, what it fails on and the variant closest to its budget. It holds at
// most 60,000 characters and counts what it leaves out. Its first line is a
// comment by which an earlier report is found and replaced.
func Markdown(w io.Writer, d *review.Difference, findings diag.List, judged Verdict, opt words.Options) error {
	opt.Color = false
	findings = weighed(findings, judged)
	p := NewPage(d, opt)
	p.Unmarked = true // the colours of the block have to do: marks would be taken for text
	end := p.mdClosing(judged)
	m := words.NewSheet(end)
	m.Block("<!-- promptc:diff -->\n" + p.mdTitle(judged) + "\n\n")
	rows := p.mdTable(m)
	p.mdIdle(m)
	finding.Markdown(m, findings.Sorted(), p.Opt)
	p.mdDetails(m, rows)
	return m.Print(w, end, p.Opt.Keys())
}

// mdTitle says in one line what came of the comparison, and of what.
func (p *Page) mdTitle(judged Verdict) string {
	out := "**promptc diff: " + string(judged.Status) + "**"
	side, stopped := stoppedSide(p.d)
	if stopped {
		return out + " · " + words.CodeSpan(side.Name) + notCompared
	}
	head, _ := p.sum()
	out += " · " + head + " · " + words.CodeSpan(p.d.Base.Name) + " → " + words.CodeSpan(p.d.Head.Name)
	for i, line := range p.Remarks(false) {
		out += []string{"\n\n", "\\\n"}[min(i, 1)] + line.markdown(words.CodeSpan)
	}
	return out
}

// mdTable is the table of what moved. It gives the number of its rows.
func (p *Page) mdTable(s *words.Sheet) (shown int) {
	if len(p.Rows) == 0 {
		return 0
	}
	rows := make([]string, len(p.Rows))
	for i, e := range p.Rows {
		rows[i] = p.mdRow(i+1, e)
	}
	s.Block(words.Row("", "change", "affects", "tokens") + "|--:|---|---|---:|\n")
	left := s.Fill(words.TableShare, rows)
	s.Block("\n")
	shown = len(rows) - left
	if left > 0 {
		s.Block("and " + words.Count(left, "more change") + ": " + words.CodeSpan(p.only(shown+1)) + "\n\n")
	}
	return shown
}

// mdVerb is verbOf without what the head of the column says.
func mdVerb(e *review.Edit) string {
	if e.Event != "" {
		return ""
	}
	return verbOf(e)
}

// mdRow gives the row of a change.
func (p *Page) mdRow(at int, e *review.Edit) string {
	change := p.mdSubject(e)
	if more := Describe(e).More; len(more) > 0 {
		change = append(append(change, ours("; ")), more...)
	}
	reach := p.affects(0, mdVerb(e), e).markdown(words.TableSpan)
	for _, line := range []struct {
		cause review.Cause
		verb  string
	}{{review.CauseIncludes, "also reaches "}, {review.CauseMayInclude, "may reach "}} {
		if n := countBy(e, line.cause); n > 0 && reach == "" {
			reach = "reaches " + words.Number(n)
		} else if n > 0 {
			reach += "; " + line.verb + words.Number(n)
		}
	}
	missed, unnamed := missedBy(e)
	if missed > 0 {
		reach += "; does not reach " + words.Number(missed)
	}
	if unnamed > 0 {
		reach += "; does not reach the text of " + words.Number(unnamed)
	}
	tokens, _ := p.tokens(e) // the head of the column has the noun
	return words.Row(strconv.Itoa(at), change.markdown(words.TableSpan), reach, tokens)
}

// mdIdle lists the sources that changed for nothing.
func (p *Page) mdIdle(s *words.Sheet) {
	if len(p.d.Idle)+len(p.d.Stale) == 0 {
		return
	}
	items := make([]string, len(p.d.Idle))
	for i, idle := range p.d.Idle {
		items[i] = "- " + words.CodeSpan(IdlePath(p.Opt, idle)) + " " + IdleWords(p.Opt, idle).markdown(words.CodeSpan) + "\n"
	}
	if left := s.Fill(idleShare, items); left > 0 {
		s.Block("- and " + words.Count(left, "more file") + " (--format json has all)\n")
	}
	for _, stale := range p.d.Stale {
		s.Block("- " + again(stale) + ": " + words.CodeSpan(stale.Pair.ID) + ", since " + staleInputs(p.Opt, stale, words.CodeSpan) + " changed and no text did; " + staleHint(stale) + "\n")
	}
	s.Block("\n")
}

// mdDetails writes a block for each change that has more to say than its row of the
// table. The block of a change without a row also names the variants that it
// affects. Changes with a place and nothing else share a block.
func (p *Page) mdDetails(s *words.Sheet, rows int) {
	var blocks, places []string
	for i, e := range p.Rows {
		switch body := p.mdBody(i+1, e, i >= rows); {
		case body != "":
			blocks = append(blocks, p.mdDetail(i+1, e, body))
		case len(p.Source(e)) > 0:
			places = append(places, p.mdPlace(i+1, e))
		}
	}
	if len(places) > 0 {
		blocks = append(blocks, mdPlaces(places))
	}
	if left := s.Fill(words.MaxMarkdown, blocks); left > 0 {
		s.Block("The lines of " + words.Count(left, "more change") + " are left out: this report ends at " +
			words.Number(words.MaxMarkdown) + " characters (--format json has all).\n\n")
	}
}

// mdDetail gives the block of a change: where it was made, and the rest.
func (p *Page) mdDetail(at int, e *review.Edit, body string) string {
	summary := strconv.Itoa(at) + ". " + p.mdSubject(e).markdown(words.SpanHTML)
	if n, noun := p.tokens(e); n != "" {
		summary += " (" + n + " " + noun + ")"
	}
	if where := p.Source(e); len(where) > 0 {
		body = where.markdown(words.CodeSpan) + "\n\n" + body
	}
	return words.DetailsBlock(summary, body) + "\n"
}

// mdSubject says what changed, without what the table adds to that.
func (p *Page) mdSubject(e *review.Edit) Phrase {
	said := Describe(e)
	return append(append(Phrase{theirs(PromptOf(e)), ours(" ")}, said.What...), said.Verb...)
}

// mdBody gives what the row of a change has no room for, and its lines. "" for
// nothing.
func (p *Page) mdBody(at int, e *review.Edit, whole bool) string {
	reaches := []Phrase{p.toolNames(at, e), p.included(at, e), p.misses(at, e), p.unnamed(at, e), p.mayInclude(at, e), p.nearest(at, e)}
	if whole {
		reaches = p.Reaches(at, e)
	}
	var b strings.Builder
	for _, line := range reaches {
		if len(line) > 0 {
			b.WriteString(line.markdown(words.CodeSpan) + ".\n\n")
		}
	}
	if lines := p.mdLines(at, e); lines != "" {
		b.WriteString(words.Fence("diff", lines))
	}
	return b.String()
}

func (p *Page) mdPlace(at int, e *review.Edit) string {
	return "- change " + strconv.Itoa(at) + ": " + p.mdSubject(e).markdown(words.CodeSpan) + ": " + p.Source(e).markdown(words.CodeSpan) + "\n"
}

// mdPlaces gives the block of the changes that have a place and no lines, as many
// as one block may take.
func mdPlaces(places []string) string {
	var b strings.Builder
	room := words.MaxBody
	for i, line := range places {
		if room -= words.Characters(line); room < 0 {
			b.WriteString("- and " + words.Number(len(places)-i) + " more (--format json has all)\n")
			break
		}
		b.WriteString(line)
	}
	verb := " are"
	if len(places) == 1 {
		verb = " is"
	}
	return words.DetailsBlock("where "+words.Count(len(places), "more change")+verb, b.String()) + "\n"
}

// mdLines gives the lines of a change, as many as one change may take.
func (p *Page) mdLines(at int, e *review.Edit) string {
	cost := func(line string) int { return words.Characters(line) + 1 }
	var b strings.Builder
	room, left := words.MaxBody, Omission{}
	for _, l := range LeavesOf(e) {
		if left.Lines == 0 {
			left.long += p.longSides(l)
		}
		for _, line := range p.leaf(l) {
			if n := cost(line); left.Lines > 0 || n > room {
				left.Lines++
			} else {
				b.WriteString(line + "\n")
				room -= n
			}
		}
	}
	if words := left.words(); words != "" {
		b.WriteString("# " + words + ": " + p.only(at) + "\n")
	}
	n := linesOf(e)
	switch {
	case n == 0:
		return b.String()
	case !e.Kind.ShowsLines() && e.Kind != review.Moved:
		b.WriteString("# " + words.Count(n, "more line") + " of the text " + Follow(n) + " from it: " + p.only(at) + "\n")
		return b.String()
	}
	shown := *e
	shown.Hunks, _ = ownHunks(e)
	lines, cut := p.hunkLines(&shown, room, cost)
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	if words := cut.words(); words != "" {
		b.WriteString("# " + words + ": " + p.only(at) + "\n")
	}
	return b.String()
}

// mdClosing says what the difference fails on, and which variant is closest to
// its budget.
func (p *Page) mdClosing(judged Verdict) string {
	var b strings.Builder
	for _, f := range judged.Failures {
		b.WriteString("- fails on **" + f.Word + "**: " + words.CodeSpan(f.Why) + "\n")
	}
	if near := p.nearestLimit().Closing(p.d.Head.Result); near != "" {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(near)
	}
	return b.String()
}

package change

import (
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// Size gives the difference in tokens as a range over all variants that an
// edit reaches, "" where it has none. That of the cache is part of its own
// sentence, and that of a crossed budget in its figures.
func (p *Page) Size(e *review.Edit) string {
	if n, noun := p.tokens(e); n != "" {
		return "   " + n + " " + noun
	}
	return ""
}

// tokens gives the same in two parts.
func (p *Page) tokens(e *review.Edit) (n, noun string) {
	low, high, ok := tokensOf(e)
	if !ok || e.Kind == review.CacheChanged || e.Kind == review.BudgetCrossed && e.Used[1].Known {
		return "", ""
	}
	estimate := (low != 0 || high != 0) && slices.ContainsFunc(e.Reach, p.estimates)
	return words.Approx(estimate, spread(low, high)), words.Plural(max(high, -low), "token")
}

// estimates reports whether the tokens of a variant that is reached are
// estimates.
func (p *Page) estimates(r review.Reach) bool {
	side := p.d.Head
	if r.OfBase {
		side = p.d.Base
	}
	for i, v := range buildOf(r).Variants {
		if i < r.In.Size() && r.In.Has(i) && side.Result != nil && v.Estimated(side.Result.Spec) {
			return true
		}
	}
	return false
}

// tokensOf gives the least and the greatest difference in tokens.
func tokensOf(e *review.Edit) (low, high int, ok bool) {
	for _, r := range e.Reach {
		for i, n := range r.Tokens {
			if i >= r.In.Size() || !r.In.Has(i) {
				continue
			}
			if !ok {
				low, high, ok = n, n, true
			}
			low, high = min(low, n), max(high, n)
		}
	}
	return low, high, ok
}

// spread writes a range: "+3", "+140..152", "-4..+2", "-152..-140".
func spread(low, high int) string {
	switch {
	case low == high:
		return words.Difference(low)
	case low > 0:
		return words.Difference(low) + ".." + words.Number(high)
	case low == 0:
		return "0.." + words.Difference(high)
	case high == 0:
		return words.Difference(low) + "..0"
	default:
		return words.Difference(low) + ".." + words.Difference(high)
	}
}

// maxReach is how many characters a line takes that says whom a change reaches.
const maxReach = 160

// Reaches says which variants a change affects, and which it does not reach. nth is
// the number of the change, 0 if no command can print it.
func (p *Page) Reaches(nth int, e *review.Edit) []Phrase {
	var out []Phrase
	for _, line := range []Phrase{p.affects(nth, verbOf(e), e), p.toolNames(nth, e), p.included(nth, e), p.misses(nth, e), p.unnamed(nth, e), p.mayInclude(nth, e), p.nearest(nth, e)} {
		n := len(out)
		switch {
		case len(line) == 0:
		case n == 1 && words.Columns(out[0].Text())+words.Columns(line.Text())+2 <= maxReach:
			out[0] = append(append(out[0], ours("; ")), line...)
		default:
			out = append(out, line)
		}
	}
	return out
}

// toolNames names the tools of a change that are too many to stand beside its words.
func (p *Page) toolNames(nth int, e *review.Edit) Phrase {
	all := e.Tools
	switch {
	case !manyTools(e):
		return nil
	case len(all) <= fewNames || p.Opt.Only == nth:
		return Phrase{ours("tools: "), theirs(strings.Join(all, ", "))}
	default:
		return Phrase{
			ours("tools: "), theirs(strings.Join(all[:fewNames], ", ")), ours(" and " + words.Number(len(all)-fewNames) + " more: "), theirs(p.only(nth)),
		}
	}
}

// nearest says with what the lines of variants are compared that were not there
// before.
func (p *Page) nearest(nth int, e *review.Edit) Phrase {
	if len(e.Hunks) == 0 || !came(e) {
		return nil
	}
	var near []*assembly.Artifact
	for _, t := range p.d.Texts {
		if t.OfBase || t.Base == nil || !slices.ContainsFunc(t.Of, func(v *assembly.Variant) bool { return reachesVariant(e, t.Pair, v) }) {
			continue
		}
		if !slices.Contains(near, t.Base) {
			near = append(near, t.Base)
		}
	}
	if len(near) == 0 {
		return Phrase{ours("no text that was there has a line of it")}
	}
	line := Phrase{ours("compared with the nearest text that was there")}
	if len(near) == 1 {
		line = append(line, ours(", "), theirs(near[0].Variant.Name))
	}
	if _, lacks := ownHunks(e); lacks > 0 && p.Opt.Only != nth {
		line = append(line, ours(" (lacks "+words.Count(lacks, "more line")+" of that: "), theirs(p.only(nth)), ours(")"))
	}
	return line
}

func reachesVariant(e *review.Edit, pair *review.Pair, v *assembly.Variant) bool {
	return slices.ContainsFunc(e.Reach, func(r review.Reach) bool { return r.Pair == pair && !r.OfBase && r.In.Has(v.Index) })
}

// fewNames is how many tools or owners are named where the rest is counted.
const fewNames = 5

// some are variants of one prompt in a line, with what stands before and behind
// them.
type some struct {
	before, behind Phrase
	reach          review.Reach
	set            ground.Set
}

// named writes variants behind the beginning of a line. Of those that a line has no
// room for it counts all but the first. tail stands behind them.
func (p *Page) named(nth int, line Phrase, rows []some, tail Phrase) Phrase {
	whole, left := nth > 0 && p.Opt.Only == nth, 0
	for i, row := range rows {
		next := slices.Concat(line, row.before, Phrase{theirs(p.exactly(row.reach, row.set))}, row.behind)
		switch {
		case whole || left == 0 && words.Columns(next.Text()) <= maxReach:
			line = next
		case i == 0:
			of := buildOf(row.reach)
			first := strings.TrimPrefix(Names(of, row.set)[0], of.Prompt.ID.Str+"/")
			line = slices.Concat(line, row.before, Phrase{theirs(first)}, row.behind)
			left = row.set.Len() - 1
		default:
			left += row.set.Len()
		}
	}
	if left == 0 {
		return append(line, tail...)
	}
	line = append(append(line, ours(" and "+words.Number(left)+" more")), tail...)
	if nth > 0 {
		line = append(line, ours(": "), theirs(p.only(nth)))
	}
	return line
}

// verbOf says what an edit does to variants: what changes nothing that they
// send does not affect them.
func verbOf(e *review.Edit) string {
	if e.Event == "" {
		return "applies to "
	}
	return "affects "
}

// affects is one line for all prompts: behind a verb the first one's variants, then
// the others', and how many of the others could not have the change.
func (p *Page) affects(nth int, verb string, e *review.Edit) Phrase {
	if len(e.Reach) == 0 || e.Reach[0].In.Len() == 0 && countBy(e, review.CauseIncludes) > 0 {
		return nil
	}
	first := e.Reach[0]
	n, of := first.In.Len(), p.extentOf(first)
	var line Phrase
	var rows []some
	switch {
	case n == of && of == 1:
		line = append(Phrase{ours(verb + "its only variant")}, p.inBase(first)...)
	case n == of:
		line = append(Phrase{ours(verb + "all " + words.Number(of))}, p.inBase(first)...)
	default:
		line = append(Phrase{ours(verb + words.Number(n) + " of " + words.Number(of))}, p.inBase(first)...)
		if n > 0 {
			rows = append(rows, some{before: Phrase{ours(": ")}, reach: first, set: first.In})
		}
	}
	for _, r := range e.Reach[1:] {
		if r.In.Len() == 0 {
			continue // those that it does not reach follow
		}
		before := append(append(Phrase{ours("; "), theirs(r.Pair.ID)}, p.inBase(r)...), ours(": "))
		rows = append(rows, some{before: before, reach: r, set: r.In})
	}
	var tail Phrase
	if n := without(e); n > 0 {
		tail = Phrase{ours("; " + others(n))}
	}
	return p.named(nth, line, rows, tail)
}

// extentOf counts the variants that the sets of a reach are over.
func (p *Page) extentOf(r review.Reach) int {
	if b := buildOf(r); b != nil {
		return len(b.Variants)
	}
	return r.In.Size()
}

// buildOf gives the build that the sets of a reach are over.
func buildOf(r review.Reach) *assembly.Build {
	if r.OfBase {
		return r.Pair.Base
	}
	return r.Pair.Head
}

// inBase says where variants are looked for that the head may not have.
func (p *Page) inBase(r review.Reach) Phrase {
	if r.OfBase {
		return Phrase{ours(" in "), theirs(p.d.Base.Name)}
	}
	return nil
}

// misses is one line for the variants that could be expected to have a change and
// do not, each with its cause.
func (p *Page) misses(nth int, e *review.Edit) Phrase {
	return p.missRows(nth, e, "does not reach ", Expected, notReached)
}

// without counts the variants for which a change makes no sense.
func without(e *review.Edit) int {
	n := 0
	for _, r := range e.Reach {
		for _, m := range r.Missed {
			if !m.Cause.OfTemplates() {
				n += m.Set.Minus(r.In).Len()
			}
		}
		for _, m := range Expected(r) {
			n -= m.Set.Minus(r.In).Len()
		}
	}
	return n
}

// others says of how many variants a change could not be expected.
func others(n int) string {
	if n == 1 {
		return "1 other does not have it"
	}
	return words.Number(n) + " others do not have it"
}

// unnamed is one line for the variants that send the schema of a new tool while
// their text does not name it.
func (p *Page) unnamed(nth int, e *review.Edit) Phrase {
	return p.missRows(nth, e, "does not reach the text of ", Expected, sentUnnamed)
}

// included is one line for the variants whose templates include the file that
// changed, and mayInclude one for those of which nobody can say.
func (p *Page) included(nth int, e *review.Edit) Phrase {
	verb := "also reaches "
	if len(e.Reach) > 0 && e.Reach[0].In.Len() == 0 {
		verb = "reaches "
	}
	return p.missRows(nth, e, verb, func(r review.Reach) []review.Missed { return by(r, review.CauseIncludes) }, notReached)
}

func (p *Page) mayInclude(nth int, e *review.Edit) Phrase {
	return p.missRows(nth, e, "may reach ", func(r review.Reach) []review.Missed { return by(r, review.CauseMayInclude) }, notReached)
}

// by gives the rows of one cause.
func by(r review.Reach, cause review.Cause) []review.Missed {
	return slices.DeleteFunc(slices.Clone(r.Missed), func(m review.Missed) bool { return m.Cause != cause })
}

func countBy(e *review.Edit, cause review.Cause) int {
	n := 0
	for _, r := range e.Reach {
		for _, m := range by(r, cause) {
			n += notReached(r, m).Len()
		}
	}
	return n
}

func notReached(r review.Reach, m review.Missed) ground.Set { return m.Set.Minus(r.In) }

// sentUnnamed gives those of a row that the edit reaches all the same.
func sentUnnamed(r review.Reach, m review.Missed) ground.Set { return m.Set.Minus(m.Set.Minus(r.In)) }

// missRows is a line for some of what is said of variants that an edit is not in.
func (p *Page) missRows(nth int, e *review.Edit, verb string, of func(review.Reach) []review.Missed, pick func(review.Reach, review.Missed) ground.Set) Phrase {
	var rows []some
	all := 0
	for i, r := range e.Reach {
		for _, m := range of(r) {
			set := pick(r, m)
			if set.Len() == 0 {
				continue
			}
			all += set.Len()
			row := some{reach: r, set: set, behind: append(append(Phrase{ours(" (")}, CauseWords(m)...), ours(")"))}
			if len(rows) > 0 {
				row.before = append(row.before, ours("; "))
			}
			if i > 0 {
				row.before = append(row.before, theirs(r.Pair.ID), ours(": "))
			}
			rows = append(rows, row)
		}
	}
	if all == 0 {
		return nil
	}
	return p.named(nth, Phrase{ours(verb + words.Number(all) + ": ")}, rows, nil)
}

// missedBy counts the variants that could have an edit and do not, and those
// that send a new tool's schema without naming it.
func missedBy(e *review.Edit) (missed, unnamed int) {
	for _, r := range e.Reach {
		for _, m := range Expected(r) {
			n := sentUnnamed(r, m).Len()
			missed, unnamed = missed+m.Set.Len()-n, unnamed+n
		}
	}
	return missed, unnamed
}

// causeNames are the causes as people read them.
var causeNames = map[review.Cause]string{
	review.CauseWhen: "when", review.CauseNeeds: "needs", review.CauseOnly: "only", review.CauseFile: "other file",
	review.CauseForm: "other form", review.CauseBudget: "dropped", review.CauseUnnamed: "their toolset has it, their text does not name it",
	review.CauseAbsent: "not there", review.CauseStale: "still the old text", review.CauseNew: "new", review.CauseOther: "other text",
}

// CauseWords says why variants are not reached.
func CauseWords(m review.Missed) Phrase {
	why := causeNames[m.Cause]
	switch {
	case m.Partly:
		return Phrase{ours("still some of the old text")}
	case m.Cause == review.CauseIncludes:
		return Phrase{theirs(m.Why), ours(" includes it")}
	case m.Cause == review.CauseMayInclude:
		return Phrase{theirs(m.Why), ours(" may include it")}
	case m.Why == "":
		return Phrase{ours(why)}
	case m.Cause == review.CauseNeeds:
		return Phrase{ours(why + " "), theirs(m.Why)}
	case len(m.More) > 0:
		return Phrase{ours(why + ": "), theirs(m.Why), ours(" and " + words.Number(len(m.More)) + " more")}
	default:
		return Phrase{ours(why + ": "), theirs(m.Why)}
	}
}

// exactly gives a set of variants in the outlines' words.
func (p *Page) exactly(r review.Reach, s ground.Set) string {
	b := buildOf(r)
	if b == nil || s.Size() != len(b.Variants) {
		return "none"
	}
	return p.cover(b).Describe(s)
}

func (p *Page) cover(b *assembly.Build) *setcover.Cover {
	if p.covers[b] == nil {
		p.covers[b] = setcover.NewCover(b)
	}
	return p.covers[b]
}

// tokenIDs gives the difference in tokens by the names of variants.
func tokenIDs(r review.Reach) map[string]int {
	b := buildOf(r)
	out := map[string]int{}
	if b == nil {
		return out
	}
	for _, v := range b.Variants {
		if n, ok := r.Tokens[v.Index]; ok {
			out[v.Name] = n
		}
	}
	return out
}

// longLeaf is the number of columns from which both sides of a value stand on
// lines of their own, so that the words that differ can be marked.
const longLeaf = 60

// maxLeaves is how many places of a tool stand in an annotation.
const maxLeaves = 5

// body writes the lines of a change: its leaves, and those of its hunks. What
// there is no room for is counted, with the command that prints it.
func (p *Page) body(nth int, e *review.Edit) {
	room := words.MaxHunkLines
	if p.Opt.Only == nth {
		room = math.MaxInt
	}
	p.leftOut(nth, p.Leaves(LeavesOf(e), room))
	switch n := linesOf(e); {
	case n == 0:
	case e.Kind == review.Moved && p.Opt.Only != nth:
		p.folded(nth, e)
	case !e.Kind.ShowsLines() && p.Opt.Only != nth:
		p.Line("  ", words.Count(n, "more line"), " of the text ", Follow(n), " from it: ", p.only(nth))
	default:
		shown := *e
		if p.Opt.Only != nth {
			shown.Hunks, _ = ownHunks(e)
		}
		lines, left := p.hunkLines(&shown, room, func(string) int { return 1 })
		p.Indented(lines)
		p.leftOut(nth, left)
	}
}

// Indented writes the lines of hunks. Blanks at the end may be the very change, so
// nothing is trimmed.
func (p *Page) Indented(lines []string) {
	for _, l := range lines {
		if l != "" { // between others of its side
			l = "  " + l
		}
		p.WriteString(l + "\n")
	}
}

// leftOut counts what is not printed of a change, with the command that prints it.
func (p *Page) leftOut(nth int, left Omission) {
	if words := left.words(); words != "" {
		p.Line("  ", words, ": ", p.only(nth))
	}
}

// Follow gives the verb for a number of things.
func Follow(n int) string {
	if n == 1 {
		return "follows"
	}
	return "follow"
}

// Leaves writes the places of a tool's definition that differ, and counts the
// lines for which there is no room.
func (p *Page) Leaves(all []ShownLeaf, room int) (left Omission) {
	for _, one := range all {
		if room > 0 {
			left.long += p.longSides(one)
		}
		for _, l := range p.leaf(one) {
			if room--; room < 0 {
				left.Lines++
				continue
			}
			p.WriteString("  " + l + "\n")
		}
	}
	return left
}

// longSides counts the sides of a place that are too long to be printed whole.
func (p *Page) longSides(l ShownLeaf) int {
	n := 0
	for _, value := range []string{l.From, l.To} {
		if p.cuts(value) {
			n++
		}
	}
	return n
}

// cuts reports whether a line is too long to be printed whole: [words.Options].Only
// prints all of one change.
func (p *Page) cuts(text string) bool { return len(text) > words.MaxLine && p.Opt.Only == 0 }

// SomeLeaves writes the first places for a message, and counts the others.
func (p *Page) SomeLeaves(nth int, all []ShownLeaf) []string {
	var lines []string
	for _, l := range all[:min(maxLeaves, len(all))] {
		lines = append(lines, p.leaf(l)...)
	}
	if left := len(all) - maxLeaves; left > 0 {
		where := "" // of a run nothing else is printed
		if nth > 0 {
			where = ": " + p.only(nth)
		}
		lines = append(lines, "… "+words.Count(left, "more place")+where)
	}
	return lines
}

// leaf writes one place of a tool's definition that differs, and by which code
// points where nobody could see it.
func (p *Page) leaf(l ShownLeaf) []string {
	lines := p.values(l)
	if l.From != "" && l.To != "" {
		if told := words.SameLooks(l.From, l.To); told != "" {
			lines = append(lines, "  they look the same: "+told)
		}
	}
	return lines
}

// values writes both sides of a place. Long ones stand one below the other.
func (p *Page) values(l ShownLeaf) []string {
	name, from, to := words.Clean(l.Path), words.Clean(l.From), words.Clean(l.To)
	if p.Opt.Only == 0 {
		name, from, to = words.Clean(words.Shorten(l.Path)), words.Clean(words.Shorten(l.From)), words.Clean(words.Shorten(l.To))
	}
	switch {
	case l.From == "":
		return []string{name + " added: " + p.Paint(words.Green, to)}
	case l.To == "":
		return []string{name + " removed: " + p.Paint(words.Red, from)}
	case words.Columns(from)+words.Columns(to) <= longLeaf:
		return []string{name + ": " + p.Paint(words.Red, from) + " → " + p.Paint(words.Green, to)}
	default:
		lines := []review.HunkLine{{Sign: '-', Text: l.From}, {Sign: '+', Text: l.To}}
		return append([]string{name + ":"}, p.Hunk(review.Hunk{Lines: lines})...)
	}
}

// endsOtherwise reports whether a line stands on the other side with the same
// text, so that the line break behind it is all that differs.
func endsOtherwise(all []review.HunkLine, i int) bool {
	for _, l := range all {
		if l.Sign != all[i].Sign && l.Open != all[i].Open && l.Text == all[i].Text {
			return true
		}
	}
	return false
}

// counterparts gives the lines that belong together: the first that is gone and the
// first that came, and so on.
func counterparts(all []review.HunkLine) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(all); {
			gone := i
			for gone < len(all) && all[gone].Sign == '-' {
				gone++
			}
			come := gone
			for come < len(all) && all[come].Sign == '+' {
				come++
			}
			for k := 0; i+k < gone && gone+k < come; k++ {
				if !yield(i+k, gone+k) {
					return
				}
			}
			i = max(come, i+1)
		}
	}
}

// WordMarks gives for each line the parts that differ from its counterpart.
func WordMarks(all []review.HunkLine) [][]textdiff.Range {
	out := make([][]textdiff.Range, len(all))
	for i, k := range counterparts(all) {
		if from, to, ok := textdiff.Words(all[i].Text, all[k].Text); ok {
			out[i], out[k] = Phrases(all[i].Text, from), Phrases(all[k].Text, to)
		}
	}
	return out
}

// differences gives for each line the byte from which it differs from its
// counterpart, 0 where it has none.
func differences(all []review.HunkLine) []int {
	out := make([]int, len(all))
	for i, k := range counterparts(all) {
		at := words.FirstDifference(all[i].Text, all[k].Text)
		out[i], out[k] = words.RuneStart(all[i].Text, min(at, len(all[i].Text))), at
	}
	return out
}

// Phrases joins marks between which there are only blanks: words that follow
// one another read as one.
func Phrases(text string, marks []textdiff.Range) []textdiff.Range {
	var out []textdiff.Range
	for _, m := range marks {
		if n := len(out); n > 0 && strings.TrimSpace(text[out[n-1].End:m.Start]) == "" {
			out[n-1].End = m.End
			continue
		}
		out = append(out, m)
	}
	return out
}

// markedLine writes one line of a hunk. Of a very long one it keeps what is
// around the first difference.
func (p *Page) markedLine(l review.HunkLine, marks []textdiff.Range, start int) string {
	tone, strong, open, end := words.Red, words.RedMark, "[-", "-]"
	if l.Sign == '+' {
		tone, strong, open, end = words.Green, words.GreenMark, "{+", "+}"
	}
	if p.Opt.Color {
		open, end = "", ""
	}
	from, to := 0, len(l.Text)
	if p.cuts(l.Text) {
		from, to = words.KeptPart(l.Text, start)
	}
	var b strings.Builder
	plain := func(text string) {
		if l.Sign == ' ' {
			b.WriteString(text)
			return
		}
		b.WriteString(p.Paint(tone, text))
	}
	plain(string(l.Sign) + words.Omitted(l.Text[:from]))
	at := from
	for _, m := range marks {
		s, e := min(max(m.Start, at), to), min(max(m.End, at), to)
		if s == e {
			continue
		}
		plain(words.Clean(l.Text[at:s]))
		b.WriteString(p.Paint(strong, open+words.Clean(l.Text[s:e])+end))
		at = e
	}
	plain(words.Clean(l.Text[at:to]) + words.Omitted(l.Text[to:]))
	return b.String()
}

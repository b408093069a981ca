package report

import (
	"cmp"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
)

// maxEdits is how many edits, and how many idle sources, are printed before
// the rest is counted.
const maxEdits = 100

// diffPage is a page about a difference. It keeps what it has worked out about
// sets of variants.
type diffPage struct {
	*printer
	d      *review.Difference
	covers map[*assembly.Build]*setcover.Cover
	// rows are the edits as they are printed, numbers the places of their rows.
	rows    []*review.Edit
	numbers map[*review.Edit]int
	// unmarked says that the words of a line that differ are not marked.
	unmarked bool
}

// aboutBase reports whether the findings are those of the base, which does not
// compile, and not about the head.
func aboutBase(d *review.Difference) bool {
	side, stopped := stoppedSide(d)
	return stopped && side.Result == d.Base.Result
}

func newDiffPage(d *review.Difference, opt Options) *diffPage {
	if aboutBase(d) {
		opt = opt.ofBase()
	}
	rows, numbers := rowsOf(d.Edits)
	return &diffPage{
		printer: newPrinter(opt.masking(d.Base.Result, d.Head.Result)), d: d, covers: map[*assembly.Build]*setcover.Cover{},
		rows: rows, numbers: numbers,
	}
}

// Diff writes a difference for people: how much changed between which two
// sides, then each change once with its source, the variants that it affects
// and those that it does not reach, the sources that changed for nothing, the
// findings (which are about growth), the variant that is closest to its
// budget, and what it fails on. Nothing else goes to people about it.
func Diff(w io.Writer, d *review.Difference, findings diag.List, judged DiffVerdict, opt Options) error {
	p := newDiffPage(d, opt)
	p.diff(weighed(findings, judged), judged)
	return p.print(w)
}

// Affected writes the names of the variants of the head that send other bytes
// than before, or a template that includes a changed file, one a line and nothing
// else.
func Affected(w io.Writer, d *review.Difference) error {
	p := newPrinter(Options{})
	for _, pair := range d.Pairs {
		for _, name := range names(pair.Head, pair.Reached()) {
			p.line(clean(name))
		}
	}
	return p.print(w)
}

// names gives the names of the variants of a set, never nil; none where there
// is no build for the set to be over.
func names(b *assembly.Build, s ground.Set) []string {
	out := []string{}
	if b == nil {
		return out
	}
	for _, v := range b.Variants {
		if v.Index < s.Size() && s.Has(v.Index) {
			out = append(out, v.Name)
		}
	}
	return out
}

func (p *diffPage) diff(findings diag.List, judged DiffVerdict) {
	if side, stopped := stoppedSide(p.d); stopped {
		printTo(p.printer, findings)
		p.line(clean(side.Name), notCompared)
		return
	}
	p.header()
	if len(p.rows) > 0 {
		p.line()
	}
	if n := p.opt.Only; n > 0 && n <= len(p.rows) {
		p.edit(n, p.rows[n-1])
		printDiffVerdict(p.printer, judged)
		return
	}
	for i, e := range p.rows {
		if p.opt.Whole {
			p.opt.Only = i + 1
		} else if i == maxEdits {
			break
		}
		p.edit(i+1, e)
	}
	p.opt.Only = 0
	if left := len(p.rows) - maxEdits; left > 0 && !p.opt.Whole {
		p.line("and ", count(left, "more change"), ", from ", strconv.Itoa(maxEdits+1), " on: ", p.only(maxEdits+1))
	}
	p.idle()
	if len(findings) > 0 {
		p.line()
		printTo(p.printer, findings)
	}
	if near := p.nearestLimit(); near.artifact != nil {
		p.line()
		p.line("budgets: closest is ", clean(near.artifact.Variant.Name), " at ", near.share())
	}
	printDiffVerdict(p.printer, judged)
}

// notCompared is said of a side that does not compile, behind its name.
const notCompared = " does not compile: nothing was compared"

// Failures writes what a difference fails on.
func Failures(w io.Writer, judged DiffVerdict, opt Options) error {
	p := newPrinter(opt)
	printDiffVerdict(p, judged)
	return p.print(w)
}

func printDiffVerdict(p *printer, judged DiffVerdict) {
	for _, f := range judged.Failures {
		p.line(p.paint(red, "fails on "+f.Word+": "), clean(f.Why))
	}
}

// only gives the command that prints one change whole.
func (p *diffPage) only(number int) string {
	return clean(cmp.Or(p.opt.Command, "promptc diff")) + " --only " + strconv.Itoa(number)
}

// header says how much changed, and between what, in a line.
func (p *diffPage) header() {
	sides := "(" + clean(p.d.Base.Name) + " → " + clean(p.d.Head.Name) + ")"
	head, differs := p.sum()
	if differs {
		gap := max(leastGap, diffWidth-columns(head)-columns(sides))
		p.line(p.paint(bold, head), strings.Repeat(" ", gap), p.paint(dim, sides))
	} else {
		p.line(head, " ", p.paint(dim, sides))
	}
	for _, line := range p.remarks(false) {
		p.line(line.text())
	}
}

// remarks are the lines about the comparison as a whole. A page for a browser has them
// whole: nothing is left out for length.
func (p *diffPage) remarks(whole bool) []phrase {
	out := p.borrowed(whole)
	n := 0
	for _, t := range p.d.Texts {
		if t.Approximate {
			n++
		}
	}
	if n > 0 {
		out = append(out, phrase{ours("less may have changed in " + count(n, "text") + ": too long and too different for the least difference")})
	}
	if n, first, _ := overruns(p.d, true); n > 0 {
		line := phrase{ours("already over at the base: "), theirs(first)}
		if n > 1 {
			line = append(line, ours(", and "+number(n-1)+" more"))
		}
		out = append(out, line)
	}
	if line := ownersLine(ownersOf(p.d), whole); line != nil {
		out = append(out, line)
	}
	return out
}

// sum says how much changed, or that all variants send what they sent before, also
// where files changed that have no part in it.
func (p *diffPage) sum() (head string, differs bool) {
	switch {
	case len(p.rows) > 0 || differ(p.d.Pairs):
		return p.extent(), true
	case len(p.d.Idle)+len(p.d.Stale) > 0:
		return "no change in what is sent: " + p.everything(), false
	case len(p.d.Pairs) == 0:
		return "no change", false // of a workspace, no project was compared
	default:
		return "no change in " + p.everything(), false
	}
}

// maxLacks is how many things that a base lacks are named.
const maxLacks = 5

// borrowed says where the manifest of a side without one is from, and what of it
// the side does not have; none where both have their own.
func (p *diffPage) borrowed(whole bool) []phrase {
	side, lender := p.d.Base, p.d.Head
	switch {
	case lender.Patterns != nil:
		out := phrase{ours("without a manifest: prompts and axes come from names in the files that match ")}
		for i, pattern := range lender.Patterns {
			out = append(out, ours([]string{"", ", "}[min(i, 1)]), theirs(pattern))
		}
		return []phrase{out}
	case borrows(lender):
		side, lender = lender, side
	case !borrows(side):
		return nil
	}
	out := []phrase{{theirs(side.Name), ours(" has no "), theirs(manifestName(lender.Result)), ours(": that of "), theirs(lender.Name), ours(" serves both sides")}}
	lacks := side.Result.Lacks
	most := maxLacks
	if whole {
		most = len(lacks)
	}
	for _, d := range lacks[:min(most, len(lacks))] {
		out = append(out, phrase{ours("not in "), theirs(side.Name), ours(": "), theirs(p.lineOf(d.Span)), ours(" "), theirs(wording.Message(d))})
	}
	if more := len(lacks) - most; more > 0 {
		out = append(out, phrase{ours("and " + number(more) + " more (--format json has all)")})
	}
	return out
}

// Borrowed gives, a line each, what [Diff] says of a side without a manifest, for
// who prints a format that has no place for it.
func Borrowed(d *review.Difference, opt Options) []string {
	var out []string
	for _, line := range newDiffPage(d, opt).borrowed(false) {
		out = append(out, line.text())
	}
	return out
}

// borrows reports whether a side was compiled by the other's manifest.
func borrows(s review.Side) bool {
	return s.Result != nil && s.Result.Tree != nil && s.Result.Tree.Borrowed
}

func manifestName(r *prompt.Result) string {
	if f := manifestOf(r); f != nil {
		return path.Base(f.Path)
	}
	return "prompts.yaml"
}

func (p *diffPage) everything() string {
	variants := 0
	for _, pair := range p.d.Pairs {
		if pair.Head != nil {
			variants += len(pair.Head.Variants)
		}
	}
	return count(variants, "variant") + " of " + count(len(p.d.Pairs), "prompt")
}

// extent counts the changes, the prompts that they are about, and how many of
// the variants of these they affect.
func (p *diffPage) extent() string {
	reached := p.d.Reached()
	affected, all, gone := 0, 0, 0
	for _, pair := range reached {
		affected, gone = affected+pair.Reached().Len(), gone+pair.Gone.Len()
		if pair.Head != nil {
			all += len(pair.Head.Variants)
		}
	}
	changes := count(len(p.rows), "change")
	if len(p.rows) == 0 {
		changes = "changes in included files alone"
	}
	out := changes + ", " + count(len(reached), "prompt")
	if all > 0 {
		out += ", " + number(affected) + " of " + count(all, "variant")
	}
	switch {
	case gone > 0 && all > 0:
		out += ", " + number(gone) + " removed"
	case gone > 0:
		out += ", " + count(gone, "variant") + " removed"
	}
	return out
}

// edit writes one change with its number, its place and its size, and all that it
// reaches.
func (p *diffPage) edit(number int, e *review.Edit) {
	said := describe(e)
	head, verb := strconv.Itoa(number)+"  "+clean(promptOf(e))+"  "+said.what.text(), said.verb.text()
	right := strings.TrimLeft(p.source(e).text()+p.size(e), " ")
	gap := max(leastGap, min(placeColumn, diffWidth-columns(right))-columns(head)-columns(verb))
	p.line(p.paint(bold, head), p.paint(said.tone, verb), strings.Repeat(" ", gap), right)
	for _, line := range append([]phrase{said.more}, p.reaches(number, e)...) {
		if text := line.text(); text != "" {
			p.line("  ", text)
		}
	}
	p.body(number, e)
}

// source gives the place of an edit and the others that are edited alike, and
// the side that they are in where that is not the head, and the path alone does
// not tell. Nil where there is nothing to add.
func (p *diffPage) source(e *review.Edit) phrase {
	on := p.printer
	if e.InBase {
		on = newPrinter(p.opt.ofBase())
	}
	at := on.lineOf(e.At)
	if at == "" {
		return nil
	}
	if to, _ := e.Is.(review.Files); len(to) == 1 && to[0].Path == on.path(e.At.File.Path) {
		return nil // the change names the file already
	}
	out := phrase{theirs(at)}
	for _, other := range alsoPlaces(on, e) {
		out = append(out, ours(" and "), other)
	}
	if e.InBase && p.opt.Against == "" {
		out = append(out, ours(" in "), theirs(p.d.Base.Name))
	}
	return out
}

// also names the other places of an edit: the one of another file, or how many
// there are, and all of them where one change is printed whole; nil for none.
func alsoPlaces(p *printer, e *review.Edit) []bit {
	if p.opt.Only > 0 {
		var out []bit
		for _, at := range e.Also {
			out = append(out, theirs(p.lineOf(at)))
		}
		return out
	}
	var files []*diag.File
	var first diag.Span
	for _, at := range e.Also {
		if at.File.Path == e.At.File.Path || slices.ContainsFunc(files, func(f *diag.File) bool { return f.Path == at.File.Path }) {
			continue
		}
		if files = append(files, at.File); len(files) == 1 {
			first = at
		}
	}
	switch {
	case len(e.Also) == 0:
		return nil
	case len(files) == 0:
		return []bit{ours(count(len(e.Also), "more place"))}
	case len(files) == 1:
		return []bit{theirs(p.lineOf(first))}
	default:
		return []bit{ours(count(len(files), "more file"))}
	}
}

// lineOf is the line of a place as the reader is to see it.
func (p *printer) lineOf(at diag.Span) string { return clean(p.opt.line(at)) }

// idle names the sources that changed without a variant that did, and the
// prompts to render again.
func (p *diffPage) idle() {
	for _, s := range p.d.Idle[:min(maxEdits, len(p.d.Idle))] {
		p.line(clean(idlePath(p.opt, s)), " ", idleWords(p.opt, s).text())
	}
	if left := len(p.d.Idle) - maxEdits; left > 0 {
		p.line("and ", count(left, "more file"), " without effect (--format json has all)")
	}
	for _, s := range p.d.Stale {
		p.line(p.paint(yellow, staleWords(p.opt, s)))
		p.line("  hint: ", staleHint)
	}
}

// staleHint is what to do about texts that may be out of date.
const staleHint = "run the tests that write the texts with their update flag"

// maxStale is how many inputs of a prompt are named before the rest is counted.
const maxStale = 3

// staleWords says which inputs of a prompt changed while its texts did not.
func staleWords(opt Options, s review.Stale) string {
	return clean(s.Pair.ID) + "  render again: " + staleInputs(opt, s, clean) + " changed, no text did"
}

// staleInputs names the first inputs of a prompt that changed.
func staleInputs(o Options, s review.Stale, write func(string) string) string {
	names := make([]string, len(s.Inputs))
	for i, input := range s.Inputs {
		names[i] = write(idlePath(o, input))
	}
	out := joined(names, maxStale)
	if len(names) > maxStale {
		out += " (--format json has all)"
	}
	return out
}

// idlePath gives the path of such a source on the side that has it.
func idlePath(o Options, s review.Idle) string {
	if s.Removed {
		o = o.ofBase()
	}
	return o.path(s.Path)
}

// idleWords says what became of such a source.
func idleWords(o Options, s review.Idle) phrase {
	did := "changed"
	switch {
	case s.Added:
		did = "added"
	case s.Removed:
		did = "removed"
	}
	switch {
	case s.LineEnds && s.Files > 1:
		return phrase{ours("and " + count(s.Files-1, "more file") + " changed in line ends alone, which texts do not keep")}
	case s.LineEnds:
		return phrase{ours("changed in line ends alone, which texts do not keep")}
	case s.Partial:
		return phrase{ours("was not compared: too many files that no variant reads")}
	case s.Includer != "" && s.Unsure:
		return phrase{ours(did + "; "), theirs(o.path(s.Includer)), ours(" may include it")}
	case s.Includer != "":
		out := phrase{ours(did + ": "), theirs(o.path(s.Includer)), ours(" includes it, so it reaches "), theirs(s.Reaches[0].Name)}
		if n := len(s.Reaches); n > 1 {
			out = append(out, ours(" and "+number(n-1)+" more"))
		}
		return out
	case s.Unread:
		return phrase{ours(did + ", no variant reads it")}
	case s.Entries > 0 && !s.Added && !s.Removed && s.Was == "":
		return phrase{ours("changed in " + number(s.Entries) + " entries that no variant reads")}
	case s.Files > 1:
		return phrase{ours("has " + count(s.Files, "file") + " that moved from "), theirs(s.Was), ours(", which changes no variant")}
	case s.Was != "":
		return phrase{ours("moved from "), theirs(s.Was), ours(", which changes no variant")}
	default:
		return phrase{ours(did + ", which changes no variant")}
	}
}

// limit is how much of one budget a variant uses.
type limit struct {
	artifact *assembly.Artifact
	name     string // tokens, chars, tool_tokens
	use, of  int
}

// share gives how much of the budget is used.
func (l limit) share() string {
	switch l.name {
	case "chars":
		return percent(l.use, l.of) + " of its characters"
	case "tool_tokens":
		return percent(l.use, l.of) + " of its tool tokens"
	default:
		return percent(l.use, l.of)
	}
}

// closing names the variant that is closest to its budget, "" where none has any.
func (l limit) closing(r *prompt.Result) string {
	if l.artifact == nil {
		return ""
	}
	estimate := l.name != "chars" && l.artifact.Variant.Estimated(r.Spec)
	return "Closest to its budget: " + codeSpan(l.artifact.Variant.Name) + " with " + approx(estimate, number(l.use)) + " of " + number(l.of) +
		" " + limitNoun(l.name).text + " (" + percent(l.use, l.of) + ")"
}

// nearestLimit gives the variant of the head, in the prompts that are
// compared, that uses most of a budget of its own; none where nothing changed.
func (p *diffPage) nearestLimit() (out limit) {
	if len(p.rows) == 0 {
		return out
	}
	for _, l := range nearestLimits(p.d) {
		out = nearer(out, l.artifact)
	}
	return out
}

// nearestLimits gives the same for each prompt that has a budget.
func nearestLimits(d *review.Difference) []limit {
	if d.Head.Result == nil {
		return nil
	}
	at := map[*assembly.Build]int{}
	for _, pair := range d.Pairs {
		if pair.Head != nil {
			at[pair.Head] = len(at)
		}
	}
	best := make([]limit, len(at))
	for _, a := range d.Head.Result.Artifacts {
		i, ok := at[a.Build]
		if !ok {
			continue
		}
		best[i] = nearer(best[i], a)
	}
	var out []limit
	for _, l := range best {
		if l.artifact != nil {
			out = append(out, l)
		}
	}
	return out
}

// nearer gives the budget of which a larger share is used, that before or one of an
// artifact, the first of equals. What is not limited is never near.
func nearer(out limit, a *assembly.Artifact) limit {
	b := a.Variant.Budget
	for _, l := range []limit{
		{a, "tokens", a.Use, b.Tokens}, {a, "chars", a.Chars, b.Chars}, {a, "tool_tokens", a.ToolTokens, b.ToolTokens},
	} {
		if l.of > 0 && (out.artifact == nil || int64(l.use)*int64(out.of) > int64(out.use)*int64(l.of)) {
			out = l
		}
	}
	return out
}

const (
	// diffWidth is the number of columns after which what stands at the right ends,
	// where there is room.
	diffWidth = 80
	// leastGap is the room between what changed and its place.
	leastGap = 3
)

// promptOf gives the id of the first prompt that an edit reaches.
func promptOf(e *review.Edit) string {
	if len(e.Reach) == 0 {
		return ""
	}
	return e.Reach[0].Pair.ID
}

// Package change writes a difference: what changed between two states of a project, for
// people and machines. [Text] and its siblings, one a format, lay out what the methods of
// [Page] work out: rows, sentences, whom a change reaches. [Judge] says whether it fails.
package change

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
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
)

// maxEdits is how many edits, and how many idle sources, are printed before
// the rest is counted.
const maxEdits = 100

// Page is a page about a difference. It keeps what it has worked out about
// sets of variants.
type Page struct {
	*words.Printer
	d      *review.Difference
	covers map[*assembly.Build]*setcover.Cover
	// Rows are the edits as they are printed, numbers the places of their rows.
	Rows    []*review.Edit
	numbers map[*review.Edit]int
	// Unmarked says that the words of a line that differ are not marked.
	Unmarked bool
}

// aboutBase reports whether the findings are those of the base, which does not
// compile, and not about the head.
func aboutBase(d *review.Difference) bool {
	side, stopped := stoppedSide(d)
	return stopped && side.Result == d.Base.Result
}

// NewPage makes the page of a difference. A base that does not compile is what it is
// about, with paths of the base.
func NewPage(d *review.Difference, opt words.Options) *Page {
	if aboutBase(d) {
		opt = opt.OfBase()
	}
	rows, numbers := rowsOf(d.Edits)
	return &Page{
		Printer: words.NewPrinter(opt.Masking(d.Base.Result, d.Head.Result)), d: d, covers: map[*assembly.Build]*setcover.Cover{},
		Rows: rows, numbers: numbers,
	}
}

// Text writes a difference for people: how much changed between which two
// sides, then each change once with its source, the variants that it affects
// and those that it does not reach, the sources that changed for nothing, the
// findings (which are about growth), the variant that is closest to its
// budget, and what it fails on. Nothing else goes to people about it.
func Text(w io.Writer, d *review.Difference, findings diag.List, judged Verdict, opt words.Options) error {
	p := NewPage(d, opt)
	p.diff(weighed(findings, judged), judged)
	return p.Print(w)
}

// Names gives the names of the variants of a set, never nil; none where there
// is no build for the set to be over.
func Names(b *assembly.Build, s ground.Set) []string {
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

func (p *Page) diff(findings diag.List, judged Verdict) {
	if side, stopped := stoppedSide(p.d); stopped {
		finding.Print(p.Printer, findings)
		p.Line(words.Clean(side.Name), notCompared)
		return
	}
	p.header()
	if len(p.Rows) > 0 {
		p.Line()
	}
	if n := p.Opt.Only; n > 0 && n <= len(p.Rows) {
		p.edit(n, p.Rows[n-1])
		printVerdict(p.Printer, judged)
		return
	}
	for i, e := range p.Rows {
		if p.Opt.Whole {
			p.Opt.Only = i + 1
		} else if i == maxEdits {
			break
		}
		p.edit(i+1, e)
	}
	p.Opt.Only = 0
	if left := len(p.Rows) - maxEdits; left > 0 && !p.Opt.Whole {
		p.Line("and ", words.Count(left, "more change"), ", from ", strconv.Itoa(maxEdits+1), " on: ", p.only(maxEdits+1))
	}
	p.idle()
	if len(findings) > 0 {
		p.Line()
		finding.Print(p.Printer, findings)
	}
	if near := p.nearestLimit(); near.artifact != nil {
		p.Line()
		p.Line("budgets: closest is ", words.Clean(near.artifact.Variant.Name), " at ", near.share())
	}
	printVerdict(p.Printer, judged)
}

// notCompared is said of a side that does not compile, behind its name.
const notCompared = " does not compile: nothing was compared"

// Failures writes what a difference fails on.
func Failures(w io.Writer, judged Verdict, opt words.Options) error {
	p := words.NewPrinter(opt)
	printVerdict(p, judged)
	return p.Print(w)
}

func printVerdict(p *words.Printer, judged Verdict) {
	for _, f := range judged.Failures {
		p.Line(p.Paint(words.Red, "fails on "+f.Word+": "), words.Clean(f.Why))
	}
}

// only gives the command that prints one change whole.
func (p *Page) only(number int) string {
	return words.Clean(cmp.Or(p.Opt.Command, "promptc diff")) + " --only " + strconv.Itoa(number)
}

// header says how much changed, and between what, in a line.
func (p *Page) header() {
	sides := "(" + words.Clean(p.d.Base.Name) + " → " + words.Clean(p.d.Head.Name) + ")"
	head, differs := p.sum()
	if differs {
		gap := max(leastGap, diffWidth-words.Columns(head)-words.Columns(sides))
		p.Line(p.Paint(words.Bold, head), strings.Repeat(" ", gap), p.Paint(words.Dim, sides))
	} else {
		p.Line(head, " ", p.Paint(words.Dim, sides))
	}
	for _, line := range p.Remarks(false) {
		p.Line(line.Text())
	}
}

// Remarks are the lines about the comparison as a whole. A page for a browser has them
// whole: nothing is left out for length.
func (p *Page) Remarks(whole bool) []Phrase {
	out := p.borrowed(whole)
	n := 0
	for _, t := range p.d.Texts {
		if t.Approximate {
			n++
		}
	}
	if n > 0 {
		out = append(out, Phrase{ours("less may have changed in " + words.Count(n, "text") + ": too long and too different for the least difference")})
	}
	if n, first, _ := overruns(p.d, true); n > 0 {
		line := Phrase{ours("already over at the base: "), theirs(first)}
		if n > 1 {
			line = append(line, ours(", and "+words.Number(n-1)+" more"))
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
func (p *Page) sum() (head string, differs bool) {
	switch {
	case len(p.Rows) > 0 || differ(p.d.Pairs):
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
func (p *Page) borrowed(whole bool) []Phrase {
	side, lender := p.d.Base, p.d.Head
	switch {
	case lender.Patterns != nil:
		out := Phrase{ours("without a manifest: prompts and axes come from names in the files that match ")}
		for i, pattern := range lender.Patterns {
			out = append(out, ours([]string{"", ", "}[min(i, 1)]), theirs(pattern))
		}
		return []Phrase{out}
	case borrows(side) && borrows(lender):
		return []Phrase{{ours("without a manifest: these are the prompts that init would take; to keep them: "), theirs("promptc init")}}
	case borrows(lender):
		side, lender = lender, side
	case !borrows(side):
		return nil
	}
	out := []Phrase{{theirs(side.Name), ours(" has no "), theirs(manifestName(lender.Result)), ours(": that of "), theirs(lender.Name), ours(" serves both sides")}}
	lacks := side.Result.Lacks
	most := maxLacks
	if whole {
		most = len(lacks)
	}
	for _, d := range lacks[:min(most, len(lacks))] {
		out = append(out, Phrase{ours("not in "), theirs(side.Name), ours(": "), theirs(p.LineOf(d.Span)), ours(" "), theirs(wording.Message(d))})
	}
	if more := len(lacks) - most; more > 0 {
		out = append(out, Phrase{ours("and " + words.Number(more) + " more (--format json has all)")})
	}
	return out
}

// Borrowed gives, a line each, what [Diff] says of a side without a manifest, for
// who prints a format that has no place for it.
func Borrowed(d *review.Difference, opt words.Options) []string {
	var out []string
	for _, line := range NewPage(d, opt).borrowed(false) {
		out = append(out, line.Text())
	}
	return out
}

// borrows reports whether a side was compiled by the other's manifest.
func borrows(s review.Side) bool {
	return s.Result != nil && s.Result.Tree != nil && s.Result.Tree.Borrowed
}

func manifestName(r *prompt.Result) string {
	if f := words.ManifestOf(r); f != nil {
		return path.Base(f.Path)
	}
	return "prompts.yaml"
}

func (p *Page) everything() string {
	variants := 0
	for _, pair := range p.d.Pairs {
		if pair.Head != nil {
			variants += len(pair.Head.Variants)
		}
	}
	return words.Count(variants, "variant") + " of " + words.Count(len(p.d.Pairs), "prompt")
}

// extent counts the changes, the prompts that they are about, and how many of
// the variants of these they affect.
func (p *Page) extent() string {
	reached := p.d.Reached()
	affected, all, gone := 0, 0, 0
	for _, pair := range reached {
		affected, gone = affected+pair.Reached().Len(), gone+pair.Gone.Len()
		if pair.Head != nil {
			all += len(pair.Head.Variants)
		}
	}
	changes := words.Count(len(p.Rows), "change")
	if len(p.Rows) == 0 {
		changes = "changes in included files alone"
	}
	out := changes + ", " + words.Count(len(reached), "prompt")
	if all > 0 {
		out += ", " + words.Number(affected) + " of " + words.Count(all, "variant")
	}
	switch {
	case gone > 0 && all > 0:
		out += ", " + words.Number(gone) + " removed"
	case gone > 0:
		out += ", " + words.Count(gone, "variant") + " removed"
	}
	return out
}

// edit writes one change with its number, its place and its size, and all that it
// reaches.
func (p *Page) edit(number int, e *review.Edit) {
	said := Describe(e)
	head, verb := strconv.Itoa(number)+"  "+words.Clean(PromptOf(e))+"  "+said.What.Text(), said.Verb.Text()
	right := strings.TrimLeft(p.Source(e).Text()+p.Size(e), " ")
	gap := max(leastGap, min(words.PlaceColumn, diffWidth-words.Columns(right))-words.Columns(head)-words.Columns(verb))
	p.Line(p.Paint(words.Bold, head), p.Paint(said.Tone, verb), strings.Repeat(" ", gap), right)
	for _, line := range append([]Phrase{said.More}, p.Reaches(number, e)...) {
		if text := line.Text(); text != "" {
			p.Line("  ", text)
		}
	}
	p.body(number, e)
}

// Source gives the place of an edit and the others that are edited alike, and
// the side that they are in where that is not the head, and the path alone does
// not tell. Nil where there is nothing to add.
func (p *Page) Source(e *review.Edit) Phrase {
	on := p.Printer
	if e.InBase {
		on = words.NewPrinter(p.Opt.OfBase())
	}
	at := on.LineOf(e.At)
	if at == "" {
		return nil
	}
	if to, _ := e.Is.(review.Files); len(to) == 1 && to[0].Path == on.Path(e.At.File.Path) {
		return nil // the change names the file already
	}
	out := Phrase{theirs(at)}
	for _, other := range alsoPlaces(on, e) {
		out = append(out, ours(" and "), other)
	}
	if e.InBase && p.Opt.Against == "" {
		out = append(out, ours(" in "), theirs(p.d.Base.Name))
	}
	return out
}

// also names the other places of an edit: the one of another file, or how many
// there are, and all of them where one change is printed whole; nil for none.
func alsoPlaces(p *words.Printer, e *review.Edit) []bit {
	if p.Opt.Only > 0 {
		var out []bit
		for _, at := range e.Also {
			out = append(out, theirs(p.LineOf(at)))
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
		return []bit{ours(words.Count(len(e.Also), "more place"))}
	case len(files) == 1:
		return []bit{theirs(p.LineOf(first))}
	default:
		return []bit{ours(words.Count(len(files), "more file"))}
	}
}

// idle names the sources that changed without a variant that did, and the
// prompts to render again.
func (p *Page) idle() {
	for _, s := range p.d.Idle[:min(maxEdits, len(p.d.Idle))] {
		p.Line(words.Clean(IdlePath(p.Opt, s)), " ", IdleWords(p.Opt, s).Text())
	}
	if left := len(p.d.Idle) - maxEdits; left > 0 {
		p.Line("and ", words.Count(left, "more file"), " without effect (--format json has all)")
	}
	for _, s := range p.d.Stale {
		p.Line(p.Paint(words.Yellow, StaleWords(p.Opt, s)))
		p.Line("  hint: ", staleHint(s))
	}
}

// again says what is to be done about texts that may be out of date, and staleHint how.
func again(s review.Stale) string {
	if s.Recorded() {
		return "record again"
	}
	return "render again"
}

func staleHint(s review.Stale) string {
	if s.Recorded() {
		return "run: promptc record " + words.Clean(s.Pair.ID)
	}
	return "run the tests that write the texts with their update flag"
}

// maxStale is how many inputs of a prompt are named before the rest is counted.
const maxStale = 3

// StaleWords says which inputs of a prompt changed while its texts did not.
func StaleWords(opt words.Options, s review.Stale) string {
	return words.Clean(s.Pair.ID) + "  " + again(s) + ": " + staleInputs(opt, s, words.Clean) + " changed, no text did"
}

// staleInputs names the first inputs of a prompt that changed.
func staleInputs(o words.Options, s review.Stale, write func(string) string) string {
	names := make([]string, len(s.Inputs))
	for i, input := range s.Inputs {
		names[i] = write(IdlePath(o, input))
	}
	out := words.List(names, maxStale)
	if len(names) > maxStale {
		out += " (--format json has all)"
	}
	return out
}

// IdlePath gives the path of such a source on the side that has it.
func IdlePath(o words.Options, s review.Idle) string {
	if s.Removed {
		o = o.OfBase()
	}
	return o.Path(s.Path)
}

// IdleWords says what became of such a source.
func IdleWords(o words.Options, s review.Idle) Phrase {
	did := "changed"
	switch {
	case s.Added:
		did = "added"
	case s.Removed:
		did = "removed"
	}
	switch {
	case s.LineEnds && s.Files > 1:
		return Phrase{ours("and " + words.Count(s.Files-1, "more file") + " changed in line ends alone, which texts do not keep")}
	case s.LineEnds:
		return Phrase{ours("changed in line ends alone, which texts do not keep")}
	case s.Partial:
		return Phrase{ours("was not compared: too many files that no variant reads")}
	case s.Includer != "" && s.Unsure:
		return Phrase{ours(did + "; "), theirs(o.Path(s.Includer)), ours(" may include it")}
	case s.Includer != "":
		out := Phrase{ours(did + ": "), theirs(o.Path(s.Includer)), ours(" includes it, so it reaches "), theirs(s.Reaches[0].Name)}
		if n := len(s.Reaches); n > 1 {
			out = append(out, ours(" and "+words.Number(n-1)+" more"))
		}
		return out
	case s.Unread:
		return Phrase{ours(did + ", no variant reads it")}
	case s.Entries > 0 && !s.Added && !s.Removed && s.Was == "":
		return Phrase{ours("changed in " + words.Number(s.Entries) + " entries that no variant reads")}
	case s.Files > 1:
		return Phrase{ours("has " + words.Count(s.Files, "file") + " that moved from "), theirs(s.Was), ours(", which changes no variant")}
	case s.Was != "":
		return Phrase{ours("moved from "), theirs(s.Was), ours(", which changes no variant")}
	default:
		return Phrase{ours(did + ", which changes no variant")}
	}
}

// Limit is how much of one budget a variant uses.
type Limit struct {
	artifact *assembly.Artifact
	name     string // tokens, chars, tool_tokens
	use, of  int
}

// share gives how much of the budget is used.
func (l Limit) share() string {
	switch l.name {
	case "chars":
		return words.Percent(l.use, l.of) + " of its characters"
	case "tool_tokens":
		return words.Percent(l.use, l.of) + " of its tool tokens"
	default:
		return words.Percent(l.use, l.of)
	}
}

// Closing names the variant that is closest to its budget, "" where none has any.
func (l Limit) Closing(r *prompt.Result) string {
	if l.artifact == nil {
		return ""
	}
	estimate := l.name != "chars" && l.artifact.Variant.Estimated(r.Spec)
	return "Closest to its budget: " + words.CodeSpan(l.artifact.Variant.Name) + " with " + words.Approx(estimate, words.Number(l.use)) + " of " + words.Number(l.of) +
		" " + limitNoun(l.name).text + " (" + words.Percent(l.use, l.of) + ")"
}

// nearestLimit gives the variant of the head, in the prompts that are
// compared, that uses most of a budget of its own; none where nothing changed.
func (p *Page) nearestLimit() (out Limit) {
	if len(p.Rows) == 0 {
		return out
	}
	for _, l := range nearestLimits(p.d) {
		out = Nearer(out, l.artifact)
	}
	return out
}

// nearestLimits gives the same for each prompt that has a budget.
func nearestLimits(d *review.Difference) []Limit {
	if d.Head.Result == nil {
		return nil
	}
	at := map[*assembly.Build]int{}
	for _, pair := range d.Pairs {
		if pair.Head != nil {
			at[pair.Head] = len(at)
		}
	}
	best := make([]Limit, len(at))
	for _, a := range d.Head.Result.Artifacts {
		i, ok := at[a.Build]
		if !ok {
			continue
		}
		best[i] = Nearer(best[i], a)
	}
	var out []Limit
	for _, l := range best {
		if l.artifact != nil {
			out = append(out, l)
		}
	}
	return out
}

// Nearer compares a limit with those of an artifact, and gives the one that is used
// up most; of equals the first. What has no limit is never near.
func Nearer(out Limit, a *assembly.Artifact) Limit {
	b := a.Variant.Budget
	for _, l := range []Limit{
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

// PromptOf gives the id of the first prompt that an edit reaches.
func PromptOf(e *review.Edit) string {
	if len(e.Reach) == 0 {
		return ""
	}
	return e.Reach[0].Pair.ID
}

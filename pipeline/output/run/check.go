package run

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Check writes what on disk differs from what a build writes: each change
// with its source, its variants and its difference, then what to do. Without
// a difference it is one line that says so.
func Check(w io.Writer, r *prompt.Result, opt words.Options) error {
	p := words.NewPrinter(opt.Masking(r))
	printCheck(p, FactsOf(r, Outcome{Command: "check"}, opt.Masking(r)))
	return p.Print(w)
}

func printCheck(p *words.Printer, f *Facts) {
	if f.r.Delta == nil {
		return
	}
	switch {
	case f.state == outOfDate:
		printChanges(p, f.shown)
		amounts := f.amounts
		if n := len(f.following); n > 0 {
			amounts += " (" + words.List(f.following, 3) + " " + change.Follow(n) + ")"
		}
		p.Line(p.Paint(words.Red, f.lead), words.Clean(amounts))
	case f.state == missing || len(f.stale) == 0:
		p.Line(f.lead, f.amounts)
	}
	for _, r := range f.reasons {
		p.Line(r.why)
		if r.hint != "" {
			p.Line("  ", p.Paint(words.Cyan, "hint:"), " ", r.hint)
		}
	}
	for _, e := range f.stale {
		p.Line(p.Paint(words.Red, p.Path(e.Folder)), emittedWords(p.Opt, e, words.Clean))
	}
	if f.drifted() || len(f.stale) > 0 {
		p.Line(p.Paint(words.Bold, p.Opt.RemedyLine()))
	}
}

// extent counts what a run is about: what has snapshots, and what is rendered
// elsewhere.
func extent(r *prompt.Result) string {
	var here, there [2]int // prompts and variants
	renderings := 0
	for _, s := range builds(r) {
		of := &here
		if s.elsewhere {
			of = &there
		} else {
			renderings += s.renderings
		}
		of[0], of[1] = of[0]+1, of[1]+s.variants
	}
	amounts := func(of [2]int) string { return words.Count(of[0], "prompt") + ", " + words.Count(of[1], "variant") }
	switch {
	case there[0] == 0:
		return amounts(here) + ", " + words.Count(renderings, "rendering")
	case here[0] == 0:
		return amounts(there) + ", rendered elsewhere"
	default:
		return amounts(here) + ", " + words.Count(renderings, "rendering") + "; " + amounts(there) + ", rendered elsewhere"
	}
}

func printChanges(p *words.Printer, all []fileChange) {
	for _, c := range all[:min(finding.MaxFindings, len(all))] {
		printChange(p, c)
	}
	if left := len(all) - finding.MaxFindings; left > 0 {
		p.Line("and ", words.Count(left, "more change"))
	}
}

// change writes one change: what and where, who has it, and what differs.
func printChange(p *words.Printer, c fileChange) {
	head := words.Clean(c.prompt)
	if head != "" {
		head += "  "
	}
	head += words.Clean(c.subject) + "  "
	verb := c.verb()
	gap := max(words.PlaceColumn-words.Columns(head)-words.Columns(verb), 3)
	look := [...]words.Style{words.Yellow, words.Green, words.Yellow, words.Red}[c.Status]
	p.Line(p.Paint(words.Bold, head), p.Paint(look, verb), strings.Repeat(" ", gap), words.Clean(c.where), "   ", c.figure)
	for _, l := range c.userLines() {
		p.Line("  ", words.Clean(l))
	}
	if c.Status == store.Changed {
		printChanged((&change.Page{Printer: p}), &c)
	}
}

// growth gives how many tokens more a text has than before. Indexes, outlines
// and descriptions of images never reach a model, and of a request body only
// the texts do, so they have no tokens. Of the definition of a tool what is sent
// is counted, as everywhere.
func growth(c fileChange, tokens func(string) int) (int, bool) {
	if tokens == nil || c.kind == assembly.OutIndex || c.kind == assembly.OutOutline || c.describes() || c.isBody() || c.LineEnds {
		return 0, false
	}
	before, after, n := c.Old, c.Output.Content(), 0
	if c.kind == assembly.OutTool {
		before, after = canon.Sent(before), canon.Sent(after)
	}
	if before != "" {
		n -= tokens(before)
	}
	if after != "" {
		n += tokens(after)
	}
	return n, true
}

// userLines says which variants have a text, a line for each prompt.
func (c *fileChange) userLines() []string {
	var out []string
	for _, u := range c.users() {
		line := "in "
		if u.other {
			line = "and in " + u.Prompt + ", "
		}
		line += words.Number(u.In) + " of " + words.Number(u.Of)
		if u.In < u.Of {
			line += ": " + u.Set
		}
		out = append(out, line)
	}
	return out
}

// everyTally counts the changes by kind and status.
func everyTally(all []fileChange) string {
	var parts []string
	for _, kind := range []assembly.OutputKind{assembly.OutRendering, assembly.OutItem, assembly.OutTool, assembly.OutFull, assembly.OutOutline, assembly.OutIndex} {
		for _, status := range []store.Status{store.Changed, store.Added, store.Orphaned} {
			n := 0
			for _, c := range all {
				// What conversations say are items, too.
				same := c.kind == kind || c.kind == assembly.OutContent && kind == assembly.OutItem
				if !c.follows && same && c.Status == status {
					n++
				}
			}
			if n > 0 {
				parts = append(parts, words.Count(n, noun(kind))+" "+past(status))
			}
		}
	}
	return strings.Join(parts, ", ")
}

func past(s store.Status) string {
	return [...]string{"unchanged", "missing", "changed", "no longer built"}[s]
}

// statuses counts files by what became of them.
type statuses [store.Orphaned + 1]int

func statusesOf(all []store.Change) (n statuses) {
	for _, c := range all {
		n[c.Status]++
	}
	return n
}

// words says how many files changed, came and went: "2 changed, 1 added".
func (n statuses) words(changed, added, removed string) string {
	var out []string
	for _, row := range []struct {
		n    int
		word string
	}{{n[store.Changed], changed}, {n[store.Added], added}, {n[store.Orphaned], removed}} {
		if row.n > 0 {
			out = append(out, words.Number(row.n)+" "+row.word)
		}
	}
	return strings.Join(out, ", ")
}

// emittedWords says behind the name of a folder how its emitted files on disk differ.
func emittedWords(o words.Options, e *store.Emitted, write func(string) string) string {
	return " is out of date: " + statusesOf(e.Changes).words(past(store.Changed), past(store.Added), past(store.Orphaned)) +
		" (first: " + write(o.Path(e.Changes[0].Output.Path)) + ")"
}

// wrote says what became of the files of a folder, "" for nothing.
func wroteWords(o words.Options, folder string, all []store.Change, write func(string) string) string {
	n := statusesOf(all)
	where := " below " + write(o.Path(folder))
	if folder == "." { // of several projects
		where = " of artifacts"
	}
	var parts []string
	if written := len(all) - n[store.Orphaned]; written > 0 {
		parts = append(parts, "wrote "+words.Count(written, "file")+where)
	}
	if removed := n[store.Orphaned]; removed > 0 {
		parts = append(parts, "removed "+words.Count(removed, "file")+" there")
	}
	return strings.Join(parts, ", ")
}

// namedFiles is how many of the written files are named before the rest is
// counted.
const namedFiles = 4

// built is what a build made of one prompt.
type built struct {
	id                   string
	variants, renderings int
	// elsewhere says that another program renders it.
	elsewhere bool
	// files are those that hold text of the prompt.
	files statuses
}

// Build writes a line for each prompt, and then what was written.
func Build(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	p := words.NewPrinter(opt.Masking(r))
	printBuild(p, r, did)
	return p.Print(w)
}

func printBuild(p *words.Printer, r *prompt.Result, did Outcome) {
	var t words.Table
	for _, b := range builds(r) {
		texts := words.Count(b.renderings, "rendering")
		if b.elsewhere {
			texts = "rendered elsewhere"
		}
		t.Row(words.Clean(b.id), words.Count(b.variants, "variant"), texts, b.news())
	}
	t.Align = []words.Side{words.ToLeft, words.ToRight, words.ToRight, words.ToLeft}
	t.Print(p, 3)
	d := r.Delta
	if d == nil {
		return
	}
	var files int
	if did.Snapshots {
		files += printWrote(p, d.Snapshots)
	}
	if did.Artifacts {
		for _, e := range d.Emitted() {
			if line := wroteWords(p.Opt, e.Folder, e.Changes, words.Clean); line != "" {
				p.Line(line)
			}
			files += len(e.Changes)
		}
	}
	if files == 0 && (did.Snapshots || did.Artifacts) {
		p.Line("nothing to write: everything is up to date")
	}
}

// news says what changed of a prompt, "" for nothing.
func (b built) news() string { return b.files.words("changed", "added", "removed") }

// wrote names the files that were written and those that were removed.
func printWrote(p *words.Printer, all []store.Change) int {
	sorted := slices.Clone(all)
	// What people look for comes first, the indexes that follow last.
	slices.SortStableFunc(sorted, func(a, b store.Change) int { return rank(a) - rank(b) })
	var written, removed []string
	for _, c := range sorted {
		if c.Status == store.Orphaned {
			removed = append(removed, p.Path(c.Output.Path))
		} else {
			written = append(written, p.Path(c.Output.Path))
		}
	}
	for _, l := range []struct {
		verb  string
		names []string
	}{{"wrote", written}, {"removed", removed}} {
		switch n := len(l.names); {
		case n > namedFiles:
			p.Line(l.verb, " ", words.Count(n, "file"), ": ", words.List(l.names, namedFiles))
		case n > 0:
			p.Line(l.verb, " ", strings.Join(l.names, ", "))
		}
	}
	return len(all)
}

func rank(c store.Change) int {
	switch c.Output.Owner.Kind {
	case assembly.OutOutline:
		return 1
	case assembly.OutIndex:
		return 2
	default:
		return 0
	}
}

// builds counts what each prompt of the plan has, in declared order.
func builds(r *prompt.Result) []built {
	if r.Plan == nil {
		return nil
	}
	out := make([]built, len(r.Plan.Builds))
	at := map[*assembly.Build]int{}
	for i, b := range r.Plan.Builds {
		out[i].id, out[i].variants, out[i].elsewhere = b.Prompt.ID.Str, len(b.Variants), b.Prompt.Rendered != nil
		at[b] = i
	}
	for i, n := range renderings(r) {
		out[i].renderings = n
	}
	if r.Delta == nil {
		return out
	}
	for _, c := range r.Delta.Snapshots {
		tell(out, at, c)
	}
	return out
}

// renderings counts the distinct texts of each section, summed by prompt.
func renderings(r *prompt.Result) []int {
	type text struct {
		section int
		str     string
	}
	out := make([]int, len(r.Plan.Builds))
	at := map[*assembly.Build]int{}
	texts := make([]map[text]bool, len(out))
	for i, b := range r.Plan.Builds {
		at[b] = i
		texts[i] = map[text]bool{}
	}
	seen := map[*assembly.Rendering]bool{} // most variants share theirs: hash each text once
	for _, a := range r.Artifacts {
		i, ok := at[a.Build]
		if !ok {
			continue
		}
		for _, part := range a.Parts {
			if part.Rendering == nil || part.Text == "" || seen[part.Rendering] {
				continue
			}
			seen[part.Rendering] = true
			texts[i][text{part.Section, part.Text}] = true
		}
	}
	for i := range out {
		out[i] = len(texts[i])
	}
	return out
}

// tell adds a changed file to the counts of the prompts that use it.
func tell(out []built, at map[*assembly.Build]int, c store.Change) {
	kind, owner := c.Output.Owner.Kind, c.Output.Owner.Prompt
	if kind == assembly.OutIndex || kind == assembly.OutOutline {
		return
	}
	users := map[int]bool{}
	for _, u := range c.Output.Owner.Users {
		if i, ok := at[u.Build]; ok {
			users[i] = true
		}
	}
	for i := range out {
		if out[i].id != owner && !users[i] {
			continue
		}
		out[i].files[c.Status]++
	}
}

// Listing says what List shows beside the names.
type Listing struct {
	// Tokens adds the sizes and budgets.
	Tokens bool
	// Context is the size in tokens of a context window to show shares of; 0
	// shows none.
	Context int
}

// List writes the names of variants, one a line and nothing else; a table of
// their sizes where they are asked for.
func List(w io.Writer, r *prompt.Result, artifacts []*assembly.Artifact, with Listing, opt words.Options) error {
	p := words.NewPrinter(opt.Masking(r))
	if !with.Tokens && with.Context <= 0 {
		for _, a := range artifacts {
			p.Line(words.Clean(a.Variant.Name))
		}
		return p.Print(w)
	}
	t := words.Table{Align: []words.Side{words.ToLeft, words.ToRight, words.ToRight, words.ToRight, words.ToRight, words.ToRight, words.ToLeft, words.ToLeft}}
	named := namesCounters(r.Spec, artifacts)
	for _, a := range artifacts {
		limit, share := ceiling(a)
		tools, context, by := "", "", ""
		if a.ToolTokens > 0 {
			tools = words.Approx(a.Variant.Estimated(r.Spec), words.Number(a.ToolTokens))
		}
		if with.Context > 0 {
			context = words.Fraction(a.Use+a.ToolTokens, with.Context) + " of " + words.Number(with.Context)
		}
		if named {
			by = words.Clean(ledger.Counter(r.Spec, a.Variant))
		}
		t.Row(words.Clean(a.Variant.Name), words.Approx(a.Variant.Estimated(r.Spec), words.Number(a.Use)), words.Number(a.Chars), tools, limit, share, context, by)
	}
	t.Head("variant", "tokens", "characters", "tool tokens", "budget", "used", "context", "tokenizer")
	t.Print(p, 3)
	return p.Print(w)
}

// ceiling gives the budget that limits a variant most, and how much of it is
// used.
func ceiling(a *assembly.Artifact) (limit, share string) {
	b := a.Variant.Budget
	switch {
	case b.Tokens >= 0 && (b.Chars < 0 || int64(a.Use)*int64(b.Chars) >= int64(a.Chars)*int64(b.Tokens)):
		return words.Number(b.Tokens), words.Percent(a.Use, b.Tokens)
	case b.Chars >= 0:
		return words.Number(b.Chars) + " characters", words.Percent(a.Chars, b.Chars)
	default:
		return "", ""
	}
}

// namesCounters reports whether the tokenizers need naming: they differ, or one is an
// estimate.
func namesCounters(spec *language.Spec, artifacts []*assembly.Artifact) bool {
	for _, a := range artifacts {
		name := a.Variant.Tokenizer
		if name != artifacts[0].Variant.Tokenizer || ledger.Counter(spec, a.Variant) != name {
			return true
		}
	}
	return false
}

// printChanged writes what differs in a file: of a tool the places of its
// definition, of anything else the lines.
func printChanged(p *change.Page, c *fileChange) {
	if leaves := c.leaves; len(leaves) > 0 {
		if left := p.Leaves(leaves, words.MaxHunkLines); left.Lines > 0 {
			p.Line("  … ", words.Count(left.Lines, "more line"))
		}
		return
	}
	before, after := c.Old, c.Output.Content()
	if c.LineEnds {
		return // the verb says all
	}
	plain := *p
	plain.Unmarked = true
	room, left := words.MaxHunkLines, 0
	for _, h := range textdiff.Hunks(before, after, 1) {
		lines := plain.Hunk(review.Hunk{Lines: h.Lines})
		shown := lines[:min(room, len(lines))]
		if len(shown) > 0 {
			p.Line("  ", p.Paint(words.Cyan, "@@ "+words.Clean(words.Shorten(cmp.Or(h.Heading, "line "+strconv.Itoa(h.Line))))+" @@"))
		}
		p.Indented(shown)
		room, left = room-len(shown), left+len(lines)-len(shown)
	}
	if left > 0 {
		p.Line("  … ", words.Count(left, "more line"), " of this difference")
	}
}

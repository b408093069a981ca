package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// placeColumn is where the source of a change stands, so that the eye finds
// it below the one before; a longer subject pushes it to the right.
const placeColumn = 49

// Check writes what on disk differs from what a build writes: each change
// with its source, its variants and its difference, then what to do. Without
// a difference it is one line that says so.
func Check(w io.Writer, r *prompt.Result, opt Options) error {
	p := newPage(opt.of(r))
	p.check(factsOf(r, Outcome{Command: "check"}, opt.of(r)))
	return p.print(w)
}

func (p *page) check(f *facts) {
	if f.r.Delta == nil {
		return
	}
	switch {
	case !f.drifted && !f.stale:
		p.line(upToDate(f.r))
		return
	case f.fresh:
		p.line(f.missing(), extent(f.r))
	case f.drifted:
		p.changes(f.changes)
		p.line(p.paint(red, "snapshots are out of date: "), closing(f.changes))
	}
	for _, r := range f.reasons() {
		p.line(r.why)
		if r.hint != "" {
			p.line("  ", p.paint(cyan, "hint:"), " ", r.hint)
		}
	}
	if f.stale {
		for _, e := range staleFolders(f.r.Delta) {
			p.line(p.staleLine(e))
		}
	}
	p.line(p.paint(bold, p.opt.remedyLine()))
}

// fresh reports whether none of the wanted snapshots is on disk.
func fresh(d *prompt.Delta, all []change) bool {
	for _, c := range all {
		if c.Status != prompt.Added {
			return false
		}
	}
	return d.Snapshotted > 0 && len(all) == d.Snapshotted
}

// upToDate says that nothing differs from what a build writes, which may be
// nothing for texts that are rendered elsewhere.
func upToDate(r *prompt.Result) string {
	if r.Plan != nil && len(r.Plan.Builds) > 0 && !slices.ContainsFunc(r.Plan.Builds, func(b *prompt.Build) bool { return b.Prompt.HasSnapshots() }) {
		return "no snapshots: " + extent(r)
	}
	return "snapshots are up to date: " + extent(r)
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
	amounts := func(of [2]int) string { return count(of[0], "prompt") + ", " + count(of[1], "variant") }
	switch {
	case there[0] == 0:
		return amounts(here) + ", " + count(renderings, "rendering")
	case here[0] == 0:
		return amounts(there) + ", rendered elsewhere"
	default:
		return amounts(here) + ", " + count(renderings, "rendering") + "; " + amounts(there) + ", rendered elsewhere"
	}
}

func (p *page) changes(all []change) {
	shown, left := 0, 0
	for _, c := range all {
		switch {
		case c.follows:
		case shown == maxFindings:
			left++
		default:
			shown++
			p.change(c)
		}
	}
	if left > 0 {
		p.line("and ", count(left, "more change"))
	}
}

// change writes one change: what and where, who has it, and what differs.
func (p *page) change(c change) {
	head := clean(c.prompt)
	if head != "" {
		head += "  "
	}
	head += clean(c.subject) + "  "
	verb := c.verb()
	gap := max(placeColumn-columns(head)-columns(verb), 3)
	style := yellow
	switch c.Status {
	case prompt.Added:
		style = green
	case prompt.Orphaned:
		style = red
	case prompt.Unchanged, prompt.Changed:
	}
	p.line(p.paint(bold, head), p.paint(style, verb), strings.Repeat(" ", gap), p.where(c), p.tokens(c))
	for _, l := range users(c.Output.Owner) {
		p.line("  ", clean(l))
	}
	if c.Status == prompt.Changed {
		(&diffPage{page: p}).changed(&c)
	}
}

// where gives the source line of a change, or the file on disk where no
// source caused it.
func (p *page) where(c change) string {
	at := c.at
	if !at.Known() {
		return p.path(c.Output.Path)
	}
	line := at.File.LineAt(at.Start)
	return fmt.Sprintf("%s:%d", p.path(at.File.Path), line)
}

func (p *page) tokens(c change) string {
	if c.tokens == nil {
		return ""
	}
	n := *c.tokens
	return "   " + approx(c.estimate, difference(n)) + " " + plural(max(n, -n), "token")
}

// growth gives how many tokens more a text has than before. Indexes, outlines
// and descriptions of images never reach a model, and of a request body only
// the texts do, so they have no tokens. Of the definition of a tool what is sent
// is counted, as everywhere.
func growth(c change, tokens func(string) int) (int, bool) {
	if tokens == nil || c.kind == prompt.OutIndex || c.kind == prompt.OutOutline || c.describes() || c.isBody() {
		return 0, false
	}
	before, after, n := c.Old, c.Output.Content(), 0
	if c.kind == prompt.OutTool {
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

// users says which variants have a text, a line for each prompt.
func users(owner prompt.Owner) []string {
	var out []string
	for _, u := range owner.Users {
		head := fmt.Sprintf("in %s of %s", number(u.Set.Len()), number(len(u.Build.Variants)))
		if id := u.Build.Prompt.ID.Str; id != owner.Prompt {
			head = fmt.Sprintf("and in %s, %s of %s", id, number(u.Set.Len()), number(len(u.Build.Variants)))
		}
		if u.Set.Len() < len(u.Build.Variants) {
			head += ": " + u.Build.Describe(u.Set)
		}
		out = append(out, head)
	}
	return out
}

// tally is one row of the closing line: a kind of file, what became of it and
// how many there are.
type tally struct {
	kind   prompt.OutputKind
	status prompt.Status
	n      int
}

// closing counts the changes, and names the generated files that merely
// follow them.
func closing(all []change) string {
	var rows []tally
	for kind := prompt.OutRendering; kind <= prompt.OutFull; kind++ {
		rows = append(rows, tallies(all, kind)...)
	}
	rows = append(rows, tallies(all, prompt.OutOutline)...)
	rows = append(rows, tallies(all, prompt.OutIndex)...)
	var words []string
	for _, t := range rows {
		words = append(words, count(t.n, noun(t.kind))+" "+past(t.status))
	}
	var following []string
	for _, c := range all {
		if c.follows {
			following = append(following, strings.TrimPrefix(clean(c.prompt)+" ", " ")+clean(c.subject))
		}
	}
	out := strings.Join(words, ", ")
	if len(following) > 0 {
		verb := " follow"
		if len(following) == 1 {
			verb = " follows"
		}
		out += " (" + list(following, 3) + verb + ")"
	}
	return out
}

// tallies counts the changes of a kind. What conversations say are items, too.
func tallies(all []change, kind prompt.OutputKind) []tally {
	rows := []tally{{kind, prompt.Changed, 0}, {kind, prompt.Added, 0}, {kind, prompt.Orphaned, 0}}
	var out []tally
	for _, row := range rows {
		for _, c := range all {
			same := c.kind == row.kind || c.kind == prompt.OutContent && row.kind == prompt.OutItem
			if !c.follows && same && c.Status == row.status {
				row.n++
			}
		}
		if row.n > 0 {
			out = append(out, row)
		}
	}
	return out
}

func past(s prompt.Status) string {
	return [...]string{"unchanged", "missing", "changed", "no longer built"}[s]
}

// staleLine says in one line how the emitted files of a folder on disk differ.
func (p *page) staleLine(e *prompt.Emitted) string {
	rows := [...]tally{{status: prompt.Changed}, {status: prompt.Added}, {status: prompt.Orphaned}}
	words := [...]string{"changed", "missing", "no longer built"}
	var parts []string
	for i, row := range rows {
		for _, c := range e.Changes {
			if c.Status == row.status {
				row.n++
			}
		}
		if row.n > 0 {
			parts = append(parts, number(row.n)+" "+words[i])
		}
	}
	return p.paint(red, p.path(e.Folder)+" is out of date: ") + strings.Join(parts, ", ") +
		" (first: " + p.path(e.Changes[0].Output.Path) + ")"
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
	// changed, added and removed count files that hold text of the prompt.
	changed, added, removed int
}

// Build writes a line for each prompt, and then what was written.
func Build(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	p := newPage(opt.of(r))
	p.build(r, did)
	return p.print(w)
}

func (p *page) build(r *prompt.Result, did Outcome) {
	var t table
	for _, b := range builds(r) {
		texts := count(b.renderings, "rendering")
		if b.elsewhere {
			texts = "rendered elsewhere"
		}
		t.row(clean(b.id), count(b.variants, "variant"), texts, news(b))
	}
	t.align = []side{toLeft, amount, amount, toLeft}
	t.print(p, 3)
	d := r.Delta
	if d == nil {
		return
	}
	var files int
	if did.Snapshots {
		files += p.wrote(d.Snapshots)
	}
	if did.Artifacts {
		for _, e := range d.Emitted() {
			files += p.wroteEmitted(e)
		}
	}
	if files == 0 && (did.Snapshots || did.Artifacts) {
		p.line("nothing to write: everything is up to date")
	}
}

// news says what changed of a prompt, "" for nothing.
func news(b built) string {
	var parts []string
	for _, n := range []struct {
		n    int
		word string
	}{{b.changed, "changed"}, {b.added, "added"}, {b.removed, "removed"}} {
		if n.n > 0 {
			parts = append(parts, number(n.n)+" "+n.word)
		}
	}
	return strings.Join(parts, ", ")
}

// wrote names the files that were written and those that were removed.
func (p *page) wrote(all []prompt.Change) int {
	sorted := slices.Clone(all)
	// What people look for comes first, the indexes that follow last.
	slices.SortStableFunc(sorted, func(a, b prompt.Change) int { return rank(a) - rank(b) })
	var written, removed []string
	for _, c := range sorted {
		if c.Status == prompt.Orphaned {
			removed = append(removed, p.path(c.Output.Path))
		} else {
			written = append(written, p.path(c.Output.Path))
		}
	}
	for _, l := range []struct {
		verb  string
		names []string
	}{{"wrote", written}, {"removed", removed}} {
		switch n := len(l.names); {
		case n > namedFiles:
			p.line(l.verb, " ", count(n, "file"), ": ", list(l.names, namedFiles))
		case n > 0:
			p.line(l.verb, " ", strings.Join(l.names, ", "))
		}
	}
	return len(all)
}

func rank(c prompt.Change) int {
	switch c.Output.Owner.Kind {
	case prompt.OutOutline:
		return 1
	case prompt.OutIndex:
		return 2
	default:
		return 0
	}
}

// wroteEmitted says in one line what became of the emitted files of a folder.
func (p *page) wroteEmitted(e *prompt.Emitted) int {
	written, removed := 0, 0
	for _, c := range e.Changes {
		if c.Status == prompt.Orphaned {
			removed++
		} else {
			written++
		}
	}
	where := " below " + p.path(e.Folder)
	if e.Folder == "." { // of several projects
		where = " of artifacts"
	}
	var parts []string
	if written > 0 {
		parts = append(parts, "wrote "+count(written, "file")+where)
	}
	if removed > 0 {
		parts = append(parts, "removed "+count(removed, "file")+" there")
	}
	if len(parts) > 0 {
		p.line(strings.Join(parts, ", "))
	}
	return len(e.Changes)
}

// builds counts what each prompt of the plan has, in declared order.
func builds(r *prompt.Result) []built {
	if r.Plan == nil {
		return nil
	}
	out := make([]built, len(r.Plan.Builds))
	at := map[*prompt.Build]int{}
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
	at := map[*prompt.Build]int{}
	texts := make([]map[text]bool, len(out))
	for i, b := range r.Plan.Builds {
		at[b] = i
		texts[i] = map[text]bool{}
	}
	seen := map[*prompt.Rendering]bool{} // most variants share theirs: hash each text once
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
func tell(out []built, at map[*prompt.Build]int, c prompt.Change) {
	kind, owner := c.Output.Owner.Kind, c.Output.Owner.Prompt
	if kind == prompt.OutIndex || kind == prompt.OutOutline {
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
		switch c.Status {
		case prompt.Changed:
			out[i].changed++
		case prompt.Added:
			out[i].added++
		case prompt.Orphaned:
			out[i].removed++
		case prompt.Unchanged:
		}
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

// List writes the names of variants, one a line and nothing else; with sizes
// where they are asked for.
func List(w io.Writer, r *prompt.Result, artifacts []*prompt.Artifact, with Listing, opt Options) error {
	p := newPage(opt.of(r))
	if !with.Tokens && with.Context <= 0 {
		for _, a := range artifacts {
			p.line(clean(a.Variant.Name))
		}
		return p.print(w)
	}
	t := table{align: []side{toLeft, amount, amount, amount, toRight, toRight, toLeft, toLeft}}
	named := namesCounters(r.Spec, artifacts)
	for _, a := range artifacts {
		limit, share := ceiling(a)
		tools, context, by := "", "", ""
		if a.ToolTokens > 0 {
			tools = approx(r.Spec.Estimates(a.Variant), count(a.ToolTokens, "tool token"))
		}
		if with.Context > 0 {
			context = fraction(a.Use+a.ToolTokens, with.Context) + " of " + number(with.Context)
		}
		if named {
			by = clean(counter(r.Spec, a.Variant))
		}
		t.row(clean(a.Variant.Name), approx(r.Spec.Estimates(a.Variant), count(a.Use, "token")), count(a.Chars, "character"), tools, limit, share, context, by)
	}
	t.print(p, 3)
	return p.print(w)
}

// ceiling gives the budget that limits a variant most, and how much of it is
// used.
func ceiling(a *prompt.Artifact) (limit, share string) {
	b := a.Variant.Budget
	switch {
	case b.Tokens >= 0 && (b.Chars < 0 || int64(a.Use)*int64(b.Chars) >= int64(a.Chars)*int64(b.Tokens)):
		return number(b.Tokens), percent(a.Use, b.Tokens)
	case b.Chars >= 0:
		return number(b.Chars) + " characters", percent(a.Chars, b.Chars)
	default:
		return "", ""
	}
}

// namesCounters reports whether the tokenizers need naming: they differ, or one is an
// estimate.
func namesCounters(spec *prompt.Spec, artifacts []*prompt.Artifact) bool {
	for _, a := range artifacts {
		name := a.Variant.Tokenizer
		if name != artifacts[0].Variant.Tokenizer || counter(spec, a.Variant) != name {
			return true
		}
	}
	return false
}

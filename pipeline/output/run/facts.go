package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Facts are what there is to say of a run of build or check. They are computed
// once; every format lays out the same.
type Facts struct {
	r   *prompt.Result
	did Outcome
	opt words.Options
	// Verdict sums the run up.
	Verdict finding.Verdict
	// findings are those that count, in the order of their places.
	findings diag.List
	// changes are the files below the snapshot folder that differ, in the order
	// of the manifest.
	changes []fileChange
	// state, lead and amounts say how the snapshots on disk are, and how many that
	// is about: "snapshots are up to date: " and "1 prompt, 2 variants, 3 renderings".
	state         snapshotState
	lead, amounts string
	// shown are the changes that are shown each by itself, following the names of
	// those that follow from them, reasons why the snapshots differ. Unstaged are the
	// reasons among these that are sources which are not staged.
	shown             []fileChange
	following         []string
	reasons, unstaged []driftReason
	// stale are the folders of emitted files that differ and were not written.
	stale []*store.Emitted
}

// snapshotState is how the snapshots on disk are after a run.
type snapshotState int

const (
	upToDate  snapshotState = iota
	missing                 // there are none at all
	outOfDate               // some differ
)

// FactsOf computes what there is to say of a run.
func FactsOf(r *prompt.Result, did Outcome, opt words.Options) *Facts {
	f := &Facts{r: r, did: did, opt: opt, Verdict: Judge(r, did, opt), findings: r.Findings.Sorted()}
	d := r.Delta
	if d == nil {
		return f
	}
	f.changes = changes(r, opt)
	if !did.Artifacts {
		f.stale = staleFolders(d)
	}
	f.lead, f.amounts = "snapshots are up to date: ", extent(r)
	there := func(c fileChange) bool { return c.Status != store.Added }
	switch {
	case did.Snapshots || !d.Drifted():
		has := func(b *assembly.Build) bool { return b.Prompt.HasSnapshots() }
		if r.Plan != nil && len(r.Plan.Builds) > 0 && !slices.ContainsFunc(r.Plan.Builds, has) {
			f.lead, f.amounts = "checked ", f.amounts+" (no snapshots needed)"
		}
		return f
	case d.Snapshotted > 0 && len(f.changes) == d.Snapshotted && !slices.ContainsFunc(f.changes, there):
		f.state, f.lead = missing, "snapshots do not exist yet: "
		for _, c := range f.changes {
			if c.Cause == store.NotStaged {
				f.lead = "snapshots are not staged: "
			}
			if c.Cause == store.NotCheckedOut {
				f.lead = "snapshots are not checked out: "
			}
		}
	default:
		f.state, f.lead, f.amounts = outOfDate, "snapshots are out of date: ", everyTally(f.changes)
		for _, c := range f.changes {
			if c.follows {
				f.following = append(f.following, strings.TrimPrefix(c.prompt+" ", " ")+c.subject)
			} else {
				f.shown = append(f.shown, c)
			}
		}
	}
	f.explain()
	return f
}

// drifted reports whether snapshots on disk differ and were not written.
func (f *Facts) drifted() bool { return f.state != upToDate }

// Problems lists what a run found, findings first.
func (f *Facts) Problems() []finding.Problem {
	out := append(finding.AllOf(f.opt, f.findings), f.drift()...)
	for _, e := range f.stale {
		x := finding.Problem{
			Rule: finding.DriftRule, Level: diag.Error, Title: "artifacts out of date",
			About: f.opt.Path(e.Folder), Said: diag.Words{Key: "artifacts"},
			Message: f.opt.Path(e.Folder) + emittedWords(f.opt, e, words.Clean), Detail: []string{f.opt.RemedyLine()},
		}
		if e != &f.r.Delta.Artifacts {
			x.Title, x.Said.Key = "binding out of date", "binding"
		}
		out = append(out, x)
	}
	return out
}

// drift lists the snapshots that are not what a build writes.
func (f *Facts) drift() []finding.Problem {
	one := finding.Problem{Rule: finding.DriftRule, Level: diag.Error, Title: "snapshot out of date"}
	if f.state == missing {
		one.About, one.Said.Key = f.opt.Path(f.r.Delta.SnapshotFolder), "fresh"
		one.Message, one.Detail = f.lead+f.amounts, append(reasonLines(f.reasons), f.opt.RemedyLine())
		return []finding.Problem{one}
	}
	var out []finding.Problem
	for _, c := range f.shown {
		x := one
		x.At, x.Place, x.About, x.Said.Key = c.at, f.opt.Place(c.at), c.path, status(c.Status)
		if x.Place != nil {
			x.Position = x.Place.Position()
		} else { // of its text no part is better than the start
			x.Place = &words.Place{File: c.path, Line: 1, Column: 1, EndLine: 1, EndColumn: 1}
		}
		x.Message = strings.TrimSpace(c.prompt + " " + c.subject + " " + c.verb())
		if c.figure != "" {
			x.Message += " (" + c.figure + ")"
		}
		x.Detail = append(c.userLines(), (&change.Page{Printer: words.NewPrinter(words.Options{}), Unmarked: true}).SomeLeaves(0, c.leaves)...)
		if r, ok := reasonOf(c.Cause, diag.Say("it-is")); ok {
			x.Detail = append(x.Detail, reasonLines([]driftReason{r})...)
		}
		x.Detail = append(append(x.Detail, reasonLines(f.unstaged)...), "snapshot: "+c.path, f.opt.RemedyLine())
		out = append(out, x)
	}
	return out
}

// noun names a kind of output, in the order of the constants.
func noun(k assembly.OutputKind) string {
	return [...]string{"index file", "outline", "rendering", "item", "tool", "full variant", "artifact", "item"}[k]
}

// fileChange is one file below the snapshot folder that differs, with what people
// want to know of it.
type fileChange struct {
	store.Change
	kind assembly.OutputKind
	// prompt is the prompt's id; subject what of it: "soul", "skills commit",
	// "tool exec".
	prompt, subject string
	// order are the places of prompt and section as the manifest declares
	// them.
	order [2]int
	// follows says that other changes explain this one: it is counted in the
	// closing line and not shown.
	follows bool
	// at is the source of the change, unknown where no source caused it; path is the
	// file on disk, and where the line of the one or the other, as the reader sees them.
	at          diag.Span
	path, where string
	// tokens is the difference, nil where there is none to count, and figure that in
	// words: "+3 tokens". Its amount is "+3".
	tokens         *int
	figure, amount string
	// covers describe sets of variants, and are those of all changes.
	covers map[*assembly.Build]*setcover.Cover
	// leaves are the places in which the definition of a tool differs.
	leaves []change.ShownLeaf
}

// holder says how many variants of a prompt have a text, and which.
type holder struct {
	Prompt string `json:"prompt"`
	In     int    `json:"in"`
	Of     int    `json:"of"`
	Set    string `json:"set"`
	// other says that another prompt stores the text; products is Set in parts.
	other    bool
	products []string
}

// changes gives the changes below the snapshot folder in the order of the
// manifest, indexes last.
func changes(r *prompt.Result, opt words.Options) []fileChange {
	if r.Delta == nil {
		return nil
	}
	var out []fileChange
	for _, c := range r.Delta.Snapshots {
		if !c.LineEnds && !strings.Contains(c.Output.Content(), "\r\n") {
			c.Old = strings.ReplaceAll(c.Old, "\r\n", "\n") // that git converted the others is no news of each line
		}
		out = append(out, named(r, c))
	}
	slices.SortStableFunc(out, func(a, b fileChange) int {
		return cmp.Or(
			cmp.Compare(a.order[0], b.order[0]), cmp.Compare(a.order[1], b.order[1]),
			cmp.Compare(a.Output.Path, b.Output.Path),
		)
	})
	seen, covers := shownLines(out), map[*assembly.Build]*setcover.Cover{}
	for i := range out {
		c := &out[i]
		c.follows = c.explained(out, seen)
		leaves := c.differing()
		c.leaves = change.ShownLeaves(leaf.Path("tools", []ground.PathStep{{Key: c.Output.Owner.Item}}), leaves)
		c.at, c.path, c.covers = c.place(r, leaves), opt.Path(c.Output.Path), covers
		c.where = cmp.Or(opt.Line(c.at), c.path)
		if n, ok := growth(*c, opt.Count); ok {
			c.tokens = &n
			c.amount = words.Approx(n != 0 && estimated(r.Spec, c.Output.Owner), words.Difference(n))
			c.figure = c.amount + " " + words.Plural(max(n, -n), "token")
		}
	}
	return out
}

// users gives the variants that have the text, those of the prompt that stores it
// first.
func (c *fileChange) users() (out []holder) {
	for _, u := range c.Output.Owner.Users {
		b := u.Build
		if c.covers[b] == nil {
			c.covers[b] = setcover.NewCover(b)
		}
		cover, other := c.covers[b], b.Prompt.ID.Str != c.Output.Owner.Prompt
		out = append(out, holder{b.Prompt.ID.Str, u.Set.Len(), len(b.Variants), cover.Describe(u.Set), other, cover.Products(u.Set)})
	}
	return out
}

// estimated reports whether the tokens of a file are estimates for some of the
// variants that have it.
func estimated(spec *language.Spec, owner assembly.Owner) bool {
	return slices.ContainsFunc(owner.Users, func(u assembly.Users) bool {
		return slices.ContainsFunc(u.Build.Variants, func(v *assembly.Variant) bool { return u.Set.Has(v.Index) && v.Estimated(spec) })
	})
}

// named finds out what a changed file stands for.
func named(r *prompt.Result, c store.Change) fileChange {
	owner := c.Output.Owner
	section := owner.Section
	out := fileChange{Change: c, kind: owner.Kind, prompt: owner.Prompt}
	switch out.kind {
	case assembly.OutRendering:
		out.subject = section
	case assembly.OutItem:
		out.subject = section + " " + owner.Item
	case assembly.OutContent:
		out.subject = owner.Item
	case assembly.OutTool:
		out.subject = "tool " + owner.Item
	case assembly.OutFull:
		out.subject = "full " + strings.TrimPrefix(owner.Item, out.prompt+"/")
	case assembly.OutOutline:
		out.subject = "outline"
	default:
		out.subject = path.Join(owner.Project, path.Base(c.Output.Path))
	}
	out.order = declared(r.Plan, out.prompt, section)
	return out
}

// describes reports whether the file describes an image, whose bytes never
// reach a snapshot, and is no text that a model gets.
func (c *fileChange) describes() bool {
	return c.Output.Owner.Image
}

// isBody reports whether the file holds a request body, not a text.
func (c *fileChange) isBody() bool {
	return c.kind == assembly.OutFull && path.Ext(c.Output.Path) == ".json"
}

// declared gives the places of a prompt and a section in the manifest; what
// it does not declare comes after all that it does.
func declared(plan *assembly.Plan, id, section string) [2]int {
	out := [2]int{1 << 30, 1 << 30}
	if plan == nil {
		return out
	}
	for i, b := range plan.Builds {
		if b.Prompt.ID.Str != id {
			continue
		}
		out[0] = i
		for j, s := range b.Prompt.Sections {
			if s.ID.Str == section {
				out[1] = j
			}
		}
	}
	return out
}

// verb says what happened to the file.
func (c *fileChange) verb() string {
	switch {
	case c.Cause == store.NotCheckedOut:
		return "not checked out"
	case c.Status == store.Added:
		return "snapshot missing"
	case c.Status == store.Orphaned:
		return "no longer built"
	case c.LineEnds:
		return "line ends changed"
	case c.Cause == store.Edited:
		return "snapshot changed"
	case c.describes():
		return "changed"
	case c.kind == assembly.OutRendering || c.kind == assembly.OutItem || c.kind == assembly.OutFull || c.kind == assembly.OutContent:
		return "text changed"
	default:
		return "changed"
	}
}

// place gives the source bytes that caused the change: those of the first
// byte that differs, or else the nearest that came from a file; of a tool
// those of a leaf.
func (c *fileChange) place(r *prompt.Result, leaves []review.Leaf) diag.Span {
	if c.Status == store.Orphaned || c.Cause == store.Edited || c.LineEnds {
		return diag.Span{}
	}
	if c.kind == assembly.OutTool {
		return c.toolPlace(r, leaves)
	}
	text := c.Output.Owner.Text
	at := 0
	if c.Status == store.Changed {
		at = words.FirstDifference(c.Old, c.Output.Content())
	}
	if found := text.Span(at, at+1); found.Known() {
		return found
	}
	if s := nearest(text.Segs, at); s != nil {
		// A deletion at the end is placed behind what is left.
		return text.Span(min(max(at, s.Start), s.End-1), s.End)
	}
	return diag.Span{}
}

// toolPlace gives the first place of a tool's definition that differs, or the
// definition.
func (c *fileChange) toolPlace(r *prompt.Result, leaves []review.Leaf) diag.Span {
	t := toolOf(r, c.Output.Owner)
	if t == nil {
		return diag.Span{}
	}
	if len(leaves) > 0 {
		return leaf.Place(t, leaves)
	}
	return t.At
}

// differing gives the places in which the definition of a tool differs; none where
// the file holds no definition, or the same in another layout.
func (c *fileChange) differing() []review.Leaf {
	if c.kind != assembly.OutTool || c.Status != store.Changed || !json.Valid([]byte(c.Old)) || !json.Valid([]byte(c.Output.Content())) {
		return nil
	}
	return leaf.Between(c.Old, c.Output.Content())
}

// nearest gives the segment that follows an offset, or the last before it.
func nearest(segs []ground.Seg, at int) *ground.Seg {
	for i := range segs {
		if segs[i].End > at {
			return &segs[i]
		}
	}
	if len(segs) == 0 {
		return nil
	}
	return &segs[len(segs)-1]
}

// toolOf finds the definition that a file holds, which canonical JSON does not
// say; nil for none.
func toolOf(r *prompt.Result, owner assembly.Owner) *language.Tool {
	for _, a := range r.Artifacts {
		if a.Build.Prompt.ID.Str != owner.Prompt {
			continue
		}
		for _, t := range a.Toolset {
			if t.Name == owner.Item && uses(owner, a) {
				return t
			}
		}
	}
	return nil
}

// uses reports whether a variant is among the users of a file; of a file
// without users every variant is.
func uses(owner assembly.Owner, a *assembly.Artifact) bool {
	for _, u := range owner.Users {
		if u.Build == a.Build {
			return u.Set.Has(a.Variant.Index)
		}
	}
	return len(owner.Users) == 0
}

// explained reports whether other changes account for this one, so that it
// need not be shown: one edit is to be one hunk. seen are the lines that the
// others show. What they do not account for is always shown.
func (c *fileChange) explained(all []fileChange, seen map[string]bool) bool {
	switch {
	case c.kind == assembly.OutOutline && c.Status == store.Added:
		return slices.ContainsFunc(all, c.isPart)
	case c.kind == assembly.OutOutline && c.Status == store.Changed:
		return c.namesMoved(all)
	case c.kind == assembly.OutFull && c.Status == store.Changed:
		return c.repeats(seen)
	default:
		return false
	}
}

// namesMoved reports whether each line of an outline that differs names a
// file of the prompt that comes or goes.
func (c *fileChange) namesMoved(all []fileChange) bool {
	folder := path.Dir(c.Output.Path) + "/"
	var moved []string
	for _, o := range all {
		if o.Status != store.Changed && c.isPart(o) {
			moved = append(moved, strings.TrimPrefix(o.Output.Path, folder))
		}
	}
	for _, h := range textdiff.Hunks(c.Old, c.Output.Content(), 0) {
		for _, l := range h.Lines {
			if !slices.ContainsFunc(strings.Fields(l.Text), func(word string) bool { return slices.Contains(moved, word) }) {
				return false
			}
		}
	}
	return true
}

// isPart reports whether another change is of the same prompt.
func (c *fileChange) isPart(o fileChange) bool {
	return o.prompt == c.prompt && o.kind != assembly.OutOutline && o.kind != assembly.OutIndex
}

// repeats reports whether a whole variant differs in nothing but lines that
// its sections, items and tools show already. Blank lines come and go with a
// section; alone they are a change of a join, which no section shows.
func (c *fileChange) repeats(seen map[string]bool) bool {
	before, after := c.Old, c.Output.Content()
	if c.isBody() {
		before, after = spelled(before), spelled(after)
	}
	some := false
	for _, h := range textdiff.Hunks(before, after, 0) {
		for _, l := range h.Lines {
			if strings.TrimSpace(l.Text) == "" {
				continue
			}
			if !seen[string(l.Sign)+l.Text] {
				return false
			}
			some = true
		}
	}
	return some
}

// spelled writes what a request body holds, a token after another and strings
// decoded, so that its texts have lines. What is no JSON stays as it is.
func spelled(body string) string {
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var b strings.Builder
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return b.String()
		case err != nil:
			return body
		}
		fmt.Fprintln(&b, token)
	}
}

// shownLines gives the lines, each with its sign, by which renderings, items
// and tools differ. They are collected only where a whole variant changed.
func shownLines(all []fileChange) map[string]bool {
	if !slices.ContainsFunc(all, func(c fileChange) bool { return c.kind == assembly.OutFull }) {
		return nil
	}
	out := map[string]bool{}
	for _, c := range all {
		before, after := c.Old, c.Output.Content()
		switch c.kind {
		case assembly.OutRendering, assembly.OutItem, assembly.OutContent:
		case assembly.OutTool:
			before, after = spelled(before), spelled(after)
		default:
			continue
		}
		for _, h := range textdiff.Hunks(before, after, 0) {
			for _, l := range h.Lines {
				out[string(l.Sign)+l.Text] = true
			}
		}
	}
	return out
}

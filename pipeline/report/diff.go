package report

import (
	"io"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxEdits is how many edits, and how many idle sources, are printed before
// the rest is counted.
const maxEdits = 100

// diffPage is a page about a difference. It keeps what it has worked out about
// sets of variants.
type diffPage struct {
	*page
	d      *prompt.Difference
	covers map[*prompt.Build]*prompt.Cover
	// unmarked says that the words of a line that differ are not marked.
	unmarked bool
}

// aboutBase reports whether the findings are those of the base, which does not
// compile, and not about the head.
func aboutBase(d *prompt.Difference) bool {
	side, stopped := stoppedSide(d)
	return stopped && side.Result == d.Base.Result
}

func newDiffPage(d *prompt.Difference, opt Options) *diffPage {
	if aboutBase(d) {
		opt = opt.ofBase()
	}
	return &diffPage{page: newPage(opt.of(d.Base.Result, d.Head.Result)), d: d, covers: map[*prompt.Build]*prompt.Cover{}}
}

// Diff writes a difference for people: how much changed between which two
// sides, then each change once with its source, the variants that it affects
// and those that it does not reach, the sources that changed for nothing, the
// findings (which are about growth), the variant that is closest to its
// budget, and what it fails on. Nothing else goes to people about it.
func Diff(w io.Writer, d *prompt.Difference, findings diag.List, judged DiffVerdict, opt Options) error {
	p := newDiffPage(d, opt)
	p.diff(weighed(findings, judged), judged)
	return p.print(w)
}

// Affected writes the names of the variants of the head that send other bytes
// than before, one a line and nothing else.
func Affected(w io.Writer, d *prompt.Difference) error {
	p := newPage(Options{})
	for _, pair := range d.Pairs {
		for _, name := range names(pair.Head, pair.Affected) {
			p.line(clean(name))
		}
	}
	return p.print(w)
}

// names gives the names of the variants of a set, never nil; none where there
// is no build for the set to be over.
func names(b *prompt.Build, s prompt.Set) []string {
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
		p.diagnostics(findings)
		p.line(clean(side.Name), " does not compile: nothing was compared")
		return
	}
	p.header()
	if len(p.d.Edits) > 0 {
		p.line()
	}
	for _, e := range p.d.Edits[:min(maxEdits, len(p.d.Edits))] {
		p.edit(e)
	}
	if left := len(p.d.Edits) - maxEdits; left > 0 {
		p.line("and ", count(left, "more change"), " (--format json has all)")
	}
	p.idle()
	if len(findings) > 0 {
		p.line()
		p.diagnostics(findings)
	}
	if near, ok := nearestLimit(p.d); ok && len(p.d.Edits) > 0 {
		p.line()
		p.line("budgets: closest is ", clean(near.artifact.Variant.Name), " at ", near.share())
	}
	for _, f := range judged.Failures {
		p.line(p.paint(red, "fails on "+f.Word+": "), clean(f.Why))
	}
}

// header says how much changed, and between what, in a line.
func (p *diffPage) header() {
	sides := "(" + clean(p.d.Base.Name) + " → " + clean(p.d.Head.Name) + ")"
	if len(p.d.Edits) == 0 && !differ(p.d.Pairs) {
		p.line("no change in ", p.everything(), " ", p.paint(dim, sides))
	} else {
		head := p.extent()
		if gap := p.columns() - columns(head) - columns(sides); gap >= leastGap {
			p.line(p.paint(bold, head), strings.Repeat(" ", gap), p.paint(dim, sides))
		} else {
			p.line(p.paint(bold, head))
			p.line(p.paint(dim, sides))
		}
	}
	if none := p.unmade(); len(none) > 0 {
		p.line(none.text())
	}
}

// unmade says which side has no manifest, nil for none.
func (p *diffPage) unmade() phrase {
	switch base, head := p.d.Base, p.d.Head; {
	case base.Result == nil && head.Result == nil:
		return phrase{ours("neither side has a manifest")}
	case base.Result == nil:
		return phrase{theirs(base.Name), ours(" has no "), theirs(manifestName(head.Result)), ours(": everything is added")}
	case head.Result == nil:
		return phrase{theirs(head.Name), ours(" has no "), theirs(manifestName(base.Result)), ours(": everything is removed")}
	default:
		return nil
	}
}

func manifestName(r *prompt.Result) string {
	if f := manifestOf(r); f != nil {
		return path.Base(f.Path)
	}
	return "prompts.yaml"
}

// everything counts what is compared.
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
	concerned := map[*prompt.Pair]bool{}
	for _, e := range p.d.Edits {
		for _, r := range e.Reach {
			concerned[r.Pair] = true
		}
	}
	prompts, affected, all, gone := 0, 0, 0, 0
	for _, pair := range p.d.Pairs {
		if !concerned[pair] && pair.Affected.Len() == 0 && pair.Gone.Len() == 0 {
			continue
		}
		prompts++
		affected, gone = affected+pair.Affected.Len(), gone+pair.Gone.Len()
		if pair.Head != nil {
			all += len(pair.Head.Variants)
		}
	}
	out := count(len(p.d.Edits), "change") + ", " + count(prompts, "prompt")
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

// edit writes one change with all that it reaches.
func (p *diffPage) edit(e *prompt.Edit) {
	said := describe(e)
	p.headline(said, clean(promptOf(e)), p.source(e).text()+p.size(e))
	for _, line := range append([]phrase{said.more}, p.reaches(e)...) {
		if len(line) > 0 {
			p.line("  ", line.text())
		}
	}
	p.body(e)
}

// source gives the place of an edit and the others that are edited alike, and
// the side that they are in where that is not the head, and the path alone does
// not tell. Nil where there is nothing to add.
func (p *diffPage) source(e *prompt.Edit) phrase {
	on := p.page
	if e.InBase {
		on = newPage(p.opt.ofBase())
	}
	at := on.lineOf(e.At)
	if at == "" || e.Kind == prompt.FileChanged && strings.HasPrefix(e.To+" ", on.path(e.At.File.Path)+" ") {
		return nil // the change names the file already
	}
	out := append(phrase{theirs(at)}, on.also(e)...)
	if e.InBase && p.opt.Against == "" {
		out = append(out, ours(" in "), theirs(p.d.Base.Name))
	}
	return out
}

// also names the other places of an edit: the one of another file, or how many
// there are; nil for none.
func (p *page) also(e *prompt.Edit) phrase {
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
		return phrase{ours(" and " + count(len(e.Also), "more place"))}
	case len(files) == 1:
		return phrase{ours(" and "), theirs(p.lineOf(first))}
	default:
		return phrase{ours(" and " + count(len(files), "more file"))}
	}
}

// lineOf gives the path and line of a place, "" for none.
func (p *page) lineOf(at diag.Span) string {
	if !at.Known() {
		return ""
	}
	line := at.File.LineAt(at.Start)
	return p.path(at.File.Path) + ":" + itoa(line)
}

// idle names the sources that changed without a variant that did.
func (p *diffPage) idle() {
	for _, s := range p.d.Idle[:min(maxEdits, len(p.d.Idle))] {
		p.line(clean(p.opt.idlePath(s)), " ", idleWords(s))
	}
	if left := len(p.d.Idle) - maxEdits; left > 0 {
		p.line("and ", count(left, "more source"), " without a variant that changed")
	}
}

// idlePath gives the path of such a source on the side that has it.
func (o Options) idlePath(s prompt.Idle) string {
	if s.Removed {
		o = o.ofBase()
	}
	return o.path(s.Path)
}

func idleWords(s prompt.Idle) string {
	switch {
	case s.Files > 1:
		return "has " + count(s.Files, "file") + " that moved from " + clean(s.Was) + ", no variant changed"
	case s.Was != "":
		return "moved from " + clean(s.Was) + ", no variant changed"
	case s.Added:
		return "added, no variant changed"
	case s.Removed:
		return "removed, no variant changed"
	default:
		return "changed, no variant did"
	}
}

// limit is how much of one budget a variant uses.
type limit struct {
	artifact *prompt.Artifact
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

// nearestLimit gives the variant of the head, in the prompts that are
// compared, that uses most of a budget of its own.
func nearestLimit(d *prompt.Difference) (limit, bool) {
	var out limit
	for _, l := range nearestLimits(d) {
		out = nearer(out, l)
	}
	return out, out.artifact != nil
}

// nearestLimits gives the same for each prompt that has a budget.
func nearestLimits(d *prompt.Difference) []limit {
	if d.Head.Result == nil {
		return nil
	}
	at := map[*prompt.Build]int{}
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
		b := a.Variant.Budget
		for _, l := range []limit{
			{a, "tokens", a.Use, b.Tokens}, {a, "chars", a.Chars, b.Chars}, {a, "tool_tokens", a.ToolTokens, b.ToolTokens},
		} {
			best[i] = nearer(best[i], l)
		}
	}
	var out []limit
	for _, l := range best {
		if l.artifact != nil {
			out = append(out, l)
		}
	}
	return out
}

// nearer gives the one that uses the larger share of its budget, the first of
// equals. What is not limited is never near.
func nearer(a, b limit) limit {
	switch {
	case b.of <= 0:
		return a
	case a.artifact == nil, int64(b.use)*int64(a.of) > int64(a.use)*int64(b.of):
		return b
	default:
		return a
	}
}

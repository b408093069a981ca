package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// toolKey groups edits of tools: what came, went or changed in the same way is
// one edit, wherever it stands.
type toolKey struct {
	kind          review.EditKind
	name          string
	before, after string // the definitions; "" for a tool that is not there
}

// toolDiff is a tool that differs in one variant; a side is nil where the
// variant does not have it.
type toolDiff struct {
	t             twin
	name          string
	before, after *language.Tool
	edit          *review.Edit
}

// tools finds the edits of tools, by the toolsets of variants and their
// counterparts.
func (r *run) tools() {
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		for _, t := range p.twins {
			if t.Both() {
				r.toolDiffs[p] = append(r.toolDiffs[p], r.diffs(t)...)
			}
		}
		r.reorderedTools(p)
	}
}

// diffs finds the tools that differ in a variant, in the order of the head,
// then those that are no more.
func (r *run) diffs(t twin) []toolDiff {
	edits := map[string]*review.Edit{}
	r.toolEdits[t.Head] = edits
	var out []toolDiff
	differs := func(name string, before, after *language.Tool) {
		d := toolDiff{t: t, name: name, before: before, after: after}
		key := d.key()
		if key.before == key.after {
			return
		}
		d.edit = r.group(key, func() *review.Edit { return d.made(key) })
		r.also(d.edit, d.place(d.edit))
		edits[name] = d.edit
		out = append(out, d)
	}
	for _, tool := range t.Head.Toolset {
		differs(tool.Name, toolOf(t.Base, tool.Name), tool)
	}
	for _, tool := range t.Base.Toolset {
		if toolOf(t.Head, tool.Name) == nil {
			differs(tool.Name, tool, nil)
		}
	}
	return out
}

// key says what the difference is.
func (d *toolDiff) key() toolKey {
	switch {
	case d.before == nil:
		return toolKey{kind: review.ToolAdded, name: d.name, after: d.after.Canonical}
	case d.after == nil:
		return toolKey{kind: review.ToolRemoved, name: d.name, before: d.before.Canonical}
	default:
		return toolKey{kind: review.ToolChanged, name: d.name, before: d.before.Canonical, after: d.after.Canonical}
	}
}

// made gives the edit of a difference that is the first of its kind.
func (d *toolDiff) made(key toolKey) *review.Edit {
	e := &review.Edit{Kind: key.kind, Tool: d.name}
	switch e.Kind {
	case review.ToolRemoved:
		e.InBase, e.Event = true, toolEvent(d.t.Base, d.before)
	case review.ToolChanged:
		e.Leaves = leaf.Between(key.before, key.after)
		e.Event = toolEvent(d.t.Head, d.after)
	default:
		e.Event = toolEvent(d.t.Head, d.after)
	}
	e.At = d.place(e)
	return e
}

// place gives where a difference comes from.
func (d *toolDiff) place(e *review.Edit) diag.Span {
	switch e.Kind {
	case review.ToolRemoved:
		return d.before.At
	case review.ToolAdded:
		return d.after.At
	default:
		return leaf.Place(d.after, e.Leaves)
	}
}

func toolOf(a *assembly.Artifact, name string) *language.Tool {
	for _, t := range a.Toolset {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// toolIn is an edit of a tool in a variant of the head.
type toolIn struct {
	edit *review.Edit
	head *assembly.Artifact
}

// sends reports whether what a variant sends differs on account of a tool: its
// schema goes beside the text, or lines follow from it.
func (r *run) sends(d *toolDiff) bool {
	_, lines := r.toolLines[toolIn{d.edit, d.t.Head}]
	return lines || slices.Contains(d.t.Head.Beside, d.after) || slices.Contains(d.t.Base.Beside, d.before)
}

// beside gives the size of a difference beside the text. Where nothing else
// differs there, it is that of the list as a whole.
func (r *run) beside(d *toolDiff) int {
	was, is := slices.Contains(d.t.Base.Beside, d.before), slices.Contains(d.t.Head.Beside, d.after)
	if !was && !is || was != is && d.before != nil && d.after != nil {
		return 0 // of another form, another edit speaks
	}
	if differBeside(d.t) == 1 && r.two.SameTokenizer(d.t.Twin) {
		return d.t.Head.ToolTokens - d.t.Base.ToolTokens
	}
	n, count := 0, r.count(d.t.Head.Variant.Tokenizer)
	if is {
		n += count(canon.Sent(d.after.Canonical))
	}
	if was {
		n -= count(canon.Sent(d.before.Canonical))
	}
	return n
}

// differBeside counts the tools whose schemas differ beside the text.
func differBeside(t twin) int {
	n := 0
	left := make(map[string]string, len(t.Base.Beside))
	for _, tool := range t.Base.Beside {
		left[tool.Name] = tool.Canonical
	}
	for _, tool := range t.Head.Beside {
		if before, known := left[tool.Name]; !known || before != tool.Canonical {
			n++
		}
		delete(left, tool.Name)
	}
	return n + len(left)
}

// toolReach notes which variants of one prompt the edits of tools reach, and which
// they do not reach though they could.
func (r *run) toolReach(p *pair, diffs []toolDiff) {
	if len(diffs) == 0 {
		return
	}
	var edits []*review.Edit
	byEdit := map[*review.Edit][]toolDiff{}
	for _, d := range diffs {
		if byEdit[d.edit] == nil {
			edits = append(edits, d.edit)
		}
		byEdit[d.edit] = append(byEdit[d.edit], d)
	}
	at := holders(r.two, p.Pair)
	for _, e := range edits {
		of := byEdit[e]
		told := slices.DeleteFunc(slices.Clone(of), func(d toolDiff) bool { return !r.tells(&d) })
		if len(told) == 0 {
			told = of // nothing that is sent says so: it is declared, and that is all
		}
		for _, d := range told {
			reachBy(e, d.t, r.toolLines[toolIn{e, d.t.Head}]+r.beside(&d))
		}
		in := e.Row(p.Pair, false).In
		for _, d := range of {
			switch {
			case in.Has(d.t.Head.Variant.Index):
			case e.Kind == review.ToolAdded && r.mentions.in(d.t.Head, d.name): // as it did before
			default:
				cause, why := unheard(e, &d)
				miss(e, d.t, cause, why)
			}
		}
		r.unnamed(e, told)
		r.toolMissed(e, p, of[0], at[e.Tool])
	}
}

// tells reports whether a variant sends something of a difference. Of a tool
// that came or went, that the text names it is enough, unless it does so on
// both sides.
func (r *run) tells(d *toolDiff) bool {
	if r.sends(d) {
		return true
	}
	if d.edit.Kind == review.ToolChanged {
		return false
	}
	return r.mentions.in(d.t.Head, d.name) != r.mentions.in(d.t.Base, d.name)
}

// unnamed notes, of the variants that send the schema of a new tool, those
// whose text does not name it where the text of others does. Only texts that
// name tools at all could have.
func (r *run) unnamed(e *review.Edit, told []toolDiff) {
	if e.Kind != review.ToolAdded {
		return
	}
	var without []toolDiff
	for _, d := range told {
		if !r.mentions.in(d.t.Head, d.name) {
			without = append(without, d)
		}
	}
	if len(without) == len(told) {
		return
	}
	for _, d := range without {
		names := func(t *language.Tool) bool { return t != d.after && r.mentions.in(d.t.Head, t.Name) }
		if slices.ContainsFunc(d.t.Head.Toolset, names) {
			miss(e, d.t, review.CauseUnnamed, "")
		}
	}
}

// unheard says why a variant whose toolset has an edit sends nothing of it.
func unheard(e *review.Edit, d *toolDiff) (review.Cause, string) {
	used, tool := d.t.Head.Used, d.after
	switch e.Kind {
	case review.ToolAdded:
		return review.CauseUnnamed, ""
	case review.ToolRemoved:
		used, tool = d.t.Base.Used, d.before
	default:
	}
	for _, u := range used {
		if u == nil || !slices.Contains(u.Tools, tool) {
			continue
		}
		for _, in := range u.Unit.Inputs {
			if slices.Contains(in.Tools, tool) {
				return review.CauseForm, in.Form
			}
		}
	}
	return review.CauseOther, ""
}

// toolMissed says which other variants an edit of a tool does not reach. The
// sections are those that have the tool in some variant.
func (r *run) toolMissed(e *review.Edit, p *pair, of toolDiff, sections []int) {
	reached := e.Row(p.Pair, false)
	had := ground.NewSet(reached.In.Size())
	had.Union(reached.In)
	for _, m := range reached.Missed {
		had.Union(m.Set)
	}
	for _, t := range p.twins {
		if !t.Both() || had.Has(t.Head.Variant.Index) {
			continue
		}
		has := toolOf(t.Head, e.Tool)
		switch {
		case has == nil && e.Kind == review.ToolRemoved: // it did not have it before either
		case has == nil:
			missBy(e, t, lacks(t.Head, sections))
		case of.after == nil:
			cause, why := keeps(t.Head, has)
			miss(e, t, cause, why)
		case has.Canonical != of.after.Canonical:
			miss(e, t, review.CauseFile, fileOf(t.Head, has))
		}
	}
}

// keeps says by what a variant keeps a tool that others lost: it selects it, or
// reads a file that has it.
func keeps(a *assembly.Artifact, tool *language.Tool) (review.Cause, string) {
	for i, u := range a.Used {
		if u != nil && slices.Contains(u.Tools, tool) && a.Build.Prompt.Sections[i].Only.Set() {
			return review.CauseOnly, ""
		}
	}
	return review.CauseFile, fileOf(a, tool)
}

// fileOf names the file of a tool, unless every variant has one of its own,
// which says nothing.
func fileOf(a *assembly.Artifact, tool *language.Tool) string {
	if a.Build.Prompt.Rendered != nil || tool.File == nil {
		return ""
	}
	return tool.File.Path
}

// lacks says why a variant does not have a tool of some sections. Of several
// the first that is in counts, else the first.
func lacks(a *assembly.Artifact, sections []int) review.Missed {
	for _, i := range sections {
		switch u := a.Used[i]; {
		case u == nil:
		case a.Build.Prompt.Sections[i].Only.Set():
			return review.Missed{Cause: review.CauseOnly}
		case a.Build.Prompt.Rendered != nil:
			return review.Missed{Cause: review.CauseFile}
		default:
			return ofToolFiles(u)
		}
	}
	if len(sections) == 0 {
		return review.Missed{Cause: review.CauseAbsent}
	}
	cause, why := outCause(a, sections[0])
	return review.Missed{Cause: cause, Why: why}
}

// ofToolFiles names the files that the tools of a rendering come from: the first,
// and how many more there are.
func ofToolFiles(x *assembly.Rendering) review.Missed {
	var paths []string
	for _, t := range x.Tools {
		if t.File != nil && !slices.Contains(paths, t.File.Path) {
			paths = append(paths, t.File.Path)
		}
	}
	if len(paths) == 0 {
		return review.Missed{Cause: review.CauseFile}
	}
	return review.Missed{Cause: review.CauseFile, Why: paths[0], More: paths[1:]}
}

// holders gives for each tool of the head the sections that have it in some
// variant.
func holders(two *pairing.Two, p *review.Pair) map[string][]int {
	out := map[string][]int{}
	seen := map[*assembly.Rendering]bool{}
	for _, a := range two.Artifacts(p.Head) {
		for i, u := range a.Used {
			if u == nil || len(u.Tools) == 0 || seen[u] {
				continue
			}
			seen[u] = true
			for _, t := range u.Tools {
				if !slices.Contains(out[t.Name], i) {
					out[t.Name] = append(out[t.Name], i)
				}
			}
		}
	}
	return out
}

type toolMoveKey struct {
	name, from, to string
	at             diag.Span
}

type toolMove struct{ name, from, to string }

// reorderedTools finds the tools that stand in another order in the text, or
// beside it. Each section is looked at by itself: where two of them change
// places, that is a move of sections.
func (r *run) reorderedTools(p *pair) {
	known := map[[2]*assembly.Rendering][]toolMove{}
	for _, s := range p.sections {
		for _, t := range p.twins {
			was, is := t.used(s)
			if !t.Both() || was == nil || is == nil || !showOrder(was, is) {
				continue
			}
			moves, ok := known[[2]*assembly.Rendering{was, is}]
			if !ok {
				moves = orderOfTools(was.Tools, is.Tools)
				known[[2]*assembly.Rendering{was, is}] = moves
			}
			for _, m := range moves {
				r.reordered(t, s, m)
			}
		}
	}
}

// showOrder reports whether two renderings both send the order of their tools:
// beside the text, or in texts of one form.
func showOrder(was, is *assembly.Rendering) bool {
	return was.Beside && is.Beside || was.Text.Str != "" && is.Text.Str != "" && formOf(was) == formOf(is)
}

// orderOfTools gives the fewest moves between two lists of tools.
func orderOfTools(was, is []*language.Tool) []toolMove {
	before, after := language.ToolNames(was), language.ToolNames(is)
	if slices.Equal(before, after) {
		return nil
	}
	var out []toolMove
	for _, name := range movedOf(before, after) {
		out = append(out, toolMove{name, placeIn(before, name), placeIn(after, name)})
	}
	return out
}

func (r *run) reordered(t twin, s *section, m toolMove) {
	at := caseAt(s.spec().Only)
	if !at.Known() {
		at = s.spec().ID.At
	}
	e := r.group(toolMoveKey{m.name, m.from, m.to, at}, func() *review.Edit {
		return &review.Edit{
			Kind: review.Moved, Tool: m.name, From: m.from, To: m.to, At: at,
			Event: toolEvent(t.Head, toolOf(t.Head, m.name)),
		}
	})
	reach(e, t)
	if of := (ownerKey{t, s}); r.toolMoves[of] == nil {
		r.toolMoves[of] = e
	}
}

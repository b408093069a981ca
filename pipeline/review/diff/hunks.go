package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// run of atoms: what differs at one place of a comparison, and follows from one
// cause.
type atoms struct {
	c    *comparison
	g    textdiff.Gap
	site site
	list []int // numbers of atoms
}

// edits makes edits of what differs between texts: the same removed and added
// lines are one, whatever section, item, file or prompt they stand in. Atoms that
// follow one another wherever they stand are one edit.
func (r *run) edits() {
	var all []*comparison
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if t.Both() && pairing.SameText(t.Base, t.Head) {
				continue
			}
			c := r.compared(t)
			all = append(all, &c)
			for _, g := range c.Gaps {
				r.cut(&c, g)
			}
		}
	}
	places, gone := make([][]int, len(r.found)), make([]bool, len(r.found))
	for i, a := range r.found {
		places[i], gone[i] = a.list, a.c.Head == nil
	}
	cuts := r.lines.Cuts(places, gone)
	hunks := map[*comparison][]review.TextHunk{}
	for i := range r.found {
		a := &r.found[i]
		for from := 0; from < len(a.list); {
			to := from + 1
			for to < len(a.list) && !cuts[i][to] {
				to++
			}
			hunks[a.c] = append(hunks[a.c], r.become(a, from, to))
			from = to
		}
	}
	for _, e := range r.d.Edits {
		if f := r.lineEdits[e]; f != nil && e.Follows != nil && e.Follows.Kind == review.ItemAdded {
			for _, m := range f.made {
				reachBy(e.Follows, m.twin, m.size)
			}
		}
	}
	known := map[[2]*textdiff.Text][]*review.TextPair{}
	for _, c := range all {
		made := &review.TextPair{
			Pair: c.pair.Pair, Base: c.was, Head: c.is, OfBase: c.Head == nil,
			Hunks: hunks[c], Moves: r.moved(c), Approximate: c.Approximate,
		}
		of := [2]*textdiff.Text{r.lined(c.was), r.lined(c.is)}
		i := slices.IndexFunc(known[of], func(p *review.TextPair) bool {
			return p.Pair == made.Pair && p.OfBase == made.OfBase && slices.Equal(p.Hunks, made.Hunks) && slices.Equal(p.Moves, made.Moves)
		})
		if i < 0 {
			i = len(known[of])
			known[of] = append(known[of], made)
			r.d.Texts = append(r.d.Texts, made)
		}
		known[of][i].Of = append(known[of][i].Of, c.variant())
	}
}

// cut divides a gap into what follows from one cause each, and takes that apart.
func (r *run) cut(c *comparison, g textdiff.Gap) {
	base, head := r.sides(c)
	gone, came := r.stretches(base, g.Base, g.BaseEnd), r.stretches(head, g.Head, g.HeadEnd)
	at, k := g.Base, g.Head
	add := func(of site, baseEnd, headEnd int) {
		made := atoms{c: c, g: textdiff.Gap{Base: at, BaseEnd: baseEnd, Head: k, HeadEnd: headEnd}, site: of}
		made.list = r.lines.Apart(made.g, base.text, head.text)
		r.found = append(r.found, made)
		at, k = baseEnd, headEnd
	}
	for _, old := range gone {
		n := slices.IndexFunc(came, func(now stretch) bool { return now.site == old.site })
		for _, now := range came[:max(n, 0)] {
			add(now.site, at, now.end)
		}
		if n < 0 {
			add(old.site, old.end, k)
			continue
		}
		add(old.site, old.end, came[n].end)
		came = came[n+1:]
	}
	for _, now := range came {
		add(now.site, at, now.end)
	}
}

// stretch are the lines up to end of one site.
type stretch struct {
	site site
	end  int
}

// stretches divides some lines by what they belong to. A line that says nothing
// belongs to what the line before it does, or the one behind it. Where another
// program put the text together, its sections decide nothing.
func (r *run) stretches(s side, from, to int) []stretch {
	var out []stretch
	for line := from; line < to; line++ {
		weak := r.lines.Weak(s.text.IDs[line])
		if weak && len(out) > 0 {
			out[len(out)-1].end = line + 1
			continue
		}
		if weak { // at the front: what the first line that says something does
			next := line
			for next < to && r.lines.Weak(s.text.IDs[next]) {
				next++
			}
			if next < to {
				out = append(out, stretch{r.siteIn(s, next), line + 1})
				continue
			}
		}
		of := r.siteIn(s, line)
		if n := len(out); n > 0 && out[n-1].site == of {
			out[n-1].end = line + 1
			continue
		}
		out = append(out, stretch{of, line + 1})
	}
	return out
}

// siteIn gives what a line belongs to, without a section that only a heading in
// a text of another program makes.
func (r *run) siteIn(s side, line int) site {
	out := r.site(s, line)
	if p := r.pairOf(s.of); p.rendered() {
		out.section, out.role = nil, s.speaker(line)
	}
	return out
}

// speaker gives who says a line of a request that a program sent, "" for any other.
func (s side) speaker(line int) language.Role {
	if s.of.Variant.Sent == nil {
		return ""
	}
	if m, _ := s.of.Said(partAt(s.of, s.text.Starts[line])); m != nil {
		return m.Role
	}
	return ""
}

// become says which edit some atoms are, and that it reaches their variant.
func (r *run) become(a *atoms, from, to int) review.TextHunk {
	g := textdiff.Gap{Base: a.g.Base, Head: a.g.Head}
	var lines [2][]int32
	for i, n := range a.list[:to] {
		made := r.lines.Atom(n)
		if i == from {
			g.Base, g.Head = g.Base+len(lines[0]), g.Head+len(lines[1])
			lines = [2][]int32{}
		}
		if made.Removed != textdiff.None {
			lines[0] = append(lines[0], made.Removed)
		}
		if made.Added != textdiff.None {
			lines[1] = append(lines[1], made.Added)
		}
	}
	key := textdiff.Key(lines[0]) + "|" + textdiff.Key(lines[1])
	g.BaseEnd, g.HeadEnd = g.Base+len(lines[0]), g.Head+len(lines[1])
	e := r.byLines[key]
	if e == nil {
		e = r.lineEdit(a, g, lines)
		r.byLines[key] = e
	}
	r.occurs(e, a, g)
	return review.TextHunk{Edit: e, BaseLine: g.Base + 1, HeadLine: g.Head + 1}
}

// lineEdit makes an edit of removed and added lines, as it was met first.
func (r *run) lineEdit(a *atoms, g textdiff.Gap, lines [2][]int32) *review.Edit {
	base, head := r.sides(a.c)
	e := &review.Edit{Kind: review.TextChanged, Item: a.site.item, Follows: a.site.owner}
	if s := r.sectionOf(base, head, g); s != nil {
		e.Section = s.id
	}
	e.At, e.InBase = placeLines(base, head, g)
	if s := r.sectionOf(base, head, g); s != nil && !e.At.Known() {
		e.At, e.InBase = s.spec().ID.At, s.head < 0 // words that its kind writes
	}
	h := review.Hunk{Line: g.Head + 1, At: e.At, InBase: e.InBase, Heading: head.heading(g.Head)}
	for i, sign := range []byte{'-', '+'} {
		for _, line := range lines[i] {
			h.Lines = append(h.Lines, textdiff.Line(sign, r.lines.Line(line)))
		}
	}
	e.Hunks = []review.Hunk{h}
	r.asSection(e, base, head, g, a.g)
	r.add(e)
	r.lineEdits[e] = &lineFacts{lines: lines, joins: blank(h.Lines), sections: map[*pair][]*section{}, files: map[string]bool{}}
	return e
}

// sectionOf gives the section that some lines stand in: that of the first line
// that says something, in the head if there is one.
func (r *run) sectionOf(base, head side, g textdiff.Gap) *section {
	for _, of := range []struct {
		side
		from, to int
	}{{head, g.Head, g.HeadEnd}, {base, g.Base, g.BaseEnd}} {
		for line := of.from; line < of.to; line++ {
			if line+1 < of.to && r.lines.Weak(of.text.IDs[line]) {
				continue
			}
			if s := r.site(of.side, line).section; s != nil {
				return s
			}
			break
		}
	}
	return nil
}

// asSection says that a section of a text of another program came, went or is
// called otherwise, where that is what the lines say, with those that follow at
// the same place.
func (r *run) asSection(e *review.Edit, base, head side, g, all textdiff.Gap) {
	whole := func(s side, from, to int, other side) string {
		if s.of == nil || from == to || !r.pairOf(s.of).rendered() {
			return ""
		}
		for from+1 < to && r.lines.Weak(s.text.IDs[from]) {
			from++
		}
		of, end := r.startsAt(s, from)
		for line := from - 1; of == nil && line >= 0 && r.lines.Weak(s.text.IDs[line]); line-- {
			of, end = r.startsAt(s, line) // it begins with a rule, which the section before may have had
		}
		if of == nil || end <= from || end > to || emitsSection(other.of, of.id) {
			return ""
		}
		return of.id
	}
	switch {
	case e.Follows != nil:
	case g.Base == g.BaseEnd:
		if id := whole(head, g.Head, all.HeadEnd, base); id != "" {
			e.Kind, e.Section = review.SectionAdded, id
		}
	case g.Head == g.HeadEnd:
		if id := whole(base, g.Base, all.BaseEnd, head); id != "" {
			e.Kind, e.Section = review.SectionRemoved, id
		}
	default:
		if base.of == nil || head.of == nil || !r.pairOf(head.of).rendered() || !r.pairOf(base.of).rendered() {
			return
		}
		was, _ := r.startsAt(base, g.Base)
		is, _ := r.startsAt(head, g.Head)
		if was != nil && is != nil && was.id != is.id && !emitsSection(head.of, was.id) && !emitsSection(base.of, is.id) {
			e.From, e.To = was.id, is.id
		}
	}
}

// lineFacts is what is known of an edit of lines beside the edit.
type lineFacts struct {
	lines    [2][]int32
	sections map[*pair][]*section
	files    map[string]bool // behind the texts that it reaches
	items    []string
	forms    []string
	// joins says that it is blank lines between sections wherever it stands.
	joins bool
	// apart says that it is not beside lines that moved somewhere.
	apart bool
	// made are the new variants that have its added lines.
	made []madeAt
}

type madeAt struct {
	twin
	size int
}

// occurs notes a place where an edit stands: its variant, its size there, and what
// is said of all of its places.
func (r *run) occurs(e *review.Edit, a *atoms, g textdiff.Gap) {
	base, head := r.sides(a.c)
	f := r.lineEdits[e]
	switch owner := a.site.owner; {
	case owner != nil && e.Follows != nil && makesVariants(owner) && ofItem(e.Follows):
	case owner != nil && e.Follows != nil && makesVariants(e.Follows) && ofItem(owner):
		e.Follows = owner
	case owner != nil && e.Follows != nil && ofItem(owner) && owner.Kind == e.Follows.Kind && !placed(base, head, g):
		// the words that the kind writes around each item stand with the first
	case owner == nil, e.Follows != nil && owner != e.Follows && (owner.Kind.ShowsLines() || e.Follows.Kind.ShowsLines()):
		e.Follows = nil // an edit of its own: where lines are shown, they stand once
	}
	f.apart = f.apart || !besideMove(a.c, g)
	size := r.sizeOf(e, base, head, g)
	reachBy(e, a.c.twin, size)
	switch owner := a.site.owner; {
	case owner == nil:
	case ofItem(owner):
		reachBy(owner, a.c.twin, size)
	case makesVariants(owner) && len(f.lines[1]) > 0:
		f.made = append(f.made, madeAt{a.c.twin, size})
	case owner.Tool != "":
		r.toolLines[toolIn{owner, a.c.Head}] += size
	}
	if a.site.item != e.Item {
		e.Item = ""
	}
	if !slices.Contains(f.items, a.site.item) {
		f.items = append(f.items, a.site.item)
	}
	s := a.site.section
	if s == nil {
		s = r.sectionOf(base, head, g)
	}
	if s != nil && !slices.Contains(f.sections[s.pair], s) {
		f.sections[s.pair] = append(f.sections[s.pair], s)
	}
	if s != nil && a.c.Both() {
		if _, is := a.c.used(s); is != nil && !slices.Contains(f.forms, formOf(is)) {
			f.forms = append(f.forms, formOf(is))
		}
	}
	at, inBase := placeLines(base, head, g)
	if !at.Known() {
		return
	}
	f.files[at.File.Path] = true
	switch {
	case !e.At.Known() || e.InBase && !inBase: // what is still there says more
		e.At, e.InBase, e.Also = at, inBase, nil
		e.Hunks[0].At, e.Hunks[0].InBase = at, inBase
	case inBase == e.InBase:
		r.also(e, at)
	}
}

// placed reports whether lines come from a file, and not from the kind itself.
func placed(base, head side, g textdiff.Gap) bool {
	at, _ := placeLines(base, head, g)
	return at.Known()
}

// makesVariants reports whether an edit is why variants are new: what these have
// like others, or lack like them, follows from what happened to the others.
func makesVariants(e *review.Edit) bool {
	switch e.Kind {
	case review.PromptAdded, review.AxisAdded, review.ValueAdded, review.VariantsAdded:
		return true
	default:
		return false
	}
}

func ofItem(e *review.Edit) bool { return e.Kind == review.ItemAdded || e.Kind == review.ItemRemoved }

// besideMove reports whether lines stand, or stood, next to some that moved.
func besideMove(c *comparison, g textdiff.Gap) bool {
	return slices.ContainsFunc(c.Moves, func(m textdiff.Move) bool {
		return g.Base < g.BaseEnd && (m.Base+m.Count == g.Base || m.Base == g.BaseEnd) ||
			g.Head < g.HeadEnd && (m.Head+m.Count == g.Head || m.Head == g.HeadEnd)
	})
}

// blank reports whether lines have nothing but blanks.
func blank(lines []review.HunkLine) bool {
	return !slices.ContainsFunc(lines, func(l review.HunkLine) bool { return strings.TrimSpace(l.Text) != "" })
}

// joined says what edits of lines follow from that no section or item of theirs
// does.
func (r *run) joined() {
	var causes []*review.Edit
	for _, e := range r.d.Edits {
		if e.Kind != review.TextChanged && e.Follows == nil {
			causes = append(causes, e)
		}
	}
	for _, e := range r.d.Edits {
		if len(e.Hunks) == 0 || e.Follows != nil {
			continue
		}
		r.leaveOthers(e)
		may := r.mayFollow(e)
		if may == nil {
			continue
		}
		i := slices.IndexFunc(causes, func(o *review.Edit) bool { return o != e && may(o) && o.Follows == nil && reachesAll(o, e) })
		if i >= 0 {
			e.Follows = causes[i]
		}
	}
}

// leaveOthers takes from an edit the variants that are not what it is about: those
// that are no more, where it reaches some that are there, and, where lines are gone
// and none came, those that were not there before, where it reaches some that were.
func (r *run) leaveOthers(e *review.Edit) {
	if slices.ContainsFunc(e.Reach, func(at review.Reach) bool { return !at.OfBase }) {
		e.Reach = slices.DeleteFunc(e.Reach, func(at review.Reach) bool { return at.OfBase })
	}
	f := r.lineEdits[e]
	if f == nil || len(f.lines[1]) > 0 {
		return
	}
	were := func(at review.Reach) ground.Set {
		if at.OfBase {
			return at.In
		}
		return at.In.Minus(at.Pair.Came())
	}
	if !slices.ContainsFunc(e.Reach, func(at review.Reach) bool { return were(at).Len() > 0 }) {
		return
	}
	for i := range e.Reach {
		at := &e.Reach[i]
		at.In = were(*at)
		maps.DeleteFunc(at.Tokens, func(variant, _ int) bool { return !at.In.Has(variant) })
	}
	e.Reach = slices.DeleteFunc(e.Reach, func(at review.Reach) bool { return at.In.Len() == 0 })
}

// mayFollow gives what an edit of lines may follow from: blank lines from what they
// are beside, moves from keys that order sections, and line breaks at the end from
// what was behind them, or the shape of requests; nil for nothing.
func (r *run) mayFollow(e *review.Edit) func(*review.Edit) bool {
	foreign := func(at review.Reach) bool {
		return at.Pair.Head != nil && at.Pair.Head.Prompt.Rendered != nil || at.Pair.Base != nil && at.Pair.Base.Prompt.Rendered != nil
	}
	switch f := r.lineEdits[e]; {
	case slices.ContainsFunc(e.Reach, foreign) && (f == nil || !f.joins || f.apart):
		return nil // of another program's text nothing else is known
	case e.Kind == review.Moved && e.Section != "" && e.From != "":
		return func(o *review.Edit) bool {
			return o.Kind == review.SettingChanged && (slices.Contains(layoutSettings, o.Name) || slices.Contains(competing, o.Name))
		}
	case f != nil && f.joins:
		return joins
	case f != nil && sameButEnds(e.Hunks[0].Lines):
		return func(o *review.Edit) bool {
			return joins(o) || o.Kind == review.FormChanged || o.Kind == review.FileChanged || o.Kind == review.SettingChanged && o.Name == settingDialect
		}
	default:
		return nil
	}
}

// sidesOf gives the texts that are gone and that came.
func sidesOf(lines []review.HunkLine) [2]string {
	var out [2]string
	for _, l := range lines {
		side := 0
		if l.Sign == '+' {
			side = 1
		}
		out[side] += l.Text
		if !l.Open {
			out[side] += "\n"
		}
	}
	return out
}

// sameButEnds reports whether lines are gone and came that differ by the line
// breaks at their end alone.
func sameButEnds(lines []review.HunkLine) bool {
	sides := sidesOf(lines)
	return strings.TrimRight(sides[0], "\n") == strings.TrimRight(sides[1], "\n")
}

// joins reports whether blank lines may follow from an edit.
func joins(e *review.Edit) bool {
	switch e.Kind {
	case review.SectionAdded, review.SectionRemoved, review.SectionKept, review.SectionDropped, review.ItemAdded, review.ItemRemoved:
		return true
	case review.Moved:
		return e.From != "" || e.Item != ""
	case review.SettingChanged:
		return e.Name == settingJoin || slices.Contains(layoutSettings, e.Name)
	default:
		return false
	}
}

func reachesAll(e, other *review.Edit) bool {
	return !slices.ContainsFunc(other.Reach, func(a review.Reach) bool {
		return !slices.ContainsFunc(e.Reach, func(b review.Reach) bool { return a.Pair == b.Pair && a.OfBase == b.OfBase && a.In.SubsetOf(b.In) })
	})
}

// sizeOfKey are the lines that count for the size of an edit.
type sizeOfKey struct {
	edit         *review.Edit
	tokenizer    string
	before, next int32
}

// sizeOf counts what the text would gain by an edit alone: with the lines before
// and behind it, with which its first and last may make one token, and with what
// its slots may grow to.
func (r *run) sizeOf(e *review.Edit, base, head side, g textdiff.Gap) int {
	s := head
	line := g.Head
	if s.of == nil {
		s, line = base, g.Base
	}
	end := line + g.HeadEnd - g.Head
	if s.inBase {
		end = g.BaseEnd
	}
	key := sizeOfKey{e, s.of.Variant.Tokenizer, textdiff.None, textdiff.None}
	var before, next string
	if line > 0 {
		key.before = s.text.IDs[line-1]
		before = r.lines.Line(key.before)
	}
	if end < len(s.text.IDs) {
		key.next = s.text.IDs[end]
		next = r.lines.Line(key.next)
	}
	if n, known := r.sizes[key]; known {
		return n
	}
	count := r.count(key.tokenizer)
	sides := sidesOf(e.Hunks[0].Lines)
	n := sizeOfLines(count, before, e.Hunks[0].Lines, '+', next) - sizeOfLines(count, before, e.Hunks[0].Lines, '-', next)
	for name, worth := range r.two.Worths {
		if spelled := "{{" + name + "}}"; strings.Contains(sides[0]+sides[1], spelled) {
			n += worth * (strings.Count(sides[1], spelled) - strings.Count(sides[0], spelled))
		}
	}
	r.sizes[key] = n
	return n
}

// sizeOfLines counts the lines of one side between two others. One without a line break
// ends what is sent as one text: what follows makes no token with it.
func sizeOfLines(count func(string) int, before string, lines []review.HunkLine, sign byte, next string) (n int) {
	text := before
	add := func(line string) {
		if text != "" && !strings.HasSuffix(text, "\n") {
			n, text = n+count(text), ""
		}
		text += line
	}
	for _, l := range lines {
		if l.Sign != sign {
			continue
		}
		if l.Open {
			add(l.Text)
		} else {
			add(l.Text + "\n")
		}
	}
	add(next)
	return n + count(text)
}

// moved adds the edits of lines that stand elsewhere now. Those of a section
// that moved as a whole are a move of that.
func (r *run) moved(c *comparison) []review.TextMove {
	var out []review.TextMove
	base, head := r.sides(c)
	for _, m := range c.Moves {
		for from := 0; from < m.Count; {
			to := r.moveEnd(head, m.Head+from, m.Head+m.Count) - m.Head
			e := r.moveEdit(base, head, m.Base+from, m.Head+from, to-from)
			reach(e, c.twin)
			out = append(out, review.TextMove{Edit: e, BaseLine: m.Base + from + 1, HeadLine: m.Head + from + 1, Count: to - from})
			from = to
		}
	}
	return out
}

// moveEnd gives the line at which a move that begins with one ends at last: where
// another section begins. Blank lines go with what is before them.
func (r *run) moveEnd(head side, line, end int) int {
	if r.pairOf(head.of).rendered() {
		return end
	}
	of := r.site(head, line)
	for line++; line < end; line++ {
		if r.lines.Weak(head.text.IDs[line]) {
			continue
		}
		if now := r.site(head, line); now.section != of.section || now.item != of.item {
			return line
		}
	}
	return end
}

type moveKey struct{ lines string }

func (r *run) moveEdit(base, head side, from, to, n int) *review.Edit {
	lines := head.text.IDs[to : to+n]
	was, is := r.site(base, from), r.site(head, to)
	words := [2]string{r.rankOf(base, from, n), r.rankOf(head, to, n)}
	e := r.group(moveKey{textdiff.Key(lines)}, func() *review.Edit {
		e := &review.Edit{Kind: review.Moved, Item: is.item, At: head.span(to, to+n), Follows: is.owner, From: words[0], To: words[1]}
		if is.section != nil {
			e.Section = is.section.id
			if words[0] != "" && words[1] != "" && !r.pairOf(head.of).rendered() {
				e.At = is.section.spec().ID.At // where the order is
			}
		}
		h := review.Hunk{Line: to + 1, At: e.At, Heading: head.heading(to)}
		for _, line := range lines {
			h.Lines = append(h.Lines, textdiff.Line(' ', r.lines.Line(line)))
		}
		e.Hunks = []review.Hunk{h}
		return e
	})
	if was.owner == nil || is.owner == nil {
		e.Follows = nil
	}
	if words != [2]string{e.From, e.To} || e.From == "" || e.To == "" {
		e.From, e.To = "", "" // not the same everywhere
	}
	return e
}

// rankOf gives the place of a section among those of a text where some lines are
// all of it, else "".
func (r *run) rankOf(s side, line, n int) string {
	of, end := r.startsAt(s, line)
	if of == nil || end > line+n {
		return ""
	}
	at, all := 0, 0
	for i := range s.of.Parts {
		if p := &s.of.Parts[i]; p.Rendering != nil && p.Text != "" {
			if all++; r.pairOf(s.of).sectionAt(p.Section, s.inBase) == of {
				at = all
			}
		}
	}
	return placeWords(at-1, all)
}

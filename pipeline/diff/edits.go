package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// hunks turns what differs between texts into edits, with their sizes and with
// what they miss.
func (r *run) hunks() {
	r.gather()
	for _, c := range r.changed {
		switch {
		case c.loose, c.own:
			r.turned(c)
		case formOf(c.base) != formOf(c.head):
			r.formChanged(c)
		case c.otherFile():
			r.fileChanged(c)
		case len(c.options) > 0:
			r.optionChanged(c)
		default:
			r.turned(c)
		}
	}
	for _, c := range r.changed {
		r.textSizes(c)
	}
	r.missing()
}

// gather makes an edit of the groups of hunks that have one subject, come from
// the same files and reach the same variants.
func (r *run) gather() {
	edits := map[subject][]*group{}
	var inOrder []*group
	for _, g := range r.grouped() {
		if len(g.rows) == 0 {
			continue
		}
		inOrder = append(inOrder, g)
		key := g.subject()
		i := slices.IndexFunc(edits[key], g.sameReach)
		if i < 0 {
			e := &prompt.Edit{Kind: prompt.TextChanged, Section: key.section, Item: key.item}
			for _, u := range g.rows {
				row(e, u.pair, false).In.Union(u.set)
			}
			r.add(e)
			g.become(e)
			edits[key] = append(edits[key], g)
			continue
		}
		g.become(edits[key][i].atoms[0].edit)
	}
	slices.SortStableFunc(inOrder, func(a, b *group) int { return a.atoms[0].at.Start - b.atoms[0].at.Start })
	for _, g := range inOrder {
		e := g.atoms[0].edit
		first, inBase, also := g.places()
		switch {
		case !e.At.Known():
			e.At, e.InBase = first, inBase
		case e.InBase && first.Known() && !inBase: // what is still there says more
			e.At, e.InBase, e.Also = first, false, nil
		}
		if inBase == e.InBase {
			e.Also = append(e.Also, also...)
		}
		e.Hunks = append(e.Hunks, g.atoms[0].Hunk)
	}
	for _, c := range r.changed {
		for _, o := range c.atoms {
			c.note(o.edit)
			// What a kind writes by itself has no place but its section's.
			if s := c.uses[0].section; s != nil && !o.edit.At.Known() {
				o.edit.At, o.edit.InBase = s.spec().ID.At, false
			}
		}
	}
}

// become says which edit the hunks of a group are.
func (g *group) become(e *prompt.Edit) {
	for _, a := range g.atoms {
		a.edit = e
	}
}

// formKey groups changes of form, fileKey those of files.
type (
	formKey struct {
		section  place
		from, to string
	}
	fileKey struct{ from, to, hunks string }
)

// formChanged adds a section that is shown in another form. What differs in its
// text follows from that.
func (r *run) formChanged(c *change) {
	for _, u := range c.uses {
		spec := u.section.spec()
		key := formKey{placeOf(spec.ID.At), formWords(c.base), formWords(c.head) + c.forced()}
		e := r.group(key, func() *prompt.Edit {
			at := caseAt(spec.Form)
			if !at.Known() || c.head.Unit.Step != "" || c.base.Unit.Step != "" {
				at = spec.ID.At
			}
			return &prompt.Edit{Kind: prompt.FormChanged, Section: u.section.id, From: key.from, To: key.to, At: at}
		})
		r.reachAll(c, u, e)
		r.reachBeside(c, u, e)
	}
}

// reachAll says that an edit is all that differs in a change.
func (r *run) reachAll(c *change, u *use, e *prompt.Edit) {
	for _, t := range u.twins {
		count := r.count(t.head.Variant.Tokenizer)
		reachBy(e, t, r.use(count, c, c.head.Text.Str)-r.use(count, c, c.base.Text.Str))
	}
}

// fileChanged adds a section whose text comes from another file. The lines that
// differ are said where most of the text stayed.
func (r *run) fileChanged(c *change) {
	hunks := hunksOf(c.base.Text, c.head.Text)
	var lines strings.Builder
	gone := 0
	for _, h := range hunks {
		for _, l := range h.Lines {
			lines.WriteString(string(l.Sign) + l.Text + "\n")
			if l.Sign == '-' {
				gone++
			}
		}
	}
	from, to := c.files()
	key := fileKey{from: from, to: to}
	edited := 2*gone <= strings.Count(closed(c.base.Text.Str), "\n")
	if edited {
		key.hunks = lines.String()
	}
	for _, u := range c.uses {
		e := r.group(key, func() *prompt.Edit {
			e := &prompt.Edit{Kind: prompt.FileChanged, Section: u.section.id, From: from, To: to, At: c.newFile(u.section)}
			for i := range hunks {
				if edited {
					e.Hunks = append(e.Hunks, hunks[i].Hunk)
				}
			}
			return e
		})
		r.reachAll(c, u, e)
	}
}

// itemKey groups items that come, go or move. One file is one item, in whatever
// section; an item without a file is its section's own.
type itemKey struct {
	kind prompt.EditKind
	name string
	file string
	// pair and section are those of items without a file, and of moves.
	pair    *pair
	section string
}

// turned adds the items that come, go or move.
func (r *run) turned(c *change) {
	for _, turn := range c.items {
		for _, u := range c.uses {
			key := itemKey{kind: turn.kind, name: turn.item.name}
			if turn.item.file != nil {
				key.file = turn.item.file.Path
			} else {
				key.pair, key.section = u.pair, u.id()
			}
			e := r.group(key, func() *prompt.Edit {
				return &prompt.Edit{
					Kind: turn.kind, Section: u.id(), Item: turn.item.name,
					At: turn.item.place(), InBase: turn.kind == prompt.ItemRemoved,
				}
			})
			c.note(e)
			r.shows(e, turn.sign(), turn.item.text)
			r.reachItem(c, u, e, turn)
		}
	}
	r.tierChanged(c)
	for _, name := range c.moved {
		from, to := c.before.index[name], c.after.index[name]
		for _, u := range c.uses {
			key := itemKey{kind: prompt.Moved, name: name, pair: u.pair, section: u.id()}
			e := r.group(key, func() *prompt.Edit {
				return &prompt.Edit{
					Kind: prompt.Moved, Section: u.id(), Item: name, At: c.after.items[to].place(),
					From: placeWords(from, len(c.before.items)), To: placeWords(to, len(c.after.items)),
				}
			})
			c.note(e)
			for _, t := range u.twins {
				reach(e, t)
			}
		}
	}
}

func (c *change) note(e *prompt.Edit) {
	if !slices.Contains(c.edits, e) {
		c.edits = append(c.edits, e)
	}
}

// id gives the section's id, "" for a conversation.
func (u *use) id() string {
	if u.section == nil {
		return ""
	}
	return u.section.id
}

// place gives where an item comes from.
func (i *item) place() diag.Span {
	if at := i.text.Span(0, len(i.text.Str)); at.Known() {
		return at
	}
	if i.file != nil {
		return diag.Whole(i.file)
	}
	return diag.Span{}
}

// group are hunks that are one change: the same lines, of one place of a source
// whatever sections show it, or in one section whatever files it comes from.
type group struct {
	atoms []*atom // the one that stands for it first
	rows  []groupRow
	// section is where it was met first, and items are those of it that have
	// the lines, "" for what stands around them: the first two.
	section *section
	items   []string
}

// groupRow are the variants of a prompt that have a group.
type groupRow struct {
	pair *pair
	set  prompt.Set
}

// site is where equal lines are one change: a section of a prompt, or a piece
// of its conversation. Lines without a word are counted: the second of a text
// is only ever the same as the second of another.
type site struct {
	pair    *pair
	section *section
	item    string
	lines   int
	nth     int
}

// grouped finds which hunks are one change, and whom each reaches. They are in
// the order in which they were met.
func (r *run) grouped() []*group {
	sites := map[site]*atom{}
	for _, c := range r.changed {
		counted := map[site]int{}
		for _, o := range c.atoms {
			nth := 0
			if at := (site{item: o.name, lines: o.lines}); o.plain() {
				counted[at]++
				nth = counted[at]
			}
			for _, u := range c.uses {
				at := site{pair: u.pair, section: u.section, lines: o.lines, nth: nth}
				if u.section == nil || nth > 0 {
					at.item = o.name
				}
				if first := sites[at]; first != nil {
					first.join(o.atom)
				} else {
					sites[at] = o.atom
				}
			}
		}
	}
	var out []*group
	for _, a := range r.pieces {
		first := a.first()
		if first.group == nil {
			first.group = &group{}
			out = append(out, first.group)
		}
		a.group = first.group
		a.group.atoms = append(a.group.atoms, a)
	}
	for _, c := range r.changed {
		for _, o := range c.atoms {
			for _, u := range c.uses {
				o.group.add(u, o.name)
			}
		}
	}
	for _, g := range out {
		slices.SortStableFunc(g.rows, func(a, b groupRow) int { return a.pair.n - b.pair.n })
	}
	return out
}

// first gives the hunk that stands for the group of a hunk.
func (a *atom) first() *atom {
	for a.of != nil {
		if a.of.of != nil {
			a.of = a.of.of
		}
		a = a.of
	}
	return a
}

// join makes one group of the groups of two hunks.
func (a *atom) join(b *atom) {
	a, b = a.first(), b.first()
	switch {
	case a.n < b.n:
		b.of = a
	case b.n < a.n:
		a.of = b
	}
}

// add notes that variants have a hunk of the group.
func (g *group) add(u *use, item string) {
	if len(g.rows) == 0 {
		g.section = u.section
	}
	if u.section == g.section && len(g.items) < 2 && !slices.Contains(g.items, item) {
		g.items = append(g.items, item)
	}
	i := slices.IndexFunc(g.rows, func(row groupRow) bool { return row.pair == u.pair })
	if i < 0 {
		i = len(g.rows)
		g.rows = append(g.rows, groupRow{u.pair, prompt.NewSet(len(u.pair.head))})
	}
	for _, t := range u.twins {
		g.rows[i].set.Add(t.head.Variant.Index)
	}
}

// sameReach reports whether two groups reach the same variants.
func (g *group) sameReach(h *group) bool {
	return slices.EqualFunc(g.rows, h.rows, func(a, b groupRow) bool { return a.pair == b.pair && a.set.Equal(b.set) })
}

// subject is what an edit of text is about: a section, an item where it is one
// alone, and the files that the text comes from.
type subject struct{ section, item, paths string }

func (g *group) subject() subject {
	var out subject
	if g.section != nil {
		out.section = g.section.id
	}
	if len(g.items) == 1 {
		out.item = g.items[0]
	}
	var paths []string
	for _, a := range g.atoms {
		paths = append(paths, a.key.path)
	}
	slices.Sort(paths)
	out.paths = strings.Join(slices.Compact(paths), "\x00")
	return out
}

// places gives where the lines of a group come from: the first place, of the
// head if there is one, and the others of that side.
func (g *group) places() (first diag.Span, inBase bool, also []diag.Span) {
	inBase = !slices.ContainsFunc(g.atoms, func(a *atom) bool { return a.at.Known() && !a.inBase })
	seen := map[place]bool{}
	for _, a := range g.atoms {
		at := placeOf(a.at)
		switch {
		case !a.at.Known() || a.inBase != inBase || seen[at]:
		case !first.Known():
			first = a.at
		default:
			also = append(also, a.at)
		}
		seen[at] = true
	}
	return first, inBase && first.Known(), also
}

// shownText is a text that an edit has.
type shownText struct {
	edit *prompt.Edit
	text string
}

// shows adds a text that comes ('+') or goes ('-') to an edit: the first as it
// is, of others the lines that the edit does not have yet. Blank lines at the
// end are left out.
func (r *run) shows(e *prompt.Edit, sign byte, text prompt.Text) {
	str := strings.TrimRight(text.Str, "\n")
	key := shownText{e, str}
	if str == "" || r.whole[key] {
		return
	}
	r.whole[key] = true
	shown := r.shown[e]
	first := shown == nil
	if first {
		shown = map[string]bool{}
		r.shown[e] = shown
	}
	var lines []prompt.HunkLine
	at, start, n := 0, 0, 0
	end := func() {
		if len(lines) > 0 {
			from := text.Span(start, at-1)
			e.Hunks = append(e.Hunks, prompt.Hunk{Line: n - len(lines) + 1, At: from, InBase: sign == '-' && from.Known(), Lines: lines})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(str, "\n") {
		switch {
		case !first && (shown[line] || strings.TrimSpace(line) == ""):
			end()
		case len(lines) == 0:
			start = at
			fallthrough
		default:
			shown[line] = true
			lines = append(lines, prompt.HunkLine{Sign: sign, Text: line})
		}
		at, n = at+len(line)+1, n+1
	}
	end()
}

// sign is that of the lines of an item.
func (t itemTurn) sign() byte {
	if t.kind == prompt.ItemAdded {
		return '+'
	}
	return '-'
}

// holds says that an edit is there in a variant that sends nothing of it.
func (r *run) holds(e *prompt.Edit, t twin) {
	reach(e, t)
	if r.silent[e] == nil {
		r.silent[e] = map[twin]bool{}
	}
	r.silent[e][t] = true
}

// settle leaves to edits that change what is sent the variants that send
// something else. One that no variant sends anything of is a declaration: it
// holds for all that it reaches.
func (r *run) settle() {
	for _, e := range r.d.Edits {
		if sendsNothing(e) || slices.ContainsFunc(e.Reach, func(at prompt.Reach) bool { return at.OfBase }) {
			continue
		}
		sends := r.senders(e)
		any, had := false, false
		for i, in := range sends {
			any, had = any || in.Len() > 0, had || e.Reach[i].In.Len() > 0
		}
		if !any {
			r.quiet[e] = had
			sizeless(e)
			continue
		}
		left := e.Reach[:0]
		for i, at := range e.Reach {
			if at.In.Len() > 0 && sends[i].Len() == 0 {
				continue
			}
			for v := range at.Tokens {
				if !sends[i].Has(v) {
					delete(at.Tokens, v)
				}
			}
			at.In = sends[i]
			left = append(left, at)
		}
		e.Reach = left
	}
}

// sizeless takes from an edit sizes that are nothing everywhere.
func sizeless(e *prompt.Edit) {
	for i := range e.Reach {
		for _, n := range e.Reach[i].Tokens {
			if n != 0 {
				return
			}
		}
	}
	for i := range e.Reach {
		e.Reach[i].Tokens = nil
	}
}

// senders gives for each row of an edit's reach the variants that send
// something else, and something of it.
func (r *run) senders(e *prompt.Edit) []prompt.Set {
	out := make([]prompt.Set, len(e.Reach))
	for i, at := range e.Reach {
		out[i] = both(at.In, at.Pair.Affected)
		none := prompt.NewSet(at.In.Size())
		for t := range r.silent[e] {
			if t.pair.Pair == at.Pair {
				none.Add(t.head.Variant.Index)
			}
		}
		out[i] = out[i].Minus(none)
	}
	return out
}

// mentions knows which texts name a tool. A name is named as a word of its own,
// in backticks or not; a hyphen ties words together, so that `web-fetch` does
// not name `fetch`.
type mentions struct {
	renderings map[*prompt.Rendering]*wordSet
	texts      map[string]*wordSet // of what is no section
}

// wordSet are the words of a text.
type wordSet struct {
	text  string
	words map[string]bool
	// odd keeps what was found of names that are no words.
	odd map[string]bool
}

func newMentions() *mentions {
	return &mentions{renderings: map[*prompt.Rendering]*wordSet{}, texts: map[string]*wordSet{}}
}

// in reports whether the text of a variant names a tool.
func (m *mentions) in(a *prompt.Artifact, name string) bool {
	return slices.ContainsFunc(a.Parts, func(p prompt.Part) bool {
		switch {
		case len(p.Text) < len(name):
			return false
		case p.Rendering != nil:
			return wordsOf(m.renderings, p.Rendering, p.Text).has(name)
		default:
			return wordsOf(m.texts, p.Text, p.Text).has(name)
		}
	})
}

func wordsOf[K comparable](all map[K]*wordSet, key K, text string) *wordSet {
	s := all[key]
	if s == nil {
		s = &wordSet{text: text, words: map[string]bool{}, odd: map[string]bool{}}
		for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '-' && !inWord(r) }) {
			for word := range strings.SplitSeq(run, "--") {
				s.words[strings.Trim(word, "-")] = true
			}
		}
		all[key] = s
	}
	return s
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// has reports whether a text has a name as a word of its own.
func (s *wordSet) has(name string) bool {
	if name == "" {
		return false
	}
	odd := strings.ContainsFunc(name, func(r rune) bool { return r != '-' && !inWord(r) })
	if !odd && strings.Trim(name, "-") == name && !strings.Contains(name, "--") {
		return s.words[name]
	}
	yes, ok := s.odd[name]
	if !ok {
		yes = standsIn(s.text, name)
		s.odd[name] = yes
	}
	return yes
}

// standsIn looks for a name that is no single word.
func standsIn(text, name string) bool {
	ofWord := func(r rune, _ int) bool { return inWord(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		before, after := strings.TrimSuffix(text[:start], "-"), strings.TrimPrefix(text[end:], "-")
		if !ofWord(utf8.DecodeLastRuneInString(before)) && !ofWord(utf8.DecodeRuneInString(after)) {
			return true
		}
		at = start + 1
	}
}

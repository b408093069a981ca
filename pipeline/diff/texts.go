package diff

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// renderings are the two texts that are compared.
type renderings struct{ base, head *prompt.Rendering }

// change is a distinct pair of renderings that differ, with all variants that
// have the one and had the other.
type change struct {
	renderings
	before, after *frame
	// loose says that the items do not stand in one text: the pieces of a
	// conversation.
	loose bool
	// atoms are the places at which hunks stand, items those that come or go,
	// and moved those at another place among the common.
	atoms []occurrence
	items []itemTurn
	moved []string
	// retiered are the pieces of a conversation that stand in another tier.
	retiered []string
	// own says that each variant has a file of its own, which another program
	// wrote: that it is another one says nothing.
	own bool
	// options are the keys of the manifest that all of it follows from.
	options []option
	// covered says that something differs that edits of tools speak of.
	covered bool
	uses    []*use
	// edits are those that the change is made of, once they are made.
	edits []*prompt.Edit
}

// use is a section that a change is of, nil for a conversation, and variants of
// its prompt.
type use struct {
	section *section
	pair    *pair
	twins   []twin
}

// itemTurn is an item that one side alone has.
type itemTurn struct {
	kind prompt.EditKind
	item *item
	n    int // its index in the frame
}

// texts compares what sections say that are in on both sides: each distinct
// pair of renderings once.
func (r *run) texts() {
	for _, p := range r.pairs {
		for _, s := range p.sections {
			if s.base < 0 || s.head < 0 {
				continue
			}
			for _, t := range p.twins {
				if !t.both() {
					continue
				}
				if was, is := t.used(s); was != nil && is != nil {
					r.meet(renderings{was, is}, s, t)
				}
			}
		}
	}
}

// meet notes that a section of a variant has one text and had another.
func (r *run) meet(of renderings, s *section, t twin) {
	c, known := r.changes[of]
	if !known {
		c = r.compare(of, t)
		r.changes[of] = c
	}
	if c == nil {
		return
	}
	if !known {
		r.changed = append(r.changed, c)
	}
	c.use(s, t)
}

func (c *change) use(s *section, t twin) {
	if n := len(c.uses); n > 0 && c.uses[n-1].section == s && c.uses[n-1].pair == t.pair {
		c.uses[n-1].twins = append(c.uses[n-1].twins, t)
		return
	}
	c.uses = append(c.uses, &use{section: s, pair: t.pair, twins: []twin{t}})
}

// compare gives what differs between two renderings, nil for nothing. The
// variant is one that has them.
func (r *run) compare(of renderings, t twin) *change {
	sameText := of.base.Text.Str == of.head.Text.Str
	if sameText && of.base.Beside == of.head.Beside {
		return nil
	}
	c := &change{renderings: of, before: r.frame(of.base), after: r.frame(of.head)}
	switch {
	case t.pair.Head.Prompt.Rendered != nil: // each variant has a file of its own
		c.own = true
		c.before, c.after = closing(of.base), closing(of.head)
		if c.before.around.Str == c.after.around.Str {
			return nil
		}
	case formOf(of.base) != formOf(of.head), sameText, c.otherFile():
		return c
	default:
		if c.options = c.byOptions(); len(c.options) > 0 {
			return c
		}
	}
	r.takeApart(c, t)
	return c
}

// closing gives a text without the blank lines at its end, which follow from
// what comes next where another program put the texts together.
func closing(x *prompt.Rendering) *frame {
	n := len(strings.TrimRight(x.Text.Str, "\n"))
	return &frame{around: x.Text.Slice(0, n)}
}

// takeApart finds the hunks and items of a change.
func (r *run) takeApart(c *change, t twin) {
	tools := r.toolCover(c, t)
	for _, h := range hunksOf(c.before.around, c.after.around) {
		if tools.has(c, h) {
			c.covered = true
			continue
		}
		r.occur(c, h, -1, "")
	}
	was, is := c.before.index, c.after.index
	for n := range c.before.items {
		old := &c.before.items[n]
		if _, stays := is[old.name]; !stays {
			r.turn(c, t, itemTurn{prompt.ItemRemoved, old, n})
		}
	}
	for n := range c.after.items {
		now := &c.after.items[n]
		k, there := was[now.name]
		switch {
		case !there:
			r.turn(c, t, itemTurn{prompt.ItemAdded, now, n})
		case c.before.items[k].text.Str == now.text.Str:
		case now.tool != nil && r.showsEdit(t, now.tool.Name):
			c.covered = true
		default:
			for _, h := range hunksOf(c.before.items[k].text, now.text) {
				r.occur(c, h, k, now.name)
			}
		}
	}
	c.moved = movedOf(c.before.names(), c.after.names(), nil)
	if len(c.after.items) > 0 && c.after.items[0].tool != nil && len(c.moved) > 0 {
		c.moved, c.covered = nil, true // the order of tools is theirs
	}
}

// turn notes an item that comes or goes, unless an edit of its tool says so.
func (r *run) turn(c *change, t twin, turn itemTurn) {
	if turn.item.tool != nil && (r.showsEdit(t, turn.item.tool.Name) || !sameTool(c.base.Tools, c.head.Tools, turn.item.tool.Name)) {
		c.covered = true
		return
	}
	c.items = append(c.items, turn)
}

// sameTool reports whether both lists have the tool of a name.
func sameTool(a, b []*prompt.Tool, name string) bool {
	named := func(t *prompt.Tool) bool { return t.Name == name }
	return slices.ContainsFunc(a, named) && slices.ContainsFunc(b, named)
}

// names gives the names of the items, in order.
func (f *frame) names() []string {
	out := make([]string, 0, len(f.items))
	for i := range f.items {
		out = append(out, f.items[i].name)
	}
	return out
}

// place is a span that can be compared between the two sides, and within one.
type place struct {
	path       string
	start, end int
}

func placeOf(s diag.Span) place {
	if !s.Known() {
		return place{}
	}
	return place{s.File.Path, s.Start, s.End}
}

// hunk is a run of lines that differ between two texts, with its bytes: those
// of the old text [start, end) became those of the new one. Both texts count
// with a line break at their end.
type hunk struct {
	prompt.Hunk
	start, end       int
	newStart, newEnd int
	text             string // the new bytes
	at               diag.Span
	inBase           bool
	key              place // of the head's lines, else of the base's
}

// hunksOf gives the hunks between two texts, with their places.
func hunksOf(before, after prompt.Text) []hunk {
	if before.Str == after.Str {
		return nil
	}
	a, b := closed(before.Str), closed(after.Str)
	old, now := lineStarts(a), lineStarts(b)
	var out []hunk
	shift := 0
	for _, h := range textdiff.Hunks(a, b, 0) {
		gone, come := 0, 0
		for _, l := range h.Lines {
			if l.Sign == '-' {
				gone++
			} else {
				come++
			}
		}
		first := h.Line - 1
		made := hunk{
			Hunk:  h,
			start: old[first-shift], end: old[first-shift+gone],
			newStart: now[first], newEnd: now[first+come],
		}
		shift += come - gone
		made.text = b[made.newStart:made.newEnd]
		made.place(before, after)
		made.Lines = endsOf(&made, before.Str, after.Str)
		made.Hunk.At, made.Hunk.InBase = made.at, made.inBase
		out = append(out, made)
	}
	return out
}

// endsOf gives the lines of a hunk without the empty one that only closed makes
// of a text that ends with a line break. Where the break is all that the end of
// the text lost or gained, the last line is said to have none.
func endsOf(h *hunk, before, after string) []prompt.HunkLine {
	wasBroken, isBroken := strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n")
	atEnd := h.end == len(closed(before)) && h.newEnd == len(closed(after))
	if wasBroken == isBroken || !atEnd {
		return h.Lines
	}
	text, empty := before, byte('-') // the side with the break
	if isBroken {
		text, empty = after, '+'
	}
	lines := slices.Clone(h.Lines)
	last := len(lines) - 1
	for last >= 0 && lines[last].Sign != empty {
		last--
	}
	if last < 0 || lines[last].Text != "" {
		return h.Lines
	}
	lines = slices.Delete(lines, last, last+1)
	switch n := slices.IndexFunc(lines, func(l prompt.HunkLine) bool { return l.Sign != empty }); {
	case before == "" || after == "":
		return lines
	case n < 0 && len(lines) > 0:
		return lines // whole lines, and those before them stay as they are
	case n < 0: // nothing but the break
		text = strings.TrimSuffix(text, "\n")
		line := text[strings.LastIndexByte(text, '\n')+1:]
		h.Line = max(h.Line-1, 1)
		return []prompt.HunkLine{{Sign: '-', Text: line, Open: !wasBroken}, {Sign: '+', Text: line, Open: !isBroken}}
	default:
		for i := len(lines) - 1; i >= 0; i-- {
			if lines[i].Sign != empty {
				lines[i].Open = true
				break
			}
		}
		return lines
	}
}

// closed gives a text with a line break at its end; nothing stays nothing.
func closed(s string) string {
	if s == "" {
		return s
	}
	return s + "\n"
}

// lineStarts gives the offset of each line, and that of the end.
func lineStarts(s string) []int {
	out := make([]int, 1, strings.Count(s, "\n")+1)
	for i := range len(s) {
		if s[i] == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// place finds where the lines come from. What is no more has the place in the
// head that it would stand at, where its file is still there.
func (h *hunk) place(before, after prompt.Text) {
	was := spanOf(before, h.start, h.end)
	if h.newEnd > h.newStart {
		if is := spanOf(after, h.newStart, h.newEnd); is.Known() {
			h.at, h.key = is, placeOf(is)
			return
		}
	}
	if !was.Known() {
		// A line break at the end is in no line of its own. Words from nowhere,
		// such as a notice, have no place.
		if h.plain() {
			h.at = lastLine(after, h.newStart)
			h.key = placeOf(h.at)
		}
		return
	}
	h.at, h.inBase, h.key = was, true, placeOf(was)
	for _, at := range []int{h.newStart, h.newStart - 2} {
		if at < 0 || at >= len(after.Str) {
			continue
		}
		if near := after.Span(at, at+1); near.Known() && near.File.Path == was.File.Path {
			h.at, h.inBase = near, false
			return
		}
	}
}

// lastLine gives the place of the line before an offset behind a text's end,
// unknown for other offsets.
func lastLine(t prompt.Text, at int) diag.Span {
	if at < len(t.Str) || t.Str == "" {
		return diag.Span{}
	}
	end := len(strings.TrimRight(t.Str, "\n"))
	return t.Span(strings.LastIndexByte(t.Str[:end], '\n')+1, end)
}

// spanOf gives the place of some lines, without the line break at their end
// where they are more than that.
func spanOf(t prompt.Text, start, end int) diag.Span {
	end = min(end, len(t.Str))
	if end <= start {
		return diag.Span{}
	}
	if n := len(strings.TrimRight(t.Str[start:end], "\n")); n > 0 {
		end = start + n
	}
	return t.Span(start, end)
}

// atomKey tells hunks apart: the lines and where they come from, whatever
// section they stand in.
type atomKey struct {
	lines int // in run.lines
	at    place
}

// atom is one hunk of one place. Those that are one change are a group, which
// the one that was met first stands for; see groups.go.
type atom struct {
	hunk
	lines int
	n     int // its index in run.pieces
	of    *atom
	group *group
	edit  *prompt.Edit
}

// occurrence is an atom in a change: in the text around the items, or in one.
type occurrence struct {
	*atom
	item       int    // index in the frame of the base, -1 for around
	name       string // of that item
	start, end int
}

// occur notes a hunk.
func (r *run) occur(c *change, h hunk, item int, name string) {
	var b strings.Builder
	for _, l := range h.Lines {
		b.WriteByte(l.Sign)
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	lines, known := r.lines[b.String()]
	if !known {
		lines = len(r.lines)
		r.lines[b.String()] = lines
	}
	key := atomKey{lines, h.key}
	if h.key == (place{}) && h.plain() {
		// From nowhere, and nothing that would tell it from any other.
		key.at.start = -1 - len(r.changed)
	}
	a := r.atoms[key]
	if a == nil {
		a = &atom{hunk: h, lines: lines, n: len(r.pieces)}
		r.atoms[key] = a
		r.pieces = append(r.pieces, a)
	}
	c.atoms = append(c.atoms, occurrence{atom: a, item: item, name: name, start: h.start, end: h.end})
}

// plain reports whether lines have no word: blank ones, rules and fences, which
// stand everywhere.
func (h *hunk) plain() bool {
	return !slices.ContainsFunc(h.Lines, func(l prompt.HunkLine) bool {
		return strings.ContainsFunc(l.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// frame is a rendering taken apart: what stands around its items, and the
// items.
type frame struct {
	// around is the text without the items and what joins them.
	around prompt.Text
	items  []item
	// index has the place of each item by its name.
	index map[string]int
	// gaps are the runs of items, and where in around they stand.
	gaps []gap
}

// gap is a run of items with what joins them: the items [first, end), from the
// byte start of the rendering's text on.
type gap struct {
	at         int
	start      int
	first, end int
}

// item is a part of a rendering with a name of its own. Of a section of tools
// that is also the line that the form native has for each.
type item struct {
	name string // unique in the rendering
	text prompt.Text
	file *diag.File
	// tier is that of the message that a piece of a conversation stands in.
	tier string
	// tool is the tool that the item shows, nil for other items.
	tool *prompt.Tool
	// start and end bound it in the rendering's text.
	start, end int
}

func (f *frame) add(i item) {
	f.index[i.name] = len(f.items)
	f.items = append(f.items, i)
}

// frame takes a rendering apart, once.
func (r *run) frame(x *prompt.Rendering) *frame {
	if f, ok := r.frames[x]; ok {
		return f
	}
	f := frameOf(x)
	r.frames[x] = f
	return f
}

func frameOf(x *prompt.Rendering) *frame {
	items := sound(x)
	if len(items) == 0 {
		items = toolLines(x)
	}
	f := &frame{index: map[string]int{}}
	var b prompt.Builder
	seen := map[string]int{}
	at := 0
	for i, it := range items {
		between := x.Text.Str[at:it.start]
		if i == 0 || !separates(between) {
			b.WriteText(x.Text.Slice(at, it.start))
			f.gaps = append(f.gaps, gap{at: b.Len(), start: it.start, first: i})
		}
		f.gaps[len(f.gaps)-1].end = i + 1
		at = it.end
		if seen[it.name]++; seen[it.name] > 1 {
			it.name += "#" + strconv.Itoa(seen[it.name])
		}
		it.text = x.Text.Slice(it.start, it.end)
		f.add(it)
	}
	b.WriteText(x.Text.Slice(at, len(x.Text.Str)))
	f.around = b.Text()
	return f
}

// sound gives the items of a rendering that lie in its text, in order.
func sound(x *prompt.Rendering) []item {
	var out []item
	at := 0
	tools := map[string]*prompt.Tool{}
	for _, t := range x.Tools {
		tools[t.Name] = t
	}
	for _, i := range x.Items {
		if i.Start >= at && i.End >= i.Start && i.End <= len(x.Text.Str) {
			out = append(out, item{name: i.Name, file: i.File, tool: tools[i.Name], start: i.Start, end: i.End})
			at = i.End
		}
	}
	return out
}

// toolLines gives the line that a text has for each tool of a section. A line
// is a tool's when its name in it comes from where the definition has it.
func toolLines(x *prompt.Rendering) []item {
	if len(x.Tools) == 0 {
		return nil
	}
	named := map[diag.Span]*prompt.Tool{}
	for _, t := range x.Tools {
		if t.NameAt.Known() {
			named[t.NameAt] = t
		}
	}
	var out []item
	at := 0
	for _, s := range x.Text.Segs {
		t := named[s.At]
		if t == nil || s.Start < at {
			continue
		}
		delete(named, s.At) // its first line is its own; an example names it again
		start := strings.LastIndexByte(x.Text.Str[:s.Start], '\n') + 1
		end := len(x.Text.Str)
		if n := strings.IndexByte(x.Text.Str[s.End:], '\n'); n >= 0 {
			end = s.End + n
		}
		if start < at {
			continue
		}
		out = append(out, item{name: t.Name, file: t.File, tool: t, start: start, end: end})
		at = end
	}
	return out
}

// separates reports whether a text between items only joins them.
func separates(s string) bool {
	return len(s) <= 8 && strings.Trim(s, " \t\n,;|-") == ""
}

package diff

import (
	"slices"
	"strings"

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

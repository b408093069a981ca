package diff

import (
	"slices"
	"strings"

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

package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// renderings are the two texts of a section, or two conversations.
type renderings struct{ base, head *assembly.Rendering }

// ownerKey is a section of a variant.
type ownerKey struct {
	twin
	section *section
}

// itemOwner is an item of one side of a change, as a section of some prompt has
// it; nil for a conversation.
type itemOwner struct {
	section *section
	inBase  bool
	item    int
}

// change is a distinct pair of renderings that differ.
type change struct {
	renderings
	before, after *frame
	// options are the keys of the manifest that all of it follows from.
	options []option
	// owners are the edits that the lines of items follow from, and frames is what
	// the words around the pieces of a conversation do.
	owners map[itemOwner]*review.Edit
	frames *review.Edit
}

// causes finds what the lines of a section follow from that is in on both
// sides: another form, other files, keys of the manifest, items that come or
// go. Of a text that another program wrote, that is nothing.
func (r *run) causes() {
	for _, p := range r.pairs {
		for _, s := range p.sections {
			if s.base < 0 || s.head < 0 || p.rendered() || pairing.Resplit(p.Pair) {
				continue
			}
			for _, t := range p.twins {
				if !t.Both() {
					continue
				}
				if was, is := t.used(s); was != nil && is != nil && was != is {
					r.cause(renderings{was, is}, s, t)
				}
			}
		}
		for _, t := range p.twins {
			if t.Both() && t.Base.Variant.Messages != nil && t.Head.Variant.Messages != nil {
				r.talked(t)
			}
		}
	}
}

// change gives the change between two renderings, which take takes apart.
func (r *run) change(of renderings, take func(*assembly.Rendering) *frame) *change {
	if r.changes[of] == nil {
		owners := map[itemOwner]*review.Edit{}
		r.changes[of] = &change{renderings: of, before: take(of.base), after: take(of.head), owners: owners}
	}
	return r.changes[of]
}

// cause notes what a section of a variant follows from.
func (r *run) cause(of renderings, s *section, t twin) {
	c := r.change(of, r.frame)
	sameText := of.base.Text.Str == of.head.Text.Str
	switch {
	case sameText && of.base.Beside == of.head.Beside:
	case formOf(of.base) != formOf(of.head):
		r.formChanged(c, s, t)
	case c.otherFile():
		r.fileChanged(c, s, t)
	default:
		if c.options == nil {
			c.options = append([]option{}, c.byOptions()...)
		}
		if len(c.options) > 0 {
			r.optionChanged(c, s, t)
			return
		}
		r.turned(c, s, t)
	}
}

// formKey groups changes of form, fileKey those of files.
type (
	formKey struct {
		section  place
		from, to string
		stepped  bool
	}
	fileKey struct{ from, to string }
)

// formChanged adds a section that is shown in another form. What differs in its
// text follows from that.
func (r *run) formChanged(c *change, s *section, t twin) {
	spec := s.spec()
	key := formKey{placeOf(spec.ID.At), formName(c.base), formName(c.head), c.stepped()}
	e := r.group(key, func() *review.Edit {
		at := caseAt(spec.Form)
		if !at.Known() || c.head.Unit.Step != "" || c.base.Unit.Step != "" {
			at = spec.ID.At
		}
		return &review.Edit{Kind: review.FormChanged, Section: s.id, From: key.from, To: key.to, Stepped: key.stepped, At: at}
	})
	r.owns(e, c, s, t)
	r.reachBeside(c, t, e)
}

// owns says that all that differs in a section of a variant follows from an
// edit.
func (r *run) owns(e *review.Edit, c *change, s *section, t twin) {
	r.owners[ownerKey{t, s}] = e
	count := r.count(t.Head.Variant.Tokenizer)
	reachBy(e, t, r.use(count, c, c.head.Text.Str)-r.use(count, c, c.base.Text.Str))
}

// fileChanged adds a section whose text comes from another file.
func (r *run) fileChanged(c *change, s *section, t twin) {
	gone, come := differing(filesOf(c.base), filesOf(c.head))
	was, is := foundOf(gone), foundOf(come)
	e := r.group(fileKey{fmt.Sprintf("%#v", was), fmt.Sprintf("%#v", is)}, func() *review.Edit {
		return &review.Edit{Kind: review.FileChanged, Section: s.id, Was: was, Is: is, At: c.newFile(s, come)}
	})
	r.owns(e, c, s, t)
}

// optionChanged adds the edit of the keys that a change follows from.
func (r *run) optionChanged(c *change, s *section, t twin) {
	first, of := c.options[0], s
	if first.shared {
		of = nil
	}
	var names []string
	if len(c.options) > 1 {
		first = option{name: first.name, at: first.at}
		for _, o := range c.options {
			names = append(names, o.name)
		}
	}
	r.owns(r.optionEdit(t.pair, of, first, names...), c, s, t)
}

// itemKey groups items that come or go. One file is one item, in whatever
// section; an item without a file is its section's own.
type itemKey struct {
	kind review.EditKind
	name string
	file string
	// pair and section are those of items without a file.
	pair    *pair
	section string
}

// turned adds the items that come or go, but for those of tools that edits speak
// of.
func (r *run) turned(c *change, s *section, t twin) {
	for _, side := range []struct {
		of, other *frame
		x, y      *assembly.Rendering
		kind      review.EditKind
	}{{c.before, c.after, c.base, c.head, review.ItemRemoved}, {c.after, c.before, c.head, c.base, review.ItemAdded}} {
		for n := range side.of.items {
			it := &side.of.items[n]
			if _, stays := side.other.index[it.name]; stays {
				continue
			}
			if it.tool != nil && (r.toolEdits[t.Head][it.tool.Name] != nil || !sameTool(side.x.Tools, side.y.Tools, it.tool.Name)) {
				continue
			}
			e := r.itemTurned(side.kind, it, s, t)
			c.owners[itemOwner{s, side.kind == review.ItemRemoved, n}] = e
			c.frames = cmp.Or(c.frames, e)
			reachBy(e, t, 0)
		}
	}
}

// sameTool reports whether both lists have the tool of a name.
func sameTool(a, b []*language.Tool, name string) bool {
	named := func(t *language.Tool) bool { return t.Name == name }
	return slices.ContainsFunc(a, named) && slices.ContainsFunc(b, named)
}

// itemTurned gives the edit of an item that came or went; the section is nil
// for a piece of a conversation.
func (r *run) itemTurned(kind review.EditKind, it *item, s *section, t twin) *review.Edit {
	key := itemKey{kind: kind, name: it.name}
	id := ""
	if s != nil {
		id = s.id
	}
	if it.file != nil {
		key.file = it.file.Path
	} else {
		key.pair, key.section = t.pair, id
	}
	e := r.group(key, func() *review.Edit {
		return &review.Edit{Kind: kind, Section: id, Item: it.name, At: it.place(), InBase: kind == review.ItemRemoved}
	})
	if kind == review.ItemAdded {
		r.itemSections[e] = append(r.itemSections[e], itemIn{t.pair, s, it.name})
	}
	return e
}

type itemIn struct {
	pair    *pair
	section *section
	name    string
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

// talked notes the pieces of a variant's conversation that come, go or stand in
// another tier.
func (r *run) talked(t twin) {
	was, is := r.spokenBy(t.Base, true), r.spokenBy(t.Head, false)
	if was == nil || is == nil {
		return
	}
	c := r.change(renderings{was, is}, r.talk)
	r.turned(c, nil, t)
	if flat(r.d.Base.Result, t.Base) != flat(r.d.Head.Result, t.Head) {
		return // that is what the assembly is about
	}
	for i := range c.after.items {
		now := &c.after.items[i]
		k, there := c.before.index[now.name]
		if !there || c.before.items[k].tier == now.tier {
			continue
		}
		from, to := c.before.items[k].tier, now.tier
		key := itemKey{kind: review.Moved, name: now.name, file: from + " " + to, pair: t.pair}
		e := r.group(key, func() *review.Edit {
			at := namedIn(is.Unit.Dialogue, now.file)
			if !at.Known() {
				at = now.place()
			}
			return &review.Edit{Kind: review.Moved, Item: now.name, At: at, From: from, To: to}
		})
		c.owners[itemOwner{nil, true, k}], c.owners[itemOwner{nil, false, i}] = e, e
		c.frames = cmp.Or(c.frames, e)
		reach(e, t)
	}
}

// spokenBy gives the rendering of an artifact's conversation, nil for none.
func (r *run) spokenBy(a *assembly.Artifact, inBase bool) *assembly.Rendering {
	if inBase {
		return r.d.Base.Result.Conversation(a)
	}
	return r.d.Head.Result.Conversation(a)
}

// conversations gives those of the two variants that a side belongs to.
func (r *run) conversations(s side) renderings {
	if !s.Both() {
		return renderings{}
	}
	return renderings{r.spokenBy(s.Base, true), r.spokenBy(s.Head, false)}
}

// talkOwner gives the edit that a piece of a conversation follows from.
func (r *run) talkOwner(s side, piece int) *review.Edit {
	if c := r.changes[r.conversations(s)]; c != nil {
		return c.owners[itemOwner{nil, s.inBase, piece}]
	}
	return nil
}

// namedIn gives the place where a fixture names a file of the workspace that a
// conversation shows in full.
func namedIn(d *assembly.Dialogue, file *diag.File) diag.Span {
	if d == nil || file == nil {
		return diag.Span{}
	}
	for _, f := range d.Files() {
		if f.Doc != nil && f.Doc.File == file {
			return f.At
		}
	}
	return diag.Span{}
}

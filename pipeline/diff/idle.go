package diff

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pairing"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// idle finds the sources whose text changed while nothing that is made from
// them did; the manifest among them where there is no edit at all.
func (r *run) idle() {
	base, head := r.d.Base.Result, r.d.Head.Result
	if base == nil || head == nil || base.Tree == nil || head.Tree == nil || base.Stopped || head.Stopped {
		return
	}
	busy := r.busy()
	was, is := filesIn(base.Tree), filesIn(head.Tree)
	all := maps.Clone(was)
	maps.Copy(all, is)
	ends := prompt.Idle{LineEnds: true}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		old, now := was[path], is[path]
		if old != nil && now != nil && old.Text == now.Text && old.CRLF != now.CRLF {
			if ends.Files++; ends.Files == 1 {
				ends.Path, ends.At = path, diag.Whole(now)
			}
		}
		if busy[path] || old != nil && now != nil && old.Text == now.Text {
			continue
		}
		made := prompt.Idle{Path: path, Added: old == nil, Removed: now == nil}
		switch {
		case now == nil:
			made.At = diag.Whole(old)
		case old == nil:
			made.At = diag.Whole(now)
		default:
			made.At = firstLine(old, now)
		}
		r.d.Idle = append(r.d.Idle, made)
	}
	r.d.Idle = relocated(r.d.Idle, was, is)
	if ends.Files > 0 {
		r.d.Idle = append(r.d.Idle, ends)
	}
	if m, n := base.Tree.File, head.Tree.File; m != nil && n != nil && m.Text != n.Text && len(r.d.Edits) == 0 {
		r.d.Idle = append(r.d.Idle, prompt.Idle{Path: n.Path, At: firstLine(m, n)})
		slices.SortStableFunc(r.d.Idle, func(a, b prompt.Idle) int { return strings.Compare(a.Path, b.Path) })
	}
}

// filesIn gives all sources of a tree by path.
func filesIn(t *prompt.Tree) map[string]*diag.File {
	out := map[string]*diag.File{}
	add := func(docs []*prompt.Doc) {
		for _, d := range docs {
			out[d.File.Path] = d.File
		}
	}
	for _, docs := range t.Matches {
		add(docs)
	}
	for _, docs := range t.Walks {
		add(docs)
	}
	for _, w := range t.Workspaces {
		for _, d := range w.Docs {
			out[d.File.Path] = d.File
		}
	}
	return out
}

// firstLine gives the first line of the new text that differs.
func firstLine(was, is *diag.File) diag.Span {
	n := min(len(was.Text), len(is.Text))
	at := 0
	for at < n && was.Text[at] == is.Text[at] {
		at++
	}
	line := is.LineAt(at)
	start := strings.LastIndexByte(is.Text[:at], '\n') + 1
	return diag.Span{File: is, Start: start, End: start + len(is.Line(line))}
}

// busy gives the paths of the files behind every rendering that differs. Where
// another program put the texts together, their order is in the files, too.
func (r *run) busy() map[string]bool {
	out := map[string]bool{}
	same := map[renderings]bool{}
	note := func(of renderings) {
		if _, known := same[of]; known || of.base == of.head {
			return
		}
		same[of] = sameRendering(of)
		if !same[of] {
			filesBehind(of.base, out)
			filesBehind(of.head, out)
		}
	}
	for _, p := range r.pairs {
		for _, t := range p.twins {
			for _, s := range p.sections {
				was, is := t.used(s)
				note(renderings{was, is})
			}
			note(r.spoken(t))
			if p.rendered() && t.both() && !pairing.SameText(t.base, t.head) {
				filesOfTexts(t.base, out)
				filesOfTexts(t.head, out)
			}
		}
	}
	return out
}

// spoken gives the conversations of a variant, where they differ.
func (r *run) spoken(t twin) renderings {
	var out renderings
	if t.base != nil && t.base.Variant.Messages != nil {
		out.base = r.conversation(r.d.Base.Result, t.base.Variant)
	}
	if t.head != nil && t.head.Variant.Messages != nil {
		out.head = r.conversation(r.d.Head.Result, t.head.Variant)
	}
	if t.both() && pairing.SameText(t.base, t.head) {
		return renderings{}
	}
	return out
}

func sameRendering(of renderings) bool {
	a, b := of.base, of.head
	if a == nil || b == nil || a.Turns != nil || b.Turns != nil {
		return false
	}
	return a.Text.Str == b.Text.Str && a.Beside == b.Beside && slices.EqualFunc(a.Tools, b.Tools, func(t, u *prompt.Tool) bool {
		return t.Canonical == u.Canonical && t.Strict == u.Strict
	})
}

// filesOfTexts adds the paths of the files that a text is in that another
// program assembled.
func filesOfTexts(a *prompt.Artifact, out map[string]bool) {
	for i := range a.Parts {
		if x := a.Parts[i].Rendering; x != nil && x.Text.Str != "" {
			filesBehind(x, out)
		}
	}
}

// filesBehind adds the paths of the files that a rendering is made from.
func filesBehind(x *prompt.Rendering, out map[string]bool) {
	if x == nil || x.Unit == nil {
		return
	}
	for _, in := range x.Unit.Inputs {
		for _, d := range in.Docs {
			out[d.File.Path] = true
		}
		if in.StyleDoc != nil {
			out[in.StyleDoc.File.Path] = true
		}
	}
	d := x.Unit.Dialogue
	if d == nil {
		return
	}
	if d.Conversation != nil && d.Conversation.Doc != nil {
		out[d.Conversation.Doc.File.Path] = true
	}
	files := slices.Clone(d.Working)
	for _, t := range d.Tiers {
		files = append(files, t.Files...)
	}
	for _, f := range files {
		out[f.Doc.File.Path] = true
	}
}

// relocation are the files that went from one folder to another, or one file
// that is called otherwise.
type relocation struct{ from, to string }

// relocated makes one row of each source that stands elsewhere now with the
// same text, and one of all those that moved with their folder.
func relocated(idle []prompt.Idle, was, is map[string]*diag.File) []prompt.Idle {
	gone := map[string][]string{} // the paths by text, in order
	for _, i := range idle {
		if i.Removed {
			gone[was[i.Path].Text] = append(gone[was[i.Path].Text], i.Path)
		}
	}
	left := map[string]bool{}
	rows := map[relocation][]prompt.Idle{}
	var order []relocation
	for _, i := range idle {
		if !i.Added {
			continue
		}
		text := is[i.Path].Text
		old := gone[text]
		if len(old) == 0 || text == "" {
			continue
		}
		n := max(slices.IndexFunc(old, func(p string) bool { return path.Base(p) == path.Base(i.Path) }), 0)
		key := folders(old[n], i.Path)
		left[old[n]], left[i.Path] = true, true
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], prompt.Idle{Path: i.Path, Was: old[n], Files: 1, At: i.At})
		gone[text] = slices.Delete(old, n, n+1)
	}
	if len(order) == 0 {
		return idle
	}
	out := slices.DeleteFunc(slices.Clone(idle), func(i prompt.Idle) bool { return (i.Added || i.Removed) && left[i.Path] })
	for _, key := range order {
		row := rows[key][0]
		if n := len(rows[key]); n > 1 {
			row.Path, row.Was, row.Files = key.to, key.from, n
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b prompt.Idle) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// folders gives what differs between two paths: they end alike from there on.
func folders(from, to string) relocation {
	for path.Base(from) == path.Base(to) && path.Dir(from) != path.Dir(to) {
		from, to = path.Dir(from), path.Dir(to)
		if from == "." || to == "." {
			break
		}
	}
	return relocation{from, to}
}

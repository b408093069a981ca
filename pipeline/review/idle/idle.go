// Package idle finds the files that changed without any effect: sources that change
// no variant, files that no variant reads, and inputs of texts that another program
// has to render again.
package idle

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// Run finds the files by path, and the prompts to render again; the manifest is
// among the files where it changed and there is no edit at all. It is pure.
func Run(two *pairing.Two, edits []*review.Edit) ([]review.Idle, []review.Stale) {
	base, head := two.Base, two.Head
	if base == nil || head == nil || base.Tree == nil || head.Tree == nil || base.Stopped || head.Stopped {
		return nil, nil
	}
	out := sources(two, len(edits) > 0)
	if m, n := base.Tree.File, head.Tree.File; m != nil && n != nil && m.Text != n.Text && len(edits) == 0 {
		out = append(out, review.Idle{Path: n.Path, At: firstLine(m, n)})
	}
	out = append(out, unread(base.Tree, head.Tree)...)
	out = entries(out, base, head)
	include(two, out)
	slices.SortStableFunc(out, func(a, b review.Idle) int { return strings.Compare(a.Path, b.Path) })
	return out, stale(two)
}

// sources finds the sources whose text changed while nothing did because of
// them. What only one side reads may be there on both.
func sources(two *pairing.Two, edited bool) []review.Idle {
	busy := busy(two)
	for _, p := range slices.Concat(two.Base.Tree.Policies(), two.Head.Tree.Policies()) {
		busy[p.Doc.File.Path] = busy[p.Doc.File.Path] || edited // as of the manifest, nobody looks by what
	}
	was, is := two.Base.Tree.Files(), two.Head.Tree.Files()
	wasThere, isThere := paths(two.Base.Tree), paths(two.Head.Tree)
	ends := review.Idle{LineEnds: true}
	var out []review.Idle
	for _, path := range union(was, is) {
		old, now := was[path], is[path]
		if old != nil && now != nil && old.Text == now.Text {
			if old.CRLF != now.CRLF {
				if ends.Files++; ends.Files == 1 {
					ends.Path, ends.At = path, diag.Whole(now)
				}
			}
			continue
		}
		made := review.Idle{Path: path, Added: old == nil, Removed: now == nil}
		switch {
		case busy[path], made.Added && wasThere[path], made.Removed && isThere[path]:
			continue
		case made.Removed:
			made.At = diag.Whole(old)
		case made.Added:
			made.At = diag.Whole(now)
		default:
			made.At = firstLine(old, now)
		}
		out = append(out, made)
	}
	out = relocated(out, was, is)
	if ends.Files > 0 {
		out = append(out, ends)
	}
	return out
}

// union gives the keys of two maps, sorted.
func union[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
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

// busy gives the paths of the files behind every rendering that differs, without
// the items in it that are the same. Where another program put the texts
// together, their order is in the files, too.
func busy(two *pairing.Two) map[string]bool {
	out := map[string]bool{}
	type both struct{ was, is *assembly.Rendering }
	known := map[both]bool{}
	note := func(of both) {
		if known[of] || of.was == of.is {
			return
		}
		known[of] = true
		if !sameRendering(of.was, of.is) {
			behind := map[string]bool{}
			filesBehind(of.was, behind)
			filesBehind(of.is, behind)
			for _, path := range sameItems(of.was, of.is) {
				delete(behind, path)
			}
			maps.Copy(out, behind)
		}
	}
	for _, p := range two.Pairs {
		sections := pairing.Sections(p, false)
		for _, t := range two.Twins(p) {
			for _, s := range sections {
				was, is := t.Used(s)
				note(both{was, is})
			}
			if t.Both() && t.Head.Variant.Sent != nil && p.Affected.Has(t.Head.Variant.Index) { // also by what is no text
				filesOfTexts(t.Base, out)
				filesOfTexts(t.Head, out)
			}
			if t.Both() && pairing.SameText(t.Base, t.Head) {
				continue
			}
			note(both{two.Base.Conversation(t.Base), two.Head.Conversation(t.Head)})
			if t.Both() && p.Base.Prompt.Rendered != nil && p.Head.Prompt.Rendered != nil {
				filesOfTexts(t.Base, out)
				filesOfTexts(t.Head, out)
			}
		}
	}
	return out
}

func sameRendering(a, b *assembly.Rendering) bool {
	return a != nil && b != nil && a.Turns == nil && b.Turns == nil && a.Text.Str == b.Text.Str && a.Beside == b.Beside &&
		slices.EqualFunc(a.Tools, b.Tools, func(t, u *language.Tool) bool { return t.Canonical == u.Canonical && t.Strict == u.Strict })
}

// sameItems gives the files of items that two renderings show alike: another file
// made these differ. It gives none where the order of the files both have differs, which any of
// them may have caused, and none of tools, whose schemas are not in the text.
func sameItems(was, is *assembly.Rendering) []string {
	if was == nil || is == nil || len(was.Tools)+len(is.Tools) > 0 {
		return nil
	}
	old, now := itemTexts(was), itemTexts(is)
	order := func(x *assembly.Rendering) []string {
		var out []string
		for _, i := range x.Items {
			if i.File != nil && old[i.File.Path] != "" && now[i.File.Path] != "" {
				out = append(out, i.File.Path)
			}
		}
		return slices.Compact(out)
	}
	both := order(is)
	if !slices.Equal(order(was), both) {
		return nil
	}
	return slices.DeleteFunc(both, func(path string) bool { return old[path] != now[path] })
}

// itemTexts gives what the items of each file say, one after another.
func itemTexts(x *assembly.Rendering) map[string]string {
	out := map[string]string{}
	for _, i := range x.Items {
		if i.File != nil {
			out[i.File.Path] += x.Text.Str[i.Start:i.End]
		}
	}
	return out
}

// filesOfTexts adds the paths of the files that a text is in that another
// program assembled.
func filesOfTexts(a *assembly.Artifact, out map[string]bool) {
	for i := range a.Parts {
		if x := a.Parts[i].Rendering; x != nil && x.Text.Str != "" {
			filesBehind(x, out)
		}
	}
}

// filesBehind adds the paths of the files that a rendering is made from.
func filesBehind(x *assembly.Rendering, out map[string]bool) {
	if x == nil || x.Unit == nil {
		return
	}
	for _, path := range x.Unit.Sources() {
		out[path] = true
	}
	d := x.Unit.Dialogue
	if d == nil {
		return
	}
	if d.Conversation != nil && d.Conversation.Doc != nil {
		out[d.Conversation.Doc.File.Path] = true
	}
	for _, f := range d.Files() {
		out[f.Doc.File.Path] = true
	}
}

// relocated makes one row of each source that stands elsewhere now with the
// same text, and one of all those that moved with their folder.
func relocated(all []review.Idle, was, is map[string]*diag.File) []review.Idle {
	gone := map[string][]string{} // the paths by text, in order
	for _, i := range all {
		if i.Removed {
			gone[was[i.Path].Text] = append(gone[was[i.Path].Text], i.Path)
		}
	}
	moved := map[string]bool{}
	rows := map[[2]string]*review.Idle{} // by the folders
	var found []*review.Idle
	for _, i := range all {
		if !i.Added || is[i.Path].Text == "" {
			continue
		}
		text := is[i.Path].Text
		old := gone[text]
		if len(old) == 0 {
			continue
		}
		n := max(slices.IndexFunc(old, func(p string) bool { return path.Base(p) == path.Base(i.Path) }), 0)
		from := old[n]
		moved[from], moved[i.Path] = true, true
		gone[text] = slices.Delete(old, n, n+1)
		key := folders(from, i.Path)
		if row := rows[key]; row != nil {
			row.Was, row.Path = key[0], key[1]
			row.Files++
			continue
		}
		rows[key] = &review.Idle{Path: i.Path, Was: from, Files: 1, At: i.At}
		found = append(found, rows[key])
	}
	out := slices.DeleteFunc(all, func(i review.Idle) bool { return (i.Added || i.Removed) && moved[i.Path] })
	for _, row := range found {
		out = append(out, *row)
	}
	return out
}

// folders gives what differs between two paths: they end alike from there on.
func folders(from, to string) [2]string {
	for path.Base(from) == path.Base(to) && path.Dir(from) != path.Dir(to) {
		from, to = path.Dir(from), path.Dir(to)
		if from == "." || to == "." {
			break
		}
	}
	return [2]string{from, to}
}

package idle

import (
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// unread finds the files beside those of a pattern that changed and that
// nothing reads, and the folders in which either side could not look at all.
func unread(base, head *language.Tree) []review.Idle {
	var out []review.Idle
	was, is := paths(base), paths(head)
	for _, i := range changed(unreadIn(base), unreadIn(head)) {
		if i.Added && (was[i.Path] || !covered(base, i.Path)) || i.Removed && (is[i.Path] || !covered(head, i.Path)) {
			continue // nobody looked whether the other side has it, or it does
		}
		i.Unread = true
		out = append(out, i)
	}
	met := map[string]bool{}
	for _, u := range slices.Concat(head.Unread, base.Unread) {
		if u.Partial && !met[u.Folder] {
			met[u.Folder] = true
			out = append(out, review.Idle{Path: u.Folder, Unread: true, Partial: true})
		}
	}
	return out
}

// include says of files which variants send a template that includes them.
func include(two *pairing.Two, files []review.Idle) {
	for i := range files {
		f := &files[i]
		if f.Partial || f.LineEnds || f.Was != "" || f.Entries > 0 {
			continue
		}
		for _, p := range two.Pairs {
			for _, t := range two.Twins(p) {
				if !t.Both() {
					continue
				}
				by, unsure := two.Includer(t.Head, []string{f.Path})
				if by == "" || unsure && f.Includer != "" && !f.Unsure {
					continue
				}
				if f.Includer == "" || f.Unsure && !unsure {
					f.Includer, f.Unsure, f.Reaches = by, unsure, nil
				}
				f.Reaches = append(f.Reaches, t.Head.Variant)
				if v := t.Head.Variant.Index; !unsure && !p.Affected.Has(v) {
					p.Includers.Add(v)
				}
			}
		}
	}
}

// unreadIn gives the files of a tree that nothing reads.
func unreadIn(t *language.Tree) []language.FileSum {
	var out []language.FileSum
	for _, u := range t.Unread {
		out = append(out, u.Files...)
	}
	return out
}

// paths gives the paths of all files that a tree is known to have.
func paths(t *language.Tree) map[string]bool {
	out := map[string]bool{}
	for _, d := range t.Docs() {
		out[d.File.Path], out[d.Real] = true, true
	}
	for _, sums := range t.Inputs {
		for _, s := range sums {
			out[s.Path] = true
		}
	}
	for _, s := range unreadIn(t) {
		out[s.Path] = true
	}
	return out
}

// covered reports whether a tree would have noted a file at a path that nothing
// reads.
func covered(t *language.Tree, path string) bool {
	covers := func(partial bool) bool {
		return slices.ContainsFunc(t.Unread, func(u *language.Unread) bool { return u.Partial == partial && u.Covers(path) })
	}
	return covers(false) && !covers(true)
}

// changed gives the files that differ, by path.
func changed(base, head []language.FileSum) []review.Idle {
	byPath := func(sums []language.FileSum) map[string]string {
		out := map[string]string{}
		for _, s := range sums {
			out[s.Path] = s.SHA256
		}
		return out
	}
	was, is := byPath(base), byPath(head)
	var out []review.Idle
	for _, p := range union(was, is) {
		if was[p] != is[p] {
			out = append(out, review.Idle{Path: p, Added: was[p] == "", Removed: is[p] == ""})
		}
	}
	return out
}

// entries adds, by snapshot file, how many of the entries that no pattern
// stands for changed, came or went. A file that came or went as a whole says so
// itself.
func entries(all []review.Idle, base, head *prompt.Result) []review.Idle {
	was, is := saved(base.Tree), saved(head.Tree)
	for _, p := range slices.Sorted(maps.Keys(is)) {
		old, now := was[p], is[p]
		if old == nil {
			continue
		}
		before, after := texts(old), texts(now)
		n := 0
		for name := range untaken(base.Plan, old) {
			if after[name] == "" {
				n++
			}
		}
		for name := range untaken(head.Plan, now) {
			if before[name] != after[name] {
				n++
			}
		}
		if n == 0 {
			continue
		}
		if i := slices.IndexFunc(all, func(i review.Idle) bool { return i.Path == p }); i >= 0 {
			all[i].Entries = n
		} else {
			all = append(all, review.Idle{Path: p, Entries: n, At: diag.Whole(now.File)})
		}
	}
	return all
}

// saved gives the snapshot files of a tree, by path; not files of data, of which a
// pointer takes what it leads to.
func saved(t *language.Tree) map[string]*language.Doc {
	out := map[string]*language.Doc{}
	for key, docs := range t.Matches {
		for _, d := range docs {
			if key.Kind == language.RenderedKind && key.How.Pointer == "" && key.How.Symbol == "" && d.Saved != nil {
				out[d.File.Path] = d
			}
		}
	}
	return out
}

// texts gives what a snapshot file has under each name, as it is written; none
// is "".
func texts(d *language.Doc) map[string]string {
	out := map[string]string{}
	for _, s := range d.Saved {
		out[s.Name] += s.At.File.Text[s.At.Start:s.At.End] + "\x00"
	}
	return out
}

// untaken gives the names of a snapshot file that no prompt takes.
func untaken(plan *assembly.Plan, d *language.Doc) map[string]bool {
	out := map[string]bool{}
	for i := range d.Saved {
		if !plan.Entries[&d.Saved[i]] {
			out[d.Saved[i].Name] = true
		}
	}
	return out
}

// stale finds the prompts with an input that changed, and no text that did. Where the
// sides name other patterns, a file that only one of them has says nothing.
func stale(two *pairing.Two) []review.Stale {
	var out []review.Stale
	for _, p := range two.Pairs {
		if p.Base == nil || p.Head == nil || p.Affected.Len() > 0 || p.Gone.Len() > 0 {
			continue
		}
		was, is := p.Base.Prompt.Rendered, p.Head.Prompt.Rendered
		if was == nil || is == nil || len(is.From) == 0 {
			continue
		}
		same := slices.EqualFunc(was.From, is.From, func(a, b ground.Word) bool { return a.Str == b.Str })
		inputs := changed(two.Base.Tree.InputsOf(was), two.Head.Tree.InputsOf(is))
		inputs = slices.DeleteFunc(inputs, func(i review.Idle) bool { return !same && (i.Added || i.Removed) })
		if len(inputs) > 0 {
			out = append(out, review.Stale{Pair: p, Inputs: inputs, At: is.From[0].At})
		}
	}
	return out
}

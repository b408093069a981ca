package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// unread adds to the sources that changed without a variant what no variant
// reads at all, files beside those of a pattern and entries of snapshot files,
// and finds the prompts to render again.
func (r *run) unread() {
	base, head := r.d.Base.Result, r.d.Head.Result
	if base == nil || head == nil || base.Stopped || head.Stopped || base.Tree == nil || head.Tree == nil {
		return
	}
	was, is := pathsOf(base.Tree), pathsOf(head.Tree)
	// What only one side reads may be there on both.
	r.d.Idle = slices.DeleteFunc(r.d.Idle, func(i prompt.Idle) bool { return i.Removed && is[i.Path] || i.Added && was[i.Path] })
	for _, i := range changedSums(unreadIn(base.Tree), unreadIn(head.Tree)) {
		if i.Added && (was[i.Path] || !covered(base.Tree, i.Path)) || i.Removed && (is[i.Path] || !covered(head.Tree, i.Path)) {
			continue // nobody looked whether the other side has it, or it does
		}
		i.Unread = true
		r.d.Idle = append(r.d.Idle, i)
	}
	r.d.Idle = append(r.d.Idle, partial(base.Tree, head.Tree)...)
	r.unreadEntries(base, head)
	slices.SortStableFunc(r.d.Idle, func(a, b prompt.Idle) int { return strings.Compare(a.Path, b.Path) })
	r.staleTexts(base.Tree, head.Tree)
}

// unreadIn gives the files of a tree that nothing reads.
func unreadIn(t *prompt.Tree) []prompt.FileSum {
	var out []prompt.FileSum
	for _, u := range t.Unread {
		out = append(out, u.Files...)
	}
	return out
}

// pathsOf gives the paths of all files that a tree is known to have.
func pathsOf(t *prompt.Tree) map[string]bool {
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
func covered(t *prompt.Tree, path string) bool {
	some := false
	for _, u := range t.Unread {
		if u.Covers(path) {
			if u.Partial {
				return false
			}
			some = true
		}
	}
	return some
}

// partial gives the folders in which either side could not look at all files.
func partial(base, head *prompt.Tree) []prompt.Idle {
	var out []prompt.Idle
	for _, u := range slices.Concat(head.Unread, base.Unread) {
		if u.Partial && !slices.ContainsFunc(out, func(i prompt.Idle) bool { return i.Path == u.Folder }) {
			out = append(out, prompt.Idle{Path: u.Folder, Unread: true, Partial: true})
		}
	}
	return out
}

// changedSums gives the files that differ, by path.
func changedSums(base, head []prompt.FileSum) []prompt.Idle {
	was, is := sumsByPath(base), sumsByPath(head)
	all := maps.Clone(was)
	maps.Copy(all, is)
	var out []prompt.Idle
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if was[p] != is[p] {
			out = append(out, prompt.Idle{Path: p, Added: was[p] == "", Removed: is[p] == ""})
		}
	}
	return out
}

func sumsByPath(sums []prompt.FileSum) map[string]string {
	out := map[string]string{}
	for _, s := range sums {
		out[s.Path] = s.SHA256
	}
	return out
}

// unreadEntries counts, by snapshot file, the entries that no pattern stands for and
// that changed, came or went.
func (r *run) unreadEntries(base, head *prompt.Result) {
	was, is := savedIn(base.Tree), savedIn(head.Tree)
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, p := range slices.Sorted(maps.Keys(all)) {
		old, now := was[p], is[p]
		if old == nil || now == nil {
			continue // it came or went as a whole
		}
		before, after := entryTexts(old), entryTexts(now)
		n := 0
		for name := range untaken(base.Plan, old) {
			if _, stays := after[name]; !stays {
				n++
			}
		}
		for name := range untaken(head.Plan, now) {
			if text, stayed := before[name]; !stayed || text != after[name] {
				n++
			}
		}
		if n == 0 {
			continue
		}
		if i := slices.IndexFunc(r.d.Idle, func(i prompt.Idle) bool { return i.Path == p }); i >= 0 {
			r.d.Idle[i].Entries = n
		} else {
			r.d.Idle = append(r.d.Idle, prompt.Idle{Path: p, Entries: n, At: diag.Whole(now.File)})
		}
	}
}

// savedIn gives the snapshot files of a tree, by path.
func savedIn(t *prompt.Tree) map[string]*prompt.Doc {
	out := map[string]*prompt.Doc{}
	for key, docs := range t.Matches {
		for _, d := range docs {
			if key.Kind == prompt.RenderedKind && d.Saved != nil {
				out[d.File.Path] = d
			}
		}
	}
	return out
}

// entryTexts gives what a snapshot file has under each name, as it is written.
func entryTexts(d *prompt.Doc) map[string]string {
	out := map[string]string{}
	for _, s := range d.Saved {
		out[s.Name] += s.At.File.Text[s.At.Start:s.At.End] + "\x00"
	}
	return out
}

// untaken gives the names of a snapshot file that no prompt takes.
func untaken(plan *prompt.Plan, d *prompt.Doc) map[string]bool {
	out := map[string]bool{}
	for i := range d.Saved {
		if !plan.Entries[&d.Saved[i]] {
			out[d.Saved[i].Name] = true
		}
	}
	return out
}

// staleTexts finds the prompts of which an input changed and no text did. Where the
// sides name other patterns, a file that only one of them has says nothing.
func (r *run) staleTexts(base, head *prompt.Tree) {
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil || p.Affected.Len() > 0 || p.Gone.Len() > 0 {
			continue
		}
		was, is := p.Base.Prompt.Rendered, p.Head.Prompt.Rendered
		if was == nil || is == nil || len(is.From) == 0 {
			continue
		}
		same := slices.EqualFunc(was.From, is.From, func(a, b prompt.Word) bool { return a.Str == b.Str })
		inputs := changedSums(base.InputsOf(was), head.InputsOf(is))
		inputs = slices.DeleteFunc(inputs, func(i prompt.Idle) bool { return !same && (i.Added || i.Removed) })
		if len(inputs) > 0 {
			r.d.Stale = append(r.d.Stale, prompt.Stale{Pair: p.Pair, Inputs: inputs, At: is.From[0].At})
		}
	}
}

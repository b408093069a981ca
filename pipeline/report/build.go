package report

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// namedFiles is how many of the written files are named before the rest is
// counted.
const namedFiles = 4

// built is what a build made of one prompt.
type built struct {
	id                   string
	variants, renderings int
	// elsewhere says that another program renders it.
	elsewhere bool
	// changed, added and removed count files that hold text of the prompt.
	changed, added, removed int
}

// Build writes a line for each prompt, and then what was written.
func Build(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	p := newPage(opt.of(r))
	p.build(r, did)
	return p.print(w)
}

func (p *page) build(r *prompt.Result, did Outcome) {
	var t table
	for _, b := range builds(r) {
		texts := count(b.renderings, "rendering")
		if b.elsewhere {
			texts = "rendered elsewhere"
		}
		t.row(clean(b.id), count(b.variants, "variant"), texts, news(b))
	}
	t.align = []side{toLeft, amount, amount, toLeft}
	t.print(p, 3)
	d := r.Delta
	if d == nil {
		return
	}
	var files int
	if did.Snapshots {
		files += p.wrote(d.Snapshots)
	}
	if did.Artifacts {
		files += p.wroteArtifacts(d)
	}
	if files == 0 && (did.Snapshots || did.Artifacts) {
		p.line("nothing to write: everything is up to date")
	}
}

// news says what changed of a prompt, "" for nothing.
func news(b built) string {
	var parts []string
	for _, n := range []struct {
		n    int
		word string
	}{{b.changed, "changed"}, {b.added, "added"}, {b.removed, "removed"}} {
		if n.n > 0 {
			parts = append(parts, number(n.n)+" "+n.word)
		}
	}
	return strings.Join(parts, ", ")
}

// wrote names the files that were written and those that were removed.
func (p *page) wrote(all []prompt.Change) int {
	sorted := slices.Clone(all)
	// What people look for comes first, the indexes that follow last.
	slices.SortStableFunc(sorted, func(a, b prompt.Change) int { return rank(a) - rank(b) })
	var written, removed []string
	for _, c := range sorted {
		if c.Status == prompt.Orphaned {
			removed = append(removed, p.path(c.Output.Path))
		} else {
			written = append(written, p.path(c.Output.Path))
		}
	}
	for _, l := range []struct {
		verb  string
		names []string
	}{{"wrote", written}, {"removed", removed}} {
		switch n := len(l.names); {
		case n > namedFiles:
			p.line(l.verb, " ", count(n, "file"), ": ", list(l.names, namedFiles))
		case n > 0:
			p.line(l.verb, " ", strings.Join(l.names, ", "))
		}
	}
	return len(all)
}

func rank(c prompt.Change) int {
	switch c.Output.Owner.Kind {
	case prompt.OutOutline:
		return 1
	case prompt.OutIndex:
		return 2
	default:
		return 0
	}
}

// wroteArtifacts says in one line what became of the emitted files.
func (p *page) wroteArtifacts(d *prompt.Delta) int {
	written, removed := 0, 0
	for _, c := range d.Artifacts {
		if c.Status == prompt.Orphaned {
			removed++
		} else {
			written++
		}
	}
	var parts []string
	if written > 0 {
		parts = append(parts, "wrote "+count(written, "file")+" below "+p.path(d.ArtifactFolder))
	}
	if removed > 0 {
		parts = append(parts, "removed "+count(removed, "file")+" there")
	}
	if len(parts) > 0 {
		p.line(strings.Join(parts, ", "))
	}
	return len(d.Artifacts)
}

// builds counts what each prompt of the plan has, in declared order.
func builds(r *prompt.Result) []built {
	if r.Plan == nil {
		return nil
	}
	out := make([]built, len(r.Plan.Builds))
	at := map[*prompt.Build]int{}
	for i, b := range r.Plan.Builds {
		out[i].id, out[i].variants, out[i].elsewhere = b.Prompt.ID.Str, len(b.Variants), b.Prompt.Rendered != nil
		at[b] = i
	}
	for i, n := range renderings(r) {
		out[i].renderings = n
	}
	if r.Delta == nil {
		return out
	}
	for _, c := range r.Delta.Snapshots {
		tell(out, at, c)
	}
	return out
}

// renderings counts the distinct texts of each section, summed by prompt.
func renderings(r *prompt.Result) []int {
	type text struct {
		section int
		str     string
	}
	out := make([]int, len(r.Plan.Builds))
	at := map[*prompt.Build]int{}
	texts := make([]map[text]bool, len(out))
	for i, b := range r.Plan.Builds {
		at[b] = i
		texts[i] = map[text]bool{}
	}
	seen := map[*prompt.Rendering]bool{} // most variants share theirs: hash each text once
	for _, a := range r.Artifacts {
		i, ok := at[a.Build]
		if !ok {
			continue
		}
		for _, part := range a.Parts {
			if part.Rendering == nil || part.Text == "" || seen[part.Rendering] {
				continue
			}
			seen[part.Rendering] = true
			texts[i][text{part.Section, part.Text}] = true
		}
	}
	for i := range out {
		out[i] = len(texts[i])
	}
	return out
}

// tell adds a changed file to the counts of the prompts that use it.
func tell(out []built, at map[*prompt.Build]int, c prompt.Change) {
	kind, owner := c.Output.Owner.Kind, c.Output.Owner.Prompt
	if kind == prompt.OutIndex || kind == prompt.OutOutline {
		return
	}
	users := map[int]bool{}
	for _, u := range c.Output.Owner.Users {
		if i, ok := at[u.Build]; ok {
			users[i] = true
		}
	}
	for i := range out {
		if out[i].id != owner && !users[i] {
			continue
		}
		switch c.Status {
		case prompt.Changed:
			out[i].changed++
		case prompt.Added:
			out[i].added++
		case prompt.Orphaned:
			out[i].removed++
		case prompt.Unchanged:
		}
	}
}

package report

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/leaf"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Pulled writes how what servers offer differs from what was pulled from them,
// server by server: each file, and what differs in it unless it is among told,
// which another report shows.
func Pulled(w io.Writer, servers []string, d *prompt.Delta, told map[string]bool, opt Options) error {
	p := &diffPage{page: newPage(opt)}
	for _, server := range servers {
		folder := prompt.PulledFolder + "/" + server + "/"
		var changes []prompt.Change
		for _, c := range d.Snapshots {
			if strings.HasPrefix(c.Output.Path, folder) {
				changes = append(changes, c)
			}
		}
		if len(changes) == 0 {
			p.line(clean(server), ": no change")
			continue
		}
		p.line(p.paint(bold, clean(server)+": "), statusesOf(changes).words("changed", "added", "removed"))
		for _, c := range changes {
			p.pulled(strings.TrimPrefix(c.Output.Path, folder), c, told[c.Output.Path])
		}
	}
	return p.print(w)
}

func (p *diffPage) pulled(name string, c prompt.Change, told bool) {
	verb, look := "changed", yellow
	switch c.Status {
	case prompt.Added:
		verb, look = "added", green
	case prompt.Orphaned:
		verb, look = "removed", red
	case prompt.Unchanged, prompt.Changed:
	}
	p.line("  ", p.paint(look, verb), strings.Repeat(" ", 9-len(verb)), clean(name))
	if c.Status != prompt.Changed || told {
		return
	}
	shown := change{Change: c}
	if strings.HasSuffix(name, ".json") {
		// The sums of a lock follow from the other files.
		leaves := slices.DeleteFunc(leaf.Between(c.Old, c.Output.Content()), func(l prompt.Leaf) bool {
			return name == "lock.json" && len(l.Steps) > 0 && l.Steps[0].Key == "sha256"
		})
		if len(leaves) == 0 {
			return
		}
		shown.leaves = shownLeaves("", leaves)
	}
	p.changed(&shown)
}

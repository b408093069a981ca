package run

import (
	"io"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
	"github.com/promptc-build/promptc/pipeline/store"
)

// Pulled writes how what servers offer differs from what was pulled from them,
// server by server: each file, and what differs in it unless it is among told,
// which another report shows.
func Pulled(w io.Writer, servers []string, d *store.Delta, told map[string]bool, opt words.Options) error {
	p := &change.Page{Printer: words.NewPrinter(opt)}
	for _, server := range servers {
		folder := language.PulledFolder + "/" + server + "/"
		var changes []store.Change
		for _, c := range d.Snapshots {
			if strings.HasPrefix(c.Output.Path, folder) {
				changes = append(changes, c)
			}
		}
		if len(changes) == 0 {
			p.Line(words.Clean(server), ": no change")
			continue
		}
		p.Line(p.Paint(words.Bold, words.Clean(server)+": "), statusesOf(changes).words("changed", "added", "removed"))
		for _, c := range changes {
			printPulled(p, strings.TrimPrefix(c.Output.Path, folder), c, told[c.Output.Path])
		}
	}
	return p.Print(w)
}

func printPulled(p *change.Page, name string, c store.Change, told bool) {
	verb, look := "changed", words.Yellow
	switch c.Status {
	case store.Added:
		verb, look = "added", words.Green
	case store.Orphaned:
		verb, look = "removed", words.Red
	case store.Unchanged, store.Changed:
	}
	p.Line("  ", p.Paint(look, verb), strings.Repeat(" ", 9-len(verb)), words.Clean(name))
	if c.Status != store.Changed || told {
		return
	}
	shown := fileChange{Change: c}
	if strings.HasSuffix(name, ".json") {
		// The sums of a lock follow from the other files.
		leaves := slices.DeleteFunc(leaf.Between(c.Old, c.Output.Content()), func(l review.Leaf) bool {
			return name == "lock.json" && len(l.Steps) > 0 && l.Steps[0].Key == "sha256"
		})
		if len(leaves) == 0 {
			return
		}
		shown.leaves = change.ShownLeaves("", leaves)
	}
	printChanged(p, &shown)
}

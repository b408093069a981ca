package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
)

// randomFixture gives a fixture whose keys all name something, each once.
func randomFixture(random *rand.Rand) string {
	var tiers [language.Tiers][]string
	var selected, symbols []string
	for _, f := range []string{"a.go", "b.go", "c.go", "sub/d.go", "Z.go"} {
		if random.IntN(2) == 0 {
			symbols = append(symbols, f+": S")
			if random.IntN(2) == 0 {
				t := random.IntN(language.Tiers)
				tiers[t] = append(tiers[t], `"symbol:`+f+`"`)
			}
		}
		if random.IntN(2) == 0 {
			t := random.IntN(language.Tiers)
			tiers[t] = append(tiers[t], `"file:`+f+`"`)
		}
		if random.IntN(2) == 0 {
			selected = append(selected, f)
		}
	}
	out := "workspace: ws\nprompt: Go on.\nselected: [" + strings.Join(selected, ", ") + "]\nsymbols: {" + strings.Join(symbols, ", ") + "}\nhistory:\n"
	for pair := range 4 {
		out += "  - {role: user, content: Q}\n  - {role: assistant, content: A}\n"
		if t := random.IntN(language.Tiers + 1); t < language.Tiers {
			tiers[t] = append(tiers[t], fmt.Sprintf(`"history:%d", "history:%d"`, 2*pair+1, 2*pair))
		}
	}
	out += "tiers:\n"
	for i, keys := range tiers {
		random.Shuffle(len(keys), func(a, b int) { keys[a], keys[b] = keys[b], keys[a] })
		out += fmt.Sprintf("  L%d: [%s]\n", i, strings.Join(keys, ", "))
	}
	return out
}

// shown lists all that a dialogue shows, sorted, and whether each place is in
// order.
func shown(d *assembly.Dialogue) (all []string, ordered bool) {
	ordered = true
	add := func(symbols []*language.SymbolBlock, files []assembly.WorkFile, history []int) {
		ordered = ordered && slices.IsSorted(history) &&
			slices.IsSortedFunc(symbols, func(a, b *language.SymbolBlock) int { return strings.Compare(a.Path.Str, b.Path.Str) }) &&
			slices.IsSortedFunc(files, func(a, b assembly.WorkFile) int { return strings.Compare(a.Path, b.Path) })
		for _, s := range symbols {
			all = append(all, s.Path.Str)
		}
		for _, f := range files {
			all = append(all, f.Path)
		}
		for _, n := range history {
			all = append(all, strconv.Itoa(n))
		}
	}
	for _, t := range d.Tiers {
		add(t.Symbols, t.Files, t.History)
	}
	add(d.Symbols, d.Working, d.Active)
	slices.Sort(all)
	return all, ordered
}

// TestAssembliesShowTheSame holds over random fixtures that either assembly
// shows every path and message that the fixture gives once, in order, and that
// each key of a tier is shown in its tier or reported.
func TestAssembliesShowTheSame(t *testing.T) {
	for seed := range uint64(150) {
		fixture := randomFixture(rand.New(rand.NewPCG(seed, 11)))
		got, found := talk(t, fixture)
		if found.HasErrors() {
			t.Fatalf("%v\n%s", told(found), fixture)
		}
		tiered, inOrder := shown(got[0])
		flat, alsoInOrder := shown(got[1])
		if diff := cmp.Diff(tiered, flat); diff != "" || !inOrder || !alsoInOrder {
			t.Errorf("ordered %t and %t, %s\n%s", inOrder, alsoInOrder, diff, fixture)
		}
		if twice := len(slices.Compact(slices.Clone(flat))); twice != len(flat) {
			t.Errorf("something is shown twice: %v\n%s", flat, fixture)
		}
		reported := strings.Join(told(found), "\n")
		for i, keys := range got[0].Conversation.Tiers {
			tier := shape(&assembly.Dialogue{Tiers: [language.Tiers]assembly.Tier{got[0].Tiers[i]}})
			for _, k := range keys {
				line, column := k.Word.At.File.Position(k.Word.At.Start)
				if !strings.Contains(tier, k.Word.Str) && !strings.Contains(reported, fmt.Sprintf("fx/chat.yaml:%d:%d: ", line, column)) {
					t.Errorf("L%d: %q is neither shown nor reported\n%s", i, k.Word.Str, fixture)
				}
			}
		}
	}
}

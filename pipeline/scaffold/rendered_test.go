package scaffold_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/scaffold"
)

// snapshots are files with these paths, without entries.
func snapshots(paths ...string) []scaffold.Snapshot {
	files := make([]scaffold.Snapshot, len(paths))
	for i, p := range paths {
		files[i].Path = p
	}
	return files
}

func TestAxesAreTheDifferencesOfNames(t *testing.T) {
	for _, tc := range []struct {
		name  string
		paths []string
		want  scaffold.Legacy
	}{
		{
			"one file has no axis",
			[]string{"out/system.txt"},
			scaffold.Legacy{Path: "out/system.txt"},
		},
		{
			"every part that varies is an axis",
			[]string{"s/generic-basic.snap", "s/generic-full.snap", "s/xs-basic.snap", "s/xs-full.snap"},
			scaffold.Legacy{Path: "s/{a1}-{a2}.snap", Axes: []scaffold.Axis{{Name: "a1", Values: []string{"generic", "xs"}}, {Name: "a2", Values: []string{"basic", "full"}}}},
		},
		{
			"numbers are in the order of their size",
			[]string{"tier10.txt.golden", "tier9.txt.golden", "tier100.txt.golden"},
			scaffold.Legacy{Path: "{name}.txt.golden", Axes: []scaffold.Axis{{Name: "name", Values: []string{"tier10", "tier100", "tier9"}}}},
		},
		{
			"numbers in parts of their own",
			[]string{"t/10.txt", "t/9.txt", "t/100.txt"},
			scaffold.Legacy{Path: "t/{name}.txt", Axes: []scaffold.Axis{{Name: "name", Values: []string{"9", "10", "100"}}}},
		},
		{
			"keys name their axes",
			[]string{"family=a,tier=1.txt", "family=a,tier=2.txt", "family=b,tier=1.txt", "family=b,tier=2.txt"},
			scaffold.Legacy{Path: "family={family},tier={tier}.txt", Axes: []scaffold.Axis{{Name: "family", Values: []string{"a", "b"}}, {Name: "tier", Values: []string{"1", "2"}}}},
		},
		{
			"what is missing is excluded",
			[]string{"x/a_1.txt", "x/a_2.txt", "x/b_1.txt"},
			scaffold.Legacy{
				Path: "x/{a1}_{a2}.txt", Axes: []scaffold.Axis{{Name: "a1", Values: []string{"a", "b"}}, {Name: "a2", Values: []string{"1", "2"}}},
				Missing: [][]string{{"b", "2"}},
			},
		},
		{
			"values may hold separators where all combinations are there",
			[]string{"generic-basic.md", "generic-full.md", "next-gen-basic.md", "next-gen-full.md", "gpt-5-basic.md", "gpt-5-full.md"},
			scaffold.Legacy{Path: "{a1}-{a2}.md", Axes: []scaffold.Axis{{Name: "a1", Values: []string{"generic", "gpt-5", "next-gen"}}, {Name: "a2", Values: []string{"basic", "full"}}}},
		},
		{
			"the first part, where the others do not go together",
			[]string{"act.no-tools.txt", "act.full.txt", "plan.no-tools.txt", "plan.full.txt"},
			scaffold.Legacy{Path: "{a1}.{a2}.txt", Axes: []scaffold.Axis{{Name: "a1", Values: []string{"act", "plan"}}, {Name: "a2", Values: []string{"full", "no-tools"}}}},
		},
		{
			"names without an order are one axis",
			[]string{"p/agent.txt", "p/commit-message.txt", "p/title.txt"},
			scaffold.Legacy{Path: "p/{name}.txt", Axes: []scaffold.Axis{{Name: "name"}}},
		},
		{
			"parts that seldom meet are one axis",
			[]string{"p/a-1.txt", "p/b-2.txt", "p/c-3.txt", "p/d-4.txt"},
			scaffold.Legacy{Path: "p/{name}.txt", Axes: []scaffold.Axis{{Name: "name"}}},
		},
		{
			"folders are axes of their own",
			[]string{"p/a/x-y.txt", "p/b/z.txt", "p/b/q-r-s.txt"},
			scaffold.Legacy{Path: "p/{a1}/{a2}.txt", Axes: []scaffold.Axis{{Name: "a1"}, {Name: "a2"}}},
		},
		{
			"a character of patterns stands for anything",
			[]string{"p/[id]/a.txt", "p/[id]/b.txt"},
			scaffold.Legacy{Path: "p/*id*/{name}.txt", Axes: []scaffold.Axis{{Name: "name", Values: []string{"a", "b"}}}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := scaffold.Derive(snapshots(tc.paths...))
			if err != nil {
				t.Fatal(err)
			}
			tc.want.ID = "legacy"
			if diff := cmp.Diff(&scaffold.Found{Prompts: []*scaffold.Legacy{&tc.want}}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEntriesAreAxesToo(t *testing.T) {
	file := func(path string, entries ...string) scaffold.Snapshot {
		return scaffold.Snapshot{Path: path, Entries: entries}
	}
	for _, tc := range []struct {
		name  string
		files []scaffold.Snapshot
		want  scaffold.Legacy
	}{
		{
			"one entry a file needs no name",
			[]scaffold.Snapshot{file("a.snap", "renders 1"), file("b.snap", "renders 1")},
			scaffold.Legacy{Path: "{name}.snap", Axes: []scaffold.Axis{{Name: "name", Values: []string{"a", "b"}}}},
		},
		{
			"entries of one file",
			[]scaffold.Snapshot{file("t/p.snap", "prompt > generic basic 1", "prompt > generic full 1", "prompt > xs basic 1", "prompt > xs full 1")},
			scaffold.Legacy{
				Path: "t/p.snap", Entry: "prompt > {a1} {a2} 1",
				Axes: []scaffold.Axis{{Name: "a1", Values: []string{"generic", "xs"}}, {Name: "a2", Values: []string{"basic", "full"}}},
			},
		},
		{
			"files and their entries",
			[]scaffold.Snapshot{file("t/x.snap", "a 1", "b 1"), file("t/y.snap", "b 1", "a 1")},
			scaffold.Legacy{
				Path: "t/{a1}.snap", Entry: "{a2} 1",
				Axes: []scaffold.Axis{{Name: "a1", Values: []string{"x", "y"}}, {Name: "a2", Values: []string{"a", "b"}}},
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := scaffold.Derive(tc.files)
			if err != nil {
				t.Fatal(err)
			}
			tc.want.ID = "legacy"
			if diff := cmp.Diff(&scaffold.Found{Prompts: []*scaffold.Legacy{&tc.want}}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of any tree that is all combinations of some values, each file is found by the
// pattern, in one way, and no variant is left without one.
func TestGeneratedTreesAreFoundAgain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 23))
	letters := "abcdefghijklmnopqrstuvwxyz0123456789"
	word := func() string {
		b := make([]byte, 1+rnd.IntN(6))
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		return string(b)
	}
	for range 500 {
		names := []string{word() + "/"}
		axes := 1 + rnd.IntN(3)
		for i := range axes {
			var values, next []string
			for len(values) < 2+rnd.IntN(4) {
				value := word()
				if rnd.IntN(4) == 0 && axes < 3 {
					value += string("-_."[rnd.IntN(3)]) + word()
				}
				if prompt.IsAxisValue(value) && !slices.Contains(values, value) {
					values = append(values, value)
				}
			}
			sep := ""
			if i > 0 {
				sep = string("-_./"[rnd.IntN(4)])
			}
			for _, name := range names {
				for _, value := range values {
					next = append(next, name+sep+value)
				}
			}
			names = next
		}
		for i := range names {
			names[i] += ".txt"
		}
		rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		holds(t, names)
	}
}

func holds(t *testing.T, names []string) {
	t.Helper()
	found, err := scaffold.Derive(snapshots(names...))
	if err != nil {
		t.Fatalf("%v: %v", names, err)
	}
	if len(found.Prompts) != 1 {
		t.Fatalf("%d prompts for %v", len(found.Prompts), names)
	}
	got := found.Prompts[0]
	pattern := prompt.PathPattern(got.Path)
	values := func(axis string) []string {
		i := slices.IndexFunc(got.Axes, func(a scaffold.Axis) bool { return a.Name == axis })
		return got.Axes[i].Values
	}
	seen := map[string]bool{}
	work := 5_000_000
	for _, name := range names {
		ways := pattern.Match(name, values, false, &work)
		if len(ways) != 1 {
			t.Fatalf("%s matches %s in %d ways; all: %v", got.Path, name, len(ways), names)
		}
		seen[strings.Join(ways[0], " ")] = true
	}
	if len(seen) != len(names) {
		t.Fatalf("%s has %d variants for %d names: %v", got.Path, len(seen), len(names), names)
	}
	variants := 1
	for _, a := range got.Axes {
		if a.Values == nil {
			return
		}
		variants *= len(a.Values)
	}
	if variants != len(names)+len(got.Missing) {
		t.Fatalf("%s: %d variants, %d names, %d missing", got.Path, variants, len(names), len(got.Missing))
	}
}

func TestManyFilesAreTakenQuickly(t *testing.T) {
	var names []string
	for i := range 10_000 {
		names = append(names, fmt.Sprintf("p/%d-%d/%s.txt", i%100, i/100, strings.Repeat("x", i%7)+"-y"))
	}
	if _, err := scaffold.Derive(snapshots(names...)); err == nil {
		t.Error("names with empty parts are values")
	}
	for i := range names {
		names[i] = fmt.Sprintf("p/%d-%d.txt", i%100, i/100)
	}
	holds(t, names)
}

func TestEntriesOfSnapshotFiles(t *testing.T) {
	text := "// Vitest Snapshot v1\r\n\r\nexports[`a > b \\`c\\` 1`] = `\r\nsays \\`exports[\\`no\\`\n`;\n\nexports[`d\\\\e 1`] = `x`;\nexports[`never ends\n"
	if diff := cmp.Diff([]string{"a > b `c` 1", `d\e 1`}, scaffold.Entries(text)); diff != "" {
		t.Error(diff)
	}
	if got := scaffold.Entries("# A prompt\n"); got != nil {
		t.Errorf("a text has the entries %q", got)
	}
}

// Whatever files are called, a pattern that is found stands for each of them.
func FuzzDerive(f *testing.F) {
	f.Add("a-1.txt\na-2.txt\nb-1.txt\nb-2.txt")
	f.Add("family=a,tier=1\nfamily=b,tier=1\nx")
	f.Add("---\n--\n-")
	f.Add("p/{a}/*.txt\np/{b}/?.txt")
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.Split(text, "\n")
		slices.Sort(names)
		names = slices.Compact(names)
		if len(names) > 50 || len(text) > 2000 {
			return
		}
		if found, err := scaffold.Derive(snapshots(names...)); err == nil && len(found.Prompts) == 1 {
			holds(t, names)
		}
		scaffold.Entries(text)
	})
}

package scaffold_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// snapshots are files with these paths, without entries.
func snapshots(paths ...string) []scaffold.Snapshot {
	files := make([]scaffold.Snapshot, len(paths))
	for i, p := range paths {
		files[i].Path = p
	}
	return files
}

// saved is a snapshot file with these entries.
func saved(path string, entries ...string) scaffold.Snapshot {
	return scaffold.Snapshot{Path: path, Entries: append([]string{}, entries...)}
}

// said is what was made of files, a line each.
func said(found *scaffold.Found) string {
	var b strings.Builder
	for _, w := range found.Said {
		b.WriteString(wording.Text(w) + "\n")
	}
	return b.String()
}

// shown are the prompts that were found, and what was said.
func shown(t *testing.T, files []scaffold.Snapshot, patterns ...string) string {
	t.Helper()
	found, err := scaffold.Derive(files, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	_, prompts, _ := strings.Cut(scaffold.Rendered(found.Prompts).Text, "\nprompts:\n")
	prompts = strings.ReplaceAll(prompts, "    # budget: {tokens: 8000, growth: 5%} # growth is judged by promptc diff, and so by the action\n", "")
	return prompts + said(found)
}

// product gives names of all combinations of words.
func product(format string, words ...[]string) []string {
	rows := [][]any{nil}
	for _, column := range words {
		var next [][]any
		for _, row := range rows {
			for _, w := range column {
				next = append(next, append(slices.Clone(row), w))
			}
		}
		rows = next
	}
	var out []string
	for _, row := range rows {
		out = append(out, fmt.Sprintf(format, row...))
	}
	return out
}

var (
	families = []string{"generic", "xs", "next-gen", "devstral"}
	options  = []string{"basic", "full", "none"}
	llms     = []string{"gpt-5", "gpt-5.1", "claude-opus-4.5", "default"}
)

const grid = `  legacy:
    rendered: "t/{group}-{case}.md"
    axes:
      group: auto
      case: auto
`

func TestAxesAreTheDifferencesOfNames(t *testing.T) {
	for _, tc := range []struct {
		name  string
		paths []string
		want  string
	}{
		{
			"one file has no axis",
			[]string{"out/system.txt"},
			"  legacy:\n    rendered: \"out/system.txt\"\n",
		},
		{
			"every part that varies is an axis", product("t/%s-%s.md", []string{"generic", "xs"}, options),
			grid,
		},
		{
			"values that hold separators are told apart by the values that are listed", product("t/%s-%s.md", families, []string{"basic", "no-mcp", "no-web"}),
			strings.Replace(grid, "case: auto", "case: [basic, no-mcp, no-web] # listed, so that names split in one way", 1),
		},
		{
			"keys name their axes", product("family=%s,tier=%s.txt", []string{"a", "b"}, []string{"1", "2"}),
			"  legacy:\n    rendered: \"family={family},tier={tier}.txt\"\n    axes:\n      family: auto\n      tier: auto\n",
		},
		{
			"words in front of values name their axes", product("t/%s__browser-%s__%s.txt", llms, []string{"on", "off"}, options)[1:],
			"  legacy:\n    rendered: \"t/{model}__browser-{browser}__{case}.txt\"\n    axes:\n      model: auto\n      browser: auto\n      case: auto\n",
		},
		{
			"what is missing is no reason for another pattern", product("t/%s-%s.md", []string{"a", "b"}, options)[1:],
			grid,
		},
		{
			"names of folders are axes, and the files in them are cases", append(product("s/prompts-%s/%s.spec.snap", llms, []string{"simple_case", "tool_use"}), "s/prompts-gpt-5/all-tools.spec.snap"),
			"  legacy:\n    rendered: \"s/prompts-{model}/{case}.spec.snap\"\n    axes:\n      model: auto\n      case: auto\n",
		},
		{
			"names that repeat a folder's name", product("s/prompts-%[1]s/%[2]s-%[1]s.snap", llms, []string{"all_tools", "no-tools", strings.Repeat("long_", 10)}),
			"  legacy:\n    rendered: \"s/prompts-{model}/{case}-{model}.snap\"\n    axes:\n      model: auto\n      case: auto\n",
		},
		{
			"names without an order are one axis, of which only the extension is no part",
			[]string{"p/my-agent.txt", "p/my-commit-message.txt", "p/my-title.txt"},
			"  legacy:\n    rendered: \"p/{case}.txt\"\n    axes:\n      case: auto\n",
		},
		{
			"parts that seldom meet are one axis",
			[]string{"p/a-1.txt", "p/b-2.txt", "p/c-3.txt", "p/d-4.txt"},
			"  legacy:\n    rendered: \"p/{case}.txt\"\n    axes:\n      case: auto\n",
		},
		{
			"a number is no extension",
			[]string{"p/gpt-5.1", "p/gpt-4.1"},
			"  legacy:\n    rendered: \"p/{case}\"\n    axes:\n      case: auto\n",
		},
		{
			"a character of patterns stands for anything",
			[]string{"p/[id]/a.txt", "p/[id]/b.txt"},
			"  legacy:\n    rendered: \"p/*id*/{case}.txt\"\n    axes:\n      case: auto\n",
		},
		{
			"platforms",
			[]string{"p/darwin/a.txt", "p/linux/a.txt"},
			"  legacy:\n    rendered: \"p/{platform}/a.txt\"\n    axes:\n      platform: auto\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, snapshots(tc.paths...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEntriesAreAxesToo(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []scaffold.Snapshot
		want  string
		asked []string
	}{
		{
			name:  "one entry a file needs no name",
			files: []scaffold.Snapshot{saved("a.snap", "renders 1"), saved("b.snap", "renders 1")},
			want:  "  legacy:\n    rendered: \"{case}.snap\"\n    axes:\n      case: auto\n",
		},
		{
			name:  "entries of one file",
			files: []scaffold.Snapshot{saved("t/p.snap", product("prompt > %s %s 1", []string{"generic", "xs"}, options)...)},
			want:  "  legacy:\n    rendered:\n      path: \"t/p.snap\"\n      entry: \"prompt > {group} {case} 1\"\n    axes:\n      group: auto\n      case: auto\n",
		},
		{
			name:  "files and their entries",
			files: []scaffold.Snapshot{saved("t/x.test.ts.snap", "a 1", "b 1"), saved("t/y.test.ts.snap", "c d 1", "a 1")},
			want:  "  legacy:\n    rendered:\n      path: \"t/{file}.test.ts.snap\"\n      entry: \"{case} 1\"\n    axes:\n      file: auto\n      case: auto\n",
		},
		{
			name:  "a suite is no part of the values, the words of a test are",
			files: []scaffold.Snapshot{saved("p.snap", "core > should say it 1", "core > should work 1", "core > should not 1")},
			want:  "  legacy:\n    rendered:\n      path: \"p.snap\"\n      entry: \"core > {case} 1\"\n    axes:\n      case: auto\n",
		},
		{
			name:  "a test that is the same in all is no part of the pattern",
			files: []scaffold.Snapshot{saved("p.snap", "agent > full mode > renders 1", "agent > plan mode > renders 1")},
			want: "  legacy:\n    rendered:\n      path: \"p.snap\"\n" +
				"      entry: \"agent > {case} 1\"\n    axes:\n      case: auto\n",
		},
		{
			name:  "a suite has a name for its value, and words that are the same in all",
			files: []scaffold.Snapshot{saved("p.snap", product("agent > %s mode > %s 1", []string{"full", "plan"}, []string{"renders", "renders with tools"})...)},
			want:  "  legacy:\n    rendered:\n      path: \"p.snap\"\n      entry: \"agent > {mode} mode > {case} 1\"\n    axes:\n      mode: auto\n      case: auto\n",
		},
		{
			name:  "a word and a sentence",
			files: []scaffold.Snapshot{saved("p.snap", product("P - %s %s 1", []string{"gpt-5", "o3"}, []string{"all tools", "no tools at all", "work"})...)},
			want: "  legacy:\n    rendered:\n      path: \"p.snap\"\n      entry: \"P - {model} {case} 1\"\n    axes:\n" +
				"      model: [gpt-5, o3] # listed, so that names split in one way\n      case: auto\n",
		},
		{
			name:  "keys name their axes",
			files: []scaffold.Snapshot{saved("p.snap", product("agent > mode=%s tools=%s 1", []string{"ask", "edit"}, []string{"off", "on"})...)},
			want:  "  legacy:\n    rendered:\n      path: \"p.snap\"\n      entry: \"agent > mode={mode} tools={tools} 1\"\n    axes:\n      mode: auto\n      tools: auto\n",
		},
		{
			name:  "files beside it come later",
			files: []scaffold.Snapshot{{Path: "s/p.test.ts.snap", Entries: []string{"a 1", "b 1"}}},
			want:  "  legacy:\n    rendered:\n      path: \"s/*.snap\"\n      entry: \"{case} 1\"\n    axes:\n      case: auto\n",
			asked: []string{"s/*.snap"},
		},
		{
			name:  "one of the files beside it cannot be read",
			files: []scaffold.Snapshot{{Path: "s/p.snap", Entries: []string{"a 1", "b 1"}}, {Path: "s/q.snap", Sort: scaffold.Broken}},
			want:  "  legacy:\n    rendered:\n      path: \"s/p.snap\"\n      entry: \"{case} 1\"\n    axes:\n      case: auto\n",
			asked: []string{"s/*.snap"},
		},
		{
			name:  "quotes, line breaks and signs",
			files: []scaffold.Snapshot{saved("p.snap", "\"a\" > {x} * \n> 1", "\"a\" > {y} * \n< 1")},
			want:  "  legacy:\n    rendered:\n      path: \"p.snap\"\n      entry: \"\\\"a\\\" > {case} 1\"\n    axes:\n      case: auto\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, tc.files, tc.asked...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of any tree that is all combinations of some values, each file is found by the
// pattern, in one way, and no two by the same values.
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
	several := 0
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
				if axispattern.IsAxisValue(value) && !slices.Contains(values, value) {
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
		if found := holds(t, snapshots(names...)); len(found) == 1 && len(found[0].Axes) > 1 {
			several++
		}
	}
	if several < 200 {
		t.Errorf("%d of 500 trees have several axes", several)
	}
}

// holds checks that each file is found by the pattern of one prompt, in one way
// that no other file has.
func holds(t *testing.T, files []scaffold.Snapshot) []*scaffold.Legacy {
	t.Helper()
	found, err := scaffold.Derive(files)
	if err != nil {
		t.Fatalf("%v: %v", files, err)
	}
	taken := map[string]int{}
	for _, l := range found.Prompts {
		pattern := axispattern.PathPattern(l.Path)
		listed := func(axis string) []string {
			return l.Axes[slices.IndexFunc(l.Axes, func(a scaffold.Axis) bool { return a.Name == axis })].Values
		}
		seen := map[string]string{}
		for _, s := range files {
			work := 5_000_000
			ways := pattern.Match(s.Path, listed, false, &work)
			if len(ways) == 0 {
				continue
			}
			key := strings.Join(ways[0], " ")
			if other, known := seen[key]; known || len(ways) > 1 {
				t.Fatalf("%s matches %q in the ways %q; %q has the first, too", l.Path, s.Path, ways, other)
			}
			seen[key] = s.Path
			taken[s.Path]++
		}
	}
	for _, s := range files {
		if taken[s.Path] != 1 && !slices.ContainsFunc(found.Said, func(w diag.Words) bool { return strings.HasPrefix(wording.Text(w), "left out ") }) {
			t.Fatalf("%d prompts take %q; %q", taken[s.Path], s.Path, found.Said)
		}
	}
	return found.Prompts
}

func TestManyFilesAreTakenQuickly(t *testing.T) {
	var names []string
	for i := range 10_000 {
		names = append(names, fmt.Sprintf("p/%d-%d.txt", i%100, i/100))
	}
	if found := holds(t, snapshots(names...)); len(found) != 1 || len(found[0].Axes) != 2 {
		t.Errorf("got %v", found[0])
	}
	for i := range names {
		names[i] = fmt.Sprintf("p/%d-%d/%s.txt", i%100, i/100, strings.Repeat("x", i%7)+"-y")
	}
	found, err := scaffold.Derive(snapshots(names...))
	if err != nil || len(found.Prompts) > 200 {
		t.Errorf("%d prompts: %v", len(found.Prompts), err)
	}
}

// What keeps names from going together is looked for in many ways, of which none
// takes long.
func TestNamesWithoutOrderAreTakenQuickly(t *testing.T) {
	file := saved("t/p.snap")
	var names []string
	for i := range 1500 {
		text := strings.Repeat("a b-c.d ", 1+i%4) + fmt.Sprint(i*i, " ", i%7)
		file.Entries = append(file.Entries, text+strings.Repeat(" a-b", i%11))
		names = append(names, "p/"+strings.Trim(strings.ReplaceAll(text, " ", "_"), "_")+strings.Repeat("-x", i%3))
	}
	if got := shown(t, []scaffold.Snapshot{file}); !strings.Contains(got, `entry: "{case}"`) {
		t.Errorf("got %s", got)
	}
	if got := shown(t, snapshots(names...)); !strings.Contains(got, `rendered: "p/{case}"`) {
		t.Errorf("got %s", got)
	}
}

// Whatever files are called, a pattern that is found stands for each of them.
func FuzzDerive(f *testing.F) {
	f.Add("a-1.txt\na-2.txt\nb-1.txt\nb-2.txt")
	f.Add("family=a,tier=1\nfamily=b,tier=1\nx")
	f.Add("---\n--\n-")
	f.Add("p/{a}/*.txt\np/{b}/?.txt")
	f.Add("p-a/x-a\np-b/x-b\np-a/y\nq-a/y")
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.Split(text, "\n")
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "." || !fs.ValidPath(s) })
		if len(names) == 0 || len(names) > 50 || len(text) > 2000 {
			return
		}
		holds(t, snapshots(names...))
	})
}

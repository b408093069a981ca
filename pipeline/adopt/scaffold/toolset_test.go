package scaffold_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
)

// defines is a file that defines tools of some names.
func defines(path string, names ...string) scaffold.Snapshot {
	return scaffold.Snapshot{Path: path, Sort: scaffold.ToolList, Tools: names}
}

// eight are files of a tool each.
func eight() []scaffold.Snapshot {
	var out []scaffold.Snapshot
	for i := range 8 {
		out = append(out, defines(fmt.Sprintf("t/tools/%d.json", i), fmt.Sprint("tool", i)))
	}
	return out
}

func TestToolsWithoutTextsArePrompts(t *testing.T) {
	all := `"t/tools/0.json", "t/tools/1.json", "t/tools/2.json", "t/tools/3.json", "t/tools/4.json",` + "\n        " + `"t/tools/5.json", "t/tools/6.json", "t/tools/7.json"`
	prompt := func(id string) string {
		return "  " + id + ":\n    sections:\n      - {id: tools, source: " + id + ", form: schemas}\n"
	}
	side := func(s scaffold.Snapshot, sides int) scaffold.Snapshot { s.Sides = sides; return s }
	refused := defines("t/tools/8.json", "tool8")
	refused.NoTools = true
	for _, tc := range []struct {
		name          string
		files         []scaffold.Snapshot
		sources, want string
	}{
		{
			"later files are taken, too",
			eight(),
			"  tools: {kind: tools, path: \"t/tools/*.json\"}\n",
			prompt("tools") + "took \"t/tools/0.json\" and 7 others for the tools of a prompt\n",
		},
		{
			"lists of tools",
			[]scaffold.Snapshot{defines("a/fs.json", "read", "write"), defines("a/web.json", "fetch")},
			"  a: {kind: tools, path: \"a/*.json\"}\n",
			prompt("a") + "took \"a/fs.json\" and 1 other for the tools of a prompt\n",
		},
		{
			"a folder each",
			[]scaffold.Snapshot{defines("a/x.json", "x"), defines("b/x.json", "x"), defines("b/y.snap", "y")},
			"  a: {kind: tools, path: \"a/*.json\"}\n  b: # each file, since a pattern would take others: add those that come\n    kind: tools\n    path: [\"b/x.json\", \"b/y.snap\"]\n",
			prompt("a") + "\n" + prompt("b") + "took \"a/x.json\" for the tools of a prompt\ntook \"b/x.json\" and 1 other for the tools of a prompt\n",
		},
		{
			"one name twice: the shorter name is the first",
			append(eight(), defines("t/tools/1-x.json", "tool1")),
			"  tools: # each file, since a pattern would take others: add those that come\n    kind: tools\n    path: [" + all + "]\n  tools-2: {kind: tools, path: \"t/tools/1-x.json\"}\n",
			prompt("tools") + "\n" + prompt("tools-2") + "took \"t/tools/0.json\" and 7 others for the tools of a prompt\n" +
				"took \"t/tools/1-x.json\" for the tools of a prompt\n",
		},
		{
			"a file that was renamed",
			[]scaffold.Snapshot{side(defines("t/x.json", "x"), 1), side(defines("t/x1.json", "x"), 2), side(defines("t/y.json", "y"), 3)},
			"  t: {kind: tools, path: \"t/*.json\"}\n",
			prompt("t") + "took \"t/x.json\" and 2 others for the tools of a prompt\n",
		},
		{
			"one that is refused is a text",
			append(eight(), refused),
			"  tools: # each file, since a pattern would take others: add those that come\n    kind: tools\n    path: [" + all + "]\n",
			"  8:\n    rendered: \"t/tools/8.json\"\n\n" + prompt("tools") + "took \"t/tools/0.json\" and 7 others for the tools of a prompt\n" +
				"there is only JSON: took as texts \"t/tools/8.json\"\n",
		},
		{
			"hardly a text beside them",
			append(eight(), scaffold.Snapshot{Path: "t/tools/8.json"}, scaffold.Snapshot{Path: "t/a.md"}),
			"  tools: # each file, since a pattern would take others: add those that come\n    kind: tools\n    path: [" + all + "]\n",
			"  8:\n    rendered: \"t/tools/8.json\"\n\n  a:\n    rendered: \"t/a.md\"\n\n" + prompt("tools") + "took \"t/tools/0.json\" and 7 others for the tools of a prompt\n",
		},
		{
			"beside folders of texts, whose pattern takes none",
			append(eight(), snapshots("t/a/x.json", "t/a/y.json", "t/b/x.json", "t/b/y.json")...),
			"  tools: {kind: tools, path: \"t/tools/*.json\"}\n",
			"  t:\n    rendered: \"t/{group}/{case}.json\"\n    axes:\n      group: auto\n      case: auto\n" +
				"    exclude: # no prompts\n      - {group: tools}\n\n" + prompt("tools") + "took \"t/tools/0.json\" and 7 others for the tools of a prompt\n",
		},
		{
			"names of several toolsets",
			[]scaffold.Snapshot{defines("t/a.json", "x", "y"), defines("t/b.json", "x", "y"), defines("t/c.json", "x", "z")},
			"",
			"  legacy:\n    rendered: \"t/{case}.json\"\n    axes:\n      case: auto\nthere is only JSON: took as texts \"t/a.json\" and 2 others\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.ReplaceAll(shown(t, tc.files), "    # budget: {tool_tokens: 8000}\n", "")
			found, err := scaffold.Derive(tc.files)
			if err != nil {
				t.Fatal(err)
			}
			manifest := scaffold.Rendered(found.Prompts).Text
			_, sources, _ := strings.Cut(manifest, "\nsources:\n")
			sources, _, _ = strings.Cut(sources, "\n\nprompts:\n")
			if sources != "" {
				sources += "\n"
			}
			if diff := cmp.Diff([]string{tc.sources, tc.want}, []string{sources, got}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A pattern that would take files which nobody asked for is none: they are listed.
func TestToolsAreThoseThatWereAskedFor(t *testing.T) {
	for pattern, listed := range map[string]bool{"t/tools/*": false, "t/**/*.json": false, "t/tools/?.json": true, "t/tools/{0,1,2,3,4,5,6,7}.json": true} {
		found, err := scaffold.Derive(eight(), pattern)
		if err != nil || len(found.Prompts) != 1 || (len(found.Prompts[0].Toolset) == 8) != listed {
			t.Errorf("%s: %v %+v", pattern, err, found)
		}
	}
}

// Whichever order files come in, they make the same prompts.
func TestToolsetsDependOnNoOrder(t *testing.T) {
	files := append(eight(), defines("t/tools/1-x.json", "tool1"), defines("t/tools/2-x.json", "tool2"))
	want := shown(t, files)
	slices.Reverse(files)
	first, _, _ := strings.Cut(want, "took ")
	if got := shown(t, files); !strings.HasPrefix(got, first) {
		t.Errorf("%s\n%s", want, got)
	}
}

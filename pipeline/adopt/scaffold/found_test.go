package scaffold_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestNamesThatNoPatternStandsForAreSeveralPrompts(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []scaffold.Snapshot
		want  string
	}{
		{
			"values that are none",
			snapshots("größe.txt", "länge.txt"),
			"  gr-e:\n    rendered: \"größe.txt\"\n\n  l-nge:\n    rendered: \"länge.txt\"\n",
		},
		{
			"folders of several depths",
			snapshots("a/b-1.txt", "a/b-2.txt", "c.txt", "c/a/x.txt"),
			"  a:\n    rendered: \"a/{case}.txt\"\n    axes:\n      case: auto\n\n  c:\n    rendered: \"c.txt\"\n\n  x:\n    rendered: \"c/a/x.txt\"\n",
		},
		{
			"files of two sorts",
			[]scaffold.Snapshot{saved("t/a.snap", "x 1", "y 1"), {Path: "t/b.snap"}},
			"  a:\n    rendered:\n      path: \"t/a.snap\"\n      entry: \"{case} 1\"\n    axes:\n      case: auto\n\n  b:\n    rendered: \"t/b.snap\"\n",
		},
		{
			"what names begin with",
			snapshots(slices.Concat(product("t/agent-"+strings.Repeat("long_", 8)+"%s-%s.md", options, llms), product("t/summary-%s-%s.md", options, []string{"x", "y"}))...),
			"  agent-long-long-long-long-long-long-long:\n    rendered: \"t/agent-long_long_long_long_long_long_long_long_{long}-{model}.md\"\n" +
				"    axes:\n      long: [basic, full, none] # listed, so that names split in one way\n      model: auto\n\n" +
				"  summary:\n    rendered: \"t/summary-{summary}-{case}.md\"\n    axes:\n      summary: auto\n      case: auto\n",
		},
		{
			"files that repeat their folder's name, and others",
			snapshots(slices.Concat(product("s/prompts-%[1]s/"+strings.Repeat("long_", 10)+"%[2]s-%[1]s.md", llms, options), product("s/prompts-%s/%s.md", llms, options))...),
			"  long-long-long-long-long-long-long-long:\n    rendered: \"s/prompts-{model}/long_long_long_long_long_long_long_long_long_long_{long}-{model}.md\"\n    axes:\n      model: auto\n      long: auto\n\n" +
				"  prompts:\n    rendered: \"s/prompts-{model}/{case}.md\"\n    axes:\n      model: auto\n      case: [basic, full, none] # listed, so that names split in one way\n",
		},
		{
			"beside a file that cannot be read",
			append(snapshots("t/a.md", "t/b.md"), scaffold.Snapshot{Path: "t/c.md", Sort: scaffold.Broken}),
			"  a:\n    rendered: \"t/a.md\"\n\n  b:\n    rendered: \"t/b.md\"\n",
		},
		{
			"entries that a pattern cannot tell apart",
			[]scaffold.Snapshot{saved("t/p.snap", "a* b", "a+ b", "aX b")},
			"  legacy:\n    rendered:\n      path: \"t/p.snap\"\n      entry: \"{case}\"\n    axes:\n      case: auto\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, tc.files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Prompts of the same words are told apart by what they take, and not by their
// order: another in front changes no id.
func TestIDsDependOnNoOrder(t *testing.T) {
	ids := func(paths ...string) map[string]string {
		found, err := scaffold.Derive(snapshots(paths...))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, l := range found.Prompts {
			out[l.Path] = l.ID
		}
		return out
	}
	before := ids("a/x ä.md", "b/c/x ä.md", "b/c/"+strings.Repeat("long ", 20)+".md")
	after := ids("0/0/0/x ä.md", "a/x ä.md", "b/c/x ä.md", "b/c/"+strings.Repeat("long ", 20)+".md")
	if len(before) != 3 {
		t.Fatalf("got %v", before)
	}
	seen := map[string]bool{}
	for path, id := range after {
		if before[path] != "" && before[path] != id {
			t.Errorf("%s was %s, and is %s", path, before[path], id)
		}
		if seen[id] || len(id) > 48 {
			t.Errorf("the id %s of %s", id, path)
		}
		seen[id] = true
	}
}

func TestTooManyPromptsAreNotWritten(t *testing.T) {
	var names []string
	for i := range 203 {
		names = append(names, fmt.Sprintf("ä%d.txt", i))
	}
	found, err := scaffold.Derive(snapshots(names...))
	if err != nil {
		t.Fatal(err)
	}
	want := "left out \"ä200.txt\" and 2 others: no pattern stands for all, and one by one they are more than 200 prompts; " +
		"rename them to letters, digits, '.', '_' and '-', or narrow the pattern\n"
	if diff := cmp.Diff(want, said(found)); diff != "" || len(found.Prompts) != 200 {
		t.Errorf("%d prompts: %s", len(found.Prompts), diff)
	}
}

// A few names that do not go with the others do not take the order from these.
func TestOddNamesArePromptsOfTheirOwn(t *testing.T) {
	regular := product("t/%s-%s.md", families, options)
	for _, tc := range []struct {
		name string
		odd  []string
		want []string
	}{
		{"more parts", []string{"t/old-generic-with-focus.md"}, []string{"t/{group}-{case}.md", "t/old-generic-with-focus.md"}},
		{"fewer parts", []string{"t/old.md"}, []string{"t/{group}-{case}.md", "t/old.md"}},
		{"other characters", []string{"t/ä-basic.md"}, []string{"t/{group}-{case}.md", "t/ä-basic.md"}},
		{"another folder", []string{"t/x/generic-basic.md"}, []string{"t/{group}-{case}.md", "t/x/generic-basic.md"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := scaffold.Derive(snapshots(append(slices.Clone(regular), tc.odd...)...))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range found.Prompts {
				got = append(got, l.Path)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			holds(t, snapshots(append(slices.Clone(regular), tc.odd...)...))
		})
	}
}

func TestToolsGoBesideTheTexts(t *testing.T) {
	const took, alone = "took %s for the tools beside the texts\n", "took %s for the tools of a prompt\n"
	with := func(pattern string) string {
		return strings.Replace(grid, "    axes:\n", "    tools: \""+pattern+"\"\n    axes:\n", 1)
	}
	apart := func(pattern, id string) string {
		return strings.Replace(with(pattern), "  legacy:", "  t:", 1) + "\n  " + id + ":\n    sections:\n      - {id: tools, source: " + id + ", form: schemas}\n    # budget: {tool_tokens: 8000}\n"
	}
	groups := []string{"generic", "xs"}
	for _, tc := range []struct {
		name  string
		tools []string
		want  string
	}{
		{"one for all", []string{"t/tools.json"}, with("t/tools.json") + fmt.Sprintf(took, `"t/tools.json"`)},
		{"by an axis", product("t/%s.tools.json", groups), with("t/{group}.tools.json") + fmt.Sprintf(took, `"t/generic.tools.json" and 1 other`)},
		{"by their stems", product("t/%s-%s.tools.snap", groups, options), with("t/{group}-{case}.tools.snap") + fmt.Sprintf(took, `"t/generic-basic.tools.snap" and 5 others`)},
		{"in a folder", product("tools/%s/all.json", groups), with("tools/{group}/all.json") + fmt.Sprintf(took, `"tools/generic/all.json" and 1 other`)},
		{"two for the same texts", []string{"t/xs.json", "t/xs.more.json"}, strings.Replace(with("x"), `"x"`, `["t/{group}.json", "t/{group}.more.json"]`, 1) + fmt.Sprintf(took, `"t/xs.json" and 1 other`)},
		{"of all, and of some", []string{"t/tools.json", "t/xs.tools.json"}, apart("t/tools.json", "xs") + fmt.Sprintf(took, `"t/tools.json"`) + fmt.Sprintf(alone, `"t/xs.tools.json"`)},
		{"of a text that is not there", []string{"t/xs-slow_tools.json", "t/xs-full_tools.json"}, apart("t/{group}-{case}_tools.json", "xs-slow-tools") + fmt.Sprintf(took, `"t/xs-full_tools.json"`) + fmt.Sprintf(alone, `"t/xs-slow_tools.json"`)},
		{"of other texts", []string{"t/a.json"}, strings.Replace(apart("", "a"), "    tools: \"\"\n", "", 1) + fmt.Sprintf(alone, `"t/a.json"`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := snapshots(product("t/%s-%s.md", groups, options)...)
			for _, name := range tc.tools {
				files = append(files, scaffold.Snapshot{Path: name, Sort: scaffold.ToolList})
			}
			if diff := cmp.Diff(tc.want, shown(t, files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Tools that are left out are no texts, whatever they are called.
func TestToolsAreNoTexts(t *testing.T) {
	files := append(snapshots("t/a.snap", "t/b.snap"), scaffold.Snapshot{Path: "t/c.snap", Sort: scaffold.ToolList, NoTools: true})
	want := "  legacy:\n    rendered: \"t/{case}.snap\"\n    axes:\n      case: auto\n    exclude: # no prompts\n      - {case: c}\n"
	if diff := cmp.Diff(want, shown(t, files)); diff != "" {
		t.Error(diff)
	}
}

func TestFilesBesidePromptsAreLeftOut(t *testing.T) {
	files := append(snapshots(product("t/%s-%s.md", []string{"generic", "xs"}, options)...), look("t/README.md", "# What this is\n"), look("t/data.json", "{\"a\": 1}\n"))
	want := grid + "left out \"t/README.md\": a README: by its name, it describes the other files\nleft out \"t/data.json\": JSON that defines no tools\n"
	if diff := cmp.Diff(want, shown(t, files)); diff != "" {
		t.Error(diff)
	}
	// Values that are found in names would be found in these. A text may be empty.
	files = append(snapshots("p/agent.md", "p/commit-message.md"), look("p/README.md", "x"), look("p/empty.md", " \n"))
	want = "  legacy:\n    rendered: \"p/{case}.md\"\n    axes:\n      case: auto\n    exclude: # no prompts\n      - {case: README}\n" +
		"left out \"p/README.md\": a README: by its name, it describes the other files\n"
	if diff := cmp.Diff(want, shown(t, files)); diff != "" {
		t.Error(diff)
	}
	// Where there is nothing else, it is meant.
	want = "  legacy:\n    rendered: \"t/{case}.json\"\n    axes:\n      case: auto\nthere is only JSON: took as texts \"t/a.json\" and 1 other\n"
	if diff := cmp.Diff(want, shown(t, []scaffold.Snapshot{look("t/a.json", "{}"), look("t/b.json", `{"name": "x", "inputSchema": {}}`)})); diff != "" {
		t.Error(diff)
	}
	_, err := scaffold.Derive([]scaffold.Snapshot{look("a.md", "")})
	if unfit, ok := errors.AsType[*scaffold.Unfit](err); !ok || wording.Text(unfit.Fact) != "there is no prompt in what it matches" {
		t.Errorf("got %v", err)
	}
}

// look takes a text for what it seems to be.
func look(name, text string) scaffold.Snapshot {
	doc, _ := load.Look(name, []byte(text))
	if doc == nil {
		return scaffold.Snapshot{Path: name, Sort: scaffold.Broken}
	}
	return scaffold.Look(doc, validate.ToolNames(doc))
}

func TestFilesAreWhatTheySeemToBe(t *testing.T) {
	for text, want := range map[string]scaffold.Sort{
		"You work.":                        scaffold.Prompt,
		"{{user}} is here":                 scaffold.Prompt,
		"[a link](x)":                      scaffold.Prompt,
		"":                                 scaffold.Blank,
		" \n":                              scaffold.Blank,
		`"a text"`:                         scaffold.Prompt,
		`{"a": 1}`:                         scaffold.Data,
		`[]`:                               scaffold.Data,
		`[{"title": "x"}]`:                 scaffold.Data,
		`[{"name": 1}]`:                    scaffold.Data,
		`[{"name": "x"}]`:                  scaffold.Data,
		`{"name": "Alice"}`:                scaffold.Data,
		`{"name": "x", "inputSchema": {}}`: scaffold.ToolList,
		" \n[{\"name\": \"x\", \"input_schema\": {}}]\n":    scaffold.ToolList,
		`{"tools": [{"name": "x", "description": "y"}]}`:    scaffold.Data,
		`[{"type": "web_search"}]`:                          scaffold.Data,
		`{"name": "x", "inputSchema": null}`:                scaffold.ToolList,
		`[{"type": "function", "function": {"name": "x"}}]`: scaffold.ToolList,
		"a\x00b":                           scaffold.Broken,
		"\xff\xfe":                         scaffold.Broken,
		"exports[`a 1`] = `\"x":            scaffold.Broken,
		"exports[`a 1`] = `1`;":            scaffold.Blank,
		"exports[`a 1`] = `\"x\"`;":        scaffold.Prompt,
		"// Jest Snapshot v1, https://x\n": scaffold.Blank,
	} {
		if got := look("a.txt", text).Sort; got != want {
			t.Errorf("%q is %v", text, got)
		}
	}
	for _, name := range []string{"README.md", "t/readme", "a/ReadMe.de.txt"} {
		if got := look(name, "x").Sort; got != scaffold.ReadMe {
			t.Errorf("%q is %v", name, got)
		}
	}
	// A text that quotes a snapshot file is none.
	if got := look("a.md", "Jest writes:\n\nexports[`a 1`] = `x`;\n").Entries; got != nil {
		t.Errorf("got %q", got)
	}
	if got := look("a.snap", "\nexports[`a 1`] = `x`;\n").Entries; !slices.Equal(got, []string{"a 1"}) {
		t.Errorf("got %q", got)
	}
}

func TestInputsMayLieBesideTests(t *testing.T) {
	for _, tc := range []struct {
		name, path string
		want       []string
	}{
		{"beside the folder of the test", "src/__tests__/__snapshots__/{case}.snap", []string{"src/prompts", "src/templates"}},
		{"above the folders that are an axis", "app/tests/snapshots/agent-{model}/{case}.md", []string{"app/prompts", "app/templates"}},
		{"at the root", "golden/a.md", []string{"prompts", "templates"}},
		{"beside a folder of texts that has a name", "golden/agent/*.md", []string{"golden/agent/prompts", "golden/agent/templates"}},
	} {
		if diff := cmp.Diff(tc.want, (&scaffold.Legacy{Path: tc.path}).InputFolders()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
	found, err := scaffold.Derive([]scaffold.Snapshot{{Path: "prompts/testdata/a.md"}, {Path: "prompts/testdata/b.md"}})
	if err != nil || !slices.Equal(found.Prompts[0].InputFolders(), []string{"prompts/prompts", "prompts/templates"}) {
		t.Errorf("%v %+v", err, found)
	}
	found, err = scaffold.Derive([]scaffold.Snapshot{{Path: "tests/a.md"}, {Path: "templates/a.md"}})
	if err != nil || !slices.Equal(found.Prompts[0].InputFolders(), []string{"prompts"}) {
		t.Errorf("of a folder with texts: %v %+v", err, found)
	}
}

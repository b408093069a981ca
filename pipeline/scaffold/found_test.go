package scaffold_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/scaffold"
)

// saved is a snapshot file with these entries.
func saved(path string, entries ...string) scaffold.Snapshot {
	return scaffold.Snapshot{Path: path, Entries: entries}
}

// shown are the prompts that were found, and what was said.
func shown(t *testing.T, files []scaffold.Snapshot) string {
	t.Helper()
	found, err := scaffold.Derive(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range scaffold.Files(scaffold.Input{Folder: ".", Rendered: found.Prompts}) {
		if f.Path == "prompts.yaml" {
			_, prompts, _ := strings.Cut(f.Content, "\nprompts:\n")
			prompts = strings.ReplaceAll(prompts, "    # budget: {tokens: 8000, growth: 5%}\n", "")
			return prompts + strings.Join(found.Said, "\n") + "\n"
		}
	}
	return ""
}

func grid(format string) []scaffold.Snapshot {
	var names []string
	for _, a := range []string{"generic", "xs", "next-gen", "devstral"} {
		for _, b := range []string{"basic", "full", "none"} {
			names = append(names, fmt.Sprintf(format, a, b))
		}
	}
	return snapshots(names...)
}

const gridPrompt = `  legacy:
    rendered: "t/{a1}-{a2}.md"
    axes:
      a1: [devstral, generic, next-gen, xs]
      a2: [basic, full, none]
`

func TestEntriesThatAreSentences(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []scaffold.Snapshot
		want  string
	}{
		{
			"one file",
			[]scaffold.Snapshot{saved("p.snap", "SYSTEM_PROMPT should render the basic prompt 1", "SYSTEM_PROMPT should say (briefly) what it's for 1", "SYSTEM_PROMPT should work 1")},
			`  legacy:
    rendered:
      path: "p.snap"
      entry: "SYSTEM_PROMPT should {name} 1"
    axes:
      name: [render-the-basic-prompt, say-briefly-what-it-s-for, work] # the words of an entry, with - between

`,
		},
		{
			"in several files",
			[]scaffold.Snapshot{saved("a.snap", "renders the basic prompt 1", "renders it 1"), saved("b.snap", "renders the basic prompt 1", "renders more 1")},
			`  legacy:
    rendered:
      path: "{a1}.snap"
      entry: "renders {a2} 1"
    axes:
      a1: [a, b]
      a2: [it, more, the-basic-prompt] # the words of an entry, with - between
    exclude: # there is no text for these
      - {a1: a, a2: more}
      - {a1: b, a2: it}

`,
		},
		{
			"in another alphabet",
			[]scaffold.Snapshot{saved("p.snap", "says 基本 提示 1", "says more of it 1")},
			`  legacy:
    rendered:
      path: "p.snap"
      entry: "says {name} 1"
    axes:
      name: auto # the words of an entry, with - between

`,
		},
		{
			"whose words are the same",
			[]scaffold.Snapshot{saved("t/p.snap", "is it 1?", "is it: 1")},
			`  is-it-1:
    rendered:
      path: "t/p.snap"
      entry: "is it 1?"

  is-it-1-2:
    rendered:
      path: "t/p.snap"
      entry: "is it: 1"
no pattern stands for all names: they are several prompts
`,
		},
		{
			"that a pattern cannot name",
			[]scaffold.Snapshot{saved("t/p.snap", "a* b", "a+ b", "aX b", "提 示", "提-示")},
			`  a-b:
    rendered:
      path: "t/p.snap"
      entry: "a+ b"

  ax-b:
    rendered:
      path: "t/p.snap"
      entry: "aX b"

  legacy:
    rendered:
      path: "t/p.snap"
      entry: "提 示"

  legacy-2:
    rendered:
      path: "t/p.snap"
      entry: "提-示"
no pattern stands for all names: they are several prompts
left out the entry "a* b" of "t/p.snap": a pattern would take another for it
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, tc.files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNamesThatNoPatternStandsForAreSeveralPrompts(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []scaffold.Snapshot
		want  string
	}{
		{
			"values that are none",
			snapshots("größe.txt", "länge.txt"),
			`  gr-e:
    rendered: "größe.txt"

  l-nge:
    rendered: "länge.txt"
no pattern stands for all names: they are several prompts
`,
		},
		{
			"folders of several depths",
			snapshots("a/b-1.txt", "a/b-2.txt", "c.txt", "c/a/x.txt"),
			`  a:
    rendered: "a/b-{name}.txt"
    axes:
      name: [1, 2]

  c:
    rendered: "c.txt"

  x:
    rendered: "c/a/x.txt"
no pattern stands for all names: they are several prompts
`,
		},
		{
			"files of two sorts",
			[]scaffold.Snapshot{saved("t/a.snap", "x 1", "y 1"), saved("t/b.snap")},
			`  a:
    rendered:
      path: "t/a.snap"
      entry: "{name} 1"
    axes:
      name: [x, y]

  b:
    rendered: "t/b.snap"
no pattern stands for all names: they are several prompts
`,
		},
		{
			"names that differ in case",
			snapshots("p/a.txt", "p/A.txt", "p/null.txt", "p/nul.txt"),
			`  a:
    rendered: "p/a.txt"

  a-2:
    rendered: "p/A.txt"

  "null":
    rendered: "p/null.txt"

  legacy-nul:
    rendered: "p/nul.txt"
no pattern stands for all names: they are several prompts
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, tc.files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTooManyPromptsAreNotWritten(t *testing.T) {
	var names []string
	for i := range 201 {
		names = append(names, fmt.Sprintf("ä%d.txt", i))
	}
	if _, err := scaffold.Derive(snapshots(names...)); err == nil || err.Error() != `no pattern stands for "ä0.txt" and 200 others, and one by one they would be 201 prompts` {
		t.Errorf("got %v", err)
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
	if _, err := scaffold.Derive([]scaffold.Snapshot{file}); err != nil {
		t.Error(err)
	}
	if _, err := scaffold.Derive(snapshots(names...)); err != nil {
		t.Error(err)
	}
}

// A few names that do not go with the others do not take the order from these.
func TestOddNamesArePromptsOfTheirOwn(t *testing.T) {
	own := func(name, id, path string) string {
		return gridPrompt + "\n  " + id + ":\n    rendered: \"" + path + "\"\n" + name + ": its name does not go with the 12 others, so that it is a prompt of its own\n"
	}
	for _, tc := range []struct{ name, odd, want string }{
		{"more parts", "t/old-generic-with-focus.md", own(`"t/old-generic-with-focus.md"`, "old-generic-with-focus", "t/old-generic-with-focus.md")},
		{"fewer parts", "t/old.md", own(`"t/old.md"`, "old", "t/old.md")},
		{"other characters", "t/ä-basic.md", own(`"t/ä-basic.md"`, "basic", "t/ä-basic.md")},
		{"another folder", "t/x/generic-basic.md", own(`"t/x/generic-basic.md"`, "generic-basic", "t/x/generic-basic.md")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, append(grid("t/%s-%s.md"), snapshots(tc.odd)...))); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("an entry", func(t *testing.T) {
		file := saved("p.snap", "is something else altogether 1")
		for _, s := range grid("prompt %s %s 1") {
			file.Entries = append(file.Entries, s.Path)
		}
		want := `  legacy:
    rendered:
      path: "p.snap"
      entry: "prompt {a1} {a2} 1"
    axes:
      a1: [devstral, generic, next-gen, xs]
      a2: [basic, full, none]

  is-something-else-altogether-1:
    rendered:
      path: "p.snap"
      entry: "is something else altogether 1"
"is something else altogether 1": its name does not go with the 12 others, so that it is a prompt of its own
`
		if diff := cmp.Diff(want, shown(t, []scaffold.Snapshot{file})); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("not where there is no order without them", func(t *testing.T) {
		var names []string
		for i := range 20 {
			names = append(names, "t/"+strings.Repeat("abcde"[i%5:i%5+1], i/5+1)+".md")
		}
		got := shown(t, snapshots(append(names, "t/commit-message.md")...))
		if want := "  legacy:\n    rendered: \"t/{name}.md\"\n    axes:\n      name: auto\n\n"; got != want {
			t.Errorf("got %s", got)
		}
	})
}

func TestToolsGoBesideTheTexts(t *testing.T) {
	tools := func(paths ...string) []scaffold.Snapshot {
		files := snapshots(paths...)
		for i := range files {
			files[i].Sort = scaffold.ToolList
		}
		return files
	}
	const took, left = "took %s for the tools beside the texts\n", "left out %s: tools, but their names do not say of which texts\n"
	with := func(pattern string) string {
		return strings.Replace(gridPrompt, "    axes:\n", "    tools: \""+pattern+"\"\n    axes:\n", 1)
	}
	of := func(format string) []scaffold.Snapshot {
		return tools(fmt.Sprintf(format, "generic"), fmt.Sprintf(format, "xs"), fmt.Sprintf(format, "next-gen"), fmt.Sprintf(format, "devstral"))
	}
	for _, tc := range []struct {
		name  string
		tools []scaffold.Snapshot
		want  string
	}{
		{"one for all", tools("t/tools.json"), with("t/tools.json") + fmt.Sprintf(took, `"t/tools.json"`)},
		{"by an axis", of("t/%s.tools.json"), with("t/{a1}.tools.json") + fmt.Sprintf(took, `"t/generic.tools.json" and 3 others`)},
		{"in a folder", of("tools/%s/all.json"), with("tools/{a1}/all.json") + fmt.Sprintf(took, `"tools/generic/all.json" and 3 others`)},
		{"one is missing", of("t/%s.tools.json")[1:], gridPrompt + fmt.Sprintf(left, `"t/xs.tools.json" and 2 others`)},
		{"one is too much", append(of("t/%s.json"), tools("t/more.json")...), gridPrompt + fmt.Sprintf(left, `"t/generic.json" and 4 others`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(t, append(grid("t/%s-%s.md"), tc.tools...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFilesBesidePromptsAreLeftOut(t *testing.T) {
	files := append(grid("t/%s-%s.md"), scaffold.Look("t/README.md", "# What this is\n"), scaffold.Look("t/data.json", "{\"a\": 1}\n"))
	want := gridPrompt + "left out \"t/README.md\": about the others, by its name\nleft out \"t/data.json\": JSON that defines no tools\n"
	if diff := cmp.Diff(want, shown(t, files)); diff != "" {
		t.Error(diff)
	}
	// Values that would be found in names would be found in these.
	files = append(snapshots("p/agent.md", "p/commit-message.md"), scaffold.Look("p/README.md", "x"))
	want = "  legacy:\n    rendered: \"p/{name}.md\"\n    axes:\n      name: [agent, commit-message]\nleft out \"p/README.md\": about the others, by its name\n"
	if diff := cmp.Diff(want, shown(t, files)); diff != "" {
		t.Error(diff)
	}
	// Where there is nothing else, it is meant.
	if got := shown(t, []scaffold.Snapshot{scaffold.Look("t/data.json", "{}")}); got != "  legacy:\n    rendered: \"t/data.json\"\n\n" {
		t.Errorf("got %s", got)
	}
	if _, err := scaffold.Derive([]scaffold.Snapshot{scaffold.Look("a.json", `[{"name": "x"}]`)}); err == nil || err.Error() != "there is no prompt in what it matches" {
		t.Errorf("got %v", err)
	}
}

func TestFilesAreWhatTheySeemToBe(t *testing.T) {
	for text, want := range map[string]scaffold.Sort{
		"You work.":                 scaffold.Prompt,
		"{{user}} is here":          scaffold.Prompt,
		"[a link](x)":               scaffold.Prompt,
		"":                          scaffold.Prompt,
		`"a text"`:                  scaffold.Prompt,
		`{"a": 1}`:                  scaffold.Data,
		`[]`:                        scaffold.Data,
		`[{"title": "x"}]`:          scaffold.Data,
		`[{"name": 1}]`:             scaffold.Data,
		" \n[{\"name\": \"x\"}]\n":  scaffold.ToolList,
		`{"tools": [{"name":"x"}]}`: scaffold.ToolList,
		`[{"type": "function", "function": {"name": "x"}}]`: scaffold.ToolList,
	} {
		if got := scaffold.Look("a.txt", text).Sort; got != want {
			t.Errorf("%q is %v", text, got)
		}
	}
	for _, name := range []string{"README.md", "t/readme", "a/ReadMe.de.txt"} {
		if got := scaffold.Look(name, "x").Sort; got != scaffold.ReadMe {
			t.Errorf("%q is %v", name, got)
		}
	}
	// A text that quotes a snapshot file is none.
	if got := scaffold.Look("a.md", "Jest writes:\n\nexports[`a 1`] = `x`;\n").Entries; got != nil {
		t.Errorf("got %q", got)
	}
	if got := scaffold.Look("a.snap", "\nexports[`a 1`] = `x`;\n").Entries; !slices.Equal(got, []string{"a 1"}) {
		t.Errorf("got %q", got)
	}
}

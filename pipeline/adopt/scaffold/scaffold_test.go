package scaffold_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func find(t *testing.T, files []scaffold.File, name string) scaffold.File {
	t.Helper()
	i := slices.IndexFunc(files, func(f scaffold.File) bool { return f.Path == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return files[i]
}

func TestFilesStandWhereTheirToolsLook(t *testing.T) {
	paths := func(in scaffold.Input) []string {
		var out []string
		for _, f := range scaffold.Files(in) {
			out = append(out, f.Path)
		}
		return out
	}
	atRoot := []string{".prettierignore", ".pre-commit-config.yaml", ".github/workflows/prompts.yml", ".github/workflows/prompts-comment.yml"}
	example := []string{
		"prompts.yaml", "prompts/role.md", "prompts/rules/answer.md", "prompts/rules/change.md",
		"prompts/tools/read_file.json", "prompts/tools/write_file.json", ".gitattributes",
	}
	below := make([]string, len(example))
	for i, p := range example {
		below[i] = "agents/coder/" + p
	}
	for _, tc := range []struct {
		in   scaffold.Input
		want []string
	}{
		{scaffold.Input{Folder: "."}, slices.Concat(example, atRoot)},
		{scaffold.Input{Folder: "agents/coder"}, slices.Concat(below, atRoot)},
		{scaffold.Input{Folder: ".", CI: scaffold.GitLab}, slices.Concat(example, atRoot[:2], []string{".gitlab-ci.yml"})},
		{scaffold.Input{Folder: ".", CI: scaffold.NoCI, NoHooks: true}, slices.Concat(example, atRoot[:1])},
		{scaffold.Input{Folder: ".", Rendered: []*scaffold.Legacy{{ID: "legacy", Path: "p.txt"}}}, slices.Concat([]string{"prompts.yaml"}, atRoot[1:])},
	} {
		if diff := cmp.Diff(tc.want, paths(tc.in)); diff != "" {
			t.Errorf("%s: %s", tc.in.Folder, diff)
		}
	}
}

// What a repository has decides where origin does not.
func TestTheSystemIsThatOfOrigin(t *testing.T) {
	const file, folder = ".gitlab-ci.yml", ".github/workflows"
	for _, tc := range []struct {
		hosts []string
		there []string
		want  scaffold.CI
	}{
		{nil, nil, scaffold.GitHub},
		{nil, []string{folder}, scaffold.GitHub},
		{nil, []string{file}, scaffold.GitLab},
		{nil, []string{file, folder}, scaffold.GitLab},
		{[]string{"github.com"}, nil, scaffold.GitHub},
		{[]string{"octo.ghe.com"}, nil, scaffold.GitHub},
		{[]string{"github.com"}, []string{file}, scaffold.GitLab},
		{[]string{"github.com"}, []string{file, folder}, scaffold.GitHub},
		{[]string{"github.com", "gitlab.example.com"}, nil, scaffold.GitHub},
		{[]string{"gl", "gitlab.com"}, []string{folder}, scaffold.GitLab},
		{[]string{"codeberg.org"}, nil, scaffold.NoCI},
		{[]string{"codeberg.org"}, []string{folder}, scaffold.GitHub},
		{[]string{"git.example.com"}, []string{file}, scaffold.GitLab},
	} {
		got := scaffold.CIOf(tc.hosts, func(name string) bool { return slices.Contains(tc.there, name) })
		if got != tc.want {
			t.Errorf("%q with %q: %d, not %d", tc.hosts, tc.there, got, tc.want)
		}
	}
}

// The job for GitLab is the recipe of the manual, with the version that runs and
// in the folder of the project.
func TestTheJobIsTheRecipe(t *testing.T) {
	page, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(page), "\n## GitLab\n")
	_, recipe, _ = strings.Cut(recipe, "```yaml\n")
	recipe, _, _ = strings.Cut(recipe, "```\n")
	job := func(in scaffold.Input) string {
		in.CI = scaffold.GitLab
		f := find(t, scaffold.Files(in), ".gitlab-ci.yml")
		if !f.IsPrinted {
			t.Error("the file is written")
		}
		return f.Content
	}
	if diff := cmp.Diff(recipe, job(scaffold.Input{Folder: "."})); diff != "" {
		t.Error(diff)
	}
	commit := strings.Repeat("1e", 20)
	below := strings.NewReplacer("promptc check", "promptc check -C 'a b'", "promptc diff", "promptc diff -C 'a b'", "@latest", "@"+commit)
	if diff := cmp.Diff(below.Replace(recipe), job(scaffold.Input{Folder: "a b", Version: "devel " + commit})); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(job(scaffold.Input{Folder: ".", Version: "v1.2.3", Commit: commit}), "cmd/promptc@v1.2.3\n") {
		t.Error("the job gets another version than the release")
	}
}

func TestAFolderMayHaveSomeNamesAndBeEmpty(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".gitignore": true, ".gitattributes": true, ".editorconfig": true, ".DS_Store": true, ".jj": true,
		"README": true, "README.md": true, "readme.rst": true, "README_CN.md": true, "README.zh-CN.md": true,
		"LICENSE": true, "LICENSE-MIT": true, "LICENCE.txt": true, "COPYING": true,
		".github": false, ".gitlab-ci.yml": false, "src": false, "main.py": false, "package.json": false,
		"prompts": false, "readmes": false, ".env": false, "licenses": false,
	} {
		if got := scaffold.IsBare(name); got != want {
			t.Errorf("IsBare(%q) = %v", name, got)
		}
	}
}

// No template leaves a word open, and every YAML and JSON file can be read.
func TestFilesAreComplete(t *testing.T) {
	for _, in := range []scaffold.Input{
		{Folder: "."},
		{Folder: "a/b c", Version: "v1.2.3"},
		{Folder: "a/b c", Version: "v1.2.3", CI: scaffold.GitLab},
		{Folder: "ä+~=@", Version: "devel " + strings.Repeat("1e", 20)},
		{Folder: ".", Rendered: []*scaffold.Legacy{{ID: "legacy", Path: "p/{a}.txt", Axes: []scaffold.Axis{{Name: "a", Values: []string{"null", "on"}}}}}},
	} {
		for _, f := range scaffold.Files(in) {
			for _, word := range []string{"@schema@", "@manual@", "@hook@", "@rev@", "@args@", "@ref@", "@job@", "@folder@", "@exclude@", "@pattern@", "@entry@", "@snapshots@", "@start@", "@version@"} {
				if strings.Contains(f.Content+gaps(f, ""), word) {
					t.Errorf("%s holds %s", f.Path, word)
				}
			}
			var value any
			switch filepath.Ext(f.Path) {
			case ".yaml", ".yml":
				if err := yaml.Unmarshal([]byte(f.Content), &value); err != nil {
					t.Errorf("%s: %v\n%s", f.Path, err, f.Content)
				}
			case ".json":
				if err := json.Unmarshal([]byte(f.Content), &value); err != nil {
					t.Errorf("%s: %v", f.Path, err)
				}
			}
			if !strings.HasSuffix(f.Content, "\n") {
				t.Errorf("%s does not end with a line break", f.Path)
			}
			if got := gaps(f, f.Content); got != "" {
				t.Errorf("%s as it is written lacks %q", f.Path, got)
			}
		}
	}
}

// gaps are the lines that a file with a text lacks.
func gaps(f scaffold.File, text string) string {
	out := ""
	found, _ := f.Lacks(text)
	for _, g := range found {
		out += wording.Text(g.What) + ":\n" + g.Lines
	}
	return out
}

func TestFoldersAreNamedInHooksAndWorkflows(t *testing.T) {
	files := scaffold.Files(scaffold.Input{Folder: "a.b/c d", Version: "v1.2.3"})
	var hooks struct {
		Exclude string
		Repos   []struct {
			Repo, Rev string
			Hooks     []struct {
				ID   string
				Args []string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(find(t, files, ".pre-commit-config.yaml").Content), &hooks); err != nil {
		t.Fatal(err)
	}
	if hooks.Exclude != `^a\.b/c d/snapshots/` || hooks.Repos[0].Rev != "v1.2.3" {
		t.Errorf("got %+v", hooks)
	}
	if diff := cmp.Diff([]string{"-C", "a.b/c d"}, hooks.Repos[0].Hooks[0].Args); diff != "" {
		t.Error(diff)
	}
	workflow := find(t, files, ".github/workflows/prompts.yml")
	for _, want := range []string{"uses: promptc-build/promptc@v1.2.3\n", `working-directory: "a.b/c d"` + "\n"} {
		if !strings.Contains(workflow.Content, want) || !strings.Contains(gaps(workflow, ""), want) {
			t.Errorf("%q is not in\n%s", want, workflow.Content)
		}
	}
	if got := gaps(find(t, files, ".prettierignore"), ""); got != "add these lines:\n/a.b/c d/snapshots/\n" {
		t.Errorf("got %q", got)
	}
}

func TestVersionsAreNamedAsGitKnowsThem(t *testing.T) {
	const newest = "main # name a release instead, or a commit: what is behind a branch changes"
	const compiled, wheel = "promptc-check", "promptc-check-python"
	commit := strings.Repeat("0123456789", 4)
	for _, tc := range []struct{ version, commit, rev, hook, action string }{
		// A release is installed, and pinned by its commit where that is known.
		{"v1.2.3", commit, "v1.2.3", wheel, commit + " # v1.2.3"},
		{"v1.2.3", "", "v1.2.3", wheel, "v1.2.3"},
		{"v1.2.3-rc.1", "", "v1.2.3-rc.1", wheel, "v1.2.3-rc.1"},
		// Anything else is compiled at the commit that wrote it.
		{"devel " + commit, "", `"` + commit + `"`, compiled, commit},
		{"v0.0.0-20261121235017-012345678901", commit, `"` + commit + `"`, compiled, commit},
		{"v1.2.3+dirty", commit, `"` + commit + `"`, compiled, commit},
		{"1.2.3-next", commit, `"` + commit + `"`, compiled, commit},
		// As go install records it, which is too little for GitHub.
		{"v0.0.0-20261121235017-1ef1103bbd29", "", `"1ef1103bbd29"`, compiled, newest},
		{"v1.2.4-0.20261121235017-123456789012+dirty", "", `"123456789012"`, compiled, newest},
		{"devel", "", newest, compiled, newest},
		{"unknown", "", newest, compiled, newest},
		{"v1.2.3\nx: y", "", newest, compiled, newest},
	} {
		files := scaffold.Files(scaffold.Input{Folder: ".", Version: tc.version, Commit: tc.commit})
		hook := find(t, files, ".pre-commit-config.yaml").Content
		if !strings.Contains(hook, "    rev: "+tc.rev+"\n    hooks:\n      - id: "+tc.hook+"\n") {
			t.Errorf("%s: not the hook %s at %s:\n%s", tc.version, tc.hook, tc.rev, hook)
		}
		step := find(t, files, ".github/workflows/prompts.yml").Content
		if !strings.Contains(step, "uses: promptc-build/promptc@"+tc.action+"\n") {
			t.Errorf("%s: the action is not at %s:\n%s", tc.version, tc.action, step)
		}
	}
}

// The hooks that init knows are those that the repository has.
func TestHooksAreThoseOfTheRepository(t *testing.T) {
	text, err := os.ReadFile("../../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 3 {
		t.Errorf("there are %d hooks", len(hooks))
	}
	for _, h := range hooks {
		f := find(t, scaffold.Files(scaffold.Input{Folder: "."}), ".pre-commit-config.yaml")
		if got := gaps(f, "exclude: \"^snapshots/\"\n- id: "+h.ID+"\n"); got != "" {
			t.Errorf("%s is not known as a hook of promptc: %s", h.ID, got)
		}
	}
}

func TestFoldersThatSomeToolReadsAsMore(t *testing.T) {
	for folder, want := range map[string]bool{
		".": true, "a/b": true, "größe/x y": true, "a+b=c~d@e": true,
		"${{ x }}": false, "a*": false, "a[b]": false, "a#b": false, `a"b`: false, "a'b": false, "a\nb": false,
		"!a": false, "-C": false, "a/-b": false, "a ": false, " a": false, "~": false, `a\b`: false, "$(id)": false,
	} {
		if got := scaffold.Usable(folder); got != want {
			t.Errorf("Usable(%q) = %v", folder, got)
		}
	}
}

// A release names its own schema to editors, never what is behind a branch. Another
// version names none. The number of lines is the same.
func TestTheSchemaIsThatOfTheRelease(t *testing.T) {
	const told = "# For completion in an editor: promptc schema -o prompts.schema.json\n"
	lines := -1
	for version, want := range map[string]string{
		"v1.2.3":                               "# yaml-language-server: $schema=https://raw.githubusercontent.com/promptc-build/promptc/v1.2.3/schema/prompts.schema.json\n",
		"v2.0.0-rc1":                           "# yaml-language-server: $schema=https://raw.githubusercontent.com/promptc-build/promptc/v2.0.0-rc1/schema/prompts.schema.json\n",
		"devel":                                told,
		"unknown":                              told,
		"devel " + strings.Repeat("1e", 20):    told,
		"v0.0.0-20260131120000-0123456789ab":   told,
		"v1.2.4-0.20260131120000-0123456789ab": told,
		"v1.2.3+dirty":                         told,
		"v0.0.0-20260131120000-0123456789ab+dirty": told,
	} {
		for _, in := range []scaffold.Input{
			{Folder: ".", Version: version},
			{Folder: ".", Version: version, Rendered: []*scaffold.Legacy{{ID: "legacy", Path: "p.txt"}}},
			{Folder: ".", Version: version, Adopted: "version: 1\n"},
		} {
			text := find(t, scaffold.Files(in), "prompts.yaml").Content
			if !strings.HasPrefix(text, want) || strings.Count(text, "yaml-language-server") > 1 {
				t.Errorf("%s: the manifest begins with %q", version, text[:min(len(text), 160)])
			}
			if in.NamesSchema() != (want != told) {
				t.Errorf("%s: NamesSchema is %v", version, in.NamesSchema())
			}
			if in.Rendered == nil && in.Adopted == "" {
				if n := strings.Count(text, "\n"); lines >= 0 && n != lines {
					t.Errorf("%s: %d lines, not %d", version, n, lines)
				} else {
					lines = n
				}
			}
		}
	}
	if _, err := os.Stat("../../../schema/" + scaffold.SchemaFile); err != nil {
		t.Errorf("the schema is called otherwise: %v", err)
	}
}

// What a file of one's own has is known by its lines, not by words in them: each
// of several projects in a repository is told what it lacks.
func TestEveryProjectIsToldWhatItLacks(t *testing.T) {
	written := func(folder, path string) string {
		return find(t, scaffold.Files(scaffold.Input{Folder: folder}), path).Content
	}
	const hooks, workflow = ".pre-commit-config.yaml", ".github/workflows/prompts.yml"
	hook := func(args string) string {
		return "add to its repos:\n  - repo: https://github.com/promptc-build/promptc\n    rev: main # name a release instead, or a commit: what is behind a branch changes\n" +
			"    hooks:\n      - id: promptc-check\n" + args
	}
	exclude := func(pattern string) string {
		return "let its exclude match this, too (one pattern, with | between):\nexclude: " + pattern + "\n"
	}
	const step = "add this step, whose report is in the job summary (the comment is about the first project):\n" +
		"      - if: ${{ !cancelled() }}\n        uses: promptc-build/promptc@main # name a release instead, or a commit: what is behind a branch changes\n" +
		"        with:\n          page: true\n"
	for _, tc := range []struct{ name, folder, path, text, want string }{
		{"another folder's hook", "b", hooks, written("a", hooks), hook("        args: [-C, \"b\"]\n") + exclude(`"^b/snapshots/"`)},
		{"one that ends like it", "b", hooks, written("a/b", hooks), hook("        args: [-C, \"b\"]\n") + exclude(`"^b/snapshots/"`)},
		{"the root's hook", "a", hooks, written(".", hooks), hook("        args: [-C, \"a\"]\n") + exclude(`"^a/snapshots/"`)},
		{"a folder's hook", ".", hooks, written("a", hooks), hook("") + exclude(`"^snapshots/"`)},
		{"no hook at all", ".", hooks, "repos: []\n", hook("") + "add this line, at the top:\nexclude: \"^snapshots/\"\n"},
		{"a hook that is off", ".", hooks, "exclude: \"^snapshots/\"\n# - id: promptc-check\n", hook("")},
		{"a hook in other words", "b c", hooks, "exclude: ^x/|^b c/snapshots/\n- id: promptc-check-system\n  args: [-C, 'b c']\n", ""},
		{"both hooks", "b", hooks, "exclude: ^b/snapshots/\n- id: promptc-check\n- id: promptc-check\n  args: [-C, b]\n", ""},
		{"another folder's step", "b", workflow, written("a", workflow), step + "          working-directory: \"b\"\n"},
		{"a folder's step", ".", workflow, written("a", workflow), step},
		{"the root's step", "b", workflow, written(".", workflow), step + "          working-directory: \"b\"\n"},
		{"a step in other words", "b", workflow, "steps:\n  - uses: promptc-build/promptc@v1\n    with: # what\n      working-directory: ./b\n", ""},
		{"other lines", "b", ".prettierignore", "/a/b/snapshots/\nb/snapshots/\n", "add these lines:\n/b/snapshots/\n"},
		{"the line that it is about", ".", ".prettierignore", "/snapshots/\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := tc.path
			if path == ".gitattributes" {
				path = strings.TrimPrefix(tc.folder+"/"+path, "./")
			}
			f := find(t, scaffold.Files(scaffold.Input{Folder: tc.folder}), path)
			if diff := cmp.Diff(tc.want, gaps(f, tc.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A workflow without a step of ours is told all that the comment needs: what the
// job of the one that is written has.
func TestAWorkflowOfOnesOwnGetsTheWholeJob(t *testing.T) {
	f := find(t, scaffold.Files(scaffold.Input{Folder: "a"}), ".github/workflows/prompts.yml")
	lacks, _ := f.Lacks("name: mine\njobs:\n  test:\n    steps:\n      - id: promptc\n        run: uses promptc-build/promptc@v1\n")
	if len(lacks) != 1 || !strings.HasSuffix(f.Content, "jobs:\n"+lacks[0].Lines) {
		t.Errorf("got %+v", lacks)
	}
	for _, want := range []string{"fetch-depth: 2", "name: promptc-report", `working-directory: "a"`} {
		if !strings.Contains(lacks[0].Lines, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// Prompts without snapshots need no lines about these.
func TestRenderedPromptsGetNoLinesAboutSnapshots(t *testing.T) {
	for _, f := range scaffold.Files(scaffold.Input{Folder: ".", Rendered: []*scaffold.Legacy{{ID: "legacy", Path: "p.txt"}}}) {
		if strings.Contains(f.Content+gaps(f, "repos: []\n"), "snapshots/") {
			t.Errorf("%s speaks of a folder that such a project has not:\n%s", f.Path, f.Content)
		}
	}
}

// What is printed can be put where it says: the workflow still reads, and no two
// steps have one id.
func TestPrintedStepsFitIntoWorkflows(t *testing.T) {
	const path = ".github/workflows/prompts.yml"
	for name, base := range map[string]string{
		"one that was written": find(t, scaffold.Files(scaffold.Input{Folder: "a"}), path).Content,
		"one's own":            "name: mine\non: pull_request\njobs:\n  test:\n    steps:\n      - id: promptc\n        run: make\n",
	} {
		text := base
		for _, folder := range []string{"a", "b", "."} {
			lacks, _ := find(t, scaffold.Files(scaffold.Input{Folder: folder}), path).Lacks(text)
			for _, g := range lacks {
				text += g.Lines
			}
		}
		var file struct {
			Jobs map[string]struct {
				Steps []struct {
					ID, Uses string
					With     map[string]string
				}
			}
		}
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		folders, uploads := []string{}, 0
		for _, job := range file.Jobs {
			ids := map[string]bool{}
			for _, s := range job.Steps {
				if s.ID != "" && ids[s.ID] {
					t.Errorf("%s: two steps are called %s", name, s.ID)
				}
				ids[s.ID] = true
				switch {
				case strings.HasPrefix(s.Uses, "promptc-build/promptc@"):
					folders = append(folders, s.With["working-directory"])
				case strings.HasPrefix(s.Uses, "actions/upload-artifact@"):
					uploads++
				}
			}
		}
		if diff := cmp.Diff([]string{"a", "b", ""}, folders); diff != "" || uploads != 1 {
			t.Errorf("%s: %d uploads, %s", name, uploads, diff)
		}
	}
}

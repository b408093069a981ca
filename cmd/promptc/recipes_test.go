package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// recipe gives the first block of a language below a heading of docs/ci.md.
func recipe(t *testing.T, heading, lang string) string {
	t.Helper()
	_, text, ok := strings.Cut(content("../../docs/ci.md"), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("there is no heading %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	_, text, ok = strings.Cut(text, "\n```"+lang+"\n")
	text, _, closed := strings.Cut(text, "\n```\n")
	if !ok || !closed {
		t.Fatalf("%s has no block of %s", heading, lang)
	}
	return text + "\n"
}

// installs are the lines that get promptc, which no test runs.
var installs = []string{
	"go install github.com/promptc-build/promptc/cmd/promptc@latest",
	`echo "##vso[task.prependpath]$(go env GOPATH)/bin"`,
	`export PATH="$(go env GOPATH)/bin:$PATH"`,
}

// script joins the lines of a recipe, as systems run them, without those that get promptc.
func script(lines ...string) string {
	text := strings.Join(lines, "\n") + "\n"
	for _, line := range installs {
		text = strings.ReplaceAll(text, line+"\n", "")
	}
	return "set -e\n" + text
}

// scriptsOf takes the scripts out of the recipes of the systems, parsed.
func scriptsOf(t *testing.T) map[string]string {
	t.Helper()
	var gitlab struct {
		Prompts struct {
			BeforeScript []string `yaml:"before_script"`
			Script       []string
			Artifacts    struct{ Reports map[string]string }
		}
	}
	var azure struct {
		Steps []struct{ Script, Task, Condition string }
	}
	var buildkite struct{ Steps []struct{ Commands []string } }
	for heading, into := range map[string]any{"GitLab": &gitlab, "Azure Pipelines": &azure, "Buildkite": &buildkite} {
		if err := yaml.Unmarshal([]byte(recipe(t, heading, "yaml")), into); err != nil {
			t.Fatal(heading, err)
		}
	}
	out := map[string]string{
		"GitLab":    script(append(gitlab.Prompts.BeforeScript, gitlab.Prompts.Script...)...),
		"Buildkite": strings.ReplaceAll(script(strings.ReplaceAll(strings.Join(buildkite.Steps[0].Commands, "\n"), "$$", "$")), "$$", "$"),
	}
	var lines []string
	for _, s := range azure.Steps {
		lines = append(lines, strings.TrimSuffix(s.Script, "\n"))
	}
	out["Azure Pipelines"] = script(lines...)
	if r := gitlab.Prompts.Artifacts.Reports; r["codequality"] == "" || r["junit"] == "" {
		t.Error("GitLab gets no reports")
	}
	return out
}

func TestRecipesOfSystems(t *testing.T) {
	needs(t, "bash", "git")
	grown := map[string]string{"role.md": "You help, and you say what you did, and why, and what is left to do after it.\n"}
	for name, text := range scriptsOf(t) {
		if strings.Contains(text, "go install") || strings.Count(text, "promptc ") < 3 {
			t.Errorf("%s runs other lines than a test can run:\n%s", name, text)
		}
		for _, tc := range []struct {
			name   string
			change map[string]string
			drift  bool
			fails  bool
			says   string
		}{
			{name: "nothing changed", says: "no change"},
			{name: "grown", change: grown, fails: true, says: "PC8001"},
			{name: "drift", drift: true, fails: true, says: "out of date"},
		} {
			t.Run(name+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				p := newPull(t, ourProgram(t), nil, tc.change)
				base := p.git(t, "rev-parse", "HEAD^1")
				clone := filepath.Join(t.TempDir(), "clone")
				p.git(t, "branch", "-q", "-f", "merged", "HEAD")
				p.git(t, "checkout", "-q", "merged")
				p.git(t, "branch", "-q", "-f", "main", base)
				p.git(t, "clone", "-q", "-b", "merged", "file://"+p.dir, clone)
				if tc.drift {
					put(t, clone, map[string]string{"role.md": "You help more.\n"})
				}
				status, said := bash(t, clone, text, append(gitWorld(clone),
					"PATH="+filepath.Dir(p.program)+string(os.PathListSeparator)+os.Getenv("PATH"),
					"CI_MERGE_REQUEST_DIFF_BASE_SHA="+base, "SYSTEM_PULLREQUEST_TARGETBRANCHNAME=main",
					"BUILDKITE_PULL_REQUEST=7", "BUILDKITE_PULL_REQUEST_BASE_BRANCH=main")...)
				if (status != 0) != tc.fails || status > 1 || !strings.Contains(said, tc.says) {
					t.Errorf("exits %d:\n%s", status, said)
				}
				readReports(t, clone, name == "GitLab", tc.drift)
			})
		}
	}
}

// readReports holds that the reports can be read, and have the drift.
func readReports(t *testing.T, dir string, quality, drift bool) {
	t.Helper()
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal([]byte(content(filepath.Join(dir, "promptc.junit.xml"))), &suites); err != nil || (suites.Failures > 0) != drift {
		t.Error("JUnit:", err, suites.Failures)
	}
	if !quality {
		return
	}
	var rows []struct {
		Fingerprint string
		Location    struct{ Path string }
	}
	if err := json.Unmarshal([]byte(content(filepath.Join(dir, "promptc.codequality.json"))), &rows); err != nil || (len(rows) > 0) != drift {
		t.Error("Code Quality:", err, rows)
	}
}

// A matrix names its folders once, and the action gets each.
func TestTheMatrixOfTheDocumentation(t *testing.T) {
	steps := stepsOf(t, recipe(t, "Several projects on GitHub", "yaml"))
	if got := steps[len(steps)-1].With["working-directory"]; got != "${{ matrix.folder }}" {
		t.Errorf("the action works in %q", got)
	}
}

// The job that runs promptc may write nothing, and the one that publishes runs nothing.
func TestTheRecipesOfAPage(t *testing.T) {
	needs(t, "bash", "git")
	const heading = "A page of the main branch"
	var workflow struct {
		Jobs map[string]struct {
			Permissions map[string]string
			Steps       []step
		}
	}
	var gitlab struct {
		Pages struct {
			Script    []string
			Artifacts struct{ Paths []string }
		}
	}
	_, second, _ := strings.Cut(content("../../docs/ci.md"), "\nGitLab Pages publishes")
	second, _, _ = strings.Cut(second, "\n```\n\n## ")
	_, second, _ = strings.Cut(second, "\n```yaml\n")
	if err := errors.Join(yaml.Unmarshal([]byte(recipe(t, heading, "yaml")), &workflow), yaml.Unmarshal([]byte(second), &gitlab)); err != nil {
		t.Fatal(err)
	}
	page, publish := workflow.Jobs["page"], workflow.Jobs["publish"]
	if !maps.Equal(page.Permissions, map[string]string{"contents": "read"}) || slices.ContainsFunc(publish.Steps, func(s step) bool { return s.Run != "" }) {
		t.Errorf("%+v", workflow)
	}
	upload, run := page.Steps[len(page.Steps)-1], page.Steps[len(page.Steps)-2].Run
	for folder, lines := range map[string]string{upload.With["path"]: run, gitlab.Pages.Artifacts.Paths[0]: strings.Join(gitlab.Pages.Script, "\n")} {
		p := newPull(t, ourProgram(t), nil, nil)
		status, said := bash(t, p.dir, script(lines), append(gitWorld(p.dir), "PATH="+filepath.Dir(p.program)+string(os.PathListSeparator)+os.Getenv("PATH"))...)
		if page := content(filepath.Join(p.dir, folder, "index.html")); status != 0 || !strings.Contains(page, "You help.") {
			t.Errorf("exits %d, this is no page: %s\n%s", status, page, said)
		}
	}
}

// Owners are asked one by one: users and teams, but for the author, and whoever
// cannot be asked keeps nobody else from it.
func TestTheRecipeThatAsksOwners(t *testing.T) {
	needs(t, "bash", "git", "jq")
	steps := stepsOf(t, recipe(t, "Ask owners for a review", "yaml"))
	text := steps[len(steps)-1].Run
	for name, tc := range map[string]struct {
		change map[string]string
		asked  string
	}{
		"nobody": {map[string]string{"role.md": "You help more.\n"}, ""},
		"owners": {
			map[string]string{"role.md": "You help more.\n", "CODEOWNERS": "*.yaml @nobody @acme/agents a@example.com\nrole.md @author @ann\n"},
			"acme/agents\nann\nnobody\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPull(t, ourProgram(t), nil, tc.change)
			p.git(t, "update-ref", "refs/remotes/origin/main", "HEAD^1")
			bin := t.TempDir()
			put(t, bin, map[string]string{"gh": "#!/bin/sh\necho \"$5\" >> asked\n[ \"$1 $2 $3 $4\" = 'pr edit URL --add-reviewer' ] && [ \"$5\" != nobody ]\n"})
			if err := os.Chmod(filepath.Join(bin, "gh"), 0o755); err != nil {
				t.Fatal(err)
			}
			status, said := bash(t, p.dir, "set -eo pipefail\n"+text, append(gitWorld(p.dir),
				"PATH="+strings.Join([]string{bin, filepath.Dir(p.program), os.Getenv("PATH")}, string(os.PathListSeparator)),
				"GITHUB_BASE_REF=main", "PULL=URL", "AUTHOR=author")...)
			if asked, _ := os.ReadFile(filepath.Join(p.dir, "asked")); status != 0 || string(asked) != tc.asked || strings.Contains(said, "could not ask nobody") != (tc.asked != "") {
				t.Errorf("exits %d, asked %q:\n%s", status, asked, said)
			}
		})
	}
}

// Hooks are run by git, in a repository, in a linked work tree, with a folder of their own
// for hooks, and where a hook is there already.
func TestRecipesOfHooks(t *testing.T) {
	needs(t, "bash", "git")
	var lefthook struct {
		PreCommit struct {
			Commands map[string]struct{ Run string }
		} `yaml:"pre-commit"`
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "lefthook", "yaml")), &lefthook); err != nil {
		t.Fatal(err)
	}
	own := func(line string) string {
		return "mkdir -p .husky && echo '" + strings.TrimSpace(line) + "' > .husky/pre-commit && chmod +x .husky/pre-commit && git config core.hooksPath .husky"
	}
	plain := recipe(t, "A git hook", "sh")
	const there = `hook="$(git rev-parse --git-path hooks)/pre-commit"; mkdir -p "${hook%/*}"; printf '#!/bin/sh\necho first\n' > "$hook"; chmod +x "$hook"` + "\n"
	for _, tc := range []struct{ name, install string }{
		{"a git hook", plain},
		{"a git hook, twice", plain + plain},
		{"a git hook from a folder below", "mkdir -p below && cd below\n" + plain},
		{"a git hook elsewhere", "git config core.hooksPath hooks/ours\n" + plain},
		{"a hook that is there", there + plain + `echo 'promptc check --staged || exit 1' >> "$hook"; grep -q 'echo first' "$hook"`},
		{"lefthook", own(lefthook.PreCommit.Commands["prompts"].Run)},
		{"husky", own(recipe(t, "husky", "sh"))},
	} {
		for _, linked := range []bool{false, true} {
			name := tc.name
			if linked {
				name += ", in a linked work tree"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := newPull(t, ourProgram(t), nil, nil)
				dir := p.dir
				if linked {
					dir = filepath.Join(t.TempDir(), "linked")
					p.git(t, "worktree", "add", "-q", "--detach", dir)
				}
				env := append(gitWorld(filepath.Dir(dir)), "PATH="+filepath.Dir(p.program)+string(os.PathListSeparator)+os.Getenv("PATH"))
				if status, said := bash(t, dir, "set -e\n"+tc.install, env...); status != 0 {
					t.Fatalf("the hook is not installed: %d\n%s", status, said)
				}
				const edit = "echo 'You help all.' > role.md && git add role.md && git commit -qm edit"
				if status, said := bash(t, dir, edit, env...); status != 1 || !strings.Contains(said, "snapshots are out of date") {
					t.Errorf("the hook lets an edit without a snapshot pass: %d\n%s", status, said)
				}
				if status, said := bash(t, dir, "promptc build && git add snapshots && git commit -qm edit", env...); status != 0 {
					t.Errorf("the hook refuses what is built: %d\n%s", status, said)
				}
			})
		}
	}
}

// The lines for a hook are for any shell.
func TestTheHookIsForEveryShell(t *testing.T) {
	for _, shell := range []string{"dash", "bash"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		cmd := exec.Command(shell, "-n")
		cmd.Stdin = strings.NewReader(recipe(t, "A git hook", "sh"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

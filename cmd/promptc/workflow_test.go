package main

import (
	"archive/zip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
)

// step is one of a workflow's job, or of an action.
type step struct {
	ID, Name, Uses, Run string
	With, Env           map[string]string
}

// stepsOf gives the steps of an action, or of all jobs of a workflow.
func stepsOf(t *testing.T, text string) []step {
	t.Helper()
	var file struct {
		Runs struct{ Steps []step }
		Jobs map[string]struct{ Steps []step }
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	steps := file.Runs.Steps
	for _, job := range file.Jobs {
		steps = append(steps, job.Steps...)
	}
	if len(steps) == 0 {
		t.Fatal("there are no steps")
	}
	return steps
}

// workflows are the files that GitHub runs: ours, and those that init writes.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range scaffold.Files(scaffold.Input{Folder: "."}) {
		if strings.HasPrefix(f.Path, ".github/") {
			out["init: "+f.Path] = f.Content
		}
	}
	ours, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(ours) == 0 {
		t.Fatal("no workflows", err)
	}
	for _, name := range append(ours, "../../action.yml") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(text)
	}
	return out
}

// What comes from outside reaches a script through the environment: put into
// its text, a branch's name could be a command.
func TestScriptsOfWorkflowsHoldNoExpressions(t *testing.T) {
	for name, text := range workflows(t) {
		for _, s := range stepsOf(t, text) {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s: a script holds an expression:\n%s", name, s.Run)
			}
			if strings.Contains(s.Run, "\n") && !strings.HasPrefix(s.Run, "set -euo pipefail\n") {
				t.Errorf("%s: a script goes on after a mistake:\n%s", name, s.Run)
			}
		}
	}
}

// Only workflows that run no code of a pull request may write: the comment, which
// has no checkout, and the one that makes a release of a tag.
func TestOnlyTheCommentAndReleasesMayWrite(t *testing.T) {
	for name, text := range workflows(t) {
		if name == "action.yml" {
			continue
		}
		var file struct {
			On          any
			Permissions map[string]string
		}
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			t.Fatal(err)
		}
		comment := strings.HasSuffix(name, "prompts-comment.yml")
		if file.Permissions == nil {
			t.Errorf("%s does not say what it may do", name)
		}
		release := name == "release.yml"
		if strings.Contains(text, ": write") != (comment || release) {
			t.Errorf("%s: it may write, or may not: %v", name, !comment && !release)
		}
		tagged := map[string]any{"push": map[string]any{"tags": []any{"v*.*.*"}}}
		if release && (!cmp.Equal(file.On, any(tagged)) || !cmp.Equal(file.Permissions, map[string]string{"contents": "read"})) {
			t.Errorf("%s is started by %v, and all its jobs may %v", name, file.On, file.Permissions)
		}
		for _, s := range stepsOf(t, text) {
			if comment && s.Uses != "" {
				t.Errorf("%s uses %s", name, s.Uses)
			}
			if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
				t.Errorf("%s leaves its token in the checkout", name)
			}
		}
	}
}

// The tag of a major version is at its newest release, whichever was made last.
func TestAReleaseMovesTheTagOfItsMajorVersion(t *testing.T) {
	needs(t, "bash", "grep", "sort", "tail")
	script := ""
	for _, s := range stepsOf(t, content("../../.github/workflows/release.yml")) {
		if s.Name == "Move the tag of the major version" {
			script = s.Run
		}
	}
	const moves = "api --silent --method PATCH repos/o/r/git/refs/tags/v1 -f sha=abc -F force=true\n"
	const makes = "api --silent --method POST repos/o/r/git/refs -f ref=refs/tags/v1 -f sha=abc\n"
	for _, tc := range []struct {
		name, ref, released string
		missing             bool // the tag v1
		want, says          string
	}{
		{name: "the first release", ref: "v1.0.0", missing: true, want: moves + makes},
		{name: "the next one", ref: "v1.10.0", released: "v1.9.0\nv1.10.0\nv1.2.0\n", want: moves},
		{name: "one that the list does not have yet", ref: "v1.10.0", released: "v1.9.0\n", want: moves},
		{name: "a fix of an older one", ref: "v1.9.1", released: "v1.9.1\nv1.10.0\n", says: "v1 stays at v1.10.0\n"},
		{name: "one beside other major versions", ref: "v1.2.3", released: "v2.0.0\nv10.0.0\nv0.9.0\n", want: moves},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, map[string]string{"released": tc.released, "gh": `#!/bin/bash
case "$1 $4" in
  "release "*) cat released; exit ;;
  "api PATCH") status=$MISSING ;;
  *) status=0 ;;
esac
printf '%s\n' "$*" >>asked
exit "$status"
`})
			if err := os.Chmod(filepath.Join(dir, "gh"), 0o755); err != nil {
				t.Fatal(err)
			}
			missing := "0"
			if tc.missing {
				missing = "1"
			}
			status, said := bash(t, dir, script, "GITHUB_REF_NAME="+tc.ref, "GITHUB_SHA=abc", "GH_REPO=o/r", "MISSING="+missing,
				"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			if got := content(filepath.Join(dir, "asked")); status != 0 || got != tc.want || said != tc.says {
				t.Errorf("exits %d, asks %q, want %q, says %q, want %q", status, got, tc.want, said, tc.says)
			}
		})
	}
}

// A tag can be moved to other code; a commit cannot.
func TestActionsOfOthersArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	texts := workflows(t)
	for _, name := range []string{"docs/ci.md", "docs/review.md"} {
		texts[name] = content("../../" + name)
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			uses := strings.TrimPrefix(strings.TrimSpace(line), "- ")
			ours := strings.HasPrefix(uses, "uses: ./") || strings.HasPrefix(uses, "uses: promptc-build/promptc@")
			if strings.HasPrefix(uses, "uses: ") && !ours && !pinned.MatchString(uses) {
				t.Errorf("%s: %q names no commit with its release behind it", name, uses)
			}
		}
	}
}

// needs skips a test where a program is missing, or where nobody asked for such tests.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	askedFor(t)
	if runtime.GOOS == "windows" {
		t.Skip("the script is for the runners with Linux and macOS")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// bash runs a script, and gives its exit status and what it printed.
func bash(t *testing.T, dir, script string, env ...string) (int, string) {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8"}, env...)
	said, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(said)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(said)
}

// fakeGH answers as GitHub would, from files, and notes what is asked of it.
const fakeGH = `#!/bin/bash
printf '%s\n' "$*" >>asked
case "$*" in
  *--method\ POST*|*--method\ PATCH*) cp body posted ;;
  *repos/o/r/pulls\ *) cat "$ANSWERS/pulls" ;;
  *repos/o/r/issues/7/comments?*) cat "$ANSWERS/comments" ;;
  *repos/o/r/actions/runs/11/artifacts\ *) cat "$ANSWERS/artifacts" ;;
  *repos/o/r/actions/artifacts/99/zip) cat "$ANSWERS/zip" ;;
  *) echo "gh: $*" >&2; exit 1 ;;
esac
`

func zipped(t *testing.T, name, text string) string {
	t.Helper()
	var b strings.Builder
	w := zip.NewWriter(&b)
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(0o755)
	f, err := w.CreateHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheCommentIsOneAndTakesTheReportForData(t *testing.T) {
	needs(t, "bash", "unzip", "iconv", "od")
	const sha, report = "0123456789012345678901234567890123456789", "<!-- promptc:diff -->\n2 changes\n"
	const made = "<!-- promptc:comment -->\nWhat changes in the prompts, as [this run](https://run) of the pull request says of " + sha + ":\n\n"
	script := ""
	for name, text := range workflows(t) {
		if strings.HasSuffix(name, "prompts-comment.yml") {
			script = stepsOf(t, text)[0].Run
		}
	}
	for _, tc := range []struct {
		name                             string
		pulls, comments, artifacts, text string
		entry, conclusion, head          string // report.md, success, the repository itself
		posted, asked, says              string
		status                           int
	}{
		{name: "a new comment", pulls: "7 " + sha, artifacts: "99 300", text: report, posted: made + report, asked: "--method POST repos/o/r/issues/7/comments"},
		{name: "the same comment again", pulls: "7 " + sha, comments: "41\n42", artifacts: "99 300", text: report, posted: made + report, asked: "--method PATCH repos/o/r/issues/comments/41"},
		{name: "of two with one branch, the one with this head", pulls: "5 ffff\n7 " + sha, artifacts: "99 300", text: report, posted: made + report, asked: "--method POST repos/o/r/issues/7/comments"},
		{name: "a head that is not the newest", pulls: "7 ffff", artifacts: "99 300", text: report, says: "no comment: 0 open pull requests"},
		{name: "no pull request", artifacts: "99 300", text: report, says: "no comment: 0 open pull requests"},
		{name: "several pull requests", pulls: "7 " + sha + "\n8 " + sha, artifacts: "99 300", text: report, says: "no comment: 2 open pull requests"},
		{name: "a number that is none", pulls: "7/../8 " + sha, artifacts: "99 300", text: report, says: "no comment: 0 open pull requests"},
		{name: "no report and no comment", pulls: "7 " + sha, says: "no comment: the run made no report"},
		{name: "no report any more", pulls: "7 " + sha, comments: "41", posted: "<!-- promptc:comment -->\nNothing changes in the prompts (at " + sha + ", [this run](https://run)).\n", asked: "--method PATCH repos/o/r/issues/comments/41"},
		{name: "no report of a run that failed", pulls: "7 " + sha, comments: "41", conclusion: "failure", says: "no comment: the run made no report"},
		{name: "an archive that is too large", pulls: "7 " + sha, artifacts: "99 1000001", text: report, status: 1, says: "::error::the report is too large"},
		{name: "a report that is too large", pulls: "7 " + sha, artifacts: "99 300", text: report + strings.Repeat("é", 60_000), status: 1, says: "::error::the report is not what promptc diff writes"},
		{name: "an archive that is a bomb", pulls: "7 " + sha, artifacts: "99 300", text: report + strings.Repeat("\x00", 50_000_000), posted: made + report, asked: "--method POST"},
		{name: "a report of something else", pulls: "7 " + sha, artifacts: "99 300", text: "# Buy\n<!-- promptc:diff -->\n", status: 1, says: "::error::the report is not what promptc diff writes"},
		{name: "no text", pulls: "7 " + sha, artifacts: "99 300", text: report + "\xff", status: 1, says: "::error::the report is no text"},
		{name: "another file", pulls: "7 " + sha, artifacts: "99 300", entry: "../report.md", text: report, status: 1, says: "::error::the report is not what promptc diff writes"},
		{name: "the newest of several attempts", pulls: "7 " + sha, artifacts: "98 300\n99 300\n9 300", text: report, posted: made + report, asked: "--method POST"},
		{name: "a fork says what it likes", head: "fork/r", pulls: "7 " + sha, artifacts: "99 300", text: "<!-- promptc:diff -->\n@org/team [click](https://evil) ![x](y)\n", posted: made + "```\n@org/team [click](https://evil) ![x](y)\n\n```\n", asked: "--method POST"},
		{name: "a fork that closes fences", head: "fork/r", pulls: "7 " + sha, artifacts: "99 300", text: "<!-- promptc:diff -->\n```\n@a\n````` x\n~~~\n</details>", posted: made + "``````\n```\n@a\n````` x\n~~~\n</details>\n``````\n", asked: "--method POST"},
		{name: "a fork that is gone", head: "-", pulls: "7 " + sha, artifacts: "99 300", text: report, posted: made + "```\n2 changes\n\n```\n", asked: "--method POST"},
		{name: "names that are commands", pulls: "7 " + sha, artifacts: "99 300", text: "<!-- promptc:diff -->\n$(touch pwned) `touch pwned` @file\n", posted: made + "<!-- promptc:diff -->\n$(touch pwned) `touch pwned` @file\n", asked: "--method POST"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir, answers, programs := t.TempDir(), t.TempDir(), t.TempDir()
			if tc.entry == "" {
				tc.entry = "report.md"
			}
			if tc.conclusion == "" {
				tc.conclusion = "success"
			}
			if tc.head == "" {
				tc.head = "o/r"
			}
			put(t, programs, map[string]string{"gh": fakeGH})
			if err := os.Chmod(filepath.Join(programs, "gh"), 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, answers, map[string]string{
				"pulls": ended(tc.pulls), "comments": ended(tc.comments), "artifacts": ended(tc.artifacts), "zip": zipped(t, tc.entry, tc.text),
			})
			status, said := bash(t, dir, script,
				"PATH="+programs+":"+os.Getenv("PATH"), "ANSWERS="+answers, "GH_TOKEN=x", "REPOSITORY=o/r", "RUN_ID=11", "RUN_URL=https://run",
				"CONCLUSION="+tc.conclusion, "HEAD_OWNER=fork", `HEAD_BRANCH=$(touch pwned)";touch pwned;"`, "HEAD_SHA="+sha, "HEAD_REPOSITORY="+tc.head)
			if status != tc.status || !strings.Contains(said, tc.says) {
				t.Errorf("exits %d, want %d:\n%s", status, tc.status, said)
			}
			if got := content(filepath.Join(dir, "posted")); got != tc.posted {
				t.Errorf("posted %q", got)
			}
			if asked := content(filepath.Join(dir, "asked")); !strings.Contains(asked, tc.asked) || !strings.Contains(asked, `head=fork:$(touch pwned)";touch pwned;"`) {
				t.Errorf("asked:\n%s", asked)
			}
			if content(filepath.Join(dir, "pwned")) != "" || slices.Contains(names(t, dir), "pwned") {
				t.Error("a name was run as a command")
			}
		})
	}
}

// ended ends what is not empty with a line break, as gh does.
func ended(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}

// put writes files, with their folders.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// content is that of a file, "" where there is none.
func content(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(text)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

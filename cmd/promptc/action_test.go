package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pull is a checkout of a pull request as GitHub makes it, and what the runner
// tells a step of the action.
type pull struct {
	dir, temp, program, script string
	env                        map[string]string
}

const actionManifest = `version: 1
prompts:
  agent:
    axes: {mode: [ask, edit]}
    budget: {tokens: 40, growth: 10%}
    sections:
      - {id: role, path: role.md}
      - {id: task, text: [{when: {mode: ask}, value: Answer.}, {value: Change.}]}
`

// newPull makes a repository with a branch that is merged into main, which is
// checked out; base is what main has, and change what the branch does.
func newPull(t *testing.T, program string, base, change map[string]string) *pull {
	t.Helper()
	return newPullIn(t, program, ".", base, change)
}

// newPullIn is newPull with the project in a folder of the repository.
func newPullIn(t *testing.T, program, folder string, base, change map[string]string) *pull {
	t.Helper()
	p := &pull{dir: t.TempDir(), temp: t.TempDir(), program: program}
	if err := os.CopyFS(p.dir, os.DirFS(p.repository(t, folder, base, change))); err != nil {
		t.Fatal(err)
	}
	put(t, p.temp, map[string]string{"promptc-action/none": "", "output": "", "summary": ""})
	if err := os.Symlink(program, filepath.Join(p.temp, "promptc-action", "promptc")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stepsOf(t, string(text)) {
		if s.ID == "run" {
			p.script = s.Run
		}
	}
	p.env = map[string]string{
		"RUNNER_TEMP": p.temp, "GITHUB_OUTPUT": filepath.Join(p.temp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(p.temp, "summary"),
		"GITHUB_REF": "refs/pull/7/merge", "GITHUB_BASE_REF": "main", "GITHUB_SHA": p.git(t, "rev-parse", "HEAD"), "GITHUB_ACTIONS": "true",
		"HEAD_SHA": p.git(t, "rev-parse", "topic"),
		"COMMAND":  "check", "FOLDER": folder, "STRICT": "false", "BASE": "", "FAIL_ON": "", "PAGE": "false",
	}
	return p
}

// repositories are those that tests copy, by what is in them.
var repositories = struct {
	sync.Mutex
	made map[string]string
}{made: map[string]string{}}

// repository gives the folder of a merged repository, which is made once.
func (p *pull) repository(t *testing.T, folder string, base, change map[string]string) string {
	t.Helper()
	repositories.Lock()
	defer repositories.Unlock()
	key := fmt.Sprint(folder, base, change)
	if dir := repositories.made[key]; dir != "" {
		return dir
	}
	dir, err := os.MkdirTemp(buildFolder, "") //nolint:usetesting // all tests copy it: it stays until the last one
	if err != nil {
		t.Fatal(err)
	}
	made, project := &pull{dir: dir, program: p.program}, filepath.Join(dir, folder)
	made.git(t, "init", "-q", "-b", "main")
	put(t, project, map[string]string{"prompts.yaml": actionManifest, "role.md": "You help.\n"})
	made.promptc(t, "build", "-C", folder)
	put(t, project, base)
	made.commit(t, "base")
	made.git(t, "checkout", "-q", "-b", "topic")
	put(t, project, change)
	made.promptc(t, "build", "-C", folder)
	made.commit(t, "change")
	made.git(t, "checkout", "-q", "main")
	made.git(t, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	repositories.made[key] = dir
	return dir
}

func (p *pull) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), gitWorld(p.dir)...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, said)
	}
	return strings.TrimSpace(string(said))
}

func (p *pull) commit(t *testing.T, message string) {
	t.Helper()
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "--allow-empty", "-m", message)
}

func (p *pull) promptc(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(p.program, args...)
	cmd.Dir = p.dir
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("promptc %v: %v\n%s", args, err, said)
	}
}

// runApp runs the action's last step.
func (p *pull) run(t *testing.T) (status int, said string, outputs map[string]string) {
	t.Helper()
	env := gitWorld(p.dir)
	for name, value := range p.env {
		env = append(env, name+"="+value)
	}
	status, said = bash(t, p.dir, p.script, env...)
	return status, said, outputsOf(t, content(p.env["GITHUB_OUTPUT"]))
}

// outputsOf reads a file of outputs as the runner does.
func outputsOf(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines) && text != ""; i++ {
		if name, value, ok := strings.Cut(lines[i], "="); ok && !strings.Contains(name, "<<") {
			out[name] = value
			continue
		}
		name, end, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("the runner refuses the line %q", lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != end; i++ {
			value = append(value, lines[i])
		}
		if i == len(lines) {
			t.Fatalf("%s never ends", name)
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

func TestTheActionChecksAndCompares(t *testing.T) {
	needs(t, "bash", "git", "od")
	program := ourProgram(t)
	long := map[string]string{"role.md": "You help, and you say what you did, and why, and what is left to do after it.\n"}
	broken := map[string]string{"prompts.yaml": strings.Replace(actionManifest, "sections:", "sections2:", 1)}
	repaired := map[string]string{"prompts.yaml": actionManifest}
	workspace := map[string]string{
		"promptc.work.yaml": "version: 1\nprojects: [\"teams/*\"]\n", "teams/a/prompts.yaml": actionManifest, "teams/b/prompts.yaml": actionManifest,
		"teams/a/role.md": "You help.\n", "teams/b/role.md": "You help.\n",
	}
	joined := func(files, more map[string]string) map[string]string {
		out := maps.Clone(files)
		maps.Copy(out, more)
		return out
	}
	for _, tc := range []struct {
		name    string
		base    map[string]string
		change  map[string]string
		env     map[string]string
		prepare func(p *pull)
		status  int
		want    map[string]string // without the report's path
		says    string
		report  bool
	}{
		{name: "nothing changed", want: gives("clean", "false", ""), report: true},
		{name: "a sentence changed", change: long, want: gives("clean", "true", "agent/mode=ask\nagent/mode=edit"), report: true},
		{
			name: "one variant changed", change: map[string]string{"prompts.yaml": strings.Replace(actionManifest, "Change.", "Change it.", 1)},
			want: gives("clean", "true", "agent/mode=edit"), report: true,
		},
		{
			name: "drift", change: long, prepare: func(p *pull) { put(t, p.dir, map[string]string{"role.md": "You help more.\n"}) },
			status: 1, want: gives("drift", "true", "agent/mode=ask\nagent/mode=edit"), report: true, says: "::error ",
		},
		{
			name: "a manifest that is wrong", prepare: func(p *pull) { put(t, p.dir, map[string]string{"prompts.yaml": "version: 2\n"}) },
			status: 1, want: gives("invalid", "", ""), says: "::error ",
		},
		{name: "growth", change: long, env: map[string]string{"FAIL_ON": "growth"}, status: 1, want: gives("clean", "true", "agent/mode=ask\nagent/mode=edit"), report: true, says: "::error::the comparison meets a condition of the input \"fail-on\" (growth): see the job summary\n"},
		{
			name: "growth and drift", change: long, env: map[string]string{"FAIL_ON": "drift,stale,growth"}, prepare: func(p *pull) { put(t, p.dir, map[string]string{"role.md": long["role.md"] + "More.\n"}) },
			status: 1, want: gives("drift", "true", "agent/mode=ask\nagent/mode=edit"), report: true, says: "::error::the comparison meets a condition of the input \"fail-on\" (growth,drift): see the job summary\n",
		},
		{name: "no growth", env: map[string]string{"FAIL_ON": "growth,drift"}, want: gives("clean", "false", ""), report: true},
		{
			name: "a limit that the pull request raises", env: map[string]string{"FAIL_ON": failsByDefault},
			change: map[string]string{"prompts.yaml": strings.Replace(actionManifest, "growth: 10%", "growth: 900%", 1)},
			status: 1, want: gives("clean", "true", ""), report: true, says: "::error::the comparison meets a condition of the input \"fail-on\" (policy-weakened): see the job summary\n",
		},
		{
			name: "the base was not fetched, and nobody said that it had to be", change: long, prepare: func(p *pull) { p.shallow(t) },
			env: map[string]string{"FAIL_ON": failsByDefault}, want: gives("clean", "", ""), says: "::warning::nothing was compared: ",
		},
		{
			name: "a push that nothing is compared with", change: long,
			env: map[string]string{"FAIL_ON": failsByDefault, "GITHUB_REF": "refs/heads/main", "GITHUB_BASE_REF": ""}, want: gives("clean", "", ""),
		},
		{name: "a push is not compared", change: long, env: map[string]string{"GITHUB_REF": "refs/heads/main", "GITHUB_BASE_REF": ""}, want: gives("clean", "", "")},
		{name: "none is never compared", change: long, env: map[string]string{"BASE": "none"}, want: gives("clean", "", "")},
		{name: "a base by name", change: long, env: map[string]string{"BASE": "topic", "GITHUB_REF": "refs/heads/main"}, want: gives("clean", "false", ""), report: true},
		{name: "a base that looks like an option", env: map[string]string{"BASE": "--help"}, status: 2, want: gives("error", "", ""), says: "::error::nothing was compared: see the log"},
		{name: "a base that looks like a command", env: map[string]string{"BASE": "$(touch pwned);`touch pwned`"}, status: 2, want: gives("error", "", ""), says: "::error::"},
		{name: "an unknown word to fail on", env: map[string]string{"FAIL_ON": "groth"}, status: 2, want: gives("error", "", ""), says: `did you mean "growth"?`},
		{name: "an unknown word to fail on, annotated", env: map[string]string{"FAIL_ON": "groth"}, status: 2, want: gives("error", "", ""), says: "::error::nothing was compared: see the log for what is wrong with the input \"fail-on\""},
		{
			name: "the base was not fetched", change: long, prepare: func(p *pull) { p.shallow(t) },
			want: gives("clean", "", ""), says: "::warning::nothing was compared: ",
		},
		{
			name: "the base was not fetched, and had to be", change: long, prepare: func(p *pull) { p.shallow(t) },
			env: map[string]string{"FAIL_ON": "growth"}, status: 1, want: gives("clean", "", ""), says: "::error::nothing was compared: ",
		},
		{
			name: "the pull request's own commit", change: long, prepare: func(p *pull) { p.own(t, 0) },
			want: gives("clean", "true", "agent/mode=ask\nagent/mode=edit"), report: true,
		},
		{
			name: "the pull request's own commit alone", change: long, prepare: func(p *pull) { p.own(t, 1) },
			want: gives("clean", "", ""), says: "::warning::nothing was compared: the commit at which this left its base was not fetched",
		},
		{
			name: "the pull request's own commit alone, and it had to be compared", change: long, prepare: func(p *pull) { p.own(t, 1) },
			env: map[string]string{"FAIL_ON": "growth"}, status: 1, want: gives("clean", "", ""), says: "::error::nothing was compared: ",
		},
		{
			name: "the base does not compile", base: broken, change: repaired,
			want: gives("clean", "", ""), says: "::warning::nothing was compared: the base does not compile, see the log",
		},
		{
			name: "the base does not compile, which is repaired", base: broken, change: repaired, env: map[string]string{"FAIL_ON": "growth,drift"},
			want: gives("clean", "", ""), says: `unknown key "sections2"`,
		},
		{
			name: "a workspace", base: workspace, change: map[string]string{"teams/b/prompts.yaml": strings.Replace(actionManifest, "Change.", "Change it.", 1)},
			want: gives("clean", "true", "teams/b/agent/mode=edit"), report: true,
		},
		{
			name: "a workspace in whose base a project does not compile", base: joined(workspace, map[string]string{"teams/a/prompts.yaml": broken["prompts.yaml"]}),
			change: map[string]string{"teams/a/prompts.yaml": actionManifest},
			want:   gives("clean", "false", ""), report: true,
		},
		{name: "a folder without a manifest", env: map[string]string{"FOLDER": "/"}, status: 2, want: gives("error", "", ""), says: "::error::promptc could not"},
		{name: "a folder that is not there", env: map[string]string{"FOLDER": "::error::prmpts"}, status: 2, want: gives("error", "", ""), says: "::error::the input \"working-directory\" names no folder"},
		{name: "an unknown command", env: map[string]string{"COMMAND": "show"}, status: 2, want: gives("error", "", ""), says: "::error::"},
		{name: "an unknown strictness", env: map[string]string{"STRICT": "yes"}, status: 2, want: gives("error", "", ""), says: "::error::"},
		{name: "frozen artifacts", env: map[string]string{"COMMAND": "build", "STRICT": "true"}, want: gives("clean", "false", ""), report: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPull(t, program, tc.base, tc.change)
			maps.Copy(p.env, tc.env)
			if tc.prepare != nil {
				tc.prepare(p)
			}
			status, said, got := p.run(t)
			report := got["report"]
			delete(got, "report")
			if got["page"] != "" {
				t.Errorf("nobody asked for the page %s", got["page"])
			}
			delete(got, "page")
			if diff := cmp.Diff(tc.want, got); diff != "" || status != tc.status || !strings.Contains(said, tc.says) {
				t.Errorf("exits %d, want %d: %s\n%s", status, tc.status, diff, said)
			}
			if (report != "") != tc.report || tc.report && !strings.HasPrefix(content(report), "<!-- promptc:diff -->\n") {
				t.Errorf("the report %q holds %q", report, content(report))
			}
			if tc.report && !strings.Contains(content(p.env["GITHUB_STEP_SUMMARY"]), content(report)) {
				t.Error("the report is not in the summary")
			}
			if _, err := os.Stat(filepath.Join(p.dir, "pwned")); err == nil {
				t.Error("an input was run as a command")
			}
		})
	}
}

// The page has what the pull request changes, and a name that no other folder's has.
func TestTheActionMakesAPageWhereItIsAskedFor(t *testing.T) {
	needs(t, "bash", "git", "od")
	change := map[string]string{"role.md": "You help more.\n"}
	for _, tc := range []struct {
		name, folder string
		env          map[string]string
		edit         map[string]string
		page, has    string
		says         string
	}{
		{name: "a pull request", folder: ".", page: "promptc-page.html", has: `"compared":true`},
		{name: "a folder", folder: "agents/b c", page: "promptc-page-agents-b-c.html", has: `"compared":true`},
		{name: "a push", folder: ".", env: map[string]string{"GITHUB_REF": "refs/heads/main"}, page: "promptc-page.html", has: `"compared":false`},
		{name: "drift", folder: ".", edit: map[string]string{"role.md": "You help most.\n"}, page: "promptc-page.html", has: "You help most."},
		{name: "a manifest that is wrong", folder: ".", edit: map[string]string{"prompts.yaml": "version: 2\n"}},
		{name: "neither yes nor no", folder: ".", env: map[string]string{"PAGE": "$(touch pwned)"}, says: `::error::the input "page" is neither true nor false`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPullIn(t, ourProgram(t), tc.folder, nil, change)
			p.env["PAGE"] = "true"
			maps.Copy(p.env, tc.env)
			put(t, p.dir, tc.edit)
			_, said, got := p.run(t)
			if page := got["page"]; !strings.HasSuffix(page, tc.page) || (page == "") != (tc.page == "") || !strings.Contains(content(page), tc.has) || !strings.Contains(said, tc.says) {
				t.Errorf("the page is %q\n%s", page, said)
			}
		})
	}
}

func TestTheActionLinksThePageThatItUploads(t *testing.T) {
	needs(t, "bash")
	steps := stepsOf(t, content("../../action.yml"))
	upload, link := steps[len(steps)-2], steps[len(steps)-1]
	if upload.With["path"] != "${{ steps.run.outputs.page }}" || upload.With["archive"] != "false" || link.Env["ADDRESS"] != "${{ steps."+upload.ID+".outputs.artifact-url }}" {
		t.Errorf("%+v, %+v", upload, link)
	}
	summary := filepath.Join(t.TempDir(), "summary")
	status, said := bash(t, t.TempDir(), link.Run, "PAGE=/temp/promptc-page.html", "ADDRESS=https://run/artifacts/1", "GITHUB_STEP_SUMMARY="+summary)
	if got, want := content(summary), "\nThe prompts as a page: [promptc-page.html](https://run/artifacts/1)\n"; status != 0 || got != want {
		t.Errorf("exits %d, %q: %s", status, got, said)
	}
}

// The jobs of a matrix, or several steps of one, each look at their own folder.
func TestTheActionInAMatrix(t *testing.T) {
	needs(t, "bash", "git", "od")
	p := newPullIn(t, ourProgram(t), "agents/one", nil, map[string]string{
		"role.md":             "You help more.\n",
		"../two/role.md":      "You help.\n",
		"../two/deep/none":    "",
		"../two/prompts.yaml": "version: 1\nprompts: {other: {sections: [{id: role, path: role.md}]}}\n",
	})
	for _, job := range []struct{ folder, status, affected string }{
		{"agents/one", "clean", "agent/mode=ask\nagent/mode=edit"},
		{"agents/two", "drift", "other"},
		{"agents/two/deep", "drift", "other"},
		{"agents/none", "error", ""},
	} {
		put(t, p.temp, map[string]string{"output": "", "summary": ""})
		p.env["FOLDER"] = job.folder
		_, said, got := p.run(t)
		if got["status"] != job.status || got["affected"] != job.affected || (got["report"] == "") != (job.status == "error") {
			t.Errorf("%v gives %v\n%s", job, got, said)
		}
	}
}

// failsByDefault is the default of the input fail-on.
const failsByDefault = "growth,policy-weakened"

func TestActionFailsOnGrowthAndAWeakerPolicyByDefault(t *testing.T) {
	text := content("../../action.yml")
	if !strings.Contains(text, "\n    default: "+failsByDefault+"\n") || !strings.Contains(text, "($FAIL_ON != "+failsByDefault+" || -n $foreign)") {
		t.Error("action.yml has another default, or takes another one for it")
	}
}

func gives(status, changed, affected string) map[string]string {
	return map[string]string{"status": status, "changed": changed, "affected": affected}
}

// shallow makes the checkout one of a single commit.
func (p *pull) shallow(t *testing.T) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "clone")
	p.git(t, "clone", "-q", "--depth=1", "file://"+p.dir, to)
	p.dir = to
}

// own makes the checkout one of the last commit of the pull request, as deep as
// that; 0 is all there is.
func (p *pull) own(t *testing.T, depth int) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "clone")
	p.git(t, "checkout", "-q", "topic")
	p.git(t, "branch", "-q", "-f", "main", "main^")
	args := []string{"clone", "-q", "-b", "topic", "file://" + p.dir, to}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth))
	}
	p.git(t, args...)
	p.dir = to
}

// What the runner takes for a command is not obeyed, whoever wrote it.
func TestTheActionSaysNothingThatTheRunnerObeys(t *testing.T) {
	needs(t, "bash", "git", "od")
	p := newPull(t, ourProgram(t), nil, map[string]string{
		"role.md": "You help.\n::add-mask::e\n##[add-mask]e\n::set-output name=x::y\n",
	})
	put(t, p.dir, map[string]string{"role.md": "You help.\n\n::stop-commands::x\n##[debug]z\n::error::no\n"})
	_, said, _ := p.run(t)
	obeyed, token := []string{}, ""
	stop := regexp.MustCompile(`^::stop-commands::(\S+)$`)
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\r\n")
		switch m := stop.FindStringSubmatch(strings.TrimSpace(line)); {
		case token != "":
			if strings.TrimSpace(line) == "::"+token+"::" {
				token = ""
			}
		case m != nil:
			token = m[1]
		case strings.HasPrefix(strings.TrimSpace(line), "::"), strings.Contains(line, "##["):
			obeyed = append(obeyed, line)
		}
	}
	if len(obeyed) == 0 {
		t.Error("there are no annotations")
	}
	for _, line := range obeyed {
		if !regexp.MustCompile(`^::(error|warning|notice) (file|title)=`).MatchString(line) {
			t.Errorf("the runner obeys %q in\n%s", line, said)
		}
	}
}

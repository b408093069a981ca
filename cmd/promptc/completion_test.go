package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/run"
)

// askedFor skips a test that runs more than Go and git, but where `make test-programs`
// asks for it, as CI does: these tests take a fifth of the time, and few changes
// reach what they hold.
func askedFor(t *testing.T) {
	t.Helper()
	if os.Getenv("PROMPTC_PROGRAMS") == "" {
		t.Skip("make test-programs runs it")
	}
}

// need skips a test where a program is not installed. In CI it is, unless
// .ci/run said that it could not be.
func need(t *testing.T, program string) {
	t.Helper()
	askedFor(t)
	_, err := exec.LookPath(program)
	switch {
	case err == nil:
	case runtime.GOOS != "linux", os.Getenv("CI") == "", slices.Contains(strings.Fields(os.Getenv("PROMPTC_WITHOUT")), program):
		t.Skip(err)
	default:
		t.Fatalf("%v: .ci/run installs it", err)
	}
}

// completionWorld is a folder with a project, in which files have the names of
// prompts.
func completionWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"prompts.yaml": "version: 1\ntokenizers: {house: {base: chars/4, factor: 1.5, error: 0.2}}\nservers: {files: {command: x}}\nprompts:\n" +
			"  agent:\n    axes: {mode: [ask, edit], tier: [1, 22]}\n    sections:\n      - {id: role, text: Help.}\n      - {id: rules, text: Be brief.}\n" +
			"  aside:\n    sections:\n      - {id: role, text: Wait.}\n",
		".mcp.json":        `{"mcpServers": {"notes": {"url": "https://example.com"}}}`,
		".git/HEAD":        "ref: refs/heads/main\n",
		"a file.md":        "x",
		"sub/prompts.yaml": "version: 1\nprompts: {other: {sections: [{id: only, text: Hi.}]}}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// completionCases are lines up to the cursor, and what may stand there.
var completionCases = []struct {
	line string
	want []string
}{
	{"promptc ch", []string{"check"}},
	{"promptc help sc", []string{"schema"}},
	{"promptc check --st", []string{"--strict", "--staged"}},
	{"promptc check --strict --st", []string{"--staged"}},
	{"promptc check --format j", []string{"json", "junit"}},
	{"promptc check --format=js", []string{"--format=json"}},
	{"promptc check --format ", run.FormatNames()},
	{"promptc diff --format a", []string{"affected"}},
	{"promptc diff --fail-on growth,bu", []string{"growth,budget"}},
	{"promptc diff --fail-on=growth,bu", []string{"--fail-on=growth,budget"}},
	{"promptc diff --policy h", []string{"head"}},
	{"promptc show ", []string{"agent/mode=ask,tier=1", "agent/mode=ask,tier=22", "agent/mode=edit,tier=1", "agent/mode=edit,tier=22", "aside"}},
	{"promptc show agent/mode=ask,tier=2", []string{"agent/mode=ask,tier=22"}},
	{"promptc show --section ru", []string{"rules"}},
	{"promptc show --dialect anth", []string{"anthropic"}},
	{"promptc pull ", []string{"files", "notes"}},
	{"promptc pull -C sub ", []string{"notes"}},
	{"promptc show -C sub ", []string{"other"}},
	{"promptc -C sub show --section ", []string{"only"}},
	{"promptc -C su", []string{"sub"}},
	{"promptc list as", []string{"aside"}},
	{"promptc explain PC700", codesFrom("PC700")},
	{"promptc explain --policy as", []string{"aside"}},
	{"promptc check --config pro", []string{"prompts.yaml"}},
	{"promptc check --config=pro", []string{"--config=prompts.yaml"}},
	{"promptc check --config sub/", []string{"sub/prompts.yaml"}},
	{"promptc tokens a", []string{"a file.md", "agent", "agent/mode=ask,tier=1", "agent/mode=ask,tier=22", "agent/mode=edit,tier=1", "agent/mode=edit,tier=22", "aside"}},
	{"promptc diff --against=su", []string{"--against=sub"}},
	{"promptc tokens --encoding ho", []string{"house"}},
	{"promptc tokens --model o", []string{"o1", "o3", "o4"}},
	{"promptc schema d", []string{"diff", "dist-manifest"}},
	{"promptc completion ", shells},
}

func codesFrom(start string) []string {
	var out []string
	for _, e := range diag.Codes() {
		if strings.HasPrefix(string(e.Code), start) {
			out = append(out, string(e.Code))
		}
	}
	return out
}

// typedIn gives what has a shell print the words of a line, with all that may
// stand at the cursor in place of the last one. One line ends before the next
// begins.
func typedIn(setup []string, complete string) []byte {
	var b bytes.Buffer
	b.WriteString(strings.Join(setup, "\n") + "\n")
	for _, c := range completionCases {
		b.WriteString(c.line + complete + "\x01printf '<%s>\\n' '#' \n")
	}
	b.WriteString("exit\n")
	return b.Bytes()
}

// onTerminal runs an interactive shell, and gives the words that it printed for
// each line.
func onTerminal(t *testing.T, dir, shell string, input []byte) [][]string {
	t.Helper()
	need(t, "script")
	cmd := exec.Command("script", "-qec", shell, os.DevNull)
	cmd.Dir, cmd.Stdin, cmd.Env = dir, bytes.NewReader(input), shellWorld(t)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var out [][]string
	for _, m := range regexp.MustCompile(`(?m)^<(.*)>\r?$`).FindAllSubmatch(said, -1) {
		if word := string(m[1]); word == "#" {
			out = append(out, nil)
		} else {
			out[len(out)-1] = append(out[len(out)-1], word)
		}
	}
	if len(out) != len(completionCases) {
		t.Fatalf("%d answers to %d lines:\n%s", len(out), len(completionCases), said)
	}
	for i, c := range completionCases {
		out[i] = out[i][strings.Count(c.line, " "):]
	}
	return out
}

func shellWorld(t *testing.T) []string {
	t.Helper()
	return append(os.Environ(), "TERM=dumb", "HOME="+t.TempDir(), "LC_ALL=C.UTF-8",
		"PATH="+filepath.Dir(ourProgram(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func comparedWithCases(t *testing.T, got [][]string) {
	t.Helper()
	for i, c := range completionCases {
		for j, word := range got[i] {
			got[i][j] = strings.TrimSuffix(word, "/") // fish shows what is a folder
		}
		want := slices.Sorted(slices.Values(c.want))
		slices.Sort(got[i])
		if d := cmp.Diff(want, got[i]); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, d)
		}
	}
}

// Escape and a star put all completions into the line.
func TestBashCompletes(t *testing.T) {
	need(t, "bash")
	input := typedIn([]string{"source <(promptc completion bash)", "PS1="}, "\x1b*")
	comparedWithCases(t, onTerminal(t, completionWorld(t), "bash --norc --noprofile -i", input))
}

func TestZshCompletes(t *testing.T) {
	need(t, "zsh")
	input := typedIn([]string{
		"autoload -Uz compinit; compinit -u -D", "source <(promptc completion zsh)",
		"zle -C all-matches complete-word _generic", "bindkey '^Xa' all-matches",
		"zstyle ':completion:all-matches:*' insert yes", "zstyle ':completion:all-matches::::' completer _all_matches _complete", "PS1=",
	}, "\x18a")
	comparedWithCases(t, onTerminal(t, completionWorld(t), "zsh -f -i", input))
}

// As a file of $fpath, the script answers the first time, too.
func TestZshLoadsTheScript(t *testing.T) {
	need(t, "zsh")
	dir := completionWorld(t)
	script, err := completionScripts.ReadFile("completion/promptc.zsh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "_promptc"), script, 0o644); err != nil {
		t.Fatal(err)
	}
	need(t, "script")
	cmd := exec.Command("script", "-qec", "zsh -f -i", os.DevNull)
	cmd.Dir, cmd.Env = dir, shellWorld(t)
	cmd.Stdin = strings.NewReader("fpath=($PWD $fpath)\nautoload -Uz compinit; compinit -u -D\nPS1=\npromptc comp\t\x01printf '<%s>\\n' \nexit\n")
	said, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(said, []byte("<completion>")) {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestFishCompletes(t *testing.T) {
	need(t, "fish")
	script := "promptc completion fish | source\n"
	for _, c := range completionCases {
		script += "echo '#'\ncomplete -C '" + c.line + "'\n"
	}
	cmd := exec.Command("fish", "--no-config", "-c", script)
	cmd.Dir, cmd.Env = completionWorld(t), shellWorld(t)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var got [][]string
	for line := range strings.Lines(string(said)) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if word == "#" {
			got = append(got, nil)
		} else {
			got[len(got)-1] = append(got[len(got)-1], word)
		}
	}
	comparedWithCases(t, got)
}

// Whatever has values of its own is completed, and a format that is offered is
// one that the command's help names.
func TestEveryOptionIsCompleted(t *testing.T) {
	free := []string{"max-uses", "port", "base", "merge-base", "head", "only", "budget", "context", "timeout", "name"} // numbers, commits and new names
	var out bytes.Buffer
	con := Console{Stdout: &out, Stderr: &out, Getenv: os.Getenv}
	t.Chdir(completionWorld(t))
	for _, cmd := range newApp(con).Commands {
		for _, f := range cmd.Flags {
			name := f.Names()[0]
			if _, isBool := f.(*cli.BoolFlag); isBool || slices.Contains(free, name) {
				continue
			}
			out.Reset()
			if code := Run([]string{"promptc", cmd.Name, dashed(name), "", completionFlag}, con); code != exitClean || out.Len() == 0 {
				t.Errorf("%s %s has no values, exit status %d", cmd.Name, dashed(name), code)
			}
			if name == "format" {
				offered := strings.Join(strings.Fields(out.String()), ", ")
				if usage := f.(*cli.StringFlag).Usage; !strings.HasSuffix(usage, ": "+offered) {
					t.Errorf("%s offers %s, but: %s", cmd.Name, offered, usage)
				}
			}
		}
	}
}

// Nothing runs while a line is completed, whatever stands in it.
func TestCompletionRunsNothing(t *testing.T) {
	dir := completionWorld(t)
	for _, words := range [][]string{
		{"build", ""},
		{"build", "--", ""},
		{"build", "-C", "--", ""},
		{"build", "--max-uses", "x", ""},
		{"pull", "--config", "none", ""},
		{"build", "--nothing", ""},
		{"init", "--", ""},
		{"", "build", ""},
		{},
		{"--version", ""},
		{"show", "--config", "none", ""},
	} {
		var out bytes.Buffer
		args := append(append([]string{"promptc", "-C", dir}, words...), completionFlag)
		if code := Run(args, Console{Stdout: &out, Stderr: &out, Getenv: os.Getenv}); code != exitClean {
			t.Errorf("%q exits %d: %s", words, code, &out)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 {
		t.Errorf("%v %v", entries, err)
	}
}

package conformance_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hookSource is where pre-commit takes hooks from: a repository, and the
// variables that say where it keeps what it installs.
type hookSource struct {
	repository string
	env        []string
}

// hookProject is a project of a user whose pre-commit runs our hooks.
type hookProject struct {
	dir string
	env []string
}

// TestPreCommitRunsTheHooks has the real pre-commit build this repository's
// hooks, as it would from GitHub, and run them on what init writes.
func TestPreCommitRunsTheHooks(t *testing.T) {
	t.Parallel()
	need(t, "pre-commit")
	hooks := hookSource{repository: hookRepository(t), env: []string{"PRE_COMMIT_HOME=" + t.TempDir()}}
	// The hooks differ in where promptc comes from, not in what they ask of it.
	for id, folder := range map[string]string{"promptc-check": ".", "promptc-check-python": "agents/coder", "promptc-check-system": "."} {
		t.Run(id, func(t *testing.T) {
			hooks := hooks
			if id == "promptc-check-python" {
				hooks.env = append(hooks.env, wheels(t)...)
			}
			p := newHookProject(t, hooks, id, folder)
			p.fails(t, id, "snapshots do not exist yet", "run: promptc build")
			p.promptc(t, "build", "-C", folder)
			p.git(t, "add", "-A")
			p.passes(t, id)
			p.git(t, "commit", "-q", "-m", "a project")

			// A source is changed, and the snapshots are not.
			role := filepath.Join(folder, "prompts", "role.md")
			p.write(t, role, "You work alone.\n")
			p.git(t, "add", "-A")
			p.fails(t, id, "role", "+You work alone.", "run: promptc build")
			p.promptc(t, "build", "-C", folder)
			p.git(t, "add", "-A")
			p.passes(t, id)
			p.git(t, "commit", "-q", "-m", "another role")

			// What is not staged does not count, whether it would be well or not.
			p.write(t, role, "You work together.\n")
			p.write(t, filepath.Join(folder, "prompts", "rules", "new.md"), "- Nobody added me.\n")
			p.passes(t, id)
			p.git(t, "add", role)
			p.promptc(t, "build", "-C", folder)
			p.fails(t, id, "run: promptc build")
		})
	}
}

// hookRepository makes a repository of the working files, with a commit and a
// tag: pre-commit takes its hooks from nothing else.
func hookRepository(t *testing.T) string {
	t.Helper()
	list := exec.Command("git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	said, err := list.Output()
	if err != nil {
		t.Skipf("this is no checkout: %v", err)
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(said), "\x00"), "\x00") {
		from, to := filepath.Join("..", name), filepath.Join(dir, name)
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue // removed, but still in the index
		}
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, info.Mode().Perm()|fs.FileMode(0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p := &hookProject{dir: dir, env: hookEnvironment(t, dir)}
	p.git(t, "init", "-q")
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "hooks")
	p.git(t, "tag", "v0.0.1")
	return dir
}

// hookEnvironment is the world of git and pre-commit: nobody's configuration,
// the program on the PATH for the hook that looks there, and the Go that runs the
// test, with the modules that it has already. It compiles as make build does: so
// what is compiled does not depend on the folder, and Go finds it in its cache.
func hookEnvironment(t *testing.T, dir string) []string {
	t.Helper()
	env := slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "GIT_") })
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(out))
	if len(caches) != 2 {
		t.Fatalf("go env says %q", out)
	}
	path := t.TempDir()
	if err := os.Symlink(promptc, filepath.Join(path, "promptc")); err != nil {
		t.Fatal(err)
	}
	return append(env, "GOMODCACHE="+caches[0], "GOCACHE="+caches[1],
		"CGO_ENABLED=0", "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath",
		"PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"), "PRE_COMMIT_COLOR=never",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
}

// wheels is an index of Python's packages that has the release of promptc that
// the hook asks for, and what pip builds with: Debian's virtualenv brings that.
func wheels(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../pyproject.toml")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^dependencies = \["promptc-build==(.+)"\]$`).FindSubmatch(text)
	if version == nil || !bytes.Contains(text, []byte("\nversion = \""+string(version[1])+"\"\n")) {
		t.Fatalf("pyproject.toml does not ask for the promptc of its own version:\n%s", text)
	}
	program, err := os.ReadFile(promptc)
	if err != nil {
		t.Fatal(err)
	}
	const debian = "/usr/share/python-wheels"
	if builders, err := filepath.Glob(debian + "/setuptools-*.whl"); err != nil || len(builders) == 0 {
		t.Skipf("no wheel of setuptools in %s", debian)
	}
	dir, name := t.TempDir(), "promptc_build-"+string(version[1])
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range []struct{ path, text string }{
		{".data/scripts/promptc", string(program)},
		{".dist-info/METADATA", "Metadata-Version: 2.1\nName: promptc-build\nVersion: " + string(version[1]) + "\n"},
		{".dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-any\n"},
		{".dist-info/RECORD", name + ".data/scripts/promptc,,\n" + name + ".dist-info/METADATA,,\n" + name + ".dist-info/WHEEL,,\n" + name + ".dist-info/RECORD,,\n"},
	} {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name + f.path}) // not compressed, which takes seconds
		if err == nil {
			_, err = io.WriteString(entry, f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), os.WriteFile(filepath.Join(dir, name+"-py3-none-any.whl"), b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return []string{"PIP_NO_INDEX=1", "PIP_FIND_LINKS=" + dir + " " + debian, "PIP_CONFIG_FILE=" + os.DevNull}
}

var writtenHook = regexp.MustCompile(`(?m)^  - repo: https://.*\n    rev: .*\n    hooks:\n      - id: promptc-check$`)

// newHookProject is what init writes, with the hook taken from a folder instead
// of from GitHub. What pre-commit builds once, in home, it uses again.
func newHookProject(t *testing.T, hooks hookSource, id, folder string) *hookProject {
	t.Helper()
	dir := t.TempDir()
	p := &hookProject{dir: dir, env: append(hookEnvironment(t, dir), hooks.env...)}
	p.git(t, "init", "-q")
	p.promptc(t, "init", folder)
	config := filepath.Join(dir, ".pre-commit-config.yaml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if !writtenHook.Match(text) {
		t.Fatalf("init writes another hook:\n%s", text)
	}
	p.write(t, ".pre-commit-config.yaml",
		writtenHook.ReplaceAllString(string(text), "  - repo: "+hooks.repository+"\n    rev: v0.0.1\n    hooks:\n      - id: "+id))
	p.git(t, "add", "-A")
	return p
}

func (p *hookProject) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p *hookProject) command(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	return said.String(), err
}

func (p *hookProject) git(t *testing.T, args ...string) {
	t.Helper()
	if said, err := p.command("git", args...); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, said)
	}
}

func (p *hookProject) promptc(t *testing.T, args ...string) {
	t.Helper()
	if said, err := p.command(promptc, args...); err != nil {
		t.Fatalf("promptc %v: %v\n%s", args, err, said)
	}
}

func (p *hookProject) passes(t *testing.T, id string) {
	t.Helper()
	if said, err := p.command("pre-commit", "run", id); err != nil {
		t.Errorf("the hook fails: %v\n%s", err, said)
	}
}

func (p *hookProject) fails(t *testing.T, id string, want ...string) {
	t.Helper()
	said, err := p.command("pre-commit", "run", id)
	if err == nil {
		t.Errorf("the hook passes:\n%s", said)
	}
	for _, w := range want {
		if !strings.Contains(said, w) {
			t.Errorf("the hook does not say %q:\n%s", w, said)
		}
	}
}

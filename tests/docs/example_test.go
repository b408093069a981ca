package docs_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// heading starts a file in a block of several.
var heading = regexp.MustCompile(`^-- (.*) --\n$`)

// example is the state of one example while its blocks run.
type example struct {
	dir     string
	printed string // by the last script
}

// do runs one block and gives what it should hold.
func (e *example) do(t *testing.T, b block, content string) string {
	t.Helper()
	has := func(key string) bool { _, ok := b.info[key]; return ok }
	if program := b.info["needs"]; program != "" {
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("line %d: not run without %s", b.first, program)
			return content
		}
	}
	switch from := b.info["from"]; from {
	case "":
	case "checkout":
		e.checkOut(t)
	case "history":
		e.history(t)
	default:
		e.copy(t, filepath.Join(data, from), ".")
	}
	switch {
	case has("file"):
		e.write(t, b.info["file"], content)
	case has("files"):
		name, text := "", ""
		for line := range strings.Lines(content + "--  --\n") {
			m := heading.FindStringSubmatch(line)
			switch {
			case m == nil:
				text += line
			case name != "":
				e.write(t, name, text)
				fallthrough
			default:
				name, text = m[1], ""
			}
		}
	case has("shows"):
		text, err := os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(b.info["shows"])))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	case has("output"):
		return e.printed
	case b.lang == "sh":
		e.printed = e.shell(t, "set -e\n"+content)
	case b.lang == "console":
		var out strings.Builder
		for line := range strings.Lines(content) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				out.WriteString(line + e.shell(t, command))
			}
		}
		return out.String()
	}
	return content
}

// write writes a file below the example's folder.
func (e *example) write(t *testing.T, name, content string) {
	t.Helper()
	name = filepath.Join(e.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shell runs a script in the example's folder.
func (e *example) shell(t *testing.T, script string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = e.dir
	cmd.Env = []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + bin, "GOCACHE=" + cache, "LC_ALL=C", "TERM=dumb", "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=cat", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(e.dir),
		"GIT_AUTHOR_NAME=you", "GIT_AUTHOR_EMAIL=you@example.com", "GIT_COMMITTER_NAME=you", "GIT_COMMITTER_EMAIL=you@example.com",
	}
	// One writer for both: the order is the one that a terminal shows.
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		fmt.Fprintf(&out, "exit %d\n", exit.ExitCode())
	case err != nil:
		t.Fatal(err)
	}
	return out.String()
}

// checkOut copies this repository's prompts with their snapshots into the
// example's folder and puts them under git, so that `git diff` has something
// to compare with.
func (e *example) checkOut(t *testing.T) {
	t.Helper()
	for _, name := range []string{"sources", "snapshots"} {
		e.copy(t, filepath.Join("..", name), name)
	}
	for _, name := range []string{"prompts.yaml", ".gitattributes", ".gitignore"} {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		e.write(t, name, string(text))
	}
	if out := e.shell(t, "git init -q . && git add -A && git commit -qm start"); out != "" {
		t.Fatal(out)
	}
}

// history makes a repository with a commit of each folder in testdata/history.
func (e *example) history(t *testing.T) {
	t.Helper()
	for _, state := range []string{"1", "2"} {
		for name, text := range files(t, filepath.Join(data, "history", state)) {
			e.write(t, name, text)
		}
		if out := e.shell(t, "git init -q . && git add -A && git commit -qm "+state); out != "" {
			t.Fatal(out)
		}
	}
}

// copy copies a folder to a folder of the example's.
func (e *example) copy(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(e.dir, to), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

package pipeline_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/promptc-build/promptc/pipeline/internal/benchpair"
	"github.com/promptc-build/promptc/pipeline/snapshot"
	"github.com/promptc-build/promptc/pipeline/token"
)

// goBuild builds a program from a package or a file, as `make build` does.
func goBuild(b *testing.B, program, source string) string {
	b.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, source)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, said)
	}
	return program
}

// promptc builds the program.
func promptc(b *testing.B) string {
	b.Helper()
	return goBuild(b, filepath.Join(b.TempDir(), "promptc.exe"), "./cmd/promptc")
}

// process gives a function that runs a program to its end and expects an exit
// status. What it prints goes to a file: /dev/null looks like a terminal.
func process(b *testing.B, status int, dir, program string, args ...string) func() {
	b.Helper()
	said, err := os.Create(filepath.Join(b.TempDir(), "said"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { said.Close() })
	return func() {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != status {
			text, _ := os.ReadFile(said.Name())
			b.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, text)
		}
	}
}

// byTurns runs two sides by turns; each ran once before, so that what it reads
// is in the cache of the system.
func byTurns(b *testing.B, ours, peer func()) *benchpair.Pair {
	b.Helper()
	ours()
	peer()
	var l benchpair.Pair
	for b.Loop() {
		l.Ours(ours)
		l.Peers(peer)
	}
	return &l
}

// textFile writes 20 KB of Markdown.
func textFile(b *testing.B) (path, text string) {
	b.Helper()
	text = notes(rand.New(rand.NewPCG(3, 4)), 20<<10)
	path = filepath.Join(b.TempDir(), "text.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return path, text
}

// BenchmarkStart compares a process that has next to nothing to do with one that
// imports the same libraries, reads the file and prints its length.
func BenchmarkStart(b *testing.B) {
	program, peer := promptc(b), linking(b, libraries(b)...)
	file, _ := textFile(b)
	b.Run("version", func(b *testing.B) {
		byTurns(b, process(b, 0, "", program, "version"), process(b, 0, "", peer, file)).Report(b)
	})
	b.Run("tokens", func(b *testing.B) {
		byTurns(b, process(b, 0, "", program, "tokens", file), process(b, 0, "", peer, file)).Report(b)
	})
}

// countInNode counts a file with npm's tiktoken, which is OpenAI's own code.
const countInNode = `
const text = require("fs").readFileSync(process.argv[1], "utf8");
console.log(require("tiktoken").get_encoding("o200k_base").encode_ordinary(text).length);`

// BenchmarkTokensNPM compares counting a file with npm's tiktoken, which is
// looked for where NODE_PATH says: `make bench` installs it.
func BenchmarkTokensNPM(b *testing.B) {
	file, text := textFile(b)
	said, err := exec.Command("node", "-e", countInNode, file).Output()
	if err != nil {
		b.Skipf("npm's tiktoken is not here: %v", err)
	}
	c, err := token.New("o200k_base")
	if err != nil {
		b.Fatal(err)
	}
	if got, want := strings.TrimSpace(string(said)), strconv.Itoa(c.Count(text)); got != want {
		b.Fatalf("npm's tiktoken counts %s tokens, promptc %s", got, want)
	}
	program := promptc(b)
	b.Run("o200k_base", func(b *testing.B) {
		byTurns(b, process(b, 0, "", program, "tokens", file), process(b, 0, "", "node", "-e", countInNode, file)).ReportSpeedup(b)
	})
}

// git runs git in a folder, without what its user has configured.
func git(b *testing.B, dir string, args ...string) string {
	b.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	said, err := cmd.Output()
	if err != nil {
		b.Skipf("git %s: %v", args[0], err)
	}
	return string(said)
}

// ourTree copies what this repository keeps, as it is now, to a repository in
// which all of it is committed: there are no artifacts, and no other changes.
func ourTree(b *testing.B) string {
	b.Helper()
	b.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	b.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	files := map[string]string{}
	for path := range strings.SplitSeq(git(b, "..", "ls-files", "-z"), "\x00") {
		if text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(path))); err == nil {
			files[path] = string(text)
		}
	}
	dir := filesIn(b, files)
	// What is as new as the index, git reads again each time.
	for path := range files {
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(path)), time.Time{}, time.Unix(1e9, 0)); err != nil {
			b.Fatal(err)
		}
	}
	git(b, dir, "init", "-q")
	git(b, dir, "add", "-A")
	git(b, dir, "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-qm", "all")
	return dir
}

// BenchmarkCheckRepository compares a check of this repository with what git
// needs to see that nothing in it changed.
func BenchmarkCheckRepository(b *testing.B) {
	program, dir := promptc(b), ourTree(b)
	b.Run("clean", func(b *testing.B) {
		byTurns(b, process(b, 0, dir, program, "check"), process(b, 0, dir, "git", "status", "--porcelain")).Report(b)
	})
}

// BenchmarkCheckSentence compares a check after one sentence changed with one
// in which nothing did.
func BenchmarkCheckSentence(b *testing.B) {
	program := promptc(b)
	for _, p := range []struct {
		name, source string
		tree         func() string
	}{
		{"repository", "sources/persona/SOUL.md", func() string { return ourTree(b) }},
		{"monorepo", "sources/task/0-v0.md", func() string {
			dir := filesIn(b, monorepo(1))
			buildIn(b, dir, snapshot.Snapshots)
			return dir
		}},
	} {
		same, changed := p.tree(), p.tree()
		source := filepath.Join(changed, filepath.FromSlash(p.source))
		before, err := os.ReadFile(source)
		if err != nil {
			b.Fatal(err)
		}
		after := strings.Replace(string(before), ".\n", " today.\n", 1)
		if err := os.WriteFile(source, []byte(after), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(p.name, func(b *testing.B) {
			byTurns(b, process(b, 1, changed, program, "check"), process(b, 0, same, program, "check")).Report(b)
		})
	}
}

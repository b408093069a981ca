package pipeline_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// promptc builds the program, as `make build` does.
func promptc(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "promptc.exe")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, "./cmd/promptc")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, said)
	}
	return program
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

// BenchmarkCheckRepository gives the time that processors need for a check of
// this repository: the least of all runs.
func BenchmarkCheckRepository(b *testing.B) {
	program, dir := promptc(b), ourTree(b)
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		cmd := exec.Command(program, "check")
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, said)
		}
		least = min(least, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(least), "cpu-ns")
}

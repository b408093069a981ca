package pipeline_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/benchpair"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// compiledIn compiles the project in a folder, which is without findings.
func compiledIn(tb testing.TB, dir string, until pipeline.Until) *prompt.Result {
	tb.Helper()
	fsys, err := load.Dir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := pipeline.Compile(tb.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml", Until: until})
	if err != nil {
		tb.Fatal(err)
	}
	if len(r.Findings) > 0 {
		tb.Fatal(r.Findings[0])
	}
	return r
}

// buildIn writes what the project in a folder wants on disk.
func buildIn(tb testing.TB, dir string, what snapshot.Parts) *prompt.Result {
	tb.Helper()
	r := compiledIn(tb, dir, pipeline.Built)
	if err := pipeline.Commit(dir, r, what); err != nil {
		tb.Fatal(err)
	}
	return r
}

// emitted gives the bytes of every variant.
func emitted(r *prompt.Result) []string {
	return par.Map(r.Artifacts, (*assembly.Artifact).Text)
}

// BenchmarkCheckMonorepo compares a check, of artifacts that were never built,
// with hashing the bytes that they would have.
func BenchmarkCheckMonorepo(b *testing.B) {
	dir := filesIn(b, monorepo(1))
	texts := emitted(buildIn(b, dir, snapshot.Snapshots))
	var l benchpair.Pair
	for b.Loop() {
		l.Ours(func() {
			if r := compiledIn(b, dir, pipeline.Compared); len(r.Delta.Snapshots) > 0 {
				b.Fatal("not clean")
			}
		})
		l.Peers(func() {
			par.Map(texts, func(text string) [32]byte { return sha256.Sum256([]byte(text)) })
		})
	}
	l.Report(b)
}

// BenchmarkBuildMonorepo compares a build with all artifacts, none of which is
// there yet, with reading the sources, hashing those bytes and writing them.
func BenchmarkBuildMonorepo(b *testing.B) {
	files := monorepo(1)
	dir := filesIn(b, files)
	texts := emitted(buildIn(b, dir, 0))
	var l benchpair.Pair
	for n := 0; b.Loop(); n++ {
		l.Ours(func() { buildIn(b, dir, snapshot.Snapshots|snapshot.Artifacts) })
		l.Peers(func() { readAndWrite(b, dir, files, "peer", texts) })
		putAway(b, dir, n, "dist", "snapshots", "peer")
	}
	l.Report(b)
}

// putAway moves folders out of the way. Removed they would be in it: the file
// system looks long for the place of a new file where many just went.
func putAway(tb testing.TB, dir string, n int, folders ...string) {
	tb.Helper()
	for _, folder := range folders {
		if err := os.Rename(filepath.Join(dir, folder), filepath.Join(dir, fmt.Sprintf(".%s-%d", folder, n))); err != nil {
			tb.Fatal(err)
		}
	}
}

// readAndWrite reads files, then hashes texts and writes each to a file of its
// own in a new folder, on all cores.
func readAndWrite(tb testing.TB, dir string, files map[string]string, folder string, texts []string) {
	tb.Helper()
	for path := range files {
		if _, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			tb.Fatal(err)
		}
	}
	into := filepath.Join(dir, folder)
	if err := os.Mkdir(into, 0o755); err != nil {
		tb.Fatal(err)
	}
	_, err := par.Try(texts, func(text string) (struct{}, error) {
		sum := sha256.Sum256([]byte(text))
		return struct{}{}, os.WriteFile(filepath.Join(into, fmt.Sprintf("%x.txt", sum)), []byte(text), 0o600)
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// heap gives what is in use after two collections, in bytes: what pools keep outlives
// the first.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

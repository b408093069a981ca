package pipeline_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/internal/benchpair"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/lint"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

// compiledIn compiles the project in a folder, which is without findings.
func compiledIn(tb testing.TB, dir string, compile func(fs.FS, string, ...pipeline.Option) (*prompt.Result, error)) *prompt.Result {
	tb.Helper()
	fsys, err := load.Dir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := compile(fsys, "prompts.yaml")
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
	r := compiledIn(tb, dir, pipeline.Compile)
	if err := pipeline.Commit(dir, r, what); err != nil {
		tb.Fatal(err)
	}
	return r
}

// emitted gives the bytes of every variant.
func emitted(r *prompt.Result) []string {
	return par.Map(r.Artifacts, (*prompt.Artifact).Text)
}

// BenchmarkCheckMonorepo compares a check, of artifacts that were never built,
// with hashing the bytes that they would have.
func BenchmarkCheckMonorepo(b *testing.B) {
	dir := filesIn(b, monorepo(1))
	texts := emitted(buildIn(b, dir, snapshot.Snapshots))
	var l benchpair.Pair
	for b.Loop() {
		l.Ours(func() {
			if r := compiledIn(b, dir, pipeline.Check); len(r.Delta.Snapshots) > 0 {
				b.Fatal("not clean")
			}
		})
		l.Peers(func() {
			par.Map(texts, func(text string) [32]byte { return sha256.Sum256([]byte(text)) })
		})
	}
	l.Report(b)
}

// BenchmarkChecks says what part of a check is lint: all that is judged of
// sources, renderings and variants.
func BenchmarkChecks(b *testing.B) {
	dir := filesIn(b, monorepo(1))
	buildIn(b, dir, snapshot.Snapshots)
	var l benchpair.Pair
	for b.Loop() {
		var r *prompt.Result
		l.Peers(func() { r = compiledIn(b, dir, pipeline.Check) })
		l.Ours(func() { lint.Run(r.Plan, r.Artifacts) })
	}
	l.Report(b)
}

// BenchmarkBuildMonorepo compares a build with all artifacts, none of which is
// there yet, with reading the sources, hashing those bytes and writing them,
// and with the same where each file is synced as a build does it.
func BenchmarkBuildMonorepo(b *testing.B) {
	files := monorepo(1)
	for _, peer := range []struct {
		name  string
		write func(string, []byte, fs.FileMode) error
	}{{"write", os.WriteFile}, {"synced", writeSynced}} {
		b.Run(peer.name, func(b *testing.B) {
			dir := filesIn(b, files)
			texts := emitted(buildIn(b, dir, 0))
			var l benchpair.Pair
			for n := 0; b.Loop(); n++ {
				l.Ours(func() { buildIn(b, dir, snapshot.Snapshots|snapshot.Artifacts) })
				l.Peers(func() { readAndWrite(b, dir, files, "peer", texts, peer.write) })
				putAway(b, dir, n, "dist", "snapshots", "peer")
			}
			l.Report(b)
		})
	}
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
func readAndWrite(tb testing.TB, dir string, files map[string]string, folder string, texts []string, write func(string, []byte, fs.FileMode) error) {
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
		return struct{}{}, write(filepath.Join(into, fmt.Sprintf("%x.txt", sum)), []byte(text), 0o600)
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// writeSynced is os.WriteFile for a file that is whole or not there, whatever
// happens.
func writeSynced(name string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// BenchmarkCheckBuilt compares a check, of artifacts that are all there, with
// reading them.
func BenchmarkCheckBuilt(b *testing.B) {
	dir := filesIn(b, monorepo(1))
	wanted := buildIn(b, dir, snapshot.Snapshots|snapshot.Artifacts).Delta.Wanted
	var l benchpair.Pair
	for b.Loop() {
		l.Ours(func() {
			if r := compiledIn(b, dir, pipeline.Check); len(r.Delta.Snapshots)+len(r.Delta.Artifacts) > 0 {
				b.Fatal("not clean")
			}
		})
		l.Peers(func() {
			_, err := par.Try(wanted, func(o prompt.Output) (int, error) {
				text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(o.Path)))
				return len(text), err
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
	l.Report(b)
}

// BenchmarkCheckVariants says what a variant more costs: the same sources, with
// 2,000 and with 10,000 variants.
func BenchmarkCheckVariants(b *testing.B) { variants(b, pipeline.Check) }

// BenchmarkCompileVariants is the same for a build up to where it writes.
func BenchmarkCompileVariants(b *testing.B) { variants(b, pipeline.Compile) }

func variants(b *testing.B, compile func(fs.FS, string, ...pipeline.Option) (*prompt.Result, error)) {
	b.Helper()
	for _, hosts := range []int{1, 5} {
		b.Run(strconv.Itoa(2000*hosts), func(b *testing.B) {
			dir := filesIn(b, monorepo(hosts))
			buildIn(b, dir, snapshot.Snapshots)
			var l benchpair.Pair
			for b.Loop() {
				var r *prompt.Result
				l.Ours(func() { r = compiledIn(b, dir, compile) })
				b.ReportMetric(float64(heap()), "live-B")
				runtime.KeepAlive(r)
			}
			l.Report(b)
		})
	}
}

// heap gives what is in use after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkShowOne composes one variant of ever more: of 2,000 and of 10,000.
func BenchmarkShowOne(b *testing.B) {
	for _, hosts := range []int{1, 5} {
		b.Run(strconv.Itoa(2000*hosts), func(b *testing.B) {
			dir := filesIn(b, monorepo(hosts))
			first := func(p *prompt.Plan) ([]*prompt.Variant, error) { return p.Builds[0].Variants[:1], nil }
			var l benchpair.Pair
			for b.Loop() {
				l.Ours(func() {
					r := compiledIn(b, dir, func(fsys fs.FS, manifest string, _ ...pipeline.Option) (*prompt.Result, error) {
						return pipeline.AssembleSome(fsys, manifest, first)
					})
					if len(r.Artifacts) != 1 || len(r.Artifacts[0].Text()) < 40_000 {
						b.Fatal("not one variant")
					}
				})
			}
			l.Report(b)
		})
	}
}

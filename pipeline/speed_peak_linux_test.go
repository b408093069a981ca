package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// BenchmarkPeak says how much memory a process has at most.
func BenchmarkPeak(b *testing.B) {
	program := promptc(b)
	for _, hosts := range []int{1, 5} {
		dir := filesIn(b, monorepo(hosts))
		buildIn(b, dir, snapshot.Snapshots)
		for _, command := range []string{"check", "build"} {
			b.Run(fmt.Sprintf("%s-%d", command, 2000*hosts), func(b *testing.B) {
				var most int
				for b.Loop() {
					if err := os.RemoveAll(filepath.Join(dir, "dist")); err != nil {
						b.Fatal(err)
					}
					most = max(most, peak(b, program, command, "-C", dir))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(most), "peak-B")
			})
		}
	}
}

// peak runs a program and gives the most memory that it had, in bytes. What the
// system says after its end would also count what this process had when it
// started the program, so it is asked for as long as the program runs.
func peak(b *testing.B, program string, args ...string) int {
	b.Helper()
	cmd := exec.Command(program, args...)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	kilobytes := 0
	for {
		text, err := os.ReadFile(status)
		_, after, ok := strings.Cut(string(text), "\nVmHWM:")
		if err != nil || !ok {
			break // it has ended
		}
		if kilobytes, err = strconv.Atoi(strings.Fields(after)[0]); err != nil {
			b.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return kilobytes << 10
}

package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestVersionOfAReleaseNamesTagCommitAndDate builds as .goreleaser.yaml does: of
// a release the linker sets all, of a snapshot no tag.
func TestVersionOfAReleaseNamesTagCommitAndDate(t *testing.T) {
	revision := strings.Repeat("0a", 20)
	known := " -X main.releaseCommit=" + revision + " -X main.releaseDate=2026-01-31T12:00:00Z"
	for _, tt := range []struct{ name, flags, want string }{
		{"promptc-release", "-X main.release=v1.2.3" + known, "promptc v1.2.3 (commit " + revision + ", 2026-01-31T12:00:00Z)\n"},
		{"promptc-snapshot", known, "promptc devel (commit " + revision + ", 2026-01-31T12:00:00Z)\n"},
	} {
		program, err := buildProgram(tt.name, "-ldflags=-s -w "+tt.flags)
		if err != nil {
			t.Fatal(err)
		}
		for _, arg := range []string{"--version", "version"} {
			got, err := exec.Command(program, arg).Output()
			if err != nil || string(got) != tt.want {
				t.Errorf("%s %s says %q (%v), want %q", tt.name, arg, got, err, tt.want)
			}
		}
	}
}

package conformance_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// need skips a test where a program is not installed. In CI it is, unless
// .ci/run said that it could not be.
func need(t *testing.T, program string) {
	t.Helper()
	needAt(t, program, program)
}

// needAt is need for a program that is not on the path.
func needAt(t *testing.T, program, path string) {
	t.Helper()
	_, err := exec.LookPath(path)
	switch {
	case err == nil:
	case os.Getenv("CI") == "" || slices.Contains(strings.Fields(os.Getenv("PROMPTC_WITHOUT")), program):
		t.Skip(err)
	default:
		t.Fatalf("%v: .ci/run installs it", err)
	}
}

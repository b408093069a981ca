package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheNewestReleaseIsTheOneThatHooksInstall holds together what a release
// changes by hand.
func TestTheNewestReleaseIsTheOneThatHooksInstall(t *testing.T) {
	log, err := os.ReadFile("../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	hook, err := os.ReadFile("../pyproject.toml")
	if err != nil {
		t.Fatal(err)
	}
	versions := regexp.MustCompile(`(?m)^(?:version = "|dependencies = \["promptc==)([^"]+)"`).FindAllStringSubmatch(string(hook), -1)
	if len(versions) != 2 || versions[0][1] != versions[1][1] {
		t.Fatalf("pyproject.toml has the versions %q, not the same one twice", versions)
	}
	release := regexp.MustCompile(`^## \[(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\] - \d{4}-\d{2}-\d{2}$`)
	newest, headings := "", 0
	for line := range strings.Lines(string(log)) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "## ") {
			continue
		}
		headings++
		m := release.FindStringSubmatch(line)
		if (headings == 1) != (line == "## [Unreleased]") || headings > 1 && m == nil {
			t.Errorf("CHANGELOG.md: %q is not the heading of a release, or of the next one at the top", line)
		}
		if m != nil && newest == "" {
			newest = m[1]
		}
	}
	if headings == 0 {
		t.Error("CHANGELOG.md has no headings")
	}
	if newest != "" && newest != versions[0][1] {
		t.Errorf("the newest release is %s, and pyproject.toml has %s", newest, versions[0][1])
	}
}

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
	versions := regexp.MustCompile(`(?m)^(?:version = "|dependencies = \["promptc-build==)([^"]+)"`).FindAllStringSubmatch(string(hook), -1)
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
	untilTheFirstRelease(t, newest == "", string(log))
}

// untilTheFirstRelease holds what only the documents of a project say that nobody has
// released: the releaser removes these sentences.
func untilTheFirstRelease(t *testing.T, none bool, log string) {
	t.Helper()
	for name, sentence := range map[string]string{"../README.md": "work from the first release on", "install.md": "There is no release yet"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), sentence) != none {
			t.Errorf("%s: %q belongs there only before the first release", name, sentence)
		}
	}
	for line := range strings.Lines(log) {
		if none && strings.HasPrefix(line, "### ") && line != "### Added\n" {
			t.Errorf("CHANGELOG.md: nobody has a version that %q could be about", strings.TrimSpace(line))
		}
	}
}

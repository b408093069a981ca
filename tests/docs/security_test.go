package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesAreHeldByTests looks for every test and script that the page on
// security names: a promise whose test went is no longer held.
func TestPromisesAreHeldByTests(t *testing.T) {
	page, err := os.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, root := range []string{"../cmd", "../pipeline", "../tests"} {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			name := filepath.Base(path)
			switch {
			case err != nil || d.IsDir():
				return err
			case strings.HasSuffix(name, ".txtar"):
				have[strings.TrimSuffix(name, ".txtar")] = true
			case strings.HasSuffix(name, "_test.go"):
				text, err := os.ReadFile(path)
				for _, m := range function.FindAllStringSubmatch(string(text), -1) {
					have[m[1]] = true
				}
				return err
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[2], "`") {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
			if held++; !have[m[1]] {
				t.Errorf("no test is called %q", m[1])
			}
		}
	}
	if held < 20 {
		t.Errorf("the page names %d tests", held)
	}
}

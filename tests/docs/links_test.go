package docs_test

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	code     = regexp.MustCompile("(?ms)^```[^`\n]*\n.*?^```+\n|`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	title    = regexp.MustCompile(`^#+ (.*)\n$`)
	unlinked = regexp.MustCompile("[^a-z0-9 _-]")
)

// anchors lists the headings of a page as GitHub names them in a link.
func anchors(text string) []string {
	out := []string{""}
	inCode := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if m := title.FindStringSubmatch(line); m != nil && !inCode {
			words := unlinked.ReplaceAllString(strings.ToLower(m[1]), "")
			out = append(out, strings.ReplaceAll(words, " ", "-"))
		}
	}
	return out
}

// TestLinks follows every link of the documents to a file and its heading.
func TestLinks(t *testing.T) {
	pages, _ := filepath.Glob("*.md")
	top, _ := filepath.Glob("../*.md")
	headings := map[string][]string{}
	for _, page := range append(pages, top...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			target, err := url.Parse(m[1])
			if err != nil || target.Scheme != "" {
				continue
			}
			file := page
			if target.Path != "" {
				file = filepath.Join(filepath.Dir(page), filepath.FromSlash(target.Path))
			}
			if headings[file] == nil {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s: the link %s leads nowhere", page, m[1])
					continue
				}
				text, _ := os.ReadFile(file) // nothing of a folder
				headings[file] = anchors(string(text))
			}
			if !slices.Contains(headings[file], target.Fragment) {
				t.Errorf("%s: %s has no heading for the link %s", page, file, m[1])
			}
		}
	}
}

// TestTheIndexIsComplete holds that a reader finds every page, and that README.md stays short.
func TestTheIndexIsComplete(t *testing.T) {
	index, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob("*.md")
	for _, page := range pages {
		if page != "README.md" && !strings.Contains(string(index), "]("+page) {
			t.Errorf("docs/README.md does not name %s", page)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if words := len(strings.Fields(string(readme))); words > 900 {
		t.Errorf("README.md has %d words; at most 900", words)
	}
}

// TestTheArchitectureNamesWhatIsThere looks for each file and name of the code that the pages
// for those mention who change promptc.
func TestTheArchitectureNamesWhatIsThere(t *testing.T) {
	var pages []byte
	for _, name := range []string{"architecture.md", "changing.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page...)
	}
	words, word := map[string]bool{}, regexp.MustCompile(`\w+`)
	for _, dir := range []string{"../cmd", "../pipeline", "../conformance", "../release"} {
		if err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
				return err
			}
			words[filepath.Base(name)] = true
			text, err := os.ReadFile(name)
			for _, w := range word.FindAllString(string(text), -1) {
				words[w] = true
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	named, placeholder := regexp.MustCompile("`[\\w./]*?(\\w+|\\w+\\.go)`"), regexp.MustCompile(`[A-Z]{3}`)
	for _, m := range named.FindAllStringSubmatch(string(pages), -1) {
		if !words[m[1]] && !placeholder.MatchString(m[1]) {
			t.Errorf("the code has no %s", m[0])
		}
	}
}

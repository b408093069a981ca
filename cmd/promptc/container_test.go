package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instructions gives those of the Dockerfile, their name first; lines that go on
// are joined.
func instructions(t *testing.T) [][]string {
	t.Helper()
	text := strings.ReplaceAll(content("../../Dockerfile"), "\\\n", " ")
	var out [][]string
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			out = append(out, words)
		}
	}
	if len(out) == 0 {
		t.Fatal("there is no Dockerfile")
	}
	return out
}

// The image starts from versions, and what runs in it is a user without rights.
func TestTheImageIsPinnedAndHasNoRights(t *testing.T) {
	base := regexp.MustCompile(`^[a-z/]+:\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$`)
	user, bases := "", 0
	for _, in := range instructions(t) {
		switch in[0] {
		case "FROM":
			user = ""
			if bases++; !base.MatchString(in[1]) {
				t.Errorf("%q is not pinned by a version", in[1])
			}
		case "USER":
			user = in[1]
		case "ADD", "ENV":
			t.Errorf("%q: nothing is fetched, and nothing is left in the environment", in)
		}
	}
	if bases != 2 || !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) {
		t.Errorf("of %d stages, the last one runs as %q", bases, user)
	}
}

// What .dockerignore lets into the image is what promptc is made of.
func TestTheImageIsBuiltFromWhatItCopies(t *testing.T) {
	var copied []string
	for _, in := range instructions(t) {
		if in[0] == "COPY" && !strings.HasPrefix(in[1], "--from=") {
			copied = append(copied, in[1:len(in)-1]...)
		}
	}
	slices.Sort(copied)
	rules := strings.Split(strings.TrimSpace(content("../../.dockerignore")), "\n")
	var let []string
	for _, rule := range rules {
		if name, ok := strings.CutPrefix(rule, "!"); ok {
			let = append(let, name)
		}
	}
	slices.Sort(let)
	if !slices.Equal(copied, let) || !slices.Contains(rules, "*") {
		t.Fatalf(".dockerignore lets in %q, and the Dockerfile copies %q", let, copied)
	}
	dir := t.TempDir()
	for _, name := range copied {
		copyContext(t, dir, name, rules)
	}
	cmd := exec.Command("go", "list", "-deps", "./cmd/promptc")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// copyContext copies what no rule for a name in any folder leaves out.
func copyContext(t *testing.T, dir, name string, rules []string) {
	t.Helper()
	root := os.DirFS("../..")
	if err := fs.WalkDir(root, name, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, rule := range rules {
			if pattern, anywhere := strings.CutPrefix(rule, "**/"); anywhere {
				if out, err := path.Match(pattern, d.Name()); err != nil || out {
					if d.IsDir() {
						return fs.SkipDir
					}
					return err
				}
			}
		}
		if d.IsDir() {
			return nil
		}
		text, err := fs.ReadFile(root, file)
		put(t, dir, map[string]string{filepath.FromSlash(file): string(text)})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

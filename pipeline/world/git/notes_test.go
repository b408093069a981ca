package git_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// What moved is found by its name.
func TestFilesAreFoundByName(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"a/p.yaml": "", "b/c/p.yml": "", "p.yaml": "", "p.yaml.md": "", "d/p.yaml/x": "", "xp.yaml": ""})
	got, err := r.open("a").Find("HEAD", "p.yaml", "p.yml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/p.yaml", "b/c/p.yml", "p.yaml"}, got); diff != "" {
		t.Error(diff)
	}
	_, err = r.open("").Find("mian", "p.yaml")
	refused(t, err, git.UnknownRef)
}

// A branch and a tag may have one name; git takes the tag.
func TestNamesOfSeveralThingsAreNoted(t *testing.T) {
	r := newRepo(t)
	one := r.commit("one", map[string]string{"f": "1"})
	r.git("tag", "v1")
	r.commit("two", map[string]string{"f": "2"})
	r.git("branch", "v1")
	r.git("tag", "HEAD", one)
	r.git("branch", one[:8], "main")
	r.git("config", "core.warnAmbiguousRefs", "false")
	for _, c := range []struct{ ref, file, note string }{
		{"main", "2", ""},
		{"refs/heads/v1", "2", ""},
		{"main@{2001-01-01}", "1", `"main@{2001-01-01}" is from before the log begins: its first entry is taken`},
		{"v1", "1", `"v1" stands for several things: git takes its own, then tags, then branches`},
		{"v1^0", "1", `"v1^0" stands for several things: git takes its own, then tags, then branches`},
		{"HEAD", "2", `"HEAD" stands for several things: git takes its own, then tags, then branches`},
		{one[:8], "2", fmt.Sprintf("%q stands for several things: git takes its own, then tags, then branches", one[:8])},
	} {
		repository := r.open("")
		same(t, tree(t, repository, c.ref), map[string]string{"f": c.file})
		var notes []string
		for _, w := range repository.Notes() {
			notes = append(notes, wording.Text(w))
		}
		if got := strings.Join(notes, "\n"); got != c.note {
			t.Errorf("%s: %q, want %q", c.ref, got, c.note)
		}
	}
}

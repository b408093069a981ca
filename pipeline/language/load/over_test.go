package load_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/tests/testproject"
)

func TestOverListsItsFiles(t *testing.T) {
	var got []string
	err := fs.WalkDir(load.Over(nil, map[string][]byte{"a/b/c.md": []byte("c"), "a/d.md": nil, "e": []byte("e")}), ".", func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			name += "/"
		}
		got = append(got, name)
		return err
	})
	if want := "./ a/ a/b/ a/b/c.md a/d.md e"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q: %v", got, err)
	}
}

func TestOverHidesWhatIsBelow(t *testing.T) {
	over := load.Over(testproject.Of("a", "below", "b", "below"), map[string][]byte{"a": []byte("over"), "c": []byte("over")})
	for name, want := range map[string]string{"a": "over", "b": "below", "c": "over"} {
		if got, err := fs.ReadFile(over, name); err != nil || string(got) != want {
			t.Errorf("%s is %q: %v", name, got, err)
		}
	}
	if _, err := over.Open("d"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestWithoutHidesFiles(t *testing.T) {
	left := load.Without(testproject.Of("a/b", "b", "a/c", "c"), map[string]bool{"a/b": true})
	entries, err := fs.ReadDir(left, "a")
	if err != nil || len(entries) != 1 || entries[0].Name() != "c" {
		t.Errorf("got %v: %v", entries, err)
	}
	if _, err := left.Open("a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened: %v", err)
	}
	if _, err := fs.Lstat(left, "a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if got, err := fs.ReadFile(left, "a/c"); err != nil || string(got) != "c" {
		t.Errorf("got %q: %v", got, err)
	}
}

func TestLookReadsAsARunDoes(t *testing.T) {
	for text, want := range map[string]diag.Code{
		"You work.":                    "",
		"\ufeffYou work.\r\n":          "",
		"a\x00b":                       diag.NotText,
		"\xff\xfea":                    diag.NotText,
		"exports[`a 1`] = `\"cut":      diag.SavedSyntax,
		strings.Repeat("long ", 1<<22): diag.FileTooLarge,
	} {
		doc, found := load.Look("t/a.md", []byte(text))
		if want == "" && (doc == nil || doc.Body.Str != strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")) {
			t.Errorf("%.20q: %v", text, found)
		}
		if want != "" && (doc != nil || len(found) == 0 || found[0].Code != want) {
			t.Errorf("%.20q: %v", text, found)
		}
	}
}

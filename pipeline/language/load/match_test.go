package load_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

func TestMatchFindsFilesOrSaysWhatIsNear(t *testing.T) {
	fsys := testproject.Of(
		"test/__snapshots__/a.snap", "a",
		"test/__snapshots__/b.snap", "b",
		"test/__snapshots__/c.md", "c",
		"test/__snapshots__/d.md", "d",
		"test/__snapshots__/x/y.txt", "y",
	)
	hint := func(key string, args ...any) load.Matched { return load.Matched{Hint: diag.Say(key, args...)} }
	for _, tc := range []struct {
		pattern string
		want    load.Matched
	}{
		{"test/__snapshots__/*.snap", load.Matched{Files: []string{"test/__snapshots__/a.snap", "test/__snapshots__/b.snap"}}},
		{"test/**/{y,a}.*", load.Matched{Files: []string{"test/__snapshots__/a.snap", "test/__snapshots__/x/y.txt"}}},
		{"test/__snapshots__/a.snap", load.Matched{Files: []string{"test/__snapshots__/a.snap"}}},
		{"test/__snapshot__/*.snap", hint("did-you-mean", "test/__snapshots__/*.snap")},
		{"tets/__snapshot__/*.snap", hint("did-you-mean", "test/__snapshots__/*.snap")},
		{"elsewhere/*.html", hint("folder-not-there", "elsewhere")},
		{"*.snap", hint("pattern-matches", "test/__snapshots__/*.snap", diag.Counted(2, "one-unread-file", "unread-files"))},
		{"test/__snapshots__/*.txt", hint("pattern-matches", "test/__snapshots__/x/*.txt", diag.Counted(1, "one-unread-file", "unread-files"))},
		{"test/*.{md,snap}", hint("pattern-matches", "test/__snapshots__/*.{md,snap}", diag.Counted(4, "one-unread-file", "unread-files"))},
		{"tets/*.snap", hint("pattern-matches", "test/__snapshots__/*.snap", diag.Counted(2, "one-unread-file", "unread-files"))},
		{"test/__snapshots__/*.html", hint("folder-holds", "test/__snapshots__", diag.Some([]string{"a.snap", "b.snap", "c.md", "d.md", "x"}, 3))},
		{"test/__snapshots__", hint("folder-holds", "test/__snapshots__", diag.Some([]string{"a.snap", "b.snap", "c.md", "d.md", "x"}, 3))},
	} {
		got, err := load.Match(fsys, tc.pattern)
		if err != nil {
			t.Errorf("%s: %v", tc.pattern, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.pattern, diff)
		}
	}
}

func TestMatchRefusesWhatIsNoPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"[x":      "is not a pattern that can be read",
		"../*":    "leaves its folder",
		"/a/*":    "is absolute",
		"":        "is empty",
		"a\x00*":  "holds a NUL character",
		`a\*.txt`: "holds a backslash",
	} {
		_, err := load.Match(fstest.MapFS{}, pattern)
		bad, ok := errors.AsType[*load.PatternError](err)
		if !ok || !strings.HasSuffix(wording.Error(err), " "+want) || bad.Hint.None() {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

package scaffold_test

import (
	"slices"
	"testing"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

func TestUnionHasTheEntriesOfBothStates(t *testing.T) {
	const head = "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`a > b 1`] = `\nA.\nexports[\\`c 1\\`]\n`;\n"
	const was = "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`a > b 1`] = `\nOld.\n`;\n\nexports[`a > \\`c\\` 1`] = `\nC.\n`;\n"
	for _, c := range []struct{ text, was, want string }{
		{head, was, head + "\nexports[`a > \\`c\\` 1`] = `\nC.\n`;\n"},
		{head, head, head},
		{head, "A file.", head},
		{head, "exports[`d 1`] = `\n# name: d\n`;\n", head + "\nexports[`d 1`] = `\n# name: d\n`;\n"},
		{"A file.", was, "A file."},
		{"# name: test_a\n  A.\n# ---\n", "# name: test_b\n  B.\n# ---\n# name: test_a\n", "# name: test_a\n  A.\n# ---\n\n# name: test_b\n  B.\n# ---\n"},
	} {
		if got := scaffold.Union(c.text, c.was); got != c.want {
			t.Errorf("%q with %q: %q", c.text, c.was, got)
		}
	}
	doc, _ := load.Look("a.snap", []byte(scaffold.Union(head, was)))
	if got := scaffold.Look(doc, nil).Entries; !slices.Equal(got, []string{"a > b 1", "a > `c` 1"}) {
		t.Errorf("entries %q", got)
	}
}

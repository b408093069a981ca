package load_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// FuzzRendered reads a file that another program is said to have rendered: it is
// its text, or its entries, or a finding.
func FuzzRendered(f *testing.F) {
	for _, s := range []string{
		"# A\n", "// Vitest Snapshot v1\n\nexports[`a 1`] = `\"x\"`;\n", "exports[`a 1`] = `\n\"x\\`y\n\"\n`;",
		"exports[`a", "exports[`a`] = `\\\\\"`;", "// Jest Snapshot v1\nexports[`a`] = `\"\\\\\"\"`;", "exports[`a`] = `${x}`", "\xff", "\x00",
		"---\nsource: a.rs\nexpression: a\n---\nx\n", "# name: a\n  'x\\u0041\\''\n# ---\n", "# serializer version: 1\n# name: a\n  '''\n  x\n\n  '''\n# ---\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := "a.snap"
		if strings.HasPrefix(text, "# ") {
			name = "a.ambr"
		}
		fsys := testproject.Of(
			"prompts.yaml", string(fmt.Appendf(nil, "version: 1\nprompts: {p: {rendered: %s}}\n", name)),
			name, text,
		)
		tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
		if err != nil {
			t.Fatal(err)
		}
		docs := docsOf(tree, name)
		if found.HasErrors() != (len(docs) == 0) {
			t.Fatalf("%d files and %v", len(docs), found)
		}
		for _, d := range docs {
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				t.Fatalf("%q was read", text)
			}
			for _, s := range d.Saved {
				at := 0
				for _, seg := range s.Value.Segs {
					if seg.Start < at || seg.End > len(s.Value.Str) || seg.At.Start < s.At.Start || seg.At.End > s.At.End {
						t.Fatalf("%q: a segment [%d, %d) of %q is outside", text, seg.Start, seg.End, s.Value.Str)
					}
					at = seg.End
				}
				if at != len(s.Value.Str) {
					t.Fatalf("%q: %q has no place from %d on", text, s.Value.Str, at)
				}
			}
		}
	})
}

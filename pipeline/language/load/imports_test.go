package load_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// importing reads a CLAUDE.md beside other files and gives its text with what it
// imports, and what the note about the rest says.
func importing(t *testing.T, texts map[string]string) (body string, left []string) {
	t.Helper()
	const name = "CLAUDE.md"
	texts["prompts.yaml"] = "version: 1\nsources: {m: {path: CLAUDE.md}}\n"
	tree, found := runOn(t, testproject.From(texts))
	checkSpans(t, tree, found)
	docs := tree.Matches[language.MatchKey{Path: name, Kind: language.TextKind}]
	if len(docs) != 1 {
		t.Fatal(lines(found))
	}
	body = docs[0].Body.Str
	if doc := docs[0].Expanded; doc != nil {
		checkText(t, doc.Body)
		body = doc.Body.Str
	}
	for _, d := range found {
		if d.Code != diag.ImportLeft {
			t.Error(line(d))
			continue
		}
		for _, detail := range d.Detail {
			left = append(left, wording.Text(detail))
		}
	}
	return body, left
}

func TestImportsAreExpandedAsTheirProgramsDo(t *testing.T) {
	others := map[string]string{
		"AGENTS.md": "---\nt: 1\n---\nAgents.\n", "docs/a b.md": "Blank.", "docs/x.md": "X, and @y.md", "docs/y.md": "Y.", "package.json": "{}\n",
		"docs/loop.md": "@../CLAUDE.md\n@loop.md\nL", "bad.md": "\xff", "big.md": strings.Repeat("x", 1<<20-1), "huge.md": strings.Repeat("x", 1<<20+1),
	}
	tests := []struct {
		name, text, want string
		left             []string
	}{
		{"alone in a line", "One.\n@docs/y.md\nTwo.", "One.\nY.\nTwo.", nil},
		{"in a sentence", "See @docs/y.md and @package.json here.\n\nEnd.", "See @docs/y.md and @package.json here.\n\nEnd.\n\nY.\n\n{}", nil},
		{"in turn, relative to the importing file", "@docs/x.md", "X, and @y.md\n\nY.", nil},
		{"each text once", "@docs/y.md\n\nAs @docs/y.md says.", "Y.\n\nAs @docs/y.md says.", nil},
		{"a blank", `@docs/a\ b.md`, "Blank.", nil},
		{"an anchor", "@./docs/y.md#top", "Y.", nil},
		{"code", "`@docs/y.md`\n\n```\n@docs/y.md\n```\n\n    @docs/y.md\n\n<!--\n@docs/y.md\n-->", "`@docs/y.md`\n\n```\n@docs/y.md\n```\n\n    @docs/y.md\n\n<!--\n@docs/y.md\n-->", nil},
		{"no imports", "Ask @robin, me@docs/y.md, @types/node, @@x, or @docs.", "Ask @robin, me@docs/y.md, @types/node, @@x, or @docs.", nil},
		{
			"a circle", "@docs/loop.md", "@../CLAUDE.md\n@loop.md\nL",
			[]string{"@../CLAUDE.md is in the text already", "@loop.md is in the text already"},
		},
		{
			"outside", "@~/mine.md @/etc/passwd @../../up.md", "@~/mine.md @/etc/passwd @../../up.md",
			[]string{"@~/mine.md lies outside of the manifest's folder", "@/etc/passwd lies outside of the manifest's folder", "@../../up.md lies outside of the manifest's folder"},
		},
		{"not there", "See @docs/z.md.", "See @docs/z.md.", []string{"@docs/z.md. does not exist"}},
		{"no text", "@bad.md", "@bad.md", []string{"@bad.md byte 0xff at offset 0 is not UTF-8"}},
		{"too large", "@huge.md", "@huge.md", []string{`@huge.md "huge.md" is larger than 1 MiB`}},
		{"too large together", "@big.md", "@big.md", []string{"@big.md would make more than 1 MiB of the file"}},
		{"git's own", "@.git/config", "@.git/config", []string{"@.git/config does not exist"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			texts := map[string]string{"CLAUDE.md": tt.text + "\n"}
			maps.Copy(texts, others)
			got, left := importing(t, texts)
			if diff := cmp.Diff([]any{tt.want, tt.left}, []any{got, left}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestImportsEnd(t *testing.T) {
	texts := map[string]string{"CLAUDE.md": "@d1.md\n"}
	for i := 1; i <= 7; i++ {
		texts[fmt.Sprintf("d%d.md", i)] = fmt.Sprintf("%d\n@d%d.md\n", i, i+1)
	}
	got, left := importing(t, texts)
	if diff := cmp.Diff([]any{"1\n2\n3\n4\n5\n@d6.md", []string{"@d6.md is more than 5 files away"}}, []any{got, left}); diff != "" {
		t.Error(diff)
	}
	// Every file names every other: each text is there once.
	all := ""
	for i := range 60 {
		all += fmt.Sprintf("See @w%d.md now.\n", i)
	}
	texts = map[string]string{"CLAUDE.md": all}
	for i := range 60 {
		texts[fmt.Sprintf("w%d.md", i)] = fmt.Sprintf("Text %d.\n", i) + all
	}
	got, _ = importing(t, texts)
	if n := strings.Count(got, "Text "); n != 60 {
		t.Errorf("%d texts", n)
	}
}

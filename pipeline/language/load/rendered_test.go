package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// renderedBy loads files with a prompt that is rendered to a pattern.
func renderedBy(t *testing.T, pattern string, files map[string]string) (*language.Tree, diag.List) {
	t.Helper()
	fsys := testproject.Of("prompts.yaml", string(fmt.Appendf(nil, "version: 1\nprompts: {p: {rendered: %q, axes: auto}}\n", pattern)))
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	return tree, found
}

// docsOf gives what a pattern found.
func docsOf(tree *language.Tree, pattern string) []*language.Doc {
	return tree.Matches[language.MatchKey{Path: pattern, Kind: language.RenderedKind}]
}

func TestRenderedFilesAreReadToTheLastByte(t *testing.T) {
	texts := map[string]string{
		"t/a.md":   "---\nx: 1\n---\n<!-- c -->\n\n# A\n\n\n",
		"t/b.md":   "no line break",
		"t/c.json": "{not json",
		"t/d.yaml": "\n\n: : :\n",
		"t/e.md":   "A snapshot file has\nexports[`name 1`] = `\"x\"`;\n",
		"t/f.md":   "text\n// Jest Snapshot v1\n",
	}
	tree, found := renderedBy(t, "t/{f}.*", texts)
	if len(found) > 0 {
		t.Fatal(found)
	}
	got := map[string]string{}
	for _, d := range docsOf(tree, "t/{f}.*") {
		got[d.File.Path] = d.Body.Str
		if d.Saved != nil {
			t.Errorf("%s has entries", d.File.Path)
		}
	}
	if d := cmp.Diff(texts, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := len(tree.Matches); n != 1 {
		t.Errorf("%d lookups, want 1", n)
	}
}

func TestSnapshotFilesAreTheirEntries(t *testing.T) {
	const bs = "\\"
	type entry struct {
		Name, Text string
		IsText     bool
	}
	for _, c := range []struct {
		name, text string
		want       []entry
	}{
		{"one line", "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`a 1`] = `\"x\"`;\n", []entry{{"a 1", "x", true}}},
		{"several lines", "// Vitest Snapshot v1\n\nexports[`a 1`] = `\n\"x\n\ny\n\"\n`;\n", []entry{{"a 1", "x\n\ny\n", true}}},
		{"no header", "\nexports[`a 1`] = `\"\"`;", []entry{{"a 1", "", true}}},
		{"no entries", "// Vitest Snapshot v1, https://vitest.dev\n", []entry{}},
		{"escapes", "exports[`a " + bs + "` 1`] = `\"" + bs + bs + bs + "`" + bs + "${x} $5 $\"`;\n", []entry{{"a ` 1", bs + "`${x} $5 $", true}}},
		{"quotes as they are", "exports[`a 1`] = `\"say \"hi\" " + bs + bs + "\"n\"`;\n", []entry{{"a 1", "say \"hi\" " + bs + "\"n", true}}},
		{"quotes with backslashes", "exports[`a 1`] = `\"say " + bs + bs + "\"hi" + bs + bs + "\" " + bs + bs + bs + bs + "\"`;\nexports[`b 1`] = `\"" + bs + bs + bs + bs + "\"`;\n", []entry{{"a 1", "say \"hi\" " + bs, true}, {"b 1", bs, true}}},
		{"one bare quote in the file", "exports[`a 1`] = `\"" + bs + bs + "\"\"`;\nexports[`b 1`] = `\"\"\"`;\n", []entry{{"a 1", bs + "\"", true}, {"b 1", "\"", true}}},
		{"no texts", "exports[`a 1`] = `\n{\n  \"x\": 1,\n}\n`;\nexports[`b 1`] = `12`;\nexports[`c 1`] = `\"`;\n", []entry{{"a 1", "{\n  \"x\": 1,\n}", false}, {"b 1", "12", false}, {"c 1", "\"", false}}},
	} {
		tree, found := renderedBy(t, "t.snap", map[string]string{"t.snap": c.text})
		docs := docsOf(tree, "t.snap")
		if len(found) > 0 || len(docs) != 1 || docs[0].Saved == nil {
			t.Errorf("%s: %d files: %v", c.name, len(docs), found)
			continue
		}
		got := []entry{}
		for _, s := range docs[0].Saved {
			got = append(got, entry{s.Name, s.Value.Str, s.IsText})
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestPlacesInSnapshotFilesAreRight(t *testing.T) {
	text := "// Vitest Snapshot v1\n\nexports[`a 1`] = `\n\"one \\`two\\` \\${three}\nfour\"\n`;\n"
	tree, _ := renderedBy(t, "t.snap", map[string]string{"t.snap": text})
	value := docsOf(tree, "t.snap")[0].Saved[0].Value
	for word, want := range map[string]string{"one": "4:2-4:5", "`two": "4:6-4:11", "$": "4:14-4:16", "three": "4:17-4:22", "four": "5:1-5:5"} {
		i := strings.Index(value.Str, word)
		at := value.Span(i, i+len(word))
		l, c := at.File.Position(at.Start)
		l2, c2 := at.File.Position(at.End)
		if got := fmt.Sprintf("%d:%d-%d:%d", l, c, l2, c2); got != want {
			t.Errorf("%q is at %s, want %s", word, got, want)
		}
	}
}

func TestSnapshotFilesThatCannotBeReadAreRefusedAtTheirLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"// Vitest Snapshot v1\n\nexports[`a 1`] = `\"x\n", "3:18: the file ends in the middle of this entry"},
		{"exports[`a", "1:9: the file ends in the middle of this entry"},
		{"exports[`a 1`] = `x\\", "1:20: this is not an entry of a snapshot file"},
		{"exports[`a 1`] = `${x}`;", "1:19: this is not an entry of a snapshot file"},
		{"exports[`a 1`] = 'x';", "1:18: this is not an entry of a snapshot file"},
		{"\nexports[`a 1`] : `x`;", "2:1: this is not an entry of a snapshot file"},
		{"// Jest Snapshot v1\nmodule.exports = 1;\n", "2:1: this is not an entry of a snapshot file"},
	} {
		tree, found := renderedBy(t, "t.snap", map[string]string{"t.snap": c.text})
		if len(found) != 1 || found[0].Code != diag.SavedSyntax || len(docsOf(tree, "t.snap")) != 0 {
			t.Errorf("%q: %v", c.text, found)
			continue
		}
		at := found[0].Span
		l, col := at.File.Position(at.Start)
		if got := fmt.Sprintf("%d:%d: %s", l, col, wording.Message(found[0])); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestAPatternThatMatchesNothingSaysWhatIsNear(t *testing.T) {
	files := map[string]string{"test/__snapshots__/a.snap": "x", "snapshots/a.txt": "x", "test/b/.hidden": "x"}
	for pattern, want := range map[string]string{
		"test/__snapshot__/{f}.snap":    `did you mean "test/__snapshots__/{f}.snap"?`,
		"test/__snapshots__/{f}.txt":    `the folder "test/__snapshots__" holds "a.snap"`,
		"test/__snapshots__/a.snp":      `did you mean "test/__snapshots__/a.snap"?`,
		"other/{f}.txt":                 `the folder "other" is not there; paths are relative to the project's folder`,
		"{f}.txt":                       `the folder "." holds "prompts.yaml", "snapshots", "test"`,
		"test/b/{f}.txt":                `the folder "test/b" is empty`,
		"test/__snapshots__/a.snap/{f}": `the folder "test/__snapshots__/a.snap" is not there; paths are relative to the project's folder`,
	} {
		_, found := renderedBy(t, pattern, files)
		if len(found) != 1 || found[0].Code != diag.RenderedNothing || wording.Hint(found[0]) != want {
			t.Errorf("%s: %v, want the hint %s", pattern, found, want)
		}
	}
	// With a prompt of its own, the folder is promptc's.
	fsys := testproject.Of(
		"prompts.yaml", "version: 1\nprompts: {p: {rendered: 'snapshots/{f}.txt', axes: auto}, q: {sections: [{id: a, text: x}]}}\n",
		"snapshots/a.txt", "x",
	)
	_, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil || len(found) != 1 || !strings.HasPrefix(wording.Hint(found[0]), "promptc writes the folder \"snapshots\"") {
		t.Errorf("%v, %v", found, err)
	}
	if tree, found := renderedBy(t, "snapshots/{f}.txt", files); len(found) > 0 || len(docsOf(tree, "snapshots/{f}.txt")) != 1 {
		t.Errorf("the folder is nobody's, and was not read: %v", found)
	}
}

func TestRenderedPatternsAreRefusedThatNoNameCanHave(t *testing.T) {
	for pattern, want := range map[string]diag.Code{
		"../{f}.txt": diag.BadPath, "/t/{f}": diag.BadPath, "t//{f}": diag.BadPath, "t\\{f}": diag.BadPath,
		"t/{a,b}.txt": diag.BadGlob, "t/[ab].txt": diag.BadGlob, "t/?.txt": diag.BadGlob, strings.Repeat("a", 5000): diag.BadGlob,
	} {
		if _, found := renderedBy(t, pattern, nil); len(found) != 1 || found[0].Code != want {
			t.Errorf("%.20s: %v, want %s", pattern, found, want)
		}
	}
}

func TestHostileSnapshotFilesAreReadAtOnce(t *testing.T) {
	const size = 1<<20 - 100
	for _, unit := range []string{"exports[`a 1`] = `\"x\"`;\n", "\\`", "\\\\", "$", "\n", "exports[`", "\\\\\""} {
		body := strings.Repeat(unit, size/len(unit)/2)
		for _, text := range []string{"exports[`b 1`] = `\"" + body + "\"`;\n", "// Jest Snapshot v1\n" + body} {
			tree, found := renderedBy(t, "t.snap", map[string]string{"t.snap": text})
			if len(found) == 0 && len(docsOf(tree, "t.snap")) != 1 {
				t.Errorf("%q: neither read nor refused", unit)
			}
		}
	}
	for _, text := range []string{"a\x00b", "\xff\xfe", "a\xffb"} {
		if _, found := renderedBy(t, "t.snap", map[string]string{"t.snap": text}); len(found) != 1 || found[0].Code != diag.NotText {
			t.Errorf("%q: %v", text, found)
		}
	}
}

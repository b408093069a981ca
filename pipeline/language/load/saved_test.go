package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

func TestAHeaderIsNeverPartOfAText(t *testing.T) {
	const insta = "---\nsource: src/prompt.rs\nexpression: render(&mode)\n---\n"
	for _, c := range []struct{ name, text, want string }{
		{"a.snap", insta + "You help.\n\n---\nRules.\n", "You help.\n\n---\nRules."},
		{"a.snap", insta + "You help.\n\n", "You help.\n"},
		{"a.snap", insta, ""},
		{"a.snap", "---\nsource: src/a.rs\ninfo:\n  mode: code\n---\nText", "Text"},
		{"a.snap", "---\ncreated: \"2019-01-01\"\ncreator: insta@0.8\nsource: tests/a.rs\nexpression: a\n---\nText\n", "Text"},
		{"a.snap", "Created: 2019-01-01\nCreator: insta@0.6\nSource: tests/a.rs\n\nText\n\nmore\n", "Text\n\nmore"},
		{"a.snap", "Creator: insta@0.6\n", ""},
		// Front matter of the text's own is the text's.
		{"a.snap", "---\nname: helper\ndescription: helps\n---\nText\n", "---\nname: helper\ndescription: helps\n---\nText\n"},
		{"a.snap", "---\ndescription: helps\nsource: the wiki\n---\nText\n", "---\ndescription: helps\nsource: the wiki\n---\nText\n"},
		{"a.snap", "---\nYou help.\n---\nexpression: a\n", "---\nYou help.\n---\nexpression: a\n"},
		{"a.snap", "Source: the wiki\n\nText\n", "Source: the wiki\n\nText\n"},
		{"a.md", insta + "Text\n", insta + "Text\n"},
		{"a.md", "# name: helper\n  text\n# ---\n", "# name: helper\n  text\n# ---\n"},
		// One text a file, as toMatchFileSnapshot and golden files have it.
		{"a.snap", "### System\n~~~md\nYou help.\n~~~\n", "### System\n~~~md\nYou help.\n~~~\n"},
		{"a.snap", "", ""},
		{"a.golden", "You help.\n", "You help.\n"},
		{"a.approved.txt", "You help.\n", "You help.\n"},
		{"prompt_001.log", "system: you help\n", "system: you help\n"},
	} {
		doc, found := load.Look(c.name, []byte(c.text))
		if doc == nil || len(found) > 0 || doc.Saved != nil {
			t.Errorf("%s %q: %v, %v", c.name, c.text, doc, found)
			continue
		}
		if d := cmp.Diff(c.want, doc.Body.Str); d != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.name, c.text, d)
		}
	}
}

func TestFilesOfSyrupyAreTheirEntries(t *testing.T) {
	entry := func(value string) string { return "# name: test_a[x > 'y'].1\n" + value + "\n# ---\n" }
	for _, c := range []struct{ name, text, want string }{
		{"lines", entry("  '''\n  a\n  \n    b\n  '''"), "a\n\n  b"},
		{"line break at the end", entry("  '''\n  a\n  \n  '''"), "a\n"},
		{"blank lines that an editor trimmed", entry("  '''\n  a\n\n  b\n  '''"), "a\n\nb"},
		{"what looks like the end", entry("  '''\n  # ---\n  '''\n  # name: b\n  '''"), "# ---\n'''\n# name: b"},
		{"as old versions have it", "# name: test_a[x > 'y'].1\n  '\n  a\n  b\n  '\n---\n", "a\nb"},
		{"one line", entry("  'say `hi` ${x} \"q\"'"), "say `hi` ${x} \"q\""},
		{"escapes", entry(`  'it\'s \\n \t \x07 \u2028 \U0001f600'`), "it's \\n \t \x07 \u2028 \U0001f600"},
		{"double quotes", entry(`  "it's"`), "it's"},
		{"nothing", entry("  ''"), ""},
		{"a number", entry("  12"), "12(no text)"},
		{"bytes", entry("  b'a'"), "b'a'(no text)"},
		{"a tuple", entry("  'a', 'b'"), "'a', 'b'(no text)"},
		{"an object", entry("  dict({\n    'a': '''\n      b\n    ''',\n  })"), "dict({\n  'a': '''\n    b\n  ''',\n})(no text)"},
		{"an escape that Python does not write", entry(`  'a\q'`), `'a\q'(no text)`},
		{"no value", "# name: test_a[x > 'y'].1\n# ---\n", "(no text)"},
	} {
		for _, version := range []string{"", "# serializer version: 1\n", "# serializer version: sorted\n"} {
			doc, found := load.Look("t.ambr", []byte(version+c.text))
			if doc == nil || len(found) > 0 || len(doc.Saved) != 1 {
				t.Errorf("%s: %v, %v", c.name, doc, found)
				continue
			}
			s := doc.Saved[0]
			got := s.Value.Str
			if !s.IsText {
				got += "(no text)"
			}
			if got != c.want || s.Name != "test_a[x > 'y'].1" {
				t.Errorf("%s: %q of %q, want %q", c.name, got, s.Name, c.want)
			}
			placed(t, s)
		}
	}
}

// placed holds that every byte of an entry's text has its place in the file.
func placed(t *testing.T, s language.Saved) {
	t.Helper()
	for i := range len(s.Value.Str) {
		at := s.Value.Span(i, i+1)
		if !at.Known() || at.Start < s.At.Start || at.End > s.At.End {
			t.Errorf("byte %d of %q stands at [%d, %d), outside of [%d, %d)", i, s.Value.Str, at.Start, at.End, s.At.Start, s.At.End)
			return
		}
	}
}

func TestFilesThatAreNoTextsAreRefused(t *testing.T) {
	const bad = "PC1020 "
	for _, c := range []struct{ name, text, want string }{
		{"a.snap", "---\nsource: src/a.rs\nexpression: a\n", "PC1020 1 the header of insta that starts here is never closed"},
		{"a.snap", "---\nsource: src/a.rs\nexpression: a\nYou help.\n", "PC1020 1 the header of insta that starts here is never closed"},
		{"a.snap", "---\nsource: src/a.rs\nextension: png\nsnapshot_kind: binary\n---\n", "PC1001 1 insta keeps a binary file beside this snapshot, and no text in it"},
		{"a.ambr", "You help.\n", bad + "1 this is not a line of a syrupy file: an entry is a line `# name: …`, a value indented by two blanks, and a line `# ---`"},
		{"a.ambr", "# name: a\n  'x'\n# ---\n# name: b\n  '''\n  cut", bad + "4 the file ends in the middle of this entry"},
		{"a.ambr", "# name: a\n  'x'\n# name: b\n  'y'\n# ---\n", bad + "3 this is not a line of a syrupy file: an entry is a line `# name: …`, a value indented by two blanks, and a line `# ---`"},
		{"a.snap", "\n[TestPrompt - 1]\nYou help.\n---\n", bad + `1 "a.snap" is a snapshot file of go-snaps, which promptc does not read`},
		{"a.snap", "export const snapshot = {};\n", bad + `1 "a.snap" is a snapshot file of Deno, which promptc does not read`},
		{"a.ss", "╔═ a ═╗\nYou help.\n", bad + `1 "a.ss" is a snapshot file of Selfie, which promptc does not read`},
		{"a.snap", "// Other Snapshot v1\n\nx\n", bad + `1 "a.snap" is a snapshot file of another program, which promptc does not read`},
		{"a.txt", "a\x00b", "PC1001 1 NUL character at offset 1"},
		{"a.txt", "a\x89PNG", `PC1001 1 byte 0x89 at offset 1 is not UTF-8`},
		{"a.txt", strings.Repeat("a", 16<<20+1), `PC1003 1 "a.txt" is larger than 16 MiB`},
	} {
		doc, found := load.Look(c.name, []byte(c.text))
		if doc != nil || len(found) != 1 {
			t.Errorf("%s %.40q: %v, %v", c.name, c.text, doc, found)
			continue
		}
		line, _ := found[0].Span.File.Position(found[0].Span.Start)
		if got := fmt.Sprintf("%s %d %s", found[0].Code, line, wording.Message(found[0])); got != c.want || found[0].Hint.None() {
			t.Errorf("%s %.40q:\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

func TestReceivedFilesAreNotRead(t *testing.T) {
	files := map[string]string{
		"t/a.approved.txt": "A.", "t/a.received.txt": "B.", "t/b.snap": "C.", "t/b.snap.new": "D.", "t/.b.rs.pending-snap": "{}", "t/received.txt": "E.",
	}
	tree, found := renderedBy(t, "t/*", files)
	var got []string
	for _, d := range docsOf(tree, "t/*") {
		got = append(got, d.File.Path)
	}
	if d := cmp.Diff([]string{"t/a.approved.txt", "t/b.snap", "t/received.txt"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(found) != 1 || found[0].Code != diag.ReceivedFile || found[0].Level != diag.Note {
		t.Errorf("%v", found)
	}
	if _, found := renderedBy(t, "t/*.received.txt", files); len(found) != 2 || found[0].Code != diag.RenderedNothing {
		t.Errorf("nothing but received files: %v", found)
	}
}

// toolsDoc reads a file that a rendered prompt names for its tools.
func toolsDoc(t *testing.T, text string) (*language.Doc, diag.List) {
	t.Helper()
	fsys := testproject.Of(
		"prompts.yaml", "version: 1\nprompts: {p: {rendered: a.txt, tools: 't/*.snap'}}\n",
		"a.txt", "A.",
		"t/a.snap", text,
	)
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	docs := tree.Matches[language.MatchKey{Path: "t/*.snap", Kind: language.ToolsKind}]
	if len(docs) == 0 {
		return nil, found
	}
	return docs[0], found
}

func TestToolsInSnapshotFilesAreTakenByTheirContent(t *testing.T) {
	const tool = "{\n  \"name\": \"exec\"\n}\n"
	for _, c := range []struct {
		text string
		line int // of the name; 0 for a file that is refused
	}{
		{tool, 2},
		{"\n[" + tool + "]", 3},
		{"---\nsource: src/a.rs\nexpression: tools\n---\n" + tool, 6},
		{"// Vitest Snapshot v1\n\nexports[`a 1`] = `\n{\n}\n`;\n", 0},
		{"You help.\n", 0},
		{"", 0},
	} {
		doc, found := toolsDoc(t, c.text)
		if c.line == 0 {
			if doc != nil || len(found) != 1 || found[0].Code != diag.WrongFormat {
				t.Errorf("%q: %v, %v", c.text, doc, found)
			}
			continue
		}
		if doc == nil || len(found) > 0 {
			t.Errorf("%q: %v", c.text, found)
			continue
		}
		n := doc.Data
		if n.Kind == ground.Sequence {
			n = n.Items[0]
		}
		at := n.Field("name").At
		if line, col := at.File.Position(at.Start); line != c.line || col != 11 {
			t.Errorf("%q: the name stands at %d:%d", c.text, line, col)
		}
	}
	if _, found := toolsDoc(t, "---\nexpression: tools\n---\n{\n  \"name\": x\n}\n"); len(found) != 1 || found[0].Code != diag.JSONSyntax {
		t.Errorf("%v", found)
	} else if line, _ := found[0].Span.File.Position(found[0].Span.Start); line != 5 {
		t.Errorf("the mistake stands in line %d", line)
	}
}

package load_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
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

// matched gives what a tree found, a line a lookup, sorted.
func matched(tree *language.Tree) string {
	var out []string
	add := func(key string, docs []*language.Doc) {
		var names []string
		for _, d := range docs {
			names = append(names, d.File.Path)
		}
		if docs == nil {
			names = append(names, "NIL")
		}
		out = append(out, strings.TrimSpace(key+" = "+strings.Join(names, " ")))
	}
	for key, docs := range tree.Matches {
		add(key.Path+" "+key.Kind, docs)
	}
	for key, docs := range tree.Walks {
		add(fmt.Sprintf("%s from %s %v", key.Path, key.Root, key.Local), docs)
	}
	slices.Sort(out)
	return strings.Join(out, "\n") + "\n"
}

func TestEveryPathOfTheManifestIsLookedUp(t *testing.T) {
	tree, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": `
x-paths: &paths [a.md, gone.md]
sources:
  one: {kind: text, path: *paths, fallback: "{m}/x.md", else: else.md}
  two: {kind: tools, path: [{when: {m: a}, value: [t.json, t2.json]}, {value: "*.json"}]}
  three: {kind: soul, path: "{m}{t}.md"}
  four: {kind: nonsense, path: a.md}
  five: {kind: rules, path: "{other}/a.md"}
  six: {kind: rules, path: "{a,b}.md"}
prompts:
  p:
    axes: {m: [a, b], t: {values: [1, 010], default: 1}}
    sections:
      - {id: s, path: b.md, style: {path: s.txt}}
      - {id: t, path: [{when: {m: a}, value: c.md}, {value: "{m}/x.md"}]}
  q:
    axes: {m: [b, c]}
`,
		"a.md": "a", "b.md": "b", "else.md": "e", "t.json": "1", "b/x.md": "x", "b010.md": "s", "s.txt": "s",
	}))
	if len(found) > 0 {
		t.Fatal(lines(found))
	}
	want := `*.json tools = t.json
a.md text = a.md
a/x.md text =
a010.md soul =
a1.md soul =
b.md text = b.md
b/x.md text = b/x.md
b010.md soul = b010.md
b1.md soul =
c.md text =
c/x.md text =
c010.md soul =
c1.md soul =
else.md text = else.md
gone.md text =
s.txt (style) = s.txt
t.json tools = t.json
t2.json tools =
{a,b}.md rules = a.md b.md
`
	if d := cmp.Diff(want, matched(tree)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// A file that two kinds read is one File, and two Docs.
	text := tree.Matches[language.MatchKey{Path: "a.md", Kind: "text"}][0]
	rules := tree.Matches[language.MatchKey{Path: "{a,b}.md", Kind: "rules"}][0]
	if text.File != rules.File || text == rules {
		t.Error("the file was not shared, or the document was")
	}
}

func TestGlobs(t *testing.T) {
	names := []string{
		"a.md", "B.md", "b.md", ".hidden.md", "d/a.md", "d/e/a.md", "d/e/f/g.txt", "d/.dot/x.md", ".git/a.md",
		"d/.git/b.md", "é/ü.md", "d/[x].md", "d/e/skill/SKILL.md",
	}
	fsys := fstest.MapFS{}
	for _, n := range names {
		fsys[n] = &fstest.MapFile{Data: []byte("x")}
	}
	tests := map[string]string{
		"*.md":             ".hidden.md B.md a.md b.md",
		"?.md":             "B.md a.md b.md",
		"[ab].md":          "a.md b.md",
		"[!a].md":          "B.md b.md",
		"[^A-Z].md":        "a.md b.md",
		"{b,a,a}.md":       "a.md b.md",
		"{d,é}/*.md":       "d/[x].md d/a.md é/ü.md",
		"{d/e,é}/*.md":     "d/e/a.md é/ü.md",
		"**/a.md":          "a.md d/a.md d/e/a.md",
		"d/**":             "d/.dot/x.md d/[x].md d/a.md d/e/a.md d/e/f/g.txt d/e/skill/SKILL.md",
		"d/**/**/a.md":     "d/a.md d/e/a.md",
		"**/e/**/*.{md,x}": "d/e/a.md d/e/skill/SKILL.md",
		"*/e/*/SKILL.md":   "d/e/skill/SKILL.md",
		"d/[[]x].md":       "d/[x].md",
		"*/?.md":           "d/a.md é/ü.md",
		"gone/*.md":        "",
		"a.md/*":           "",
		"d/*":              "d/[x].md d/a.md",
		"*/[e]":            "",
	}
	for pattern, want := range tests {
		t.Run(pattern, func(t *testing.T) {
			fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte("sources: {s: {kind: text, path: \"" + pattern + "\"}}")}
			tree, found := runOn(t, fsys)
			if len(found) > 0 {
				t.Fatal(lines(found))
			}
			if got := strings.TrimSpace(strings.TrimPrefix(matched(tree), pattern+" text =")); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestWidePathsAreRefused(t *testing.T) {
	axes := func(n int) string {
		var b strings.Builder
		b.WriteString("prompts: {p: {axes: {")
		for i := range n {
			fmt.Fprintf(&b, "a%d: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], ", i)
		}
		return b.String() + "}}}\n"
	}
	many := fstest.MapFS{}
	for i := range 10_001 {
		many[fmt.Sprintf("many/%d.md", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	tests := map[string]struct{ manifest, want string }{
		"10,000 alternatives": {"sources: {a: {kind: text, path: \"{" + strings.Repeat("a,", 1900) + "a}\"}}", "has more than 1,000 alternatives in braces"},
		"nested alternatives": {"sources: {a: {kind: text, path: \"" + strings.Repeat("{a,b}", 400) + "\"}}", "has more than 1,000 alternatives in braces"},
		"deep alternatives":   {"sources: {a: {kind: text, path: \"" + strings.Repeat("{a,", 1000) + strings.Repeat("}", 1000) + "\"}}", "has more than 1,000 alternatives in braces"},
		"long":                {"sources: {a: {kind: text, path: \"" + strings.Repeat("*a/", 1400) + "b\"}}", "is longer than 4,096 bytes"},
		"many stars":          {"sources: {a: {kind: text, path: \"many/" + strings.Repeat("*1", 1000) + "\"}}", ""},
		"many double stars":   {"sources: {a: {kind: text, path: \"" + strings.Repeat("**/*/", 500) + "a\"}}", ""},
		"many axes":           {axes(5) + "sources: {a: {kind: text, path: \"{a0}{a1}{a2}{a3}{a4}\"}}", "stands for more than 10,000 paths"},
		"axes enough":         {axes(4) + "sources: {a: {kind: text, path: \"{a0}{a1}{a2}{a3}\"}}", ""},
		"all paths": {
			axes(4) + "sources:\n  a: {kind: text, path: [\"{a0}{a1}{a2}{a3}\", \"b{a0}{a1}{a2}{a3}\", \"c{a0}{a1}{a2}{a3}\", \"d{a0}{a1}{a2}{a3}\", \"e{a0}{a1}{a2}{a3}\", \"f{a0}{a1}{a2}{a3}\"]}",
			"is one of more than 50,000 expanded paths",
		},
		"many files":        {"sources: {a: {kind: text, path: \"many/*\"}}", "has more than 10,000 files"},
		"value with braces": {"prompts: {p: {axes: {m: [\"{m}\"]}}}\nsources: {a: {kind: text, path: \"{m}.md\"}}", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fsys := testproject.Of("many/1.md", "x")
			if name == "many files" {
				fsys = many
			}
			fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte(test.manifest)}
			_, found := runOn(t, fsys)
			if test.want == "" && found.HasErrors() || test.want != "" && !strings.Contains(lines(found), test.want) {
				t.Errorf("want %q, got:\n%.300s", test.want, lines(found))
			}
		})
	}
}

func TestContextWalk(t *testing.T) {
	base := map[string]string{
		"CLAUDE.md": "top", "AGENTS.md": "top agents", "CLAUDE.local.md": "mine",
		"a/AGENTS.md": "a", "a/b/CLAUDE.md": " \n", "a/b/CLAUDE.local.md": "mine b",
		".claude/rules/z.md": "z", ".claude/rules/a.md": "a", ".claude/rules/deep/x.md": "x", ".claude/rules/t.txt": "t",
		"a/b/.claude/rules/b.md": "b", "a/b/c/AGENTS.md": "never", "d[1]/AGENTS.md": "d", "d[1]/.claude/rules/r.md": "r",
	}
	tests := map[string]struct{ source, want, findings string }{
		"to the top": {
			"path: a/b",
			"a/b from . false = CLAUDE.md .claude/rules/a.md .claude/rules/z.md AGENTS.md a/AGENTS.md a/b/CLAUDE.md a/b/.claude/rules/b.md", "",
		},
		"with local": {
			"path: a/b, root: a, local: true",
			"a/b from a true = a/AGENTS.md a/b/CLAUDE.md a/b/CLAUDE.local.md a/b/.claude/rules/b.md", "",
		},
		"root is the path":     {"path: a, root: a", "a from a false = a/AGENTS.md", ""},
		"the manifest's":       {"path: .", ". from . false = CLAUDE.md .claude/rules/a.md .claude/rules/z.md AGENTS.md", ""},
		"all of one folder":    {"path: ., local: true", ". from . true = CLAUDE.md CLAUDE.local.md .claude/rules/a.md .claude/rules/z.md AGENTS.md", ""},
		"a name with brackets": {"path: \"d[1]\", root: \"d[1]\"", "d[1] from d[1] false = d[1]/.claude/rules/r.md d[1]/AGENTS.md", ""},
		"missing":              {"path: gone", "gone from . false =", ""},
		"missing below a file": {"path: AGENTS.md/x", "AGENTS.md/x from . false =", ""},
		"axes":                 {"path: \"{m}\", root: \"{m}\"", "a from a false = a/AGENTS.md\ngone from gone false =", ""},
		"a file":               {"path: AGENTS.md", "AGENTS.md from . false =", "2:36: error[PC1018]: \"AGENTS.md\" is a file, not a folder to walk from"},
		"outside":              {"path: a, root: a/b", "a from a/b false =", "2:36: error[PC1015]: path \"a\" is not inside its root \"a/b\""},
		"beside":               {"path: ab, root: a", "ab from a false =", "2:36: error[PC1015]: path \"ab\" is not inside its root \"a\""},
		"up":                   {"path: .., root: a", "", "2:36: error[PC1015]: path \"..\" leaves its folder"},
		"root up":              {"path: a, root: ..", "a from .. false =", "2:45: error[PC1015]: path \"..\" leaves its folder"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			base["prompts.yaml"] = "prompts: {p: {axes: {m: [a, gone]}}}\nsources: {s: {kind: context, " + test.source + "}}"
			tree, found := runOn(t, testproject.From(base))
			if d := cmp.Diff(test.want+"\n", matched(tree)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			want := ""
			if test.findings != "" {
				want = "prompts.yaml:" + test.findings + "\n"
			}
			if d := cmp.Diff(want, lines(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

func TestOneNoteTellsOfNormalisedFiles(t *testing.T) {
	_, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": "\ufeffsources: {a: {kind: text, path: \"*.md\"}}\r\n",
		"a.md":         "x\r\n", "b.md": "\ufeffy\n", "c.md": "z\n",
	}))
	if len(found) != 1 || found[0].Code != diag.TextNormalised {
		t.Fatal(lines(found))
	}
	want := []string{"a.md: CRLF", "b.md: byte order mark", "prompts.yaml: byte order mark, CRLF"}
	if d := cmp.Diff(want, wording.Detail(found[0])); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := lines(found); got != "a.md:1:1: note[PC1004]: 3 files have CRLF or CR line breaks or a byte order mark, which texts do not keep\n" {
		t.Error(got)
	}
}

func TestTextThatIsNone(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"late byte":              {"\ufeffé\r\n\ufffdx\xff\xfe", "a.md:2:3: error[PC1001]: byte 0xff at offset 11 is not UTF-8\n"},
		"cut character":          {"ab\xc3", "a.md:1:3: error[PC1001]: byte 0xc3 at offset 2 is not UTF-8\n"},
		"surrogate":              {"\xed\xa0\x80", "a.md:1:1: error[PC1001]: byte 0xed at offset 0 is not UTF-8\n"},
		"NUL":                    {"a\r\nb\x00", "a.md:1:1: note[PC1004]: 1 file has CRLF or CR line breaks or a byte order mark, which texts do not keep\na.md:2:2: error[PC1001]: NUL character at offset 4\n"},
		"UTF-16":                 {"\xff\xfea\x00", "a.md:1:1: error[PC1001]: the file is encoded as UTF-16 (little endian), not as UTF-8\n"},
		"UTF-16, big":            {"\xfe\xff\x00a", "a.md:1:1: error[PC1001]: the file is encoded as UTF-16 (big endian), not as UTF-8\n"},
		"the replacement itself": {"\ufffd", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc, found := readAs(t, "text", "a.md", test.text)
			if d := cmp.Diff(test.want, lines(found)); d != "" || (doc == nil) != (test.want != "") {
				t.Errorf("document %v; (-want +got):\n%s", doc != nil, d)
			}
		})
	}
}

// failing is a file system in which one name cannot be read.
type failing struct {
	fs.FS
	name string
}

func (f failing) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: "/somewhere/" + name, Err: fs.ErrPermission}
	}
	return f.FS.Open(name)
}

func TestWhatCannotBeReadIsAnErrorWithItsPath(t *testing.T) {
	base := testproject.From(map[string]string{
		"prompts.yaml": "sources: {a: {kind: text, path: [\"d/*.md\", e.md]}, b: {kind: context, path: w}}",
		"d/a.md":       "a", "e.md": "e", "w/AGENTS.md": "w", "w/.claude/rules/r.md": "r",
	})
	for _, name := range []string{"prompts.yaml", "d", "d/a.md", "e.md", "w", "w/AGENTS.md", "w/.claude/rules", "w/.claude/rules/r.md"} {
		tree, _, err := load.Run(failing{base, name}, "prompts.yaml", validate.Language{})
		if want := "read " + name + ": permission denied"; err == nil || wording.Error(err) != want || !errors.Is(err, fs.ErrPermission) || tree != nil {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

func TestManifestThatCannotBeRead(t *testing.T) {
	for name, fsys := range map[string]fstest.MapFS{
		"missing": {}, "folder": {"prompts.yaml/a": {Data: []byte("x")}},
	} {
		if _, _, err := load.Run(fsys, "prompts.yaml", validate.Language{}); err == nil || !strings.Contains(err.Error(), "prompts.yaml") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

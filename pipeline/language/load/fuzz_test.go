package load_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// fuzzRun runs load over files and asserts what holds for every input.
func fuzzRun(t *testing.T, texts map[string]string) *language.Tree {
	t.Helper()
	tree, found, err := load.Run(testproject.From(texts), "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	checkSpans(t, tree, found)
	if tree.Manifest == nil && !found.HasErrors() {
		t.Error("no manifest, and no error says so")
	}
	again, foundAgain, err := load.Run(testproject.From(texts), "prompts.yaml", validate.Language{})
	if err != nil || lines(found) != lines(foundAgain) || (again.Manifest == nil) != (tree.Manifest == nil) {
		t.Errorf("two runs differ:\n%s\n%s", lines(found), lines(foundAgain))
	}
	return tree
}

func FuzzManifest(f *testing.F) {
	for _, seed := range yamlSeeds {
		f.Add(seed)
	}
	for _, mistake := range []string{
		"a: b: c", "a: b\rc: d: e", "a: {b: c d: e}", "a: {{ b }} c", "- {a: {{b}} c}", "a:\n  b: c\n   d: e", "a: b\u2028 c: d: e", "\ufeffa: b: c", "a: [{{b}}, c: d: e",
	} {
		f.Add(mistake)
	}
	f.Add("sources: {a: {kind: text, path: '*/{a,b}.md'}, c: {kind: context, path: d, root: .}}\nprompts: {p: {axes: {m: [d]}, sections: [{path: '{m}/a.md'}]}}\n")
	f.Fuzz(func(t *testing.T, manifest string) {
		fuzzRun(t, map[string]string{"prompts.yaml": manifest, "d/a.md": "a", "d/CLAUDE.md": "c", "b.md": "b"})
	})
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range yamlSeeds {
		f.Add("---\n" + seed + "\n---\nbody\n")
	}
	f.Add("---\nglobs: **/*.ts, a\nalwaysApply: true\n---\n<!-- x --> <!-- y -->\n\n  body  \n\n")
	f.Add("- **Name:**\n  _(x)_\n- **名称：** y\n- a: b\n")
	f.Fuzz(func(t *testing.T, text string) {
		const manifest = `sources:
  a: {kind: rules, path: a.mdc}
  b: {kind: skills, path: a.md}
  c: {kind: identity, path: a.md}
  d: {kind: workspace, path: a.md}
`
		fuzzRun(t, map[string]string{"prompts.yaml": manifest, "a.md": text, "a.mdc": text})
	})
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -2.5e3, true, null, "x\n\u00e9\ud83d\ude00"], "a": {}}`, `[`, `"\ud800"`, `{"a":1,}`, "[1 2]", "\"\t\"", "[[[[", `1 2`, "\ufeff{}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fuzzRun(t, map[string]string{"prompts.yaml": "sources: {a: {kind: tools, path: a.json}}", "a.json": text})
	})
}

// FuzzPositions writes a text in every style of YAML scalar and asserts that
// what comes back is placed byte by byte, or in quotes as a whole.
func FuzzPositions(f *testing.F) {
	for _, seed := range []string{"one", "one\ntwo\n\n three\n", "日本語 😀\n\ttab", "a: b # c", "'\"\\", " x", "x ", "\n\nx\n\n"} {
		f.Add(seed, uint8(4))
	}
	f.Fuzz(func(t *testing.T, text string, indent uint8) {
		if strings.ContainsFunc(text, notPlain) || !strings.ContainsFunc(text, func(r rune) bool { return r > ' ' }) {
			t.Skip()
		}
		pad := strings.Repeat(" ", int(indent%8)+1)
		text = strings.TrimLeft(text, " \n\t")
		var b strings.Builder
		b.WriteString("单引号: '" + strings.ReplaceAll(text, "'", "''") + "'\n")
		b.WriteString("x-double: \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text) + "\"\n")
		b.WriteString("x-literal: |+\n" + pad + strings.ReplaceAll(text, "\n", "\n"+pad) + "\n")
		b.WriteString("x-folded: >-\n" + pad + strings.ReplaceAll(text, "\n", "\n"+pad) + "\n")
		tree := fuzzRun(t, map[string]string{"prompts.yaml": b.String()})
		if tree.Manifest == nil {
			t.Skip() // the text broke the file: a document marker, say
		}
		for key, node := range map[string]*ground.Node{
			"double": tree.Manifest.Field("x-double"), "literal": tree.Manifest.Field("x-literal"),
		} {
			if got := node.Scalar(); strings.TrimRight(got, "\n") != strings.TrimRight(text, "\n") {
				t.Errorf("%s: got %q, want %q", key, got, text)
			}
		}
		for _, field := range tree.Manifest.Fields {
			checkPlaced(t, field.Key, field.Value)
		}
	})
}

// notPlain tells characters that cannot stand in YAML unescaped.
func notPlain(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffd || r == 0xfffe || r == 0xffff || r == 0x2028 || r == 0x2029
}

// checkPlaced asserts that every visible ASCII letter of a text has its own
// byte in the file, or the whole text where it is in quotes.
func checkPlaced(t *testing.T, name string, n *ground.Node) {
	t.Helper()
	for i := range len(n.Text.Str) {
		c := n.Text.Str[i]
		if c < 'a' || c > 'z' {
			continue
		}
		at := n.Text.Span(i, i+1)
		exact := at.Known() && at.End == at.Start+1 && at.File.Text[at.Start] == c
		if whole := at == n.At && strings.IndexByte(`"'`, at.File.Text[at.Start]) >= 0; !exact && !whole {
			t.Errorf("%s: letter %d of %q is not placed", name, i, n.Text.Str)
			return
		}
	}
}

var yamlSeeds = []string{
	"version: 1\n",
	"a: &x [1, 2]\nb: *x\nc: {d: 'e''f', g: \"h\\n\\u00e9\\\n  i\"}\n",
	"a: |\n  one\n   two\n\n  three\nb: >-\n  one\n  two\n\n  three\n    four\n",
	"a: one\n  two\n\n  three # c\n? b\n: c\n",
	"a: !!str 5\nb: !x y\nc: !<tag:yaml.org,2002:int> 3\n<<: {a: b}\n",
	"---\na: b\n---\nc: d\n",
	"a: [b: c, {d, e: }]\n\"f\":g\n",
	"%YAML 1.1\n---\na\u0085b: c\n",
	"a:\n- &y\n- *y\n- - - x\n",
	"\tx: y\n", "a: b: c\n", "a: @b\n", "a: 'b\n", "a: [b\n", "&a [*a]\n",
	"description: Use when: x\nglobs: *.ts\n",
	"a: \"\\ud83d\\ude00 \\ud83d \\\\ud83d\": '\\ud83d'\nb: [\"\\ude00\", \"x\\ud83d\\ude00\" y]\n", "{\"\\ud83d\\ude00\": \"\\ud83d\\ude00\", b: c: d}\n---\n\"\\ud83d\"\n",
}

func FuzzConversation(f *testing.F) {
	for _, seed := range yamlSeeds {
		f.Add(seed)
	}
	for _, seed := range []string{
		"workspace: ws\nselected: [a.md, '*', '../x', B.md]\ntiers: {L0: [file:d/b.md, symbol:x, file:], L9: x}\n",
		"workspace: ./ws/\nselected: {a: b}\n", "workspace: .\nselected: [prompts.yaml, f/a.yaml]\n", "workspace: &a ws\nselected: [*a, ./, /]\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fuzzRun(t, map[string]string{
			"prompts.yaml": "sources: {c: {kind: conversation, path: f/a.yaml}}", "f/a.yaml": text,
			"ws/a.md": "a", "ws/b.md": "\x00", "ws/d/b.md": "<<<<<<< ",
		})
	})
}

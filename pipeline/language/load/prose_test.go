package load_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/tests/testproject"
)

func TestBodies(t *testing.T) {
	tests := map[string]struct{ name, text, body string }{
		"outer blank lines":      {"a.md", "\n \t\n  one\n\ntwo  \n\n\n", "  one\n\ntwo  "},
		"no-break space":         {"a.md", "\u00a0\n\u3000\none\n\u00a0\n", "one"},
		"comment":                {"a.md", "<!-- c -->\none\n", "one"},
		"comments":               {"a.md", "\n<!-- c -->\n\n  <!-- d\ne --> <!---->\n\n  one <!-- kept -->\n", "  one <!-- kept -->"},
		"text behind a comment":  {"a.md", "<!-- c -->  one\n", "one"},
		"only comments":          {"a.md", "<!-- c -->\n<!-->\n<!--->\n", ""},
		"later comment":          {"a.md", "one\n<!-- open\n", "one\n<!-- open"},
		"comment in plain text":  {"a.txt", "\n<!-- c -->\n", "<!-- c -->"},
		"front in plain text":    {"a.txt", "---\na: b\n---\n", "---\na: b\n---"},
		"later rule":             {"a.md", "one\n---\na: b\n---\n", "one\n---\na: b\n---"},
		"behind front matter":    {"a.md", "---\na: b\n---\n\n<!-- c -->\n\n  one\n", "  one"},
		"upper case extension":   {"a.MD", "---\na: b\n---\none\n", "one"},
		"json read as text":      {"a.json", "{\n", "{"},
		"no extension":           {"a", "---\n", "---"},
		"nothing":                {"a.md", "", ""},
		"only front matter":      {"a.md", "---\na: b\n---", ""},
		"rule of another length": {"a.md", "----\none\n", "----\none"},
		"comment before front":   {"a.md", "<!-- c -->\n---\na: b\n---\n", "---\na: b\n---"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc, found := readAs(t, "text", test.name, test.text)
			if len(found) > 0 != (name == "comment before front") {
				t.Fatal(lines(found))
			}
			if doc.Body.Str != test.body || doc.Empty() != (test.body == "") {
				t.Errorf("body is %q, want %q", doc.Body.Str, test.body)
			}
		})
	}
}

func TestStyleFilesAreKeptButForTheirLastBreak(t *testing.T) {
	const text = "\n<!-- c -->\n---\n  x \n\n\n"
	tree, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": `
sources:
  a: {kind: skills, style: {path: s.md}}
  b: {kind: skills, style: [{when: {m: a}, value: {path: s2.json}}, {value: moltis}]}
prompts: {p: {axes: {m: [a, b]}, sections: [{style: [{when: {m: a}, value: {path: "s-{m}.md"}}]}]}}
`,
		"s.md": text, "s2.json": text, "s-a.md": text,
	}))
	if found.HasErrors() {
		t.Fatal(lines(found))
	}
	for _, name := range []string{"s.md", "s2.json", "s-a.md"} {
		docs := tree.Matches[language.MatchKey{Path: name, Kind: language.StyleKind}]
		if len(docs) != 1 || docs[0].Body.Str != "\n<!-- c -->\n---\n  x " || docs[0].Format != language.PlainText {
			t.Errorf("%s: %v", name, docs)
		}
	}
}

func TestLabels(t *testing.T) {
	type pair struct{ Name, Value, Placed string }
	tests := map[string]struct {
		text string
		want []pair
	}{
		"forms": {
			"# Me\n\n- **Name:** Momo\n- **Vibe**: calm: very\n* Emoji: 🐱\n+ _Theme_ : dark\n",
			[]pair{
				{"Name", "Momo", "3:3 **Name:** Momo"},
				{"Vibe", "calm: very", "4:3 **Vibe**: calm: very"},
				{"Emoji", "🐱", "5:3 Emoji: 🐱"},
				{"Theme", "dark", "6:3 _Theme_ : dark"},
			},
		},
		"next lines": {
			"- **Name:**\n  _(pick\n  one)_\n- **Vibe:** a\nlazy\n",
			[]pair{{"Name", "_(pick one)_", "1:3 **Name:**\n  _(pick\n  one)_"}, {"Vibe", "a lazy", "4:3 **Vibe:** a\nlazy"}},
		},
		"full width": {
			"- **名称：** Momo\n- 风格：温暖：很\n- **头像**：_x_\n",
			[]pair{{"名称", "Momo", "1:3 **名称：** Momo"}, {"风格", "温暖：很", "2:3 风格：温暖：很"}, {"头像", "_x_", "3:3 **头像**：_x_"}},
		},
		"empty value": {"- Name:\n- **Vibe:**\n", []pair{{"Name", "", "1:3 Name:"}, {"Vibe", "", "2:3 **Vibe:**"}}},
		"no labels": {
			"- plain\n- http://x\n- **open: x\n- `code: x`\n- : x\n1. Name: x\n\n```\n- Name: x\n```\n\n    - Name: x\n\n> - Name: x\n\nName: x\n",
			nil,
		},
		"nested": {"- Name: x\n  - Vibe: y\n- # Heading: z\n", []pair{{"Name", "x", "1:3 Name: x"}}},
		"CRLF":   {"- Name:\r\n  Momo\r\n", []pair{{"Name", "Momo", "1:3 Name:\n  Momo"}}},
		"behind front matter": {
			"---\na: b\n---\n<!-- c -->\n- Name: x\n", []pair{{"Name", "x", "5:3 Name: x"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc, found := readAs(t, "identity", "a.md", test.text)
			if found.HasErrors() {
				t.Fatal(lines(found))
			}
			var got []pair
			for _, l := range doc.Labels {
				got = append(got, pair{l.Name.Str, l.Value.Str, spot(l.Placed)})
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestCursorDialect(t *testing.T) {
	doc, found := readAs(t, "rules", "a.mdc", "---\ndescription: Use when: \"x\" # y\nglobs: *.ts, **/{a,b}.md\nalwaysApply: true\nname: 'q'\nempty:\npaths:\n  - *.go\n  - \"b\"\n# c\n\n---\nbody\n")
	if len(found) > 0 {
		t.Fatal(lines(found))
	}
	got := map[string]string{}
	for _, f := range doc.Front.Fields {
		got[f.Key] = spot(f.Value.At) + " = " + f.Value.Scalar()
	}
	want := map[string]string{
		"description": `2:14 Use when: "x" # y = Use when: "x" # y`,
		"globs":       "3:8 *.ts, **/{a,b}.md = *.ts, **/{a,b}.md",
		"alwaysApply": "4:14 true = true",
		"name":        "5:7 'q' = q",
		"empty":       "6:7  = ",
		"paths":       "8:3 - *.go\n  - \"b\" = ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := doc.Front.Field("alwaysApply"); n.Kind != ground.Bool {
		t.Errorf("alwaysApply has the kind %v", n.Kind)
	}
	if items := doc.Front.Field("paths").Items; len(items) != 2 || items[1].Scalar() != "b" {
		t.Errorf("paths are %v", items)
	}
}

// TestCursorDialectWhereNothingIsUsed holds that a kind without fields does not
// refuse a file for what it drops; others go by the name of the file.
func TestCursorDialectWhereNothingIsUsed(t *testing.T) {
	const text = "---\ndescription: Uses: all\nglobs: **/*.{ts,tsx}\n---\nbody\n"
	for kind, want := range map[string]string{
		"text": "", "soul": "", "rules": "a.md:2:18: error[PC1005]",
	} {
		doc, found := readAs(t, kind, "a.md", text)
		if got := lines(found); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
		if want == "" && (doc.Body.Str != "body" || len(doc.Front.Fields) != 2) {
			t.Errorf("%s: %q, %v", kind, doc.Body.Str, doc.Front)
		}
	}
	if _, found := readAs(t, "text", "a.md", "---\na: *b\nfree text\n---\nbody\n"); !found.HasErrors() {
		t.Error("a block that is no front matter is left out")
	}
}

func TestCursorDialectStillRefuses(t *testing.T) {
	tests := map[string]struct{ front, want string }{
		"a key twice":  {"globs: *.ts\nglobs: b\n", "a.mdc:3:1: error[PC1007]: the key \"globs\" appears twice\n"},
		"no key":       {"globs: *.ts\nfree text\n", "a.mdc:3:1: error[PC1005]: a line without \":\" where a key is expected\n"},
		"list in text": {"globs: *.ts\n- b\n", "a.mdc:2:8: error[PC1005]: a text that starts with * needs quotes: YAML takes it for an alias\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, found := readAs(t, "rules", "a.mdc", "---\n"+test.front+"---\n")
			if d := cmp.Diff(test.want, lines(found)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

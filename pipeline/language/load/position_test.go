package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// spot gives a place as line:column and the source from there to its end.
func spot(s diag.Span) string {
	if !s.Known() {
		return "nowhere"
	}
	row, column := s.File.Position(s.Start)
	return fmt.Sprintf("%d:%d %s", row, column, s.File.Text[s.Start:s.End])
}

// spotOf gives the place of the first occurrence of a word in a text.
func spotOf(t *testing.T, text ground.Text, word string) string {
	t.Helper()
	i := strings.Index(text.Str, word)
	if i < 0 {
		t.Fatalf("no %q in %q", word, text.Str)
	}
	return spot(text.Span(i, i+len(word)))
}

func TestScalarsKnowTheirPlace(t *testing.T) {
	tests := map[string]struct{ yaml, text, word, at string }{
		"plain":               {"a: one two\n", "one two", "two", "1:8 two"},
		"plain of two lines":  {"a: one\n  two\n", "one two", "two", "2:3 two"},
		"plain, empty lines":  {"a: one\n\n\n  two\n", "one\n\ntwo", "two", "4:3 two"},
		"single":              {"a: 'it''s here'\n", "it's here", "here", "1:11 here"},
		"single quote":        {"a: 'it''s'\n", "it's", "'", "1:7 '"},
		"double":              {`a: "x\ty here"` + "\n", "x\ty here", "here", "1:10 here"},
		"escape":              {`a: "x\u00e9y"` + "\n", "xéy", "é", `1:6 \u00e9`},
		"wide escape":         {`a: "\U0001F600y"` + "\n", "😀y", "y", "1:15 y"},
		"pair":                {`a: "x\ud83d\uDE00y"` + "\n", "x😀y", "😀", `1:6 \ud83d\uDE00`},
		"behind pairs":        {`{"é\ud83d\ude00":"\ud83d\ude00 \\ud83d \\\ud83d\ude00 two"}`, `😀 \ud83d \😀 two`, "two", "1:55 two"},
		"pair in a tag":       {`a: !!str &b "\ud83d\ude00 two" # "\ud83d` + "\n", "😀 two", "two", "1:27 two"},
		"pair in two lines":   {"a: \"\\ud83d\\ude00\n  \\ud83d\\ude00 two\"\n", "😀 😀 two", "two", "2:16 two"},
		"no pair, single":     {`a: '\ud83d\ude00 "two"'` + "\n", `\ud83d\ude00 "two"`, "two", "1:19 two"},
		"no pair, plain":      {`a: \ud83d\ude00 "two"` + "\n", `\ud83d\ude00 "two"`, "two", "1:18 two"},
		"no pair, literal":    {"a: |\n  \"\\ud83d\\ude00\" two\n", "\"\\ud83d\\ude00\" two\n", "two", "2:18 two"},
		"escaped break":       {"a: \"one \\\n    two\"\n", "one two", "two", "2:5 two"},
		"folded quote":        {"a: \"one\n\n    two\"\n", "one\ntwo", "two", "3:5 two"},
		"literal":             {"a: |\n  one\n  two\n  three\n", "one\ntwo\nthree\n", "three", "4:3 three"},
		"literal indented":    {"a: |2\n    one\n  two\n", "  one\ntwo\n", "one", "2:5 one"},
		"literal, empty line": {"a: |\n  one\n\n  two\n", "one\n\ntwo\n", "two", "4:3 two"},
		"literal, keep":       {"a: |+\n  one\n\n\n", "one\n\n\n", "one", "2:3 one"},
		"literal, comment":    {"a: | # why\n  one\n", "one\n", "one", "2:3 one"},
		"literal, no break":   {"a: |\n  one", "one", "one", "2:3 one"},
		"literal, blank end":  {"a: |\n  one\n   ", "one\n \n", "one", "2:3 one"},
		"folded":              {"a: >\n  one\n  two\n\n  three\n", "one two\nthree\n", "two", "3:3 two"},
		"folded, third":       {"a: >\n  one\n  two\n\n  three\n", "one two\nthree\n", "three", "5:3 three"},
		"folded, code":        {"a: >\n  one\n    two\n  three\n", "one\n  two\nthree\n", "two", "3:5 two"},
		"folded, led by gap":  {"a: >\n\n\n  one\n", "\n\none\n", "one", "4:3 one"},
		"tab":                 {"a: |\n  one\ttwo\n", "one\ttwo\n", "two", "2:7 two"},
		"han":                 {"日本: 値です\n", "値です", "です", "1:6 です"},
		"emoji":               {"\"😀\": '👨‍👩‍👧 x'\n", "👨‍👩‍👧 x", "x", "1:13 x"},
		"CRLF":                {"a: |\r\n  one\r\n  two\r\nb: c\r\n", "one\ntwo\n", "two", "3:3 two"},
		"BOM":                 {"\ufeffa: one\n", "one", "one", "1:4 one"},
		"lone CR":             {"a: one\rb: two\n", "one", "one", "1:4 one"},
		"next line character": {"a: one\u0085b: two\n", "one", "one", "1:4 one"},
		"anchor":              {"a: &name one\n", "one", "one", "1:10 one"},
		"tag":                 {"a: !!str # c\n  5\n", "5", "5", "2:3 5"},
		"colon without blank": {`{"a":one}`, "one", "one", "1:6 one"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tree, found := runManifest(t, test.yaml)
			if found.HasErrors() {
				t.Fatal(lines(found))
			}
			text := tree.Manifest.Fields[0].Value.Text
			if text.Str != test.text {
				t.Errorf("text is %q, want %q", text.Str, test.text)
			}
			if got := spotOf(t, text, test.word); got != test.at {
				t.Errorf("%q is at %q, want %q", test.word, got, test.at)
			}
		})
	}
}

// outline writes a node with its places, a line each.
func outline(b *strings.Builder, indent string, n *ground.Node) {
	kind := [...]string{"null", "bool", "number", "string", "sequence", "mapping"}[n.Kind]
	fmt.Fprintf(b, "%s%s %s\n", indent, kind, strings.ReplaceAll(spot(n.At), "\n", "⏎"))
	for _, item := range n.Items {
		outline(b, indent+"  ", item)
	}
	for _, f := range n.Fields {
		fmt.Fprintf(b, "%s%s at %s\n", indent+"  ", f.Key, spot(f.KeyAt))
		outline(b, indent+"    ", f.Value)
	}
}

func TestNodesKnowTheirPlace(t *testing.T) {
	tests := map[string]struct{ yaml, want string }{
		"block": {
			"a:\n  b: 1\n  c:\n  - x # c\n  - 'y'\nd: {e: [], f: { g: h } } # c\n",
			`mapping 1:1 a:⏎  b: 1⏎  c:⏎  - x # c⏎  - 'y'⏎d: {e: [], f: { g: h } }
  a at 1:1 a
    mapping 2:3 b: 1⏎  c:⏎  - x # c⏎  - 'y'
      b at 2:3 b
        number 2:6 1
      c at 3:3 c
        sequence 4:3 - x # c⏎  - 'y'
          string 4:5 x
          string 5:5 'y'
  d at 6:1 d
    mapping 6:4 {e: [], f: { g: h } }
      e at 6:5 e
        sequence 6:8 []
      f at 6:12 f
        mapping 6:15 { g: h }
          g at 6:17 g
            string 6:20 h
`,
		},
		"scalars": {
			"a: on\nb: 010\nc: 1.50\nd: true\ne: null\nf:\ng: ~\nh: 2026-11-20\ni: \"1\"\nj: 1e3\nk: 0x1F\nl: !!str 1\nm: |-\n  1\n",
			`mapping 1:1 a: on⏎b: 010⏎c: 1.50⏎d: true⏎e: null⏎f:⏎g: ~⏎h: 2026-11-20⏎i: "1"⏎j: 1e3⏎k: 0x1F⏎l: !!str 1⏎m: |-⏎  1
  a at 1:1 a
    string 1:4 on
  b at 2:1 b
    string 2:4 010
  c at 3:1 c
    number 3:4 1.50
  d at 4:1 d
    bool 4:4 true
  e at 5:1 e
    null 5:4 null
  f at 6:1 f
    null 6:3 
  g at 7:1 g
    string 7:4 ~
  h at 8:1 h
    string 8:4 2026-11-20
  i at 9:1 i
    string 9:4 "1"
  j at 10:1 j
    number 10:4 1e3
  k at 11:1 k
    string 11:4 0x1F
  l at 12:1 l
    string 12:10 1
  m at 13:1 m
    string 13:4 |-⏎  1
`,
		},
		"aliases stand where their anchor is": {
			"x-a: &a {b: c}\nd: [*a]\ne: *a\n",
			`mapping 1:1 x-a: &a {b: c}⏎d: [*a]⏎e: *a
  x-a at 1:1 x-a
    mapping 1:9 {b: c}
      b at 1:10 b
        string 1:13 c
  d at 2:1 d
    sequence 2:4 [*a]
      mapping 1:9 {b: c}
        b at 1:10 b
          string 1:13 c
  e at 3:1 e
    mapping 1:9 {b: c}
      b at 1:10 b
        string 1:13 c
`,
		},
		"odd": {
			"? a\n: - b\n  - - c\n\"d\" : &x\ne: [f: g, {h}, # c\n ]\n",
			`mapping 1:1 ? a⏎: - b⏎  - - c⏎"d" : &x⏎e: [f: g, {h}, # c⏎ ]
  a at 1:3 a
    sequence 2:3 - b⏎  - - c
      string 2:5 b
      sequence 3:5 - c
        string 3:7 c
  d at 4:1 "d"
    null 4:7 
  e at 5:1 e
    sequence 5:4 [f: g, {h}, # c⏎ ]
      mapping 5:5 f: g
        f at 5:5 f
          string 5:8 g
      mapping 5:11 {h}
        h at 5:12 h
          null 5:13 
`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tree, found := runManifest(t, test.yaml)
			if len(found) > 0 {
				t.Fatal(lines(found))
			}
			var b strings.Builder
			outline(&b, "", tree.Manifest)
			if d := cmp.Diff(test.want, b.String()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestJSONKnowsItsPlace(t *testing.T) {
	doc, found := readAs(t, "tools", "a.json", "\ufeff{\r\n\t\"näme\": \"x\\n\\u00e9\\ud83d\\ude00y\",\r\n \"b\": [1.50, true,null , {}]\r\n}\r\n")
	if found.HasErrors() {
		t.Fatal(lines(found))
	}
	var b strings.Builder
	outline(&b, "", doc.Data)
	want := "mapping 1:1 {⏎\t\"näme\": \"x\\n\\u00e9\\ud83d\\ude00y\",⏎ \"b\": [1.50, true,null , {}]⏎}\n" +
		"  näme at 2:2 \"näme\"\n    string 2:10 \"x\\n\\u00e9\\ud83d\\ude00y\"\n" +
		"  b at 3:2 \"b\"\n    sequence 3:7 [1.50, true,null , {}]\n      number 3:8 1.50\n      bool 3:14 true\n      null 3:19 null\n      mapping 3:26 {}\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	text := doc.Data.Fields[0].Value.Text
	if text.Str != "x\né😀y" {
		t.Errorf("text is %q", text.Str)
	}
	for word, at := range map[string]string{"x": "2:11 x", "\n": "2:12 \\n", "é": "2:14 \\u00e9", "😀": "2:20 \\ud83d\\ude00", "y": "2:32 y"} {
		if got := spotOf(t, text, word); got != at {
			t.Errorf("%q is at %q, want %q", word, got, at)
		}
	}
}

func TestFrontMatterKnowsItsPlace(t *testing.T) {
	doc, found := readAs(t, "skills", "a.md", "\ufeff---\r\nname: x\r\ndescription: >-\r\n  日本 one\r\n  two\r\n---\r\n\r\n<!-- c -->\r\n\r\n  Body\r\n\r\nlast  \r\n \r\n")
	if found.HasErrors() {
		t.Fatal(lines(found))
	}
	if got := spotOf(t, doc.Front.Field("description").Text, "two"); got != "5:3 two" {
		t.Errorf("two is at %q", got)
	}
	if got := spotOf(t, doc.Front.Field("description").Text, "one"); got != "4:6 one" {
		t.Errorf("one is at %q", got)
	}
	if want := "  Body\n\nlast  "; doc.Body.Str != want {
		t.Errorf("body is %q, want %q", doc.Body.Str, want)
	}
	if got := spotOf(t, doc.Body, "last"); got != "12:1 last" {
		t.Errorf("last is at %q", got)
	}
	if got, want := spot(doc.FrontAt), "1:1 ---\nname: x\ndescription: >-\n  日本 one\n  two\n---\n"; got != want {
		t.Errorf("front matter is at %q, want %q", got, want)
	}
}

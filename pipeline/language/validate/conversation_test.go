package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

const talkManifest = `
version: 1
sources: {talk: {kind: conversation, path: "talk.*"}}
prompts: {p: {dialect: anthropic, layout: {name: messages, conversation: talk}, sections: [{id: s, text: x}]}}
`

// talk gives the conversation of one fixture; load may say what it likes of
// the workspace, which is not there.
func talk(t *testing.T, name, text string) (*language.Conversation, diag.List) {
	t.Helper()
	tree := read(t, testproject.Of("prompts.yaml", talkManifest, name, text))
	spec, found := validate.Run(tree)
	for _, doc := range tree.Matches[language.MatchKey{Path: "talk.*", Kind: "conversation"}] {
		return spec.Conversations[doc], found
	}
	t.Fatal("the fixture was not read")
	return nil, nil
}

// everything is a fixture with all that there is.
const everything = `workspace: ws
selected: [z.go, src/a b.go, "app/[id]/page.tsx"]
tiers:
  L0: [file:z.go, symbol:src/a b.go, history:0, history:10]
  L2: ["symbol:a:b.go"]
  L3: []
symbols:
  z.go: |2

      func Z()
    type T

  a:b.go: B
legend: |

  * is exported

history:
  - role: user
    content: |+

      Hello.

      - x


  - {role: assistant, content: " Ok. "}
  - {role: system, content: 42}
urls:
  - title: |
      A page
    url: " https://example.org/ "
    content: |
      text
    symbols: S
  - {url: x}
review:
  summary: Sum.
  commits:
    - one
    - |
      two
      more
  stats: 1 file
  symbols: F
  diffs: {b.go: "\n line\n \n\n", B.go: x, a.go: y}
images:
  - data:image/png;base64,YWJj
prompt: >
  Do it.
`

func TestConversationsAreDecoded(t *testing.T) {
	got, found := talk(t, "talk.yaml", everything)
	if len(found) > 0 {
		t.Fatalf("findings:\n%s", report(found))
	}
	literal := ground.Literal
	key := func(kind language.TierKeyKind, path string, n int, written string) language.TierKey {
		return language.TierKey{Kind: kind, Path: path, N: n, Word: word(written)}
	}
	want := &language.Conversation{
		Workspace: word("ws"),
		Selected:  []ground.Word{word("z.go"), word("src/a b.go"), word("app/[id]/page.tsx")},
		Tiers: [language.Tiers][]language.TierKey{
			{
				key(language.KeyFile, "z.go", 0, "file:z.go"), key(language.KeySymbol, "src/a b.go", 0, "symbol:src/a b.go"),
				key(language.KeyHistory, "", 0, "history:0"), key(language.KeyHistory, "", 10, "history:10"),
			},
			nil,
			{key(language.KeySymbol, "a:b.go", 0, "symbol:a:b.go")},
			nil,
		},
		Symbols: []language.SymbolBlock{
			{Path: word("z.go"), Text: literal("  func Z()\ntype T")},
			{Path: word("a:b.go"), Text: literal("B")},
		},
		Legend: literal("* is exported"),
		History: []language.Said{
			{Role: word("user"), Content: literal("\nHello.\n\n- x\n\n\n")},
			{Role: word("assistant"), Content: literal(" Ok. ")},
			{Role: word("system"), Content: literal("42")},
		},
		URLs: []language.Page{
			{Title: literal("A page"), URL: literal("https://example.org/"), Content: literal("text"), Symbols: literal("S")},
			{URL: literal("x")},
		},
		Review: &language.Review{
			Summary: literal("Sum."), Commits: literal("one\ntwo\nmore"), Stats: literal("1 file"), Symbols: literal("F"),
			Diffs: []language.Diff{
				{Path: word("B.go"), Text: literal("x")}, {Path: word("a.go"), Text: literal("y")}, {Path: word("b.go"), Text: literal(" line\n ")},
			},
		},
		Images: []language.Image{{URL: "data:image/png;base64,YWJj", Media: "image/png", Data: "YWJj", Bytes: 3}},
		Prompt: literal("Do it."),
	}
	want.Doc = got.Doc
	if diff := cmp.Diff(want, got, bare, cmp.Comparer(func(a, b *language.Doc) bool { return a == b })); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
}

func TestTextsOfConversationsKeepTheirPlaces(t *testing.T) {
	got, _ := talk(t, "talk.yaml", everything)
	source := func(text ground.Text, part string) string {
		i := strings.Index(text.Str, part)
		at := text.Span(i, i+len(part))
		return at.File.Text[at.Start:at.End]
	}
	for _, c := range []struct {
		text ground.Text
		part string
	}{
		{got.Symbols[0].Text, "func Z()"},
		{got.Symbols[0].Text, "type T"},
		{got.Legend, "exported"},
		{got.History[0].Content, "Hello."},
		{got.History[0].Content, "- x"},
		{got.URLs[0].URL, "https://example.org/"},
		{got.Prompt, "Do it."},
	} {
		if s := source(c.text, c.part); s != c.part {
			t.Errorf("%q comes from %q", c.part, s)
		}
	}
	for name, at := range map[string]diag.Span{
		"{role: assistant, content: \" Ok. \"}": got.History[1].At,
		"z.go":                                  got.Symbols[0].Path.At,
		"history:10":                            got.Tiers[0][3].Word.At,
		"data:image/png;base64,":                got.Images[0].At,
		">":                                     got.PromptAt,
	} {
		if s := at.File.Text[at.Start:at.End]; s != name {
			t.Errorf("the place of %q is that of %q", name, s)
		}
	}
}

func TestDiffsOfAListKeepTheirOrder(t *testing.T) {
	got, found := talk(t, "talk.json", `{"prompt": "x", "review": {"commits": "a\n", "diffs": ["b", "a", "b"]}}`)
	if len(found) > 0 {
		t.Fatalf("findings:\n%s", report(found))
	}
	want := &language.Review{Commits: ground.Literal("a"), Diffs: []language.Diff{
		{Text: ground.Literal("b")}, {Text: ground.Literal("a")}, {Text: ground.Literal("b")},
	}}
	if diff := cmp.Diff(want, got.Review, bare); diff != "" {
		t.Errorf("review (-want +got):\n%s", diff)
	}
}

func TestPromptsWithMessagesAreDecoded(t *testing.T) {
	spec := decode(t, `
version: 1
prompts:
  a:
    dialect: "{dialect}"
    cache_minimum: [{when: {dialect: gemini}, value: 4096}, {value: 0}]
    layout: [{when: {dialect: gemini}, value: {name: messages, conversation: talk}}, {value: {name: messages, conversation: talk, assembly: "{assembly}", reminder: r}}]
    sections: [{id: s, text: x, breakpoint: true, volatile: [{when: {dialect: gemini}, value: true}, {value: false}]}]
`)
	got := spec.Prompts[0]
	gemini := language.Condition{{{Axis: word("dialect"), Values: []ground.Word{word("gemini")}}}}
	want := &language.Prompt{
		ID:      word("a"),
		Dialect: always(word("{dialect}")),
		Cache:   language.Cases[int]{{When: gemini, Value: 4096}, {Value: 0}},
		Layout: language.Cases[language.Layout]{
			{When: gemini, Value: language.Layout{Name: always(word("messages")), Conversation: always(word("talk"))}},
			{Value: language.Layout{
				Name: always(word("messages")), Conversation: always(word("talk")), Assembly: always(word("{assembly}")), Reminder: always(word("r")),
			}},
		},
		Sections: []*language.Section{{
			ID: word("s"), Text: always(ground.Literal("x")), Breakpoint: always(true),
			Volatile: language.Cases[bool]{{When: gemini, Value: true}, {Value: false}},
		}},
	}
	if diff := cmp.Diff(want, got, bare); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
}

// TestLargeConversationsAreQuick: a fixture of a megabyte in which most is
// wrong takes no longer than reading it.
func TestLargeConversationsAreQuick(t *testing.T) {
	for _, c := range []struct {
		name string
		line func(i int) string
	}{
		{"prompt: x\nselected:\n", func(i int) string { return fmt.Sprintf("  - ./a%d\n", i) }},
		{"prompt: x\ntiers:\n  L0:\n", func(i int) string { return fmt.Sprintf("    - fil:%d\n", i) }},
		{"prompt: x\nsymbols:\n", func(i int) string { return fmt.Sprintf("  ./a%d: \" \"\n", i) }},
		{"prompt: x\nhistory:\n", func(i int) string { return fmt.Sprintf("  - {rol: x%d}\n", i) }},
		{"prompt: x\ntiers:\n", func(i int) string { return fmt.Sprintf("  L%d: []\n", i+4) }},
	} {
		var b strings.Builder
		b.WriteString(c.name)
		for i := range 20_000 {
			b.WriteString(c.line(i))
		}
		_, found := talk(t, "talk.yaml", b.String())
		if !found.HasErrors() {
			t.Errorf("%q: nothing was found", c.name)
		}
	}
}

// FuzzConversation: whatever stands in a fixture, decoding ends without a
// panic, every finding has a place, and what has no finding has no blanks.
func FuzzConversation(f *testing.F) {
	f.Add("file:a.go", "data:image/png;base64,YQ==", " x\n ")
	f.Add("history:01", "data:image/png;base64,Y\nQ", "\u00a0")
	f.Add("symbol:../a", "data:,", "\n\n  a\n\n")
	f.Fuzz(func(t *testing.T, key, url, text string) {
		file := &diag.File{Path: "talk.yaml", Text: key + url + text}
		scalar := func(start, end int) *ground.Node {
			at := diag.Span{File: file, Start: start, End: end}
			return &ground.Node{Kind: ground.String, At: at, Text: ground.Verbatim(at)}
		}
		mapping := func(key string, v *ground.Node) *ground.Node {
			return &ground.Node{Kind: ground.Mapping, At: v.At, Fields: []ground.Field{{Key: key, KeyAt: v.At, Value: v}}}
		}
		list := func(n *ground.Node) *ground.Node {
			return &ground.Node{Kind: ground.Sequence, At: n.At, Items: []*ground.Node{n}}
		}
		said := scalar(len(key)+len(url), len(file.Text))
		data := mapping("prompt", said)
		data.Fields = append(data.Fields, mapping("images", list(scalar(len(key), len(key)+len(url)))).Fields...)
		data.Fields = append(data.Fields, mapping("tiers", mapping("L0", list(scalar(0, len(key))))).Fields...)
		data.Fields = append(data.Fields, mapping("symbols", mapping(key, said)).Fields...)
		doc := &language.Doc{File: file, Format: language.YAML, Data: data}
		spec, found := validate.Run(&language.Tree{Matches: map[language.MatchKey][]*language.Doc{{Path: "talk.yaml", Kind: "conversation"}: {doc}}})
		for _, d := range found {
			if !d.Span.Known() || wording.Hint(d) == "" {
				t.Errorf("no place or no hint: %+v", d)
			}
		}
		got := spec.Conversations[doc]
		if !found.HasErrors() && (strings.TrimSpace(got.Prompt.Str) == "" || len(got.Images) != 1 || got.Images[0].Bytes == 0) {
			t.Errorf("nothing was found in %+v", got)
		}
	})
}

// TestHistoryIsExactlyTheValue: YAML itself says which line breaks belong to a
// block scalar.
func TestHistoryIsExactlyTheValue(t *testing.T) {
	for _, c := range []struct{ file, content, want string }{
		{"talk.yaml", "|\n      h1\n      h2\n", "h1\nh2\n"},
		{"talk.yaml", "|-\n      h1\n", "h1"},
		{"talk.yaml", "|+\n      h1\n", "h1\n\n"},
		{"talk.yaml", ">\n      h1\n      h2\n", "h1 h2\n"},
		{"talk.yaml", "&a |\n      h1\n", "h1\n"},
		{"talk.yaml", `"h1\n\n"`, "h1\n\n"},
		{"talk.yaml", `"| h1\n"`, "| h1\n"},
		{"talk.yaml", "'h1\n\n      '", "h1\n"},
		{"talk.yaml", "h1", "h1"},
		{"talk.json", `"h1\n\n"`, "h1\n\n"},
	} {
		text := "prompt: x\nhistory:\n  - role: user\n    content: " + c.content + "\n"
		if strings.HasSuffix(c.file, ".json") {
			text = `{"prompt": "x", "history": [{"role": "user", "content": ` + c.content + `}]}`
		}
		got, found := talk(t, c.file, text)
		if len(found) > 0 {
			t.Errorf("%q: %s", c.content, report(found))
			continue
		}
		if said := got.History[0].Content.Str; said != c.want {
			t.Errorf("%q says %q, not %q", c.content, said, c.want)
		}
	}
}

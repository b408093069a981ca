package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/language"
)

// TestPlaces looks words of a rendering up in the files that they came from.
func TestPlaces(t *testing.T) {
	cases := []struct {
		name     string
		settings string
		files    []string
		word     string
		path     string
		source   string // the bytes of the place
	}{
		{"body", "input text\nfiles a.md\n", []string{"a.md", "one two three\n"}, "two", "a.md", "two"},
		{"inline", "input text\ntext \"one two\"\n", nil, "two", "prompts.yaml", "two"},
		{"front matter value", "input identity\nfiles a.md\n", []string{"a.md", "---\nname: Momo\n---\n"}, "Momo", "a.md", "Momo"},
		{"after an escape", "input skills\nform full\nfiles a.md\n", []string{"a.md", "---\nname: a\ndescription: x & y\n---\n"}, "y\n", "a.md", "y"},
		{"the escape itself", "input skills\nform full\nfiles a.md\n", []string{"a.md", "---\nname: a\ndescription: x & y\n---\n"}, "&amp;", "a.md", "&"},
		{"tool name", "input tools\nform native\ntools t.json\n", []string{"t.json", `{"name": "exec", "inputSchema": {}}`}, "exec", "t.json", "exec"},
		{"tool schema", "input tools\nform fallback\ntools t.json\n", []string{"t.json", `{"name": "exec", "inputSchema": {"type": "object"}}`}, `"object"`, "t.json", `{"name": "exec", "inputSchema": {"type": "object"}}`},
		{"template", "input soul\nfiles a.md\nstyle-file s.tmpl\n", []string{"a.md", "Be.\n", "s.tmpl", "Mine: {{.Body}}\n"}, "Mine", "s.tmpl", "Mine"},
		{"fragment", "input text\nexpand\nfiles a.md\nfragment f \"zsh\"\n", []string{"a.md", "run {{f}} now\n"}, "zsh", "prompts.yaml", "zsh"},
		{"after a fragment", "input text\nexpand\nfiles a.md\nfragment f \"zsh\"\n", []string{"a.md", "run {{f}} now\n"}, "now", "a.md", "now"},
		{"path in an index", "input rules\nform index\nfiles a.md\n", []string{"a.md", "---\npaths: b\n---\nBody.\n"}, "a.md", "a.md", "---"},
		{"before", "input text\ntext \"x\"\nbefore \"<ROLE>\"\n", nil, "ROLE", "prompts.yaml", "ROLE"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, _ := newFixture(t, archive(c.settings, c.files...)).run()
			checkRendering(t, r)
			at := strings.Index(r.Text.Str, c.word)
			if at < 0 {
				t.Fatalf("%q is not in %q", c.word, r.Text.Str)
			}
			span := r.Text.Span(at, at+len(c.word))
			if !span.Known() || span.File.Path != c.path || !strings.HasPrefix(span.File.Text[span.Start:span.End], c.source) {
				t.Errorf("%q is placed at %+v", c.word, span)
			}
		})
	}
}

// TestDefaultSoul is of the size that the conformance document asks for.
func TestDefaultSoul(t *testing.T) {
	r, _ := newFixture(t, archive("input soul\norigin default\n")).run()
	if n := utf8.RuneCountInString(r.Text.Str); n < 1400 || n > 1600 {
		t.Errorf("%d characters", n)
	}
}

// TestSummaryIsCutAt160 counts code points, not bytes.
func TestSummaryIsCutAt160(t *testing.T) {
	for _, c := range []struct{ description, want string }{
		{strings.Repeat("é", 160), strings.Repeat("é", 160)},
		{strings.Repeat("é", 161), strings.Repeat("é", 160) + "..."},
		{"a \\n\\n\\t b\\r\\nc\\u2028d", "a b c d"},
	} {
		f := newFixture(t, archive("input tools\nform native\ntools t.json\n",
			"t.json", `{"name": "t", "description": "`+c.description+`", "inputSchema": {}}`))
		r, found := f.run()
		checkRendering(t, r)
		if got := strings.TrimPrefix(r.Text.Str, "## Available Tools\n\n- `t`: "); got != c.want || len(found) > 0 {
			t.Errorf("%q gives %q, %v", c.description, got, found)
		}
	}
}

// TestToolsOfSeveralSources: two lists by name make one by name; a list in an
// order of its own keeps it.
func TestToolsOfSeveralSources(t *testing.T) {
	files := []string{"a.json", `{"name": "a"}`, "b.json", `{"name": "b"}`, "c.json", `{"name": "c"}`}
	for _, c := range []struct{ settings, want string }{
		{"input tools\nform schemas\ntools b.json c.json\ninput tools\nform schemas\ntools a.json\n", "abc"},
		{"input tools\nform schemas\ntools c.json b.json\ninput tools\nform schemas\ntools a.json\n", "cba"},
	} {
		r, _ := newFixture(t, archive(c.settings, files...)).run()
		if got := names(r.Tools); got != c.want {
			t.Errorf("%q gives %s", c.settings, got)
		}
	}
}

func names(tools []*language.Tool) string {
	out := ""
	for _, t := range tools {
		out += t.Name
	}
	return out
}

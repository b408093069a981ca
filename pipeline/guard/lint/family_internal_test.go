package lint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestWhatCountsAsAMention(t *testing.T) {
	known := names{}
	for _, s := range []subject{
		{aTool, "read_file"},
		{aTool, "read"},
		{aTool, "Bash"},
		{aTool, "web-search"},
		{aTool, "fs:write"},
		{aSkill, "commit"},
		{aSkill, "release-notes"},
		{aFile, "AGENTS.md"},
		{aFile, "app/AGENTS.md"},
	} {
		known.add(s)
	}
	for text, want := range map[string][]string{
		"Call `read_file` first.":                       {"read_file"},
		"`read_file(path)` and read(x)":                 {"read_file", "read"},
		"Call read_file, then read on.":                 nil,
		"`my_read_file`, `read_file x`, `a.read_file`":  nil,
		"Use `Bash`, (`read`), `web-search`.":           {"Bash", "read", "web-search"},
		"`fs:write`, `functions.read_file`":             {"fs:write", "read_file"},
		"default_api.Bash(x), x.functions.read_file(y)": {"Bash"},
		"[read](a.md), https://x.io/read_file(x)":       nil,
		"Without `read_file`, ask.":                     {"read_file"}, // needs or checks say so
		"`commit`, the commit skill, release-notes(x)":  {"commit", "release-notes"},
		"see `skills/commit/SKILL.md`":                  {"commit"},
		"```\nread_file(x)\n```\n\n    `read`":          nil,
		"使用`read_file`查找":                               {"read_file"},

		"What `AGENTS.md` says of a host holds.":    {"AGENTS.md"},
		"Follow `./AGENTS.md` and `app/AGENTS.md`.": {"AGENTS.md", "app/AGENTS.md"},
		"- What `AGENTS.md` says":                   {"AGENTS.md"},
		"`AGENTS.md` counts.":                       {"AGENTS.md"},
		"See `lib/AGENTS.md`.":                      nil,
		"What AGENTS.md says of a host holds.":      nil,
		"## `AGENTS.md` holds":                      nil,
		"`AGENTS.md`\n---------":                    nil,
		"See [`AGENTS.md`](AGENTS.md).":             nil,
		"- `AGENTS.md`: for agents":                 nil,
		"| `AGENTS.md` | for agents |":              nil,
	} {
		var got []string
		for _, m := range mentions(text, markdown.Lines(text), known) {
			got = append(got, m.name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestHeadingsThatAreEmpty(t *testing.T) {
	for text, want := range map[string][]string{
		"# A\n\ntext":                        nil,
		"# A\n\n# B\n\ntext":                 {"# A"},
		"# A\n## B\ntext\n# C\ntext":         nil,
		"## A\n\n# B\ntext":                  {"## A"},
		"## A\n\n---\n\n</x>\n## B\ntext":    {"## A"},
		"## A\n<x>\n## B\ntext":              nil,
		"```\n# a\n\n# b\n```\ntext":         nil,
		"# a\n# b\n# c\ntext":                nil,
		"  # a\n\n  # b\ntext":               {"  # a"},
		"#tag\n\n#tag\n#!/bin/sh\n# \n# #":   nil,
		"## A ##\n\n## B\n- item\n\n## C\nx": {"## A ##"},

		// the form of an answer
		"Answer so:\n\n## A\n\n## B\n\n## C\n\nNothing else.": nil,
		"End so:\n\n### A\n### B\n":                           nil,
		"## A\n### B\n### C\n## D\ntext":                      nil,
		"## A\n\ntext\n\n## B\n\n## C\n\ntext\n\n## D\n":      {"## B"},
		"### A\n## B\n# C\ntext":                              {"### A", "## B"},

		"## [A](a.md)\n\n## `b c`\n\n### B [x](y)\n\n## C\ntext": {"### B [x](y)"},

		"Tools\n-----\n\n## B\ntext":             {"Tools"},
		"Tools\n=====\n\nMore\n====\ntext":       {"Tools"},
		"Tools\n-----\n\nSub\n---\n\nMore\n====": nil,
		"Tools\n-----\n\n### Sub\ntext":          nil,
		"It is so.\n---\n\n## B\ntext":           nil,
		"It is so\n---\n\n## B\ntext":            nil,
		"one\nTools\n-----\n\n## B\ntext":        nil,
		"- Tools\n-------\n\n## B\ntext":         nil,
		"1. Tools\n--------\n\n## B\ntext":       nil,
		"```\nTools\n-----\n```\n\n## B\ntext":   nil,
	} {
		var got []string
		for _, e := range headingsOf(text, markdown.Lines(text)).empty {
			got = append(got, text[e[0].start:e[0].end])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestPlaceholdersThatAreOpen(t *testing.T) {
	for text, want := range map[string][]string{
		"Hi {{name}}, {{ a.b }} and ${user}.":    {"{{name}}", "{{ a.b }}", "${user}"},
		"`{{name}}` and `` ${a} ` ${b} `` ${c}":  {"${c}"},
		"` {{name}}":                             {"{{name}}"},
		"${HOME} ${{ x.y }} {{{{raw}}}} \\{{x}}": nil,
		"{{{raw}}}, {{{ a.b }}} {{{x}} {{y}}}":   {"{{{raw}}}", "{{{ a.b }}}"},
		"{{x|upper}} {{ x | join(\", \") }}":     {"{{x|upper}}", "{{ x | join(\", \") }}"},
		"{{- x -}} {{~y~}} {{-#z}} {{x||y}}":     {"{{- x -}}", "{{~y~}}", "{{-#z}}"},
		"${input:x} ${input:a b:c} ${x:-y}":      {"${input:x}", "${input:a b:c}"},
		"${x:y} ${env:HOME} ${input:} ${a:0:1}":  nil,
		`$\frac{{a}}{{b}}$ \sqrt{{x}} {{y}}`:     {"{{y}}"},
		`e^{{x}} \n{{y}}`:                        {"{{y}}"},
		"a{{b}}{{c}}":                            {"{{b}}", "{{c}}"},
		"{{}} {a} {{a b}} $name <% a b %> <%>":   nil,
		"<%= user %> <%name%> <%- @x -%>":        {"<%= user %>", "<%name%>", "<%- @x -%>"},
		"{% if a %} {% x %} 5 {% 3":              {"{% if a %}"},
		"{{#if x}}{{> part}}{{/if}}":             {"{{#if x}}", "{{> part}}"},
		"    {{name}}\n\t${x}\n~~~\n{{y}}":       nil,

		`{{role "user"}} {{ f x 'y' }} {{m url=v}}`:                        {`{{role "user"}}`, `{{ f x 'y' }}`},
		`{{ now() }} {{ a.b(c, 1) }} {{ color: "x" }}`:                     {"{{ now() }}", "{{ a.b(c, 1) }}"},
		"{{^a}} {{#b c}} {{#> d}} {{&e}} {{/b}}":                           {"{{^a}}", "{{#b c}}", "{{#> d}}", "{{&e}}"},
		`{{if .A}} {{- range .B }} {{template "c" .}} {{- if .Values.d }}`: {"{{if .A}}", "{{- range .B }}", `{{template "c" .}}`},
		`{% macro a(b) %} {%- from "c" import d %} {% raw %} {% endif %}`:  {"{% macro a(b) %}", `{%- from "c" import d %}`, "{% raw %}"},
		`{{ a?.b }} {{ a ?? "b" }} {{ a or b }} {{x if y else z}}`:         {"{{ a?.b }}", `{{ a ?? "b" }}`, "{{ a or b }}", "{{x if y else z}}"},
		"{{@index}} {{../user}} {{$x.Name}} {{a - b}} {{ a || b }}":        {"{{@index}}", "{{../user}}", "{{$x.Name}}"},
		"<% if (a) %> <%_ for b in c %>":                                   {"<% if (a) %>", "<%_ for b in c %>"},

		`Write \${name} here.`:                  nil,
		"Terraform keeps $${name} literal.":     nil,
		"$${a}_{b}$$":                           nil,
		"a ${name}, or ${a}${b}":                {"${name}", "${a}", "${b}"},
		"{{ .Name }} {{.user.name}} {{a[0].b}}": {"{{ .Name }}", "{{.user.name}}", "{{a[0].b}}"},
		"Helm has {{ .Values.name }}. {{..}}":   nil,

		"- Team\n    - Lead: {{a}}\n        - {{b}}":     {"{{a}}", "{{b}}"},
		"1. Team\n    {{a}}\n\n   {{b}}\n\n       {{c}}": {"{{a}}", "{{b}}"},
		"- a\n\t- {{b}}":           {"{{b}}"},
		"- a\n\n      {{b}}":       nil,
		"- a\n\nb\n\n    {{c}}":    nil,
		"    - {{a}}\n    - {{b}}": nil,
	} {
		r := &sectionText{Rendering: &assembly.Rendering{Text: ground.Literal(text), Unit: &assembly.Unit{Inputs: []*assembly.Input{{}}}}, lines: markdown.Lines(text)}
		var got []string
		for _, m := range unfilled(r) {
			got = append(got, text[m.start:m.end])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestLongParagraphs(t *testing.T) {
	long, short := strings.Repeat("word ", 40)+"end.", strings.Repeat("word ", 30)
	wide := strings.Repeat("wörd ", 39)
	code := "```\n" + long + "\n\n" + long + "\n```"
	for text, want := range map[string][]string{
		short + "\n\n" + long + "\n":       {long},
		"  " + long + "  \n" + short:       {long + "  \n" + strings.TrimRight(short, " ")},
		wide:                               nil,
		short + "\n" + code + "\n" + short: {code},
		"\n\n \n":                          nil,
	} {
		var got []string
		for _, p := range paragraphs(text, markdown.Lines(text)) {
			got = append(got, text[p[0]:p[1]])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestAParagraphIsNamedByItsFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"One two\nthree":   "One two",
		"```sh\nmake\n```": "make",
	} {
		if got := firstLine(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestManyFindingsOfAKindAreCounted(t *testing.T) {
	f, other := &diag.File{Path: "a.md", Text: strings.Repeat("x", 100)}, &diag.File{Path: "b.md", Text: "x"}
	var all diag.List
	for i := range 50 {
		all.Add(diag.OpenPlaceholder, diag.Span{File: f, Start: i, End: i + 1}, "it is open")
	}
	all.Add(diag.OpenPlaceholder, diag.Span{File: other, Start: 0, End: 1}, "it is open")
	got := capFindings(all)
	if len(got) != perFile+2 || wording.Message(got[perFile]) != "and 30 more like it in this file" || got[perFile+1].Span.File != other {
		t.Errorf("got %d findings: %v", len(got), got)
	}
	if len(capFindings(all[:perFile])) != perFile {
		t.Error("few findings are all there")
	}
}

// census of one variant that says a text.
func viewOf(text string) *promptView {
	file := &diag.File{Path: "a.md", Text: text}
	section := &language.Section{ID: ground.Word{Str: "s"}}
	def := &language.Prompt{ID: ground.Word{Str: "p"}, Sections: []*language.Section{section, section}}
	tool := &language.Tool{Name: "read_file"}
	v := &assembly.Variant{Name: "p", Uses: make([]assembly.Use, 2)}
	b := &assembly.Build{Prompt: def, Variants: []*assembly.Variant{v}}
	u := &assembly.Unit{Section: section, Inputs: []*assembly.Input{{Kind: &language.Kinds[0]}}}
	whole := ground.Verbatim(diag.Span{File: file, Start: 0, End: len(text)})
	first, second := &assembly.Rendering{Unit: u, Text: whole, Tools: []*language.Tool{tool}}, &assembly.Rendering{Unit: u, Text: whole}
	a := &assembly.Artifact{Build: b, Variant: v, Used: []*assembly.Rendering{first, second}, Toolset: []*language.Tool{tool}}
	for i, r := range a.Used {
		a.Parts = append(a.Parts, assembly.Part{Section: i, Text: text, Rendering: r, Start: i * len(text)})
	}
	plan := &assembly.Plan{Spec: &language.Spec{}, Builds: []*assembly.Build{b}}
	return newPromptView(newRequestSet(plan, []*assembly.Artifact{a}), family{b, []*assembly.Artifact{a}})
}

// TestHostileTextsAreReadInOneGo does not end within the time that a test has,
// should a form of text be read more often than once.
func TestHostileTextsAreReadInOneGo(*testing.T) {
	const size = 1 << 15
	shapes := []string{
		"`", "``` `` ` ", "`a``b```c````d", "# a\n\n", "# a\n", "{{a}}", "{{ a }} `x` ", "${a}", "<%=", "{% if ", "{{#if ", "{", "read_file ", "`read_file` ",
		"`read`\n", "read(", "```\n", "~~~\n```\n", "> ```\n", "\n", "\t", "a", "/", "./", "-", ".", "-----\n", "</x>\n", strings.Repeat("w ", 101) + "\n\n",
	}
	for _, shape := range shapes {
		text := strings.Repeat(shape, size/len(shape))
		c := viewOf(text)
		for _, check := range assembled {
			capFindings(check(c))
		}
		mentions(text, markdown.Lines(text), names{"read_file": {{aTool, "read_file"}}, "read": {{aTool, "read"}}})
	}
}

func FuzzAssembled(f *testing.F) {
	for _, seed := range []string{"# A\n\n# B", "`{{a}}` {{b}} ${c}", "```\nread_file\n", "the `read_file` tool", strings.Repeat("word ", 60)} {
		f.Add(seed)
	}
	known := names{"read_file": {{aTool, "read_file"}}, "read": {{aTool, "read"}, {aSkill, "read"}}, "a.md": {{aFile, "a.md"}}}
	f.Fuzz(func(t *testing.T, text string) {
		lines := markdown.Lines(text)
		if last := lines[len(lines)-1]; last.End != len(text) {
			t.Fatalf("the lines end at %d of %d", last.End, len(text))
		}
		for _, m := range mentions(text, lines, known) {
			if m.start < 0 || m.start >= m.end || m.end > len(text) {
				t.Fatalf("a mention at %d to %d", m.start, m.end)
			}
		}
		for _, span := range paragraphs(text, lines) {
			if span[0] < 0 || span[0] >= span[1] || span[1] > len(text) {
				t.Fatalf("a range from %d to %d", span[0], span[1])
			}
		}
		c := viewOf(text)
		for _, check := range assembled {
			for _, d := range check(c) {
				if d.Span.Known() && (d.Span.Start < 0 || d.Span.End > len(text)) {
					t.Fatalf("a finding at %v", d.Span)
				}
			}
		}
	})
}

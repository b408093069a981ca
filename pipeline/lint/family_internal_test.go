package lint

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func TestWhatCountsAsAMention(t *testing.T) {
	known := names{}
	for _, s := range []subject{
		{aTool, "read_file"},
		{aTool, "read"},
		{aTool, "Bash"},
		{aTool, "WebFetch"},
		{aTool, "web-search"},
		{aTool, "fs:write"},
		{aSkill, "commit"},
		{aSkill, "release-notes"},
		{aFile, "AGENTS.md"},
		{aFile, "app/AGENTS.md"},
	} {
		known.add(s)
	}
	for _, name := range []string{"fetch", "list", "get", "build", "exec", "Glob", "create_issue"} {
		known.add(subject{aTool, name})
	}
	for text, want := range map[string][]string{
		"Call read_file first.":                       {"read_file"},
		"Call read_file.":                             {"read_file"},
		"使用read_file查找":                               {"read_file"},
		"(`read_file`)":                               {"read_file"},
		"`read_file(path)` and `read(x)`":             {"read_file"},
		"my_read_file, read_file_2, a.read_file":      nil,
		"Read the file, then bash on.":                nil,
		"Bash scripts are read.":                      nil,
		"Use `Bash` and WebFetch.":                    {"Bash", "WebFetch"},
		"the read tool, the Bash tool":                {"read", "Bash"},
		"then read tool output":                       nil,
		"the tool `read`: the tool 'Bash'":            {"read", "Bash"},
		"let the tool read it":                        nil,
		"a web-search for `web-search`":               {"web-search"},
		"`commit` your work":                          nil,
		"the commit skill, the skill `commit`":        {"commit", "commit"},
		"see skills/commit/SKILL.md":                  {"commit"},
		"https://x.io/skills/commit/SKILL.md":         nil,
		"# The Read Tool: the Bash Tool":              nil,
		"notes on release-notes, `release-notes`":     {"release-notes"},
		"AGENTS.md, ./AGENTS.md, /AGENTS.md":          {"AGENTS.md", "AGENTS.md"},
		"app/AGENTS.md, lib/AGENTS.md":                {"app/AGENTS.md"},
		"If you have read_file, use it.":              nil,
		"There is no `read_file` here.":               nil,
		"Work without a net. Use read_file.":          {"read_file"},
		"There is no `read_file` here.\nUse WebFetch": {"WebFetch"},
		"Write with fs:write, or `fs:write`:":         {"fs:write", "fs:write"},
		"tool:read_file, Note:WebFetch. fs:writes":    {"read_file", "WebFetch"},
		"read_file/WebFetch and `read_file/WebFetch`": {"read_file", "WebFetch", "read_file", "WebFetch"},
		"docs/read_file, read_file/x, //read_file":    nil,
		"https://x.io/read_file":                      nil,
		"functions.read_file, default_api.Bash(x)":    {"read_file", "Bash"},
		"x.functions.read_file, functions.open":       nil,
		"Use the Bash and read tools.":                {"Bash", "read"},
		"the `Bash`, read, and web-search tools":      {"Bash", "read", "web-search"},
		"Bash and read tools; the Bash and zsh tools": nil,
		"Use **Bash**, **read** it, **Bash**: x":      {"Bash"},
		"the `fetch` API":                             nil,
		"Fetch (`useEffect`, `fetch`) on the server.": nil,
		"Use `fetch('/api/...')` or `fetch`('x').":    nil,
		"identify the build tool (Maven or Gradle)":   nil,
		"| `list` | List all flights |":               nil,
		"Use subcommands like `list` and `get`.":      nil,
		"commands need `exec`":                        nil,
		"`Options passed to `Glob`, `GlobWalk`":       nil,
		"Do it before `build()`; run `build dev`.":    nil,
		"Next, invoke the `build` command.":           nil,
		"Use the `list` and `get` methods.":           nil,
		"Use the `fetch` function with `fetch`\nAPI.": nil,
		"found in the `build` directory":              nil,
		"Call it with a `list` string option.":        nil,
		"Begin with `build`, named with `get`.":       nil,
		"Use `list\n`exec":                            nil,

		"Always use the fetch tool to research.":    {"fetch"},
		"Use the\nfetch tool.":                      {"fetch"},
		"Use the fetch\ntool.":                      {"fetch"},
		"- Use\n  `fetch` for pages":                {"fetch"},
		"Use the `build` tool.":                     {"build"},
		"Benutze das Werkzeug `exec` nie blind.":    {"exec"},
		"Use `exec` for scripts, via `get` shells":  {"exec", "get"},
		"Run tests with `exec`, then:":              {"exec"},
		"Call `curl`, `get` and/or\n`fetch` first.": {"get"},
		"Call `curl`, `get` or\n`fetch` first.":     {"get", "fetch"},
		"**Use** `fetch`; (via `get`)":              {"fetch", "get"},
		"Create issues using `create_issue`":        {"create_issue"},
		"先使用`fetch`。":                               {"fetch"},

		`memory\_search, read\_file, \_read_file, read\\_file`:            {"read_file"},
		"```\n{\"name\": \"exec\", \"arguments\": {}}\n```":               {"exec"},
		"```\n{\n  \"name\": \"exec\",\n  \"input\": {}\n}\n```":          {"exec"},
		"```\n{\"tool\" : \"exec\"}\n```":                                 {"exec"},
		"```\n{\"name\": \"exec\", \"description\": \"\"}\n```":           nil,
		"```\n{\"name\": \"exec\"}, {\"arguments\": \"\"}\n```":           nil,
		"```\n{\"exec\": \"tool\", \"x\": \"tool\", \"y\":\"exec\"}\n```": nil,

		"```\nread_file(x)\n```": nil,
		"```\n{\"tool\": \"read_file\"}\n<WebFetch>\n```": {
			"read_file", "WebFetch",
		},
		"```\n\"read\" \"Bash\"\n```\nread_file": {"read_file"},
	} {
		var got []string
		for _, m := range mentions(text, mdLines(text), known) {
			if !m.hedged() {
				got = append(got, m.name)
			}
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
		"  # a\n\n  # b\ntext":               nil,
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
		for _, e := range headingsOf(text, mdLines(text)).empty {
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
		r := &entry{Rendering: &prompt.Rendering{Text: prompt.Literal(text), Unit: &prompt.Unit{Inputs: []*prompt.Input{{}}}}, lines: mdLines(text)}
		var got []string
		for _, m := range unfilled(r) {
			got = append(got, text[m[0]:m[1]])
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
		for _, p := range paragraphs(text, mdLines(text)) {
			got = append(got, text[p[0]:p[1]])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestAParagraphIsNamedByItsFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"One two\nthree":                           `the paragraph "One two"`,
		"```sh\nmake\n```":                         `the code "make"`,
		"<!-- YAML\nadded: 1\n-->\nOne two\nthree": `the paragraph "One two"`,
		"<!-- a --> <!-- b -->\n  One":             `the paragraph "One"`,
		"<!-- YAML\nadded: 1\n-->":                 `the paragraph "YAML"`,
		"<!-- One":                                 `the paragraph "One"`,
		strings.Repeat("word ", 20):                `the paragraph "word word word word word word word word word wo…"`,
		"<!-- YAML -->\n```sh\nmake\n```":          `the code "make"`,
	} {
		if got := quoted(text); got != want {
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
	got := fewest(all)
	if len(got) != single+2 || got[single].Message != "and 30 more like it in this file" || got[single+1].Span.File != other {
		t.Errorf("got %d findings: %v", len(got), got)
	}
	if len(fewest(all[:single])) != single {
		t.Error("few findings are all there")
	}
}

// census of one variant that says a text.
func censusOf(text string) *census {
	file := &diag.File{Path: "a.md", Text: text}
	section := &prompt.Section{ID: prompt.Word{Str: "s"}}
	def := &prompt.Prompt{ID: prompt.Word{Str: "p"}, Sections: []*prompt.Section{section, section}}
	tool := &prompt.Tool{Name: "read_file"}
	v := &prompt.Variant{Name: "p", Uses: make([]prompt.Use, 2)}
	b := &prompt.Build{Prompt: def, Variants: []*prompt.Variant{v}}
	u := &prompt.Unit{Section: section, Inputs: []*prompt.Input{{Kind: &prompt.Kinds[0]}}}
	whole := prompt.Verbatim(diag.Span{File: file, Start: 0, End: len(text)})
	first, second := &prompt.Rendering{Unit: u, Text: whole, Tools: []*prompt.Tool{tool}}, &prompt.Rendering{Unit: u, Text: whole}
	a := &prompt.Artifact{Build: b, Variant: v, Used: []*prompt.Rendering{first, second}, Toolset: []*prompt.Tool{tool}}
	for i, r := range a.Used {
		a.Parts = append(a.Parts, prompt.Part{Section: i, Text: text, Rendering: r, Start: i * len(text)})
	}
	plan := &prompt.Plan{Spec: &prompt.Spec{}, Builds: []*prompt.Build{b}}
	return newCensus(newScope(plan, []*prompt.Artifact{a}), family{b, []*prompt.Artifact{a}})
}

func TestHostileTextsTakeNoTime(t *testing.T) {
	const size = 1 << 18
	shapes := []string{
		"`", "``` `` ` ", "`a``b```c````d", "# a\n\n", "# a\n", "{{a}}", "{{ a }} `x` ", "${a}", "<%=", "{% if ", "{{#if ", "{", "read_file ", "`read_file` ", "the read_file tool ",
		"`read` ", "use `read`, ", "the read\ntool ", "`read`\n", "read\n", "{\"name\": \"read\"} ", "```\n\"name\":\"read\"\n```\n", "read\\_",
		"if available read_file ", "if read_file ", "no read_file, ", "read_file\n", "- read_file:\n", "read_file:", "read_file/", "read and ", "the **read** ", "```\n", "~~~\n```\n", "> ```\n", "\n", "\t", "a", "/", "./", "-", ".", "-----\n", "</x>\n", strings.Repeat("w ", 101) + "\n\n",
	}
	for _, shape := range shapes {
		text := strings.Repeat(shape, size/len(shape))
		start := time.Now()
		c := censusOf(text)
		for _, check := range assembled {
			fewest(check(c))
		}
		known := names{"read_file": {{aTool, "read_file"}}, "read": {{aTool, "read"}}}
		for _, m := range mentions(text, mdLines(text), known) {
			m.hedged()
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%q takes %s", shape, took)
		} else if testing.Verbose() {
			t.Logf("%q takes %s", shape[:min(len(shape), 20)], took)
		}
	}
}

func FuzzAssembled(f *testing.F) {
	for _, seed := range []string{"# A\n\n# B", "`{{a}}` {{b}} ${c}", "```\nread_file\n", "the `read_file` tool", strings.Repeat("word ", 60)} {
		f.Add(seed)
	}
	known := names{"read_file": {{aTool, "read_file"}}, "read": {{aTool, "read"}, {aSkill, "read"}}, "a.md": {{aFile, "a.md"}}}
	f.Fuzz(func(t *testing.T, text string) {
		lines := mdLines(text)
		if last := lines[len(lines)-1]; last.end != len(text) {
			t.Fatalf("the lines end at %d of %d", last.end, len(text))
		}
		for _, m := range mentions(text, lines, known) {
			m.hedged()
			if m.start < 0 || m.start >= m.end || m.end > len(text) {
				t.Fatalf("a mention at %d to %d", m.start, m.end)
			}
		}
		for _, span := range slices.Concat(codeSpans(text), paragraphs(text, lines)) {
			if span[0] < 0 || span[0] >= span[1] || span[1] > len(text) {
				t.Fatalf("a range from %d to %d", span[0], span[1])
			}
		}
		c := censusOf(text)
		for _, check := range assembled {
			for _, d := range check(c) {
				if d.Span.Known() && (d.Span.Start < 0 || d.Span.End > len(text)) {
					t.Fatalf("a finding at %v", d.Span)
				}
			}
		}
	})
}

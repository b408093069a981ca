package snapshot_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/snapshot"
)

// persona is the prompt of the documentation's examples.
func persona() draft {
	exec, search := tool("exec", "Run."), tool("memory_search", "Look.")
	return draft{
		id: "persona", axes: []string{"entry=full,simple,minimal", "tools=native,fallback,none"},
		exclude: func(p at) bool { return (p["entry"] == "minimal") != (p["tools"] == "none") },
		sections: []section{
			{"intro", func(p at) *says {
				if p["tools"] == "none" {
					return &says{text: "You answer questions."}
				}
				return &says{text: "You have tools."}
			}},
			{"soul", func(p at) *says {
				if p["entry"] != "full" {
					return nil
				}
				return &says{text: "## Soul\n\nBe kind.", sources: []string{"SOUL.md"}}
			}},
			{"skills", func(p at) *says {
				if p["entry"] != "full" {
					return nil
				}
				s := listing("## Skills\n\n<s>\n", "\n", "\n</s>", "commit=<commit/>", "review=<review/>")
				s.marks = []string{"form full"}
				return s
			}},
			{"hint", func(p at) *says {
				switch {
				case p["entry"] == "minimal":
					return nil
				case p["tools"] == "fallback":
					return &says{out: prompt.OutNeeds, why: "memory_search"}
				}
				return &says{text: "Use memory_search.", join: "\n"}
			}},
			{"tools", func(p at) *says {
				switch p["tools"] {
				case "native":
					return &says{text: "- exec\n- memory_search", tools: []*prompt.Tool{exec, search}, beside: true, marks: []string{"form native"}}
				case "fallback":
					s := listing("", "\n\n", "\n\nCall them.", "exec=### exec")
					s.tools, s.marks = []*prompt.Tool{exec}, []string{"form fallback"}
					return s
				}
				return nil
			}},
		},
	}
}

func TestOutlineSaysWhatIsWhere(t *testing.T) {
	got := outputs(t, world(persona()))["persona/outline.txt"]
	want := `# persona: 5 variants
intro          sections/intro.txt                       entry=full+simple
intro          sections/intro@tools=none.txt            entry=minimal
soul           sections/soul.txt                        entry=full               SOUL.md
skills         sections/skills.txt                      entry=full               (form full)
  commit       sections/skills/commit.txt               entry=full               sources/commit.md
  review       sections/skills/review.txt               entry=full               sources/review.md
hint           sections/hint.txt                        tools=native             (join "\n")
tools          sections/tools.txt                       tools=native             (form native)
tools          sections/tools@tools=fallback.txt        tools=fallback           (form fallback)
  exec         sections/tools/exec.txt                  tools=fallback           sources/exec.md
  exec         tools/exec.json                          entry=full+simple        tools/exec.json
  memory_search tools/memory_search.json                 tools=native             tools/memory_search.json
omitted        hint                                     tools=fallback           needs memory_search
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilesHoldTextsOnce(t *testing.T) {
	got := outputs(t, world(persona()))
	want := []string{
		"README.md", "persona/outline.txt", "persona/sections/hint.txt", "persona/sections/intro.txt",
		"persona/sections/intro@tools=none.txt", "persona/sections/skills.txt", "persona/sections/skills/commit.txt",
		"persona/sections/skills/review.txt", "persona/sections/soul.txt", "persona/sections/tools.txt",
		"persona/sections/tools/exec.txt", "persona/sections/tools@tools=fallback.txt",
		"persona/tools/exec.json", "persona/tools/memory_search.json",
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	for path, text := range map[string]string{
		"persona/sections/skills.txt":               "## Skills\n\n<s>\n⟨items: commit, review⟩\n</s>\n",
		"persona/sections/skills/commit.txt":        "<commit/>\n",
		"persona/sections/soul.txt":                 "## Soul\n\nBe kind.\n",
		"persona/sections/tools@tools=fallback.txt": "⟨items: exec⟩\n\nCall them.\n",
	} {
		if got[path] != text {
			t.Errorf("%s holds %q, want %q", path, got[path], text)
		}
	}
}

func TestReadmeHasOneRowAFile(t *testing.T) {
	in := world(persona())
	_, rows, _ := strings.Cut(outputs(t, in)["README.md"], "| :-- |")
	_, rows, _ = strings.Cut(rows, "\n")
	want := `| persona/sections/hint.txt | 2 | 18 | 2 |
| persona/sections/intro.txt | 3 | 15 | 4 |
| persona/sections/intro@tools=none.txt | 3 | 21 | 1 |
| persona/sections/skills.txt | 4 | 20 | 2 |
| persona/sections/skills/commit.txt | 1 | 9 | 2 |
| persona/sections/skills/review.txt | 1 | 9 | 2 |
| persona/sections/soul.txt | 4 | 17 | 2 |
| persona/sections/tools.txt | 4 | 22 | 2 |
| persona/sections/tools/exec.txt | 2 | 8 | 2 |
| persona/sections/tools@tools=fallback.txt | 2 | 12 | 2 |
| persona/tools/exec.json | 1 | 36 | 4 |
| persona/tools/memory_search.json | 1 | 46 | 2 |
`
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}

// texts gives a prompt with one section "s" whose text depends on the point.
func texts(axes []string, text func(at) string) draft {
	return draft{id: "p", axes: axes, sections: []section{{"s", func(p at) *says {
		if got := text(p); got != "" {
			return &says{text: got}
		}
		return nil
	}}}}
}

func TestTextsAreNamedAfterTheAxesTheyDependOn(t *testing.T) {
	axes := []string{"mode=a,b,c", "tier=1,2,3", "goal=none*,active"}
	tests := []struct {
		name string
		text func(at) string
		want []string
	}{
		{"one text", func(at) string { return "x" }, []string{"s"}},
		{"one axis", func(p at) string { return p["tier"] }, []string{"s", "s@tier=2", "s@tier=3"}},
		{"most variants keep the plain name", func(p at) string {
			if p["tier"] == "1" {
				return "first"
			}
			return "other"
		}, []string{"s", "s@tier=1"}},
		{"two axes", func(p at) string {
			if p["mode"] == "b" && p["tier"] != "1" {
				return "b" + p["tier"]
			}
			return "x"
		}, []string{"s", "s@mode=b,tier=2", "s@mode=b,tier=3"}},
		{"an axis at its default is not named", func(p at) string {
			if p["goal"] == "none" && p["mode"] != "a" {
				return "rare" + p["mode"]
			}
			return "x"
		}, []string{"s", "s@mode=b", "s@mode=c"}},
		{"unless nothing else is left", func(p at) string {
			if p["goal"] == "none" {
				return map[bool]string{true: "", false: "x"}[p["mode"] == "a"]
			}
			return "y"
		}, []string{"s", "s@goal=none"}},
		{"only variants that have the section count", func(p at) string {
			if p["mode"] == "c" {
				return ""
			}
			return p["mode"]
		}, []string{"s", "s@mode=b"}},
		{"of equal sets the axis declared last", func(p at) string {
			if p["mode"]+p["tier"] == "a1" {
				return "x"
			}
			if p["mode"]+p["tier"] == "b2" {
				return "y"
			}
			return ""
		}, []string{"s", "s@tier=2"}},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range paths(outputs(t, world(texts(axes, tt.text)))) {
			if name, ok := strings.CutPrefix(p, "p/sections/"); ok {
				got = append(got, strings.TrimSuffix(name, ".txt"))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestSteppedDownTextsHaveTheirLabel(t *testing.T) {
	d := draft{id: "p", axes: []string{"window=1k,2k,4k"}, sections: []section{{"skills", func(p at) *says {
		switch p["window"] {
		case "1k":
			return &says{text: "a, b", step: "names"}
		case "2k":
			s := listing("[", "\n", "]", "a=A", "b=b")
			s.step = "compact"
			return s
		}
		return listing("<", "\n", ">", "a=A", "b=B")
	}}}}
	got := outputs(t, world(d))
	want := []string{
		"README.md", "p/outline.txt", "p/sections/skills.txt", "p/sections/skills/a.txt", "p/sections/skills/b.txt",
		"p/sections/skills~compact.txt", "p/sections/skills~compact/b.txt", "p/sections/skills~names.txt",
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	outline := `# p: 3 variants
skills         sections/skills~names.txt                window=1k                (stepped down to names)
skills         sections/skills~compact.txt              window=2k                (stepped down to compact)
skills         sections/skills.txt                      window=4k
  a            sections/skills/a.txt                    window=2k+4k             sources/a.md
  b            sections/skills~compact/b.txt            window=2k                sources/b.md
  b            sections/skills/b.txt                    window=4k                sources/b.md
`
	if diff := cmp.Diff(outline, got["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestEqualTextIsStoredOnceAcrossPrompts(t *testing.T) {
	one := draft{id: "one", sections: []section{always("a", "Same."), always("b", "Same."), {"t", func(at) *says {
		return &says{text: "tools", tools: []*prompt.Tool{tool("exec", "Run.")}}
	}}}}
	two := draft{id: "two", axes: []string{"x=1,2,3"}, sections: []section{
		{"c", func(p at) *says {
			if p["x"] == "1" {
				return &says{text: "Mine."}
			}
			return &says{text: "Same."}
		}},
		{"t", func(at) *says { return &says{text: "tools too", tools: []*prompt.Tool{tool("exec", "Run.")}} }},
	}}
	in := world(one, two)
	got := outputs(t, in)
	want := []string{
		"README.md", "one/outline.txt", "one/sections/a.txt", "one/sections/t.txt", "one/tools/exec.json",
		"two/outline.txt", "two/sections/c@x=1.txt", "two/sections/t.txt",
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	outline := `# two: 3 variants
c              sections/c@x=1.txt                       x=1
c              ../one/sections/a.txt                    x=2+3
t              sections/t.txt                           all
  exec         ../one/tools/exec.json                   all                      tools/exec.json
`
	if diff := cmp.Diff(outline, got["two/outline.txt"]); diff != "" {
		t.Error(diff)
	}
	delta, _, _ := snapshot.Run(fstest.MapFS{}, in)
	i := slices.IndexFunc(delta.Wanted, func(o prompt.Output) bool { return o.Path == "snapshots/one/sections/a.txt" })
	users := delta.Wanted[i].Owner.Users
	if len(users) != 2 || users[0].Set.Len() != 1 || users[1].Set.Len() != 2 {
		t.Errorf("the shared file has the users %v", users)
	}
}

func TestVaryingToolsAndItems(t *testing.T) {
	d := draft{id: "p", axes: []string{"f=a,b,c"}, sections: []section{{"t", func(p at) *says {
		text := "long"
		if p["f"] == "b" {
			text = "short"
		}
		s := listing("", "\n", "", "exec="+text, "last=same")
		s.tools = []*prompt.Tool{tool("exec", text)}
		return s
	}}}}
	got := outputs(t, world(d))
	want := []string{
		"README.md", "p/outline.txt", "p/sections/t.txt", "p/sections/t/exec.txt", "p/sections/t/exec@f=b.txt",
		"p/sections/t/last.txt", "p/tools/exec.json", "p/tools/exec@f=b.json",
	}
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
}

func TestOrdersAreShownWhereTheyDiffer(t *testing.T) {
	a, b := tool("a", "A"), tool("b", "B")
	d := draft{
		id: "p", axes: []string{"x=1,2"},
		order: func(p at) []int {
			if p["x"] == "2" {
				return []int{1, 0, 2}
			}
			return []int{0, 1, 2}
		},
		sections: []section{always("s", "S"), always("t", "T"), {"tools", func(p at) *says {
			tools := []*prompt.Tool{a, b}
			if p["x"] == "2" {
				tools = []*prompt.Tool{b, a}
			}
			return &says{text: "list", tools: tools, beside: true}
		}}},
	}
	got := outputs(t, world(d))["p/outline.txt"]
	want := `# p: 2 variants
s              sections/s.txt                           all
t              sections/t.txt                           all
tools          sections/tools.txt                       all
  a            tools/a.json                             all                      tools/a.json
  b            tools/b.json                             all                      tools/b.json

## order in x=1
(as above)

## order in x=2
t
s
tools

## tools in x=1
(as above)

## tools in x=2
b
a
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSectionsThatOnlyAddToolsHaveALine(t *testing.T) {
	d := draft{id: "p", sections: []section{always("s", "S"), {"tools", func(at) *says {
		return &says{tools: []*prompt.Tool{tool("a", "A")}, beside: true, marks: []string{"form schemas"}}
	}}}}
	got := outputs(t, world(d))["p/outline.txt"]
	want := `# p: 1 variant
s              sections/s.txt                           all
tools          -                                        all                      (form schemas)
  a            tools/a.json                             all                      tools/a.json
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOutlineSaysWhatIsUnusual(t *testing.T) {
	d := draft{id: "p", axes: []string{"x=1,2,3"}, sections: []section{always("s", "S"), {"t", func(p at) *says {
		out := &says{text: "T", sources: []string{"t.md"}}
		switch p["x"] {
		case "1":
			out.origin, out.marks = prompt.FromElse, []string{"cut"}
		case "2":
			out.join = "\n"
		}
		return out
	}}}}
	in := world(d)
	for _, v := range in.Plan.Builds[0].Variants {
		v.Join = prompt.Literal("\n---\n")
	}
	parts := in.Artifacts[2].Parts
	parts[len(parts)-1].Text = ""
	got := outputs(t, in)["p/outline.txt"]
	want := `# p: 3 variants
# joined by "\n---\n"
s              sections/s.txt                           all
t              sections/t.txt                           x=1                      t.md (cut, else, join "\n\n")
t              sections/t.txt                           x=2+3                    t.md (join "\n\n" in x=3, join "\n" in x=2)
ending         -                                        x=3                      ""
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

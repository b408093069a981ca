package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
)

func TestToolsThatStepDownToNoTextKeepTheirLines(t *testing.T) {
	run, look := tool("exec", "Run."), tool("search", "Look.")
	got := outputs(t, world(draft{id: "p", axes: []string{"window=16k,4k,1k"}, sections: []section{
		always("s", "S"),
		{"tools", func(p at) *says {
			switch p["window"] {
			case "4k":
				return &says{tools: []*language.Tool{run, look}, beside: true, step: "schemas", marks: []assembly.Mark{{Form: "schemas"}}}
			case "1k":
				return &says{tools: []*language.Tool{run}, step: "declare", marks: []assembly.Mark{{Form: "declare"}}}
			}
			return &says{text: "- exec\n- search", tools: []*language.Tool{run, look}, beside: true, marks: []assembly.Mark{{Form: "native"}}}
		}},
	}}))
	want := `# p: 3 variants
s              sections/s.txt                           all
tools          sections/tools.txt                       window=16k               (form native)
tools          -                                        window=4k                (form schemas, stepped down to schemas)
tools          -                                        window=1k                (form declare, stepped down to declare)
  exec         tools/exec.json                          all                      tools/exec.json
  search       tools/search.json                        window=16k+4k            tools/search.json
`
	if diff := cmp.Diff(want, got["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

// Tools of a section that begins without text, and then drops some of them.
func TestTheToolsOfARungAreThoseOfTheRung(t *testing.T) {
	run, look := tool("exec", "Run."), tool("search", "Look.")
	got := outputs(t, world(draft{id: "p", axes: []string{"window=4k,1k"}, sections: []section{
		always("s", "S"),
		{"tools", func(p at) *says {
			if p["window"] == "1k" {
				return &says{tools: []*language.Tool{run}, step: "schemas", beside: true}
			}
			return &says{tools: []*language.Tool{run, look}, beside: true}
		}},
	}}))
	want := `# p: 2 variants
s              sections/s.txt                           all
tools          -                                        window=4k
tools          -                                        window=1k                (stepped down to schemas)
  exec         tools/exec.json                          all                      tools/exec.json
  search       tools/search.json                        window=4k                tools/search.json
`
	if diff := cmp.Diff(want, got["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestTextsOfTheSectionItselfAreNamedFirst(t *testing.T) {
	got := outputs(t, world(draft{id: "p", axes: []string{"b=1000,2000"}, sections: []section{{"sk", func(p at) *says {
		s := listing("<", "\n", ">", "a=A")
		if p["b"] == "1000" {
			s.step, s.marks = "compact", []assembly.Mark{{Form: "compact"}}
		} else {
			s.marks = []assembly.Mark{{Form: "full"}}
		}
		return s
	}}}}))
	want := `# p: 2 variants
sk             sections/sk.txt                          b=1000                   (form compact, stepped down to compact)
sk             sections/sk.txt                          b=2000                   (form full)
  a            sections/sk/a.txt                        all                      sources/a.md
`
	if diff := cmp.Diff(want, got["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
	files := []string{"README.md", "p/outline.txt", "p/sections/sk.txt", "p/sections/sk/a.txt"}
	if diff := cmp.Diff(files, paths(got)); diff != "" {
		t.Error(diff)
	}
}

func TestARowHasTheJoinsOfItsOwnVariants(t *testing.T) {
	got := outputs(t, world(draft{id: "p", axes: []string{"m=x,y,z"}, sections: []section{always("s", "S"), {"t", func(p at) *says {
		switch p["m"] {
		case "x":
			return &says{text: "X", join: "\n"}
		case "y":
			return &says{text: "Y"}
		}
		return &says{text: "Y", join: "\n"}
	}}}}))["p/outline.txt"]
	want := `# p: 3 variants
s              sections/s.txt                           all
t              sections/t@m=x.txt                       m=x                      (join "\n")
t              sections/t.txt                           m=y+z                    (join "\n" in m=z)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

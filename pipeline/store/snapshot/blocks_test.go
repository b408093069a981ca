package snapshot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// contributors is a prompt of the layout `phases`: `notes` is tried before
// `runs`, and the narrow windows drop them.
func contributors() snapshot.Input {
	is := func(window, text string) func(at) *says {
		return func(p at) *says {
			if !strings.Contains(window, p["window"]) {
				return &says{out: assembly.OutBudget}
			}
			return &says{text: text + " of " + p["session"]}
		}
	}
	d := draft{
		id: "p", axes: []string{"session=fresh,long", "window=16k,4k,1k"},
		sections: []section{
			{"identity", func(at) *says { return &says{text: "You are."} }},
			{"skills", func(p at) *says {
				if p["window"] == "1k" {
					return &says{text: "commit", step: "compact", marks: []assembly.Mark{{Form: "compact"}, {Word: "cut"}}}
				}
				return &says{text: "commit: commits", marks: []assembly.Mark{{Form: "full"}}}
			}},
			{"legacy", func(p at) *says {
				if p["session"] == "fresh" {
					return &says{text: "Legacy."}
				}
				return nil
			}},
			{"hint", func(at) *says { return &says{out: assembly.OutNeeds, why: "search"} }},
			{"runs", is("16k", "Runs")},
			{"notes", is("16k 4k", "Notes")},
			{"old", func(p at) *says {
				if p["session"] == "fresh" {
					return &says{text: "Old."}
				}
				return nil
			}},
		},
	}
	in := world(d)
	phases(in, 5, 4)
	return in
}

// phases says that the artifacts were laid out by phases, and that sections
// were tried in an order.
func phases(in snapshot.Input, walk ...int) {
	for _, a := range in.Artifacts {
		a.Variant.Layout.On, a.Variant.Layout.Order = true, assembly.Phases()
		for _, section := range walk {
			dropped := slices.ContainsFunc(a.Out, func(o assembly.Omission) bool { return o.Section == section && o.Reason == assembly.OutBudget })
			a.Choices = append(a.Choices, assembly.Choice{Section: section, Phase: "memory", Kept: !dropped})
		}
	}
}

func TestPhasesHaveABlockForEachOrder(t *testing.T) {
	got := outputs(t, contributors())["p/outline.txt"]
	want := `# p: 6 variants
identity       sections/identity.txt                    all
skills         sections/skills.txt                      window=16k+4k            (form full)
skills         sections/skills~compact.txt              window=1k                (form compact, cut, stepped down to compact)
legacy         sections/legacy.txt                      session=fresh
runs           sections/runs.txt                        session=fresh,window=16k
runs           sections/runs@session=long.txt           session=long,window=16k
notes          sections/notes.txt                       session=fresh,window=16k+4k
notes          sections/notes@session=long.txt          session=long,window=16k+4k
old            sections/old.txt                         session=fresh

## session=fresh,window=16k
identity       sections/identity.txt
skills         sections/skills.txt                      (form full)
legacy         sections/legacy.txt
runs           sections/runs.txt
notes          sections/notes.txt
old            sections/old.txt
omitted        hint: needs search

## session=fresh,window=4k
identity       sections/identity.txt
skills         sections/skills.txt                      (form full)
legacy         sections/legacy.txt
notes          sections/notes.txt
old            sections/old.txt
dropped        runs: budget
omitted        hint: needs search

## session=fresh,window=1k
identity       sections/identity.txt
skills         sections/skills~compact.txt              (form compact, stepped down to compact)
legacy         sections/legacy.txt
old            sections/old.txt
dropped        notes, runs: budget
omitted        hint: needs search

## session=long,window=16k
identity       sections/identity.txt
skills         sections/skills.txt                      (form full)
runs           sections/runs@session=long.txt
notes          sections/notes@session=long.txt
omitted        legacy, old: when
omitted        hint: needs search

## session=long,window=4k
identity       sections/identity.txt
skills         sections/skills.txt                      (form full)
notes          sections/notes@session=long.txt
dropped        runs: budget
omitted        legacy, old: when
omitted        hint: needs search

## session=long,window=1k
identity       sections/identity.txt
skills         sections/skills~compact.txt              (form compact, stepped down to compact)
dropped        notes, runs: budget
omitted        legacy, old: when
omitted        hint: needs search
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVariantsOfOneOrderShareABlock(t *testing.T) {
	in := world(draft{id: "p", axes: []string{"tier=1,2"}, sections: []section{
		always("a", "A"),
		{"b", func(p at) *says { return &says{text: "B" + p["tier"], marks: []assembly.Mark{{Form: "f" + p["tier"]}}} }},
	}})
	phases(in)
	got := outputs(t, in)["p/outline.txt"]
	want := `# p: 2 variants
a              sections/a.txt                           all
b              sections/b.txt                           tier=1                   (form f1)
b              sections/b@tier=2.txt                    tier=2                   (form f2)

## all
a              sections/a.txt
b              (several, see above)                     (several, see above)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEditedTextDoesNotTouchTheBlocks(t *testing.T) {
	before := outputs(t, contributors())["p/outline.txt"]
	in := contributors()
	for _, a := range in.Artifacts {
		a.Parts[0].Text = "You are new."
		a.Parts[0].Rendering.Text = ground.Literal("You are new.")
	}
	if diff := cmp.Diff(before, outputs(t, in)["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestBlocksShowTheNotice(t *testing.T) {
	in := world(draft{id: "p", axes: []string{"window=4k,1k,tiny"}, sections: []section{always("a", "A"), always("b", "B"), {"c", func(at) *says {
		return &says{out: assembly.OutBudget}
	}}}})
	phases(in, 2)
	for i, join := range []string{"\n\n", "\n"} {
		a := in.Artifacts[i]
		end := a.Parts[len(a.Parts)-1]
		at := end.Start
		a.Parts = append(a.Parts[:len(a.Parts)-1],
			assembly.Part{Section: -1, Text: join, Start: at},
			assembly.Part{Section: -1, Text: "Left out: c.", Start: at + len(join)},
			assembly.Part{Section: -1, Text: "\n", Start: at + len(join) + 12})
		a.Notice = true
	}
	in.Artifacts[2].Variant.Layout.On = false // and one variant in sequence
	got := outputs(t, in)["p/outline.txt"]
	want := `# p: 3 variants
a              sections/a.txt                           all
b              sections/b.txt                           all
dropped        c                                        window=tiny              budget

## window=4k
a              sections/a.txt
b              sections/b.txt
notice         "Left out: c."
dropped        c: budget

## window=1k
a              sections/a.txt
b              sections/b.txt
notice         "Left out: c."                           (join "\n")
dropped        c: budget
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

package diff_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

const elsewhere = `version: 1
prompts:
  p:
    rendered: "t/{f}.md"
    axes: {f: auto}
`

// written is a project whose three texts another program wrote: parts stands
// for the sections of each file.
func written(parts func(file string) []string) fstest.MapFS {
	files := map[string]string{manifest: elsewhere}
	for _, f := range []string{"a", "b", "c"} {
		files["t/"+f+".md"] = strings.Join(parts(f), "\n")
	}
	return testproject.From(files)
}

func threeParts(f string) []string {
	return []string{"You are " + f + ".\n", "# One\n\nFirst do this.\nThen do that.\n", "# Two\n\nSecond.\nAnd more.\n"}
}

// TestShapesOfTextsFromElsewhere holds what is said of texts that another
// program writes, where more than a sentence differs.
func TestShapesOfTextsFromElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name string
		head func(f string) []string
		want []string
	}{
		{
			"a moved section is the one thing that changed in its file",
			func(f string) []string {
				p := threeParts(f)
				if f != "a" {
					p[1], p[2] = p[2], p[1]
				}
				return p
			},
			[]string{
				"follows from 2: text-changed one t/b.md:3 + t/c.md:3 | p: f=b+c +0",
				"  -",
				`moved one "2" → "last" t/b.md:8 | p: f=b+c`,
				"   # One", "   ", "   First do this.", "   Then do that.",
				"follows from 2: text-changed two t/b.md:7 + t/c.md:7 | p: f=b+c +0",
				"  +",
			},
		},
		{
			"a section that came to some has its text and the place in the first of them",
			func(f string) []string {
				if f == "a" {
					return threeParts(f)
				}
				return append(threeParts(f), "# Three\n\nThird.\nFor "+f+".\n")
			},
			[]string{
				"section-added three t/b.md:12 + t/c.md:12 | p: f=b+c +5, not f=a: absent",
				"  +", "  +# Three", "  +", "  +Third.",
				"text-changed three t/b.md:16 | p: f=b +3, not f=a: absent, not f=c: other-text",
				"  +For b.",
				"text-changed three t/c.md:16 | p: f=c +3, not f=a: absent, not f=b: other-text",
				"  +For c.",
			},
		},
		{
			"a section that went from some names those that keep it",
			func(f string) []string {
				if f == "a" {
					return threeParts(f)
				}
				return threeParts(f)[:2]
			},
			[]string{
				"section-removed two t/b.md:6 + t/c.md:6 | p: f=b+c -8, not f=a: old-text",
				"  -", "  -# Two", "  -", "  -Second.", "  -And more.",
			},
		},
		{
			"a sentence that some still have is told from one that they never had",
			func(f string) []string {
				p := threeParts(f)
				if f == "b" {
					p[2] = strings.Replace(p[2], "Second.", "Secondly.", 1)
				}
				return p
			},
			[]string{"text-changed two t/b.md:10 | p: f=b +0, not f=a+c: old-text", "  -Second.", "  +Secondly."},
		},
		{
			"a heading that is called otherwise is one edit",
			func(f string) []string {
				p := threeParts(f)
				p[1] = strings.Replace(p[1], "# One", "# Rules", 1)
				return p
			},
			[]string{`text-changed rules "one" → "rules" t/a.md:3 + t/b.md:3 + t/c.md:3 | p: all +0`, "  -# One", "  +# Rules"},
		},
		{
			"a section with other words at the place of one that went came anew",
			func(f string) []string {
				p := threeParts(f)
				p[1] = "# Rules\n\nNothing of it.\nStays there.\nAt all.\n"
				return p
			},
			[]string{
				`text-changed rules "one" → "rules" t/a.md:3 + t/b.md:3 + t/c.md:3 | p: all +0`,
				"  -# One", "  +# Rules",
				"text-changed rules t/a.md:5 + t/b.md:5 + t/c.md:5 | p: all +3",
				"  -First do this.", "  -Then do that.", "  +Nothing of it.", "  +Stays there.", "  +At all.",
			},
		},
		{
			"the line break at the end is said where it is",
			func(f string) []string {
				p := threeParts(f)
				p[2] = strings.TrimRight(p[2], "\n")
				return p
			},
			[]string{
				"text-changed two t/a.md:11 + t/b.md:11 + t/c.md:11 | p: all +0",
				"  -And more.", "  +And more.⏎",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := differ(t, written(threeParts), written(tt.head))
			if diff := cmp.Diff(tt.want, told(d)); diff != "" {
				t.Error(diff)
			}
			differ(t, written(tt.head), written(threeParts))
		})
	}
}

// TestOtherWaysToTheSameText holds that a prompt whose texts are cut or made
// otherwise, and stay the same, is one edit.
func TestOtherWaysToTheSameText(t *testing.T) {
	base := written(threeParts)
	split := with(t, base, manifest, "axes: {f: auto}", "axes: {f: auto}\n    split: [rules]")
	want := []string{`setting-changed split "headings, tags, rules" → "rules" prompts.yaml:4 | p: all`}
	if diff := cmp.Diff(want, told(differ(t, base, split))); diff != "" {
		t.Error(diff)
	}
	both := with(t, split, "t/b.md", "Second.", "Secondly.")
	want = append(want, "text-changed preamble t/b.md:10 | p: f=b +0, not f=a+c: old-text", "  -Second.", "  +Secondly.")
	if diff := cmp.Diff(want, told(differ(t, base, both))); diff != "" {
		t.Error(diff)
	}
	here := with(t, base, manifest, "", `version: 1
prompts:
  p:
    axes: {f: [a, b, c]}
    join: "\n"
    sections:
      - {id: whole, path: "t/{f}.md"}
`)
	want = []string{`setting-changed rendered "t/{f}.md" → "" prompts.yaml:3 | p: all`}
	if diff := cmp.Diff(want, told(differ(t, base, here))); diff != "" {
		t.Error(diff)
	}
	want = []string{`setting-changed rendered "" → "t/{f}.md" prompts.yaml:4 | p: all`}
	if diff := cmp.Diff(want, told(differ(t, here, base))); diff != "" {
		t.Error(diff)
	}
}

// TestSectionsOfNewValuesComeWithThem holds that a section that only variants
// of a new value have is no edit of its own, and that one that nobody has is.
func TestSectionsOfNewValuesComeWithThem(t *testing.T) {
	base := testproject.From(map[string]string{manifest: `version: 1
prompts:
  p:
    axes: {f: [a, c]}
    sections:
      - {id: one, text: One.}
`})
	head := with(t, base, manifest, "[a, c]", "[a, c, b]")
	head = with(t, head, manifest, "text: One.}\n", "text: One.}\n      - {id: two, text: Two., when: {f: b}}\n")
	want := []string{
		`value-added f "" → "b" prompts.yaml:4 | p: f=b +4`,
		"follows from 1: text-changed two prompts.yaml:7 | p: f=b +2",
		"  +", "  +Two.",
	}
	if diff := cmp.Diff(want, told(differ(t, base, head))); diff != "" {
		t.Error(diff)
	}
	want = []string{
		`value-removed f "b" → "" prompts.yaml:4 (base) | p: f=b (of the base) -4`,
		"follows from 1: text-changed two prompts.yaml:6 | p: f=b (of the base) -2",
		"  -", "  -Two.",
	}
	if diff := cmp.Diff(want, told(differ(t, head, base))); diff != "" {
		t.Error(diff)
	}
	rare := with(t, base, manifest, "text: One.}\n", "text: One.}\n      - {id: two, text: '', when: {f: a}}\n")
	want = []string{"section-added two prompts.yaml:7 | p: none, not f=c: when, not f=a: absent"}
	if diff := cmp.Diff(want, told(differ(t, base, rare))); diff != "" {
		t.Error(diff)
	}
}

// TestSelectedReachIsOfTheNamed holds that nothing is said of variants that no
// pattern names.
func TestSelectedReachIsOfTheNamed(t *testing.T) {
	base := small()
	head := stepped(t, base, []step{{"soul.md", "Ask before you act.", "Ask."}})
	d, err := differ(t, base, head).Select([]string{"agent/mode=ask,tier=small", "agent/mode=plan"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"text-changed soul soul.md:6 | agent: mode=ask,tier=small -3, not mode=plan: when",
		"  -Ask before you act.", "  +Ask.",
	}
	if diff := cmp.Diff(want, toldOfTexts(d)); diff != "" {
		t.Error(diff)
	}
}

// TestRandomTextsFromElsewhereAreSaid holds what is promised of every
// difference over random texts that another program writes, whichever way they
// are cut and put together.
func TestRandomTextsFromElsewhereAreSaid(t *testing.T) {
	skipIfShort(t)
	for seed := range uint64(150) {
		s := newSketch(seed)
		state := func() fstest.MapFS {
			out := map[string]string{manifest: elsewhere + s.pick("", "", "    split: ["+s.pick("rules", "headings", "tags, rules")+"]\n")}
			for i := range 2 + s.random.IntN(3) {
				var parts []string
				for range s.random.IntN(5) {
					parts = append(parts, s.pick("# A", "# B", "## C", "<d>", "</d>", "====", "text")+"\n"+strings.Join(s.lines(), "\n"))
				}
				out[fmt.Sprintf("t/%c.md", 'a'+i)] = strings.Join(parts, s.pick("\n", "\n\n")) + s.pick("x", "x\n", "x\n\n")
			}
			return testproject.From(out)
		}
		base, head := state(), state()
		for name, file := range base {
			if s.maybe(2) && name != manifest {
				head[name] = file
			}
		}
		if s.maybe(3) {
			head = maps.Clone(head)
			head[manifest] = base[manifest]
		}
		differ(t, base, head)
		differ(t, head, base)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestWhatComesHasThePlacesOfItsLines holds where each run of lines stands that
// variants have for a section that came, and for one that went.
func TestWhatComesHasThePlacesOfItsLines(t *testing.T) {
	three := func(f string) []string { return append(threeParts(f), "# Three\n\nThird.\nFor "+f+".\n\nEnd.\n") }
	for _, back := range []bool{false, true} {
		base, head, sign := written(threeParts), written(three), byte('+')
		if back {
			base, head, sign = head, base, '-'
		}
		d := differ(t, base, head)
		var got []string
		for _, e := range d.Edits {
			for _, h := range e.Hunks {
				from, _ := h.At.File.Position(h.At.Start)
				to, _ := h.At.File.Position(h.At.End)
				got = append(got, fmt.Sprintf("%s:%d-%d line %d %v", h.At.File.Path, from, to, h.Line, h.InBase))
				for _, l := range h.Lines {
					if l.Sign != sign {
						t.Errorf("%q has the sign %c", l.Text, l.Sign)
					}
				}
			}
		}
		want := []string{
			"t/a.md:12-13 line 12 false", "t/a.md:16-16 line 16 false", "t/a.md:18-18 line 18 false",
			"t/b.md:16-16 line 16 false", "t/c.md:16-16 line 16 false",
		}
		if back { // where they would stand
			want = []string{
				"t/a.md:11-11 line 12 false", "t/a.md:11-11 line 12 false", "t/a.md:11-11 line 12 false",
				"t/b.md:11-11 line 12 false", "t/c.md:11-11 line 12 false",
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

package compose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestBreakpointsSplitASequence(t *testing.T) {
	line := "\n"
	for _, tc := range []struct {
		name     string
		dialect  string
		sections []section
		want     []string
		points   []string
	}{
		{
			"no breakpoint", "anthropic",
			[]section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{"B"}}},
			[]string{`system  system "A\n\nB"`},
			nil,
		},
		{
			"the join belongs to what follows", "anthropic",
			[]section{{id: "a", texts: []string{"A"}, breakpoint: true}, {id: "b", texts: []string{"B"}, join: &line}},
			[]string{`system  system "A"* "\nB"`},
			[]string{"a"},
		},
		{
			"behind the last", "anthropic",
			[]section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{"B"}, breakpoint: true}},
			[]string{`system  system "A\n\nB"*`},
			[]string{"b"},
		},
		{
			"behind the last of a text", "text",
			[]section{{id: "a", texts: []string{"A"}, breakpoint: true}, {id: "b", texts: []string{"B"}, breakpoint: true}},
			[]string{`system  system "A"* "\n\nB\n"*`},
			[]string{"a", "b"},
		},
		{
			"a text without any", "text",
			[]section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{"\n"}}},
			[]string{`system  system "A\n\n\n\n"`},
			nil,
		},
		{
			"what is out takes its breakpoint with it", "gemini",
			[]section{{id: "a", texts: []string{"A"}}, {id: "b", out: assembly.OutWhen, breakpoint: true}, {id: "c", texts: []string{"C"}}},
			[]string{`system  system "A\n\nC"`},
			nil,
		},
	} {
		p, renderings := plan(limit(-1), tc.sections...)
		p.Builds[0].Variants[0].Dialect = lookup(t, tc.dialect)
		artifacts, found := compose.Run(p, renderings, counters(t))
		if len(found) > 0 {
			t.Errorf("%s: %v", tc.name, found)
		}
		a := artifacts[0]
		if diff := cmp.Diff(tc.want, array(a)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		var points []string
		for _, point := range a.Cache.Points {
			points = append(points, point.Name)
		}
		if diff := cmp.Diff(tc.points, points); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		mustHang(t, tc.name, a)
	}
}

func TestPhasesHaveOneBlock(t *testing.T) {
	for _, dialect := range ground.DialectNames() {
		p, renderings := plan(limit(5), section{id: "a", texts: []string{"A"}, breakpoint: true}, section{id: "b", texts: []string{text(40)}})
		v := p.Builds[0].Variants[0]
		v.Dialect, v.Layout = lookup(t, dialect), assembly.PhaseRules{On: true, Order: assembly.Phases()}
		artifacts, _ := compose.Run(p, renderings, counters(t))
		want := []string{`system  system "A"`}
		if !v.Dialect.JSON {
			want = []string{`system  system "A\n"`}
		}
		if diff := cmp.Diff(want, array(artifacts[0])); diff != "" {
			t.Errorf("%s: %s", dialect, diff)
		}
		mustHang(t, dialect, artifacts[0])
	}
}

// TestCacheCountsPrefixes: the sections are 10, 20 and 30 characters, the
// schemas 14, which are 4 tokens.
func TestCacheCountsPrefixes(t *testing.T) {
	tool := &language.Tool{Name: "t", Canonical: "{\n  \"name\": \"t\"\n}\n"}
	slot := &language.Slot{Name: ground.Word{Str: "s"}, Volatile: true}
	kept := &language.Slot{Name: ground.Word{Str: "k"}}
	for _, tc := range []struct {
		name, dialect string
		volatile      int // the section that is declared so; -1 for none
		slots         []assembly.SlotAt
		points        []int
		at            *assembly.VolatileAt
		stable        int
	}{
		// A request: 4 for the tools, then "a" 3, "\n\nb" 6, "\n\nc" 8.
		{"nothing volatile", "anthropic", -1, nil, []int{7, 13}, nil, 21},
		{"a slot that stays", "anthropic", -1, []assembly.SlotAt{{Slot: kept, Start: 4, End: 9}}, []int{7, 13}, nil, 21},
		{"a section", "anthropic", 1, nil, []int{7, 13}, &assembly.VolatileAt{Part: 2, Section: 1, End: 20}, 8},
		{"the first section", "anthropic", 0, nil, []int{7, 13}, &assembly.VolatileAt{End: 10}, 4},
		{
			"a slot counts up to its first byte", "anthropic", 2,
			[]assembly.SlotAt{{Slot: kept, Start: 0, End: 5}, {Slot: slot, Start: 7, End: 12}},
			[]int{7, 13},
			&assembly.VolatileAt{Part: 2, Section: 1, Slot: slot, Offset: 7, End: 12}, 10, // 4 + 3 + 9 characters
		},
		// A text is counted as one: 10, 32 and 65 characters; the schemas are no part of it.
		{"a text", "text", -1, nil, []int{3, 8}, nil, 17},
		{"a slot in a text", "text", -1, []assembly.SlotAt{{Slot: slot, Start: 7, End: 12}}, []int{3, 8}, &assembly.VolatileAt{Part: 2, Section: 1, Slot: slot, Offset: 7, End: 12}, 5},
	} {
		p, renderings := plan(limit(-1),
			section{id: "a", texts: []string{text(10)}, tools: []*language.Tool{tool}, breakpoint: true, volatile: tc.volatile == 0},
			section{id: "b", texts: []string{text(20)}, breakpoint: true, volatile: tc.volatile == 1},
			section{id: "c", texts: []string{text(30)}, volatile: tc.volatile == 2})
		p.Builds[0].Variants[0].Dialect = lookup(t, tc.dialect)
		renderings[1].Slots = tc.slots
		artifacts, _ := compose.Run(p, renderings, counters(t))
		a := artifacts[0]
		var points []int
		for _, point := range a.Cache.Points {
			points = append(points, point.Tokens)
		}
		if diff := cmp.Diff(tc.points, points); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.at, a.Cache.Volatile); diff != "" || a.Cache.Stable != tc.stable {
			t.Errorf("%s: %d tokens are stable, not %d: %s", tc.name, a.Cache.Stable, tc.stable, diff)
		}
		mustHang(t, tc.name, a)
	}
}

func TestVolatileSourceOfALowerRungIsSeen(t *testing.T) {
	p, renderings := plan(limit(5), section{id: "a", texts: []string{text(40), text(8)}})
	source := &language.Source{Volatile: true}
	renderings[1].Unit.Inputs = []*assembly.Input{{}, {Source: &language.Source{}}, {Source: source}}
	artifacts, _ := compose.Run(p, renderings, counters(t))
	if at := artifacts[0].Cache.Volatile; at == nil || at.Source != source {
		t.Errorf("volatile at %+v", at)
	}
}

// TestWhatTheUserAsksIsVolatile: where nothing before it is declared so.
func TestWhatTheUserAsksIsVolatile(t *testing.T) {
	slot := &language.Slot{Name: ground.Word{Str: "s"}, Volatile: true}
	for _, tc := range []struct {
		name  string
		slots int // the section with a volatile slot; -1 for none
		want  *assembly.VolatileAt
	}{
		{"nothing declared", -1, &assembly.VolatileAt{Part: 2, Section: -1, End: 7}},
		{"the system text", 0, &assembly.VolatileAt{Section: 0, Slot: slot}},
		{"the reminder behind it", 1, &assembly.VolatileAt{Part: 2, Section: -1, End: 7}},
	} {
		p, renderings := plan(limit(-1), section{id: "a", texts: []string{text(10)}}, section{id: "rem", texts: []string{"R"}})
		if tc.slots >= 0 {
			renderings[tc.slots].Slots = []assembly.SlotAt{{Slot: slot}}
		}
		renderings = talk(t, p, renderings, "openai-chat", 1,
			marked(turn(language.RoleSystem, "L0", "system")), turn(language.RoleUser, "", "files", "files:x|"+text(12)), turn(language.RoleUser, "", "prompt", "prompt:"))
		artifacts, _ := compose.Run(p, renderings, counters(t))
		a := artifacts[0]
		if diff := cmp.Diff(tc.want, a.Cache.Volatile); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		if stable := map[bool]int{true: 8, false: 0}[tc.want.Section < 0]; a.Cache.Stable != stable { // 3 and 5
			t.Errorf("%s: %d tokens are stable, not %d", tc.name, a.Cache.Stable, stable)
		}
	}
}

func TestBreakpointIsPlacedWhereItIsDeclared(t *testing.T) {
	p, renderings := plan(limit(-1), section{id: "a", texts: []string{"A"}, breakpoint: true})
	want := diag.Span{File: &diag.File{Path: "prompts.yaml"}, Start: 3, End: 7}
	p.Builds[0].Variants[0].Uses[0].BreakpointAt = want
	artifacts, _ := compose.Run(p, renderings, counters(t))
	if at := artifacts[0].Cache.Points[0].At; at != want {
		t.Errorf("placed at %v", at)
	}
}

func TestMarkersNeedText(t *testing.T) {
	space := "\u00a0"
	for _, tc := range []struct {
		name     string
		sections []section
		turns    []assembly.Turn
		want     []string
	}{
		{
			"white space",
			[]section{{id: "a", texts: []string{space}, breakpoint: true}, {id: "b", texts: []string{"B"}}},
			nil,
			[]string{`error the cache breakpoint of section "a" of "p" stands behind blank text`},
		},
		{
			"white space behind text", []section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{space}, breakpoint: true}}, nil, nil,
		},
		{
			"tools alone",
			[]section{{id: "a", texts: []string{"A"}}, {id: "b", texts: []string{""}, tools: []*language.Tool{{Name: "t", Canonical: "{}\n"}}, breakpoint: true}},
			nil,
			[]string{`warning section "b" of "p" has a cache breakpoint, but no text before it`},
		},
		{
			"a tier",
			[]section{{id: "a", texts: []string{space}}},
			[]assembly.Turn{marked(turn(language.RoleSystem, "L0", "system")), turn(language.RoleUser, "", "prompt", "prompt:")},
			[]string{`error the cache breakpoint of tier "L0" of "p" stands behind blank text`},
		},
		{
			"nothing at all",
			[]section{{id: "a", texts: []string{space}}, {id: "b", texts: []string{space}}},
			nil,
			[]string{`error "p" would emit nothing but white space`},
		},
	} {
		p, renderings := plan(limit(-1), tc.sections...)
		if tc.turns != nil {
			renderings = talk(t, p, renderings, "anthropic", -1, tc.turns...)
		}
		_, found := compose.Run(p, renderings, counters(t))
		var got []string
		for _, d := range found {
			got = append(got, d.Level.String()+" "+wording.Message(d))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

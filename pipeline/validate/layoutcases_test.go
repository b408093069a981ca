package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
	"github.com/promptc-build/promptc/pipeline/validate"
)

// holds decides a condition for a variant.
func holds(c prompt.Condition, variant map[string]string) bool {
	return len(c) == 0 || slices.ContainsFunc(c, func(clause prompt.Clause) bool {
		return !slices.ContainsFunc(clause, func(term prompt.Term) bool {
			in := slices.ContainsFunc(term.Values, func(w prompt.Word) bool { return w.Str == variant[term.Axis.Str] })
			return in == term.Not
		})
	})
}

// layoutIn gives the layout of the first case that holds, nil for none.
func layoutIn(cases prompt.Cases[prompt.Layout], variant map[string]string) *prompt.Layout {
	for _, c := range cases {
		if holds(c.When, variant) {
			return &c.Value
		}
	}
	return nil
}

func said(l *prompt.Layout) string {
	if l == nil {
		return "none"
	}
	out := fmt.Sprintf("%s %s %s %s %t %t %t", l.Name.Str, l.Conversation.Str, l.Assembly.Str, l.Reminder.Str, l.StickyFirst, l.Stop, l.Notice)
	for _, w := range l.Order {
		out += " " + w.Str
	}
	return out
}

func TestValuesInsideALayoutMayBeCases(t *testing.T) {
	for _, c := range []struct {
		name, layout string
		want         map[string]string // by the values of a and b
	}{
		{
			"two keys", "{name: messages, conversation: [{when: {a: x}, value: one}, {value: two}], assembly: [{when: [{b: x}, {a: y}], value: tiered}, {value: flat}], reminder: [{when: {b: x}, value: \"\"}, {value: r}]}",
			map[string]string{
				"xx": "messages one tiered  false false false", "xy": "messages one flat r false false false",
				"yx": "messages two tiered  false false false", "yy": "messages two tiered r false false false",
			},
		},
		{
			"phases", "{name: phases, place: [{when: {a: x}, value: sticky-first}, {value: phase}], fill: [{when: {b: x}, value: stop}, {value: first-fit}], notice: [{when: {a: {not: x}}, value: true}, {value: false}], order: [{when: {b: x}, value: [task, user]}, {value: [user]}]}",
			map[string]string{
				"xx": "phases    true true false task user", "xy": "phases    true false false user",
				"yx": "phases    false true true task user", "yy": "phases    false false true user",
			},
		},
		{
			"the name takes the keys that are its own", "{name: [{when: {a: x}, value: phases}, {value: messages}], notice: true, conversation: talk, assembly: [{when: {b: x}, value: flat}, {value: tiered}]}",
			map[string]string{
				"xx": "phases    false false true", "xy": "phases    false false true",
				"yx": "messages talk flat  false false false", "yy": "messages talk tiered  false false false",
			},
		},
		{
			"cases in cases", "[{when: {a: x}, value: {name: phases, notice: [{when: {b: x}, value: true}, {value: false}]}}, {value: {name: phases, fill: stop}}]",
			map[string]string{
				"xx": "phases    false false true", "xy": "phases    false false false",
				"yx": "phases    false true false", "yy": "phases    false true false",
			},
		},
		{
			"a value without a case is not the next layout's", "[{when: [{a: x, b: y}, {a: x, b: x}], value: {name: phases, notice: [{when: {b: x}, value: true}]}}, {when: {a: x}, value: sequence}, {value: phases}]",
			map[string]string{"xx": "phases    false false true", "xy": "none", "yx": "phases    false false false", "yy": "phases    false false false"},
		},
		{
			"a name without a case is not the next layout's", "[{when: {a: x}, value: {name: [{when: {b: x}, value: phases}]}}, {value: sequence}]",
			map[string]string{"xx": "phases    false false false", "xy": "none", "yx": "sequence    false false false", "yy": "sequence    false false false"},
		},
	} {
		spec := decode(t, "version: 1\nprompts:\n  p:\n    axes: {a: [x, y], b: [x, y]}\n    layout: "+c.layout+"\n    sections: [{id: s, text: x}]\n")
		got := map[string]string{}
		for _, v := range []string{"xx", "xy", "yx", "yy"} {
			got[v] = said(layoutIn(spec.Prompts[0].Layout, map[string]string{"a": v[:1], "b": v[1:]}))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestCasesInsideALayoutAreBounded(t *testing.T) {
	list := func(n int, value string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "{when: {a: v%d}, value: %s}, ", i, value)
		}
		return "[" + b.String() + "{value: " + value + "}]"
	}
	alternatives := strings.Repeat("{a: x}, ", 40)
	for _, c := range []struct {
		layout string
		many   bool
	}{
		{"{name: phases, place: " + list(30, "phase") + ", fill: " + list(30, "stop") + "}", false},
		{"{name: phases, place: " + list(32, "phase") + ", fill: " + list(32, "stop") + ", notice: [{value: true}]}", true},
		{"{name: phases, place: " + list(999, "phase") + "}", false},
		{"{name: phases, place: " + list(1000, "phase") + "}", true},
		{"{name: phases, place: [{when: [" + alternatives + "], value: phase}], fill: [{when: [" + alternatives + "], value: stop}]}", true},
		{"[{when: [" + strings.Repeat("{a: x, b: y}, ", 40) + "], value: {name: phases, fill: [{when: {c: x}, value: stop}]}}, {value: phases}]", true},
	} {
		_, found := validate.Run(manifest(t, "version: 1\nprompts: {p: {layout: "+c.layout+", sections: [{id: s, text: x}]}}\n"))
		if many := len(found) == 1 && found[0].Code == diag.TooLargeToCheck && wording.Hint(found[0]) != ""; many != c.many || len(found) > 1 {
			t.Errorf("%.80s: too many is %t\n%s", c.layout, many, report(found))
		}
	}
}

package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
)

// said gives the layout of a variant with its settings.
func said(p *assembly.Plan, v *assembly.Variant) string {
	switch {
	case v.Messages != nil:
		d := p.Units[v.Messages.Unit].Dialogue
		return fmt.Sprintf("messages %s flat=%t reminder=%d", d.Name, d.Flat, v.Messages.Reminder)
	case v.Layout.On:
		return strings.TrimSpace(fmt.Sprintf("phases %t %t %t %s", v.Layout.StickyFirst, v.Layout.Stop, v.Layout.Notice,
			strings.TrimSuffix(strings.Join(v.Layout.Order, " "), strings.Join(assembly.Phases(), " "))))
	default:
		return "none"
	}
}

func TestValuesInsideALayoutMayBeCases(t *testing.T) {
	for _, c := range []struct {
		name, layout string
		want         map[string]string // by the values of a and b
	}{
		{
			"two keys", "{name: messages, conversation: [{when: {a: x}, value: one}, {value: two}], assembly: [{when: [{b: x}, {a: y}], value: tiered}, {value: flat}], reminder: [{when: {b: x}, value: \"\"}, {value: r}]}",
			map[string]string{
				"xx": "messages 1 flat=false reminder=-1", "xy": "messages 1 flat=true reminder=0",
				"yx": "messages 2 flat=false reminder=-1", "yy": "messages 2 flat=false reminder=0",
			},
		},
		{
			"phases", "{name: phases, place: [{when: {a: x}, value: sticky-first}, {value: phase}], fill: [{when: {b: x}, value: stop}, {value: first-fit}], notice: [{when: {a: {not: x}}, value: true}, {value: false}], order: [{when: {b: x}, value: [task, user]}, {value: [user]}]}",
			map[string]string{
				"xx": "phases true true false task user", "xy": "phases true false false user",
				"yx": "phases false true true task user", "yy": "phases false false true user",
			},
		},
		{
			"the name takes the keys that are its own", "{name: [{when: {a: x}, value: phases}, {value: messages}], notice: true, conversation: one, assembly: [{when: {b: x}, value: flat}, {value: tiered}]}",
			map[string]string{
				"xx": "phases false false true", "xy": "phases false false true",
				"yx": "messages 1 flat=true reminder=-1", "yy": "messages 1 flat=false reminder=-1",
			},
		},
		{
			"cases in cases", "[{when: {a: x}, value: {name: phases, notice: [{when: {b: x}, value: true}, {value: false}]}}, {value: {name: phases, fill: stop}}]",
			map[string]string{
				"xx": "phases false false true", "xy": "phases false false false",
				"yx": "phases false true false", "yy": "phases false true false",
			},
		},
		{
			"a value without a case is not the next layout's", "[{when: [{a: x, b: y}, {a: x, b: x}], value: {name: phases, notice: [{when: {b: x}, value: true}]}}, {when: {a: x}, value: sequence}, {value: phases}]",
			map[string]string{"xx": "phases false false true", "xy": "phases false false false", "yx": "phases false false false", "yy": "phases false false false"},
		},
		{
			"a name without a case is not the next layout's", "[{when: {a: x}, value: {name: [{when: {b: x}, value: phases}]}}, {value: sequence}]",
			map[string]string{"xx": "phases false false false", "xy": "none", "yx": "none", "yy": "none"},
		},
	} {
		p, found := plan(t, "version: 1\nsources:\n  one: {kind: conversation, path: 1.yaml}\n  two: {kind: conversation, path: 2.yaml}\nprompts:\n  p:\n    axes: {a: [x, y], b: [x, y]}\n    dialect: gemini\n    layout: "+
			c.layout+"\n    sections: [{id: r, text: x, phase: task, priority: 1}]\n", "1.yaml", "prompt: 1", "2.yaml", "prompt: 2")
		if missing := strings.Contains(c.name, "without a case"); missing != strings.Contains(strings.Join(told(found), ""), "no case of layout.") {
			t.Errorf("%s: %s", c.name, told(found))
		}
		got := map[string]string{}
		for _, v := range p.Builds[0].Variants {
			got["xy"[v.Values[0]:][:1]+"xy"[v.Values[1]:][:1]] = said(p, v)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

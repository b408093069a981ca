package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// told writes findings as a line each, with their hints.
func told(found diag.List) []string {
	out := []string{}
	for _, d := range found {
		line, column := d.Span.File.Position(d.Span.Start)
		out = append(out, fmt.Sprintf("%s:%d:%d: %s[%s]: %s; %s", d.Span.File.Path, line, column, d.Level, d.Code, wording.Message(d), wording.Hint(d)))
	}
	return out
}

// coder is a manifest with one conversation; the rest of the prompt follows.
const coder = `version: 1
sources:
  chat: {kind: conversation, path: "fx/{state}.yaml"}
  note: {text: A note.}
prompts:
  coder:
    axes: {assembly: [tiered, flat], state: [one, two]}
`

func TestMessagesAreBoundOnceForEachFixtureAndAssembly(t *testing.T) {
	p, found := plan(t, `version: 1
sources:
  chat: {kind: conversation, path: "fx/{state}.yaml"}
prompts:
  coder:
    axes: {dialect: [openai-chat, anthropic], assembly: [tiered, flat], state: [one, two]}
    dialect: "{dialect}"
    order: [sys]
    cache_minimum: [{when: {dialect: anthropic}, value: 4096}, {value: 0}]
    layout: {name: messages, conversation: chat, assembly: "{assembly}", reminder: remind}
    sections:
      - {id: sys, text: System., volatile: true}
      - {id: remind, text: Remember., when: {state: one}}
`, "fx/one.yaml", "prompt: One?", "fx/two.yaml", "prompt: Two?")
	if len(found) > 0 {
		t.Fatal(told(found))
	}
	var got []string
	for _, v := range p.Builds[0].Variants {
		d := p.Units[v.Messages.Unit].Dialogue
		got = append(got, fmt.Sprintf("%s: %s flat=%t unit=%d reminder=%d %s minimum=%d volatile=%t", v.Name, d.Name, d.Flat, v.Messages.Unit, v.Messages.Reminder, v.Dialect.Name, v.CacheMinimum, v.Uses[0].Volatile))
	}
	want := []string{
		"coder/dialect=openai-chat,assembly=tiered,state=one: one flat=false unit=0 reminder=1 openai-chat minimum=0 volatile=true",
		"coder/dialect=openai-chat,assembly=tiered,state=two: two flat=false unit=1 reminder=-1 openai-chat minimum=0 volatile=true",
		"coder/dialect=openai-chat,assembly=flat,state=one: one flat=true unit=2 reminder=1 openai-chat minimum=0 volatile=true",
		"coder/dialect=openai-chat,assembly=flat,state=two: two flat=true unit=3 reminder=-1 openai-chat minimum=0 volatile=true",
		"coder/dialect=anthropic,assembly=tiered,state=one: one flat=false unit=0 reminder=1 anthropic minimum=4096 volatile=true",
		"coder/dialect=anthropic,assembly=tiered,state=two: two flat=false unit=1 reminder=-1 anthropic minimum=4096 volatile=true",
		"coder/dialect=anthropic,assembly=flat,state=one: one flat=true unit=2 reminder=1 anthropic minimum=4096 volatile=true",
		"coder/dialect=anthropic,assembly=flat,state=two: two flat=true unit=3 reminder=-1 anthropic minimum=4096 volatile=true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	in := p.Units[0].Inputs[0]
	if in.Source.ID.Str != "chat" || in.Kind.Name != "conversation" || in.Docs[0].File.Path != "fx/one.yaml" {
		t.Errorf("the unit's input is %+v", in)
	}
}

// TestLayoutsMayDiffer holds what the variants of a prompt with two layouts
// have: a reminder is a section like others where there are no messages.
func TestLayoutsMayDiffer(t *testing.T) {
	p, found := plan(t, coder+`    dialect: gemini
    order: [a]
    layout:
      - {when: {assembly: tiered}, value: {name: messages, conversation: chat, reminder: b}}
      - {value: phases}
    sections:
      - {id: a, text: A., phase: task, priority: 1}
      - {id: b, source: note, phase: task, priority: 1}
`, "fx/one.yaml", "prompt: One?", "fx/two.yaml", "prompt: Two?")
	want := []string{
		"prompts.yaml:9:12: error[PC3016]: order leaves out section \"b\", which prompt \"coder\" may have; add it to the order, or set `when` so that it is out",
		`prompts.yaml:9:12: error[PC3017]: prompt "coder" sets an order, which the layout "phases" decides; remove it; the layout's own order lists phases`,
	}
	if diff := cmp.Diff(want, told(found)); diff != "" {
		t.Error(diff) // and not of the variants with messages
	}
	for _, v := range p.Builds[0].Variants {
		if tiered := v.Values[0] == 0; tiered != (v.Messages != nil) || tiered == v.Layout.On {
			t.Errorf("%s: messages %+v, phases %t", v.Name, v.Messages, v.Layout.On)
		}
	}
}

func TestNamesOfFixturesTellThemApart(t *testing.T) {
	p, found := plan(t, `version: 1
sources:
  chat: {kind: conversation, path: [{when: {at: [a, b]}, value: "{at}/long.chat.yaml"}, {when: {at: c}, value: a/long.chat.json}, {when: {at: d}, value: d.yaml}, {value: a.yaml}]}
prompts:
  coder:
    axes: {at: [a, b, c, d, e]}
    dialect: anthropic
    layout: {name: messages, conversation: chat}
    sections: [{id: a, text: A.}]
  other:
    axes: {at: [a, b, c, d, e]}
    exclude: {at: {not: a}}
    dialect: anthropic
    layout: {name: messages, conversation: chat}
    sections: [{id: a, text: A.}]
`, "a/long.chat.yaml", "prompt: a", "b/long.chat.yaml", "prompt: b", "a/long.chat.json", `{"prompt": "c"}`, "d.yaml", "prompt: d", "a.yaml", "prompt: e")
	if len(found) > 0 {
		t.Fatal(told(found))
	}
	var got []string
	for _, u := range p.Units {
		if u.Dialogue != nil {
			got = append(got, u.Prompt.ID.Str+": "+u.Dialogue.Name)
		}
	}
	want := []string{"coder: a/long.chat.yaml", "coder: b/long.chat", "coder: a/long.chat.json", "coder: d", "coder: a", "other: long.chat"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestWrongLayoutsAreReported has a case for every finding that the manifest
// alone is to blame for.
func TestWrongLayoutsAreReported(t *testing.T) {
	const layout = "    layout: {name: messages, conversation: chat"
	const text = "    sections: [{id: a, source: note}]\n"
	for name, test := range map[string]struct{ prompt, want string }{
		"unknown dialect":     {"    dialect: antropic\n" + layout + "}\n" + text, `8:14: error[PC3030]: unknown dialect "antropic"; did you mean "anthropic"?`},
		"dialect of an axis":  {"    exclude: {state: two}\n    dialect: \"{state}\"\n    sections: [{id: a, source: note}]\n", `9:14: error[PC3030]: unknown dialect "one"; known: "text", "openai-chat", "openai-responses", "anthropic", "gemini"`},
		"text is the default": {layout + "}\n" + text, `8:20: error[PC3031]: prompt "coder" has the layout "messages", which the dialect "text" cannot say; set dialect to one of openai-chat, openai-responses, anthropic, gemini`},
		"text is said":        {"    dialect: text\n" + layout + "}\n" + text, `8:14: error[PC3031]: prompt "coder" has the layout "messages", which the dialect "text" cannot say; set dialect to one of openai-chat, openai-responses, anthropic, gemini`},
		"another kind":        {"    dialect: gemini\n    layout: {name: messages, conversation: note}\n" + text, `9:44: error[PC3032]: the layout of prompt "coder" names the source "note", which is of the kind "text"; a layout's source is of the kind "conversation"; sections name the others`},
		"unknown source":      {"    dialect: gemini\n    layout: {name: messages, conversation: chad}\n" + text, `9:44: error[PC3002]: the layout of prompt "coder" names the unknown source "chad"; did you mean "chat"? (declared at prompts.yaml:3)`},
		"as a section":        {"    sections: [{id: a, source: [note, chat]}]\n", `8:39: error[PC3033]: section "a" names the source "chat", which is a conversation; name it in the prompt's layout: {name: messages, conversation: chat}`},
		"as a step":           {"    sections: [{id: a, source: note, degrade: [{source: chat}]}]\n", `8:57: error[PC3033]: section "a" names the source "chat", which is a conversation; name it in the prompt's layout: {name: messages, conversation: chat}`},
		"unknown assembly":    {"    dialect: gemini\n" + layout + ", assembly: tierd}\n" + text, `9:60: error[PC3036]: unknown assembly "tierd"; did you mean "tiered"?`},
		"unknown reminder":    {"    dialect: gemini\n" + layout + ", reminder: b}\n    sections: [{id: aa, source: note}]\n", `9:60: error[PC3004]: prompt "coder" has no section "b" for its reminder; known: "aa"`},
		"phase":               {"    dialect: gemini\n" + layout + "}\n    sections: [{id: a, source: note, phase: task}]\n", `10:45: error[PC3020]: section "a" sets "phase", which only the layout "phases" reads; set layout: phases on the prompt, or remove it`},
		"breakpoint":          {"    dialect: gemini\n" + layout + "}\n    sections: [{id: a, source: note, breakpoint: true}]\n", `10:50: error[PC3037]: section "a" sets "breakpoint", which only the layout "sequence" reads; remove it; the layout "messages" puts breakpoints behind its tiers`},
		"breakpoint, phases":  {"    layout: phases\n    sections: [{id: a, source: note, phase: task, priority: 1, breakpoint: true}]\n", `9:76: error[PC3037]: section "a" sets "breakpoint", which only the layout "sequence" reads; set layout: sequence on the prompt, or remove it`},
	} {
		_, found := plan(t, coder+test.prompt, "fx/one.yaml", "prompt: One?", "fx/two.yaml", "prompt: Two?")
		var got []string
		for _, line := range told(found) {
			if !strings.Contains(line, "PC3029") { // in some cases, nobody is left to name a source
				got = append(got, line)
			}
		}
		if diff := cmp.Diff([]string{"prompts.yaml:" + test.want}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestEveryVariantHasOneFixture holds what may be missing of a source that a
// layout names: nothing, unless it says what else to take.
func TestEveryVariantHasOneFixture(t *testing.T) {
	const rest = `
prompts:
  coder:
    axes: {state: [one, two, three]}
    dialect: gemini
    layout: {name: messages, conversation: chat}
    sections: [{id: a, text: A.}]
`
	for source, want := range map[string][]string{
		`{kind: conversation, path: "fx/*.yaml"}`: {
			`prompts.yaml:3:36: error[PC3035]: source "chat" comes to 2 fixtures where a variant takes one; the first are "fx/one.yaml" and "fx/two.yaml"; name one, for example by an axis in the path`,
		},
		`{kind: conversation, path: "fx/{state}.yaml"}`: {
			`prompts.yaml:3:36: error[PC3009]: "fx/three.yaml" matches no file; paths are relative to the manifest; a source whose files may be missing says so with fallback: FILE or else: FILE`,
		},
		`{kind: conversation, path: "fx/{state}.yaml", absent: omit}`: {
			`prompts.yaml:3:3: error[PC3034]: source "chat" is a conversation and sets "absent", but there are no messages without it; remove absent:, or give other files with fallback: or else:`,
		},
		`{kind: conversation, path: "fx/{state}.yaml", fallback: [fx/one.yaml]}`: {
			`prompts.yaml:3:36: note[PC3011]: source "chat" has no file of its own in some variants and uses "fx/one.yaml" there; `,
		},
		`{kind: conversation, path: "fx/{state}.yaml", else: fx/one.yaml}`: {},
	} {
		p, found := plan(t, "version: 1\nsources:\n  chat: "+source+rest, "fx/one.yaml", "prompt: One?", "fx/two.yaml", "prompt: Two?")
		if diff := cmp.Diff(want, told(found)); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
		if !found.HasErrors() && p.Builds[0].Variants[0].Messages.Unit != p.Builds[0].Variants[2].Messages.Unit {
			t.Errorf("%s: one fixture has two units", source)
		}
	}
}

// TestDialectsAndBreakpointsOfSections holds the settings that have nothing to
// do with conversations.
func TestDialectsAndBreakpointsOfSections(t *testing.T) {
	p, found := plan(t, `version: 1
sources:
  clock: {text: Now., volatile: true}
  plain: {text: Then.}
prompts:
  agent:
    axes: {size: [S, L]}
    layout: [{when: {size: S}, value: sequence}, {value: phases}]
    sections:
      - {id: a, source: [plain, clock], phase: task, priority: 1, breakpoint: [{when: {size: L}, value: false}, {value: true}]}
      - {id: b, source: plain, phase: task, priority: 1, breakpoint: [{when: {size: L}, value: true}, {value: false}]}
`)
	if len(found) > 0 {
		t.Fatal(told(found))
	}
	var got []string
	for _, v := range p.Builds[0].Variants {
		for _, u := range v.Uses {
			got = append(got, fmt.Sprintf("%s %s %d: breakpoint=%t volatile=%t", v.Name, v.Dialect.Name, v.CacheMinimum, u.Breakpoint, u.Volatile))
			if at := u.BreakpointAt; at.Known() != u.Breakpoint || at.Known() && at.File.Text[at.Start:at.End] != "true" {
				t.Errorf("%s: the breakpoint is declared at %v", v.Name, at)
			}
		}
	}
	minimum := ground.MinimumPrefix
	want := []string{
		fmt.Sprintf("agent/size=S text %d: breakpoint=true volatile=false", minimum),
		fmt.Sprintf("agent/size=S text %d: breakpoint=false volatile=false", minimum),
		fmt.Sprintf("agent/size=L text %d: breakpoint=false volatile=false", minimum),
		fmt.Sprintf("agent/size=L text %d: breakpoint=false volatile=false", minimum),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

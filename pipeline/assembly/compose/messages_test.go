package compose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// talk makes the variant of a plan a conversation in a dialect.
func talk(t *testing.T, p *assembly.Plan, renderings []*assembly.Rendering, dialect string, reminder int, turns ...assembly.Turn) []*assembly.Rendering {
	t.Helper()
	v := p.Builds[0].Variants[0]
	v.Dialect = lookup(t, dialect)
	v.Messages = &assembly.MessageRules{Unit: len(renderings), Reminder: reminder}
	unit := &assembly.Unit{Index: len(renderings), Dialogue: &assembly.Dialogue{Name: "chat"}}
	return append(renderings, &assembly.Rendering{Unit: unit, Turns: turns})
}

func lookup(t *testing.T, name string) *ground.Dialect {
	t.Helper()
	d, ok := ground.LookupDialect(name)
	if !ok {
		t.Fatalf("no dialect %q", name)
	}
	return d
}

// turn makes a message out of what the layout says by itself ("# Files\n\n") and
// of what a source says (kind:key, with more text behind a bar).
func turn(role language.Role, tier, block string, passages ...string) assembly.Turn {
	t := assembly.Turn{Role: role, Tier: tier, Block: block}
	for _, s := range passages {
		kinds := map[string]assembly.ContentKind{
			"legend": assembly.ContentLegend, "symbols": assembly.ContentSymbols, "files": assembly.ContentFile,
			"history": assembly.ContentHistory, "prompt": assembly.ContentPrompt,
		}
		p := assembly.Passage{Text: ground.Literal(s)}
		if kind, rest, ok := strings.Cut(s, ":"); ok {
			key, _, _ := strings.Cut(rest, "|")
			p.Content = &assembly.Content{Kind: kinds[kind], Key: key, Fixture: "chat"}
		}
		t.Passages = append(t.Passages, p)
	}
	return t
}

func marked(t assembly.Turn) assembly.Turn {
	t.Marked = true
	return t
}

// array writes the messages of an artifact down, a line each: who says what in
// which blocks; a star is a breakpoint.
func array(a *assembly.Artifact) []string {
	var out []string
	for _, m := range a.Messages {
		line := strings.TrimSpace(string(m.Role) + " " + m.Tier + " " + m.Block)
		for _, b := range m.Blocks {
			switch {
			case b.Image != nil:
				line += " image " + b.Image.URL
			case b.Marked:
				line += fmt.Sprintf(" %q*", a.BlockText(b))
			default:
				line += fmt.Sprintf(" %q", a.BlockText(b))
			}
		}
		out = append(out, line)
	}
	return out
}

func TestMessagesStandBehindTheSections(t *testing.T) {
	asks := turn(language.RoleUser, "", "prompt", "prompt:")
	asks.Images = []language.Image{{URL: "data:1"}, {URL: "data:2"}}
	line := "\n"
	for _, tc := range []struct {
		name     string
		sections []section
		reminder int
		turns    []assembly.Turn
		want     []string
	}{
		{
			"everything",
			[]section{{id: "a", texts: []string{"A"}}, {id: "rem", texts: []string{"R"}}, {id: "b", texts: []string{"B"}, join: &line}},
			1,
			[]assembly.Turn{
				marked(turn(language.RoleSystem, "L0", "system", "# Map\n\n", "legend:")),
				turn(language.RoleUser, "L1", "tier", "# Files\n\n", "files:x", "\n\n", "files:y"), marked(turn(language.RoleAssistant, "L1", "tier", "Ok.")),
				turn(language.RoleUser, "", "history", "history:0-user"), asks,
			},
			[]string{
				`system L0 system "A\nB\n\n# Map\n\nlegend:"*`,
				`user L1 tier "# Files\n\nfiles:x\n\nfiles:y"`, `assistant L1 tier "Ok."*`,
				`user  history "history:0-user"`, `user  prompt "prompt:\n\nR" image data:1 image data:2`,
			},
		},
		{
			"only sections in the system message",
			[]section{{id: "a", texts: []string{"A"}}},
			-1,
			[]assembly.Turn{marked(turn(language.RoleSystem, "L0", "system")), asks},
			[]string{`system L0 system "A"*`, `user  prompt "prompt:" image data:1 image data:2`},
		},
		{
			"only the conversation in the system message",
			[]section{{id: "a", out: assembly.OutWhen}},
			-1,
			[]assembly.Turn{turn(language.RoleSystem, "L0", "system", "legend:"), turn(language.RoleUser, "", "prompt", "prompt:")},
			[]string{`system L0 system "legend:"`, `user  prompt "prompt:"`},
		},
		{
			"a marker with nothing before it goes", nil, -1,
			[]assembly.Turn{marked(turn(language.RoleSystem, "L0", "system")), turn(language.RoleUser, "", "prompt", "prompt:")},
			[]string{`user  prompt "prompt:"`},
		},
		{
			"the first turn is not the system message",
			[]section{{id: "a", texts: []string{"A"}}},
			-1,
			[]assembly.Turn{turn(language.RoleSystem, "L0", "history", "history:0-system"), turn(language.RoleUser, "", "prompt", "prompt:")},
			[]string{`system L0 system "A"`, `system L0 history "history:0-system"`, `user  prompt "prompt:"`},
		},
		{
			"a reminder with a join of its own",
			[]section{{id: "rem", texts: []string{"R"}, join: &line}},
			0,
			[]assembly.Turn{turn(language.RoleUser, "", "prompt", "prompt:")},
			[]string{`user  prompt "prompt:\nR"`},
		},
		{
			"a reminder that says nothing",
			[]section{{id: "rem", texts: []string{""}}},
			0,
			[]assembly.Turn{turn(language.RoleUser, "", "prompt", "prompt:")},
			[]string{`user  prompt "prompt:"`},
		},
	} {
		p, renderings := plan(limit(-1), tc.sections...)
		renderings = talk(t, p, renderings, "anthropic", tc.reminder, tc.turns...)
		artifacts, found := compose.Run(p, renderings, counters(t))
		if len(found) > 0 {
			t.Errorf("%s: %v", tc.name, found)
		}
		if diff := cmp.Diff(tc.want, array(artifacts[0])); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		mustHang(t, tc.name, artifacts[0])
	}
}

// mustHang holds what is true of every artifact: the parts follow one another,
// the blocks are all of them, and the ledger is that of the texts.
func mustHang(t *testing.T, name string, a *assembly.Artifact) {
	t.Helper()
	start, part, tokens := 0, 0, 0
	var joined strings.Builder
	for _, p := range a.Parts {
		if p.Start != start || p.Text == "" {
			t.Errorf("%s: %q starts at %d, not %d", name, p.Text, p.Start, start)
		}
		start += len(p.Text)
	}
	points := 0
	for _, m := range a.Messages {
		if len(m.Blocks) == 0 {
			t.Errorf("%s: a message without content", name)
		}
		var said []string
		for _, b := range m.Blocks {
			if b.From != part || (b.From == b.To) != (b.Image != nil) {
				t.Errorf("%s: a block has the parts %d to %d behind %d", name, b.From, b.To, part)
			}
			part = b.To
			joined.WriteString(a.BlockText(b))
			if b.Image == nil {
				said = append(said, a.BlockText(b))
			}
			if b.Marked {
				if b.Point != points || a.Cache.Points[b.Point].Part != b.To {
					t.Errorf("%s: breakpoint %d is not where it says", name, b.Point)
				}
				points++
			}
		}
		if a.Variant.Dialect.OneText && a.Variant.Messages == nil {
			said = []string{strings.Join(said, "")}
		}
		for _, text := range said {
			tokens += counters(t)("").Count(text)
		}
	}
	if part != len(a.Parts) || joined.String() != a.Text() || points != len(a.Cache.Points) {
		t.Errorf("%s: blocks say %q, the text is %q; %d of %d breakpoints", name, joined.String(), a.Text(), points, len(a.Cache.Points))
	}
	if !a.Variant.Dialect.JSON {
		tokens = counters(t)("").Count(a.Text())
	}
	if last := len(a.Parts) - 1; a.Tokens != tokens || last >= 0 && a.Parts[last].Total != tokens {
		t.Errorf("%s: the ledger says %d tokens, the texts have %d", name, a.Tokens, tokens)
	}
}

func TestReminderIsASectionLikeAnyOther(t *testing.T) {
	p, renderings := plan(limit(-1), section{id: "rem", out: assembly.OutNeeds}, section{id: "a", texts: []string{"A"}})
	renderings = talk(t, p, renderings, "gemini", 0, turn(language.RoleUser, "", "prompt", "prompt:"))
	artifacts, _ := compose.Run(p, renderings, counters(t))
	if diff := cmp.Diff([]assembly.Omission{{Section: 0, Reason: assembly.OutNeeds}}, artifacts[0].Out); diff != "" {
		t.Error(diff)
	}
	v := p.Builds[0].Variants[0]
	v.Uses[0], v.Uses[1] = v.Uses[1], v.Uses[0]
	artifacts, _ = compose.Run(p, renderings, counters(t))
	a := artifacts[0]
	last := a.Parts[len(a.Parts)-1]
	if last.Section != 0 || a.Used[0] == nil || last.Rendering != a.Used[0] {
		t.Errorf("the last part is %+v", last)
	}
}

// TestSectionsStepDownBeforeAConversation: the prompt is 80 characters, and
// the budget is of all messages.
func TestSectionsStepDownBeforeAConversation(t *testing.T) {
	long := turn(language.RoleUser, "", "prompt", "prompt:|"+text(72))
	for budget, want := range map[int]int{60: 79, 40: 79, 39: 39, 30: 39, 29: 39} {
		p, renderings := plan(limit(budget), section{id: "a", texts: []string{text(79), text(39)}})
		renderings = talk(t, p, renderings, "openai-chat", -1, long)
		artifacts, found := compose.Run(p, renderings, counters(t))
		if got := len(artifacts[0].Parts[0].Text); got != want {
			t.Errorf("budget %d: the section has %d characters, not %d", budget, got, want)
		}
		if budget >= 30 {
			continue
		}
		want := []string{"largest: prompt 20, a 10 (promptc explain p)"}
		if len(found) != 1 || found[0].Code != diag.OverTokens || cmp.Diff(want, wording.Detail(found[0])) != "" {
			t.Errorf("budget %d: %v", budget, found)
		}
	}
}

// TestWhatTheConversationSaysIsNotTheRemindersCost: only the reminder and its
// join are. A heading counts with the content behind it, an acknowledgement
// with the one before, as in the ledger.
func TestWhatTheConversationSaysIsNotTheRemindersCost(t *testing.T) {
	p, renderings := plan(language.Limits{Tokens: 3, Chars: 3, ToolTokens: -1}, section{id: "a", texts: []string{text(40)}}, section{id: "rem", texts: []string{text(22)}})
	renderings = talk(t, p, renderings, "openai-chat", 1, turn(language.RoleUser, "", "files", "# Files\n", "files:x|"+text(32)),
		turn(language.RoleAssistant, "", "files", "Ok."), turn(language.RoleUser, "", "prompt", "prompt:|"+text(92)))
	_, found := compose.Run(p, renderings, counters(t))
	var got []string
	for _, d := range found {
		got = append(got, wording.Detail(d)...)
	}
	want := []string{
		"largest: prompt 25, files/x 13, a 10 (promptc explain p)",
		"largest: prompt 100, a 40, files/x 40 (promptc explain p)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

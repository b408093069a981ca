package compose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/compose"
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

// talk makes the variant of a plan a conversation in a dialect.
func talk(t *testing.T, p *prompt.Plan, renderings []*prompt.Rendering, dialect string, reminder int, turns ...prompt.Turn) []*prompt.Rendering {
	t.Helper()
	v := p.Builds[0].Variants[0]
	v.Dialect = lookup(t, dialect)
	v.Messages = &prompt.MessageRules{Unit: len(renderings), Reminder: reminder}
	unit := &prompt.Unit{Index: len(renderings), Dialogue: &prompt.Dialogue{Name: "chat"}}
	return append(renderings, &prompt.Rendering{Unit: unit, Turns: turns})
}

func lookup(t *testing.T, name string) *prompt.Dialect {
	t.Helper()
	d, ok := prompt.LookupDialect(name)
	if !ok {
		t.Fatalf("no dialect %q", name)
	}
	return d
}

// turn makes a message out of what the layout says by itself ("# Files\n\n") and
// of what a source says (kind:key, with more text behind a bar).
func turn(role prompt.Role, tier, block string, passages ...string) prompt.Turn {
	t := prompt.Turn{Role: role, Tier: tier, Block: block}
	for _, s := range passages {
		kinds := map[string]prompt.ContentKind{
			"legend": prompt.ContentLegend, "symbols": prompt.ContentSymbols, "files": prompt.ContentFile,
			"history": prompt.ContentHistory, "prompt": prompt.ContentPrompt,
		}
		p := prompt.Passage{Text: prompt.Literal(s)}
		if kind, rest, ok := strings.Cut(s, ":"); ok {
			key, _, _ := strings.Cut(rest, "|")
			p.Content = &prompt.Content{Kind: kinds[kind], Key: key, Fixture: "chat"}
		}
		t.Passages = append(t.Passages, p)
	}
	return t
}

func marked(t prompt.Turn) prompt.Turn {
	t.Marked = true
	return t
}

// array writes the messages of an artifact down, a line each: who says what in
// which blocks; a star is a breakpoint.
func array(a *prompt.Artifact) []string {
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
	asks := turn(prompt.RoleUser, "", "prompt", "prompt:")
	asks.Images = []prompt.Image{{URL: "data:1"}, {URL: "data:2"}}
	line := "\n"
	for _, tc := range []struct {
		name     string
		sections []section
		reminder int
		turns    []prompt.Turn
		want     []string
	}{
		{
			"everything",
			[]section{{id: "a", texts: []string{"A"}}, {id: "rem", texts: []string{"R"}}, {id: "b", texts: []string{"B"}, join: &line}},
			1,
			[]prompt.Turn{
				marked(turn(prompt.RoleSystem, "L0", "system", "# Map\n\n", "legend:")),
				turn(prompt.RoleUser, "L1", "tier", "# Files\n\n", "files:x", "\n\n", "files:y"), marked(turn(prompt.RoleAssistant, "L1", "tier", "Ok.")),
				turn(prompt.RoleUser, "", "history", "history:0-user"), asks,
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
			[]prompt.Turn{marked(turn(prompt.RoleSystem, "L0", "system")), asks},
			[]string{`system L0 system "A"*`, `user  prompt "prompt:" image data:1 image data:2`},
		},
		{
			"only the conversation in the system message",
			[]section{{id: "a", out: prompt.OutWhen}},
			-1,
			[]prompt.Turn{turn(prompt.RoleSystem, "L0", "system", "legend:"), turn(prompt.RoleUser, "", "prompt", "prompt:")},
			[]string{`system L0 system "legend:"`, `user  prompt "prompt:"`},
		},
		{
			"a marker with nothing before it goes", nil, -1,
			[]prompt.Turn{marked(turn(prompt.RoleSystem, "L0", "system")), turn(prompt.RoleUser, "", "prompt", "prompt:")},
			[]string{`user  prompt "prompt:"`},
		},
		{
			"the first turn is not the system message",
			[]section{{id: "a", texts: []string{"A"}}},
			-1,
			[]prompt.Turn{turn(prompt.RoleSystem, "L0", "history", "history:0-system"), turn(prompt.RoleUser, "", "prompt", "prompt:")},
			[]string{`system L0 system "A"`, `system L0 history "history:0-system"`, `user  prompt "prompt:"`},
		},
		{
			"a reminder with a join of its own",
			[]section{{id: "rem", texts: []string{"R"}, join: &line}},
			0,
			[]prompt.Turn{turn(prompt.RoleUser, "", "prompt", "prompt:")},
			[]string{`user  prompt "prompt:\nR"`},
		},
		{
			"a reminder that says nothing",
			[]section{{id: "rem", texts: []string{""}}},
			0,
			[]prompt.Turn{turn(prompt.RoleUser, "", "prompt", "prompt:")},
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
func mustHang(t *testing.T, name string, a *prompt.Artifact) {
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
	p, renderings := plan(limit(-1), section{id: "rem", out: prompt.OutNeeds}, section{id: "a", texts: []string{"A"}})
	renderings = talk(t, p, renderings, "gemini", 0, turn(prompt.RoleUser, "", "prompt", "prompt:"))
	artifacts, _ := compose.Run(p, renderings, counters(t))
	if diff := cmp.Diff([]prompt.Omission{{Section: 0, Reason: prompt.OutNeeds}}, artifacts[0].Out); diff != "" {
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
	long := turn(prompt.RoleUser, "", "prompt", "prompt:|"+text(72))
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
	p, renderings := plan(prompt.Limits{Tokens: 3, Chars: 3, ToolTokens: -1}, section{id: "a", texts: []string{text(40)}}, section{id: "rem", texts: []string{text(22)}})
	renderings = talk(t, p, renderings, "openai-chat", 1, turn(prompt.RoleUser, "", "files", "# Files\n", "files:x|"+text(32)),
		turn(prompt.RoleAssistant, "", "files", "Ok."), turn(prompt.RoleUser, "", "prompt", "prompt:|"+text(92)))
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

package output_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// chat is a prompt with a conversation behind its sections: a turn a line, as
// `role tier block` and what it says.
type chat struct {
	fixture *diag.File
	build   *assembly.Build
	result  *prompt.Result
	a       *assembly.Artifact
}

func newChat(dialect string) *chat {
	c := &chat{fixture: &diag.File{Path: "fixtures/long.yaml", Text: strings.Repeat("a line\n", 40)}}
	def := &language.Prompt{ID: word("coder"), Sections: []*language.Section{{ID: word("system")}, {ID: word("reminder")}}}
	d, _ := ground.LookupDialect(dialect)
	c.build = &assembly.Build{Prompt: def, Variants: []*assembly.Variant{{
		Name: "coder", Tokenizer: "o200k_base", Dialect: d, Messages: &assembly.MessageRules{Reminder: 1},
		Budget: language.Limits{Tokens: -1, Chars: -1, ToolTokens: -1},
	}}}
	c.a = &assembly.Artifact{Build: c.build, Variant: c.build.Variants[0]}
	spec := &language.Spec{Prompts: []*language.Prompt{def}}
	c.result = &prompt.Result{
		Spec: spec, Plan: &assembly.Plan{Spec: spec, Builds: []*assembly.Build{c.build}}, Artifacts: []*assembly.Artifact{c.a},
		Delta: &store.Delta{SnapshotFolder: "snapshots", Artifacts: store.Emitted{Folder: "dist"}},
	}
	return c
}

// say adds a message whose text is one block; each block counts by itself.
func (c *chat) say(role language.Role, tier, block string, marked bool, parts ...assembly.Part) {
	from, text := len(c.a.Parts), ""
	for _, p := range parts {
		p.Start = c.a.Bytes()
		text += p.Text
		p.Total = c.a.Tokens + wordCount(text)
		c.a.Parts = append(c.a.Parts, p)
	}
	c.a.Tokens += wordCount(text)
	c.a.Use, c.a.Cache.Stable = c.a.Tokens, c.a.Tokens
	b := assembly.Block{From: from, To: len(c.a.Parts), Marked: marked, Point: len(c.a.Cache.Points)}
	if marked {
		c.a.Cache.Points = append(c.a.Cache.Points, assembly.Point{Name: tier, Part: b.To, Tokens: c.a.Tokens})
	}
	c.a.Messages = append(c.a.Messages, assembly.Message{Role: role, Tier: tier, Block: block, Blocks: []assembly.Block{b}})
}

// section gives the part of a section, of the n-th line of the fixture.
func (c *chat) section(i int, text string) assembly.Part {
	u := &assembly.Unit{Section: c.build.Prompt.Sections[i]}
	r := &assembly.Rendering{Unit: u, Text: ground.Derived(text, diag.Span{File: &diag.File{Path: u.Section.ID.Str + ".md", Text: text}, End: len(text)})}
	return assembly.Part{Section: i, Text: text, Rendering: r}
}

// piece gives the part of a content at a line of the fixture.
func (c *chat) piece(kind assembly.ContentKind, key, text string, line int) assembly.Part {
	at := diag.Span{File: c.fixture, Start: 7 * (line - 1), End: 7*line - 1}
	return assembly.Part{Section: -1, Text: text, Passage: &assembly.Passage{
		Content: &assembly.Content{Kind: kind, Key: key, Fixture: "long"}, Text: ground.Derived(text, at),
	}}
}

// own gives the part of what the layout says by itself.
func own(text string) assembly.Part {
	return assembly.Part{Section: -1, Text: text, Passage: &assembly.Passage{Text: ground.Literal(text)}}
}

func join() assembly.Part { return assembly.Part{Section: -1, Text: "\n\n"} }

// everything says a bit of all.
func (c *chat) everything() *chat {
	c.say(
		language.RoleSystem, "L0", "system", false, c.section(0, "You are it."), join(), own("# Structure"), own("\n\n"),
		c.piece(assembly.ContentLegend, "", "c class", 2), own("\n\n"),
		c.piece(assembly.ContentSymbols, "a.go", "a.go f", 3), own("\n\n"), c.piece(assembly.ContentSymbols, "b.go", "b.go g h", 20),
	)
	c.say(language.RoleUser, "L0", "history", false, c.piece(assembly.ContentHistory, "0-user", "Hello there.", 5))
	c.say(language.RoleAssistant, "L0", "history", true, c.piece(assembly.ContentHistory, "1-assistant", "Hi.", 6))
	c.say(language.RoleUser, "L2", "tier", false, own("# Files"), own("\n\n"), c.piece(assembly.ContentFile, "c.go", "package c", 8))
	c.say(language.RoleAssistant, "L2", "tier", true, own("Ok."))
	c.say(language.RoleUser, "", "map", false, own("# More"), own("\n\n"), c.piece(assembly.ContentSymbols, "d.go", "d.go", 9))
	c.say(language.RoleAssistant, "", "map", false, own("Ok."))
	c.say(language.RoleUser, "", "files", false, c.piece(assembly.ContentFile, "e.go", "package e", 10))
	c.say(language.RoleAssistant, "", "files", false, own("Ok."))
	c.say(language.RoleUser, "", "prompt", false, c.piece(assembly.ContentPrompt, "", "Do it.", 12), join(), c.section(1, "Be brief."))
	last := &c.a.Messages[len(c.a.Messages)-1]
	n := len(c.a.Parts)
	last.Blocks = append(last.Blocks, assembly.Block{From: n, To: n, Image: &language.Image{Media: "image/png", Bytes: 68}})
	return c
}

func (c *chat) explain(t *testing.T) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return ledger.Explain(w, c.result, c.a, ledger.With{}, words.Options{})
	})
}

func TestExplainGroupsWhatAConversationSays(t *testing.T) {
	c := newChat("anthropic").everything()
	equal(t, c.explain(t), `coder                                            31 tokens, o200k_base, anthropic

section      tier  tokens  share  total  from
system       L0         3   10 %      3  system.md:1
legend       L0         4   13 %      7  fixtures/long.yaml:2
symbols      L0         5   16 %     12  fixtures/long.yaml:3,20
history      L0         3   10 %     15  fixtures/long.yaml:5-6
── cache breakpoint ──               15  L0
files        L2         5   16 %     20  fixtures/long.yaml:8
── cache breakpoint ──               20  L2
map                     4   13 %     24  fixtures/long.yaml:9
files                   3   10 %     27  fixtures/long.yaml:10
prompt                  2    6 %     29  fixtures/long.yaml:12
reminder                2    6 %     31  reminder.md:1
images       1, not counted
cache        stable prefix 31 tokens, all: nothing is declared volatile
`)
}

func TestExplainSaysWhatBreakpointsAreWorth(t *testing.T) {
	c := newChat("gemini").everything()
	c.a.ToolTokens, c.a.Beside = 100, []*language.Tool{{Name: "exec"}}
	slot := &language.Slot{Name: word("clock"), Volatile: true, MaxTokens: 4}
	c.a.Parts[0].Rendering.Slots = []assembly.SlotAt{{Slot: slot}}
	c.a.Cache.Volatile, c.a.Cache.Stable = &assembly.VolatileAt{Slot: slot, Offset: 8}, 102
	for i := range c.a.Cache.Points {
		c.a.Cache.Points[i].Tokens += 100
	}
	got := c.explain(t)
	for _, want := range []string{
		"\n── cache breakpoint ──                      15  L0, 115 with tools, behind volatile text, left out: gemini has no markers\n",
		"\ncache        stable prefix 102 of 131 tokens with tools (78 %), up to slot clock of system\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	c.a.Cache.Volatile = &assembly.VolatileAt{Source: &language.Source{ID: word("news")}}
	if got := c.explain(t); !strings.Contains(got, "up to source news of system\n") {
		t.Error(got)
	}
	c.a.Cache.Volatile = &assembly.VolatileAt{Section: 1}
	if got := c.explain(t); !strings.Contains(got, "up to section reminder\n") {
		t.Error(got)
	}
	c.a.Cache.Volatile = &assembly.VolatileAt{Part: 3, Section: -1}
	if got := c.explain(t); !strings.Contains(got, "up to the prompt\n") {
		t.Error(got)
	}
}

func TestExplainListsWhatAConversationShowsElsewhere(t *testing.T) {
	c := newChat("anthropic").everything()
	c.result.Plan.Units = []*assembly.Unit{{Dialogue: &assembly.Dialogue{LeftOut: []assembly.LeftOut{
		{Kind: assembly.ContentSymbols, Path: "c.go"}, {Kind: assembly.ContentFile, Path: "a.go", Tier: 1},
	}}}}
	if got := c.explain(t); !strings.Contains(got, "\nomitted      symbols/c.go  in full\nomitted      files/a.go  in L1\nimages ") {
		t.Error(got)
	}
	if got := c.json(t); !strings.Contains(got, `"omitted": [
    {
      "content": "symbols/c.go",
      "reason": "in full"
    },
    {
      "content": "files/a.go",
      "reason": "in L1"
    }
  ],`) {
		t.Error(got)
	}
}

func TestWhatTheUserAsksEndsTheStablePrefixInJSON(t *testing.T) {
	c := newChat("anthropic").everything()
	c.a.Cache.Volatile = &assembly.VolatileAt{Part: 1, Section: -1}
	if got := c.json(t); !strings.Contains(got, "\"volatile\": {\n        \"content\": \"prompt\",\n        \"start\": 11\n") {
		t.Error(got)
	}
}

func TestBreakpointsOfSectionsStandBetweenThem(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	a.Cache = assembly.Cache{Stable: a.Tokens, Points: []assembly.Point{{Name: "intro", Part: 1, Tokens: 1}, {Name: "soul", Part: 4, Tokens: 14}}}
	equal(t, p.explain(t, 0), `persona/entry=full,tools=native                  14 of 20 tokens (70 %), o200k_base

section      tokens  share  total  from
intro             1    7 %      1  prompts.yaml:5
── cache breakpoint ──          1  intro
soul             13   93 %     14  sources/persona/SOUL.md:11-12
── cache breakpoint ──         14  soul
cache        stable prefix 14 tokens, all: nothing is declared volatile
headroom     6 tokens
`)
}

// Without a final line break the notice is the last part.
func TestTheNoticeOfARequestBodyIsInItsLedger(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[4]
	d, _ := ground.LookupDialect("openai-chat")
	a.Variant.Dialect, a.Notice = d, true
	a.Parts = append(a.Parts[:1], join(), assembly.Part{Section: -1, Text: "Left out: soul.", Start: 8, Total: 4})
	a.Tokens, a.Use = 4, 4
	got := p.explain(t, 4)
	if !strings.Contains(got, "\n(notice)          3   75 %      4\n") || !strings.Contains(got, ", o200k_base, openai-chat\n") {
		t.Error(got)
	}
}

func TestListMeasuresRequestBodiesByTheirTexts(t *testing.T) {
	c := newChat("openai-chat").everything()
	c.a.Chars = 150
	got := written(t, func(w *strings.Builder) error {
		return run.List(w, c.result, c.result.Artifacts, run.Listing{Tokens: true}, words.Options{})
	})
	equal(t, got, "variant   tokens   characters\ncoder         31          150\n")
}

func TestNoControlCharacterOfAConversationGetsOut(t *testing.T) {
	const hostile = "a\x1b[2J\u202e\n\xff"
	c := newChat("anthropic").everything()
	c.fixture.Path = hostile
	c.build.Prompt.Sections[0].ID, c.a.Variant.Name = word(hostile), hostile
	for i := range c.a.Cache.Points {
		c.a.Cache.Points[i].Name = hostile
	}
	for i := range c.a.Messages {
		c.a.Messages[i].Tier, c.a.Messages[i].Block = hostile, hostile
	}
	c.a.Cache.Volatile = &assembly.VolatileAt{Slot: &language.Slot{Name: word(hostile)}}
	for _, got := range []string{c.explain(t), c.json(t)} {
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }); i >= 0 {
			t.Errorf("%q gets out", got[i:min(i+8, len(got))])
		}
	}
}

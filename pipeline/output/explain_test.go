package output_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

func (p *persona) explain(t *testing.T, i int) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return ledger.Explain(w, p.result, p.result.Artifacts[i], ledger.With{}, words.Options{})
	})
}

func TestExplain(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	a.Variant.Context = 8192
	a.Out = []assembly.Omission{
		{Section: 2, Reason: assembly.OutNeeds, Why: "memory_search"},
		{Section: 3, Reason: assembly.OutWhen},
	}
	equal(t, p.explain(t, 0), `persona/entry=full,tools=native                  14 of 20 tokens (70 %), 0.2 % of a 8,192 context, o200k_base

section      tokens  share  total  from
intro             1    7 %      1  prompts.yaml:5
soul             13   93 %     14  sources/persona/SOUL.md:11-12
omitted      skills  needs memory_search
omitted      memory  when entry is full
headroom     6 tokens
`)
}

func TestExplainEverythingElse(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	a.Variant.Budget = language.Limits{Tokens: -1, Chars: 50, ToolTokens: 1000}
	a.Variant.Tokenizer = "claude"
	p.result.Spec.Tokenizers = []*language.Estimator{{Name: word("claude"), Base: word("o200k_base"), Factor: 1.2, Error: 0.15}}
	a.Use, a.ToolTokens, a.Chars, a.Beside = a.Tokens+48, 1204, 60, []*language.Tool{{Name: "exec"}, {Name: "read"}}
	r := a.Parts[2].Rendering
	r.Unit.Step = "compact"
	r.Marks = []assembly.Mark{{Form: "compact"}}
	slot := &language.Slot{Name: word("clock"), MaxTokens: 24, Optional: true}
	r.Slots = []assembly.SlotAt{{Slot: slot}, {Slot: slot}}
	r.Cuts = []assembly.Cut{{File: p.soul, Original: 5000, Included: 1200, Limit: 1200}}
	a.Out = []assembly.Omission{{Section: 2, Reason: assembly.OutBudget}, {Section: 3, Reason: assembly.OutEmpty}}
	equal(t, p.explain(t, 0), `persona/entry=full,tools=native                  ≈62 tokens (text 14, slots 48), 60 of 50 characters (120 %), claude (o200k_base × 1.2, ±15 %)

section       tokens  slots  share  total  from
intro              1           7 %      1  prompts.yaml:5
soul~compact      13    +48   93 %     14  sources/persona/SOUL.md:11-12 (form compact)
dropped       skills  does not fit the budget
omitted       memory  empty
steps         soul  stepped down to compact
cut           sources/persona/SOUL.md  1,200 of 5,000 characters (limit 1,200)
slot          clock  up to 2 × 24 tokens (optional)
tools         2 schemas beside the text, 1,204 tokens of 1,000 (120 %)
headroom      none: over by 10 characters
`)
}

func TestExplainNamesSomeOfManySources(t *testing.T) {
	p := newPersona()
	var b ground.Builder
	b.WriteText(ground.Derived("# Head\n", at(p.manifest, "Hello.")))
	for _, name := range []string{"a.md", "b.md", "c.md", "d.md"} {
		f := &diag.File{Path: name, Text: "x\ny\n"}
		b.WriteText(ground.Verbatim(diag.Span{File: f, Start: 0, End: 4}))
	}
	builtIn := p.rendering(1, ground.Literal("soul"))
	builtIn.Unit.Inputs = []*assembly.Input{{Origin: assembly.FromBuiltIn}}
	p.result.Artifacts[4] = p.artifact(p.build.Variants[4], p.rendering(0, b.Text()), builtIn)
	got := p.explain(t, 4)
	for _, want := range []string{"  a.md:1-2 and 3 more\n", "  built in\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "prompts.yaml") {
		t.Errorf("the heading's place hides the sources:\n%s", got)
	}
}

func TestExplainTellsPlacesOfOneFileApart(t *testing.T) {
	p := newPersona()
	f := &diag.File{Path: "a.md", Text: strings.Repeat("x\n", 40)}
	var b ground.Builder
	for _, line := range []int{30, 31, 2, 5} {
		b.WriteText(ground.Verbatim(diag.Span{File: f, Start: 2*line - 2, End: 2*line - 1}))
	}
	p.result.Artifacts[4] = p.artifact(p.build.Variants[4], p.rendering(0, b.Text()))
	if got := p.explain(t, 4); !strings.Contains(got, "  a.md:2-5,30-31\n") {
		t.Error(got)
	}
}

func TestList(t *testing.T) {
	p := newPersona()
	all := p.result.Artifacts
	list := func(with run.Listing) string {
		return written(t, func(w *strings.Builder) error { return run.List(w, p.result, all[:3], with, words.Options{}) })
	}
	equal(t, list(run.Listing{}), `persona/entry=full,tools=native
persona/entry=full,tools=fallback
persona/entry=simple,tools=native
`)
	all[0].Use, all[0].Chars, all[0].Variant.Budget.Tokens = 1912, 7604, 4000
	all[1].ToolTokens = 300
	all[2].Variant.Budget = language.Limits{Tokens: -1, Chars: -1, ToolTokens: -1}
	equal(t, list(run.Listing{Tokens: true}), `variant                             tokens   characters   tool tokens   budget   used
persona/entry=full,tools=native      1,912        7,604                  4,000   48 %
persona/entry=full,tools=fallback       14           87           300       20   70 %
persona/entry=simple,tools=native        1            7
`)
	all = all[1:]
	all[0].Variant.Tokenizer = "chars/4"
	all[0].Variant.Budget = language.Limits{Tokens: 1000, Chars: 100}
	equal(t, list(run.Listing{Context: 8192}), `variant                               tokens   characters   tool tokens           budget   used   context          tokenizer
persona/entry=full,tools=fallback         14           87           300   100 characters   87 %   3.8 % of 8,192   chars/4
persona/entry=simple,tools=native          1            7                                         0.0 % of 8,192   o200k_base
persona/entry=simple,tools=fallback        1            7                             20    5 %   0.0 % of 8,192   o200k_base
`)
}

func TestFullIsNeverSaidOfWhatIsNot(t *testing.T) {
	for _, c := range []struct {
		use  int
		want string
	}{{1996, "99 %"}, {2000, "100 %"}, {2001, "101 %"}, {0, "0 %"}, {30, "2 %"}} {
		p := newPersona()
		a := p.result.Artifacts[0]
		a.Use, a.Variant.Budget.Tokens = c.use, 2000
		got := written(t, func(w *strings.Builder) error {
			return run.List(w, p.result, []*assembly.Artifact{a}, run.Listing{Tokens: true}, words.Options{})
		})
		if !strings.HasSuffix(got, " "+c.want+"\n") {
			t.Errorf("%d of 2000: %q, want %s", c.use, got, c.want)
		}
	}
}

// Whatever a name or a path holds, a terminal gets only what it can show.
func TestNoControlCharacterGetsOut(t *testing.T) {
	const hostile = "a\x1b[2J\u202e\u200b\u009b\r\n\U000e0041\xff"
	p := newPersona()
	p.soul.Path, p.manifest.Path = hostile, hostile
	p.build.Prompt.ID = word(hostile)
	for _, s := range p.build.Prompt.Sections {
		s.ID = word(hostile)
	}
	for _, v := range p.build.Variants {
		v.Name, v.Tokenizer = hostile, hostile
	}
	c := p.soulChanged()
	c.Output.Path, c.Output.Owner.Section, c.Output.Owner.Prompt = "snapshots/"+hostile, hostile, hostile
	c.Old = hostile
	orphan := store.Change{Status: store.Orphaned, Output: assembly.Output{Path: "snapshots/x/sections/" + hostile}}
	p.result.Delta.Snapshots = []store.Change{c, orphan, p.outline(hostile, "b"), readmeChanged()}
	p.result.Delta.Artifacts.Have = true
	p.result.Delta.Artifacts.Changes = []store.Change{{Output: assembly.Output{Path: hostile}}}
	p.result.Delta.Artifacts.Folder = hostile
	a := p.result.Artifacts[0]
	a.Out = []assembly.Omission{{Section: 2, Reason: assembly.OutNeeds, Why: hostile}}
	a.Parts[2].Rendering.Cuts = []assembly.Cut{{File: p.soul}}
	a.Parts[2].Rendering.Marks = []assembly.Mark{{Word: hostile}}
	a.Parts[2].Rendering.Slots = []assembly.SlotAt{{Slot: &language.Slot{Name: word(hostile)}}}
	all := run.Outcome{Command: "build", Snapshots: true, Artifacts: true}
	for _, opt := range []words.Options{{}, {Base: hostile}} {
		for name, write := range map[string]func(*strings.Builder) error{
			"build":   func(w *strings.Builder) error { return run.Build(w, p.result, all, opt) },
			"check":   func(w *strings.Builder) error { return run.Check(w, p.result, opt) },
			"explain": func(w *strings.Builder) error { return ledger.Explain(w, p.result, a, ledger.With{}, opt) },
			"list": func(w *strings.Builder) error {
				return run.List(w, p.result, p.result.Artifacts, run.Listing{}, opt)
			},
			"sizes": func(w *strings.Builder) error {
				return run.List(w, p.result, p.result.Artifacts, run.Listing{Tokens: true}, opt)
			},
			"json":         func(w *strings.Builder) error { return run.JSON(w, p.result, all, opt) },
			"explain json": func(w *strings.Builder) error { return ledger.JSON(w, p.result, a, ledger.With{}, opt) },
		} {
			got := written(t, write)
			for _, r := range got {
				if r != '\n' && !unicode.IsGraphic(r) {
					t.Errorf("%s writes %U", name, r)
				}
			}
			if strings.Contains(name, "json") && !json.Valid([]byte(got)) {
				t.Errorf("%s is no JSON", name)
			}
		}
	}
}

func TestExplainMarksWhoRefusesATool(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	exec, read := &language.Tool{Name: "exec", Canonical: "{}"}, &language.Tool{Name: "read.all", Canonical: `{"name": "read.all"}`}
	long := &language.Tool{Name: "mcp__knowledge_base_server__search_documents_by_similarity", Canonical: `{"name": "x"}`}
	a.Toolset, a.Beside = []*language.Tool{exec, read, long}, []*language.Tool{exec, read}
	against := func(taker string, tool *language.Tool, reason string, level diag.Level) guard.Objection {
		return guard.Objection{Taker: taker, Tool: tool, Reason: reason, Says: diag.Say("names", "says "+reason), Finding: diag.Diagnostic{Level: level}}
	}
	with := ledger.With{Tools: &ledger.ToolsWith{
		Count: func(text string) int { return len(text) },
		Objections: []guard.Objection{
			against("openai-chat", read, "length", diag.Warning), against("openai-chat", read, "name", diag.Error),
			against("anthropic", read, "name", diag.Error), against("gemini", read, "length", diag.Warning),
			against("openai-chat", nil, "advice", diag.Note), against("gemini", nil, "count", diag.Error),
		},
	}}
	explained := func(colour bool) string {
		text := written(t, func(w *strings.Builder) error {
			return ledger.Explain(w, p.result, a, with, words.Options{Color: colour})
		})
		_, tools, _ := strings.Cut(text, "headroom")
		_, tools, _ = strings.Cut(tools, "\n\n")
		return tools
	}
	equal(t, explained(false), `tool                                                        tokens  mcp  openai-chat  openai-responses  anthropic  gemini
exec                                                             2  ✓    ✓            ✓                 ✓          ✓
read.all                                                        19  ✓    name         ✓                 name       length?
mcp__knowledge_base_server__search_documents_by_similarity       –  ✓    ✓            ✓                 ✓          ✓
all 3                                                           21  ✓    ✓            ✓                 ✓          count

read.all  length?  openai-chat, gemini     says length
read.all  name     openai-chat, anthropic  says name
all 3     advice   openai-chat             says advice
all 3     count    gemini                  says count
`)
	painted := explained(true)
	for _, want := range []string{"\x1b[32m✓\x1b[0m", "\x1b[1;31mname\x1b[0m", "\x1b[1;33mlength?\x1b[0m"} {
		if !strings.Contains(painted, want) {
			t.Errorf("no %q in %q", want, painted)
		}
	}
}

package output_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

func (p *persona) json(t *testing.T, did run.Outcome, opt words.Options) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return run.JSON(w, p.result, did, opt) })
}

func TestJSONOfAStoppedRun(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: "one\ntwo <b>\n"}
	r := &prompt.Result{Stopped: true, Findings: diag.List{
		{Code: "PC1002", Level: diag.Note, What: diag.Verbatim("no place")},
		{Code: "PC1001", Span: at(f, "two"), What: diag.Verbatim("bad \"two\" <\x1b\u202e\U000e0041>"), Detail: []diag.Words{diag.Verbatim("d")}, Hint: diag.Verbatim("h")},
	}, Off: []language.Silenced{{
		Finding: diag.Diagnostic{Code: "PC1002", Level: diag.Note, Span: at(f, "one"), What: diag.Verbatim("left out")},
		By:      &language.Setting{Reason: ground.Word{Str: "it is meant"}},
	}}}
	got := written(t, func(w *strings.Builder) error {
		return run.JSON(w, r, run.Outcome{Command: "check"}, words.Options{Base: "sub"})
	})
	equal(t, got, `{
  "version": 1,
  "command": "check",
  "status": "invalid",
  "errors": 1,
  "warnings": 0,
  "notes": 1,
  "findings": [
    {
      "code": "PC1001",
      "level": "error",
      "file": "sub/a.md",
      "line": 2,
      "column": 1,
      "end_line": 2,
      "end_column": 4,
      "message": "bad \"two\" <<U+001B><U+202E><U+E0041>>",
      "detail": [
        "d"
      ],
      "hint": "h"
    },
    {
      "code": "PC1002",
      "level": "note",
      "message": "no place"
    }
  ],
  "off": [
    {
      "code": "PC1002",
      "level": "note",
      "file": "sub/a.md",
      "line": 1,
      "column": 1,
      "end_line": 1,
      "end_column": 4,
      "message": "left out",
      "reason": "it is meant"
    }
  ],
  "prompts": [],
  "changes": [],
  "artifacts": [],
  "wrote": {
    "snapshots": false,
    "artifacts": false
  }
}
`)
	var back struct{ Findings []struct{ Message string } }
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(wording.Message(r.Findings[1]), back.Findings[0].Message); d != "" {
		t.Errorf("the message does not survive: %s", d)
	}
}

func TestJSONOfDrift(t *testing.T) {
	p := newPersona()
	p.result.Artifacts = p.result.Artifacts[:1]
	p.build.Variants = p.build.Variants[:2]
	p.result.Delta.Snapshots = []store.Change{
		p.soulChanged(),
		{Status: store.Orphaned, Old: "x", Output: assembly.Output{
			Path: "snapshots/persona/sections/skills/old.txt", Owner: assembly.Owner{Kind: assembly.OutItem, Prompt: "persona", Section: "skills", Item: "old"},
		}},
	}
	p.result.Delta.Artifacts.Have = true
	p.result.Delta.Artifacts.Changes = []store.Change{{Status: store.Added, Output: assembly.Output{Path: "dist/persona/a.txt"}}}
	got := p.json(t, run.Outcome{Command: "check"}, words.Options{Count: wordCount})
	_, got, _ = strings.Cut(got, `  "off": [],`+"\n")
	equal(t, got, `  "prompts": [
    {
      "id": "persona",
      "renderings": 2,
      "changed": 1,
      "added": 0,
      "removed": 1,
      "variants": [
        {
          "name": "persona/entry=full,tools=native",
          "tokenizer": "o200k_base",
          "tokens": 14,
          "use": 14,
          "tool_tokens": 0,
          "characters": 87,
          "bytes": 87,
          "budget": {
            "tokens": 20,
            "characters": null,
            "tool_tokens": null
          }
        }
      ]
    }
  ],
  "changes": [
    {
      "path": "snapshots/persona/sections/soul.txt",
      "status": "changed",
      "kind": "rendering",
      "prompt": "persona",
      "section": "soul",
      "source": {
        "file": "sources/persona/SOUL.md",
        "line": 12,
        "column": 19,
        "end_line": 12,
        "end_column": 20
      },
      "tokens": 3,
      "variants": [
        {
          "prompt": "persona",
          "in": 2,
          "of": 2,
          "set": "all"
        }
      ]
    },
    {
      "path": "snapshots/persona/sections/skills/old.txt",
      "status": "orphaned",
      "kind": "item",
      "prompt": "persona",
      "section": "skills",
      "item": "old",
      "tokens": -1
    }
  ],
  "artifacts": [
    {
      "path": "dist/persona/a.txt",
      "status": "added"
    }
  ],
  "wrote": {
    "snapshots": false,
    "artifacts": false
  }
}
`)
}

func TestExplainJSON(t *testing.T) {
	p := newPersona()
	a := p.result.Artifacts[0]
	exec := &language.Tool{Name: "exec"}
	a.Toolset, a.Beside = []*language.Tool{exec, {Name: "hand"}}, []*language.Tool{exec}
	a.Out = []assembly.Omission{{Section: 2, Reason: assembly.OutNeeds, Why: "x"}}
	a.Parts[2].Rendering.Cuts = []assembly.Cut{{File: p.soul, Original: 3, Included: 2, Limit: 2}}
	a.Parts[2].Rendering.Slots = []assembly.SlotAt{{Slot: &language.Slot{Name: word("clock"), MaxTokens: 4}}}
	got := written(t, func(w *strings.Builder) error {
		return ledger.JSON(w, p.result, a, ledger.With{}, words.Options{})
	})
	_, got, _ = strings.Cut(got, `  "sections": [`)
	equal(t, got, `
    {
      "id": "intro",
      "tokens": 1,
      "total": 1,
      "start": 0,
      "end": 6,
      "from": [
        {
          "file": "prompts.yaml",
          "line": 5,
          "end_line": 5
        }
      ]
    },
    {
      "id": "soul",
      "tokens": 13,
      "slot_tokens": 4,
      "total": 14,
      "start": 8,
      "end": 86,
      "from": [
        {
          "file": "sources/persona/SOUL.md",
          "line": 11,
          "end_line": 12
        }
      ]
    }
  ],
  "omitted": [
    {
      "section": "skills",
      "reason": "needs",
      "why": "x"
    }
  ],
  "cuts": [
    {
      "section": "soul",
      "file": "sources/persona/SOUL.md",
      "original": 3,
      "included": 2,
      "limit": 2
    }
  ],
  "slots": [
    {
      "name": "clock",
      "places": 1,
      "max_tokens": 4
    }
  ],
  "tools": [
    {
      "name": "exec",
      "beside": true,
      "tokens": 0,
      "takers": []
    },
    {
      "name": "hand",
      "beside": false,
      "tokens": 0,
      "takers": []
    }
  ]
}
`)
}

func TestJudge(t *testing.T) {
	over := diag.Diagnostic{Code: diag.OverTokens}
	other := diag.Diagnostic{Code: diag.NothingComposed}
	warning := diag.Diagnostic{Code: diag.NearBudget, Level: diag.Warning}
	check, build := run.Outcome{Command: "check"}, run.Outcome{Command: "build", Snapshots: true, Artifacts: true}
	drift := func() *store.Delta {
		return &store.Delta{Snapshots: []store.Change{{Status: store.Changed}}}
	}
	for _, c := range []struct {
		name string
		r    prompt.Result
		did  run.Outcome
		opt  words.Options
		want finding.Verdict
	}{
		{"clean", prompt.Result{Findings: diag.List{warning}}, check, words.Options{}, finding.Clean},
		{"strict", prompt.Result{Findings: diag.List{warning}}, check, words.Options{Strict: true}, finding.Findings},
		{"drift", prompt.Result{Findings: diag.List{warning}, Delta: drift()}, check, words.Options{Strict: true}, finding.Drift},
		{"written", prompt.Result{Delta: drift()}, build, words.Options{}, finding.Clean},
		{"frozen", prompt.Result{Delta: drift()}, run.Outcome{Command: "build", Artifacts: true}, words.Options{}, finding.Drift},
		{"artifacts", prompt.Result{Delta: &store.Delta{Artifacts: store.Emitted{Folder: "dist", Have: true, Changes: []store.Change{{}}}}}, check, words.Options{}, finding.Drift},
		{"no folder of artifacts", prompt.Result{Delta: &store.Delta{Artifacts: store.Emitted{Folder: "dist", Changes: []store.Change{{}}}}}, check, words.Options{}, finding.Clean},
		{"budget", prompt.Result{Findings: diag.List{over}, Delta: drift()}, check, words.Options{}, finding.Budget},
		{"budget as a warning", prompt.Result{Findings: diag.List{{Code: diag.OverTokens, Level: diag.Warning}}}, check, words.Options{}, finding.Clean},
		{"other errors", prompt.Result{Findings: diag.List{over, other}}, check, words.Options{}, finding.Findings},
		{"stopped", prompt.Result{Findings: diag.List{other}, Stopped: true}, check, words.Options{}, finding.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run.Judge(&c.r, c.did, c.opt); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

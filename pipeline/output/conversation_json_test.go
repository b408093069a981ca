package output_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

func (c *chat) json(t *testing.T) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return ledger.JSON(w, c.result, c.a, ledger.With{}, words.Options{Base: "sub"})
	})
}

func TestExplainJSONOfAConversation(t *testing.T) {
	c := newChat("anthropic")
	c.say(language.RoleSystem, "L0", "system", true, c.section(0, "You are it."), join(), own("# Files\n\n"), c.piece(assembly.ContentFile, "a.go", "package a", 3))
	c.say(language.RoleAssistant, "L0", "tier", false, own("Ok."))
	c.say(language.RoleUser, "", "prompt", false, c.piece(assembly.ContentPrompt, "", "Do it.", 12), own(" Now."))
	last := &c.a.Messages[2]
	last.Blocks = append(last.Blocks, assembly.Block{From: 6, To: 6, Image: &language.Image{Media: "image/png", Bytes: 68}})
	slot := &language.Slot{Name: word("clock")}
	c.a.Cache.Volatile, c.a.Cache.Stable = &assembly.VolatileAt{Part: 0, Slot: slot, Offset: 8}, 2
	got := c.json(t)
	_, cache, _ := strings.Cut(got, `    "cache": `)
	cache, rest, _ := strings.Cut(cache, "\n  },\n")
	equal(t, cache, `{
      "points": [
        {
          "name": "L0",
          "tokens": 7,
          "end": 31,
          "written": true
        }
      ],
      "stable": 2,
      "volatile": {
        "section": "system",
        "slot": "clock",
        "start": 8
      }
    }`)
	_, rest, _ = strings.Cut(rest, `"tools": [],`+"\n")
	equal(t, rest, `  "messages": [
    {
      "role": "system",
      "tier": "L0",
      "block": "system",
      "tokens": 7,
      "total": 7,
      "pieces": [
        {
          "section": "system",
          "tokens": 3,
          "total": 3,
          "start": 0,
          "end": 11,
          "from": [
            {
              "file": "sub/system.md",
              "line": 1,
              "end_line": 1
            }
          ]
        },
        {
          "content": "files/a.go",
          "tokens": 4,
          "total": 7,
          "start": 22,
          "end": 31,
          "from": [
            {
              "file": "sub/fixtures/long.yaml",
              "line": 3,
              "end_line": 3
            }
          ]
        }
      ]
    },
    {
      "role": "assistant",
      "tier": "L0",
      "block": "tier",
      "tokens": 1,
      "total": 8,
      "pieces": []
    },
    {
      "role": "user",
      "block": "prompt",
      "tokens": 3,
      "total": 11,
      "pieces": [
        {
          "content": "prompt",
          "tokens": 3,
          "total": 11,
          "start": 34,
          "end": 40,
          "from": [
            {
              "file": "sub/fixtures/long.yaml",
              "line": 12,
              "end_line": 12
            }
          ]
        }
      ],
      "images": [
        {
          "media": "image/png",
          "bytes": 68
        }
      ]
    }
  ]
}
`)
}

func TestJSONNamesTheDialectAndTheBreakpointsItLeavesOut(t *testing.T) {
	c := newChat("gemini").everything()
	var doc struct {
		Prompts []struct {
			Variants []struct {
				Dialect string
				Cache   *struct {
					Points []struct{ Written bool }
					Stable int
				}
			}
		}
	}
	got := written(t, func(w *strings.Builder) error { return run.JSON(w, c.result, run.Outcome{}, words.Options{}) })
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatal(err)
	}
	v := doc.Prompts[0].Variants[0]
	if v.Dialect != "gemini" || v.Cache == nil || v.Cache.Stable != 31 || len(v.Cache.Points) != 2 || v.Cache.Points[0].Written {
		t.Errorf("%+v", v)
	}
}

// What each piece costs adds up to its message, and the messages to the whole.
func TestPiecesOfMessagesAddUp(t *testing.T) {
	var doc struct {
		Messages []struct {
			Tokens, Total int
			Pieces        []struct{ Tokens, Total int }
		}
	}
	c := newChat("openai-chat").everything()
	if err := json.Unmarshal([]byte(c.json(t)), &doc); err != nil {
		t.Fatal(err)
	}
	total := 0
	for i, m := range doc.Messages {
		pieces := 0
		for _, p := range m.Pieces {
			pieces += p.Tokens
		}
		total += m.Tokens
		if len(m.Pieces) > 0 && pieces != m.Tokens || total != m.Total {
			t.Errorf("message %d: %d in pieces, %d tokens, total %d, want %d", i, pieces, m.Tokens, m.Total, total)
		}
	}
	if d := cmp.Diff(c.a.Tokens, total); d != "" || len(doc.Messages) != len(c.a.Messages) {
		t.Error(d)
	}
}

func TestATextHasNoMessagesInJSON(t *testing.T) {
	p := newPersona()
	p.result.Artifacts[0].Messages = []assembly.Message{{Role: language.RoleSystem, Blocks: []assembly.Block{{To: 4}}}}
	got := written(t, func(w *strings.Builder) error {
		return ledger.JSON(w, p.result, p.result.Artifacts[0], ledger.With{}, words.Options{})
	})
	for _, key := range []string{`"messages"`, `"cache"`, `"dialect"`} {
		if strings.Contains(got, key) {
			t.Errorf("%s is in\n%s", key, got)
		}
	}
}

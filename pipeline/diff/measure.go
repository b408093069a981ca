package diff

import (
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// measured is what a budget is compared with. Tokens are those of the text,
// with what its slots may grow to.
type measured struct{ tokens, chars, tools int }

func measure(a *prompt.Artifact) measured { return measured{a.Use, a.Chars, a.ToolTokens} }

// sizes measures sections, each by itself as its budget does. Many variants
// share a rendering, which is measured once.
type sizes struct {
	run   *run
	known map[sizeKey]measured
}

type sizeKey struct {
	tokenizer string
	rendering *prompt.Rendering
}

func newSizes(r *run) *sizes { return &sizes{run: r, known: map[sizeKey]measured{}} }

func (s *sizes) of(tokenizer string, x *prompt.Rendering) measured {
	key := sizeKey{tokenizer, x}
	out, ok := s.known[key]
	if ok {
		return out
	}
	count := s.run.count(tokenizer)
	out = measured{tokens: count(x.Text.Str), chars: utf8.RuneCountInString(x.Text.Str)}
	for _, at := range x.Slots {
		out.tokens += at.Slot.MaxTokens
	}
	if x.Beside && len(x.Tools) > 0 {
		out.tools = count(schemaList(x.Tools))
	}
	s.known[key] = out
	return out
}

// schemaList writes the schemas of tools as they are counted: compact, and
// ordered as they are sent.
func schemaList(tools []*prompt.Tool) string {
	parts := make([]string, len(tools))
	for i, t := range tools {
		parts[i] = canon.Sent(t.Canonical)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// prefixBreaks finds the requests that go on with a conversation and do not begin with
// what a provider has kept of it.
func (s *requestSet) prefixBreaks() diag.List {
	of := map[*language.Saved]*assembly.Artifact{}
	for _, a := range s.artifacts {
		if sent := a.Variant.Sent; sent != nil {
			of[sent.Entry] = a
		}
	}
	var out diag.List
	for _, a := range s.artifacts {
		if a.Variant.Sent == nil || a.Variant.Sent.Entry.Sent.Break == nil {
			continue
		}
		b := a.Variant.Sent.Entry.Sent.Break
		before := of[b.Of]
		if before == nil {
			continue // nobody reads it
		}
		d := diag.New(diag.PrefixBreaks, a.Variant.Sent.Entry.At.FirstLine(), "prefix-breaks-tools", a.Variant.Name, before.Variant.Name,
			diag.Counted(before.Tokens+before.CachedTools(), "one-token", "tokens"))
		if !b.Tools {
			block := a.Variant.Sent.Entry.Sent.Body.Messages[b.Message]
			is := block.Leaves()[min(b.Block, len(block.Leaves())-1)]
			d = diag.New(diag.PrefixBreaks, is.At.FirstLine(), "prefix-breaks", a.Variant.Name, before.Variant.Name, string(block.Role),
				diag.Start(is.Text(), maxWords), diag.Counted(before.Tokens-tokensUpTo(before, b.Message, b.Block), "one-token", "tokens"))
		}
		d.Level = diag.Warning
		d.Variant, d.Prompts = a.Variant.Name, []string{a.Build.Prompt.ID.Str}
		out = append(out, d.WithHint("same-words-first"))
	}
	return out
}

// maxWords is how many characters of a text say which one it is.
const maxWords = 40

// tokensUpTo counts what a request says before a block.
func tokensUpTo(a *assembly.Artifact, message, block int) int {
	said := map[int]bool{}
	for m, msg := range a.Variant.Sent.Messages[:message+1] {
		for b, bl := range msg.Blocks {
			if m < message || b < block {
				for _, i := range bl.Sections {
					said[i] = true
				}
			}
		}
	}
	last := slices.IndexFunc(a.Parts, func(p assembly.Part) bool { return !said[p.Section] })
	if last < 0 {
		return a.Tokens
	}
	return tokensBefore(a, last)
}

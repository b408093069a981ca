package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/request"
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
			again := tokensFrom(before, b)
			if again == 0 {
				continue
			}
			is, text := firstDifference(a, before, b)
			d = diag.New(diag.PrefixBreaks, is, "prefix-breaks", a.Variant.Name, before.Variant.Name,
				string(b.Of.Sent.Body.Messages[b.Message].Role), diag.Start(text, maxWords), diag.Counted(again, "one-token", "tokens"))
		}
		d.Level = diag.Warning
		d.Variant, d.Prompts = a.Variant.Name, []string{a.Build.Prompt.ID.Str}
		out = append(out, d.WithHint("same-words-first"))
	}
	return out
}

// maxWords is how many characters of a text say which one it is.
const maxWords = 40

// firstDifference gives the place of the first difference, and the text that differs: that of
// the request before, where it has one.
func firstDifference(a, before *assembly.Artifact, b *language.Break) (at diag.Span, text string) {
	is := &a.Variant.Sent.Entry.Sent.Body.Messages[b.Message]
	at = is.At
	for _, m := range []*request.Message{is, &before.Variant.Sent.Entry.Sent.Body.Messages[b.Message]} {
		if leaves := m.Leaves(); b.Block < len(leaves) {
			if text = leaves[b.Block].Text(); m == is {
				at = leaves[b.Block].At
			}
		}
	}
	return at.FirstLine(), text
}

// tokensFrom counts what a request says from a difference on: of a text that differs
// further on, by its share.
func tokensFrom(a *assembly.Artifact, b *language.Break) int {
	upTo, blocks := tokensUpTo(a, b.Message, b.Block), a.Variant.Sent.Messages[b.Message].Blocks
	if b.Block >= len(blocks) {
		return a.Tokens - upTo
	}
	own := tokensUpTo(a, b.Message, b.Block+1) - upTo
	leaves := a.Variant.Sent.Entry.Sent.Body.Messages[b.Message].Leaves()
	if n := len(leaves[b.Block].Text()); n > 0 {
		upTo += own * b.Same / n
	}
	return a.Tokens - upTo
}

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

package pairing

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// sameRequest reports whether two artifacts send the same: the text, the
// shape that their dialects give it, and the schemas beside it.
func sameRequest(a, b *assembly.Artifact) bool {
	d := a.Variant.Dialect
	return d.Name == b.Variant.Dialect.Name && SameText(a, b) && (!d.JSON || sameMessages(a, b)) && besides(a) == besides(b) &&
		slices.EqualFunc(a.Beside, b.Beside, func(t, u *language.Tool) bool { return sentAlike(t, u, d) })
}

// besides gives what a program sent beside texts and tools, "" for any other prompt.
func besides(a *assembly.Artifact) string {
	if a.Variant.Sent == nil {
		return ""
	}
	sent := a.Variant.Sent.Entry.Sent
	body := sent.Body
	out := []string{canon.Compact(sent.Settings()), body.Besides()}
	for _, t := range body.Tools {
		out = append(out, t.Sent)
	}
	return strings.Join(out, "\n")
}

// sentAlike reports whether a dialect sends the same of two definitions. A
// request body has less of one than the canonical form.
func sentAlike(t, u *language.Tool, d *ground.Dialect) bool {
	if t == u || !d.JSON {
		return t.Canonical == u.Canonical
	}
	return t.Strict == u.Strict && t.Name == u.Name && t.Description == u.Description &&
		(t.Canonical == u.Canonical || canon.Compact(t.Input) == canon.Compact(u.Input))
}

// SameText compares the emitted texts; parts that are alike are the rule.
func SameText(a, b *assembly.Artifact) bool {
	if slices.EqualFunc(a.Parts, b.Parts, func(p, q assembly.Part) bool { return p.Text == q.Text }) {
		return true
	}
	return a.Bytes() == b.Bytes() && a.Text() == b.Text()
}

// sameMessages compares who says what in which blocks, and where breakpoints
// are written.
func sameMessages(a, b *assembly.Artifact) bool {
	d := a.Variant.Dialect
	oneText := d.OneText && !a.Variant.Talks() && !b.Variant.Talks() // the blocks make one string
	sameBlock := func(x, y assembly.Block) bool {
		switch {
		case d.Markers && x.Marked != y.Marked, (x.Image == nil) != (y.Image == nil):
			return false
		case x.Image != nil:
			return x.Image.URL == y.Image.URL
		default:
			return a.BlockText(x) == b.BlockText(y)
		}
	}
	return slices.EqualFunc(a.Messages, b.Messages, func(m, n assembly.Message) bool {
		return m.Role == n.Role && (oneText || slices.EqualFunc(m.Blocks, n.Blocks, sameBlock))
	})
}

// Count gives the counter of texts of a tokenizer. It remembers every text.
func (two *Two) Count(tokenizer string) func(string) int {
	c := two.Counters(tokenizer)
	return func(text string) int {
		if text == "" {
			return 0
		}
		return c.Sum([]string{text})
	}
}

// SameTokenizer reports whether both sides of a variant are counted alike: by
// the same name, which the same estimator has where it is one.
func (two *Two) SameTokenizer(t Twin) bool {
	name := t.Head.Variant.Tokenizer
	a, b := two.Base.Spec.Estimator(name), two.Head.Spec.Estimator(name)
	return t.Base.Variant.Tokenizer == name && (a == b || a != nil && b != nil && a.Base.Str == b.Base.Str && a.Factor == b.Factor)
}

// Before gives what the base of a variant takes, as the head counts.
func (two *Two) Before(t Twin) int {
	if two.SameTokenizer(t) {
		return t.Base.Use
	}
	count := two.Count(t.Head.Variant.Tokenizer)
	n := t.Base.Use - t.Base.Tokens // slots
	if !t.Base.Variant.Dialect.JSON {
		return n + count(t.Base.Text())
	}
	for _, m := range t.Base.Messages {
		for _, b := range m.Blocks {
			n += count(t.Base.BlockText(b))
		}
	}
	return n
}

// Recounted gives what another tokenizer finds more in what the base sends.
func (two *Two) Recounted(t Twin) int {
	n := two.Before(t) - t.Base.Use
	if len(t.Base.Beside) > 0 {
		n += two.Count(t.Head.Variant.Tokenizer)(SchemaList(t.Base.Beside)) - t.Base.ToolTokens
	}
	return n
}

// Slots gives the slots that a state declares.
func Slots(r *prompt.Result) []*language.Slot {
	if r == nil || r.Spec == nil {
		return nil
	}
	return r.Spec.Slots
}

// SlotNames gives the slots of some renderings by name, each once.
func SlotNames(of ...*assembly.Rendering) []string {
	var out []string
	for _, x := range of {
		if x == nil {
			continue
		}
		for _, at := range x.Slots {
			if name := at.Slot.Name.Str; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// SchemaList writes the schemas of tools as they are counted: compact, and
// ordered as they are sent.
func SchemaList(tools []*language.Tool) string {
	parts := make([]string, len(tools))
	for i, t := range tools {
		parts[i] = canon.Sent(t.Canonical)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

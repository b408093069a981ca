package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// sameRequest reports whether two artifacts send the same: the text, the
// shape that their dialects give it, and the schemas beside it.
func sameRequest(a, b *prompt.Artifact) bool {
	da, db := a.Variant.Dialect, b.Variant.Dialect
	if da.Name != db.Name || !sameText(a, b) || len(a.Beside) != len(b.Beside) {
		return false
	}
	for i, t := range a.Beside {
		if !sentAlike(t, b.Beside[i], da) {
			return false
		}
	}
	return !da.JSON || sameMessages(a, b)
}

// sentAlike reports whether a dialect sends the same of two definitions. A
// request body has less of one than the canonical form.
func sentAlike(t, u *prompt.Tool, d *prompt.Dialect) bool {
	switch {
	case t == u:
		return true
	case !d.JSON:
		return t.Canonical == u.Canonical
	case t.Strict != u.Strict || t.Name != u.Name || t.Description != u.Description:
		return false
	default:
		return t.Canonical == u.Canonical || canon.Compact(t.Input) == canon.Compact(u.Input)
	}
}

// sameText compares the emitted texts; parts that are alike are the rule.
func sameText(a, b *prompt.Artifact) bool {
	if slices.EqualFunc(a.Parts, b.Parts, func(p, q prompt.Part) bool { return p.Text == q.Text }) {
		return true
	}
	return a.Bytes() == b.Bytes() && a.Text() == b.Text()
}

// sameMessages compares who says what in which blocks, and where breakpoints
// are written.
func sameMessages(a, b *prompt.Artifact) bool {
	d := a.Variant.Dialect
	return slices.EqualFunc(a.Messages, b.Messages, func(m, n prompt.Message) bool {
		if m.Role != n.Role {
			return false
		}
		if d.OneText && a.Variant.Messages == nil && b.Variant.Messages == nil {
			return true // the blocks make one string
		}
		return slices.EqualFunc(m.Blocks, n.Blocks, func(x, y prompt.Block) bool {
			switch {
			case d.Markers && x.Marked != y.Marked, (x.Image == nil) != (y.Image == nil):
				return false
			case x.Image != nil:
				return x.Image.URL == y.Image.URL
			default:
				return a.BlockText(x) == b.BlockText(y)
			}
		})
	})
}

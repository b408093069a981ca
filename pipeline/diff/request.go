package diff

import (
	"slices"

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
		if u := b.Beside[i]; t != u && (t.Canonical != u.Canonical || da.JSON && t.Strict != u.Strict) {
			return false
		}
	}
	return !da.JSON || sameMessages(a, b)
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

package report

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Nothing that is printed has a key whole: what is a text by itself goes through
// clean, or through encode, and both mask it. What is put together of parts of a
// text, or shows a part, is masked before: a line of a file here, and the lines
// of a difference.

// masked gives the text of a place with a star for each byte of the keys of its
// file but for their first characters, so that offsets stay what they are.
func (p *page) masked(at diag.Span) string {
	if p.keys == nil {
		p.keys = map[*diag.File][]secret.Place{}
	}
	keys, known := p.keys[at.File]
	if !known {
		keys = secret.Places(at.File.Text)
		p.keys[at.File] = keys
	}
	out := []byte(at.File.Text[at.Start:at.End])
	for _, k := range keys {
		if from, to := max(k.Start, at.Start), min(k.End, at.End); from < to {
			secret.Star(out[from-at.Start : to-at.Start])
		}
	}
	return string(out)
}

// withoutKeys gives lines of a difference without what looks like a key in them,
// also where it has several of the lines.
func withoutKeys(lines []prompt.HunkLine) []prompt.HunkLine {
	out := slices.Clone(lines)
	for _, other := range []byte{'+', '-'} {
		var side strings.Builder
		for _, l := range out {
			if l.Sign != other {
				side.WriteString(l.Text + "\n")
			}
		}
		text, at := secret.Mask(side.String()), 0
		for i, l := range out {
			if l.Sign != other {
				out[i].Text = text[at : at+len(l.Text)]
				at += len(l.Text) + 1
			}
		}
	}
	return out
}

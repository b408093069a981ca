package report

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// hides collects what findings say must not be quoted.
func hides(findings diag.List) []diag.Span {
	var out []diag.Span
	for _, d := range findings {
		if d.Hides.Known() {
			out = append(out, d.Hides)
		}
	}
	return out
}

// withoutKeys gives lines of a difference without what looks like a key in them.
func withoutKeys(lines []prompt.HunkLine) []prompt.HunkLine {
	out := slices.Clone(lines)
	for i := range out {
		out[i].Text = secret.Mask(out[i].Text)
	}
	return out
}

// masked gives the text of a place with a star for each byte of what is hidden,
// but for its first characters, so that offsets stay what they are.
func masked(at diag.Span, hidden []diag.Span) string {
	text := secret.Mask(at.File.Text[at.Start:at.End]) // whatever was found so far
	var out []byte
	for _, h := range hidden {
		if h.File != at.File || h.Start >= at.End || h.End <= at.Start {
			continue
		}
		start := h.Start
		for range diag.Shown {
			_, size := utf8.DecodeRuneInString(h.File.Text[start:h.End])
			start += size
		}
		if out == nil {
			out = []byte(text)
		}
		from, to := max(start, at.Start)-at.Start, min(h.End, at.End)-at.Start
		if from < to {
			copy(out[from:to], bytes.Repeat([]byte{'*'}, to-from))
		}
	}
	if out == nil {
		return text
	}
	return string(out)
}

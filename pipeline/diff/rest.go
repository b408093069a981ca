package diff

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// restKey groups differences of whole texts.
type restKey struct {
	pair  *pair
	lines string
}

// rest is the safety net: variants that send other bytes without an edit that
// says so get one for the emitted text as a whole.
func (r *run) rest() {
	for _, p := range r.pairs {
		said := r.said(p)
		texts := map[[2]string][]hunk{}
		for _, t := range p.twins {
			if !t.both() || !p.Affected.Has(t.head.Variant.Index) || said.Has(t.head.Variant.Index) {
				continue
			}
			key := [2]string{t.base.Text(), t.head.Text()}
			hunks, known := texts[key]
			if !known {
				hunks = hunksOf(emittedText(t.base), emittedText(t.head))
				texts[key] = hunks
			}
			var lines strings.Builder
			for _, h := range hunks {
				for _, l := range h.Lines {
					lines.WriteString(string(l.Sign) + l.Text + "\n")
				}
			}
			e := r.group(restKey{p, lines.String()}, func() *prompt.Edit { return wholeText(p, hunks) })
			reachBy(e, t, t.head.Tokens+t.head.ToolTokens-t.base.Tokens-t.base.ToolTokens)
		}
	}
}

func wholeText(p *pair, hunks []hunk) *prompt.Edit {
	e := &prompt.Edit{Kind: prompt.BytesChanged}
	for _, h := range hunks {
		if !e.At.Known() {
			e.At, e.InBase = h.at, h.inBase
		}
		e.Hunks = append(e.Hunks, h.Hunk)
	}
	if !e.At.Known() {
		e.At, e.InBase = p.Head.Prompt.ID.At, false
	}
	return e
}

// said gives the variants of a prompt's head that an edit reaches which changes
// what is sent.
func (r *run) said(p *pair) prompt.Set {
	out := prompt.NewSet(len(p.head))
	for _, e := range r.d.Edits {
		if sendsNothing(e) {
			continue
		}
		for i := range e.Reach {
			if e.Reach[i].Pair == p.Pair && !e.Reach[i].OfBase {
				out.Union(e.Reach[i].In)
			}
		}
	}
	return out
}

// emittedText gives the whole text of an artifact with its places.
func emittedText(a *prompt.Artifact) prompt.Text {
	var b prompt.Builder
	for i := range a.Parts {
		switch p := &a.Parts[i]; {
		case p.Rendering != nil:
			b.WriteText(p.Rendering.Text)
		case p.Passage != nil:
			b.WriteText(p.Passage.Text)
		default:
			b.WriteString(p.Text)
		}
	}
	return b.Text()
}

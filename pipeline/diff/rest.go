package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// restKey groups differences of whole texts.
type restKey struct {
	pair  *pair
	lines string
}

// tailKey groups texts of which only the line breaks at the end differ.
type tailKey struct {
	pair     *pair
	from, to string
}

// lineEnd is the name of what differs then.
const lineEnd = "line breaks at the end"

// rest is the safety net: variants that send other bytes without an edit that
// says so get one for the emitted text as a whole. Texts that are cut otherwise
// than before are compared in no other way.
func (r *run) rest() {
	for _, p := range r.pairs {
		said, recut := r.said(p), p.recut()
		texts := map[[2]string][]hunk{}
		for _, t := range p.twins {
			if !t.both() || !p.Affected.Has(t.head.Variant.Index) {
				continue
			}
			if said.Has(t.head.Variant.Index) && (!recut || sameText(t.base, t.head)) {
				continue
			}
			key := [2]string{t.base.Text(), t.head.Text()}
			hunks, known := texts[key]
			if !known {
				hunks = hunksOf(emittedText(t.base), emittedText(t.head))
				texts[key] = hunks
			}
			e := r.wholeText(t, key, hunks)
			reachBy(e, t, t.head.Use+t.head.ToolTokens-t.base.Use-t.base.ToolTokens)
		}
	}
}

// wholeText gives the edit of a text of which some hunks differ.
func (r *run) wholeText(t twin, texts [2]string, hunks []hunk) *prompt.Edit {
	p := t.pair
	was, is := strings.TrimRight(texts[0], "\n"), strings.TrimRight(texts[1], "\n")
	if was == is && texts[0] != texts[1] {
		key := tailKey{p, strconv.Itoa(len(texts[0]) - len(was)), strconv.Itoa(len(texts[1]) - len(is))}
		end := emittedText(t.head).Span(strings.LastIndexByte(is, '\n')+1, len(is))
		e := r.group(key, func() *prompt.Edit {
			return placed(&prompt.Edit{Kind: prompt.BytesChanged, Name: lineEnd, From: key.from, To: key.to, At: end}, p)
		})
		if end.Known() && placeOf(end) != placeOf(e.At) && !slices.Contains(e.Also, end) {
			e.Also = append(e.Also, end)
		}
		return e
	}
	var lines strings.Builder
	for _, h := range hunks {
		for _, l := range h.Lines {
			lines.WriteString(string(l.Sign) + l.Text + "\n")
		}
	}
	return r.group(restKey{p, lines.String()}, func() *prompt.Edit {
		e := &prompt.Edit{Kind: prompt.BytesChanged}
		for _, h := range hunks {
			if !e.At.Known() {
				e.At, e.InBase = h.at, h.inBase
			}
			e.Hunks = append(e.Hunks, h.Hunk)
		}
		return placed(e, p)
	})
}

// placed gives an edit the place of its prompt where it has none.
func placed(e *prompt.Edit, p *pair) *prompt.Edit {
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

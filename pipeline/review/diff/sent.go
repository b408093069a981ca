package diff

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// sentKey groups edits of what a program sent: the same in several requests is one.
type sentKey struct{ name, from, to string }

// sent finds the settings of a request that differ, by their pointers, and reports
// whether there are any.
func (r *run) sent(t twin) bool {
	was, is := t.Base.Variant.Sent, t.Head.Variant.Sent
	if was == nil || is == nil {
		return false
	}
	before, after := settingsOf(was), settingsOf(is)
	leaves := leaf.Between(canon.Indent(before), canon.Indent(after))
	for _, l := range leaves {
		at, inBase := placeOfValue(after, l.Steps), l.To == ""
		if inBase {
			at = placeOfValue(before, l.Steps)
		}
		e := r.group(sentKey{pointerOf(l.Steps), l.From, l.To}, func() *review.Edit {
			return &review.Edit{Kind: review.SettingChanged, Name: pointerOf(l.Steps), From: l.From, To: l.To, At: at, InBase: inBase}
		})
		r.also(e, at)
		reach(e, t)
	}
	return len(leaves) > 0
}

func settingsOf(s *assembly.Sent) *ground.Node {
	out := s.Entry.Sent.Settings()
	out.At = s.Entry.At
	return out
}

// pointerOf writes steps as RFC 6901 does.
func pointerOf(steps []ground.PathStep) string {
	var out strings.Builder
	for _, s := range steps {
		out.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.Key))
	}
	return out.String()
}

// placeOfValue gives the place of a value, or of the nearest that is there.
func placeOfValue(n *ground.Node, steps []ground.PathStep) diag.Span {
	for _, s := range steps {
		next := n.Step(s.Key)
		if next == nil || !next.At.Known() { // the model of an address
			break
		}
		n = next
	}
	return n.At.FirstLine()
}

// spoken finds what differs in the messages of a request beside their texts, and
// reports whether there is anything.
func (r *run) spoken(t twin) bool {
	if t.Base.Variant.Sent == nil || t.Head.Variant.Sent == nil {
		return false
	}
	before, after := t.Base.Variant.Sent.Entry, t.Head.Variant.Sent.Entry
	found := beside(before.Sent.Body, after.Sent.Body)
	for _, f := range found {
		of := after
		if f.inBase {
			of = before
		}
		at := of.Sent.Body.Place(f.Steps)
		if at.File == nil {
			at = of.At
		}
		e := r.group(sentKey{pointerOf(f.Steps), f.From, f.To}, func() *review.Edit {
			return &review.Edit{Kind: review.BytesChanged, Leaves: []review.Leaf{f.Leaf}, At: at.FirstLine(), InBase: f.inBase}
		})
		r.also(e, at.FirstLine())
		reach(e, t)
	}
	return len(found) > 0
}

// regrouped gives the places at which two requests that say the same have it in other
// messages or blocks.
func regrouped(t twin) []review.Leaf {
	if t.Base.Variant.Sent == nil || t.Head.Variant.Sent == nil {
		return nil
	}
	return leaf.Between(t.Base.Variant.Sent.Entry.Sent.Body.Besides(), t.Head.Variant.Sent.Entry.Sent.Body.Besides())
}

// sentLeaf is a place that differs, by a pointer of the head, or of the base where it
// is there no more.
type sentLeaf struct {
	review.Leaf
	inBase bool
}

// beside gives what differs in the messages of two requests beside their texts. Blocks
// that say the same are compared with each other, and those between them in their
// order. Texts that came or went are lines; pictures are not.
func beside(was, is *request.Body) []sentLeaf {
	old, now, gone, came := aligned(was, is)
	var out []sentLeaf
	met := map[sentKey]bool{} // of a message, which each of its blocks has
	for i := range old {
		a, b := was.Only(old[i:i+1]), is.Only(now[i:i+1])
		leaves := leaf.Between(a.Listed().Besides(), b.Listed().Besides())
		if len(leaves) == 0 {
			leaves = leaf.Between(a.Besides(), b.Besides())
		}
		for _, l := range leaves {
			l.Steps = is.Original(b, now[i:i+1], l.Steps)
			if key := (sentKey{pointerOf(l.Steps), l.From, l.To}); !met[key] {
				met[key] = true
				out = append(out, sentLeaf{Leaf: l})
			}
		}
	}
	for _, at := range gone {
		if shown := was.Messages[at.Message].Blocks[at.Block].Shown(); shown != "" {
			out = append(out, sentLeaf{review.Leaf{Steps: was.Pointer(at), From: shown}, true})
		}
	}
	for _, at := range came {
		if shown := is.Messages[at.Message].Blocks[at.Block].Shown(); shown != "" {
			out = append(out, sentLeaf{Leaf: review.Leaf{Steps: is.Pointer(at), To: shown}})
		}
	}
	return out
}

// aligned gives the blocks of two requests that are compared with each other, and those
// that only one of them has.
func aligned(was, is *request.Body) (old, now, gone, came []request.At) {
	numbers := map[string]int32{}
	read := func(body *request.Body) (at []request.At, keys []int32) {
		for m := range body.Messages {
			for b, block := range body.Messages[m].Blocks {
				key := block.Shown()
				if key == "" {
					key = " " + said(block)
				}
				if _, ok := numbers[key]; !ok {
					numbers[key] = int32(len(numbers))
				}
				at, keys = append(at, request.At{Message: m, Block: b}), append(keys, numbers[key])
			}
		}
		return at, keys
	}
	atWas, keysWas := read(was)
	atIs, keysIs := read(is)
	picture := func(body *request.Body, at request.At) bool {
		return body.Messages[at.Message].Blocks[at.Block].Image != nil
	}
	i, j := 0, 0
	until := func(x, y int) {
		for i < x && j < y && picture(was, atWas[i]) == picture(is, atIs[j]) {
			old, now = append(old, atWas[i]), append(now, atIs[j])
			i, j = i+1, j+1
		}
		gone, came = append(gone, atWas[i:x]...), append(came, atIs[j:y]...)
		i, j = x, y
	}
	stays, _ := textdiff.Match(keysWas, keysIs, func(int32) int { return 1 })
	for x, y := range stays {
		if y >= 0 {
			until(x, y)
			until(x+1, y+1)
		}
	}
	until(len(atWas), len(atIs))
	return old, now, gone, came
}

// said gives the text of a block, of a result with those in it.
func said(b request.Block) string {
	out := []string{b.Text()}
	for _, inner := range b.Inner {
		out = append(out, inner.Text())
	}
	return strings.Join(out, "\x00")
}

package diff

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// talks compares what conversations say, piece by piece. What the layout says
// by itself between them follows from the pieces.
func (r *run) talks() {
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if !t.both() || t.base.Variant.Messages == nil || t.head.Variant.Messages == nil {
				continue
			}
			was := r.conversation(r.d.Base.Result, t.base.Variant)
			is := r.conversation(r.d.Head.Result, t.head.Variant)
			if was != nil && is != nil {
				r.meetTalk(renderings{was, is}, t)
			}
		}
	}
}

// conversation gives the rendering of a variant's conversation.
func (r *run) conversation(of *prompt.Result, v *prompt.Variant) *prompt.Rendering {
	if n := v.Messages.Unit; n >= 0 && n < len(of.Renderings) {
		return of.Renderings[n]
	}
	return nil
}

// meetTalk notes that a variant has one conversation and had another.
func (r *run) meetTalk(of renderings, t twin) {
	c, known := r.changes[of]
	if !known {
		c = &change{renderings: of, before: r.talk(of.base), after: r.talk(of.head), loose: true}
		r.takeApart(c, t)
		if r.flat(r.d.Base.Result, t.base.Variant) != r.flat(r.d.Head.Result, t.head.Variant) {
			c.moved = nil // that is what the assembly is about
		} else {
			c.tiered()
		}
		if len(c.atoms)+len(c.items)+len(c.moved)+len(c.retiered) == 0 {
			c = nil
		}
		r.changes[of] = c
	}
	if c == nil {
		return
	}
	if !known {
		r.changed = append(r.changed, c)
	}
	c.use(nil, t)
}

// talk takes a conversation apart: the pieces that sources wrote, and images.
func (r *run) talk(x *prompt.Rendering) *frame {
	if f, ok := r.frames[x]; ok {
		return f
	}
	f, images := &frame{index: map[string]int{}}, 0
	seen := map[string]int{}
	for i := range x.Turns {
		turn := &x.Turns[i]
		for j := range turn.Passages {
			if p := &turn.Passages[j]; p.Content != nil {
				piece := pieceOf(p.Content.Name(), p.Text, seen)
				piece.tier = turn.Tier
				f.add(piece)
			}
		}
		for j := range turn.Images {
			images++
			image := &turn.Images[j]
			name := (&prompt.Content{Kind: prompt.ContentImage, Key: strconv.Itoa(images)}).Name()
			f.add(pieceOf(name, imageText(image), seen))
		}
	}
	r.frames[x] = f
	return f
}

func pieceOf(name string, text prompt.Text, seen map[string]int) item {
	if seen[name]++; seen[name] > 1 {
		name += "#" + strconv.Itoa(seen[name])
	}
	out := item{name: name, text: text}
	if at := text.Span(0, len(text.Str)); at.Known() {
		out.file = at.File
	}
	return out
}

// imageText describes an image, which is no text.
func imageText(image *prompt.Image) prompt.Text {
	hash := sha256.Sum256([]byte(image.URL))
	text := fmt.Sprintf("%s, %d bytes, sha256 of the URL %s", image.Media, image.Bytes, hex.EncodeToString(hash[:]))
	if !image.At.Known() {
		return prompt.Literal(text)
	}
	return prompt.Derived(text, image.At)
}

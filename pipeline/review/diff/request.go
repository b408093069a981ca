package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
)

// requestKey groups variants whose requests differ in the same way.
type requestKey struct {
	pair   *pair
	leaves string
}

// rest finds what differs in the shape of requests where no other edit says so:
// who speaks, in how many blocks, where breakpoints are, which images and which
// tools are sent.
func (r *run) rest() {
	for _, p := range r.pairs {
		said := r.said(p)
		for _, t := range p.twins {
			if !t.Both() || !p.Affected.Has(t.Head.Variant.Index) {
				continue
			}
			sent, spoken := r.sent(t), r.spoken(t)
			if sent || spoken || said.Has(t.Head.Variant.Index) {
				continue
			}
			leaves := shapeLeaves(shapeOf(t.Base), shapeOf(t.Head))
			e := r.group(requestKey{p, fmt.Sprintf("%#v", leaves)}, func() *review.Edit {
				return &review.Edit{Kind: review.BytesChanged, Leaves: leaves, At: p.Head.Prompt.ID.At}
			})
			reachBy(e, t, t.Head.Use+t.Head.ToolTokens-t.Base.Use-t.Base.ToolTokens)
		}
	}
}

// part is a part of a request beside its texts, with its value in JSON.
type part struct {
	steps []ground.PathStep
	value string
}

// shapeOf gives what a request has beside its texts, in order.
func shapeOf(a *assembly.Artifact) []part {
	var out []part
	add := func(value string, steps ...ground.PathStep) { out = append(out, part{steps, value}) }
	key := func(name string) ground.PathStep { return ground.PathStep{Key: name} }
	nth := func(i int) ground.PathStep { return ground.PathStep{Key: strconv.Itoa(i), Element: true} }
	d := a.Variant.Dialect
	add(strconv.Quote(d.Name), key("dialect"))
	for i, m := range a.Messages {
		add(strconv.Quote(string(m.Role)), key("messages"), nth(i), key("role"))
		for j, b := range m.Blocks {
			block := func(value, name string) { add(value, key("messages"), nth(i), key("content"), nth(j), key(name)) }
			switch {
			case b.Image != nil:
				block(strconv.Quote(b.Image.URL), "image")
			default:
				block(strconv.Itoa(len(a.BlockText(b))), "bytes")
			}
			if d.Markers && b.Marked {
				block("true", "cache_control")
			}
		}
	}
	for i, t := range a.Beside {
		tool := func(value, name string) { add(value, key("tools"), nth(i), key(name)) }
		tool(strconv.Quote(t.Name), "name")
		tool(strconv.Quote(t.Description), "description")
		tool(strconv.FormatBool(t.Strict), "strict")
		tool(t.Canonical, "schema")
	}
	return out
}

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
	return &ground.Node{Kind: ground.Mapping, Fields: s.Entry.Sent.Body.Settings, At: s.Entry.At}
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
		if next == nil {
			break
		}
		n = next
	}
	return n.At.FirstLine()
}

// spoken finds what differs in the messages of a request beside their texts, where
// as many of them say something as before and each has as many blocks, and reports
// whether there is anything.
func (r *run) spoken(t twin) bool {
	if t.Base.Variant.Sent == nil || t.Head.Variant.Sent == nil {
		return false
	}
	if !slices.EqualFunc(t.Base.Messages, t.Head.Messages, func(m, n assembly.Message) bool { return len(m.Blocks) == len(n.Blocks) }) {
		return false
	}
	was, is := t.Base.Variant.Sent.Entry, t.Head.Variant.Sent.Entry
	leaves := leaf.Between(was.Sent.Body.Besides(), is.Sent.Body.Besides())
	if len(leaves) == 0 {
		return false
	}
	e := r.group(sentKey{name: fmt.Sprintf("%#v", leaves)}, func() *review.Edit {
		return &review.Edit{Kind: review.BytesChanged, Leaves: leaves, At: is.At.FirstLine()}
	})
	r.also(e, is.At.FirstLine())
	reach(e, t)
	return true
}

// shapeLeaves gives the places at which two shapes differ.
func shapeLeaves(was, is []part) []review.Leaf {
	var out []review.Leaf
	id := func(p part) string { return fmt.Sprintf("%#v", p.steps) }
	before, met := map[string]string{}, map[string]bool{}
	for _, p := range was {
		before[id(p)] = p.value
	}
	for _, p := range is {
		met[id(p)] = true
		if from := before[id(p)]; from != p.value {
			out = append(out, review.Leaf{Steps: p.steps, From: from, To: p.value})
		}
	}
	for _, p := range was {
		if !met[id(p)] {
			out = append(out, review.Leaf{Steps: p.steps, From: p.value})
		}
	}
	return out
}

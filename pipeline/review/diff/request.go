package diff

import (
	"fmt"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/review"
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
			leaves, at := shapeLeaves(shapeOf(t.Base), shapeOf(t.Head)), p.Head.Prompt.ID.At
			if more := regrouped(t); len(more) > 0 {
				leaves, at = more, t.Head.Variant.Sent.Entry.At.FirstLine()
			}
			e := r.group(requestKey{p, fmt.Sprintf("%#v", leaves)}, func() *review.Edit {
				return &review.Edit{Kind: review.BytesChanged, Leaves: leaves, At: at}
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

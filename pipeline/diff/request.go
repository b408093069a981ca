package diff

import (
	"fmt"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/prompt"
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
			if !t.Both() || !p.Affected.Has(t.Head.Variant.Index) || said.Has(t.Head.Variant.Index) {
				continue
			}
			leaves := shapeLeaves(shapeOf(t.Base), shapeOf(t.Head))
			e := r.group(requestKey{p, fmt.Sprintf("%q", leaves)}, func() *prompt.Edit {
				return &prompt.Edit{Kind: prompt.BytesChanged, Leaves: leaves, At: p.Head.Prompt.ID.At}
			})
			reachBy(e, t, t.Head.Use+t.Head.ToolTokens-t.Base.Use-t.Base.ToolTokens)
		}
	}
}

// shapeOf gives what a request has beside its texts, by JSON pointer, in order.
func shapeOf(a *prompt.Artifact) [][2]string {
	var out [][2]string
	add := func(pointer, value string) { out = append(out, [2]string{pointer, value}) }
	d := a.Variant.Dialect
	add("/dialect", strconv.Quote(d.Name))
	for i, m := range a.Messages {
		at := "/messages/" + strconv.Itoa(i)
		add(at+"/role", strconv.Quote(string(m.Role)))
		for j, b := range m.Blocks {
			at := at + "/content/" + strconv.Itoa(j)
			switch {
			case b.Image != nil:
				add(at+"/image", strconv.Quote(b.Image.URL))
			default:
				add(at+"/text", strconv.Itoa(len(a.BlockText(b)))+" bytes")
			}
			if d.Markers && b.Marked {
				add(at+"/cache_control", "true")
			}
		}
	}
	for i, t := range a.Beside {
		at := "/tools/" + strconv.Itoa(i)
		add(at+"/name", strconv.Quote(t.Name))
		add(at+"/description", strconv.Quote(t.Description))
		add(at+"/strict", strconv.FormatBool(t.Strict))
		add(at+"/schema", t.Canonical)
	}
	return out
}

// shapeLeaves gives the places at which two shapes differ.
func shapeLeaves(was, is [][2]string) []prompt.Leaf {
	var out []prompt.Leaf
	before := map[string]string{}
	for _, l := range was {
		before[l[0]] = l[1]
	}
	met := map[string]bool{}
	for _, l := range is {
		met[l[0]] = true
		if from := before[l[0]]; from != l[1] {
			out = append(out, prompt.Leaf{Path: l[0], From: from, To: l[1]})
		}
	}
	for _, l := range was {
		if !met[l[0]] {
			out = append(out, prompt.Leaf{Path: l[0], From: l[1]})
		}
	}
	return out
}

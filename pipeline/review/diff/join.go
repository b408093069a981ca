package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/joining"
)

// Join makes one difference of those of several projects, each moved to where it
// stands. What was edited in the same way in several of them is one edit, with the
// places and variants of all. The sides have the names of the first.
func Join(all []*review.Difference) *review.Difference {
	out := &review.Difference{}
	var bases, heads []*prompt.Result
	for i, d := range all {
		if i == 0 {
			out.Base.Name, out.Head.Name, out.Policy.Name = d.Base.Name, d.Head.Name, d.Policy.Name
		}
		bases, heads = appendResult(bases, d.Base.Result), appendResult(heads, d.Head.Result)
		if out.Policy.Result == nil {
			out.Policy.Result = d.Policy.Result // which says that there is a policy
		}
		out.Pairs = append(out.Pairs, d.Pairs...)
		out.Texts = append(out.Texts, d.Texts...)
		out.Idle = append(out.Idle, d.Idle...)
		out.Stale = append(out.Stale, d.Stale...)
		out.Over = append(out.Over, d.Over...)
	}
	out.Base.Result, out.Head.Result = joining.Join(bases), joining.Join(heads)
	j := joiner{first: map[string]*review.Edit{}, is: map[*review.Edit]*review.Edit{}}
	for _, follows := range []bool{false, true} { // what an edit follows from comes before it
		for _, d := range all {
			for _, e := range d.Edits {
				if (e.Follows != nil) == follows {
					j.take(e)
				}
			}
		}
	}
	for _, d := range all {
		for _, e := range d.Edits {
			if j.is[e] == e {
				out.Edits = append(out.Edits, e)
			}
		}
	}
	for _, t := range out.Texts {
		for i := range t.Hunks {
			t.Hunks[i].Edit = j.is[t.Hunks[i].Edit]
		}
		for i := range t.Moves {
			t.Moves[i].Edit = j.is[t.Moves[i].Edit]
		}
	}
	return out
}

func appendResult(all []*prompt.Result, r *prompt.Result) []*prompt.Result {
	if r == nil {
		return all
	}
	return append(all, r)
}

// joiner finds the edits that are the same in several projects.
type joiner struct {
	first map[string]*review.Edit
	is    map[*review.Edit]*review.Edit // the edit that stands for each
}

func (j *joiner) take(e *review.Edit) {
	if e.Follows != nil {
		e.Follows = j.is[e.Follows]
	}
	key := keyOf(e)
	first := j.first[key]
	if first == nil || key == "" {
		j.first[key], j.is[e] = e, e
		return
	}
	j.is[e] = first
	for _, at := range append([]diag.Span{e.At}, e.Also...) {
		if at.Known() && !slices.ContainsFunc(append([]diag.Span{first.At}, first.Also...), func(o diag.Span) bool { return samePlace(at, o) }) {
			first.Also = append(first.Also, at)
		}
	}
	first.Reach = append(first.Reach, e.Reach...)
	for i := range first.Used {
		first.Used[i], first.Limit[i] = bothOf(first.Used[i], e.Used[i]), bothOf(first.Limit[i], e.Limit[i])
	}
	first.Excess = bothOf(first.Excess, e.Excess)
}

// keyOf is the same for edits of several projects that are one: of the same lines,
// or leaves of a tool, or else made at the same place of a file that they share;
// "" for an edit that is no other's.
func keyOf(e *review.Edit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %p %q %q %q %q %q %q %#v %#v %t %t %t %s",
		e.Kind, e.Follows, e.Tools, e.Tool, e.Name, e.Names, e.From, e.To, e.Was, e.Is, e.Over, e.Stepped, e.Shorter, e.Event)
	same := false
	switch e.Kind {
	case review.TextChanged, review.ItemAdded, review.ItemRemoved, review.Moved, review.BytesChanged, review.ToolAdded, review.ToolRemoved, review.ToolChanged:
		for _, h := range e.Hunks {
			for _, l := range h.Lines {
				fmt.Fprintf(&b, " %c%q%t", l.Sign, l.Text, l.Open)
			}
			same = true
		}
		for _, l := range e.Leaves {
			fmt.Fprintf(&b, " %#v", l)
			same = true
		}
	default: // made where it is declared
	}
	if !same && !e.At.Known() {
		return ""
	}
	if !same {
		fmt.Fprintf(&b, " %q %q %q %d", e.Section, e.Item, e.At.File.Path, e.At.Start)
	}
	return b.String()
}

func samePlace(a, b diag.Span) bool {
	return b.Known() && a.File.Path == b.File.Path && a.Start == b.Start && a.End == b.End
}

// bothOf gives the least and the most of two amounts.
func bothOf(a, b review.Amounts) review.Amounts {
	if b.Known {
		a.Add(b.Low)
		a.Add(b.High)
	}
	return a
}

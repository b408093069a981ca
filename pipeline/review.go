package pipeline

import (
	"context"
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/diff"
	"github.com/promptc-build/promptc/pipeline/review/idle"
	"github.com/promptc-build/promptc/pipeline/review/joining"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
	"github.com/promptc-build/promptc/pipeline/review/policy"
	"github.com/promptc-build/promptc/pipeline/review/volatile"
)

// Policy says whose limits, expectations and checks a head is judged by beside its
// own: its own alone, where it is zero.
type Policy struct {
	// Base: those of the base, but not where one manifest serves both sides.
	Base bool
	// Of: those of a state of its own.
	Of *Request
}

// Reviewed is what came of a review.
type Reviewed struct {
	// Base and Head are the sides. Of a base beside a head that does not compile nobody
	// wants to know, so that it has no Result then. Policy has one if it is a state of
	// its own.
	Base, Head, Policy review.Side
	// Difference is nil where one of them does not compile. Findings are what the head
	// does not keep of a policy.
	Difference *review.Difference
	Findings   diag.List
}

// Review compiles two states of a project, both at once, and says what changed in
// meaning from one to the other. A request without Files is for a state in which there
// is no such project. An error means that the job could not be done.
func Review(ctx context.Context, base, head Request, by Policy) (*Reviewed, error) {
	out, err := compileBoth(ctx, base, head)
	if err != nil || out.Head.Result.Stopped || out.Base.Result.Stopped {
		return out, err
	}
	judge := review.Side{}
	switch {
	case by.Of != nil:
		of := *by.Of
		of.Past = true
		r, err := Compile(ctx, of)
		if out.Policy = (review.Side{Name: by.Of.Name, Result: r}); err != nil || r.Stopped {
			return out, err
		}
		judge = out.Policy
	case by.Base && base.Text == nil && head.Text == nil && head.Files != nil:
		judge = out.Base
	}
	out.Difference, out.Findings = Compare(out.Base, out.Head, judge)
	if by.Base && head.Files == nil {
		out.Difference.Policy = out.Base // which had the prompts
	}
	return out, nil
}

// compileBoth compiles two states at once. Most texts stand in both and are counted
// once.
func compileBoth(ctx context.Context, base, head Request) (*Reviewed, error) {
	type outcome struct {
		side review.Side
		err  error
	}
	counters := plainCounters()
	base.Past = true
	made := par.Map([]Request{head, base}, func(q Request) outcome {
		side, err := q.side(ctx, counters)
		return outcome{side, err}
	})
	out := &Reviewed{Head: made[0].side, Base: made[1].side}
	switch was, is := out.Base.Result, out.Head.Result; {
	case made[0].err != nil:
		return out, made[0].err
	case is.Stopped:
		out.Base.Result = nil
		return out, nil
	case made[1].err != nil:
		return out, made[1].err
	default:
		if was.Tree != nil && was.Tree.Borrowed {
			withoutUnread(was, is)
		}
		if is.Tree != nil && is.Tree.Borrowed {
			withoutUnread(is, was)
		}
		if head.Patterns != nil {
			refuseUnread(was, is)
		}
		return out, nil
	}
}

// side compiles a state, if there is one.
func (q Request) side(ctx context.Context, counters map[string]*token.Counter) (review.Side, error) {
	out := review.Side{Name: q.Name, Patterns: q.Patterns, Result: joining.NoResult()}
	if q.Files == nil {
		return out, nil
	}
	var err error
	out.Result, err = q.compile(ctx, counters)
	return out, err
}

// Compare says what changed in meaning from one state of a project to another.
// A side without a Result has no manifest. The head is judged by its own limits,
// expectations and checks and by those of the policy, most often the base's; by
// its own alone where the policy has no Result. The findings are what the head
// does not keep of them, but for what its own compilation finds.
func Compare(base, head, by review.Side) (*review.Difference, diag.List) {
	spec := &language.Spec{}
	for _, side := range []review.Side{head, base} {
		if side.Result != nil && side.Result.Spec != nil {
			spec = side.Result.Spec
			break
		}
	}
	in := policy.Input{Two: pairing.Of(base.Result, head.Result, pairing.Counters(Counters(spec))), Policy: by}
	var hidden diag.List
	compared := by.Result != nil && head.Result != nil
	if compared {
		in.Lowered, hidden = lint.Lowered(by.Result, head.Result)
	}
	judged, found := policy.Run(in)
	if compared {
		lost, _ := lint.Settle(by.Result.Spec, lint.Lost(head.Result, judged.Lost, by.Name), lint.SeenSome)
		found = slices.Concat(found, hidden, lost).Sorted()
	}
	d := diff.Run(base, head, in.Two, slices.Concat(judged.Edits, volatile.Run(in.Two)))
	d.Policy, d.Over = by, judged.Over
	d.Idle, d.Stale = idle.Run(in.Two, d.Edits)
	settlePlaces(d)
	return d, found
}

// settlePlaces says of what stands in a borrowed manifest that it stands in the
// lender's; in a proposed one, which is no file, it stands nowhere.
func settlePlaces(d *review.Difference) {
	borrows := func(s review.Side) bool { return s.Result != nil && s.Result.Tree != nil && s.Result.Tree.Borrowed }
	if !borrows(d.Base) && !borrows(d.Head) {
		return
	}
	ours := func(at diag.Span) bool {
		return at.Known() && (at.File == d.Base.Result.Tree.File || at.File == d.Head.Result.Tree.File)
	}
	for _, e := range d.Edits {
		if ours(e.At) {
			e.InBase = !borrows(d.Base)
		}
		if borrows(d.Base) && borrows(d.Head) { // nobody has the manifest
			e.Also = slices.DeleteFunc(e.Also, ours)
			if ours(e.At) {
				e.At = diag.Span{}
			}
		}
	}
}

package policy

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
)

// Locked finds the budgets of a plan that let more pass than a policy which locks
// them: one finding a limit and place, with the first variant that has it.
func Locked(plan *assembly.Plan) diag.List {
	type found struct {
		at    diag.Span
		limit string
	}
	var out diag.List
	met := map[found]bool{}
	for _, lock := range plan.Spec.Locks {
		if lock.Budget == nil {
			continue
		}
		for _, b := range plan.Builds {
			for _, v := range b.Variants {
				for i := range limits {
					r := &limits[i]
					if !r.weaker(lock.Budget, &v.Budget) {
						continue
					}
					key := found{r.place(&v.Budget, b.Prompt), r.name}
					if met[key] {
						continue
					}
					met[key] = true
					d := diag.New(diag.LockedSetting, key.at, "locked-limit", r.name, v.Name, r.worded(&v.Budget), r.worded(lock.Budget)).
						WithHint("locked-by-policy", lock.Key, lock.At.File.Path, lock.At.File.LineAt(lock.At.Start))
					d.Variant = v.Name
					out = append(out, d)
				}
			}
		}
	}
	return out.Sorted()
}

// weaker reports whether a budget lets more pass than a locked one. What happens
// beyond a limit belongs to the limit, and a share to what it is one of.
func (r *limit) weaker(locked, is *language.Limits) bool {
	switch {
	case r.name == over:
		return limited(locked, 3) && is.Warn && !locked.Warn
	case r.name == warnAt && is.Tokens < 0:
		return false
	default:
		return r.allows(locked) < r.allows(is)
	}
}

// place gives the line that makes a limit what it is.
func (r *limit) place(l *language.Limits, p *language.Prompt) diag.Span {
	for i := range l.Raised {
		if r.plus != nil && r.of(l) >= 0 && r.plus(&l.Raised[i]) > 0 {
			return l.Raised[i].At
		}
	}
	own := *r.at(l)
	switch r.name {
	case warnAt:
		own = l.WarnAtAt
	case over:
		own = l.OverAt
	}
	for _, at := range []diag.Span{own, l.At} {
		if at.Known() {
			return at
		}
	}
	return p.ID.At
}

// worded writes a limit as messages do.
func (r *limit) worded(l *language.Limits) diag.Words {
	switch f := r.figure(r.of(l)).(type) {
	case review.Amount:
		return diag.Say("limit-amount", int(f))
	case review.Share:
		return diag.Say("limit-share", percent(float64(f)))
	case review.OnlyWarns:
		if f {
			return diag.Say("limit-only-warns")
		}
		return diag.Say("limit-is-an-error")
	default:
		return diag.Say("not-limited")
	}
}

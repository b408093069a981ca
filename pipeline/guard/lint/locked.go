package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// watched are the checks without which a lock of something else says nothing.
var watched = []struct {
	key   string
	codes []diag.Code
}{
	{"expect", []diag.Code{diag.NotAsExpected}},
	{"budget", []diag.Code{diag.NearBudget}},
	{"families", []diag.Code{diag.SpecialToken}},
	{"limits", []diag.Code{diag.OverPreset, diag.LongListing}},
}

// Locked finds the rows of `checks` by which findings count for less than by a
// policy that locks them: those of the codes that it names, and of what else it
// locks.
func Locked(spec *language.Spec) diag.List {
	var out diag.List
	for _, lock := range spec.Locks {
		var codes []diag.Code
		for _, row := range lock.Checks {
			for _, w := range row.Codes {
				codes = append(codes, diag.Code(w.Str))
			}
		}
		for _, w := range watched {
			if lock.Key == w.key && (lock.Budget == nil || lock.Budget.WarnAt > 0) {
				codes = append(codes, w.codes...)
			}
		}
		if len(codes) == 0 || len(spec.Checks) == 0 {
			continue
		}
		s := standingOf(&language.Spec{Checks: lock.Checks, Prompts: spec.Prompts}, spec, spec.Tree)
		slices.Sort(codes)
		for _, code := range slices.Compact(codes) {
			for _, l := range s.lowered(code) {
				out = append(out, diag.New(diag.LockedSetting, at(l.At), "locked-check", l.Code, l.From, l.To).
					WithHint("locked-by-policy", lock.Key, lock.At.File.Path, lock.At.File.LineAt(lock.At.Start)))
			}
		}
	}
	return out
}

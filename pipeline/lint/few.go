package lint

import (
	"github.com/promptc-build/promptc/pipeline/diag"
)

// single is how many findings of one kind in one file stand each by itself: of
// a megabyte that is wrong throughout nobody reads more.
const single = 20

// few makes findings of things of one kind in a file: one of each of the first,
// and one more for the others, whose words have their number.
func few[T any](all []T, find func(T) diag.Diagnostic, others func(n int) string) diag.List {
	var out diag.List
	for i, x := range all[:min(len(all), single+1)] {
		d := find(x)
		if i == single {
			d.Message, d.Detail = others(len(all)-single), nil
		}
		out = append(out, d)
	}
	return out
}

// moreOf makes words for the others.
func moreOf(noun string) func(int) string {
	return func(n int) string { return "and " + number(n, "more "+noun) + " in this file" }
}

// kind is what findings are counted by.
type kind struct {
	code diag.Code
	file *diag.File
}

// fewest is few for findings that were made, of each kind.
func fewest(all diag.List) diag.List {
	var kinds ordered[kind, diag.List]
	for _, d := range all {
		same := kinds.of(kind{d.Code, d.Span.File})
		*same = append(*same, d)
	}
	var out diag.List
	for _, k := range kinds.keys {
		out = append(out, few(*kinds.values[k], itself, func(n int) string {
			return "and " + diag.Number(n) + " more like it in this file"
		})...)
	}
	return out
}

func itself(d diag.Diagnostic) diag.Diagnostic { return d }

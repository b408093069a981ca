package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/glob"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Seen says how much a run looked at, so that what it did not find is not
// there.
type Seen int

// From least to most.
const (
	SeenSome     Seen = iota // some variants, or errors ended the run
	SeenVariants             // every variant, but not all that is on disk
	SeenAll
)

// Settle makes of findings what the manifest's settings say: kept are those that
// count, at their levels, and off those that a row leaves out, in the order of
// the findings; those about rows come last. A row that sets nothing is a finding,
// too, where the run has seen all that it could be about. Without a Spec everything is kept.
func Settle(spec *prompt.Spec, found diag.List, seen Seen) (kept diag.List, off []prompt.Silenced) {
	if spec == nil || len(spec.Checks) == 0 {
		return found, nil
	}
	s := newSettler(spec.Checks)
	for _, d := range found {
		s.settle(d)
	}
	if seen == SeenSome {
		return s.kept.Sorted(), s.off
	}
	in := newInspector(s, spec.Tree, found, seen)
	for _, r := range s.rules {
		if !r.codes[string(diag.IdleSetting)] {
			for _, d := range in.inspect(r) {
				s.settle(d)
			}
		}
	}
	for _, r := range s.rules {
		if r.codes[string(diag.IdleSetting)] { // these do not judge themselves
			s.kept = append(s.kept, in.inspect(r)...)
		}
	}
	return s.kept.Sorted(), s.off
}

// settler is the state of one Settle.
type settler struct {
	rules  []*rowRule
	byCode map[diag.Code][]*rowRule
	// decided remembers the row for findings that are alike, nil for none, and
	// met the first of these by their code.
	decided map[alike]*rowRule
	met     map[diag.Code]diag.List
	kept    diag.List
	off     []prompt.Silenced
}

// rowRule is a row of settings, ready for use.
type rowRule struct {
	*prompt.Setting
	paths []glob.Pattern
	// The words of the row.
	codes, pathSet, promptSet map[string]bool
	// in remembers which files are among those of paths.
	in map[string]bool
	// decides are the codes of which it decides about a finding, and behind the
	// rows that do so where it fits, too.
	decides map[diag.Code]bool
	behind  map[diag.Code]*rowRule
}

// alike is what rows look at.
type alike struct {
	code           diag.Code
	paths, prompts string
}

func newSettler(rows []*prompt.Setting) *settler {
	s := &settler{byCode: map[diag.Code][]*rowRule{}, decided: map[alike]*rowRule{}, met: map[diag.Code]diag.List{}}
	for _, row := range rows {
		r := &rowRule{
			Setting: row, in: map[string]bool{}, decides: map[diag.Code]bool{}, behind: map[diag.Code]*rowRule{},
			codes: setOf(row.Codes), pathSet: setOf(row.Paths), promptSet: setOf(row.Prompts),
		}
		for _, w := range row.Paths {
			p, _ := glob.Parse(w.Str) // one that is wrong was refused, and matches nothing
			r.paths = append(r.paths, p)
		}
		s.rules = append(s.rules, r)
		for _, w := range row.Codes {
			s.byCode[diag.Code(w.Str)] = append(s.byCode[diag.Code(w.Str)], r)
		}
	}
	return s
}

// settle puts a finding where the last row that fits it says.
func (s *settler) settle(d diag.Diagnostic) {
	r := s.rule(d)
	switch {
	case r == nil:
	case r.Level == prompt.Off:
		s.off = append(s.off, prompt.Silenced{Finding: d, By: r.Setting})
		return
	case r.Level == prompt.CountsAsError:
		d.Level = diag.Error
	default:
		d.Level = diag.Warning
	}
	s.kept = append(s.kept, d)
}

// rule gives the row that decides about a finding, nil for none.
func (s *settler) rule(d diag.Diagnostic) *rowRule {
	rules := s.byCode[d.Code]
	if len(rules) == 0 || !d.Settable() {
		return nil
	}
	key := alike{code: d.Code, prompts: strings.Join(d.Prompts, " ")}
	if d.Span.Known() {
		key.paths = strings.Join(append([]string{d.Span.File.Path}, d.Also...), "\x00")
	}
	out, ok := s.decided[key]
	if !ok {
		for _, r := range slices.Backward(rules) {
			switch {
			case !r.fits(d):
			case out == nil:
				out = r
				r.decides[d.Code] = true
			case r.behind[d.Code] == nil:
				r.behind[d.Code] = out
			}
		}
		s.decided[key] = out
		s.met[d.Code] = append(s.met[d.Code], d)
	}
	return out
}

func setOf(words []prompt.Word) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w.Str] = true
	}
	return out
}

// fits reports whether a finding is one that the row is for: in one of its
// files, and about none but its prompts.
func (r *rowRule) fits(d diag.Diagnostic) bool {
	if len(r.paths) > 0 && (!d.Span.Known() || !r.has(d.Span.File.Path) || slices.ContainsFunc(d.Also, func(f string) bool { return !r.has(f) })) {
		return false
	}
	foreign := func(id string) bool { return !r.promptSet[id] }
	return len(r.Prompts) == 0 || len(d.Prompts) > 0 && !slices.ContainsFunc(d.Prompts, foreign)
}

// has reports whether a file is one that the row names.
func (r *rowRule) has(path string) bool {
	is, known := r.in[path]
	if !known {
		is = slices.ContainsFunc(r.paths, func(p glob.Pattern) bool { return p.Match(path) })
		r.in[path] = is
	}
	return is
}

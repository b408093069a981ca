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
	files := pathsOf(spec.Tree, found)
	for _, ofSettings := range []bool{false, true} { // rows about these do not judge themselves
		for _, r := range s.rules {
			if r.codes[string(diag.IdleSetting)] != ofSettings {
				continue
			}
			for _, d := range r.idle(files, seen) {
				if ofSettings {
					s.kept = append(s.kept, d)
				} else {
					s.settle(d)
				}
			}
		}
	}
	return s.kept.Sorted(), s.off
}

// settler is the state of one Settle.
type settler struct {
	rules  []*rowRule
	byCode map[diag.Code][]*rowRule
	// decided remembers the row for findings that are alike, nil for none.
	decided map[alike]*rowRule
	kept    diag.List
	off     []prompt.Silenced
}

// rowRule is a row of settings, ready for use.
type rowRule struct {
	*prompt.Setting
	paths []glob.Pattern
	// codes and prompts are the words of the row.
	codes, prompts map[string]bool
	// in remembers which files are among those of paths.
	in map[string]bool
	// decides are the codes of which it decides about a finding.
	decides map[diag.Code]bool
}

// alike is what rows look at.
type alike struct {
	code           diag.Code
	paths, prompts string
}

func newSettler(rows []*prompt.Setting) *settler {
	s := &settler{byCode: map[diag.Code][]*rowRule{}, decided: map[alike]*rowRule{}}
	for _, row := range rows {
		r := &rowRule{
			Setting: row, codes: setOf(row.Codes), prompts: setOf(row.Prompts),
			in: map[string]bool{}, decides: map[diag.Code]bool{},
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
			if r.fits(d) {
				out = r
				r.decides[d.Code] = true
				break
			}
		}
		s.decided[key] = out
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
	foreign := func(id string) bool { return !r.prompts[id] }
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

// pathsOf gives the paths of all that was read.
func pathsOf(tree *prompt.Tree, found diag.List) []string {
	var out []string
	for _, d := range found {
		if d.Span.Known() {
			out = append(out, d.Span.File.Path)
		}
	}
	if tree != nil && tree.File != nil {
		out = append(out, tree.File.Path)
		for _, d := range tree.Docs() {
			out = append(out, d.File.Path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mostCompared bounds how often a pattern is compared with a file to say that it
// fits none: far above what any project needs. Beyond it nothing is said.
const mostCompared = 100_000

// idle finds what of a row sets nothing: patterns that fit no file that was read,
// else codes of which it leaves no finding out, in one finding where these are
// all. A row that sets a level is there for findings to come.
func (r *rowRule) idle(files []string, seen Seen) diag.List {
	disk := slices.ContainsFunc(r.Codes, func(w prompt.Word) bool { return diag.Code(w.Str).OfDisk() })
	if disk && seen < SeenAll {
		return nil
	}
	var out diag.List
	for i, p := range r.paths {
		w := r.Paths[i]
		if disk || w.Str == "" || len(files)*len(p.Alternatives()) > mostCompared || slices.ContainsFunc(files, p.Match) {
			continue
		}
		out = append(out, diag.New(diag.IdleSetting, at(w.At, r.At), "no-file-was-read", w.Str).
			WithHint("correct-remove-paths-relative"))
	}
	if len(out) > 0 || r.Level != prompt.Off {
		return out
	}
	unused := slices.DeleteFunc(slices.Clone(r.Codes), func(w prompt.Word) bool { return r.decides[diag.Code(w.Str)] })
	const hint = "remove-row-or-let-it-fit"
	if len(unused) == len(r.Codes) && len(unused) > 0 {
		return diag.List{diag.New(diag.IdleSetting, at(r.At), "row-leaves-nothing-out").WithHint(hint)}
	}
	for _, w := range unused {
		out = append(out, diag.New(diag.IdleSetting, at(w.At), "row-leaves-no-finding-out", w.Str).WithHint(hint))
	}
	return out
}

package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/language"
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
func Settle(spec *language.Spec, found diag.List, seen Seen) (kept diag.List, off []language.Silenced) {
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
			// A row of a policy is there for other projects, too.
			if r.codes[string(diag.IdleSetting)] != ofSettings || spec.File != nil && r.At.File != spec.File {
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
	off     []language.Silenced
}

// rowRule is a row of settings, ready for use.
type rowRule struct {
	*language.Setting
	paths []glob.Pattern
	// codes and prompts are the words of the row.
	codes, prompts map[string]bool
	// in remembers which files are among those of paths.
	in map[string]bool
	// decides are the codes for which it decided about a finding.
	decides map[diag.Code]bool
}

// alike is what rows look at.
type alike struct {
	code           diag.Code
	paths, prompts string
}

func newSettler(rows []*language.Setting) *settler {
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
	level, r := s.level(d)
	if level == off {
		s.off = append(s.off, language.Silenced{Finding: d, By: r.Setting})
		return
	}
	d.Level = level
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

func setOf(words []ground.Word) map[string]bool {
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
func pathsOf(tree *language.Tree, found diag.List) []string {
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

// idle finds the parts of a row that set nothing: patterns that fit no file that
// was read, else codes without a finding to leave out, in one finding if these are
// all. A row that sets a level is there for findings to come.
func (r *rowRule) idle(files []string, seen Seen) diag.List {
	disk := slices.ContainsFunc(r.Codes, func(w ground.Word) bool { return diag.Code(w.Str).OfDisk() })
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
	if len(out) > 0 || r.Level != language.Off {
		return out
	}
	unused := slices.DeleteFunc(slices.Clone(r.Codes), func(w ground.Word) bool { return r.decides[diag.Code(w.Str)] })
	const hint = "remove-row-or-let-it-fit"
	if len(unused) == len(r.Codes) && len(unused) > 0 {
		return diag.List{diag.New(diag.IdleSetting, at(r.At), "row-leaves-nothing-out").WithHint(hint)}
	}
	for _, w := range unused {
		out = append(out, diag.New(diag.IdleSetting, at(w.At), "row-leaves-no-finding-out", w.Str).WithHint(hint))
	}
	return out
}

// off is behind the levels of findings, which grow weaker.
const off = diag.Note + 1

// standing compares what rows of two manifests make of findings.
type standing struct {
	policy, head *settler
	shared       []string // the prompts that both have
	files        []string // of the head
	left         int      // of mostCompared
	// declared says that the head names its families, so that their tokens are errors.
	declared bool
}

// Lowered gives the checks that count for less by the rows of the head than by
// those of a policy, and the findings of the head that the policy holds for more
// serious, at its level. What is about other prompts than those that both have is
// not compared.
func Lowered(policy, head *prompt.Result) ([]guard.Lowered, diag.List) {
	s := standingOf(policy.Spec, head.Spec, head.Tree)
	var out []guard.Lowered
	met := map[diag.Code]bool{}
	for _, row := range slices.Concat(policy.Spec.Checks, head.Spec.Checks) {
		for _, w := range row.Codes {
			if code := diag.Code(w.Str); !met[code] {
				met[code] = true
				out = append(out, s.lowered(code)...)
			}
		}
	}
	return out, s.hidden(head)
}

func standingOf(policy, head *language.Spec, tree *language.Tree) *standing {
	s := &standing{policy: newSettler(policy.Checks), head: newSettler(head.Checks), left: mostCompared, declared: head.Families != nil}
	for _, p := range head.Prompts {
		if slices.ContainsFunc(policy.Prompts, func(q *language.Prompt) bool { return q.ID.Str == p.ID.Str }) {
			s.shared = append(s.shared, p.ID.Str)
		}
	}
	if tree != nil {
		for _, d := range tree.Docs() {
			s.files = append(s.files, d.File.Path)
		}
		s.files = append(s.files, tree.File.Path)
	}
	return s
}

// lowered compares the rows about one code by findings that could be: in each
// file, and about each prompt, that some row may tell from others.
func (s *standing) lowered(code diag.Code) []guard.Lowered {
	rows := slices.Concat(s.policy.byCode[code], s.head.byCode[code])
	if slices.EqualFunc(s.policy.byCode[code], s.head.byCode[code], sameRow) {
		return nil
	}
	paths, about := []string{""}, [][]string{nil}
	inFiles, ofPrompts, patterns := false, false, 0
	for _, r := range rows {
		for _, p := range r.paths {
			patterns += len(p.Alternatives())
		}
		for _, w := range r.Paths {
			inFiles = true
			paths = append(paths, w.Str) // of files that are yet to come
		}
		if len(r.Prompts) > 0 {
			ofPrompts = true
			about = append(about, slices.DeleteFunc(ground.Strings(r.Prompts), func(id string) bool { return !slices.Contains(s.shared, id) }))
		}
	}
	if inFiles {
		paths = append(paths, s.files...)
	}
	if ofPrompts {
		for _, id := range s.shared {
			about = append(about, []string{id})
		}
	}
	if s.left -= len(paths) * (patterns + len(about)*len(rows)); s.left < 0 {
		at, ofPolicy := decided(rows[len(rows)-1], nil)
		return []guard.Lowered{{Code: code, From: "unknown", To: "unknown", At: at, OfPolicy: ofPolicy}}
	}
	var out []guard.Lowered
	for _, prompts := range about {
		for _, path := range paths {
			d := diag.Diagnostic{Code: code, Level: code.Level(), Prompts: prompts}
			if s.declared && code == diag.SpecialToken {
				d.Level = diag.Error
			}
			if path != "" {
				d.Span = diag.Span{File: &diag.File{Path: path}, End: 1}
			}
			out = s.compare(out, d)
		}
	}
	return out
}

// compare adds a finding that counts for less in the head.
func (s *standing) compare(out []guard.Lowered, d diag.Diagnostic) []guard.Lowered {
	from, by := s.policy.level(d)
	to, rule := s.head.level(d)
	if from >= to {
		return out
	}
	at, ofPolicy := decided(rule, by)
	made := guard.Lowered{Code: d.Code, From: levelWord(from), To: levelWord(to), Prompts: d.Prompts, At: at, OfPolicy: ofPolicy}
	i := slices.IndexFunc(out, func(l guard.Lowered) bool { return l.At == made.At && l.From == made.From && l.To == made.To })
	if i < 0 {
		return append(out, made)
	}
	if l := &out[i]; l.Prompts != nil {
		if d.Prompts == nil {
			l.Prompts = nil
		} else {
			l.Prompts = slices.Compact(slices.Sorted(slices.Values(slices.Concat(l.Prompts, d.Prompts))))
		}
	}
	return out
}

// decided gives the place of the row that decides: the head's, else the policy's.
func decided(head, policy *rowRule) (at diag.Span, ofPolicy bool) {
	switch {
	case head != nil:
		return head.At, false
	case policy != nil:
		return policy.At, true
	default:
		return diag.Span{}, false
	}
}

// level says what a finding counts as, and by which row, nil for none.
func (s *settler) level(d diag.Diagnostic) (diag.Level, *rowRule) {
	r := s.rule(d)
	switch {
	case r == nil:
		return d.Level, nil
	case r.Level == language.Off:
		return off, r
	case r.Level == language.CountsAsError:
		return diag.Error, r
	default:
		return diag.Warning, r
	}
}

func levelWord(l diag.Level) string {
	switch l {
	case off:
		return "off"
	case diag.Warning:
		return "warn"
	default:
		return l.String()
	}
}

// sameRow reports whether rows say the same, whatever the reason.
func sameRow(a, b *rowRule) bool {
	same := func(a, b []ground.Word) bool {
		return (a == nil) == (b == nil) && strings.Join(ground.Strings(a), "\x00") == strings.Join(ground.Strings(b), "\x00")
	}
	return a.Level == b.Level && same(a.Paths, b.Paths) && same(a.Prompts, b.Prompts)
}

// hidden gives the findings of the head that the policy holds for more serious.
func (s *standing) hidden(head *prompt.Result) diag.List {
	all := slices.Clone(head.Findings)
	for _, x := range head.Off {
		all = append(all, x.Finding)
	}
	var out diag.List
	for i, d := range all {
		ours := func(id string) bool { return slices.Contains(s.shared, id) }
		if d.Code == diag.IdleSetting || len(d.Prompts) > 0 && !slices.ContainsFunc(d.Prompts, ours) {
			continue
		}
		to := d.Level
		if i >= len(head.Findings) {
			to = off
		} else if s.head.rule(d) != nil {
			d.Level = d.Code.Level() // a row of the head set it
		}
		if level, _ := s.policy.level(d); level < to {
			d.Level = level
			out = append(out, d)
		}
	}
	return out
}

// Lost judges variants by expectations that their manifest no longer has. They
// are expected by who: their findings stand at the prompts.
func Lost(head *prompt.Result, lost []guard.LostExpectation, who string) diag.List {
	if len(lost) == 0 {
		return nil
	}
	var out diag.List
	s := newRequestSet(head.Plan, head.Artifacts)
	for _, f := range s.families {
		c := promptView{family: f, requests: s}
		var expected []assembly.Expected
		for _, l := range lost {
			if l.Build == f.build {
				expected = append(expected, l.Expected)
			}
		}
		for _, d := range c.broken(expected) {
			d.Span, d.Prompts = f.build.Prompt.ID.At, []string{f.build.Prompt.ID.Str}
			out = append(out, d.WithDetail(diag.Say("expectation-of", who)))
		}
	}
	return out
}

package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// off is behind the levels of findings, which grow weaker.
const off = diag.Note + 1

// standing compares what rows of two manifests make of findings.
type standing struct {
	policy, head *settler
	shared       []string // the prompts that both have
	files        []string // of the head
	left         int      // of mostCompared
}

// Lowered gives the checks that count for less by the rows of the head than by
// those of a policy, and the findings of the head that the policy holds for more
// serious, at its level. What is about other prompts than those that both have is
// not compared.
func Lowered(policy, head *prompt.Result) ([]prompt.Lowered, diag.List) {
	s := &standing{policy: newSettler(policy.Spec.Checks), head: newSettler(head.Spec.Checks), left: mostCompared}
	for _, p := range head.Spec.Prompts {
		if slices.ContainsFunc(policy.Spec.Prompts, func(q *prompt.Prompt) bool { return q.ID.Str == p.ID.Str }) {
			s.shared = append(s.shared, p.ID.Str)
		}
	}
	if head.Tree != nil {
		for _, d := range head.Tree.Docs() {
			s.files = append(s.files, d.File.Path)
		}
		s.files = append(s.files, head.Tree.File.Path)
	}
	var out []prompt.Lowered
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

// lowered compares the rows about one code by findings that could be: in each
// file, and about each prompt, that some row may tell from others.
func (s *standing) lowered(code diag.Code) []prompt.Lowered {
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
			about = append(about, slices.DeleteFunc(strs(r.Prompts), func(id string) bool { return !slices.Contains(s.shared, id) }))
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
		return []prompt.Lowered{{Code: code, From: "unknown", To: "unknown", At: at, OfPolicy: ofPolicy}}
	}
	var out []prompt.Lowered
	for _, prompts := range about {
		for _, path := range paths {
			d := diag.Diagnostic{Code: code, Level: code.Level(), Prompts: prompts}
			if path != "" {
				d.Span = diag.Span{File: &diag.File{Path: path}, End: 1}
			}
			out = s.compare(out, d)
		}
	}
	return out
}

// compare adds a finding that counts for less in the head.
func (s *standing) compare(out []prompt.Lowered, d diag.Diagnostic) []prompt.Lowered {
	from, by := s.policy.level(d)
	to, rule := s.head.level(d)
	if from >= to {
		return out
	}
	at, ofPolicy := decided(rule, by)
	made := prompt.Lowered{Code: d.Code, From: levelWord(from), To: levelWord(to), Prompts: d.Prompts, At: at, OfPolicy: ofPolicy}
	i := slices.IndexFunc(out, func(l prompt.Lowered) bool { return l.At == made.At && l.From == made.From && l.To == made.To })
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
	case r.Level == prompt.Off:
		return off, r
	case r.Level == prompt.CountsAsError:
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
	same := func(a, b []prompt.Word) bool {
		return (a == nil) == (b == nil) && strings.Join(strs(a), "\x00") == strings.Join(strs(b), "\x00")
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
func Lost(head *prompt.Result, lost []prompt.LostExpectation, who string) diag.List {
	if len(lost) == 0 {
		return nil
	}
	var out diag.List
	s := newRequestSet(head.Plan, head.Artifacts)
	for _, f := range s.families {
		c := promptView{family: f, scope: s}
		var expected []prompt.Expected
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

// strs gives words without their places.
func strs(words []prompt.Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Str
	}
	return out
}

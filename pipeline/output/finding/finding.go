// Package finding writes what is wrong and where, in every format: a [Problem] is a
// diagnostic, or a file that is not what a build writes, with its texts as they came.
// It also writes the pages about codes.
package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// Problem is one thing that a run found: a finding, a snapshot that is not what a
// build writes, or emitted files that are out of date. Its texts are as they came:
// every format makes them harmless in its own way.
type Problem struct {
	// Rule is the code of a finding, or DriftRule.
	Rule  string
	Level diag.Level
	Title string
	// At is the place in a source, unknown for what has none; Position is that as
	// file:line:column, as the reader sees it. Place is that, too, or the start of
	// the file on disk that the problem is about; nil for none.
	At       diag.Span
	Position string
	Place    *words.Place
	Message  string
	// Detail are further facts, hint what to do.
	Detail []string
	hint   string
	// Prompts are those that a finding is about.
	Prompts []string
	// Off is the setting that leaves a finding out, nil for none.
	Off *language.Silenced
	// About and Said are what it is recognised by in a later run. Print is their hash,
	// and Nth counts the problems that have the same.
	About string
	Said  diag.Words
	Print string
	Nth   int
}

// DriftRule is the rule of problems that are no findings: files that are not
// what a build writes.
const DriftRule = "drift"

// AllOf gives findings as problems.
func AllOf(o words.Options, findings diag.List) []Problem {
	out := make([]Problem, len(findings))
	for i, d := range findings {
		out[i] = Of(o, d)
	}
	return out
}

// Of gives a finding as a problem.
func Of(o words.Options, d diag.Diagnostic) Problem {
	out := Problem{
		Rule: string(d.Code), Level: d.Level, Title: string(d.Code), At: d.Span, Place: o.Place(d.Span), Said: d.What,
		Message: wording.Message(d), Detail: wording.Detail(d), hint: wording.Hint(d), Prompts: d.Prompts,
	}
	if p := out.Place; p != nil {
		out.About, out.Position = p.File, p.Position()
	}
	return out
}

// Lines say what is wrong, then further facts, then what to do, as a terminal
// may get them.
func (x Problem) Lines() []string {
	out := append([]string{x.Message}, x.Detail...)
	if x.hint != "" {
		out = append(out, "hint: "+x.hint)
	}
	for i, l := range out {
		out[i] = words.Clean(l)
	}
	return out
}

// Placed gives problems to formats in which each needs a place and is recognised in
// a later run: what has none stands at the start of the manifest, if there is one,
// and equal prints are numbered, or all but one would be taken for copies.
func Placed(all []Problem, manifest *diag.File, opt words.Options) []Problem {
	seen := map[string]int{}
	for i := range all {
		x := &all[i]
		if x.Place == nil {
			x.Place = opt.Place(diag.Span{File: manifest})
		}
		x.Print = x.fingerprint()
		seen[x.Print]++
		x.Nth = seen[x.Print]
	}
	return all
}

// fingerprint hashes what a problem is recognised by: its rule, what it is about,
// and what is said without amounts, which change with every edit and do not make
// it another finding.
func (x Problem) fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{x.Rule, x.About}, identity(x.Said)...), "\x00")))
	return hex.EncodeToString(sum[:8])
}

// identity gives the key of some words and the texts in their gaps.
func identity(w diag.Words) []string {
	out := []string{w.Key}
	for _, arg := range w.Args {
		switch a := arg.(type) {
		case string:
			out = append(out, a)
		case diag.Names:
			out = append(out, a...)
		case diag.Words:
			out = append(out, identity(a)...)
		}
	}
	return out
}

package report

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

// facts are what there is to say of a run of build or check. They are computed
// once; every format lays out the same.
type facts struct {
	r   *prompt.Result
	did Outcome
	opt Options
	// verdict sums the run up.
	verdict Verdict
	// findings are those that count, in the order of their places.
	findings diag.List
	// changes are the files below the snapshot folder that differ, in the order
	// of the manifest.
	changes []change
	// drifted says that snapshots on disk differ and were not written, fresh
	// that there are none at all, stale that emitted files on disk differ and
	// were not written.
	drifted, fresh, stale bool
}

func factsOf(r *prompt.Result, did Outcome, opt Options) *facts {
	f := &facts{r: r, did: did, opt: opt, verdict: Judge(r, did, opt), findings: r.Findings.Sorted()}
	d := r.Delta
	if d == nil {
		return f
	}
	f.changes = changes(r, opt.Count)
	f.drifted = !did.Snapshots && d.Drifted()
	f.fresh = f.drifted && fresh(d, f.changes)
	f.stale = !did.Artifacts && staleArtifacts(d)
	return f
}

// shown gives the changes that are shown each by itself, without those that
// follow from others.
func (f *facts) shown() []change {
	return slices.DeleteFunc(slices.Clone(f.changes), func(c change) bool { return c.follows })
}

// problem is one thing that a run found, for formats that list problems: a
// finding, a snapshot that is not what a build writes, or emitted files that are
// out of date.
type problem struct {
	// rule is the code of a finding, or driftRule.
	rule  string
	level diag.Level
	title string
	// at is the place in a source, unknown for what has none; file is the path
	// on disk that it is about, as the reader sees it, "" for none.
	at   diag.Span
	file string
	// lines say what is wrong, then further facts, then what to do.
	lines []string
	// about and said are what it is recognised by in a later run.
	about string
	said  []string
}

// driftRule is the rule of problems that are no findings: files that are not
// what a build writes.
const driftRule = "drift"

// problems lists what a run found, findings first.
func (f *facts) problems() []problem {
	var out []problem
	for _, d := range f.findings {
		out = append(out, problemOf(d, f.opt))
	}
	if f.drifted {
		out = append(out, f.drift()...)
	}
	if f.stale {
		d := f.r.Delta
		out = append(out, problem{
			rule: driftRule, level: diag.Error, title: "artifacts out of date", about: f.opt.path(d.ArtifactFolder), said: []string{"artifacts"},
			lines: []string{newPage(Options{Base: f.opt.Base}).artifacts(d), "run: promptc build"},
		})
	}
	return out
}

func problemOf(d diag.Diagnostic, opt Options) problem {
	out := problem{
		rule: string(d.Code), level: d.Level, title: string(d.Code), at: d.Span, said: identity(d.What),
		lines: append([]string{wording.Message(d)}, wording.Detail(d)...),
	}
	if hint := wording.Hint(d); hint != "" {
		out.lines = append(out.lines, "hint: "+hint)
	}
	if d.Span.Known() {
		out.about = opt.path(d.Span.File.Path)
	}
	return out
}

// drift lists the snapshots that are not what a build writes.
func (f *facts) drift() []problem {
	const title = "snapshot out of date"
	if f.fresh {
		return []problem{{
			rule: driftRule, level: diag.Error, title: title, about: f.opt.path(f.r.Delta.SnapshotFolder), said: []string{"fresh"},
			lines: []string{"snapshots do not exist yet: " + extent(f.r), "run: promptc build"},
		}}
	}
	var out []problem
	for _, c := range f.shown() {
		head := strings.TrimSpace(c.prompt + " " + c.subject + " " + c.verb())
		if c.tokens != nil {
			head += " (" + difference(*c.tokens) + " " + plural(max(*c.tokens, -*c.tokens), "token") + ")"
		}
		file := f.opt.path(c.Output.Path)
		lines := append([]string{head}, users(c.Output.Owner)...)
		lines = append(lines, (&diffPage{page: newPage(Options{}), unmarked: true}).someLeaves(c.leaves)...)
		lines = append(lines, "snapshot: "+file, "run: promptc build")
		out = append(out, problem{
			rule: driftRule, level: diag.Error, title: title, at: c.at, file: file, lines: lines, about: file, said: []string{status(c.Status)},
		})
	}
	return out
}

// fingerprint hashes what a problem is recognised by: its rule, what it is about,
// and what is said without amounts, which change with every edit and do not make
// it another finding.
func (x problem) fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{x.rule, x.about}, x.said...), "\x00")))
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

// Words gives the text of words that belong to no finding.
func Words(w diag.Words) string { return wording.Text(w) }

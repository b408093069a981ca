package change

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
)

// The verdicts on a difference. It is also Invalid, where a side stopped
// before anything was composed, and there is nothing to compare.
const (
	// Failed: something holds that `--fail-on` names.
	Failed finding.Verdict = "failed"
	// Differs: something changed, and that is all.
	Differs finding.Verdict = "changed"
	// Same: nothing changed that any variant says, nor anything declared.
	Same finding.Verdict = "unchanged"
)

// Verdict says whether a difference fails.
type Verdict struct {
	Status finding.Verdict // Invalid, Failed, Differs or Same
	// Failures are what holds of the words of `--fail-on`, in their order.
	Failures []Failure
}

// Fails reports whether the exit status is 1.
func (v Verdict) Fails() bool { return v.Status == finding.Invalid || v.Status == Failed }

// Failure is one word of `--fail-on` that holds, and why. At is where that is
// declared in the head, unknown where it has no place there.
type Failure struct {
	Word, Why string
	At        diag.Span
}

type failOn struct {
	word, help string
	// why says what holds of it, in a few words, and where the first of that
	// is declared; "" where it does not hold.
	why func(d *review.Difference, findings diag.List) (string, diag.Span)
}

// failOns is the table of the words, in the order in which they are listed.
func failOns() []failOn {
	return []failOn{
		{growthWord, "a variant or a section grew by more than its budget allows", grown},
		{budgetWord, "a variant or a section is over its budget, and was not or by less in the base", over},
		{"drift", "the snapshots of the head are out of date", drifted},
		{"stale", "an input of a rendered prompt changed and none of its texts did", stale},
		{"tool-removed", "a variant lost a tool", toolsThat(review.ToolRemoved, nil)},
		{"tool-added", "a variant gained a tool", toolsThat(review.ToolAdded, nil)},
		{"tool-text", "the title or a description of a tool changed", toolsThat(review.ToolChanged, leaf.Describes)},
		{"hint-weakened", "a tool no longer says that it only reads, destroys nothing or stays in a closed world", toolsThat(review.ToolChanged, weakensHint)},
		{"cache-prefix", "the stable prefix of a request got shorter", lostPrefix},
		{uncoveredWord, "files read like prompts, and no prompt of the manifest takes them (PC8011)", uncovered},
		{policyWord, "a limit, an expectation or a check got weaker, or variants or a prompt were removed", weakened},
	}
}

// The words of `--fail-on` by which findings count.
const (
	growthWord = "growth"
	budgetWord = "budget"
	policyWord = "policy-weakened"

	uncoveredWord = "uncovered"
)

// FailOns gives the words that `--fail-on` takes, in order.
func FailOns() []string {
	var out []string
	for _, f := range failOns() {
		out = append(out, f.word)
	}
	return out
}

// FailOnHelp says in one line what a word of `--fail-on` stands for, "" for
// what is none.
func FailOnHelp(word string) string {
	for _, f := range failOns() {
		if f.word == word {
			return f.help
		}
	}
	return ""
}

// Judge gives the verdict on a difference and the findings about it. Words
// that are none of FailOns hold never.
func Judge(d *review.Difference, findings diag.List, words []string) Verdict {
	v := Verdict{Status: Same}
	for _, f := range failOns() {
		if !slices.Contains(words, f.word) {
			continue
		}
		if why, at := f.why(d, findings); why != "" {
			v.Failures = append(v.Failures, Failure{f.word, why, at})
		}
	}
	_, stopped := stoppedSide(d)
	switch {
	case stopped:
		v.Status = finding.Invalid
	case len(v.Failures) > 0:
		v.Status = Failed
	case len(d.Edits) > 0 || differ(d.Pairs):
		v.Status = Differs
	}
	return v
}

// stoppedSide gives the side that does not compile, the head first.
func stoppedSide(d *review.Difference) (review.Side, bool) {
	for _, side := range []review.Side{d.Head, d.Base} {
		if side.Result != nil && side.Result.Stopped {
			return side, true
		}
	}
	return review.Side{}, false
}

// differ reports whether any variant sends other bytes, or a template that
// includes a changed file, or is no more.
func differ(pairs []*review.Pair) bool {
	return slices.ContainsFunc(pairs, func(p *review.Pair) bool { return p.Reached().Len() > 0 || p.Gone.Len() > 0 })
}

// grown counts the limits on growth that are exceeded. What a manifest asks
// only to be warned of does not fail.
func grown(_ *review.Difference, findings diag.List) (string, diag.Span) {
	n := 0
	var at diag.Span
	for _, f := range findings {
		if f.Code != diag.GrowthExceeded || f.Level != diag.Error {
			continue
		}
		if n++; !at.Known() {
			at = f.Span
		}
	}
	if n == 0 {
		return "", at
	}
	return words.Count(n, "growth limit") + " exceeded", at
}

// over counts what the change brought over its budget, or further over it. What a
// manifest asks only to be warned of does not fail.
func over(d *review.Difference, _ diag.List) (string, diag.Span) {
	n, first, at := overruns(d, false)
	return andMore(n, "%s is over", first), at
}

// overruns counts what is over its budget, and was in the base or not, and gives
// the variant and the place of the first.
func overruns(d *review.Difference, before bool) (n int, first string, at diag.Span) {
	met := map[review.Overrun]bool{} // a limit of the head's stands where the policy's does
	for _, o := range d.Over {
		if o.Warn || o.Before != before || met[o] {
			continue
		}
		met[o] = true
		n, first = n+1, cmp.Or(first, o.Variant.Name)
		if !at.Known() {
			at = o.At
		}
	}
	return n, first, at
}

// weakened counts what is weaker than the policy: edits that say so, and what no
// limit is left for. A manifest that moved has no limits to compare with. Where
// the head's policy counts alone nothing is weaker.
func weakened(d *review.Difference, _ diag.List) (string, diag.Span) {
	n, first := 0, ""
	var at diag.Span
	if d.Base.Moved != "" {
		return "nothing is compared with " + d.Base.Moved + ", which is gone", at
	}
	if d.Policy.Result == nil {
		return "", at
	}
	for _, e := range d.Edits {
		what := ""
		switch e.Kind {
		case review.PolicyWeakened:
			what = e.Name + " of " + PromptOf(e)
		case review.PromptRemoved:
			what = "removed " + PromptOf(e)
		case review.VariantsRemoved, review.ValueRemoved, review.AxisRemoved:
			if !slices.ContainsFunc(e.Reach, func(r review.Reach) bool { return r.OfBase && r.In.Len() > 0 }) {
				continue
			}
			what = "removed variants of " + PromptOf(e)
		default:
			continue
		}
		n, first = n+1, cmp.Or(first, what)
		if !at.Known() && !e.InBase {
			at = e.At
		}
	}
	return andMore(n, "%s", first), at
}

// andMore names the first of n things, and counts the others; "" for none.
func andMore(n int, format, first string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(format, first)
	default:
		return fmt.Sprintf(format, first) + ", and " + words.Number(n-1) + " more"
	}
}

func drifted(d *review.Difference, _ diag.List) (string, diag.Span) {
	if d.Head.Result == nil || d.Head.Result.Delta == nil || !d.Head.Result.Delta.Drifted() {
		return "", diag.Span{}
	}
	return "snapshots are out of date (run: promptc build)", diag.Span{}
}

// uncovered names the files that no prompt takes.
func uncovered(_ *review.Difference, findings diag.List) (string, diag.Span) {
	n, first := 0, ""
	var at diag.Span
	for _, d := range findings {
		if d.Code != diag.NotAdopted {
			continue
		}
		if n == 0 {
			first, at = d.Span.File.Path, d.Span
		}
		n += 1 + len(d.Also)
	}
	return andMore(n, "no prompt takes %s", first), at
}

// stale counts the prompts to render or record again.
func stale(d *review.Difference, _ diag.List) (string, diag.Span) {
	if len(d.Stale) == 0 {
		return "", diag.Span{}
	}
	first := d.Stale[0]
	does := "render %s again"
	if first.Recorded() {
		does = "record %s again"
	}
	return andMore(len(d.Stale), does, first.Pair.ID), first.At
}

// toolsThat names the tools that came, went or changed, and of those that changed
// the ones with a place that counts.
func toolsThat(kind review.EditKind, counts func(review.Leaf) bool) func(*review.Difference, diag.List) (string, diag.Span) {
	return func(d *review.Difference, _ diag.List) (string, diag.Span) {
		n, first := 0, ""
		var at diag.Span
		for _, e := range d.Edits {
			if e.Kind != kind || counts != nil && !slices.ContainsFunc(e.Leaves, counts) {
				continue
			}
			n, first = n+max(1, len(e.Tools)), cmp.Or(first, e.Tool+" of "+PromptOf(e))
			if !at.Known() && !e.InBase {
				at = e.At
			}
		}
		return andMore(n, "%s", first), at
	}
}

// safeHints are the hints of the protocol by which a tool says that it is harmless,
// with the value that says so, in JSON. Without a hint the other value counts.
var safeHints = map[string]string{"readOnlyHint": "true", "destructiveHint": "false", "openWorldHint": "false"}

// weakensHint reports whether a place of a tool's definition was a hint that it is
// harmless, and is no more.
func weakensHint(l review.Leaf) bool {
	before, after := hintsIn(l.Steps, l.From), hintsIn(l.Steps, l.To)
	for name, safe := range safeHints {
		if before[name] == safe && after[name] != safe {
			return true
		}
	}
	return false
}

// hintsIn gives the hints that a value at a place holds, each in JSON.
func hintsIn(steps []ground.PathStep, value string) map[string]string {
	out := map[string]string{}
	switch {
	case len(steps) == 0 || steps[0].Key != leaf.Annotations || value == "":
	case len(steps) == 2:
		out[steps[1].Key] = value
	case len(steps) == 1:
		var all map[string]json.RawMessage
		if json.Unmarshal([]byte(value), &all) != nil {
			return out // not an object: it has no hints
		}
		for name, hint := range all {
			out[name] = string(hint)
		}
	}
	return out
}

func lostPrefix(d *review.Difference, _ diag.List) (string, diag.Span) {
	n, first := 0, ""
	var at diag.Span
	for _, e := range d.Edits {
		if e.Kind != review.CacheChanged || !e.Shorter {
			continue
		}
		n, first = n+1, cmp.Or(first, PromptOf(e))
		if !at.Known() && !e.InBase {
			at = e.At
		}
	}
	return andMore(n, "the stable prefix of %s shrinks", first), at
}

// weighed gives the findings about a difference at the level at which they
// count: they fail nothing where `--fail-on` does not name what they are about,
// and a run that passes has no errors.
func weighed(findings diag.List, judged Verdict) diag.List {
	if judged.Status == finding.Invalid {
		return findings // those of a side
	}
	out := slices.Clone(findings)
	for i, f := range out {
		word := wordOf(f.Code)
		fails := slices.ContainsFunc(judged.Failures, func(f Failure) bool { return f.Word == word })
		if f.Level == diag.Error && !fails {
			out[i] = f.WithDetail(diag.Say("it-fails-with", word))
			out[i].Level = diag.Warning
		}
	}
	return out
}

// wordOf gives the word of `--fail-on` for findings of a code: what a check
// finds is said where the change lowers it.
func wordOf(code diag.Code) string {
	switch code {
	case diag.GrowthExceeded:
		return growthWord
	case diag.OverPolicy:
		return budgetWord
	case diag.NotAdopted:
		return uncoveredWord
	default:
		return policyWord
	}
}

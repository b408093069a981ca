package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The verdicts on a difference. It is also Invalid, where a side stopped
// before anything was composed, and there is nothing to compare.
const (
	// Failed: something holds that `--fail-on` names.
	Failed Verdict = "failed"
	// Differs: something changed, and that is all.
	Differs Verdict = "changed"
	// Same: nothing changed that any variant says, nor anything declared.
	Same Verdict = "unchanged"
)

// DiffVerdict says whether a difference fails.
type DiffVerdict struct {
	Status Verdict // Invalid, Failed, Differs or Same
	// Failures are what holds of the words of `--fail-on`, in their order.
	Failures []Failure
}

// Fails reports whether the exit status is 1.
func (v DiffVerdict) Fails() bool { return v.Status == Invalid || v.Status == Failed }

// Failure is one word of `--fail-on` that holds, and why.
type Failure struct{ Word, Why string }

// failOn is one word of `--fail-on`.
type failOn struct {
	word, help string
	// why says what holds of it, in a few words; "" where it does not hold.
	why func(d *prompt.Difference, findings diag.List) string
}

// failOns is the table of the words, in the order in which they are listed.
func failOns() []failOn {
	return []failOn{
		{"growth", "a variant or a section grew by more than its budget lets it grow", grown},
		{"budget", "a variant or a section is over its budget in the head", over},
		{"drift", "the snapshots of the head are out of date", stale},
		{"tool-removed", "a variant lost a tool", lostTools},
		{"cache-prefix", "less of a request stays the same from one to the next", lostPrefix},
	}
}

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

// JudgeDiff gives the verdict on a difference and the findings about it. Words
// that are none of FailOns hold never.
func JudgeDiff(d *prompt.Difference, findings diag.List, words []string) DiffVerdict {
	v := DiffVerdict{Status: Same}
	for _, f := range failOns() {
		if !slices.Contains(words, f.word) {
			continue
		}
		if why := f.why(d, findings); why != "" {
			v.Failures = append(v.Failures, Failure{f.word, why})
		}
	}
	_, stopped := stoppedSide(d)
	switch {
	case stopped:
		v.Status = Invalid
	case len(v.Failures) > 0:
		v.Status = Failed
	case len(d.Edits) > 0 || differ(d.Pairs):
		v.Status = Differs
	}
	return v
}

// stoppedSide gives the side that does not compile, the head first.
func stoppedSide(d *prompt.Difference) (prompt.Side, bool) {
	for _, side := range []prompt.Side{d.Head, d.Base} {
		if side.Result != nil && side.Result.Stopped {
			return side, true
		}
	}
	return prompt.Side{}, false
}

// differ reports whether any variant sends other bytes, or is no more.
func differ(pairs []*prompt.Pair) bool {
	return slices.ContainsFunc(pairs, func(p *prompt.Pair) bool { return p.Affected.Len() > 0 || p.Gone.Len() > 0 })
}

// grown counts the limits on growth that are exceeded. What a manifest asks
// only to be warned of does not fail.
func grown(_ *prompt.Difference, findings diag.List) string {
	n := 0
	for _, f := range findings {
		if f.Code == diag.GrowthExceeded && f.Level == diag.Error {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return count(n, "growth limit") + " exceeded"
}

// over counts what is over its budget in the prompts that are compared. What a
// manifest asks only to be warned of does not fail.
func over(d *prompt.Difference, _ diag.List) string {
	if d.Head.Result == nil {
		return ""
	}
	names := map[string]bool{}
	for _, p := range d.Pairs {
		if p.Head == nil {
			continue
		}
		for _, v := range p.Head.Variants {
			names[v.Name] = true
		}
	}
	n, first := 0, ""
	for _, f := range d.Head.Result.Findings {
		if f.Level != diag.Error || !slices.Contains(overBudget, f.Code) {
			continue
		}
		if name := quoted(f.Message, names); name != "" {
			n, first = n+1, firstOf(first, name)
		}
	}
	return andMore(n, "%s is over", first)
}

// quoted gives the first of some names that a message has in quotes.
func quoted(message string, names map[string]bool) string {
	for i, part := range strings.Split(message, `"`) {
		if i%2 == 1 && names[part] {
			return part
		}
	}
	return ""
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// andMore names the first of n things, and counts the others; "" for none.
func andMore(n int, format, first string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(format, first)
	default:
		return fmt.Sprintf(format, first) + ", and " + number(n-1) + " more"
	}
}

func stale(d *prompt.Difference, _ diag.List) string {
	if d.Head.Result == nil || d.Head.Result.Delta == nil || !d.Head.Result.Delta.Drifted() {
		return ""
	}
	return "snapshots are out of date (run: promptc build)"
}

func lostTools(d *prompt.Difference, _ diag.List) string {
	n, first := 0, ""
	for _, e := range d.Edits {
		if e.Kind == prompt.ToolRemoved {
			n, first = n+1, firstOf(first, e.Tool+" of "+promptOf(e))
		}
	}
	return andMore(n, "%s", first)
}

func lostPrefix(d *prompt.Difference, _ diag.List) string {
	n, first := 0, ""
	for _, e := range d.Edits {
		if e.Kind == prompt.CacheChanged && e.Shorter {
			n, first = n+1, firstOf(first, promptOf(e))
		}
	}
	return andMore(n, "the stable prefix of %s shrinks", first)
}

// promptOf gives the id of the first prompt that an edit reaches.
func promptOf(e *prompt.Edit) string {
	if len(e.Reach) == 0 {
		return ""
	}
	return e.Reach[0].Pair.ID
}

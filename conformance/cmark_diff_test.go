package conformance_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report"
)

func TestNothingInTheReportOfADifferenceIsActive(t *testing.T) {
	t.Parallel()
	need(t, renderer)
	for i := range reports() {
		rng := rand.New(rand.NewPCG(2, uint64(i)))
		d := hostileDifference(rng)
		findings := hostileFindings(rng)
		var b strings.Builder
		opt := report.Options{Base: pick(rng, "", hostile(rng)), Ref: pick(rng, "", hostile(rng))}
		if err := report.DiffMarkdown(&b, d, findings, report.JudgeDiff(d, findings, report.FailOns()), opt); err != nil {
			t.Fatal(err)
		}
		if !inspected(t, i, b.String()) {
			return
		}
	}
}

// hostileDifference makes what a comparison could have found.
func hostileDifference(rng *rand.Rand) *prompt.Difference {
	d := &prompt.Difference{Base: hostileSide(rng), Head: hostileSide(rng)}
	for range 1 + rng.IntN(3) {
		pair := &prompt.Pair{ID: hostile(rng), Base: hostileBuild(rng), Head: hostileBuild(rng)}
		for range pair.Head.Variants {
			pair.Was = append(pair.Was, rng.IntN(len(pair.Base.Variants)))
		}
		pair.Affected, pair.Gone = hostileSet(rng, len(pair.Head.Variants)), hostileSet(rng, len(pair.Base.Variants))
		d.Pairs = append(d.Pairs, pair)
		for i, v := range pair.Head.Variants {
			for _, side := range []prompt.Side{d.Base, d.Head} {
				if side.Result != nil {
					side.Result.Artifacts = append(side.Result.Artifacts, &prompt.Artifact{Build: pair.Head, Variant: v, Use: 9 * i})
				}
			}
		}
	}
	for range rng.IntN(10) {
		d.Edits = append(d.Edits, hostileEdit(rng, d))
	}
	for range rng.IntN(4) {
		d.Idle = append(d.Idle, prompt.Idle{Path: hostile(rng), Added: rng.IntN(2) == 0, At: hostileSpan(rng)})
	}
	return d
}

func hostileSide(rng *rand.Rand) prompt.Side {
	side := prompt.Side{Name: hostile(rng)}
	if rng.IntN(8) > 0 {
		side.Result = &prompt.Result{Plan: &prompt.Plan{}, Delta: &prompt.Delta{}, Stopped: rng.IntN(10) == 0}
	}
	return side
}

func hostileEdit(rng *rand.Rand, d *prompt.Difference) *prompt.Edit {
	e := &prompt.Edit{
		Kind: pick(rng, prompt.EditKinds()...), Section: hostile(rng), Item: pick(rng, "", hostile(rng)), Tool: pick(rng, "", hostile(rng)),
		Name: hostile(rng), From: pick(rng, "", hostile(rng), hostileText(rng)), To: pick(rng, "", hostile(rng), hostileText(rng)),
		Was: hostileValue(rng), Is: hostileValue(rng), Names: []string{hostile(rng), hostile(rng)}[:rng.IntN(3)],
		At: hostileSpan(rng), InBase: rng.IntN(2) == 0, Over: rng.IntN(2) == 0, Shorter: rng.IntN(2) == 0,
	}
	for range rng.IntN(3) {
		h := prompt.Hunk{Heading: pick(rng, "", hostile(rng)), Line: rng.IntN(100)}
		for line := range strings.SplitSeq(hostileText(rng), "\n") {
			h.Lines = append(h.Lines, prompt.HunkLine{Sign: pick[byte](rng, '-', '+', ' '), Text: line, Open: rng.IntN(9) == 0})
		}
		e.Hunks = append(e.Hunks, h)
		e.Leaves = append(e.Leaves, prompt.Leaf{Steps: []prompt.PathStep{{Key: hostile(rng)}, {Key: hostile(rng), Element: rng.IntN(2) == 0}}, From: pick(rng, "", hostileText(rng)), To: hostile(rng)})
	}
	for range 1 + rng.IntN(3) {
		e.Reach = append(e.Reach, hostileReach(rng, pick(rng, d.Pairs...)))
	}
	return e
}

// hostileValue gives a side of a change, of any type.
func hostileValue(rng *rand.Rand) prompt.Value {
	return pick[prompt.Value](rng, nil, prompt.Amount(rng.IntN(100)), prompt.Share(rng.Float64()), prompt.OnlyWarns(true),
		prompt.Declared{MaxTokens: rng.IntN(9), Example: hostileText(rng)}, prompt.SectionOut{Reason: prompt.OutNeeds, Why: hostile(rng)}, prompt.Places(rng.IntN(9)),
		prompt.Files{{Path: hostile(rng)}, {Path: hostile(rng)}}, prompt.CountedBy{Base: hostile(rng), Factor: rng.Float64()},
		prompt.CheckLevel{Code: "PC1001", Level: hostile(rng)}, prompt.RenderedAt{Path: hostile(rng), Entry: hostile(rng)}, prompt.CharLimit{Chars: rng.IntN(9), Cut: true})
}

func hostileReach(rng *rand.Rand, pair *prompt.Pair) prompt.Reach {
	r := prompt.Reach{Pair: pair, OfBase: rng.IntN(4) == 0, Tokens: map[int]int{}}
	size := len(pair.Head.Variants)
	if r.OfBase {
		size = len(pair.Base.Variants)
	}
	r.In = hostileSet(rng, size)
	for i := range size {
		if r.In.Has(i) {
			r.Tokens[i] = rng.IntN(2000) - 1000
		}
	}
	for range rng.IntN(3) {
		cause := pick(rng, prompt.CauseWhen, prompt.CauseNeeds, prompt.CauseFile, prompt.CauseForm, prompt.CauseUnnamed, prompt.CauseOther)
		r.Missed = append(r.Missed, prompt.Missed{Cause: cause, Why: pick(rng, "", hostile(rng)), More: []string{hostile(rng), hostile(rng)}[:rng.IntN(3)], Set: hostileSet(rng, size)})
	}
	return r
}

package conformance_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/store"
)

func TestNothingInTheReportOfADifferenceIsActive(t *testing.T) {
	t.Parallel()
	need(t, renderer)
	for i := range reports() {
		rng := rand.New(rand.NewPCG(2, uint64(i)))
		d := hostileDifference(rng)
		findings := hostileFindings(rng)
		var b strings.Builder
		opt := words.Options{Base: pick(rng, "", hostile(rng)), Ref: pick(rng, "", hostile(rng))}
		if err := change.Markdown(&b, d, findings, change.Judge(d, findings, change.FailOns()), opt); err != nil {
			t.Fatal(err)
		}
		if !inspected(t, i, b.String()) {
			return
		}
	}
}

// hostileDifference makes what a comparison could have found.
func hostileDifference(rng *rand.Rand) *review.Difference {
	d := &review.Difference{Base: hostileSide(rng), Head: hostileSide(rng)}
	for range 1 + rng.IntN(3) {
		pair := &review.Pair{ID: hostile(rng), Base: hostileBuild(rng), Head: hostileBuild(rng)}
		for range pair.Head.Variants {
			pair.Was = append(pair.Was, rng.IntN(len(pair.Base.Variants)))
		}
		pair.Affected, pair.Gone = hostileSet(rng, len(pair.Head.Variants)), hostileSet(rng, len(pair.Base.Variants))
		d.Pairs = append(d.Pairs, pair)
		for i, v := range pair.Head.Variants {
			for _, side := range []review.Side{d.Base, d.Head} {
				if side.Result != nil {
					side.Result.Artifacts = append(side.Result.Artifacts, &assembly.Artifact{Build: pair.Head, Variant: v, Use: 9 * i})
				}
			}
		}
	}
	for range rng.IntN(10) {
		d.Edits = append(d.Edits, hostileEdit(rng, d))
	}
	for range rng.IntN(4) {
		d.Idle = append(d.Idle, review.Idle{Path: hostile(rng), Added: rng.IntN(2) == 0, At: hostileSpan(rng)})
	}
	return d
}

func hostileSide(rng *rand.Rand) review.Side {
	side := review.Side{Name: hostile(rng)}
	if rng.IntN(8) > 0 {
		side.Result = &prompt.Result{Plan: &assembly.Plan{}, Delta: &store.Delta{}, Stopped: rng.IntN(10) == 0}
	}
	return side
}

func hostileEdit(rng *rand.Rand, d *review.Difference) *review.Edit {
	e := &review.Edit{
		Kind: pick(rng, review.EditKinds()...), Section: hostile(rng), Item: pick(rng, "", hostile(rng)), Tool: pick(rng, "", hostile(rng)),
		Name: hostile(rng), From: pick(rng, "", hostile(rng), hostileText(rng)), To: pick(rng, "", hostile(rng), hostileText(rng)),
		Was: hostileValue(rng), Is: hostileValue(rng), Names: []string{hostile(rng), hostile(rng)}[:rng.IntN(3)],
		At: hostileSpan(rng), InBase: rng.IntN(2) == 0, Over: rng.IntN(2) == 0, Shorter: rng.IntN(2) == 0,
	}
	for range rng.IntN(3) {
		h := review.Hunk{Heading: pick(rng, "", hostile(rng)), Line: rng.IntN(100)}
		for line := range strings.SplitSeq(hostileText(rng), "\n") {
			h.Lines = append(h.Lines, review.HunkLine{Sign: pick[byte](rng, '-', '+', ' '), Text: line, Open: rng.IntN(9) == 0})
		}
		e.Hunks = append(e.Hunks, h)
		e.Leaves = append(e.Leaves, review.Leaf{Steps: []ground.PathStep{{Key: hostile(rng)}, {Key: hostile(rng), Element: rng.IntN(2) == 0}}, From: pick(rng, "", hostileText(rng)), To: hostile(rng)})
	}
	for range 1 + rng.IntN(3) {
		e.Reach = append(e.Reach, hostileReach(rng, pick(rng, d.Pairs...)))
	}
	return e
}

// hostileValue gives a side of a change, of any type.
func hostileValue(rng *rand.Rand) review.Value {
	return pick[review.Value](rng, nil, review.Amount(rng.IntN(100)), review.Share(rng.Float64()), review.OnlyWarns(true),
		review.Declared{MaxTokens: rng.IntN(9), Example: hostileText(rng)}, review.SectionOut{Reason: assembly.OutNeeds, Why: hostile(rng)}, review.Places(rng.IntN(9)),
		review.Files{{Path: hostile(rng)}, {Path: hostile(rng)}}, review.CountedBy{Base: hostile(rng), Factor: rng.Float64()},
		review.CheckLevel{Code: "PC1001", Level: hostile(rng)}, review.RenderedAt{Path: hostile(rng), Entry: hostile(rng)}, review.CharLimit{Chars: rng.IntN(9), Cut: true})
}

func hostileReach(rng *rand.Rand, pair *review.Pair) review.Reach {
	r := review.Reach{Pair: pair, OfBase: rng.IntN(4) == 0, Tokens: map[int]int{}}
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
		cause := pick(rng, review.CauseWhen, review.CauseNeeds, review.CauseFile, review.CauseForm, review.CauseUnnamed, review.CauseOther)
		r.Missed = append(r.Missed, review.Missed{Cause: cause, Why: pick(rng, "", hostile(rng)), More: []string{hostile(rng), hostile(rng)}[:rng.IntN(3)], Set: hostileSet(rng, size)})
	}
	return r
}

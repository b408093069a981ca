package resolve

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestPointsAreThoseOfTheWrittenRule compares with every point tried against
// every clause.
func TestPointsAreThoseOfTheWrittenRule(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	excluded := 0
	for range 2_000 {
		p := &language.Prompt{}
		for i := range 1 + random.IntN(4) {
			axis := &language.Axis{Name: ground.Word{Str: "a" + strconv.Itoa(i)}}
			for v := range 1 + random.IntN(4) {
				axis.Values = append(axis.Values, ground.Word{Str: strconv.Itoa(v)})
			}
			p.Axes = append(p.Axes, axis)
		}
		for range random.IntN(3) * random.IntN(60) {
			var clause language.Clause
			for _, axis := range p.Axes {
				if random.IntN(3) == 0 {
					continue
				}
				term := language.Term{Axis: axis.Name, Not: random.IntN(3) == 0}
				for range 1 + random.IntN(3) {
					term.Values = append(term.Values, axis.Values[random.IntN(len(axis.Values))])
				}
				clause = append(clause, term)
			}
			p.Exclude = append(p.Exclude, clause)
		}
		s, ok := (&binder{}).scopeOf(p)
		if !ok {
			t.Fatal("no scope")
		}
		var got [][]int
		for point := range s.points() {
			got = append(got, slices.Clone(point))
		}
		want, all := byRule(p, s)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%+v (-want +got):\n%s", p.Exclude, diff)
		}
		excluded += all - len(want)
	}
	if excluded < 1_000 {
		t.Errorf("%d points were excluded", excluded)
	}
}

// byRule gives the points that no clause excludes, and the number of all.
func byRule(p *language.Prompt, s *scope) (points [][]int, all int) {
	point := make([]int, len(s.axes))
	meets := func(c language.Clause) bool {
		return !slices.ContainsFunc(c, func(term language.Term) bool {
			axis := slices.Index(s.axes, term.Axis.Str)
			return slices.Contains(ground.Strings(term.Values), s.values[axis][point[axis]]) == term.Not
		})
	}
	for {
		if all++; !slices.ContainsFunc(p.Exclude, meets) {
			points = append(points, slices.Clone(point))
		}
		axis := len(point) - 1
		for ; axis >= 0; axis-- {
			if point[axis]++; point[axis] < len(s.values[axis]) {
				break
			}
			point[axis] = 0
		}
		if axis < 0 {
			return points, all
		}
	}
}

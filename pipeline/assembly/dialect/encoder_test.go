package dialect_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

func TestAnEncoderWritesEachArtifactAsOneAloneDoes(t *testing.T) {
	shared, r := dialect.NewEncoder(), rand.New(rand.NewPCG(3, 4))
	sets := [][]*language.Tool{nil, {exec()}, {ping()}, {exec(), ping()}, {ping(), exec()}}
	for range 100 {
		for _, d := range ground.Dialects {
			a := randomTalk(t, r, d.Name)
			a.Beside = sets[r.IntN(len(sets))]
			if diff := cmp.Diff(dialect.Encode(a).Text(), shared.Encode(a).Text()); diff != "" {
				t.Fatalf("%s: %s", d.Name, diff)
			}
			if diff := cmp.Diff(dialect.Tools(&d, a.Beside), shared.Tools(&d, a.Beside)); diff != "" {
				t.Fatalf("tools of %s: %s", d.Name, diff)
			}
		}
	}
}

func TestBodiesShareWhatTheyBothSay(t *testing.T) {
	const common = "A \"long\" text.\n"
	tools := []*language.Tool{exec(), ping()}
	for _, d := range ground.Dialects {
		e := dialect.NewEncoder()
		var held [2][]*byte
		for i, own := range []string{"one", "two"} {
			a := compose(t, d.Name, true, says(language.RoleUser, common, own))
			a.Beside = tools
			for _, part := range e.Encode(a).Parts {
				if len(part) >= len(common) {
					held[i] = append(held[i], unsafe.StringData(part))
				}
			}
		}
		shared := 0
		for _, at := range held[0] {
			if slices.Contains(held[1], at) {
				shared++
			}
		}
		if want := map[bool]int{false: 1, true: 2}[d.JSON]; shared != want {
			t.Errorf("%s: %d parts are shared, want %d", d.Name, shared, want)
		}
	}
}

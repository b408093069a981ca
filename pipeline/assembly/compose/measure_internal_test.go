package compose

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestTheWalkMeasuresWhatWouldBeEmitted compares what the walk measures, step by
// step, with the same choice emitted as a whole.
func TestTheWalkMeasuresWhatWouldBeEmitted(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
	words := []string{"a", "Some words", "don't", "x\n", "\n\n", " y", "日本", "1", "...", "'s", " ", "ein Satz.\n", strings.Repeat("x", 300)}
	for _, name := range []string{"o200k_base", "cl100k_base", "chars/4"} {
		count, err := token.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(1_500) {
			random := rand.New(rand.NewPCG(seed, 5))
			d := randomDraft(random, count, words)
			walk, _ := d.candidates()
			r := rules{stickyFirst: random.IntN(2) == 0}
			var in, left []candidate
			for _, c := range walk {
				if c.sticky {
					in = append(in, c)
				} else {
					left = append(left, c)
				}
			}
			m := d.measuring(walk, r.stickyFirst)
			same := func(what string, got trial, in, left []candidate) {
				t.Helper()
				slices.SortFunc(left, byPhase)
				if diff := cmp.Diff(d.emitted(r.arrange(in), left), got, cmp.AllowUnexported(trial{})); diff != "" {
					t.Fatalf("%s, seed %d, %s (-want +got):\n%s", name, seed, what, diff)
				}
			}
			same("start", m.now(), in, slices.Clone(left))
			for _, c := range walk {
				if c.sticky {
					m.keep(c)
					continue
				}
				without := slices.DeleteFunc(slices.Clone(left), func(o candidate) bool { return o.section == c.section })
				same("with "+c.id, m.with(c), append(slices.Clone(in), c), without)
				if random.IntN(2) == 0 {
					m.keep(c)
					in, left = append(in, c), without
				} else {
					m.leave(c)
				}
				same("after "+c.id, m.now(), in, slices.Clone(left))
			}
		}
	}
}

// emitted measures a choice by emitting it.
func (d *draft) emitted(arranged, left []candidate) trial {
	order := make([]int, len(arranged))
	for i, c := range arranged {
		order[i] = c.section
	}
	bare := d.assemble(order, "")
	d.measure(bare)
	with := bare
	if line := d.notice(left); line != "" {
		with = d.assemble(order, line)
		d.measure(with)
	}
	l := d.variant.Budget
	return trial{use: bare.Use, chars: bare.Chars, left: room(l.Tokens, with.Use), charsLeft: room(l.Chars, with.Chars)}
}

func randomDraft(random *rand.Rand, count *token.Counter, words []string) *draft {
	text, _ := ground.LookupDialect(ground.TextDialect)
	if random.IntN(3) == 0 {
		text, _ = ground.LookupDialect("openai-chat")
	}
	v := &assembly.Variant{
		Name: "p", Join: ground.Literal([]string{"\n\n", "", " "}[random.IntN(3)]), Dialect: text, Exact: random.IntN(4) == 0,
		Layout: assembly.PhaseRules{On: true, Order: assembly.Phases(), Notice: random.IntN(2) == 0},
		Budget: language.Limits{Tokens: 50, Chars: 300},
	}
	own := ground.Literal(words[random.IntN(len(words))])
	p := &language.Prompt{ID: ground.Word{Str: "p"}}
	var renderings []*assembly.Rendering
	for i := range random.IntN(9) {
		said := ""
		for range 1 + random.IntN(4) {
			said += words[random.IntN(len(words))]
		}
		r := &assembly.Rendering{Unit: &assembly.Unit{}, Text: ground.Literal(said)}
		if random.IntN(4) == 0 {
			r.Slots = []assembly.SlotAt{{Slot: &language.Slot{MaxTokens: 7}}}
		}
		use := assembly.Use{Unit: i, Place: assembly.PhasePlace{
			Phase: random.IntN(6), Priority: float64(random.IntN(3)), Weight: 1, Sticky: random.IntN(3) == 0,
		}}
		if random.IntN(4) == 0 {
			use.Join = &own
		}
		p.Sections = append(p.Sections, &language.Section{ID: ground.Word{Str: fmt.Sprintf("s%d", i)}})
		v.Uses, renderings = append(v.Uses, use), append(renderings, r)
	}
	b := &assembly.Build{Prompt: p, Variants: []*assembly.Variant{v}}
	return &draft{composer: newComposer(renderings), build: b, variant: v, count: count, steps: make([]int, len(v.Uses)), notices: v.Layout.Notice}
}

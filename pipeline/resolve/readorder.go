package resolve

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// noteOrder says where the tiers take the history out of its order: the model
// reads what a tier has before what the next has, and that before what is in
// none. One note stands for all.
func (b *binder) noteOrder(fx *fixture, d *prompt.Dialogue) {
	if fx.misled {
		return // its keys are to be repaired first
	}
	var read []int
	for i := range d.Tiers {
		read = append(read, d.Tiers[i].History...)
	}
	read = append(read, d.Active...)
	least := make([]int, len(read)) // the first message of those behind
	for i := len(read) - 2; i >= 0; i-- {
		least[i] = read[i+1]
		if i < len(read)-2 {
			least[i] = min(least[i], least[i+1])
		}
	}
	for i := range max(0, len(read)-1) {
		early, late := read[i], least[i]
		if early < late {
			continue
		}
		// What is in no tier comes last, ascending: a tier has the early one.
		key := fx.claims[claim{kind: prompt.KeyHistory, n: early}].word
		where := diag.Say("in-no-tier")
		if h, held := fx.claims[claim{kind: prompt.KeyHistory, n: late}]; held {
			where = diag.Say("in-tier", h.tier)
		}
		b.diags = append(b.diags, diag.New(diag.HistoryOrder, key.At, "message-read-too-early", early, late, where).
			WithHint("l0-l3-read-after", late))
		return
	}
}

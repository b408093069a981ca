package output_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// kinds has edits of every kind, with the line that they come to.
func kinds(r *reviewed) []struct {
	edit  review.Edit
	reach review.Reach
	want  string
} {
	all, one := r.reach(0, 1, 2, 3, 4), r.reach(4)
	gone := r.was(0, 1)
	shrinks := r.sized(map[int]int{0: 2114, 1: 2114})
	grows := r.sized(map[int]int{0: -20, 1: -1})
	mixed := r.sized(map[int]int{0: -20, 1: 1})
	loses := r.sized(map[int]int{0: -152, 1: -140})
	return []struct {
		edit  review.Edit
		reach review.Reach
		want  string
	}{
		{review.Edit{Kind: review.PromptAdded}, all, "1  persona  prompt added"},
		{review.Edit{Kind: review.PromptRemoved}, gone, "1  persona  prompt removed"},
		{review.Edit{Kind: review.AxisAdded, Name: "mode", To: "plan, act"}, all, "1  persona  axis mode added: plan, act"},
		{review.Edit{Kind: review.AxisRemoved, Name: "mode", From: "plan, act"}, all, "1  persona  axis mode removed: plan, act"},
		{review.Edit{Kind: review.ValueAdded, Name: "entry", To: "tiny"}, one, "1  persona  value entry=tiny added"},
		{review.Edit{Kind: review.ValueRemoved, Name: "entry", From: "tiny"}, gone, "1  persona  value entry=tiny removed"},
		{review.Edit{Kind: review.VariantsAdded}, one, "1  persona  variants built now"},
		{review.Edit{Kind: review.VariantsRemoved}, gone, "1  persona  variants no longer built"},
		{review.Edit{Kind: review.SettingChanged, Name: "dialect", From: "text", To: "anthropic"}, all, "1  persona  dialect changed: text → anthropic"},
		{review.Edit{Kind: review.SettingChanged, Section: "soul", Name: "join", To: `"\n"`}, all, `1  persona  soul  join changed: none → "\n"`},
		{review.Edit{Kind: review.BudgetChanged, Name: "tokens", Was: review.Amount(4000), Is: review.Amount(5000)}, all, "1  persona  budget changed: tokens 4,000 → 5,000"},
		{review.Edit{Kind: review.BudgetChanged, Section: "soul", Name: "chars", Was: review.Amount(200)}, all, "1  persona  soul  budget changed: characters 200 → no limit"},
		{review.Edit{Kind: review.BudgetChanged, Name: "growth", Was: review.Share(0.05), Is: review.Share(0.1)}, all, "1  persona  budget changed: growth 5% → 10%"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "tool_tokens", Over: true}, one, "1  persona  over its budget in tool tokens now"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "tokens", Used: [2]review.Amounts{amountsOf(4120, 4120), amountsOf(3900, 3900)}, Limit: [2]review.Amounts{amountsOf(4000, 4000), amountsOf(4000, 4000)}}, one, "1  persona  within its budget in tokens again: 3,900 of 4,000 (was 4,120)"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "chars", Over: true, Used: [2]review.Amounts{amountsOf(1086, 1086), amountsOf(1086, 1086)}, Limit: [2]review.Amounts{amountsOf(1100, 1100), amountsOf(1080, 1080)}, Excess: amountsOf(6, 6)}, mixed, "1  persona  over its budget in characters now: 1,086 of 1,080, over by 6 (was 1,086 of 1,100)"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "tokens", Over: true, Used: [2]review.Amounts{amountsOf(370, 372), amountsOf(378, 1400)}, Limit: [2]review.Amounts{amountsOf(375, 375), amountsOf(375, 375)}, Excess: amountsOf(3, 1025)}, all, "1  persona  over its budget in tokens now: 378..1,400 of 375, over by 3..1,025 (was 370..372)"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "tokens", Used: [2]review.Amounts{amountsOf(86, 86), amountsOf(86, 86)}, Limit: [2]review.Amounts{amountsOf(80, 80), {}}}, one, "1  persona  within its budget in tokens again: 86 (was 86 of 80)"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "tokens", Over: true, Used: [2]review.Amounts{amountsOf(70, 70), amountsOf(86, 86)}, Limit: [2]review.Amounts{amountsOf(90, 90), amountsOf(80, 80)}, Excess: amountsOf(6, 6)}, one, "1  persona  over its budget in tokens now: 86 of 80, over by 6 (was 70 of 90)"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "tokens", Over: true, Used: [2]review.Amounts{amountsOf(70, 70), amountsOf(86, 86)}, Limit: [2]review.Amounts{{}, amountsOf(80, 80)}, Excess: amountsOf(6, 6)}, one, "1  persona  over its budget in tokens now: 86 of 80, over by 6 (was 70, no budget before)"},
		{review.Edit{Kind: review.BudgetCrossed, Name: "chars", Over: true, Used: [2]review.Amounts{amountsOf(86, 86), amountsOf(86, 86)}, Limit: [2]review.Amounts{{}, amountsOf(80, 80)}, Excess: amountsOf(6, 6)}, one, "1  persona  over its budget in characters now: 86 of 80, over by 6 (was 86, no budget before)"},
		{review.Edit{Kind: review.SlotChanged, Name: "clock", Was: review.Declared{MaxTokens: 24}, Is: review.Declared{MaxTokens: 40}}, all, "1  persona  slot clock changed: max_tokens 24 → 40"},
		{review.Edit{Kind: review.SlotChanged, Name: "clock", Was: review.Declared{MaxTokens: 24, Volatile: true}, Is: review.Declared{MaxTokens: 2}}, all, "1  persona  slot clock changed: max_tokens 24, volatile → max_tokens 2, not volatile"},
		{review.Edit{Kind: review.SlotChanged, Name: "clock", Is: review.Declared{MaxTokens: 24, Volatile: true}}, all, "1  persona  slot clock declared: max_tokens 24, volatile"},
		{review.Edit{Kind: review.SlotChanged, Name: "clock", Was: review.Declared{Volatile: true}}, all, "1  persona  slot clock no longer declared, was max_tokens 0, volatile"},
		{review.Edit{Kind: review.SectionAdded, Section: "soul"}, all, "1  persona  section soul added"},
		{review.Edit{Kind: review.SectionRemoved, Section: "soul"}, loses, "1  persona  section soul removed                 -152..-140 tokens"},
		{review.Edit{Kind: review.SectionKept, Section: "soul", Was: review.SectionOut{Reason: assembly.OutBudget}}, one, "1  persona  soul  included again, was left out: budget"},
		{review.Edit{Kind: review.SectionDropped, Section: "soul", Is: review.SectionOut{Reason: assembly.OutNeeds, Why: "memory_search"}}, one, "1  persona  soul  left out now: needs memory_search"},
		{review.Edit{Kind: review.SectionDropped, Section: "soul", Was: review.SectionOut{Reason: assembly.OutWhen}, Is: review.SectionOut{Reason: assembly.OutBudget}}, one, "1  persona  soul  left out for another reason: when → budget"},
		{review.Edit{Kind: review.FormChanged, Section: "tools", From: "native", To: "fallback"}, one, "1  persona  tools  form native → fallback"},
		{review.Edit{Kind: review.FileChanged, Section: "template", Was: review.Files{{Path: "a/tier3.txt", Origin: assembly.FromFallback}}, Is: review.Files{{Path: "a/tier2.txt"}}}, one, "1  persona  template  file a/tier3.txt (fallback) → a/tier2.txt"},
		{review.Edit{Kind: review.TextChanged, Section: "soul"}, mixed, "1  persona  soul  text changed                   -20..+1 tokens"},
		{review.Edit{Kind: review.TextChanged, Section: "skills", Item: "commit"}, one, "1  persona  skills commit  text changed"},
		{review.Edit{Kind: review.TextChanged, Item: "files/src/main.go"}, one, "1  persona  files/src/main.go  text changed"},
		{review.Edit{Kind: review.ItemAdded, Section: "skills", Item: "commit"}, one, "1  persona  skills  commit added"},
		{review.Edit{Kind: review.ItemRemoved, Item: "files/src/main.go"}, one, "1  persona  files/src/main.go removed"},
		{review.Edit{Kind: review.Moved, Section: "datetime", From: "1", To: "last"}, all, "1  persona  moved: datetime, 1 → last"},
		{review.Edit{Kind: review.Moved, Section: "rules", Item: "style", From: "1", To: "2"}, all, "1  persona  rules moved: style, 1 → 2"},
		{review.Edit{Kind: review.Moved, Tool: "exec", From: "2", To: "1"}, all, "1  persona  tools moved: exec, 2 → 1"},
		{review.Edit{Kind: review.ToolAdded, Tool: "exec"}, all, "1  persona  tool exec added"},
		{review.Edit{Kind: review.ToolRemoved, Tool: "exec"}, all, "1  persona  tool exec removed"},
		{review.Edit{Kind: review.ToolChanged, Tool: "exec"}, all, "1  persona  tool exec changed"},
		{
			review.Edit{Kind: review.CacheChanged, Shorter: true, From: "datetime", To: "soul"},
			shrinks,
			"1  persona  cache  the stable prefix shrinks\n  up to soul (was datetime), 2,114 tokens more are sent again with each request",
		},
		{
			review.Edit{Kind: review.CacheChanged, From: "datetime"},
			grows,
			"1  persona  cache  the stable prefix grows\n  nothing changes from request to request now (was up to datetime), 1..20 tokens fewer are sent again with each request",
		},
		{
			review.Edit{Kind: review.CacheChanged, To: "datetime"},
			mixed,
			"1  persona  cache  the stable prefix grows\n  up to datetime, -20..+1 tokens are sent again with each request",
		},
		{review.Edit{Kind: review.CacheChanged}, all, "1  persona  cache  the stable prefix grows"},
		{review.Edit{Kind: review.BytesChanged}, all, "1  persona  emitted bytes changed"},
		{review.Edit{Kind: review.PolicyWeakened, Name: "growth", Was: review.Share(0.05), Is: review.Share(9)}, all, "1  persona  policy weakened: growth 5% → 900%"},
		{review.Edit{Kind: review.PolicyWeakened, Section: "soul", Name: "tokens", Was: review.Amount(4000)}, all, "1  persona  soul  policy weakened: tokens 4,000 → no limit"},
		{review.Edit{Kind: review.PolicyWeakened, Name: "expect", From: "{tool: exec}"}, all, "1  persona  policy weakened: expect {tool: exec} → none"},
	}
}

func TestEveryKindOfEditReadsAsASentence(t *testing.T) {
	seen := map[review.EditKind]bool{}
	for _, c := range kinds(newReview()) {
		seen[c.edit.Kind] = true
		t.Run(c.edit.Kind.String(), func(t *testing.T) {
			r := newReview()
			c.reach.Pair = r.pair
			r.add(c.edit, c.reach)
			got := r.text(t, words.Options{})
			_, got, _ = strings.Cut(got, "\n\n")
			got, _, _ = strings.Cut(got, "\n  affects")
			got, _, _ = strings.Cut(got, "\n  applies to")
			equal(t, got, c.want)
		})
	}
	for _, k := range review.EditKinds() {
		if !seen[k] {
			t.Errorf("no edit of kind %q is tested", k)
		}
	}
}

func amountsOf(low, high int) review.Amounts {
	return review.Amounts{Low: low, High: high, Known: true}
}

package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/review"
)

// findingLines writes findings with their places.
func findingLines(found diag.List) []string {
	var out []string
	for _, d := range found {
		line, column := d.Span.File.Position(d.Span.Start)
		out = append(out, fmt.Sprintf("%s:%d:%d: %s[%s]: %s", d.Span.File.Path, line, column, d.Level, d.Code, wording.Message(d)))
	}
	return out
}

// essay is a project whose one prompt has texts of so many characters: four
// are a token.
func essay(budget, inner string, chars ...int) map[string]string {
	var b strings.Builder
	b.WriteString(`version: 1
tokenizer: chars/4
prompts:
  essay:
    axes: {size: [s, m, l]}
`)
	if budget != "" {
		b.WriteString("    budget: " + budget + "\n")
	}
	b.WriteString("    sections:\n      - id: a\n        path: \"{size}.md\"\n")
	if inner != "" {
		b.WriteString("        budget: " + inner + "\n")
	}
	files := map[string]string{"prompts.yaml": b.String()}
	for i, size := range []string{"s", "m", "l"} {
		files[size+".md"] = strings.Repeat("x", chars[i]-1) + "\n"
	}
	return files
}

func TestGrowthIsJudgedAgainstTheBase(t *testing.T) {
	tests := []struct {
		name          string
		budget, inner string // of the head
		oldBudget     string
		before, after []int // characters
		want          []string
	}{
		{name: "not limited", budget: "{tokens: 9000}", before: []int{400, 400, 400}, after: []int{4000, 400, 400}},
		{name: "just within", budget: "{growth: 5%, growth_tokens: 5}", before: []int{400, 400, 400}, after: []int{420, 420, 400}},
		{name: "shorter", budget: "{growth: 0%, growth_tokens: 0}", before: []int{400, 400, 400}, after: []int{396, 400, 4}},
		{
			name: "one token more than the share allows", budget: "{growth: 5%}", before: []int{1200, 1200, 400}, after: []int{1264, 1260, 400},
			want: []string{`prompts.yaml:6:22: error[PC8001]: prompt "essay" grew by more than 5 % in 1 of 3 variants (size=s), most in "essay/size=s": by 16 tokens, from 300 to 316 (5.3 %)`},
		},
		{
			name: "a share begins at twelve tokens", budget: "{growth: 5%}", before: []int{400, 40, 40}, after: []int{444, 84, 88},
			want: []string{`prompts.yaml:6:22: error[PC8001]: prompt "essay" grew by more than 5 % in 1 of 3 variants (size=l), most in "essay/size=l": by 12 tokens, from 10 to 22 (120.0 %)`},
		},
		{
			name: "each limit by itself", budget: "{growth: 5%, growth_tokens: 15}", before: []int{1000, 1000, 4000}, after: []int{1056, 1064, 4064},
			want: []string{
				`prompts.yaml:6:22: error[PC8001]: prompt "essay" grew by more than 5 % in 2 of 3 variants (size=s+m), most in "essay/size=m": by 16 tokens, from 250 to 266 (6.4 %)`,
				`prompts.yaml:6:41: error[PC8001]: prompt "essay" grew by more than 15 tokens in 2 of 3 variants (size=m+l), most in "essay/size=m": by 16 tokens, from 250 to 266 (6.4 %)`,
			},
		},
		{
			name: "no growth at all", budget: "{growth: 0%, growth_tokens: 0, over: warn}", before: []int{400, 400, 400}, after: []int{404, 400, 400},
			want: []string{
				`prompts.yaml:6:22: warning[PC8001]: prompt "essay" grew by more than 0 % in 1 of 3 variants (size=s), most in "essay/size=s": by 1 token, from 100 to 101 (1.0 %)`,
				`prompts.yaml:6:41: warning[PC8001]: prompt "essay" grew by more than 0 tokens in 1 of 3 variants (size=s), most in "essay/size=s": by 1 token, from 100 to 101 (1.0 %)`,
			},
		},
		{
			name: "a section", inner: "{growth: [{when: {size: s}, value: 1%}, {value: 90%}]}", before: []int{400, 400, 400}, after: []int{480, 480, 480},
			want: []string{`prompts.yaml:9:52: error[PC8001]: section "a" of prompt "essay" grew by more than 1 % in 1 of 3 variants (size=s), most in "essay/size=s": by 20 tokens, from 100 to 120 (20.0 %)`},
		},
		{
			name: "the head's limits count", oldBudget: "{growth: 1%}", budget: "{growth: 50%}", before: []int{400, 400, 400}, after: []int{480, 480, 480},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, head := essay(tt.oldBudget, "", tt.before...), essay(tt.budget, tt.inner, tt.after...)
			_, found := toolStates(t, base, head)
			if diff := cmp.Diff(tt.want, findingLines(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGrowthIsNotJudgedWithoutACounterpart(t *testing.T) {
	head := essay("{growth: 0%}", "{growth: 0%}", 400, 400, 800)
	base := essay("", "", 400, 400, 400)
	base["prompts.yaml"] = strings.Replace(base["prompts.yaml"], "[s, m, l]", "[s, m]", 1)
	if d, found := toolStates(t, base, head); len(found) > 0 {
		t.Errorf("findings: %v; edits: %v", findingLines(found), editLines(d))
	}
	base["prompts.yaml"] = strings.Replace(base["prompts.yaml"], "  essay:", "  another:", 1)
	if _, found := toolStates(t, base, head); len(found) > 0 {
		t.Errorf("findings: %v", findingLines(found))
	}
}

func TestAnotherTokenizerIsNoGrowth(t *testing.T) {
	base, head := essay("", "", 400, 400, 400), essay("{growth: 0%}", "{growth: 0%}", 400, 400, 400)
	base["prompts.yaml"] = strings.Replace(base["prompts.yaml"], "chars/4", "o200k_base", 1)
	if _, found := toolStates(t, base, head); len(found) > 0 {
		t.Errorf("findings: %v", findingLines(found))
	}
	double := "tokenizer: twice\ntokenizers: {twice: {base: chars/4, factor: %d, error: 0}}"
	base["prompts.yaml"] = strings.Replace(base["prompts.yaml"], "tokenizer: o200k_base", fmt.Sprintf(double, 2), 1)
	head["prompts.yaml"] = strings.Replace(head["prompts.yaml"], "tokenizer: chars/4", fmt.Sprintf(double, 3), 1)
	if _, found := toolStates(t, base, head); len(found) > 0 {
		t.Errorf("findings: %v", findingLines(found))
	}
}

// budgetLines gives the edits of budgets alone.
func budgetLines(d *review.Difference) []string {
	var out []string
	told := false
	for _, line := range editLines(d) {
		if !strings.HasPrefix(line, " ") {
			told = strings.HasPrefix(line, "budget-")
		}
		if told {
			out = append(out, line)
		}
	}
	return out
}

func TestBudgetsThatChangeAndAreCrossed(t *testing.T) {
	short := []int{400, 400, 400}
	tests := []struct {
		name                               string
		oldBudget, budget, oldInner, inner string
		before, after                      []int
		want                               []string
	}{
		{name: "nothing", oldBudget: "{tokens: 200}", budget: "{tokens: 200}", before: short, after: short},
		{
			name: "raised", oldBudget: "{tokens: 200, warn_at: 90%}", budget: "{tokens: 300, chars: 5000, warn_at: 95%}", before: short, after: short,
			want: []string{
				`budget-changed tokens "200" → "300" at prompts.yaml:6`, "  essay 3: all",
				`budget-changed chars "" → "5000" at prompts.yaml:6`, "  essay 3: all",
				`budget-changed warn_at "90%" → "95%" at prompts.yaml:6`, "  essay 3: all",
			},
		},
		{
			name: "limits of growth", oldBudget: "{growth: 5%, over: warn}", budget: "{growth: 7.5%, growth_tokens: 0}", before: short, after: short,
			want: []string{
				`budget-changed growth "5%" → "7.5%" at prompts.yaml:6`, "  essay 3: all",
				`budget-changed growth_tokens "" → "0" at prompts.yaml:6`, "  essay 3: all",
				`budget-changed over "warn" → "error" at prompts.yaml:6`, "  essay 3: all",
			},
		},
		{
			name: "taken away", oldBudget: "{tokens: 200}", before: short, after: short,
			want: []string{`budget-changed tokens "200" → "" at prompts.yaml:6 of the base`, "  essay 3: all"},
		},
		{
			name: "over now", oldBudget: "{tokens: 100, chars: 404}", budget: "{tokens: 100, chars: 404}", before: short, after: []int{404, 408, 400},
			want: []string{
				`budget-crossed tokens "100 of 100" → "101..102 of 100" over at prompts.yaml:6`, "  essay 2: size=s+m, +1..+2 tokens",
				`budget-crossed chars "400 of 404" → "408 of 404" over at prompts.yaml:6`, "  essay 1: size=m",
			},
		},
		{
			name: "within again", oldBudget: "{tokens: 99}", budget: "{tokens: 100}", before: []int{400, 300, 300}, after: []int{400, 300, 300},
			want: []string{
				`budget-changed tokens "99" → "100" at prompts.yaml:6`, "  essay 3: all",
				`budget-crossed tokens "100 of 99" → "100 of 100" at prompts.yaml:6`, "  essay 1: size=s, +0 tokens",
			},
		},
		{
			name: "a section", oldInner: "{tokens: 100}", inner: "{tokens: 100}", before: short, after: []int{400, 400, 440},
			want: []string{`budget-crossed a tokens "100 of 100" → "110 of 100" over at prompts.yaml:9`, "  essay 1: size=l, +10 tokens"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := toolStates(t, essay(tt.oldBudget, tt.oldInner, tt.before...), essay(tt.budget, tt.inner, tt.after...))
			if diff := cmp.Diff(tt.want, budgetLines(d)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			for _, e := range d.Edits {
				if (e.Kind == review.BudgetChanged || e.Kind == review.BudgetCrossed) && e.Event != "" {
					t.Errorf("a budget is an event: %s", e.Event)
				}
			}
		})
	}
}

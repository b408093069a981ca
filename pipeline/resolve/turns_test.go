package resolve_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHistoriesTakeTurns has a history by the roles' first letters, a line
// each from line 3 on, the keys of its tiers, and what is said of it.
func TestHistoriesTakeTurns(t *testing.T) {
	const all = "openai-chat openai-responses anthropic gemini"
	const refused = `which the dialects "openai-chat", "anthropic", "gemini" refuse`
	const (
		begin = "; begin with the user; a question and its answer belong to one tier"
		end   = "; end with the assistant, since the user speaks next; what is asked now is the prompt"
		join  = "; join the two, or put what was said between them into the same place"
		said  = "; say it in the system text, or as the user"
	)
	for _, test := range []struct {
		name, roles, tiers, dialects string
		want                         []string
	}{
		{name: "as it should be", roles: "uaua", tiers: `L2: ["history:0", "history:1"]`, dialects: all, want: []string{}},
		{name: "wrong from end to end", roles: "auu", dialects: all, want: []string{
			`3:12: error[PC3043]: the history outside the tiers begins with "assistant", ` + refused + begin,
			`5:12: error[PC3043]: the history outside the tiers ends with "user", ` + refused + end,
			`5:12: error[PC3043]: two messages of "user" follow each other in the history outside the tiers, ` + refused + join,
		}},
		{name: "a turn in two tiers", roles: "ua", tiers: `L1: ["history:0"], L2: ["history:1"]`, dialects: "anthropic", want: []string{
			`3:12: error[PC3043]: the history of tier L1 ends with "user", which the dialect "anthropic" refuses` + end,
			`4:12: error[PC3043]: the history of tier L2 begins with "assistant", which the dialect "anthropic" refuses` + begin,
		}},
		{name: "an answer that a tier took", roles: "uaua", tiers: `L1: ["history:0", "history:3"]`, dialects: "gemini", want: []string{
			`4:12: error[PC3043]: the history outside the tiers begins with "assistant", which the dialect "gemini" refuses` + begin,
			`5:12: error[PC3043]: the history outside the tiers ends with "user", which the dialect "gemini" refuses` + end,
		}},
		{name: "where any order is taken", roles: "u", dialects: "openai-responses", want: []string{
			`3:12: warning[PC3043]: the history outside the tiers ends with "user", which the dialect "openai-responses" advises against` + end,
		}},
		{name: "the system is not counted", roles: "usas", dialects: "openai-responses", want: []string{}},
		{name: "the system where it is advised against", roles: "sua", dialects: "openai-chat openai-responses", want: []string{
			`3:12: warning[PC3044]: the history has a message of "system", which the dialect "openai-chat" advises against` + said,
		}},
		{name: "the system where it is refused", roles: "sua", dialects: all, want: []string{
			`3:12: error[PC3044]: the history has a message of "system", which the dialects "anthropic", "gemini" refuse` + said,
		}},
	} {
		fixture := "prompt: Go on.\nhistory:\n"
		for _, r := range test.roles {
			fixture += "  - {role: " + map[rune]string{'u': "user", 'a': "assistant", 's': "system"}[r] + ", content: Words.}\n"
		}
		if test.tiers != "" {
			fixture += "tiers: {" + test.tiers + "}\n"
		}
		_, found := talk(t, fixture, strings.Fields(test.dialects)...)
		want := test.want
		for i := range want {
			want[i] = "fx/chat.yaml:" + want[i]
		}
		if diff := cmp.Diff(want, told(found)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

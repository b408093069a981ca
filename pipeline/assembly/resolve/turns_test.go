package resolve_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKeysOfAHistoryAreRepairedFirst: what the tiers leave of it is not what was
// meant, as long as a key is refused. Flat, its turns are judged all the same.
func TestKeysOfAHistoryAreRepairedFirst(t *testing.T) {
	const missing = `fx/chat.yaml:2:27: error[PC3039]: the history has no message 2; messages are counted from 0; the last is 1`
	const further = `fx/chat.yaml:2:27: error[PC3039]: the history has no message 3; messages are counted from 0; the last is 2`
	const twice = `fx/chat.yaml:2:33: error[PC3040]: tier L1 has "history:1", which stands in L0, too, as "history:1"; the first is at fx/chat.yaml:2; keep one, since everything is shown once`
	const begins = `fx/chat.yaml:3:18: error[PC3043]: a message of "assistant" is out of turn, while the roles take turns in "anthropic"; begin with the user, end with the assistant, and keep a question and its answer in one tier; messages are counted from 0`
	for fixture, want := range map[string][]string{
		"tiers: {L0: [\"history:1\", \"history:2\"]}\nhistory: [{role: user, content: a}, {role: assistant, content: b}]\n":                                {missing},
		"tiers: {L0: [\"history:1\"], L1: [\"history:1\"]}\nhistory: [{role: user, content: a}, {role: assistant, content: b}]\n":                          {twice},
		"tiers: {L0: [\"history:1\", \"history:3\"]}\nhistory: [{role: assistant, content: a}, {role: user, content: b}, {role: assistant, content: c}]\n": {further, begins},
	} {
		_, found := talk(t, "prompt: Go on.\n"+fixture, "anthropic")
		if diff := cmp.Diff(want, told(found)); diff != "" {
			t.Errorf("%s: %s", fixture, diff)
		}
	}
}

// TestHistoriesTakeTurns has a history by the roles' first letters, a line
// each from line 3 on, the keys of its tiers, and what is said of it.
func TestHistoriesTakeTurns(t *testing.T) {
	const all = "openai-chat openai-responses anthropic gemini"
	const refused = `while the roles take turns in "openai-chat", "anthropic", "gemini"`
	const (
		turns = "; begin with the user, end with the assistant, and keep a question and its answer in one tier; messages are counted from 0"
		early = "; the model reads L0 to L3 in order, then the messages in no tier: "
		said  = "; say it in the system text, or as the user"
	)
	for _, test := range []struct {
		name, roles, tiers, dialects string
		want                         []string
	}{
		{name: "as it should be", roles: "uaua", tiers: `L2: ["history:0", "history:1"]`, dialects: all, want: []string{}},
		{name: "wrong from end to end", roles: "auu", dialects: all, want: []string{
			`3:12: error[PC3043]: a message of "assistant" is out of turn, ` + refused + turns,
			`5:12: error[PC3043]: a message of "user" is out of turn, ` + refused + turns,
		}},
		{name: "a turn in two tiers with nothing between", roles: "ua", tiers: `L1: ["history:0"], L2: ["history:1"]`, dialects: "anthropic", want: []string{}},
		{name: "a turn in two tiers", roles: "ua", tiers: `L1: ["history:0"], L2: ["symbol:a.py", "history:1"]`, dialects: "anthropic", want: []string{
			`3:12: error[PC3043]: a message of "user" is out of turn, while the roles take turns in "anthropic"` + turns,
			`4:12: error[PC3043]: a message of "assistant" is out of turn, while the roles take turns in "anthropic"` + turns,
		}},
		{name: "questions of two tiers", roles: "uaua", tiers: `L0: ["history:0"], L1: ["history:2"]`, dialects: "anthropic", want: []string{
			`5:12: error[PC3043]: a message of "user" is out of turn, while the roles take turns in "anthropic"` + turns,
			`6:12: error[PC3043]: a message of "assistant" is out of turn, while the roles take turns in "anthropic"` + turns,
			`7:33: note[PC3045]: the model reads message 2 before message 1, which is in no tier` + early + `put message 1 before it, or both into one tier`,
		}},
		{name: "an answer that a tier took", roles: "uaua", tiers: `L1: ["history:0", "history:3"]`, dialects: "gemini", want: []string{
			`4:12: error[PC3043]: a message of "assistant" is out of turn, while the roles take turns in "gemini"` + turns,
			`5:12: error[PC3043]: a message of "user" is out of turn, while the roles take turns in "gemini"` + turns,
			`7:27: note[PC3045]: the model reads message 3 before message 1, which is in no tier` + early + `put message 1 before it, or both into one tier`,
		}},
		{name: "where any order is taken", roles: "u", dialects: "openai-responses", want: []string{
			`3:12: warning[PC3043]: a message of "user" is out of turn, while models expect roles that take turns` + turns,
		}},
		{name: "the system is not counted", roles: "usas", dialects: "openai-responses", want: []string{}},
		{name: "the system where it is advised against", roles: "sua", dialects: "openai-chat openai-responses", want: []string{
			`3:12: warning[PC3044]: the history has a message of "system", which "openai-chat" may refuse inside a conversation` + said,
		}},
		{name: "the system where it is refused", roles: "sua", dialects: all, want: []string{
			`3:12: error[PC3044]: the history has a message of "system", which "anthropic", "gemini" may refuse inside a conversation` + said,
		}},
		{name: "the system where only some models take it", roles: "sua", dialects: "anthropic", want: []string{
			`3:12: error[PC3044]: the history has a message of "system", which "anthropic" may refuse inside a conversation` + said,
		}},
		{name: "the system where there is no place for it", roles: "sua", dialects: "gemini", want: []string{
			`3:12: error[PC3044]: the history has a message of "system", which "gemini" may refuse inside a conversation` + said,
		}},
		{name: "the later turns first", roles: "uauaua", tiers: `L1: ["history:2", "history:3"]`, dialects: "gemini", want: []string{
			`9:14: note[PC3045]: the model reads message 2 before message 0, which is in no tier` + early + `put message 0 before it, or both into one tier`,
		}},
		{name: "the later tier has the earlier turns", roles: "uauaua", tiers: `L1: ["history:0", "history:1", "history:4", "history:5"], L3: ["history:3", "history:2"]`, dialects: "gemini", want: []string{
			`9:40: note[PC3045]: the model reads message 4 before message 2, which is in L3` + early + `put message 2 before it, or both into one tier`,
		}},
	} {
		fixture := "prompt: Go on.\nhistory:\n"
		for _, r := range test.roles {
			fixture += "  - {role: " + map[rune]string{'u': "user", 'a': "assistant", 's': "system"}[r] + ", content: Words.}\n"
		}
		if test.tiers != "" {
			fixture += "tiers: {" + test.tiers + "}\n"
			if strings.Contains(test.tiers, "symbol:") {
				fixture += "symbols: {a.py: f}\n"
			}
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

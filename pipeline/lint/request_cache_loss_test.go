package lint_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/lint"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

// wordy is text of n tokens.
func wordy(n int) string { return strings.TrimSuffix(strings.Repeat("w ", n), " ") }

// TestWhatABreakpointLosesBeginsAtTheOneBefore counts what is written with
// every request, or could be kept: with the tools and the text before the
// volatile thing, since a prefix is found as a whole or not at all.
func TestWhatABreakpointLosesBeginsAtTheOneBefore(t *testing.T) {
	written := func(thing, point, tokens string) []string {
		return []string{
			"warning PC6005 the volatile " + thing + ` stands before the cache breakpoint "` + point + `" of "p": ` + tokens + " tokens are written and never read",
			"  what stands before the breakpoint changes, so the prefix up to it is never found again",
		}
	}
	kept := func(thing, point, tokens string) []string {
		return []string{
			"warning PC6005 the volatile " + thing + ` stands before the cache breakpoint "` + point + `" of "p": ` + tokens + " tokens could be cached and are not",
			`  what the cache breakpoint "` + point + `" keeps is never found again`,
		}
	}
	const slot, section = `slot "date" in "clock"`, `section "clock"`
	clock := "it is now the date {{date}}" // six tokens
	for _, tc := range []struct {
		name, dialect string
		tools         int
		texts, want   []string
	}{
		{"the text before it is written too", "anthropic", 0, []string{wordy(34), "|" + clock}, written(slot, "clock", "40")},
		{"and the tools", "anthropic", 41, []string{wordy(34), "|~" + clock}, written(section, "clock", "81")},
		{"not behind a breakpoint", "anthropic", 41, []string{"|" + wordy(34), "|" + clock}, written(slot, "clock", "6")},
		{"moved behind, all else is kept", "anthropic", 41, []string{wordy(34), clock, "|" + wordy(19)}, kept(slot, "last", "94")},
		{"a section, too", "openai-chat", 41, []string{wordy(34), "~" + clock, "|" + wordy(19)}, kept(section, "last", "94")},
		{"kept from the breakpoint before it on", "anthropic", 41, []string{"|" + wordy(34), clock, "|" + wordy(19)}, kept(slot, "last", "19")},
		{"no further than the last breakpoint", "anthropic", 41, []string{wordy(34), clock, "|" + wordy(19), wordy(7)}, kept(slot, "last", "94")},
		{"all that changes is left out once", "anthropic", 41, []string{wordy(34), clock, "|" + wordy(19) + "\n{{time}} {{date}}\n" + wordy(12), "{{time}}"}, kept(slot, "last", "about 100")},
		{"without breakpoints the text behind it", "anthropic", 41, []string{wordy(34), clock, wordy(19)}, []string{
			`note PC6005 the volatile slot "date" in "clock" stands before 19 tokens of "p" that could be cached`,
		}},
	} {
		s := newScene("role", "clock", "last", "more")
		a := s.variant(tc.dialect, tc.texts...)
		a.ToolTokens, a.Variant.CacheMinimum = tc.tools, 0
		got := s.said()
		if diff := cmp.Diff(tc.want, got[:min(len(got), len(tc.want))]); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// TestAcknowledgementsAreKeptWithTheirTier: what the layout says by itself up to
// the breakpoint is kept with the text before it.
func TestAcknowledgementsAreKeptWithTheirTier(t *testing.T) {
	s := newScene("clock")
	a := s.variant("anthropic", "on {{date}}")
	a.Variant.Messages = &prompt.MessageRules{Reminder: -1}
	s.part(a, said(prompt.ContentFile, "a b c"))
	s.part(a, prompt.Part{Section: -1, Text: "Ok then.", Passage: &prompt.Passage{Text: prompt.Literal("Ok then.")}})
	a.Cache.Points = []prompt.Point{{Name: "L1", Part: 3, Tokens: 7}}
	want := []string{
		`warning PC6005 the volatile slot "date" in "clock" stands before the cache breakpoint "L1" of "p": 5 tokens could be cached and are not`,
		`  what the cache breakpoint "L1" keeps is never found again`,
	}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Error(diff)
	}
}

func TestManyVolatileSlotsDoNotHang(t *testing.T) {
	s := newScene("one", "two")
	var line strings.Builder
	for i := range 5_000 {
		name := "s" + strings.Repeat("x", i%90) + strings.Repeat("y", i/90)
		s.slots[name] = &prompt.Slot{Name: prompt.Word{Str: name}, Volatile: true}
		line.WriteString("{{" + name + "}} ")
	}
	s.variant("anthropic", line.String(), "|a b c")
	if got := lint.Run(s.plan, s.all); len(got) == 0 {
		t.Error("nothing is said")
	}
}

// TestSmallPrefixesOfTiersGrowWithTheTier: the remedy is that of the layout.
func TestSmallPrefixesOfTiersGrowWithTheTier(t *testing.T) {
	for _, tc := range []struct {
		rules *prompt.MessageRules
		want  string
	}{
		{nil, "leave the breakpoint to a later place, or say cache_minimum where the models take less"},
		{&prompt.MessageRules{Reminder: -1}, "put more into the tier, or say cache_minimum where the models take less"},
	} {
		s := newScene("Later")
		s.variant("anthropic", "|a b").Variant.Messages = tc.rules
		found := lint.Run(s.plan, s.all)
		if len(found) != 1 || wording.Hint(found[0]) != tc.want {
			t.Errorf("want %s, have %v", tc.want, found)
		}
	}
}

package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// TestVolatileTextSaysWhereItCouldStand goes through every volatile thing, in
// every layout, before every end of the text that stays the same.
func TestVolatileTextSaysWhereItCouldStand(t *testing.T) {
	const slot, section, source = "on {{date}}", "~on", "from a source"
	const stays, ends = "a b c", "a b c\n{{date}}" // the second section
	const remind = "it then follows the conversation"
	for _, tc := range []struct {
		layout, one, two, want string
	}{
		{"sequence", slot, stays, `say it in a section behind "two"`},
		{"sequence", section, stays, `say it in a section behind "two"`},
		{"sequence", source, stays, `say it in a section behind "two"`},
		{"sequence", slot, ends, `say it in a section behind "two"`},
		{"sequence", section, ends, `say it in a section behind "two"`},
		{"sequence", source, ends, `say it in a section behind "two"`},
		{"sequence", "{{date}}\na b c", "", `move it to the last line of "one", or into a section of its own behind it`},
		{"phases", slot, stays, `say it in a section that its phase and score put behind "two"`},
		{"phases", section, stays, `say it in a section that its phase and score put behind "two"`},
		{"phases", source, stays, `say it in a section that its phase and score put behind "two"`},
		{"phases", slot, ends, `say it in a section that its phase and score put behind "two"`},
		{"phases", section, ends, `say it in a section that its phase and score put behind "two"`},
		{"phases", source, ends, `say it in a section that its phase and score put behind "two"`},
		{"phases", "{{date}}\na b c", "", `move it to the last line of "one", or into a section of its own behind it`},
		{"messages", slot, stays, "say it in a section that the layout names with `reminder:`: " + remind},
		{"messages", section, stays, "say it in a section that the layout names with `reminder:`: " + remind},
		{"messages", source, stays, "say it in a section that the layout names with `reminder:`: " + remind},
		{"messages", slot, ends, "say it in a section that the layout names with `reminder:`: " + remind},
		{"messages", "{{date}}\na b c", "", "say it in a section that the layout names with `reminder:`: " + remind},
		{"reminder", slot, stays, `say it in "three", the layout's reminder: it follows the conversation`},
		{"reminder", section, stays, `say it in "three", the layout's reminder: it follows the conversation`},
		{"reminder", source, stays, `say it in "three", the layout's reminder: it follows the conversation`},
		// Only a breakpoint stands behind it.
		{"sequence", "|" + slot, "", `put the breakpoint on a section before it, or leave it out`},
		{"sequence", "|" + section, "", `put the breakpoint on a section before it, or leave it out`},
		{"sequence", "|" + source, "", `put the breakpoint on a section before it, or leave it out`},
		{"sequence", slot, "|{{time}}", `put the breakpoint on a section before it, or leave it out`},
		{"sequence", section, "|{{time}}", `put the breakpoint on a section before it, or leave it out`},
		{"sequence", source, "|{{time}}", `put the breakpoint on a section before it, or leave it out`},
		{"messages", "|" + slot, "", "say it in a section that the layout names with `reminder:`: " + remind},
		{"messages", "|" + section, "", "say it in a section that the layout names with `reminder:`: " + remind},
		{"reminder", "|" + section, "", `say it in "three", the layout's reminder: it follows the conversation`},
	} {
		s := newScene("one", "two", "three")
		a := s.variant("anthropic", tc.one, tc.two)
		a.Variant.CacheMinimum = 0
		if strings.HasSuffix(tc.one, source) {
			a.Parts[0].Rendering.Unit.Inputs = []*assembly.Input{{Source: &language.Source{ID: ground.Word{Str: "clock"}, Volatile: true}, At: s.span(50)}}
		}
		switch tc.layout {
		case "phases":
			a.Variant.Layout.On = true
		case "messages":
			a.Variant.Messages = &assembly.MessageRules{Reminder: -1}
		case "reminder":
			a.Variant.Messages = &assembly.MessageRules{Reminder: 2}
		}
		found := lint.Run(s.plan, s.all)
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return strings.Contains(wording.Message(d), `"one"`) && wording.Hint(d) == tc.want
		}) {
			t.Errorf("%s, %q, %q: want %s, have %v", tc.layout, tc.one, tc.two, tc.want, found)
		}
	}
}

// TestVolatileTextThatABreakpointKeeps stands before nothing that could be
// cached, but the prefix is written with every request.
func TestVolatileTextThatABreakpointKeeps(t *testing.T) {
	left := func(dialect string) []string {
		return []string{`note PC6009 "` + dialect + `" has no cache breakpoints: those of "p" are left out`}
	}
	for _, tc := range []struct {
		name, dialect string
		texts, want   []string
	}{
		{"a slot", "anthropic", []string{"|on {{date}} it"}, []string{
			`warning PC6005 the cache breakpoint "one" of "p" writes up to 3 tokens that are never read, because of the volatile slot "date" in "one" before it`,
		}},
		{"a section", "openai-chat", []string{"a b", "|~c d e"}, []string{
			`warning PC6005 the cache breakpoint "two" of "p" writes up to 5 tokens that are never read, because of the volatile section "two" before it`,
		}},
		{"a section in the block", "anthropic", []string{"a b", "~c", "|{{date}}"}, []string{
			`warning PC6005 the cache breakpoint "three" of "p" writes up to 4 tokens that are never read, because of the volatile section "two" before it`,
			`warning PC6005 the cache breakpoint "three" of "p" writes up to 4 tokens that are never read, because of the volatile slot "date" in "three" before it`,
		}},
		{"up to the last breakpoint", "anthropic", []string{"|~a", "|{{date}} b"}, []string{
			`warning PC6005 the cache breakpoint "one" of "p" writes up to 3 tokens that are never read, because of the volatile section "one" before it`,
			`warning PC6005 the cache breakpoint "two" of "p" writes up to 2 tokens that are never read, because of the volatile slot "date" in "two" before it`,
		}},
		{"slots of one section", "anthropic", []string{"|{{date}}\n{{time}}"}, []string{
			`warning PC6005 the cache breakpoint "one" of "p" writes up to 2 tokens that are never read, because of the volatile slots "date", "time" in "one" before it`,
		}},
		{"a section is named once", "anthropic", []string{"|{{date}}\na b\n{{time}}"}, []string{
			`warning PC6005 up to 4 tokens of "p" could be cached by the breakpoint "one", but for the volatile slot "date" in "one" before it`,
		}},
		{"behind the breakpoint", "anthropic", []string{"|a b c d", "{{date}}"}, nil},
		{"nothing is written", "gemini", []string{"|on {{date}}"}, left("gemini")},
		{"nothing is written in a text", "text", []string{"|on {{date}}"}, left("text")},
		{"left out before what stays the same", "gemini", []string{"on {{date}}", "|a b c"}, append(left("gemini"),
			`note PC6005 up to 5 tokens of "p" could be cached, but for the volatile slot "date" in "one" before them`)},
	} {
		s := newScene("one", "two", "three")
		a := s.variant(tc.dialect, tc.texts...)
		a.Variant.CacheMinimum = 0
		if diff := cmp.Diff(tc.want, s.said()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// TestTheSystemTextOfAConversationThatMayBeEmpty is told at its section, since
// no section has the breakpoint.
func TestTheSystemTextOfAConversationThatMayBeEmpty(t *testing.T) {
	for text, want := range map[string]string{
		"|{{note}}": `all text that the breakpoint "one" of "p" marks may be empty at run time`,
		"{{note}}":  `the text that begins with "one" stands alone in "p" and may be empty at run time, which "anthropic" refuses`,
	} {
		s := newScene("one")
		a := s.variant("anthropic", text)
		a.Variant.CacheMinimum = 0
		a.Variant.Messages = &assembly.MessageRules{Reminder: -1}
		found := lint.Run(s.plan, s.all)
		if len(found) != 1 || wording.Message(found[0]) != want || found[0].Span != s.span(10) || wording.Hint(found[0]) != "add a section that always has text, or move the breakpoint" {
			t.Errorf("%s: %v", text, found)
		}
	}
}

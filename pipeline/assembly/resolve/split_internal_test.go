package resolve

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language"
)

// sectionsOf gives the sections of a text that is the only one of its prompt.
func sectionsOf(text string, at []language.Split) []cut {
	cuts := split(text, at)
	told := ids{repeated: map[string]bool{}}
	told.read(cuts)
	told.name(cuts)
	return cuts
}

func TestTextsSplitAtHeadingsTagsAndRules(t *testing.T) {
	all := language.Splits()
	for _, c := range []struct {
		name, text string
		at         []language.Split
		want       []string // id and text
	}{
		{"nothing to split at", "plain\n", all, []string{"preamble", "plain\n"}},
		{"not asked to", "# A\n\n# B\n", nil, []string{"text", "# A\n\n# B\n"}},
		{"empty", "", all, []string{"preamble", ""}},
		{"headings of any level", "intro\n\n# One\na\n### Two ##\nb", all, []string{"preamble", "intro\n\n", "one", "# One\na\n", "two", "### Two ##\nb"}},
		{"blank lines before the first", "\n\n# One\n", all, []string{"one", "\n\n# One\n"}},
		{"no headings", "#tag\n####### seven\n    # code\nTitle\n=====x\n", all, []string{"preamble", "#tag\n####### seven\n    # code\nTitle\n=====x\n"}},
		{"the same under others", "## A\n### Use\n<x>\n</x>\n## B\n### Use\n<x>\n</x>\n", all, []string{"a", "## A\n", "a-use", "### Use\n", "a-use-x", "<x>\n</x>\n", "b", "## B\n", "b-use", "### Use\n", "b-use-x", "<x>\n</x>\n"}},
		{"the same under the same", "# T\n## A\n### Use\n# U\n## A\n### Use\n", all, []string{"t", "# T\n", "t-a", "## A\n", "t-a-use", "### Use\n", "u", "# U\n", "u-a", "## A\n", "u-a-use", "### Use\n"}},
		{"twice in one", "# T\n## A\n## A\n### Use\n", all, []string{"t", "# T\n", "a", "## A\n", "a-2", "## A\n", "use", "### Use\n"}},
		{"the same in blocks", "====\nONE\n# Use\n====\nTWO\n# Use\n", all, []string{"one", "====\nONE\n", "one-use", "# Use\n", "two", "====\nTWO\n", "two-use", "# Use\n"}},
		{"a tag that its heading names", "## use_subagents\nUsage:\n<use_subagents>\n# in\n</use_subagents>\nand more\n## B\n<use_subagents>\n</use_subagents>\n", all, []string{
			"use-subagents", "## use_subagents\nUsage:\n<use_subagents>\n# in\n</use_subagents>\nand more\n", "b", "## B\n", "b-use-subagents", "<use_subagents>\n</use_subagents>\n",
		}},
		{"long names under long names", "# " + strings.Repeat("x", 60) + "\n## " + strings.Repeat("y", 50) + "\n# Z\n## " + strings.Repeat("y", 50) + "\n", all, []string{
			strings.Repeat("x", 60), "# " + strings.Repeat("x", 60) + "\n", strings.Repeat("x", 13) + "-" + strings.Repeat("y", 50), "## " + strings.Repeat("y", 50) + "\n",
			"z", "# Z\n", "z-" + strings.Repeat("y", 50), "## " + strings.Repeat("y", 50) + "\n",
		}},
		{"twice the same", "# A\n# A\n# a!\n", all, []string{"a", "# A\n", "a-2", "# A\n", "a-3", "# a!\n"}},
		{"a number that is there", "# A 2\n# A\n# A\n", all, []string{"a-2", "# A 2\n", "a", "# A\n", "a-3", "# A\n"}},
		{"no Latin letters", "# 日本\n# !\n# 角色 Role\n#\n# 🔥\n", all, []string{"u65e5-u672c", "# 日本\n", "section", "# !\n", "u89d2-u8272-role", "# 角色 Role\n", "section-2", "#\n", "u1f525", "# 🔥\n"}},
		{"letters with marks", "# Ärger & Co.\n# E\u0301te\u0301\n# Straße Łódź\n", all, []string{"arger-co", "# Ärger & Co.\n", "ete", "# E\u0301te\u0301\n", "strasse-lodz", "# Straße Łódź\n"}},
		{"long names of other letters", "# " + strings.Repeat("角", 30) + "\n", all, []string{strings.TrimSuffix(strings.Repeat("u89d2-", 10), "-"), "# " + strings.Repeat("角", 30) + "\n"}},
		{"a device", "# NUL\n", all, []string{"section-nul", "# NUL\n"}},
		{"fences", "# A\n```md\n# no\n====\n<t>\n</t>\n```\n# B\n", all, []string{"a", "# A\n```md\n# no\n====\n<t>\n</t>\n```\n", "b", "# B\n"}},
		{"longer fences hold shorter ones", "````\n```\n# no\n````\n# B\n", all, []string{"preamble", "````\n```\n# no\n````\n", "b", "# B\n"}},
		{"a fence that nothing closes", "# A\n```\n# B\n", all, []string{"a", "# A\n```\n# B\n"}},
		{"no heading in a list or a quote", "# A\n- x\n  # no\n> # no\n# B\n", all, []string{"a", "# A\n- x\n  # no\n> # no\n", "b", "# B\n"}},
		{"front matter is no Markdown", "---\n# no\n```\n---\n# A\n", all, []string{"preamble", "---\n# no\n```\n---\n", "a", "# A\n"}},
		{"tags", "<env>\n# in\n----\n</env>\nafter it all\n", all, []string{"env", "<env>\n# in\n----\n</env>\n", "after-it-all", "after it all\n"}},
		{"tags with attributes", "<file path=\"a\">\nx\n</file>\n", all, []string{"file", "<file path=\"a\">\nx\n</file>\n"}},
		{"nested tags", "<a>\n<a>\n</a>\nx\n</a>\ny", all, []string{"a", "<a>\n<a>\n</a>\nx\n</a>\n", "y", "y"}},
		{"unclosed tags", "<a>\n# H\n<b>\n</b>\n", all, []string{"preamble", "<a>\n", "h", "# H\n", "b", "<b>\n</b>\n"}},
		{"no tags", " <a>\n</a>\n<a/>\n<3>\n</3>\n", all, []string{"preamble", " <a>\n</a>\n<a/>\n<3>\n</3>\n"}},
		{"rules", "You are Cline\n\n====\n\nTOOL USE\n\ntext\n\n====\n# H\n---\n", all, []string{
			"preamble", "You are Cline\n\n", "tool-use", "====\n\nTOOL USE\n\ntext\n\n", "h", "====\n# H\n---\n",
		}},
		{"rules beside each other", "====\n\n----\n<t>\n</t>\n====\n```\nx\n```\n\n====\n", all, []string{"t", "====\n\n----\n<t>\n</t>\n", "section", "====\n```\nx\n```\n\n====\n"}},
		{"rules name by five words", "a\n---\nOne two, three four five six\n", all, []string{"preamble", "a\n", "one-two-three-four-five", "---\nOne two, three four five six\n"}},
		{"rules before a heading without headings", "a\n----\n# The End #\n", []language.Split{language.SplitRules}, []string{"preamble", "a\n", "the-end", "----\n# The End #\n"}},
		{"no rules", "a\n===\n--\n-- -\n", all, []string{"preamble", "a\n===\n--\n-- -\n"}},
		{"front matter", "---\nname: x\n---\nbody\n# A\n", all, []string{"preamble", "---\nname: x\n---\nbody\n", "a", "# A\n"}},
		{"headings alone", "<a>\n# H\n</a>\n====\nx\n", []language.Split{language.SplitHeadings}, []string{"preamble", "<a>\n", "h", "# H\n</a>\n====\nx\n"}},
		{"long names", "# " + strings.Repeat("ab ", 40) + "\n# " + strings.Repeat("ab ", 40) + "\n", all, []string{
			strings.Repeat("ab-", 21) + "a", "# " + strings.Repeat("ab ", 40) + "\n",
			strings.Repeat("ab-", 20) + "ab-2", "# " + strings.Repeat("ab ", 40) + "\n",
		}},
	} {
		var got []string
		for _, s := range sectionsOf(c.text, c.at) {
			got = append(got, s.id, c.text[s.start:s.end])
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// TestSplitLosesNothing holds because the sections of a rendered prompt are its
// text, to the byte.
func TestSplitLosesNothing(t *testing.T) {
	words := []string{"# A", "## b c", "<x>", "</x>", "<y>", "</y>", "====", "---", "```", "````", "~~~", "text", "", "  ", "\n", "\n", "\n", "\n", "# é", "### b c", "## x", "# 角"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var b strings.Builder
		for range r.IntN(25) {
			b.WriteString(words[r.IntN(len(words))])
		}
		text := b.String()
		at, ids := 0, map[string]bool{}
		for _, s := range sectionsOf(text, language.Splits()) {
			if s.start != at || s.end < s.start || s.end == s.start && text != "" || ids[s.id] {
				t.Fatalf("%q: section %q is [%d, %d) behind %d", text, s.id, s.start, s.end, at)
			}
			at, ids[s.id] = s.end, true
		}
		if at != len(text) {
			t.Fatalf("%q: %d of %d bytes are in sections", text, at, len(text))
		}
	}
}

// TestSplitTakesNoLongerThanTheTextIsLong holds for texts made to take long.
func TestSplitTakesNoLongerThanTheTextIsLong(t *testing.T) {
	const size = 1 << 18
	for _, unit := range []string{"# a\n", "<a>\n", "</a>\n", "<a>\n</a>\n", "```\n", "````x\n```\n", "====\nx\n", "\n", "# \n", "~~~~\n~~~\n", "#", "# 角\n", "## a\n### b\n", "# x\n<x>\n</x>\n"} {
		text := strings.Repeat(unit, size/len(unit))
		got := sectionsOf(text, language.Splits())
		if got[len(got)-1].end != len(text) {
			t.Errorf("%q: the sections end at %d", unit, got[len(got)-1].end)
		}
	}
}

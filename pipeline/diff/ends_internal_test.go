package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// TestEndsOfTexts holds that a text which ends with a line break has no line
// more for that, and that a break which goes or comes is said of the last line.
func TestEndsOfTexts(t *testing.T) {
	line := func(sign byte, text string, open bool) prompt.HunkLine {
		return prompt.HunkLine{Sign: sign, Text: text, Open: open}
	}
	for _, tt := range []struct {
		name, before, after string
		want                []prompt.HunkLine
	}{
		{"all that goes ends with a break", "# A\n\n", "", []prompt.HunkLine{line('-', "# A", false), line('-', "", false)}},
		{"all that comes ends with a break", "", "# A\n\n", []prompt.HunkLine{line('+', "# A", false), line('+', "", false)}},
		{"the last break goes", "a\nb\n", "a\nb", []prompt.HunkLine{line('-', "b", false), line('+', "b", true)}},
		{"the last break comes", "a\nb", "a\nb\n", []prompt.HunkLine{line('-', "b", true), line('+', "b", false)}},
		{"the last line changes, and its break goes", "a\nb\n", "a\nc", []prompt.HunkLine{line('-', "b", false), line('+', "c", true)}},
		{"a blank line before the end goes", "a\n\n", "a\n", []prompt.HunkLine{line('-', "", false)}},
		{"breaks stay", "a\nb\n", "a\nc\n", []prompt.HunkLine{line('-', "b", false), line('+', "c", false)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []prompt.HunkLine
			for _, h := range hunksOf(prompt.Literal(tt.before), prompt.Literal(tt.after)) {
				got = append(got, h.Lines...)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

package textdiff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// marked gives both lines with the parts in brackets that differ.
func marked(before, after string) [2]string {
	gone, come, ok := textdiff.Words(before, after)
	if !ok {
		return [2]string{}
	}
	put := func(line string, all []textdiff.Range) string {
		var b strings.Builder
		at := 0
		for _, r := range all {
			b.WriteString(line[at:r.Start] + "[" + line[r.Start:r.End] + "]")
			at = r.End
		}
		return b.String() + line[at:]
	}
	return [2]string{put(before, gone), put(after, come)}
}

func TestWordsThatDiffer(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                [2]string
	}{
		{"a word", "Read and sort it.", "Read and file it.", [2]string{"Read and [sort] it.", "Read and [file] it."}},
		{
			"a placeholder is one word", "The date is {{date}} ({{timezone}}).", "The date is {{date}}.",
			[2]string{"The date is {{date}}[ ({{timezone}})].", "The date is {{date}}."},
		},
		{
			"another placeholder is another word", "Now it is {{date_utc}}, and late.", "Now it is {{date_local}}, and late.",
			[2]string{"Now it is [{{date_utc}}], and late.", "Now it is [{{date_local}}], and late."},
		},
		{"braces that never close", "Write {{name and go on.", "Write {{names and go on.", [2]string{"Write {{[name] and go on.", "Write {{[names] and go on."}},
		{"braces without a name", "Write {{}} and go on.", "Write {{}}} and go on.", [2]string{"Write {{}} and go on.", "Write {{}}[}] and go on."}},
		{
			"an object is no placeholder", `{"a":{"b":{"c":1}},"d":2}`, `{"a":{"b":{"c":3}},"d":2}`,
			[2]string{`{"a":{"b":{"c":[1]}},"d":2}`, `{"a":{"b":{"c":[3]}},"d":2}`},
		},
		{"two lines", "Nothing of this stays.", "It is all new, from first to last.", [2]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, marked(c.before, c.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

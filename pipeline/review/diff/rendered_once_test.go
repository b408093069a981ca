package diff_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

// TestOneEditOfManyRenderedFilesIsOneChange holds because each variant of a
// prompt that another program assembles has a file of its own, in which the same
// edit stands at another place.
func TestOneEditOfManyRenderedFilesIsOneChange(t *testing.T) {
	const keys = "tokenizer: chars/4\nrendered: 't/{family}-{context}.md'\naxes: auto\ntools: 't/{family}.json'"
	tool := func(names ...string) string {
		var out []string
		for _, n := range names {
			out = append(out, fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object"}}`, n))
		}
		return "[" + strings.Join(out, ",\n") + "]"
	}
	base := map[string]string{}
	for f := range 19 {
		for _, c := range []string{"basic", "full", "mini"} {
			base[fmt.Sprintf("t/f%d-%s.md", f, c)] = fmt.Sprintf("You are %d.\n\n====\n\nTOOLS\n\nUse them.\n\n# Rules\n- be %s\n- never lie\n- stop\n", f, c)
		}
		base[fmt.Sprintf("t/f%d.json", f)] = tool("exec")
	}
	head := maps.Clone(base)
	for name, text := range base {
		head[name] = strings.ReplaceAll(text, "never lie", "never ever lie")
	}
	for f := range 8 {
		head[fmt.Sprintf("t/f%d.json", f)] = tool("exec", "sub")
	}
	d := differ(t, testproject.Rendered(keys, base), testproject.Rendered(keys, head))
	var got []string
	for _, e := range d.Edits {
		reached, missed := 0, 0
		for _, r := range e.Reach {
			reached += r.In.Len()
			for _, m := range r.Missed {
				missed += m.Set.Len()
			}
		}
		got = append(got, fmt.Sprintf("%s %s%s: %d reached, %d missed, %d hunks", e.Kind, e.Section, e.Tool, reached, missed, len(e.Hunks)))
	}
	if d := cmp.Diff([]string{"text-changed rules: 57 reached, 0 missed, 1 hunks", "tool-added sub: 24 reached, 33 missed, 0 hunks"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

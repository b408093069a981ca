package diff_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// wide is a project of 100 variants for each value of its third axis, with 50
// sections each.
func wide(word string, third int) fstest.MapFS {
	values := func(letter string, n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf("%s%d", letter, i))
		}
		return strings.Join(out, ", ")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\ntokenizer: chars/4\nsources: {own: {path: 'own/{a}.md'}}\nprompts:\n  p:\n    axes: {a: [%s], b: [%s], c: [%s]}\n    sections:\n",
		values("a", 10), values("b", 10), values("c", third))
	files := map[string]string{}
	for i := range 50 {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "      - {id: s%d, source: own, heading: '# %d'}\n", i, i)
		case 1:
			fmt.Fprintf(&b, "      - {id: s%d, path: s%d.md, when: {b: [b1, b2, b3]}}\n", i, i)
		default:
			fmt.Fprintf(&b, "      - {id: s%d, path: s%d.md}\n", i, i)
		}
		files[fmt.Sprintf("s%d.md", i)] = strings.Repeat("A line of text.\n", 20) + word + "\n" + strings.Repeat("Another line.\n", 20)
	}
	for i := range 10 {
		files[fmt.Sprintf("own/a%d.md", i)] = strings.Repeat("Own.\n", 10) + word + "\n"
	}
	files["prompts.yaml"] = b.String()
	return testproject.From(files)
}

// BenchmarkCompare compares two states of 2,000 variants in which every section
// differs.
func BenchmarkCompare(b *testing.B) {
	t := &testing.T{}
	base, head := stateOf(t, "base", wide("old", 20)), stateOf(t, "head", wide("new", 20))
	for b.Loop() {
		pipeline.Compare(base, head, base)
	}
}

// What many variants share is compared once, and said once.
func TestManyVariantsAreComparedOnce(t *testing.T) {
	base, head := stateOf(t, "base", wide("old", 5)), stateOf(t, "head", wide("new", 5))
	d, _ := pipeline.Compare(base, head, base)
	// 50 files in which the same line became another.
	if len(d.Edits) != 1 || len(d.Edits[0].Also) != 49 {
		t.Errorf("%d edits, %d more places", len(d.Edits), len(d.Edits[0].Also))
	}
	if got := d.Pairs[0].Affected.Len(); got != 500 {
		t.Errorf("%d affected", got)
	}
}

func TestThousandsOfRenamedToolsAreCompared(t *testing.T) {
	skipIfShort(t)
	side := func(name, prefix string) review.Side {
		files := map[string]string{"prompts.yaml": "version: 1\ntokenizer: chars/4\nsources: {t: {kind: tools, path: '*.json'}}\nprompts:\n  p:\n    sections: [{id: t, source: t}]\n"}
		for f := range 4 {
			var tools []string
			for i := range 400 {
				tools = append(tools, fmt.Sprintf(`{"name":"%s%d_%d","description":"d","inputSchema":{"type":"object"}}`, prefix, f, i))
			}
			files[fmt.Sprintf("t%d.json", f)] = "[" + strings.Join(tools, ",") + "]"
		}
		return stateOf(t, name, testproject.From(files))
	}
	base, head := side("base", "t"), side("head", "u")
	d, _ := pipeline.Compare(base, head, base)
	if n := len(causes(d)); n != 3_200 {
		t.Errorf("%d edits", n)
	}
}

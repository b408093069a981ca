package diff_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

// One sentence that another program writes into many files is one edit.
func TestEditsOfPromptsRenderedElsewhere(t *testing.T) {
	files := map[string]string{"prompts.yaml": `version: 1
prompts:
  legacy:
    rendered: "out/{family}-{size}.txt"
    axes: auto
`}
	for _, family := range []string{"gpt", "glm"} {
		for _, size := range []string{"large", "small"} {
			text := fmt.Sprintf("You are %s.\n\n# Rules\n\nBe kind.\nBe brief.\n\n# Tools\n\nUse `exec`.\n", family)
			if size == "small" {
				text = fmt.Sprintf("You are %s.\n\n# Rules\n\nBe brief.\n", family)
			}
			files[fmt.Sprintf("out/%s-%s.txt", family, size)] = text
		}
	}
	base := testproject.From(files)
	head := base
	for name, text := range files {
		if name != manifest && len(text) > 60 {
			head = with(t, head, name, "Be kind.", "Be good.")
		}
	}
	want := []string{
		"text-changed rules out/glm-large.txt:5 + out/gpt-large.txt:5 | legacy: size=large +0, not size=small: other-text",
		"  -Be kind.", "  +Be good.",
	}
	if diff := cmp.Diff(want, told(differ(t, base, head))); diff != "" {
		t.Error(diff)
	}
	head = with(t, base, "out/gpt-small.txt", "# Rules\n\nBe brief.\n", "# Rules\n\nBe brief.\n\n# Tools\n\nUse `exec`.\n")
	want = []string{
		"section-added tools out/gpt-small.txt:6 | legacy: family=gpt,size=small +7, not family=glm,size=small: absent",
		"  +", "  +# Tools", "  +", "  +Use `exec`.",
	}
	if diff := cmp.Diff(want, told(differ(t, base, head))); diff != "" {
		t.Error(diff)
	}
}

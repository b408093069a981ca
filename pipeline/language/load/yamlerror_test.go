package load_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// YAML reads three characters as the end of a line that editors show as nothing.
func TestLineBreaksThatNobodySeesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\nnote: two\u2029words\nprompts: {}\n": `prompts.yaml:2:10: error[PC1005]: U+2029 PARAGRAPH SEPARATOR ends a line in YAML, and what follows is not YAML`,
		"note: two\u0085words\nmore: {}\n":                `prompts.yaml:1:10: error[PC1005]: U+0085 NEXT LINE ends a line in YAML, and what follows is not YAML`,
		"a: b\u2028\n\n\nnote: two: words\n":              `prompts.yaml:4:10: error[PC1005]: a text that holds ": " needs quotes`,
	} {
		_, found, err := load.Run(testproject.Of("prompts.yaml", text), "prompts.yaml", validate.Language{})
		if err != nil || len(found) != 1 || line(found[0]) != want {
			t.Errorf("%q: %v %v", text, err, found)
		}
	}
}

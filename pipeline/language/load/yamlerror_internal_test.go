package load

import (
	"errors"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// TestTheLibraryStillSaysSo holds that the library words each mistake that we
// explain as the table expects: another version of it may not.
func TestTheLibraryStillSaysSo(t *testing.T) {
	samples := []string{
		"a: `b\n", "a: b: c\n", "a:\n  b: 1\n\tc: 2\n", "a: b\nc\nd: e\n", "a: \"b\" c\n", "a:\n  - b\n  c: d\n", "a: [b\nc: d\n", "a: {b\nc: d\n",
		"a: \"b\n", "a: \"\\d\"\n", "a: *b\n", "a: * b\n", "a: !x!y b\n", "a: | b\n", "a: - b\n", "a: [b, ,]\n", "a: {b: ]}\n", "a: b\n...\n%YAML 1.2\n---\na: b\n",
	}
	said := map[string]string{}
	for _, text := range samples {
		_, _, err := decodeYAML(text)
		e, ok := errors.AsType[*yaml.LoadError](err)
		if !ok || e.Mark.Line == 0 {
			t.Errorf("%q: no place in %v", text, err)
			continue
		}
		for _, m := range yamlMistakes {
			if strings.Contains(e.ContextMsg+": "+e.Message, m.library) {
				said[m.library] = text
				break
			}
		}
		file := &diag.File{Path: "a.yaml", Text: text}
		if d := newYAMLText(file, 0, len(text)).explain(err); d.Code != diag.YAMLSyntax || wording.Hint(d) == "" {
			t.Errorf("%q: %s (%s)", text, wording.Message(d), wording.Hint(d))
		}
	}
	for _, m := range yamlMistakes {
		if said[m.library] == "" {
			t.Errorf("no sample makes the library say %q", m.library)
		}
	}
}

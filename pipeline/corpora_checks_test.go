package pipeline_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// foundIn gives the findings of some codes over the corpora, a line each
// without positions.
func foundIn(t *testing.T, fsys fstest.MapFS, manifest string, codes ...diag.Code) []string {
	t.Helper()
	fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte(manifest)}
	r := testproject.Compile(t, fsys, pipeline.Built)
	if r.Stopped {
		t.Fatal("stopped: ", r.Findings)
	}
	var out []string
	for _, d := range r.Findings {
		for _, c := range codes {
			if d.Code == c {
				out = append(out, fmt.Sprintf("%s: %s: %s", strings.TrimPrefix(d.Span.File.Path, "corpora/"), d.Level, wording.Message(d)))
			}
		}
	}
	return out
}

// TestRealFilesHoldNoKeysAndNothingOfOneMoment emits the bodies of all skills
// and rules: whatever were found there would be an example of something.
func TestRealFilesHoldNoKeysAndNothingOfOneMoment(t *testing.T) {
	skipIfShort(t)
	manifest := strings.NewReplacer("form: index", "form: full", "kind: skills", "kind: rules").Replace(overCorpora)
	eachCorpus(t, func(t *testing.T, fsys fstest.MapFS, _ bool) {
		t.Helper()
		if got := foundIn(t, fsys, manifest, diag.SecretInText, diag.VolatileContent); len(got) > 0 {
			t.Errorf("%s", strings.Join(got, "\n"))
		}
	})
}

// TestWhereRealSkillsLeaveTheSpecification lists all that is said of the form of
// the skills. All of it is so, and none stops anybody.
func TestWhereRealSkillsLeaveTheSpecification(t *testing.T) {
	here := []string{
		`skills/written/export-table/SKILL.md: note: "allowed-tools" is a list; the specification has a text with blanks between the tools`,
	}
	there := []string{
		`skills/awesome-copilot/acquire-codebase-knowledge/SKILL.md: note: "enhancements" of the metadata is a list; the specification has texts only`,
		`skills/awesome-copilot/azure-role-selector/SKILL.md: note: "allowed-tools" is a list; the specification has a text with blanks between the tools`,
		`skills/awesome-copilot/msstore-cli/SKILL.md: note: the text has 594 lines; the Agent Skills specification advises fewer than 500`,
		`skills/awesome-copilot/qdrant-performance-optimization/SKILL.md: note: "allowed-tools" is a list; the specification has a text with blanks between the tools`,
		`skills/awesome-copilot/refactor/SKILL.md: note: the text has 639 lines; the Agent Skills specification advises fewer than 500`,
		`skills/awesome-copilot/ruby-mcp-server-generator/SKILL.md: note: the text has 655 lines; the Agent Skills specification advises fewer than 500`,
	}
	eachCorpus(t, func(t *testing.T, fsys fstest.MapFS, published bool) {
		t.Helper()
		if diff := cmp.Diff(pick(published, there, here), foundIn(t, fsys, overCorpora, diag.OutsideLimit)); diff != "" {
			t.Error(diff)
		}
	})
}

package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/review"
)

// toolWorld is a random project whose texts are about tools, in all forms.
// Some of its sections step down, and what is selected is random, too.
func toolWorld(random *rand.Rand, style string) map[string]string {
	names := []string{"ask", "browse", "copy", "delete", "exec"}
	files := map[string]string{}
	var there []string
	for _, name := range names {
		if random.IntN(4) == 0 {
			continue
		}
		there = append(there, name)
		properties := fmt.Sprintf(`"%s": {"type": "%s"}`, []string{"x", "y"}[random.IntN(2)], []string{"string", "integer"}[random.IntN(2)])
		files["tools/"+name+".json"] = fmt.Sprintf(
			`{"name": %q, "description": "Does %d things.", "inputSchema": {"type": "object", "properties": {%s}, "required": [%s]}}`,
			name, random.IntN(3), properties, []string{"", properties[:3]}[random.IntN(2)])
	}
	if len(there) == 0 {
		return toolWorld(random, style)
	}
	random.Shuffle(len(there), func(i, j int) { there[i], there[j] = there[j], there[i] })
	only := ""
	if random.IntN(2) == 0 {
		only = ", only: [" + strings.Join(there[:1+random.IntN(len(there))], ", ") + "]"
	}
	files["prompts.yaml"] = `version: 1
tokenizer: chars/4
sources:
  tools: {kind: tools, path: "tools/*.json", style: ` + style + `}
prompts:
  agent:
    axes: {form: [native, fallback, schemas, declare], small: [no, yes], dialect: [text, openai-chat]}
    dialect: "{dialect}"
    budget: {tokens: [{when: {small: yes}, value: ` + strconv.Itoa(20+random.IntN(150)) + `}, {value: 9000}]}
    sections:
      - {id: intro, text: "Work."}
      - {id: tools, source: tools, form: "{form}"` + only + `, degrade: [{form: schemas}]}
`
	return files
}

// TestEditsOfToolsSayAllThatChanged: where nothing but tools changes, edits of
// tools, and of the forms that they push sections to, say so, and reach every
// variant that sends something else.
func TestEditsOfToolsSayAllThatChanged(t *testing.T) {
	skipIfShort(t)
	random := rand.New(rand.NewPCG(12, 5))
	allowed := []review.EditKind{
		review.ToolAdded, review.ToolRemoved, review.ToolChanged, review.Moved, review.FormChanged,
		review.BudgetChanged, review.BudgetCrossed, review.FileChanged, // of a toolset in one file that is another now
	}
	for round := range 60 {
		style := []string{"moltis", "hermes", "llama", "xml", "json"}[round%5]
		base, head := toolWorld(random, style), toolWorld(random, style)
		d, _ := toolStates(t, base, head)
		p := d.Pairs[0]
		reached := ground.NewSet(len(p.Head.Variants))
		for _, e := range causes(d) {
			if !slices.Contains(allowed, e.Kind) || e.Kind == review.Moved && e.Tool == "" {
				t.Errorf("round %d, %s: %s is no edit of a tool", round, style, e.Kind)
			}
			if e.Kind == review.ToolChanged && len(e.Leaves) == 0 {
				t.Errorf("round %d: %s changed, and nothing of it did", round, e.Tool)
			}
			reached.Union(e.Reach[0].In)
		}
		if !p.Affected.SubsetOf(reached) {
			t.Errorf("round %d: %s send something else, and no edit says so", round, setcover.NewCover(p.Head).Describe(p.Affected.Minus(reached)))
		}
		mustMirror(t, d)
		if t.Failed() {
			t.Fatalf("%s\n%v\n%v", strings.Join(editLines(d), "\n"), base, head)
		}
	}
}

// mustMirror compares the same states the other way about: what came went, and
// what changed changed back.
func mustMirror(t *testing.T, d *review.Difference) {
	t.Helper()
	back, _ := pipeline.Compare(d.Head, d.Base, d.Head)
	list := func(d *review.Difference, kind review.EditKind) []string {
		var out []string
		for _, e := range d.Edits {
			if e.Kind == kind {
				out = append(out, e.Tool)
			}
		}
		slices.Sort(out)
		return out
	}
	for _, kinds := range [][2]review.EditKind{
		{review.ToolAdded, review.ToolRemoved}, {review.ToolRemoved, review.ToolAdded}, {review.ToolChanged, review.ToolChanged},
	} {
		if diff := cmp.Diff(list(d, kinds[0]), list(back, kinds[1])); diff != "" {
			t.Errorf("%s against %s of the other way about:\n%s", kinds[0], kinds[1], diff)
		}
	}
	same, found := pipeline.Compare(d.Head, d.Head, d.Head)
	if len(same.Edits) > 0 || len(found) > 0 {
		t.Errorf("a state differs from itself: %v", editLines(same))
	}
}

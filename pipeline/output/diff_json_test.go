package output_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/schema"
)

func (r *reviewed) json(t *testing.T, failOn []string, findings ...diag.Diagnostic) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return change.JSON(w, r.d, findings, change.Judge(r.d, findings, failOn), words.Options{Base: "kit"})
	})
}

// grown is the finding about growth.
func (r *reviewed) grown() diag.Diagnostic {
	return diag.New(diag.GrowthExceeded, at(r.head.manifest, "persona"), "name-and-fact", "persona", "grew by 12 tokens").WithDetail(diag.Verbatim("largest: soul")).WithHint("names", "shorten it")
}

func TestDiffJSONHasTheExactSets(t *testing.T) {
	r := newReview()
	r.soul()
	r.d.Idle = []review.Idle{{Path: "old.md", Removed: true}}
	var doc map[string]any
	if err := json.Unmarshal([]byte(r.json(t, []string{"growth"}, r.grown())), &doc); err != nil {
		t.Fatal(err)
	}
	edit := doc["changes"].([]any)[0].(map[string]any)
	want := map[string]any{
		"status": "failed", "failed_on": []any{"growth"}, "base": map[string]any{"name": "HEAD", "manifest": true},
		"affected": []any{"persona/entry=full,tools=native", "persona/entry=full,tools=fallback", "core"}, "removed": []any{},
		"events": []any{
			map[string]any{
				"event": "system-prompt-updated", "prompt": "persona", "in": 2.0, "of": 5.0, "set": "entry=full",
				"variants": []any{"persona/entry=full,tools=native", "persona/entry=full,tools=fallback"}, "removed": []any{}, "changes": []any{0.0},
			},
			map[string]any{
				"event": "system-prompt-updated", "prompt": "core", "in": 1.0, "of": 1.0, "set": "all",
				"variants": []any{"core"}, "removed": []any{}, "changes": []any{0.0},
			},
		},
		"idle": []any{map[string]any{"path": "kit/old.md", "status": "removed"}},
	}
	for name, value := range want {
		if d := cmp.Diff(value, doc[name]); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	wantReach := []any{
		map[string]any{
			"prompt": "persona", "in": 2.0, "of": 5.0, "set": "entry=full",
			"variants": []any{"persona/entry=full,tools=native", "persona/entry=full,tools=fallback"},
			"tokens": map[string]any{
				"min": 3.0, "max": 3.0,
				"variants": map[string]any{"persona/entry=full,tools=native": 3.0, "persona/entry=full,tools=fallback": 3.0},
			},
			"missed": []any{map[string]any{
				"cause": "when", "count": 3.0, "set": "all but entry=full",
				"variants": []any{"persona/entry=simple,tools=native", "persona/entry=simple,tools=fallback", "persona/entry=minimal,tools=none"},
			}},
		},
		map[string]any{
			"prompt": "core", "in": 1.0, "of": 1.0, "set": "all", "variants": []any{"core"},
			"tokens": map[string]any{"min": 3.0, "max": 3.0, "variants": map[string]any{"core": 3.0}}, "missed": []any{},
		},
	}
	if d := cmp.Diff(wantReach, edit["reach"]); d != "" {
		t.Errorf("reach (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]any{"file": "kit/sources/persona/SOUL.md", "line": 12.0, "column": 1.0, "end_line": 12.0, "end_column": 11.0}, edit["source"]); d != "" {
		t.Errorf("source (-want +got):\n%s", d)
	}
}

// What is no more is counted among the variants of the base.
func TestDiffJSONKeepsTheSidesApart(t *testing.T) {
	r := newReview()
	r.pair.Gone.Add(4)
	e := r.add(review.Edit{Kind: review.ToolRemoved, Tool: "exec", Event: review.ToolsUpdated, InBase: true, At: at(r.base.manifest, "Hello")}, r.reach(0), r.was(4))
	e.Reach[1].Tokens = map[int]int{4: -7}
	var doc struct {
		Removed []string
		Events  []struct{ Variants, Removed []string }
		Changes []struct {
			Prompts []string
			InBase  bool `json:"in_base"`
			Reach   []struct {
				OfBase bool `json:"of_base"`
				Set    string
			}
		}
	}
	if err := json.Unmarshal([]byte(r.json(t, nil)), &doc); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"persona/entry=minimal,tools=none"}, doc.Removed); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]struct{ Variants, Removed []string }{{[]string{"persona/entry=full,tools=native"}, []string{"persona/entry=minimal,tools=none"}}}, doc.Events); d != "" {
		t.Error(d)
	}
	c := doc.Changes[0]
	if len(c.Prompts) != 1 || !c.InBase || c.Reach[0].OfBase || !c.Reach[1].OfBase || c.Reach[1].Set != "entry=minimal" {
		t.Errorf("%+v", c)
	}
}

func TestDiffJSONObeysItsSchema(t *testing.T) {
	compiled := diffSchema(t)
	for name, r := range map[string]*reviewed{"nothing": newReview(), "everything": everything(), "stopped": stopped(), "no manifest": borrowing(2)} {
		t.Run(name, func(t *testing.T) {
			text := r.json(t, change.FailOns(), r.grown())
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			var value any
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(value); err != nil {
				t.Errorf("%#v\n%s", err, text)
			}
			if again := r.json(t, change.FailOns(), r.grown()); again != text {
				t.Error("the same difference gives other bytes")
			}
		})
	}
}

func diffSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Read("diff")
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is foreign", url) }
	const id = "https://github.com/promptc-build/promptc/schema/diff.schema.json"
	if err := c.AddResource(id, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	out, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everything has an edit of each kind, and of all else some.
func everything() *reviewed {
	r := newReview()
	r.soul().Also = inFiles(3)
	for i, c := range kinds(r) {
		c.reach.Pair = r.pair
		c.edit.Event = review.Events()[i%len(review.Events())]
		if c.reach.OfBase {
			c.edit.InBase, c.edit.At = true, at(r.base.manifest, "Hello")
		}
		for cause := review.CauseWhen; cause <= review.CauseOther; cause++ {
			c.reach.Missed = append(c.reach.Missed, review.Missed{Cause: cause, Why: "why", Set: five(i % 5)})
		}
		r.add(c.edit, c.reach)
	}
	r.add(review.Edit{Kind: review.ToolChanged, Tool: "exec", Leaves: []review.Leaf{{Steps: stepsTo("a"), To: "1"}, {Steps: stepsTo("b"), From: "1"}}}, r.other())
	r.pair.Gone.Add(2)
	r.d.Idle = []review.Idle{{Path: "a.md", At: at(r.head.manifest, "Hello")}, {Path: "b.md", Added: true}, {Path: "c.md", Removed: true}}
	r.head.build.Variants[1].Budget = language.Limits{Tokens: 10, Chars: 20, ToolTokens: -1}
	return r
}

// stopped is what there is where the head does not compile.
func stopped() *reviewed {
	r := newReview()
	r.head.result.Stopped = true
	r.d = &review.Difference{Base: review.Side{Name: "HEAD"}, Head: r.d.Head}
	return r
}

// borrowing is the difference to a base without a manifest, which lacks some
// things.
func borrowing(lacks int) *reviewed {
	r := newReview()
	r.base.result.Tree = &language.Tree{Borrowed: true}
	for range lacks {
		r.base.result.Lacks = append(r.base.result.Lacks, diag.New(diag.NoFile, diag.Whole(&diag.File{Path: "prompts.yaml", Text: "a.md"}), "matches-no-file", "a.md"))
	}
	return r
}

// The schema's lists are those of the tables.
func TestDiffSchemaKnowsEveryWord(t *testing.T) {
	text, err := schema.Read("diff")
	if err != nil {
		t.Fatal(err)
	}
	type list struct{ Enum []string }
	var doc struct {
		Properties struct {
			FailedOn struct{ Items list } `json:"failed_on"`
		}
		Definitions struct {
			EventName list
			Change    struct{ Properties struct{ Kind list } }
			Missed    struct{ Properties struct{ Cause list } }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var kinds, causes, events []string
	for _, k := range review.EditKinds() {
		kinds = append(kinds, k.String())
	}
	for c := review.CauseWhen; c <= review.CauseOther; c++ {
		causes = append(causes, c.String())
	}
	for _, e := range review.Events() {
		events = append(events, string(e))
	}
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"kinds", doc.Definitions.Change.Properties.Kind.Enum, kinds},
		{"causes", doc.Definitions.Missed.Properties.Cause.Enum, causes},
		{"events", doc.Definitions.EventName.Enum, events},
		{"failed_on", doc.Properties.FailedOn.Items.Enum, change.FailOns()},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

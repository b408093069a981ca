package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

func TestWhatIsEmptyInAFixtureIsNotThere(t *testing.T) {
	var places []string
	for _, key := range []string{"workspace", "selected", "tiers", "symbols", "legend", "history", "urls", "review", "images"} {
		places = append(places, fmt.Sprintf(`{"prompt": "x", %q: EMPTY}`, key))
	}
	for i := range language.Tiers {
		places = append(places, fmt.Sprintf(`{"prompt": "x", "tiers": {"L%d": EMPTY}}`, i))
	}
	for _, key := range []string{"summary", "commits", "stats", "symbols", "diffs"} {
		places = append(places, fmt.Sprintf(`{"prompt": "x", "review": {%q: EMPTY}}`, key))
	}
	places = append(places, `{"prompt": "x", "review": {"summary": EMPTY, "commits": EMPTY, "diffs": EMPTY}, "tiers": {"L0": EMPTY, "L3": EMPTY}}`)
	for _, place := range places {
		for _, empty := range []string{"null", `""`, "[]", "{}", "~", "''", "# nothing\n  "} {
			file := "talk.yaml"
			if strings.ContainsAny(empty, `n"[{`) && !strings.HasPrefix(empty, "#") {
				file = "talk.json"
			}
			text := strings.ReplaceAll(place, "EMPTY", empty)
			got, found := talk(t, file, text)
			if len(found) > 0 {
				t.Errorf("%s:\n%s", text, report(found))
				continue
			}
			got.Doc = nil
			if diff := cmp.Diff(&language.Conversation{Prompt: ground.Literal("x")}, got, bare); diff != "" {
				t.Errorf("%s (-want +got):\n%s", text, diff)
			}
		}
	}
	for _, key := range []string{"title", "content", "symbols"} {
		for _, empty := range []string{"null", `""`, "[]", "{}"} {
			got, found := talk(t, "talk.json", fmt.Sprintf(`{"prompt": "x", "urls": [{"url": "u", %q: %s}]}`, key, empty))
			if len(found) > 0 {
				t.Errorf("%s: %s:\n%s", key, empty, report(found))
				continue
			}
			if diff := cmp.Diff([]language.Page{{URL: ground.Literal("u")}}, got.URLs, bare); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", key, empty, diff)
			}
		}
	}
}

// TestSchemaOfFixturesTakesWhatIsEmpty holds because editors know the schema
// alone.
func TestSchemaOfFixturesTakesWhatIsEmpty(t *testing.T) {
	compiled, err := jsonschema.CompileString("conversation.schema.json", string(schemaText(t, "conversation")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		fine bool
	}{
		{`{"prompt": "x", "workspace": "", "selected": null, "tiers": {"L0": [], "L1": null}, "symbols": [], "legend": {}, "history": "", "urls": null, "images": ""}`, true},
		{`{"prompt": "x", "review": {"summary": "", "commits": [], "stats": {}, "symbols": null, "diffs": ""}, "urls": [{"url": "u", "title": null, "content": "", "symbols": {}}]}`, true},
		{`{"prompt": "x", "tiers": {}, "review": {}}`, true},
		{`{"prompt": "x", "legend": " "}`, false},
		{`{"prompt": ""}`, false},
		{`{"prompt": "x", "symbols": {"a": ""}}`, false},
		{`{"prompt": "x", "history": [{"role": "user", "content": ""}]}`, false},
	} {
		var value any
		if err := json.Unmarshal([]byte(c.text), &value); err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); (err == nil) != c.fine {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

func TestWhatMustSaySomethingMayNotBeEmpty(t *testing.T) {
	for _, text := range []string{
		`{"prompt": EMPTY}`, `{"prompt": "x", "history": [{"role": "user", "content": EMPTY}]}`, `{"prompt": "x", "symbols": {"a.go": EMPTY}}`,
		`{"prompt": "x", "urls": [{"url": EMPTY}]}`, `{"prompt": "x", "review": {"diffs": {"a.go": EMPTY}}}`, `{"prompt": "x", "review": {"diffs": [EMPTY]}}`,
		`{"prompt": "x", "review": {"commits": [EMPTY]}}`, `{"prompt": "x", "review": {"stats": [EMPTY]}}`, `{"prompt": "x", "review": {"symbols": {"a": EMPTY}}}`,
		`{"prompt": "x", "review": {"diffs": [{"path": "a", "diff": EMPTY}]}}`,
	} {
		for _, empty := range []string{"null", `""`, `" \n "`} {
			if _, found := talk(t, "talk.json", strings.ReplaceAll(text, "EMPTY", empty)); len(found) != 1 || !found.HasErrors() {
				t.Errorf("%s with %s:\n%s", text, empty, report(found))
			}
		}
	}
	for _, key := range []string{`"legend": BLANK`, `"workspace": BLANK`, `"review": {"summary": BLANK}`, `"review": {"diffs": BLANK}`, `"urls": [{"url": "u", "title": BLANK}]`, `"selected": [BLANK]`} {
		for _, blank := range []string{`" \n "`, "\"\u00a0\""} {
			if _, found := talk(t, "talk.json", `{"prompt": "x", `+strings.ReplaceAll(key, "BLANK", blank)+`}`); !found.HasErrors() {
				t.Errorf("%s with %s: nothing was found", key, blank)
			}
		}
	}
}

func TestReviewsAreWrittenInSeveralWays(t *testing.T) {
	literal := ground.Literal
	for _, c := range []struct {
		review string
		want   *language.Review
	}{
		{`{diffs: "\n+a\n"}`, &language.Review{Diffs: []language.Diff{{Text: literal("+a")}}}},
		{`{diffs: [b, {path: z.go, diff: "a\n"}, {path: , diff: c}, {path: a.go, diff: d}]}`, &language.Review{Diffs: []language.Diff{
			{Text: literal("b")}, {Path: word("z.go"), Text: literal("a")}, {Text: literal("c")}, {Path: word("a.go"), Text: literal("d")},
		}}},
		{`{symbols: {b.go: "\nB\n", a.go: A}}`, &language.Review{Symbols: literal("A\n\nB")}},
		{`{symbols: S, stats: [1 file, 2 lines]}`, &language.Review{Symbols: literal("S"), Stats: literal("1 file\n2 lines")}},
	} {
		got, found := talk(t, "talk.yaml", "prompt: x\nreview: "+c.review+"\nurls: [{url: u, symbols: {b: B, a: A}}]\n")
		if len(found) > 0 {
			t.Errorf("%s:\n%s", c.review, report(found))
			continue
		}
		if diff := cmp.Diff(c.want, got.Review, bare); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.review, diff)
		}
		if s := got.URLs[0].Symbols.Str; s != "A\n\nB" {
			t.Errorf("the symbols of the page are %q", s)
		}
	}
}

func TestWorkspacesStayAsTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		written string
		fine    bool
	}{
		{"ws", true},
		{"ws/", true},
		{"./ws", true},
		{"./ws/", true},
		{"ws//", true},
		{".", true},
		{"./", true},
		{"././ws", false},
		{"a//ws", false},
		{"a/../ws", false},
		{"..", false},
		{"./..", false},
		{"../ws/", false},
		{"/ws", false},
		{"/", false},
		{".git/", false},
	} {
		got, found := talk(t, "talk.yaml", "prompt: x\nworkspace: "+c.written+"\n")
		if fine := len(found) == 0; fine != c.fine || got.Workspace.Str != c.written {
			t.Errorf("%q is %q\n%s", c.written, got.Workspace.Str, report(found))
		}
	}
}

package pipeline_test

import (
	"context"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// setting is a project with a note of resolve, a warning of compose for each
// variant, one of lint, and rows for all of them.
func setting(level string) fstest.MapFS {
	row := func(code string) string {
		return "  - {code: " + code + ", level: " + level + ", reason: it is meant}\n"
	}
	return testproject.Of(
		"prompts.yaml", "version: 1\nchecks:\n"+row("PC3011")+row("PC5004")+row("PC6003")+`sources:
  role: {path: "role/{style}.md", fallback: role.md}
prompts:
  agent:
    axes: {style: [terse, plain]}
    budget: {tokens: 10, warn_at: 10%}
    sections: [{id: role, source: role}]
`,
		"role.md", "You are an agent.\n",
	)
}

// entries are all ways into the pipeline, and whether they look at every
// variant.
var entries = []struct {
	name  string
	every bool
	run   func(context.Context, fs.FS) (*prompt.Result, error)
}{
	{"Built", true, compiles(pipeline.Request{})},
	{"Compared", true, compiles(pipeline.Request{Until: pipeline.Compared})},
	{"Snapshots", true, compiles(pipeline.Request{Until: pipeline.Snapshots})},
	{"Composed", true, compiles(pipeline.Request{Until: pipeline.Composed})},
	{"Chosen", false, compiles(pipeline.Request{
		Until:  pipeline.Composed,
		Choose: func(p *assembly.Plan) ([]*assembly.Variant, error) { return p.Builds[0].Variants[:1], nil },
	})},
	{"Review, base", true, func(ctx context.Context, f fs.FS) (*prompt.Result, error) {
		made, err := reviewed(ctx, f, pipeline.Composed)
		return made.Base.Result, err
	}},
	{"Review, head", true, func(ctx context.Context, f fs.FS) (*prompt.Result, error) {
		made, err := reviewed(ctx, f, pipeline.Snapshots)
		return made.Head.Result, err
	}},
}

func compiles(q pipeline.Request) func(context.Context, fs.FS) (*prompt.Result, error) {
	return func(ctx context.Context, f fs.FS) (*prompt.Result, error) {
		q.Files, q.Manifest = f, "prompts.yaml"
		return pipeline.Compile(ctx, q)
	}
}

func reviewed(ctx context.Context, f fs.FS, until pipeline.Until) (*pipeline.Reviewed, error) {
	base := pipeline.Request{Files: f, Manifest: "prompts.yaml", Until: pipeline.Composed}
	head := base
	head.Until = until
	return pipeline.Review(ctx, base, head, pipeline.Policy{})
}

func TestSettingsHoldWhoeverCompiles(t *testing.T) {
	for _, e := range entries {
		t.Run(e.name, func(t *testing.T) {
			off := result(t, e.run, setting("off"))
			if len(off.Findings) > 0 {
				t.Errorf("off: %s", sayings(off.Findings))
			}
			want := []diag.Code{diag.FallbackUsed, diag.NearBudget, diag.NearBudget, diag.DeadAxis}
			if !e.every {
				want = want[:2]
			}
			var got []diag.Code
			for _, s := range off.Off {
				got = append(got, s.Finding.Code)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("off are %v, want %v", got, want)
			}
			raised := result(t, e.run, setting("error"))
			if n := raised.Findings.Count(diag.Error); n != len(want) || raised.Stopped || raised.Artifacts == nil {
				t.Errorf("as errors: %s", sayings(raised.Findings))
			}
		})
	}
}

func TestRowsAreIdleOnlyWhereAllWasSeen(t *testing.T) {
	f := setting("off")
	f["role/terse.md"] = &fstest.MapFile{Data: []byte("You are terse.\n")}
	f["role/plain.md"] = &fstest.MapFile{Data: []byte("You are a plain agent.\n")}
	for _, e := range entries {
		idle := result(t, e.run, f).Findings
		if want := map[bool]int{true: 2}[e.every]; len(idle) != want || idle.Count(diag.Warning) != want {
			t.Errorf("%s: %s", e.name, sayings(idle))
		}
	}
}

// TestErrorsEndARunWhateverSettingsSay looks at a run that ends early: warnings
// of it are still off, errors of meaning are not, and no row is idle.
func TestErrorsEndARunWhateverSettingsSay(t *testing.T) {
	f := setting("off")
	f["prompts.yaml"].Data = append(f["prompts.yaml"].Data, "  other: {sections: [{id: a, source: rolle}]}\n"...)
	for _, e := range entries {
		if e.name == "Review, base" {
			continue // has no result beside a head that does not compile
		}
		r := result(t, e.run, f)
		if !r.Stopped || len(r.Findings) != 1 || r.Findings[0].Code != diag.UnknownSource || len(r.Off) != 1 {
			t.Errorf("%s: stopped %v, off %d: %s", e.name, r.Stopped, len(r.Off), sayings(r.Findings))
		}
	}
}

// TestSettingsOfARefusedRequest converts to a dialect that does not take the
// tool's name: an error that may be taken back.
func TestSettingsOfARefusedRequest(t *testing.T) {
	const manifest = `version: 1
sources: {tools: {kind: tools, path: tool.json}}
prompts: {agent: {sections: [{id: role, text: You are an agent.}, {id: tools, source: tools}]}}
`
	for _, tc := range []struct {
		row            string
		shown, refused int
		artifact       bool
	}{
		{"", 1, 1, false},
		{"checks: [{code: PC6013, level: warn}]\n", 1, 0, true},
		{"checks: [{code: PC6013, level: off, reason: the server takes it}]\n", 0, 0, true},
		{"checks: [{code: PC6013, level: off, paths: other.json, reason: no}]\n", 1, 1, false},
	} {
		f := testproject.Of(
			"prompts.yaml", manifest+tc.row,
			"tool.json", `{"name": "files.read", "description": "Read a file.", "inputSchema": {"type": "object"}}`,
		)
		r := result(t, entries[0].run, f)
		a, found := pipeline.WithDialect(r, r.Artifacts[0], "openai-chat")
		if (a != nil) != tc.artifact || len(found) != tc.shown || found.Count(diag.Error) != tc.refused {
			t.Errorf("%q: %v, %s", tc.row, a != nil, sayings(found))
		}
	}
}

// A file of two prompts is not silenced for one of them by a row about the
// other.
func TestFindingsNameEveryPromptThatTheyAreAbout(t *testing.T) {
	f := testproject.Of(
		"prompts.yaml", `version: 1
prompts:
  one: {axes: {size: [small, large]}, sections: [{id: guide, path: guide.md}]}
  two: {sections: [{id: guide, path: guide.md}]}
`,
		"guide.md", "Notes of 2026-03-27T09:00:00Z.\n",
	)
	r := testproject.Compile(t, f, pipeline.Composed)
	var got [][]string
	for _, d := range r.Findings {
		if d.Code == diag.VolatileContent {
			got = append(got, d.Prompts)
		}
	}
	if want := [][]string{{"one", "two"}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("prompts of the findings: %v, want %v", got, want)
	}
}

func result(t *testing.T, run func(context.Context, fs.FS) (*prompt.Result, error), f fs.FS) *prompt.Result {
	t.Helper()
	r, err := run(t.Context(), f)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	return r
}

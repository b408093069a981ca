package pipeline_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/tests/testproject"
)

// fourVariants is a project of four variants, with artifacts.
func fourVariants() map[string]string {
	return map[string]string{
		"prompts.yaml": "version: 1\nartifacts: dist\nsources: {own: {kind: text, path: '{a}.md', fallback: [other.md]}}\nprompts:\n" +
			"  p:\n    axes: {a: [x, y], b: [one, two]}\n    sections:\n      - {id: own, source: own}\n" +
			"      - {id: b, text: Only one., when: {b: one}}\n",
		"x.md": "The text of x.\n", "other.md": "Another text.\n",
	}
}

// Who only compares is told the same as who builds, but for artifacts that
// were never built.
func TestACheckSaysWhatACompileSaysWithoutUnbuiltArtifacts(t *testing.T) {
	dir := filesIn(t, fourVariants())
	fsys, err := load.Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	check := func() (*prompt.Result, *prompt.Result) {
		t.Helper()
		full := testproject.Compile(t, fsys, pipeline.Built)
		r := testproject.Compile(t, fsys, pipeline.Compared)
		if r.Delta.Artifacts.Have != full.Delta.Artifacts.Have || r.Delta.Artifacts.Folder != "dist" || len(r.Delta.Snapshots) != len(full.Delta.Snapshots) {
			t.Errorf("another delta: %+v", r.Delta)
		}
		if len(r.Findings) == 0 || fmt.Sprint(messages(r)) != fmt.Sprint(messages(full)) {
			t.Errorf("other findings: %v, compiled %v", r.Findings, full.Findings)
		}
		return full, r
	}
	full, r := check()
	if len(r.Delta.Artifacts.Changes) != 0 || len(full.Delta.Artifacts.Changes) == 0 {
		t.Errorf("%d artifacts were wanted for nothing, %d compiled", len(r.Delta.Artifacts.Changes), len(full.Delta.Artifacts.Changes))
	}
	if err := pipeline.Commit(dir, full, snapshot.Snapshots|snapshot.Artifacts); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(dir, "dist", "p", "a=y,b=two.txt")) // bytes that a build wrote
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dist", "p", "a=x,b=one.txt"), other, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, r = check(); len(r.Delta.Artifacts.Changes) != 1 {
		t.Errorf("%d stale artifacts", len(r.Delta.Artifacts.Changes))
	}
}

func messages(r *prompt.Result) []string {
	var out []string
	for _, d := range r.Findings {
		out = append(out, string(d.Code)+wording.Message(d))
	}
	return out
}

// A variant that is composed alone is the one that is composed among others.
func TestAVariantComposedAloneIsTheSame(t *testing.T) {
	skipIfShort(t)
	fsys := testproject.Ourselves(t)
	all := testproject.Compile(t, fsys, pipeline.Composed)
	for i, want := range all.Artifacts {
		if i%7 != 0 {
			continue
		}
		r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml", Until: pipeline.Composed, Choose: func(p *assembly.Plan) ([]*assembly.Variant, error) {
			for _, b := range p.Builds {
				for _, v := range b.Variants {
					if v.Name == want.Variant.Name {
						return []*assembly.Variant{v}, nil
					}
				}
			}
			return nil, errors.New("no such variant")
		}})
		if err != nil || len(r.Artifacts) != 1 {
			t.Fatal(err, len(r.Artifacts))
		}
		got := r.Artifacts[0]
		if got.Text() != want.Text() || got.Tokens != want.Tokens || got.Use != want.Use || got.ToolTokens != want.ToolTokens || got.Chars != want.Chars {
			t.Errorf("%s: another artifact alone", want.Variant.Name)
		}
	}
}

// Variants that are alike for a section share what was decided, and each is
// named all the same.
func TestAFallbackNamesEveryVariantThatItStandsInFor(t *testing.T) {
	fsys, err := load.Dir(filesIn(t, fourVariants()))
	if err != nil {
		t.Fatal(err)
	}
	r := testproject.Compile(t, fsys, pipeline.Composed)
	if len(r.Findings) != 1 || !cmp.Equal(wording.Detail(r.Findings[0]), []string{"in 2 of 4 of p: a=y"}) {
		t.Errorf("findings %+v", r.Findings)
	}
}

// Names are given in the order of the variants, and nothing is composed for them.
func TestNamesAreNotComposed(t *testing.T) {
	fsys := testproject.Ourselves(t)
	all := testproject.Compile(t, fsys, pipeline.Composed)
	named, err := pipeline.Compile(t.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml", Until: pipeline.Named, Choose: func(p *assembly.Plan) ([]*assembly.Variant, error) {
		var out []*assembly.Variant
		for _, b := range p.Builds {
			out = append(out, b.Variants...)
		}
		return out, nil
	}})
	if err != nil || len(named.Artifacts) != len(all.Artifacts) {
		t.Fatal(err, len(named.Artifacts))
	}
	for i, a := range named.Artifacts {
		if a.Variant.Name != all.Artifacts[i].Variant.Name || a.Bytes() > 0 {
			t.Errorf("%s with %d bytes, want %s with none", a.Variant.Name, a.Bytes(), all.Artifacts[i].Variant.Name)
		}
	}
}

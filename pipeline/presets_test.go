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

// TestListingsAreMeasuredAsAWhole: thirty skills fit where only their names are
// listed.
func TestListingsAreMeasuredAsAWhole(t *testing.T) {
	fsys := testproject.Of("prompts.yaml", `version: 1
sources:
  skills: {kind: skills, path: "skills/*/SKILL.md", limits: [openclaw, moltis, claude-code]}
prompts:
  agent:
    axes: {listing: [full, names]}
    sections: [{id: skills, source: skills, form: "{listing}"}]
`)
	for i := range 30 {
		name := fmt.Sprintf("skill-%d", i)
		text := "---\nname: " + name + "\ndescription: " + strings.Repeat("Reads a file. ", 48) + "\n---\nRead it.\n"
		fsys["skills/"+name+"/SKILL.md"] = &fstest.MapFile{Data: []byte(text)}
	}
	r := testproject.Compile(t, fsys, pipeline.Built)
	var got []string
	for _, d := range r.Findings {
		got = append(got, fmt.Sprintf("%s %s %s %q %v", d.Level, d.Code, wording.Message(d), strings.Join(wording.Detail(d), "\n"), d.Prompts))
	}
	want := []string{
		`warning PC6038 the listing in "skills" of "agent" has 22,675 characters, and OpenClaw takes 18,000 "in 1 of 2 variants: listing=full" [agent]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if d := r.Findings[0]; d.Span.File.Text[d.Span.Start:d.Span.End] != "openclaw" {
		t.Errorf("placed at %q", d.Span.File.Text[d.Span.Start:d.Span.End])
	}
	if r.Findings.Count(diag.Error) > 0 {
		t.Error("an error")
	}
}

// TestListingsOfSeveralSectionsCountTogether: each half of the skills fits, and both
// together do not.
func TestListingsOfSeveralSectionsCountTogether(t *testing.T) {
	fsys := testproject.Of("prompts.yaml", `version: 1
sources:
  ours: {kind: skills, path: "ours/*/SKILL.md", limits: [moltis, openclaw]}
  theirs: {kind: skills, path: "theirs/*/SKILL.md", limits: [openclaw]}
  unlimited: {kind: skills, path: "more/*/SKILL.md"}
prompts:
  agent:
    axes: {theirs: [out, in]}
    sections:
      - {id: ours, source: ours}
      - {id: unlimited, source: unlimited}
      - {id: theirs, source: theirs, when: {theirs: in}}
`)
	for i := range 45 {
		name := fmt.Sprintf("skill-%d", i)
		folder := []string{"ours/", "theirs/", "more/"}[i%3]
		text := "---\nname: " + name + "\ndescription: " + strings.Repeat("Reads a file. ", 48) + "\n---\nRead it.\n"
		fsys[folder+name+"/SKILL.md"] = &fstest.MapFile{Data: []byte(text)}
	}
	r := testproject.Compile(t, fsys, pipeline.Built)
	var got []string
	for _, d := range r.Findings {
		got = append(got, fmt.Sprintf("%v %s %s %q", d.Span.Start, d.Code, wording.Message(d), strings.Join(wording.Detail(d), "\n")))
	}
	want := []string{
		`157 PC6038 the listings in "ours", "theirs" of "agent" have 22,786 characters together, and OpenClaw takes 18,000 "in 1 of 2 variants: theirs=in"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

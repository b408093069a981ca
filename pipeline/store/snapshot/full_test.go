package snapshot_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

func TestAVariantsOwnNameIsThatVariant(t *testing.T) {
	in := world(texts([]string{"mode=a*,b", "goal=none*,active"}, func(at) string { return "x" }))
	for name, want := range map[string]int{"p": 1, "p/mode=b": 1, "p/goal=active,mode=b": 1, "p/mode=a": 2, "p/all": 4} {
		in.Plan.Spec.Snapshots.Full = []ground.Word{{Str: name}}
		delta, found := compare(t, fstest.MapFS{}, in)
		got := 0
		for _, o := range delta.Wanted {
			if o.Owner.Kind == assembly.OutFull {
				got++
			}
		}
		if got != want || len(found) > 0 {
			t.Errorf("%s: %d variants, want %d; %v", name, got, want, found)
		}
	}
}

func TestFullVariants(t *testing.T) {
	in := world(persona(), draft{id: "plain", sections: []section{always("s", "S")}})
	file := in.Plan.Spec.File
	list := func(words ...string) {
		for i, w := range words {
			in.Plan.Spec.Snapshots.Full = append(in.Plan.Spec.Snapshots.Full, ground.Word{Str: w, At: diag.Span{File: file, Start: i, End: i + 1}})
		}
	}
	list("persona/tools=native,entry=full", "persona/entry=simple", "plain")
	delta, found, err := run(fstest.MapFS{}, in)
	if err != nil || delta == nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	var got []string
	for _, o := range delta.Wanted {
		if o.Owner.Kind == assembly.OutFull {
			got = append(got, o.Path)
		}
	}
	want := []string{
		"snapshots/persona/full/entry=full,tools=native.txt", "snapshots/persona/full/entry=simple,tools=fallback.txt",
		"snapshots/persona/full/entry=simple,tools=native.txt", "snapshots/plain/full/plain.txt",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	list("persona/entry=ful", "persna", "plain/x=1", "persona/entry=minimal,tools=native",
		"persona/entry", "persona/entry=")
	if delta, found, err = run(fstest.MapFS{}, in); err != nil || delta != nil {
		t.Fatal("not refused", err)
	}
	var lines []string
	for _, d := range found {
		lines = append(lines, string(d.Code)+" "+wording.Message(d)+" | "+wording.Hint(d))
	}
	wantLines := []string{
		`PC7005 "persona/entry=ful" names no variant: axis "entry" has no value "ful" | did you mean "full"?`,
		`PC7005 "persna" names no variant: there is no prompt "persna" | did you mean "persona"?`,
		`PC7005 "plain/x=1" names no variant: there is no axis "x" | run: promptc list plain`,
		`PC7005 "persona/entry=minimal,tools=native" names no variant that is built | run: promptc list persona`,
		`PC7005 "persona/entry" names no variant: "entry" is not of the form axis=value | run: promptc list persona`,
		`PC7005 "persona/entry=" names no variant: axis "entry" has no value "" | run: promptc list persona`,
	}
	if diff := cmp.Diff(wantLines, lines); diff != "" {
		t.Error(diff)
	}
}

func TestAnUnknownFullVariantRefusesTheBuild(t *testing.T) {
	in := world(persona())
	in.Plan.Spec.Snapshots.Full = []ground.Word{{Str: "persona/entry=full"}, {Str: "persona/entry=ful"}}
	stray := testproject.Of("snapshots/README.md", "<!-- promptc snapshots -->\n", "snapshots/mine.doc", "x")
	delta, found, err := run(stray, in)
	if delta != nil || err != nil {
		t.Errorf("got a delta, or %v", err)
	}
	var codes []string
	for _, d := range found {
		codes = append(codes, string(d.Code))
	}
	if diff := cmp.Diff([]string{"PC7003", "PC7005"}, codes); diff != "" {
		t.Error(diff)
	}
}

package output_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// inFiles gives places in several files, one a file.
func inFiles(n int) []diag.Span {
	var out []diag.Span
	for i := range n {
		f := &diag.File{Path: fmt.Sprintf("templates/m%d.md", i), Text: "one\ntwo\n"}
		out = append(out, diag.Span{File: f, Start: 4, End: 7})
	}
	return out
}

// TestDiffNamesTheOtherPlacesOfAnEdit holds that an edit of several files says
// so beside its first place, and that programs get all of them.
func TestDiffNamesTheOtherPlacesOfAnEdit(t *testing.T) {
	within := inFiles(1)
	within = append(within, diag.Span{File: within[0].File, Start: 0, End: 3})
	twice := inFiles(2)
	twice = append(twice, diag.Span{File: twice[1].File, Start: 0, End: 3})
	for _, tt := range []struct {
		name     string
		places   []diag.Span
		inBase   bool
		text     string
		markdown string
		notice   string
	}{
		{"one place", inFiles(1), false, "kit/templates/m0.md:2   +3 tokens", "text changed: `kit/templates/m0.md:2`\n", "changed   +3"},
		{
			"one more file", inFiles(2), false, "kit/templates/m0.md:2 and kit/templates/m1.md:2   +3 tokens",
			"text changed: `kit/templates/m0.md:2` and `kit/templates/m1.md:2`\n", "changed, here and in kit/templates/m1.md:2   +3",
		},
		{
			"twice in one more file", twice, false, "kit/templates/m0.md:2 and kit/templates/m1.md:2   +3 tokens",
			"text changed: `kit/templates/m0.md:2` and `kit/templates/m1.md:2`\n", "changed, here and in kit/templates/m1.md:2   +3",
		},
		{
			"many files", inFiles(12), false, "kit/templates/m0.md:2 and 11 more files   +3 tokens",
			"text changed: `kit/templates/m0.md:2` and 11 more files\n", "changed, here and in 11 more files   +3",
		},
		{
			"many files that are no more", inFiles(12), true, "kit/templates/m0.md:2 and 11 more files in HEAD   +3 tokens",
			"text changed: `kit/templates/m0.md:2` and 11 more files in `HEAD`\n", "changed   +3",
		},
		{"twice in the same file", within, false, "kit/templates/m0.md:2 and 1 more place   +3 tokens", "text changed: `kit/templates/m0.md:2` and 1 more place\n", "changed, here and in 1 more place   +3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReview()
			r.add(review.Edit{
				Kind: review.TextChanged, Section: "soul", At: tt.places[0], Also: tt.places[1:], InBase: tt.inBase,
			}, r.sized(map[int]int{0: 3}))
			opt := words.Options{Base: "kit"}
			if got := r.text(t, opt); !strings.Contains(got, "  "+tt.text+"\n  affects") && !strings.Contains(got, "  "+tt.text+"   affects") {
				t.Errorf("%q is not in\n%s", tt.text, got)
			}
			if got := r.markdown(t, opt); !strings.Contains(got, tt.markdown) {
				t.Errorf("%q is not in\n%s", tt.markdown, got)
			}
			if got := r.github(t, opt); !strings.Contains(got, tt.notice) {
				t.Errorf("%q is not in\n%s", tt.notice, got)
			}
			var doc struct {
				Changes []struct{ Also []struct{ File string } }
			}
			if err := json.Unmarshal([]byte(r.json(t, nil)), &doc); err != nil {
				t.Fatal(err)
			}
			var want, got []string
			for _, at := range tt.places[1:] {
				want = append(want, "kit/"+at.File.Path)
			}
			for _, at := range doc.Changes[0].Also {
				got = append(got, at.File)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// The file that a text comes from now is named once.
func TestDiffNamesTheNewFileOnce(t *testing.T) {
	r := newReview()
	one := inFiles(1)[0]
	for _, to := range []review.FoundFile{{Path: "templates/m0.md"}, {Path: "templates/m0.md", Origin: assembly.FromFallback}, {Path: "templates/m0.md.old"}} {
		r.add(review.Edit{Kind: review.FileChanged, Section: "soul", Was: review.Files{{Path: "a.md"}}, Is: review.Files{to}, At: one}, r.reach(0))
	}
	_, got, _ := strings.Cut(strings.ReplaceAll(r.text(t, words.Options{}), "  affects 1 of 5: entry=full,tools=native\n", ""), "\n\n")
	equal(t, got, `1  persona  soul  file a.md → templates/m0.md
2  persona  soul  file a.md → templates/m0.md (fallback)
3  persona  soul  file a.md → templates/m0.md.old   templates/m0.md:2
`)
	if got := r.text(t, words.Options{Base: "kit"}); strings.Count(got, "kit/templates/m0.md:2") != 3 {
		t.Errorf("where paths begin with a folder, the place is more than the name\n%s", got)
	}
}

// A tool whose schema all send, and which the text of some does not name.
func TestDiffNamesTheTextsThatDoNotNameANewTool(t *testing.T) {
	r := newReview()
	reach := r.sized(map[int]int{0: 20, 1: 20, 2: 24, 3: 24})
	reach.Missed = []review.Missed{{Cause: review.CauseUnnamed, Set: five(2, 3)}, {Cause: review.CauseOnly, Set: five(4)}}
	r.add(review.Edit{Kind: review.ToolAdded, Tool: "exec"}, reach)
	_, got, _ := strings.Cut(r.text(t, words.Options{}), "tokens\n")
	equal(t, got, `  affects 4 of 5: entry=full+simple; 1 other does not have it; does not reach the text of 2: entry=simple (their toolset has it, their text does not name it)
`)
	if got, want := r.markdown(t, words.Options{}), "`entry=full+simple`; 1 other does not have it; does not reach the text of 2 |"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// One change that is printed whole names all of its places.
func TestOnlyNamesEachPlaceOfAnEdit(t *testing.T) {
	r := newReview()
	places := inFiles(4)
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", At: places[0], Also: places[1:]}, r.reach(0))
	want := "templates/m0.md:2 and templates/m1.md:2 and templates/m2.md:2 and templates/m3.md:2"
	if got := r.text(t, words.Options{Only: 1}); !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

package output_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

func (r *reviewed) github(t *testing.T, opt words.Options, findings ...diag.Diagnostic) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return change.GitHub(w, r.d, findings, change.Judge(r.d, findings, change.FailOns()), opt)
	})
}

func TestDiffAnnotatesTheSourceLine(t *testing.T) {
	r := newReview()
	r.soul()
	r.add(review.Edit{Kind: review.ToolRemoved, Tool: "exec", InBase: true, At: at(r.base.manifest, "Hello")}, r.was(4))
	changed := r.add(review.Edit{Kind: review.ToolChanged, Tool: "read", At: at(r.head.manifest, "Hello")}, r.reach(4))
	for i := range 7 {
		changed.Leaves = append(changed.Leaves, review.Leaf{Steps: stepsTo(strconv.Itoa(i)), From: "1", To: "2"})
	}
	r.d.Idle = []review.Idle{{Path: "notes.md", At: at(r.head.manifest, "version")}, {Path: "old.md", Removed: true, At: at(r.base.manifest, "version")}}
	got := r.github(t, words.Options{Base: "kit", Color: true}, r.grown())
	head, text, _ := strings.Cut(got, "3 changes, ")
	equal(t, head, `::error file=kit/prompts.yaml,line=3,endLine=3,col=3,endColumn=10,title=PC8001::"persona" grew by 12 tokens%0Alargest: soul%0Ahint: shorten it
::error file=kit/prompts.yaml,line=3,endLine=3,col=3,endColumn=10,title=fails on growth::1 growth limit exceeded
::error title=fails on tool-removed::exec of persona
::notice title=prompt change::persona  tool exec removed%0Aaffects 1 of 5 in HEAD: entry=minimal
::notice file=kit/sources/persona/SOUL.md,line=12,endLine=12,col=1,endColumn=11,title=prompt change::persona  soul  text changed   +3 tokens%0Aaffects 2 of 5: entry=full; core: all; 3 others do not have it
::notice file=kit/prompts.yaml,line=5,endLine=5,col=27,endColumn=32,title=prompt change::persona  tool read changed%0Atools.read.0: 1 → 2%0Atools.read.1: 1 → 2%0Atools.read.2: 1 → 2%0Atools.read.3: 1 → 2%0Atools.read.4: 1 → 2%0A… 2 more places: promptc diff --only 3%0Aaffects 1 of 5: entry=minimal
::notice file=kit/prompts.yaml,line=1,endLine=1,col=1,endColumn=8,title=source without effect::kit/notes.md changed, which changes no variant
::notice title=source without effect::kit/old.md removed, which changes no variant
`)
	if !strings.HasSuffix(text, "\nfails on growth: 1 growth limit exceeded\nfails on tool-removed: exec of persona\n") || strings.Contains(text, "\x1b") {
		t.Error(text)
	}
}

func TestDiffHasAtMostTenAnnotationsOfALevel(t *testing.T) {
	r := newReview()
	for i := range 14 {
		r.add(review.Edit{Kind: review.SectionAdded, Section: fmt.Sprint("s", i)}, r.reach(0))
	}
	got := r.github(t, words.Options{})
	if n := strings.Count(got, "::notice "); n != 10 {
		t.Errorf("%d notices", n)
	}
	if want := "\nand 4 notes more: GitHub shows 10 annotations of each level for a step; the text below has all\n14 changes, "; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// A finding about the base is about a file that the pull request does not show.
func TestDiffPlacesNothingInTheBase(t *testing.T) {
	r := stopped()
	got := r.github(t, words.Options{Ref: "v1", Base: "kit"}, r.grown())
	if want := "::error title=PC8001::v1:kit/prompts.yaml:3: \"persona\" grew by 12 tokens%0A"; !strings.HasPrefix(got, want) {
		t.Errorf("%q does not begin\n%s", want, got)
	}
}

func FuzzDiffGitHub(f *testing.F) {
	for _, seed := range hostileTexts() {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, before, after string) {
		r := hostile(name, before, after)
		harmless(t, r.github(t, words.Options{Base: name}, r.grown()))
		for _, c := range r.text(t, words.Options{Base: name, Ref: after}, r.grown()) {
			if unicode.In(c, unicode.Cc, unicode.Zl, unicode.Zp) && c != '\n' && c != '\t' {
				t.Fatalf("%U reaches the terminal", c)
			}
		}
	})
}

func hostileTexts() []string {
	return []string{
		"::add-mask::x", " ::stop-commands::x\n", "##[add-path]x", "a\r::error::x", "a\u2028::error::x", "\u200b ::x::", "\x1b[31m::error::",
		"```\n@user #1 https://a.b <img src=x>\n```", "a|b\\|c", "\x60\x60\x60\x60", "<script>alert(1)</script>", "</code></summary>x", "![x](y)", "a\nb\n\n- c",
		"\\`", "`", " ", "", "\t", "\x00", "\xff\xfe", "$(id)", "\"'", "a b|c`d", "~~~\n~~~", strings.Repeat("`", 90), strings.Repeat("x`", 900),
		"-->", "<!-- promptc:check -->", "\u202e", "</details>", "+}", "@@ -1 +1 @@", "|---|---|",
	}
}

// hostile has the texts of an adversary in every place that people choose.
func hostile(name, before, after string) *reviewed {
	r := newReview()
	r.d.Base.Name, r.d.Head.Name = before, name
	r.pair.ID = name
	for _, axis := range r.head.build.Prompt.Axes {
		axis.Name.Str += name
		for i := range axis.Values {
			axis.Values[i].Str += after
		}
	}
	for _, v := range r.head.build.Variants {
		v.Name += name
	}
	r.head.build.Variants[0].Budget.Tokens = 3
	file := &diag.File{Path: name, Text: after}
	place := diag.Span{File: file, Start: len(after) / 2, End: len(after)}
	hunk := review.Hunk{Heading: name, Line: 3}
	for _, text := range []string{before, name, after} {
		hunk.Lines = append(hunk.Lines, review.HunkLine{Sign: '-', Text: text}, review.HunkLine{Sign: '+', Text: after})
	}
	for i, c := range kinds(r) {
		e, reach := c.edit, c.reach
		reach.Pair = r.pair
		e.Section, e.Item, e.Tool, e.Name, e.From, e.To = name, after, before, name, before, after
		switch i % 4 {
		case 0:
			e.At = place
			e.Also = []diag.Span{place, {File: &diag.File{Path: after, Text: name}, End: len(name)}}
		case 1:
			e.Hunks = []review.Hunk{hunk, {Line: 2, Lines: []review.HunkLine{{Sign: '+', Text: before, Open: true}}}}
		case 2:
			e.Leaves = []review.Leaf{{Steps: []ground.PathStep{{Key: name}}, From: before, To: after}, {Steps: []ground.PathStep{{Key: after}}, To: before}}
			e.Item = ""
		case 3:
			e.InBase, e.At, e.Section = true, place, ""
			reach.Missed = []review.Missed{{Cause: review.CauseFile, Why: name, Set: five(i % 5)}, {Cause: review.CauseNeeds, Why: after, Set: five(1)}}
		}
		r.add(e, reach)
	}
	r.d.Idle = []review.Idle{{Path: name, At: place}, {Path: after, Removed: true}}
	return r
}

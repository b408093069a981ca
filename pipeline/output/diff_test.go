package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

func TestDiffSaysEachChangeOnceWithWhomItReaches(t *testing.T) {
	r := newReview()
	r.soul()
	tool := r.sized(map[int]int{0: 140, 1: 152})
	tool.Missed = []review.Missed{{Cause: review.CauseUnnamed, Set: five(2, 3)}, {Cause: review.CauseFile, Why: "sources/glm.md", Set: five(4)}}
	r.add(review.Edit{Kind: review.ToolAdded, Tool: "use_subagents", At: at(r.head.manifest, "version")}, tool)
	r.add(review.Edit{Kind: review.ToolChanged, Tool: "exec", Leaves: []review.Leaf{
		{Steps: stepsTo("parameters.properties.cmd.type"), From: `"string"`, To: `"array"`},
		{Steps: stepsTo("parameters.required[1]"), To: `"cwd"`},
		{Steps: stepsTo("title"), From: `"Run"`},
		{Steps: stepsTo("description"), From: `"Runs a command in the shell of the host."`, To: `"Runs a command in a shell of its own, in the sandbox."`},
	}}, r.reach(0, 1, 2, 3, 4))
	r.add(review.Edit{Kind: review.SectionRemoved, Section: "rules", InBase: true, At: at(r.base.manifest, "Hello")}, r.was(2, 3), r.other())
	r.d.Idle = []review.Idle{{Path: "sources/persona/notes.md"}, {Path: "new.md", Added: true}, {Path: "old.md", Removed: true}}
	r.head.build.Variants[2].Budget.Tokens = 2
	equal(t, r.text(t, words.Options{Base: "kit"}, r.grown()), `4 changes, 2 prompts, 6 of 6 variants                  (HEAD → the working tree)

1  persona  soul  text changed        kit/sources/persona/SOUL.md:12   +3 tokens
  affects 2 of 5: entry=full; core: all; 3 others do not have it
  -Be bold with everything else: read, draft, sort, try.
  +Be bold with everything else: read, draft, sort, try{+, tidy up+}.
2  persona  tool use_subagents added       kit/prompts.yaml:1   +140..152 tokens
  affects 2 of 5: entry=full; does not reach 3: entry=simple (their toolset has it, their text does not name it); entry=minimal (other file: sources/glm.md)
3  persona  tool exec changed
  affects all 5
  tools.exec.parameters.properties.cmd.type: "string" → "array"
  tools.exec.parameters.required[1] added: "cwd"
  tools.exec.title removed: "Run"
  tools.exec.description:
  -"Runs a command in [-the-] shell of the [-host-]."
  +"Runs a command in {+a+} shell of{+ its own, in+} the {+sandbox+}."
4  persona  section rules removed                kit/prompts.yaml:5 in HEAD
  affects 2 of 5 in HEAD: entry=simple; core: all
kit/sources/persona/notes.md changed, which changes no variant
kit/new.md added, which changes no variant
kit/old.md removed, which changes no variant

kit/prompts.yaml:3:3: warning[PC8001]: "persona" grew by 12 tokens
    3 |   persona:
      |   ^~~~~~~
  largest: soul
  it fails with --fail-on growth
  hint: shorten it

budgets: closest is persona/entry=simple,tools=native at 50 %
`)
}

func TestDiffMarksWordsByStyleWhereThereIsColor(t *testing.T) {
	r := newReview()
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", Hunks: []review.Hunk{
		hunkOf("", 7, "-Read, draft and sort the mail.", "+Read, draft and file the mail.", "+Then stop."),
	}}, r.reach(0))
	equal(t, r.text(t, words.Options{Color: true}), "\x1b[1m1 change, 1 prompt, 1 of 5 variants\x1b[0m"+strings.Repeat(" ", 20)+"\x1b[2m(HEAD → the working tree)\x1b[0m\n\n"+
		"\x1b[1m1  persona  soul  \x1b[0m\x1b[1;33mtext changed\x1b[0m\n"+
		"  affects 1 of 5: entry=full,tools=native\n"+
		"  \x1b[1;31m-\x1b[0m\x1b[1;31mRead, draft and \x1b[0m\x1b[1;31;7msort\x1b[0m\x1b[1;31m the mail.\x1b[0m\n"+
		"  \x1b[32m+\x1b[0m\x1b[32mRead, draft and \x1b[0m\x1b[32;7mfile\x1b[0m\x1b[32m the mail.\x1b[0m\n"+
		"  \x1b[32m+\x1b[0m\x1b[32mThen stop.\x1b[0m\n")
}

func TestDiffOfNothingIsOneLine(t *testing.T) {
	r := newReview()
	r.head.build.Variants[2].Budget.Tokens = 2
	equal(t, r.text(t, words.Options{}), "no change in 6 variants of 2 prompts (HEAD → the working tree)\n")
	r.d.Idle = []review.Idle{{Path: "notes.md"}}
	equal(t, r.text(t, words.Options{}), "no change in what is sent: 6 variants of 2 prompts (HEAD → the working tree)\nnotes.md changed, which changes no variant\n")
	equal(t, written(t, func(w *strings.Builder) error {
		return change.FormatOf("affected").Write(w, r.d, nil, change.Verdict{}, words.Options{})
	}), "")
}

func TestDiffSaysWhoseManifestServesABaseWithoutOne(t *testing.T) {
	const want = `no change in 6 variants of 2 prompts (HEAD → the working tree)
HEAD has no prompts.yaml: that of the working tree serves both sides
`
	r := borrowing(0)
	equal(t, r.text(t, words.Options{}), want)
	r = borrowing(7)
	equal(t, r.text(t, words.Options{}), want+strings.Repeat("not in HEAD: prompts.yaml:1 \"a.md\" matches no file\n", 5)+"and 2 more (--format json has all)\n")
	if got := r.markdown(t, words.Options{}); !strings.Contains(got, "\n\n`HEAD` has no `prompts.yaml`: that of `the working tree` serves both sides\\\nnot in `HEAD`: `prompts.yaml:1` `\"a.md\" matches no file`\\\n") {
		t.Error(got)
	}
}

func TestDiffOfASideThatDoesNotCompileComparesNothing(t *testing.T) {
	r := stopped()
	got := r.text(t, words.Options{Ref: "v1", Base: "kit"}, r.grown())
	if !strings.HasPrefix(got, "v1:kit/prompts.yaml:3:3: error[PC8001]: ") || !strings.HasSuffix(got, "\nthe working tree does not compile: nothing was compared\n") {
		t.Error(got)
	}
}

func TestAffectedIsNamesAndNothingElse(t *testing.T) {
	r := newReview()
	r.soul()
	r.pair.Gone.Add(4)
	equal(t, written(t, func(w *strings.Builder) error {
		return change.FormatOf("affected").Write(w, r.d, nil, change.Verdict{}, words.Options{})
	}),
		"persona/entry=full,tools=native\npersona/entry=full,tools=fallback\ncore\n")
}

// wide is a prompt with one axis of many values, of which every second is
// another text's: sets over it take many products.
func wide() *review.Pair {
	axis := [2]*language.Axis{{Name: word("a")}, {Name: word("b")}}
	b := &assembly.Build{Prompt: &language.Prompt{ID: word("wide"), Axes: axis[:]}}
	for i := range 8 {
		axis[0].Values = append(axis[0].Values, word(fmt.Sprint("a", i)))
		axis[1].Values = append(axis[1].Values, word(fmt.Sprint("b", i)))
	}
	for i := range 64 {
		b.Variants = append(b.Variants, &assembly.Variant{Name: fmt.Sprintf("wide/a=a%d,b=b%d", i/8, i%8), Index: i, Values: []int{i / 8, i % 8}})
	}
	return &review.Pair{ID: "wide", Head: b, Base: b, Affected: ground.NewSet(64), Gone: ground.NewSet(64)}
}

func TestWhomAChangeReachesTakesALine(t *testing.T) {
	r := newReview()
	pair := wide()
	r.d.Pairs = []*review.Pair{pair}
	diagonal := ground.NewSet(64)
	for i := range 8 {
		diagonal.Add(i*8 + i)
	}
	reach := review.Reach{Pair: pair, In: diagonal, Missed: []review.Missed{{Cause: review.CauseOther, Set: rest(diagonal)}}}
	r.add(review.Edit{Kind: review.TextChanged, Section: "s"}, reach)
	equal(t, r.text(t, words.Options{}), `1 change, 1 prompt, 8 of 64 variants                   (HEAD → the working tree)

1  wide  s  text changed
  affects 8 of 64: a=a0,b=b0 | a=a1,b=b1 | a=a2,b=b2 | a=a3,b=b3 | a=a4,b=b4 | a=a5,b=b5 | a=a6,b=b6 | a=a7,b=b7
  does not reach 56: a=a0,b=b1 (other text) and 55 more: promptc diff --only 1
`)
	if got, want := r.markdown(t, words.Options{}), "and 55 more: `promptc diff --only 1`"; !strings.Contains(got, want) {
		t.Errorf("no command that can be copied, %s, in\n%s", want, got)
	}
	if got := r.json(t, nil); !strings.Contains(got, `"set": "a=a0,b=b0 | a=a1,b=b1 | a=a2,b=b2 | a=a3,b=b3 | a=a4,b=b4 | a=a5,b=b5 | a=a6,b=b6 | a=a7,b=b7"`) {
		t.Errorf("the exact set is not in\n%s", got)
	}
}

func TestDiffCountsWhatIsTooMuchToRead(t *testing.T) {
	r := newReview()
	long := hunkOf("", 1)
	for i := range 230 {
		long.Lines = append(long.Lines, review.HunkLine{Sign: '+', Text: fmt.Sprint("line ", i)})
	}
	for i := range 104 {
		r.add(review.Edit{Kind: review.SectionAdded, Section: fmt.Sprint("s", i)}, r.reach(0))
		r.d.Idle = append(r.d.Idle, review.Idle{Path: fmt.Sprint(i, ".md")})
	}
	r.d.Edits[0].Kind = review.TextChanged
	r.d.Edits[0].Hunks = []review.Hunk{long, hunkOf("", 9, "-x")}
	r.d.Edits[1].Hunks = []review.Hunk{hunkOf("# A", 1, "+# A", "+", "+one", "+two", "+three")}
	got := r.text(t, words.Options{})
	for _, want := range []string{
		"  +line 198\n  … 31 more lines\n  @@ line 9 @@\n  -x\n  and 31 more lines: promptc diff --only 1\n2  persona  section s1 added\n",
		"tools=native\n  +# A\n\n  +one\n  +two\n  +three\n3  persona  section s2 added\n",
		"100  persona  section s99 added\n  affects 1 of 5: entry=full,tools=native\nand 4 more changes, from 101 on: promptc diff --only 101\n0.md changed",
		"99.md changed, which changes no variant\nand 4 more files without effect (--format json has all)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestDiffKeepsOfALongLineWhatIsAroundTheDifference(t *testing.T) {
	r := newReview()
	before := strings.Repeat("sesquipedalian ", 200)
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", Hunks: []review.Hunk{
		hunkOf("", 1, "-"+before+"x "+before, "+"+before+"y "+before),
	}}, r.reach(0))
	got := r.text(t, words.Options{})
	for _, want := range []string{"\n  -…(2,880 more characters)…sesq", "lian [-x-] sesq", "\n  +…(2,880 more characters)…sesq", "lian {+y+} sesq", "sesquipe…(2,122 more characters)…\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestDiffSaysWhatItFailsOn(t *testing.T) {
	r := newReview()
	r.add(review.Edit{Kind: review.ToolRemoved, Tool: "exec"}, r.reach(0))
	got := written(t, func(w *strings.Builder) error {
		return change.Text(w, r.d, nil, change.Judge(r.d, nil, change.FailOns()), words.Options{})
	})
	if !strings.HasSuffix(got, "\nfails on tool-removed: exec of persona\n") {
		t.Error(got)
	}
}

func TestDiffSARIFHasFindingsOnly(t *testing.T) {
	r := newReview()
	r.soul()
	sarif := func(opt words.Options, findings ...diag.Diagnostic) string {
		return written(t, func(w *strings.Builder) error {
			return change.SARIF(w, r.d, findings, change.Judge(r.d, findings, nil), opt)
		})
	}
	if got := sarif(words.Options{}); !strings.Contains(got, `"results": []`) {
		t.Error(got)
	}
	got := sarif(words.Options{Base: "kit"}, r.grown())
	if strings.Count(got, `"ruleId"`) != 1 || !strings.Contains(got, `"ruleId": "PC8001"`) || !strings.Contains(got, `"uri": "kit/prompts.yaml"`) {
		t.Error(got)
	}
	got = sarif(words.Options{Base: "kit", Ref: "v1"}, diag.New(diag.GrowthExceeded, at(r.base.soul, "Ask"), "names", "it grew"))
	if !strings.Contains(got, "v1:kit/sources/persona/SOUL.md:12: it grew") || strings.Contains(got, `"uri": "v1`) {
		t.Error(got)
	}
}

// A finding in a tree that code scanning does not show is the same one wherever it
// stands in its file, and whatever the state is called.
func TestDiffSARIFKnowsAFindingAgain(t *testing.T) {
	print := func(above, ref string) string {
		r := newReview()
		r.base.soul.Text = above + r.base.soul.Text
		findings := diag.List{diag.New(diag.GrowthExceeded, at(r.base.soul, "Ask"), "names", "it grew")}
		log := written(t, func(w *strings.Builder) error {
			return change.SARIF(w, r.d, findings, change.Judge(r.d, findings, nil), words.Options{Base: "kit", Ref: ref})
		})
		_, hash, _ := strings.Cut(log, `"primaryLocationLineHash": `)
		hash, _, _ = strings.Cut(hash, "\n")
		return hash
	}
	want := print("", "v1")
	for _, got := range []string{print("\n", "v1"), print("", "main~2")} {
		if got != want || got == "" {
			t.Errorf("%s is another than %s", got, want)
		}
	}
}

func TestDiffMarksWordsThatFollowOneAnotherAsOne(t *testing.T) {
	r := newReview()
	last := hunkOf("", 3, "-the end", "+the end")
	last.Lines[0].Open = true
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul", Hunks: []review.Hunk{
		hunkOf("", 1, "-Write down two or more explanations.", "-Stop.", "+Write down two to four explanations.", "+Nothing of it is as it was."), last,
	}}, r.reach(0))
	_, got, _ := strings.Cut(r.text(t, words.Options{}), "@@\n")
	equal(t, got, `  -Write down two [-or more-] explanations.
  -Stop.
  +Write down two {+to four+} explanations.
  +Nothing of it is as it was.
  @@ line 3 @@
  -the end
  \ no line break at the end
  +the end
`)
}

// Where many prompts have a change, its line stays one that can be read.
func TestDiffNamesSomePromptsAndCountsTheRest(t *testing.T) {
	r := newReview()
	reach := []review.Reach{r.reach(0)}
	for i := range 14 {
		pair := *r.core
		pair.ID = fmt.Sprint("core", i)
		r.d.Pairs = append(r.d.Pairs, &pair)
		reach = append(reach, review.Reach{Pair: &pair, In: set(1, 0)})
		late := *r.core
		late.ID = fmt.Sprint("late", i)
		r.d.Pairs = append(r.d.Pairs, &late)
		reach = append(reach, review.Reach{Pair: &late, In: set(1), Missed: []review.Missed{{Cause: review.CauseStale, Set: set(1, 0)}}})
	}
	r.add(review.Edit{Kind: review.TextChanged, Section: "soul"}, reach...)
	_, got, _ := strings.Cut(r.text(t, words.Options{}), "text changed\n")
	equal(t, got, "  affects 1 of 5: entry=full,tools=native; core0: all; core1: all; core2: all; core3: all; core4: all; core5: all; "+
		"core6: all; core7: all; core8: all; core9: all and 4 more: promptc diff --only 1\n"+
		"  does not reach 14: late0: all (still the old text); late1: all (still the old text); late2: all (still the old text); "+
		"late3: all (still the old text) and 10 more: promptc diff --only 1\n")
}

// A base in a folder of its own is named by that folder, and not by the head's.
func TestDiffNamesTheFolderOfTheBase(t *testing.T) {
	r := newReview()
	r.add(review.Edit{Kind: review.ToolRemoved, Tool: "exec", InBase: true, At: at(r.base.manifest, "Hello")}, r.was(4))
	r.d.Idle = []review.Idle{{Path: "new.md", Added: true}, {Path: "old.md", Removed: true, At: at(r.base.manifest, "version")}}
	for _, c := range []struct{ against, place, idle string }{
		{"", "kit/prompts.yaml:5 in HEAD", "kit/old.md removed"},
		{"../was", "../was/prompts.yaml:5 ", "../was/old.md removed"},
		{".", " prompts.yaml:5 ", "\nold.md removed"},
	} {
		opt := words.Options{Base: "kit", Against: c.against}
		got := r.text(t, opt) + " "
		for _, want := range []string{strings.TrimSpace(c.place), c.idle, "kit/new.md added"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q: %q is not in\n%s", c.against, want, got)
			}
		}
		if c.against != "" && strings.Contains(got, ":5 in HEAD") {
			t.Errorf("%q: the side is named twice\n%s", c.against, got)
		}
		if annotated := r.github(t, opt); strings.Contains(annotated, "file=../was") || strings.Contains(annotated, "file=prompts.yaml") {
			t.Errorf("%q: a place in the base is annotated\n%s", c.against, annotated)
		}
	}
}

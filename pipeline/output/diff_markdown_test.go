package output_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

func (r *reviewed) markdown(t *testing.T, opt words.Options, findings ...diag.Diagnostic) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return change.Markdown(w, r.d, findings, change.Judge(r.d, findings, change.FailOns()), opt)
	})
}

func TestDiffMarkdownFoldsEachChange(t *testing.T) {
	r := newReview()
	r.soul()
	r.add(review.Edit{Kind: review.Moved, Section: "datetime", From: "1", To: "last", At: at(r.head.manifest, "Hello")}, r.reach(0, 1, 2, 3, 4))
	r.add(review.Edit{Kind: review.ToolChanged, Tool: "exec", Leaves: []review.Leaf{
		{Steps: stepsTo("parameters.properties.cmd.type"), From: `"string"`, To: `"array"`}, {Steps: stepsTo("title"), From: `"Run"`},
	}}, r.reach(0))
	r.add(review.Edit{Kind: review.CacheChanged, Shorter: true, To: "clock"}, r.sized(map[int]int{0: 9, 1: 9}))
	r.d.Idle = []review.Idle{{Path: "notes.md"}}
	r.head.build.Variants[2].Budget.Tokens = 2
	got := r.markdown(t, words.Options{Base: "kit", Color: true}, r.grown())
	equal(t, got, strings.ReplaceAll(`<!-- promptc:diff -->
**promptc diff: failed** · 4 changes, 2 prompts, 6 of 6 variants · 'HEAD' → 'the working tree'

|  | change | affects | tokens |
|--:|---|---|---:|
| 1 | 'persona' 'soul': text changed | 2 of 5: 'entry=full'; 'core': 'all'; 3 others do not have it | +3 |
| 2 | 'persona' moved: 'datetime', '1' → 'last' | all 5 |  |
| 3 | 'persona' tool 'exec' changed | 1 of 5: 'entry=full,tools=native' |  |
| 4 | 'persona' cache: the stable prefix shrinks; up to 'clock', 9 tokens more are sent again with each request | applies to 2 of 5: 'entry=full' |  |

- 'kit/notes.md' changed, which changes no variant

### 1 error

- 'PC8001' at 'kit/prompts.yaml:3:3': '"persona" grew by 12 tokens'
  - 'largest: soul'
  - hint: 'shorten it'

<details>
<summary>1. <code>persona</code> <code>soul</code>: text changed (+3 tokens)</summary>

'kit/sources/persona/SOUL.md:12'

'''diff
-Be bold with everything else: read, draft, sort, try.
+Be bold with everything else: read, draft, sort, try, tidy up.
'''

</details>

<details>
<summary>3. <code>persona</code> tool <code>exec</code> changed</summary>

'''diff
tools.exec.parameters.properties.cmd.type: "string" → "array"
tools.exec.title removed: "Run"
'''

</details>

<details>
<summary>where 1 more change is</summary>

- change 2: 'persona' moved: 'datetime', '1' → 'last': 'kit/prompts.yaml:5'

</details>

- fails on **growth**: '1 growth limit exceeded'
- fails on **tool-text**: 'exec of persona'
- fails on **cache-prefix**: 'the stable prefix of persona shrinks'

Closest to its budget: 'persona/entry=simple,tools=native' with 1 of 2 tokens (50 %)
`, "'", "`"))
	inert(t, got)
}

func TestDiffMarkdownOfNothing(t *testing.T) {
	r := newReview()
	equal(t, r.markdown(t, words.Options{}), "<!-- promptc:diff -->\n**promptc diff: unchanged** · no change in 6 variants of 2 prompts · `HEAD` → `the working tree`\n")
	equal(t, stopped().markdown(t, words.Options{}), "<!-- promptc:diff -->\n**promptc diff: invalid** · `the working tree` does not compile: nothing was compared\n")
}

func TestDiffMarkdownCountsWhatItLeavesOut(t *testing.T) {
	r := newReview()
	long := hunkOf("", 1)
	for i := range 900 {
		long.Lines = append(long.Lines, review.HunkLine{Sign: '+', Text: fmt.Sprintf("line %d of many that are added", i)})
	}
	for i := range 400 {
		e := r.add(review.Edit{Kind: review.TextChanged, Section: fmt.Sprint("s", i)}, r.reach(0))
		own := long
		own.Lines = append([]review.HunkLine{{Sign: '+', Text: fmt.Sprint("its own ", i)}}, long.Lines...)
		e.Hunks = []review.Hunk{own}
		r.d.Idle = append(r.d.Idle, review.Idle{Path: fmt.Sprintf("notes/%d.md", i)})
	}
	got := r.markdown(t, words.Options{}, r.grown())
	inert(t, got)
	rows, idle, folded := strings.Count(got, "` `s"), strings.Count(got, "which changes no variant\n"), strings.Count(got, "<details>")
	for _, want := range []string{
		fmt.Sprintf("\n\nand %d more changes: `promptc diff --only %d`\n\n", 400-rows, rows+1), fmt.Sprintf("\n- and %d more files (--format json has all)\n", 400-idle),
		fmt.Sprintf("\nThe lines of %d more changes are left out: this report ends at 60,000 characters (--format json has all).\n", 400-folded),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	if rows < 50 || idle < 20 || folded < 4 || len(got) < 40_000 {
		t.Errorf("%d rows, %d sources, %d blocks in %d bytes: more would fit", rows, idle, folded, len(got))
	}
	_, first, _ := strings.Cut(got, "```diff\n")
	first, _, _ = strings.Cut(first, "\n```")
	if n := strings.Count("\n"+first, "\n+"); !strings.HasSuffix(first, fmt.Sprintf("\n… %d more lines\n# and %d more lines: promptc diff --only 1", 901-n, 901-n)) {
		t.Errorf("the first block ends with %q", first[len(first)-40:])
	}
}

func FuzzDiffMarkdown(f *testing.F) {
	for _, seed := range hostileTexts() {
		f.Add(seed, seed, seed)
		f.Add("a", seed, "b"+seed)
	}
	f.Fuzz(func(t *testing.T, name, before, after string) {
		name, before, after = foreign+name, before+foreign, foreign+after+foreign
		r := hostile(name, before, after)
		finding := diag.New(diag.GrowthExceeded, r.d.Edits[0].At, "names", before).WithDetail(diag.Verbatim(after)).WithHint("names", name)
		inert(t, r.markdown(t, words.Options{Base: name}, finding))
	})
}

// foreign is a word that is none of ours.
const foreign = "www.zq9.org"

var (
	// ourWords is what may stand outside code: our own words and their marks.
	ourWords = regexp.MustCompile(`^[A-Za-z0-9 ,.:;()+→·±%/"-]*$`)
	// itemMark is what a line may begin with.
	itemMark = regexp.MustCompile(`^(- |  - |### )`)
	bold     = regexp.MustCompile(`^((?:- fails on )?)\*\*([a-z: -]+)\*\*`)
	summary  = regexp.MustCompile(`^<summary>(.*)</summary>$`)
	code     = regexp.MustCompile(`<code>[^<>\n]*</code>`)
)

// inert fails for a report in which anything that is not ours stands outside a
// code span or a fence, or leads out of one.
func inert(t *testing.T, text string) {
	t.Helper()
	if n := len(utf16.Encode([]rune(text))); n > 60_000 {
		t.Errorf("%d characters", n)
	}
	if !strings.HasPrefix(text, "<!-- promptc:diff -->\n**promptc diff: ") {
		t.Errorf("begins with %.60q", text)
	}
	fence, folded := "", 0
	for i, line := range strings.Split(text, "\n") {
		for _, r := range line {
			if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) && r != '\t' {
				t.Fatalf("%U is in the line %q", r, line)
			}
		}
		bare := strings.TrimSpace(line)
		ticks := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		switch {
		case fence != "":
			if len(ticks) >= len(fence) && ticks == bare {
				if bare != fence || line != bare {
					t.Fatalf("the line %q closes a fence", line)
				}
				fence = ""
			}
		case strings.HasSuffix(line, "diff") && len(ticks) >= 3 && bare == ticks+"diff":
			fence = ticks
		case i == 0 || line == "|--:|---|---|---:|":
		case line == "<details>":
			folded++
		case line == "</details>":
			folded--
		case summary.MatchString(line):
			plain(t, line, code.ReplaceAllString(summary.FindStringSubmatch(line)[1], "x"))
		case strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
			if len(cells) != 6 || cells[0] != "" || cells[5] != "" {
				t.Fatalf("the row %q has %d cells", line, len(cells)-2)
			}
			for _, cell := range cells[1:5] {
				plain(t, line, outside(t, cell))
			}
		default:
			line = itemMark.ReplaceAllString(bold.ReplaceAllString(line, "$1$2"), "")
			plain(t, line, outside(t, line))
		}
	}
	if fence != "" || folded != 0 {
		t.Errorf("ends inside a block:\n%s", text)
	}
}

func plain(t *testing.T, line, rest string) {
	t.Helper()
	if !ourWords.MatchString(rest) || strings.Contains(rest, foreign) {
		t.Fatalf("%q stands outside code, in the line %q", rest, line)
	}
}

// outside gives what stands outside the code spans of a line: a run of
// backticks ends at the next run of the same length.
func outside(t *testing.T, line string) string {
	t.Helper()
	var b strings.Builder
	for line != "" {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			break
		}
		b.WriteString(line[:i] + "x")
		rest := strings.TrimLeft(line[i:], "`")
		n := len(line) - i - len(rest)
		end := -1
		for at := 0; at < len(rest); {
			if rest[at] != '`' {
				at++
				continue
			}
			run := len(rest[at:]) - len(strings.TrimLeft(rest[at:], "`"))
			if run == n {
				end = at
				break
			}
			at += run
		}
		if end < 0 {
			t.Fatalf("a code span never ends in %q", line)
		}
		line = rest[end+n:]
	}
	return b.String() + line
}

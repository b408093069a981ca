package output_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// logs are texts that another program renders, at random.
type logs struct {
	random *rand.Rand
	files  map[string][]string
	serial int
}

func newLogs(seed uint64) *logs {
	l := &logs{random: rand.New(rand.NewPCG(seed, 8)), files: map[string][]string{}}
	all := l.lines(120 + l.random.IntN(400))
	for _, family := range []string{"glm", "gpt", "kimi"} {
		for _, size := range []string{"large", "medium", "small"} {
			own := append(slices.Clone(all), l.lines(l.random.IntN(40))...)
			l.files[family+"-"+size] = own
		}
	}
	return l
}

func (l *logs) lines(n int) []string {
	var out []string
	for range n {
		l.serial++
		switch l.random.IntN(12) {
		case 0:
			out = append(out, fmt.Sprint("## Part ", l.serial))
		case 1:
			out = append(out, "")
		case 2:
			out = append(out, "- Say it again.")
		default:
			out = append(out, fmt.Sprint("Rule ", l.serial, " holds for whoever reads it."))
		}
	}
	if n > 0 && l.random.IntN(20) == 0 {
		out = append(out, strings.Repeat(fmt.Sprint("long ", l.serial, " "), 300))
	}
	return out
}

// some gives the names of some of the texts.
func (l *logs) some() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if l.random.IntN(2) == 0 {
			out = append(out, name)
		}
	}
	return out
}

// edit changes the same place of some texts: few lines or many.
func (l *logs) edit() {
	at, n, come := l.random.IntN(100), 1, l.lines(l.random.IntN(3))
	kind := l.random.IntN(12)
	if kind == 0 {
		n, come = 60, l.lines(300)
	}
	for _, name := range l.some() {
		lines := l.files[name]
		to := min(at+n, len(lines))
		if at >= to {
			continue
		}
		if kind < 4 { // lines that stand elsewhere
			moved := slices.Clone(lines[at:min(at+9, len(lines))])
			l.files[name] = append(slices.Delete(slices.Clone(lines), at, at+len(moved)), moved...)
			continue
		}
		l.files[name] = slices.Replace(slices.Clone(lines), at, to, come...)
	}
}

func (l *logs) side(t *testing.T, name string) review.Side {
	t.Helper()
	fsys := testproject.Of("prompts.yaml", "version: 1\nprompts:\n  agent:\n    rendered: \"out/{family}-{size}.txt\"\n    axes: auto\n")
	for name, lines := range l.files {
		fsys["out/"+name+".txt"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n")}
	}
	r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: fsys, Manifest: "prompts.yaml", Until: pipeline.Composed})
	if err != nil || r.Stopped {
		t.Fatal(err, r.Findings)
	}
	return review.Side{Name: name, Result: r}
}

// randomReview is a difference of many lines, in few rows or in more than are
// printed.
func randomReview(t *testing.T, seed uint64) *reviewed {
	t.Helper()
	l := newLogs(seed)
	base := l.side(t, "base")
	for range []int{3, 12, 400}[seed%3] {
		l.edit()
	}
	if seed%2 == 0 { // variants that come, and that go
		l.files["new-large"] = append(l.lines(250), l.files["gpt-small"]...)
		l.files["new-medium"] = slices.Clone(l.files["glm-large"][:60])
		l.files["new-small"] = l.lines(3)
		delete(l.files, "kimi-large")
	}
	d, _ := pipeline.Compare(base, l.side(t, "head"), review.Side{})
	return &reviewed{d: d}
}

// changed are the lines of the changes of each number, with their signs, as JSON
// has them; but for blank ones, of which there is nothing to see.
func (r *reviewed) changed(t *testing.T) map[int][]string {
	t.Helper()
	var doc struct {
		Changes []struct {
			Number                int
			Removed, Added, Moved []string
		}
	}
	if err := json.Unmarshal([]byte(r.json(t, nil)), &doc); err != nil {
		t.Fatal(err)
	}
	out := map[int][]string{}
	for i, c := range doc.Changes {
		if c.Number == 0 {
			t.Errorf("no format prints the change %d", i)
		}
		out[c.Number] = slices.Grow(out[c.Number], 1) // also where it has no lines
		for sign, lines := range map[string][]string{"-": c.Removed, "+": c.Added, " ": c.Moved} {
			for _, line := range lines {
				if strings.TrimSpace(line) != "" {
					out[c.Number] = append(out[c.Number], sign+strings.TrimSuffix(line, "\n"))
				}
			}
		}
	}
	for n, lines := range out {
		slices.Sort(lines)
		out[n] = slices.Compact(lines) // an end without a line break is a change of its own
	}
	return out
}

var (
	wordMark   = regexp.MustCompile(`\{\+|\+\}|\[-|-\]`)
	rowBegins  = regexp.MustCompile(`(?m)^(\d+)  `)
	someLines  = regexp.MustCompile(`([\d,]+) (?:more |long )?lines?\b`)
	moreRows   = regexp.MustCompile("(?m)^and ([\\d,]+) more changes?(?:, from \\d+ on)?: `?promptc diff --only (\\d+)`?$")
	blockRow   = regexp.MustCompile(`(?s)<summary>(\d+)\. (.*?)</details>`)
	moreBlocks = regexp.MustCompile(`The lines of ([\d,]+) more changes? (?:is|are) left out: .*\(--format json has all\)`)
)

func figure(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// textRows gives what is printed of each row.
func textRows(text string) map[int]string {
	out := map[int]string{}
	marks := rowBegins.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		n, _ := strconv.Atoi(text[m[2]:m[3]])
		out[n] = text[m[0]:end]
	}
	return out
}

// mustShow fails where lines of a row are neither printed nor counted beside the
// command that prints them.
func mustShow(t *testing.T, what string, number int, want []string, printed string) {
	t.Helper()
	shown := map[string]bool{}
	counted := 0
	where := regexp.MustCompile(fmt.Sprintf(`^(.*): promptc diff --only %d\)?$`, number))
	for line := range strings.Lines(printed) {
		line = strings.TrimSuffix(line, "\n")
		bare := strings.NewReplacer("`", "").Replace(strings.TrimSuffix(line, "."))
		if before := where.FindStringSubmatch(bare); before != nil {
			for _, m := range someLines.FindAllStringSubmatch(before[1], -1) {
				counted += figure(t, m[1])
			}
		}
		for _, l := range []string{line, strings.TrimPrefix(line, "  ")} {
			shown[wordMark.ReplaceAllString(l, "")] = true
			shown[strings.Replace(l, "> ", " ", 1)] = true // lines that stand elsewhere
		}
	}
	var missing []string
	for _, line := range want {
		if !shown[line] {
			missing = append(missing, line)
		}
	}
	if len(missing) > counted {
		t.Errorf("%s: of change %d, %d of %d lines are not there, and %d are counted: %.60q …", what, number, len(missing), len(want), counted, missing[0])
	}
}

// mustSayMore gives the number from which on rows are left out, and fails where
// they are more than is said; last where none are.
func mustSayMore(t *testing.T, what, text string, last int) int {
	t.Helper()
	m := moreRows.FindStringSubmatch(text)
	if m == nil {
		return last + 1
	}
	from := figure(t, m[2])
	if n := figure(t, m[1]); n != last-from+1 {
		t.Errorf("%s: leaves %d changes out from %d on, of %d", what, n, from, last)
	}
	return from
}

// TestLeftOut holds that each changed line which the JSON has is printed, or
// counted beside the command that prints it.
func TestLeftOut(t *testing.T) {
	leftOut, unprinted := 0, 0
	for seed := range uint64(6) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			r := randomReview(t, seed)
			changed := r.changed(t)
			last := slices.Max(slices.Collect(maps.Keys(changed)))
			for what, text := range map[string]string{"text": r.text(t, words.Options{}), "github": r.github(t, words.Options{})} {
				rows, more := textRows(text), mustSayMore(t, what, text, last)
				for n, want := range changed {
					if n < more {
						mustShow(t, what, n, want, rows[n])
					} else {
						unprinted++
					}
				}
				leftOut += strings.Count(text, "\n  and ")
			}
			r.leavesOutInMarkdown(t, changed, last)
			for _, n := range []int{1, 2, last/2 + 1, last} {
				text := r.text(t, words.Options{Only: n})
				if strings.Contains(text, "--only") {
					t.Errorf("--only %d leaves something out:\n%.600s", n, text)
				}
				mustShow(t, "--only", n, changed[n], textRows(text)[n])
			}
		})
	}
	if leftOut == 0 || unprinted == 0 {
		t.Errorf("%d rows are cut, %d are not printed: the differences are too small to show anything", leftOut, unprinted)
	}
}

func (r *reviewed) leavesOutInMarkdown(t *testing.T, changed map[int][]string, last int) {
	t.Helper()
	text := r.markdown(t, words.Options{})
	inert(t, text)
	mustSayMore(t, "the table of markdown", text, last)
	blocks := map[int]string{}
	for _, m := range blockRow.FindAllStringSubmatch(text, -1) {
		blocks[figure(t, m[1])] = m[2]
	}
	missing, said := 0, 0
	for n, want := range changed {
		if block, ok := blocks[n]; ok {
			mustShow(t, "markdown", n, want, block)
		} else {
			missing++
		}
	}
	if m := moreBlocks.FindStringSubmatch(text); m != nil {
		said = figure(t, m[1])
	}
	if missing > said {
		t.Errorf("markdown has no lines of %d changes, and counts %d", missing, said)
	}
}

// Values of a tool that are too long to be read are counted beside the command
// that prints them whole, which does.
func TestLongValuesAreCutAndCounted(t *testing.T) {
	r := newReview()
	long := strings.Repeat("word ", 1000)
	r.add(review.Edit{Kind: review.ToolChanged, Tool: "exec", Leaves: []review.Leaf{
		{Steps: stepsTo("title"), To: strconv.Quote(long)},
		{Steps: stepsTo("description"), From: strconv.Quote(long + "old"), To: strconv.Quote(long + "new")},
	}}, r.reach(0))
	const want = "3 long lines cut: promptc diff --only 1\n"
	for what, text := range map[string]string{"text": r.text(t, words.Options{}), "markdown": r.markdown(t, words.Options{})} {
		if !strings.Contains(text, want) || strings.Contains(text, long) {
			t.Errorf("%s: %q is not in\n%s", what, want, text)
		}
	}
	got := wordMark.ReplaceAllString(r.text(t, words.Options{Only: 1}), "")
	if strings.Count(got, long) != 3 || strings.Contains(got, "--only") {
		t.Errorf("--only prints %d of 3 values whole", strings.Count(got, long))
	}
}

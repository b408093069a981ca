package pipeline_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// opening is a fence of a page that holds a file: its language, and its path.
var opening = regexp.MustCompile("^(```+)([a-z]+) ([^ ]+)$")

// example gives the files of a page, before what it is about was put right and
// after; ok is false where it has none.
func example(t *testing.T, page string) (before, after fstest.MapFS, ok bool) {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\nBefore:\n")
	if !ok {
		return nil, nil, false
	}
	first, second, ok := strings.Cut(rest, "\nAfter:\n")
	if !ok {
		t.Fatal("the page has files before, and none after")
	}
	before, after = filesOf(t, first), filesOf(t, second)
	if len(before) == 0 || len(after) == 0 {
		t.Fatal("no file stands under Before or After")
	}
	for path, f := range before {
		if after[path] == nil {
			after[path] = f
		}
	}
	return before, after, true
}

// filesOf reads the fenced files of a part of a page.
func filesOf(t *testing.T, text string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := opening.FindStringSubmatch(strings.TrimSuffix(lines[i], "\n"))
		if m == nil {
			continue
		}
		end := slices.IndexFunc(lines[i+1:], func(l string) bool { return strings.TrimSuffix(l, "\n") == m[1] })
		if end < 0 {
			t.Fatalf("the fence of %s is not closed", m[3])
		}
		out[m[3]] = &fstest.MapFile{Data: []byte(strings.Join(lines[i+1:i+1+end], ""))}
		i += end + 1
	}
	return out
}

// TestPagesOfChecksShowWhatTheySay compiles the examples of the pages that
// `explain` and the documentation show: before, the finding is there, and after
// it is not; nothing else is wrong.
func TestPagesOfChecksShowWhatTheySay(t *testing.T) {
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "PC6") {
			continue
		}
		t.Run(string(e.Code), func(t *testing.T) {
			before, after, ok := example(t, e.Explanation)
			if !ok {
				t.Fatal("the page has no example")
			}
			found := compiled(t, before)
			if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == e.Code }) {
				t.Errorf("before, there is no finding of this code, but %s", sayings(found))
			}
			if others := slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == e.Code }); others.HasErrors() {
				t.Errorf("before, something else is wrong: %s", sayings(others))
			}
			found = compiled(t, after)
			if found.HasErrors() || slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == e.Code }) {
				t.Errorf("after: %s", sayings(found))
			}
		})
	}
}

func compiled(t *testing.T, files fstest.MapFS) diag.List {
	t.Helper()
	r := testproject.Compile(t, files, pipeline.Compared)
	return r.Findings
}

// sayings writes findings a line each.
func sayings(found diag.List) string {
	var out strings.Builder
	for _, d := range found {
		out.WriteString("\n  " + d.Level.String() + " " + string(d.Code) + " " + wording.Message(d))
	}
	return out.String()
}

// headline is the first line of a page.
var headline = regexp.MustCompile("^# (PC[1-8][0-9]{3}) (error|warning|note): [^ ].*[^.]$")

// TestPagesOfCodesHaveTheirForm reads the pages as they stand: their level and
// title are in no table, and their text is shown as it is.
func TestPagesOfCodesHaveTheirForm(t *testing.T) {
	const folder = "ground/diag/codes"
	pages, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(path.Join(folder, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		head, rest, _ := strings.Cut(string(text), "\n")
		m := headline.FindStringSubmatch(head)
		switch {
		case m == nil:
			t.Errorf("%s begins with %q", page.Name(), head)
		case m[1]+".md" != page.Name():
			t.Errorf("%s is about %s", page.Name(), m[1])
		case !strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\nBefore:"):
			t.Errorf("%s explains nothing behind its headline", page.Name())
		case strings.Contains(rest, "\n#") && !strings.Contains(rest, "```md"):
			t.Errorf("%s has headings of its own", page.Name())
		case strings.Contains(rest, "\n\n\n") || !strings.HasSuffix(rest, "\n") || strings.HasSuffix(rest, "\n\n"):
			t.Errorf("%s has blank lines too many, or no last line break", page.Name())
		}
		for line := range strings.SplitSeq(rest, "\n") {
			if strings.TrimRight(line, " \t") != line {
				t.Errorf("%s: blanks behind %q", page.Name(), line)
			}
		}
	}
}

// TestSettingsReachEveryFinding compiles the examples of the pages again with
// every code off, for the prompts that it is about: nothing of it is left, and
// its row is used.
func TestSettingsReachEveryFinding(t *testing.T) {
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "PC6") || e.Code == diag.IdleSetting {
			continue
		}
		t.Run(string(e.Code), func(t *testing.T) {
			before, _, ok := example(t, e.Explanation)
			if !ok {
				t.Fatal("the page has no example")
			}
			text := string(before["prompts.yaml"].Data)
			if strings.Contains(text, "\nchecks:") {
				t.Skip("the example has settings of its own")
			}
			row := "{code: " + string(e.Code) + ", level: off, reason: it is an example"
			if ids := about(compiled(t, before), e.Code); len(ids) > 0 {
				row += ", prompts: [" + strings.Join(ids, ", ") + "]"
			}
			before["prompts.yaml"].Data = []byte(strings.Replace(text, "version: 1\n", "version: 1\nchecks: ["+row+"}]\n", 1))
			r := testproject.Compile(t, before, pipeline.Compared)
			isOff := func(s language.Silenced) bool {
				return s.Finding.Code == e.Code && s.By.Reason.Str == "it is an example"
			}
			if !slices.ContainsFunc(r.Off, isOff) || slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool {
				return d.Code == e.Code || d.Code == diag.IdleSetting
			}) {
				t.Errorf("off: %v; left: %s", r.Off, sayings(r.Findings))
			}
		})
	}
}

// about gives the prompts that findings of a code are about; none where one of
// them is about the input as such.
func about(found diag.List, code diag.Code) []string {
	var out []string
	for _, d := range found {
		switch {
		case d.Code != code:
		case len(d.Prompts) == 0:
			return nil
		default:
			out = append(out, d.Prompts...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

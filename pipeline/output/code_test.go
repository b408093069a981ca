package output_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// Whoever edits a page wraps its prose, for terminals and in the docs. Code and tables
// have lines of their own.
func TestPagesOfCodesFitATerminal(t *testing.T) {
	for _, e := range diag.Codes() {
		fenced := false
		for line := range strings.SplitSeq(e.Explanation, "\n") {
			fence := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
			fenced = fenced != fence
			if n := utf8.RuneCountInString(line); n > 80 && !fenced && !strings.HasPrefix(line, "|") {
				t.Errorf("%s: a line of %d characters: %s", e.Code, n, line)
			}
		}
	}
}

func TestCodesThatCanBeSetSayHow(t *testing.T) {
	for _, tc := range []struct {
		e    diag.Entry
		want string
	}{
		{diag.Entry{Code: "PC6001", Level: diag.Error, Title: "t", Explanation: "e"}, "error[PC6001]: t\n\ne\n\nSet it under `checks`: `{code: PC6001, level: error}`, or `warn`; or leave it\nout: `{code: PC6001, level: off, reason: …}`.\n"},
		{diag.Entry{Code: "PC4008", Level: diag.Note, Title: "t", Explanation: "e"}, "note[PC4008]: t\n\ne\n\nSet it under `checks`: `{code: PC4008, level: error}`, or `warn`; or leave it\nout: `{code: PC4008, level: off, reason: …}`.\n"},
		{diag.Entry{Code: "PC5001", Level: diag.Error, Title: "t", Explanation: "e"}, "error[PC5001]: t\n\ne\n"},
	} {
		equal(t, written(t, func(w *strings.Builder) error { return finding.ExplainCode(w, tc.e, words.Options{}) }), tc.want)
	}
}

func TestExplainCodeJSON(t *testing.T) {
	e := diag.Entry{Code: "PC3002", Level: diag.Error, Title: "t", Explanation: "<e>\n"}
	equal(t, written(t, func(w *strings.Builder) error { return finding.ExplainCodeJSON(w, e) }), `{
  "version": 1,
  "command": "explain",
  "code": "PC3002",
  "level": "error",
  "title": "t",
  "explanation": "<e>\n"
}
`)
}

func codesPage(t *testing.T) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error { return finding.CodesMarkdown(w) })
}

func TestEveryCodeIsOnThePage(t *testing.T) {
	got := codesPage(t)
	last := -1
	for _, e := range diag.Codes() {
		i := strings.Index(got, "\n### "+string(e.Code)+"\n\n**"+e.Level.String()+": "+e.Title+"**\n\n"+strings.TrimSpace(e.Explanation)+"\n")
		if i < 0 {
			t.Errorf("%s has no section", e.Code)
		}
		if i >= 0 && i < last {
			t.Errorf("%s stands before a lower code", e.Code)
		}
		last = max(last, i)
	}
}

func TestPageOfCodesIsCurrent(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "diagnostics.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; run: go generate ./pipeline/output/finding", err)
	}
	if strings.ReplaceAll(string(text), "\r\n", "\n") != codesPage(t) {
		t.Error("docs/diagnostics.md is out of date; run: go generate ./pipeline/output/finding")
	}
}

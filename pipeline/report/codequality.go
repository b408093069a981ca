package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// qualityIssue is one problem in a Code Quality report of GitLab, a part of the
// Code Climate format: https://docs.gitlab.com/ci/testing/code_quality/
type qualityIssue struct {
	Description string          `json:"description"`
	CheckName   string          `json:"check_name"`
	Fingerprint string          `json:"fingerprint"`
	Severity    string          `json:"severity"`
	Location    qualityLocation `json:"location"`
}

type qualityLocation struct {
	Path  string       `json:"path"`
	Lines qualityLines `json:"lines"`
}

type qualityLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// CodeQuality writes the problems of a run of build or check for the merge
// requests of GitLab. What has no place stands at the first line of the manifest.
func CodeQuality(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	opt = opt.of(r)
	out, seen := []qualityIssue{}, map[string]int{}
	for _, x := range factsOf(r, did, opt).problems() {
		at := opt.place(x.at)
		if at == nil {
			at = &jsonPlace{File: x.file, Line: 1, EndLine: 1}
			if manifest := manifestOf(r); at.File == "" && manifest != nil {
				at.File = opt.path(manifest.Path)
			}
		}
		// Of issues with one fingerprint GitLab shows one.
		print := x.fingerprint()
		seen[print]++
		out = append(out, qualityIssue{
			Description: strings.Join(x.lines, "\n"), CheckName: x.rule,
			Fingerprint: fmt.Sprintf("%s-%d", print, seen[print]), Severity: severityOf(x.level),
			Location: qualityLocation{at.File, qualityLines{at.Line, at.EndLine}},
		})
	}
	return encode(w, out, opt)
}

// severityOf gives a level in the words of the format.
func severityOf(l diag.Level) string {
	return [...]string{diag.Error: "major", diag.Warning: "minor", diag.Note: "info"}[l]
}

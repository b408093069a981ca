package run

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
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
func CodeQuality(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	opt = opt.Masking(r)
	out := []qualityIssue{}
	for _, x := range finding.Placed(FactsOf(r, did, opt).Problems(), words.ManifestOf(r), opt) {
		at := cmp.Or(x.Place, &words.Place{Line: 1, EndLine: 1})
		out = append(out, qualityIssue{
			Description: strings.Join(x.Lines(), "\n"), CheckName: x.Rule,
			Fingerprint: fmt.Sprintf("%s-%d", x.Print, x.Nth), // of equal ones GitLab shows one
			Severity:    severityOf(x.Level),
			Location:    qualityLocation{at.File, qualityLines{at.Line, at.EndLine}},
		})
	}
	return words.Encode(w, out, opt)
}

// severityOf gives a level in the words of the format.
func severityOf(l diag.Level) string {
	return [...]string{diag.Error: "major", diag.Warning: "minor", diag.Note: "info"}[l]
}

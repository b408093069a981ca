package finding

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

const (
	// findingsShare is the room for the findings of one level, in characters.
	findingsShare = 20_000
	// maxDetail is how many further facts of a finding are listed.
	maxDetail = 10
)

// Markdown writes findings by level, the most serious first.
func Markdown(m *words.Sheet, findings diag.List, opt words.Options) {
	all := AllOf(opt, Folded(findings, opt))
	for _, level := range []diag.Level{diag.Error, diag.Warning, diag.Note} {
		var items []string
		for _, x := range all {
			if x.Level == level {
				items = append(items, x.markdown())
			}
		}
		if len(items) == 0 {
			continue
		}
		m.Block("### " + words.Count(findings.Count(level), level.String()) + "\n\n")
		left := m.Fill(findingsShare, items)
		m.Block("\n")
		m.More(left, level.String())
	}
}

// markdown gives a problem as an item of a list, with some of its further facts.
func (x Problem) markdown() string {
	at := ""
	if x.Position != "" {
		at = " at " + words.CodeSpan(x.Position)
	}
	lines := []string{"- " + words.CodeSpan(x.Rule) + at + ": " + words.CodeSpan(x.Message)}
	shown := min(maxDetail, len(x.Detail))
	for _, line := range x.Detail[:shown] {
		lines = append(lines, "  - "+words.CodeSpan(line))
	}
	if left := len(x.Detail) - shown; left > 0 {
		lines = append(lines, "  - and "+words.Count(left, "more line"))
	}
	if x.hint != "" {
		lines = append(lines, "  - hint: "+words.CodeSpan(x.hint))
	}
	return strings.Join(lines, "\n") + "\n"
}

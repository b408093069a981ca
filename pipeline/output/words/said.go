package words

import (
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// Text gives the text of words that belong to no finding.
func Text(w diag.Words) string { return wording.Text(w) }

// Error gives the text of an error.
func Error(err error) string { return wording.Error(err) }

// ErrorHint gives the hint of the outermost failure in an error that has one.
func ErrorHint(err error) (hint string) {
	for f := diag.FailureIn(err); f != nil && hint == ""; f = diag.FailureIn(f.Cause) {
		hint = wording.Text(f.Hint)
	}
	return hint
}

package run

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// SARIF writes a run of build or check as a SARIF 2.1.0 log with one run, for
// code scanning: a result for each finding and for each file that is not what a
// build writes, placed in the source that caused it; what settings leave out is
// suppressed, with the reason.
func SARIF(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	opt = opt.Masking(r)
	all := FactsOf(r, did, opt).Problems()
	for i, o := range r.Off {
		all = append(all, finding.Of(opt, o.Finding))
		all[len(all)-1].Off = &r.Off[i]
	}
	return finding.WriteSARIF(w, finding.Placed(all, words.ManifestOf(r), opt), opt)
}

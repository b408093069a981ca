package review

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Overrun is a budget that a variant of the head exceeds.
type Overrun struct {
	Variant *assembly.Variant
	At      diag.Span // the limit; of a policy's that the head lacks, the prompt or section
	Warn    bool      // it only warns
	Before  bool      // the base exceeds it already, and by as much
}

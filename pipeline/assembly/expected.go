package assembly

import (
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Expected is an Expectation with its names bound.
type Expected struct {
	*language.Expectation
	// On are the variants for which its condition holds.
	On ground.Set
	// Sections are indices into Prompt.Sections: of Section, or those of Order.
	Sections []int
}

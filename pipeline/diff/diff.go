// Package diff compares two states of a project, each compiled by itself, and
// says what changed in meaning: once for each change, however many variants it
// reaches, and with those that it does not reach.
package diff

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/token"
)

// Counters gives the counter of a tokenizer's name.
type Counters func(name string) *token.Counter

// Run compares the base with the head. A side without a result has no
// manifest: then everything is added, or removed. The findings are about limits
// on growth, and about budgets that the policy has stricter. It is pure.
func Run(base, head prompt.Side, policy Policy, counters Counters) (*prompt.Difference, diag.List) {
	r := newRun(base, head, counters)
	r.prompts()
	r.settings()
	r.judged()
	r.slots()
	r.sections()
	r.tools()
	r.texts()
	r.talks()
	r.hunks()
	r.renames()
	r.budgets()
	r.weakened(policy)
	r.settle()
	r.addUp()
	r.cache()
	r.rest()
	r.idle()
	r.finish()
	return r.d, append(r.growth(), r.overruns()...).Sorted()
}

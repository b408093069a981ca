package snapshot

import (
	"errors"
	"fmt"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// unknownFull is the finding for an entry of snapshots.full in which a name
// is not known, with the name that was probably meant.
func unknownFull(word prompt.Word, name string, candidates []string, format string, args ...any) *diag.Diagnostic {
	d := diag.New(diag.FullUnknown, word.At, "%q names no variant: %s", word.Str, fmt.Sprintf(format, args...))
	if best, ok := near.Best(name, candidates); ok {
		d = d.WithHint("did you mean %q?", best)
	} else {
		d = d.WithHint("run: promptc list")
	}
	return &d
}

// selectFinding is the finding for what Select refused.
func selectFinding(word prompt.Word, id string, err error) diag.Diagnostic {
	var bad *prompt.SelectError
	if !errors.As(err, &bad) {
		return *unknownFull(word, "", nil, "%s", err)
	}
	if bad.What == "axis" && len(bad.Candidates) == 0 && !bad.Twice {
		return diag.New(diag.FullUnknown, word.At, "%q names no variant: prompt %q has no axes", word.Str, id).
			WithHint("write %q", id)
	}
	return *unknownFull(word, bad.Word, bad.Candidates, "%s", err)
}

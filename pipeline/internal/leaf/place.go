package leaf

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Place gives the place of the part of a definition that steps lead to, as Between gives them, or of the nearest that
// is there and has one.
func Place(t *prompt.Tool, steps []string) diag.Span {
	at := t.NameAt
	switch {
	case len(steps) == 0:
	case steps[0] == "description" && t.DescAt.Known():
		at = t.DescAt
	case steps[0] == "parameters" && t.Input != nil:
		n := t.Input
		for _, s := range steps[1:] {
			next := child(n, s)
			if next == nil {
				break
			}
			n = next
		}
		if n.At.Known() {
			at = n.At
		}
	}
	if !at.Known() {
		at = t.At
	}
	return at
}

// child gives the value that a step leads to, nil where there is none.
func child(n *prompt.Node, to string) *prompt.Node {
	if n.Kind != prompt.Sequence {
		return n.Field(to)
	}
	if i, err := strconv.Atoi(to); err == nil && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

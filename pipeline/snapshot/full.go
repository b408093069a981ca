package snapshot

import (
	"errors"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// unknownFull is the finding for an entry of snapshots.full in which a name
// is not known, with the name that was probably meant.
func unknownFull(word prompt.Word, name string, candidates []string, why diag.Words) *diag.Diagnostic {
	d := diag.New(diag.FullUnknown, word.At, "names-no-variant", word.Str, why)
	if best, ok := near.Best(name, candidates); ok {
		d = d.WithHint("did-you-mean", best)
	} else {
		d = d.WithHint("run-list")
	}
	return &d
}

// selectFinding is the finding for what Select refused.
func selectFinding(word prompt.Word, p *prompt.Prompt, err error) diag.Diagnostic {
	var bad *prompt.SelectError
	if !errors.As(err, &bad) {
		return *unknownFull(word, "", nil, diag.Verbatim(err.Error()))
	}
	if id := p.ID.Str; len(p.Axes) == 0 {
		return diag.New(diag.FullUnknown, word.At, "has-no-axes", word.Str, id).
			WithHint("write", id)
	}
	d := *unknownFull(word, bad.Word, bad.Candidates, diag.Verbatim(err.Error()))
	switch {
	case bad.What == "expression":
		d.Hint = termHint(p, word.Str, bad.Word, bad.Word)
	case bad.What == "value" && bad.Word == "":
		d.Hint = termHint(p, word.Str, bad.Axis+"=", bad.Axis)
	}
	return d
}

// termHint says how a term of an entry is written that names an axis without
// a value, a value without its axis, or nothing.
func termHint(p *prompt.Prompt, entry, term, name string) diag.Words {
	place := "" // what stands in front of the term, where that is the prompt alone
	if entry == p.ID.Str+"/"+term {
		place = p.ID.Str + "/"
	}
	var names []string
	for _, a := range p.Axes {
		for _, v := range a.Values {
			if v.Str == name {
				return diag.Say("write", place+a.Name.Str+"="+name)
			}
		}
		names = append(names, a.Name.Str)
	}
	close, ok := near.Best(name, names)
	if !ok {
		return diag.Say("write-with-axis", place+"AXIS=VALUE", strings.Join(names, " or "))
	}
	var values []string
	for _, v := range p.Axes[slices.Index(names, close)].Values {
		values = append(values, v.Str)
	}
	return diag.Say("write-with-value", place+close+"=VALUE", strings.Join(values, " or "))
}

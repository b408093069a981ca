package validate

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// goal decodes a goal, as far as it has the right shape.
func (d *documents) goal(doc *prompt.Doc) {
	n := doc.Data
	if n == nil || n.Kind != prompt.Mapping {
		return
	}
	out := &prompt.Goal{
		Priority: wordOr(n.Field("priority"), "medium"),
		Status:   wordOr(n.Field("status"), "active"),
	}
	out.Description = textOf(n.Field("description"))
	names := newDistinct("checkpoint")
	for _, item := range itemsOf(n.Field("checkpoints")) {
		description := item.Field("description")
		d.sameWords(names, description)
		out.Checkpoints = append(out.Checkpoints, prompt.Checkpoint{
			Description: textOf(description), Status: wordOr(item.Field("status"), "pending"),
		})
	}
	names = newDistinct("decision")
	for _, item := range itemsOf(n.Field("decisions")) {
		description, locked := item.Field("description"), item.Field("locked")
		d.sameWords(names, description)
		decision := prompt.Decision{Description: textOf(description)}
		if locked.Scalar() == "true" {
			decision.Locked, decision.LockedAt = true, locked.At
		}
		out.Decisions = append(out.Decisions, decision)
	}
	for _, item := range itemsOf(n.Field("artifacts")) {
		out.Artifacts = append(out.Artifacts, prompt.GoalArtifact{
			Path: textOf(item.Field("path")), Action: wordOr(item.Field("action"), ""),
		})
	}
	d.goals[doc] = out
}

func wordOr(n *prompt.Node, missing string) prompt.Word {
	if n == nil || !n.IsScalar() {
		return prompt.Word{Str: missing}
	}
	return prompt.Word{Str: n.Text.Str, At: n.At}
}

func textOf(n *prompt.Node) prompt.Text {
	if !n.IsScalar() {
		return prompt.Text{}
	}
	return n.Text
}

func itemsOf(n *prompt.Node) []*prompt.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// sameWords reports a description that is there twice: a marker that names
// it could mean either.
func (d *documents) sameWords(names distinct, n *prompt.Node) {
	if !n.IsScalar() || n.Text.Str == "" {
		return
	}
	key := prompt.SameWords(n.Text.Str)
	first, again := names.seen[key]
	if !again {
		names.seen[key] = n.At
		return
	}
	d.found = append(d.found, diag.New(diag.DuplicateName, n.At, "the %s %s is there twice", names.what, quote(n.Text.Str)).
		WithHint("%s", firstAt(first)))
}

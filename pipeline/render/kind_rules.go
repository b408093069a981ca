package render

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// rulesBody prints the rules' texts, or in the form index a line for each.
func rulesBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	if in.Form == "index" {
		return b.rulesIndex(in)
	}
	for _, doc := range in.Docs {
		b.condition(doc)
	}
	return b.fileBodies(in, func(f *diag.File, base string) string { return b.tilde.claim(fileName(f, base)) })
}

// rulesIndex lists the rules for the model to open. Their texts are not in
// it, so it has no items and no condition is passed over. A path stands for
// its file, so that a rule without a description has a place, too.
func (b *bench) rulesIndex(in *prompt.Input) passage {
	var pieces []piece
	for _, doc := range in.Docs {
		pieces = append(pieces, piece{data: scope{
			textEntry("Path", derived(doc.File.Path, diag.Whole(doc.File))),
			passEntry("Description", oneLine(b.field(in, scalarText(doc.Front.Field("description"))))),
		}})
	}
	return b.uncut(in, b.layout(b.style(in), pieces, nil, nil))
}

// conditionFields are the front matter keys by which tools decide when a rule
// applies.
var conditionFields = []string{"paths", "globs", "applyTo"}

// everywhere are the globs that are no condition.
var everywhere = []string{"", "*", "**", "**/*"}

// condition notes a rule that is meant for some files only. Cursor's
// alwaysApply overrules its globs.
func (b *bench) condition(doc *prompt.Doc) {
	if always := doc.Front.Field("alwaysApply"); always != nil && strings.EqualFold(always.Scalar(), "true") {
		return
	}
	for _, key := range conditionFields {
		n := doc.Front.Field(key)
		if n == nil || unconditional(n) {
			continue
		}
		b.mark("conditional")
		b.found = append(b.found, diag.New(diag.ConditionNotApplied, n.At,
			"condition-rule-not-applied", key, doc.File.Path))
		return
	}
}

// unconditional reports whether one of the globs is for every file: then the
// others are no condition either.
func unconditional(n *prompt.Node) bool {
	if n.Kind == prompt.Null {
		return true
	}
	var globs []string
	if n.IsScalar() {
		globs = strings.Split(n.Scalar(), ",")
	}
	for _, item := range n.Items {
		globs = append(globs, item.Scalar())
	}
	for _, g := range globs {
		for _, e := range everywhere {
			if strings.TrimSpace(g) == e && (e != "" || len(globs) == 1) {
				return true
			}
		}
	}
	return len(globs) == 0
}

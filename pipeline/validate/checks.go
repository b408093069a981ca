package validate

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// strictness is what `level` of a setting may say.
var strictness = []struct {
	word string
	is   prompt.Strictness
}{
	{"error", prompt.CountsAsError},
	{"warn", prompt.CountsAsWarning},
	{"off", prompt.Off},
}

// setting decodes a row of `checks`.
func (d *decoder) setting(n *prompt.Node) *prompt.Setting {
	out := &prompt.Setting{At: n.At}
	out.Codes, _ = d.words(n.Field("code"))
	out.Paths, _ = d.words(n.Field("paths"))
	out.Prompts, _ = d.words(n.Field("prompts"))
	out.Reason, _ = d.word(n.Field("reason"))
	for _, s := range strictness {
		if s.word == n.Field("level").Scalar() {
			out.Level = s.is
		}
	}
	if out.Level == prompt.Off && n.Field("reason") == nil {
		d.found = append(d.found, diag.New(diag.MissingKey, firstLine(n.At), "a suppression lacks the key \"reason\"").
			WithHint("add `reason`: why nobody is to see these findings"))
	}
	for _, w := range out.Codes {
		d.settable(w, out)
	}
	d.settingPaths(out.Paths)
	return out
}

// settable reports a code that is not there, or that the row cannot set.
func (d *decoder) settable(w prompt.Word, row *prompt.Setting) {
	e, ok := diag.Lookup(diag.Code(w.Str))
	switch {
	case w.Str == "": // reported as empty
	case !ok:
		d.found = append(d.found, unknownCode(w))
	case !e.Settable():
		d.found = append(d.found, diag.New(diag.NotSettable, w.At, "%s is an error of meaning: it cannot be set", w.Str).
			WithHint("correct what it reports: %s", e.Title))
	case len(row.Prompts) > 0 && !e.Code.OfPrompts():
		d.found = append(d.found, diag.New(diag.NotSettable, w.At, "findings of %s are about the input and no prompt: `prompts` does not fit them", w.Str).
			WithHint("name the files under `paths`"))
	}
}

func unknownCode(w prompt.Word) diag.Diagnostic {
	var codes []string
	for _, e := range diag.Codes() {
		codes = append(codes, string(e.Code))
	}
	found := diag.New(diag.UnknownCode, w.At, "no finding has the code %s", quote(w.Str)).
		WithHint("promptc explain CODE, and docs/diagnostics.md, say what the codes mean")
	return withNear(found, w.Str, codes)
}

// expectation decodes an entry of `expect`.
func (d *decoder) expectation(n *prompt.Node) *prompt.Expectation {
	out := &prompt.Expectation{When: d.condition(n.Field("when")), At: firstLine(n.At)}
	literal := func(key string) *prompt.Text {
		if v := n.Field(key); v != nil && v.IsScalar() {
			return &v.Text
		}
		return nil
	}
	out.Contains, out.Lacks = literal("contains"), literal("lacks")
	out.Section, _ = d.word(n.Field("section"))
	out.Order, _ = d.words(n.Field("order"))
	out.Tool, _ = d.word(n.Field("tool"))
	return out
}

// mappings decodes the mappings of a list.
func mappings[T any](n *prompt.Node, one func(*prompt.Node) T) []T {
	if n == nil {
		return nil
	}
	var out []T
	for _, item := range n.Items {
		if item.Kind == prompt.Mapping {
			out = append(out, one(item))
		}
	}
	return out
}

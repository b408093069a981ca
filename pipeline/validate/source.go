package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// kindKeys are the keys of a source that only some kinds take.
var kindKeys = []struct {
	key   string
	takes func(*prompt.Kind) bool
}{
	{"text", takesText},
	{"style", func(k *prompt.Kind) bool { return k.Styles != nil }},
	{"root", option("root")},
	{"local", option("local")},
	{"location", option("location")},
	{"routing", option("routing")},
	{"transcript", option("transcript")},
	{"limit", func(k *prompt.Kind) bool { return k.Name != prompt.GoalKind && !k.Messages }},
	{"limits", func(k *prompt.Kind) bool { return k.Reads == prompt.ReadsProse }}, // what other programs read by themselves
	{"expand", func(k *prompt.Kind) bool { return !k.Tools && !k.Messages }},
	{"volatile", func(k *prompt.Kind) bool { return !k.Messages }}, // its tiers say what stays
}

// textKeys are the kind keys of a section that brings its own text, which is
// of kind text and takes none of them.
var textKeys = []string{"form", "only", "select", "style", "location", "routing"}

// fileKeys are the keys that speak of a source's files.
var fileKeys = []string{"fallback", "else", "absent", "root", "local", "limits"}

// takesText reports whether a text of the manifest can stand for the kind's
// files: where these are prose without fields or names of their own.
func takesText(k *prompt.Kind) bool {
	return k.Reads == prompt.ReadsProse && k.Schema == "" && !k.Items
}

func option(name string) func(*prompt.Kind) bool {
	return func(k *prompt.Kind) bool { return slices.Contains(k.Options, name) }
}

func (d *decoder) source(f prompt.Field) *prompt.Source {
	n := f.Value
	out := &prompt.Source{ID: d.declared(f), Text: cases(d, n.Field("text"), d.text)}
	out.Kind = kindOf(n)
	out.Path = cases(d, n.Field("path"), d.words)
	out.Fallback = cases(d, n.Field("fallback"), d.words)
	out.Else, _ = d.word(n.Field("else"))
	out.Absent = absentOf(n.Field("absent"))
	out.Root, _ = d.word(n.Field("root"))
	out.Local, _ = d.flag(n.Field("local"))
	out.Transcript, _ = d.word(n.Field("transcript"))
	out.Volatile, _ = d.flag(n.Field("volatile"))
	out.Limits, _ = d.words(n.Field("limits"))
	d.presets(out)
	out.Options = d.options(n)
	d.kindKeys(n, out.Kind)
	return out
}

// presets reports programs that have nothing to say about the kind of a source:
// what they take of a file is no limit for what is listed of it.
func (d *decoder) presets(s *prompt.Source) {
	if s.Kind == nil || s.Kind.Name != prompt.SkillsKind {
		return
	}
	var listing diag.Names
	for i := range prompt.Presets {
		if p := &prompt.Presets[i]; p.Lists() {
			listing = append(listing, p.Name)
		}
	}
	for _, w := range s.Limits {
		if p, ok := prompt.LookupPreset(w.Str); ok && !p.Lists() {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, w.At, "no-limit-kind", w.Str, s.Kind.Name).
				WithHint("programs", listing))
		}
	}
}

func absentOf(n *prompt.Node) prompt.Absent {
	switch n.Scalar() {
	case "omit":
		return prompt.AbsentOmit
	case "default":
		return prompt.AbsentDefault
	default:
		return prompt.AbsentError
	}
}

// kindOf gives the kind of a source, nil where the manifest names an unknown
// one.
func kindOf(n *prompt.Node) *prompt.Kind {
	name := "text"
	if kind := n.Field("kind"); kind != nil {
		name = kind.Scalar()
	}
	k, _ := prompt.LookupKind(name)
	return k
}

// kindKeys reports keys of a source that its kind does not take.
func (d *decoder) kindKeys(n *prompt.Node, kind *prompt.Kind) {
	if kind == nil {
		return
	}
	for _, f := range entries(n) {
		before := len(d.found)
		for _, k := range kindKeys {
			if k.key != f.Key || k.takes(kind) {
				continue
			}
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "kind-takes-no", kind.Name, f.Key).
				WithHint("kinds", kindsWith(k.takes)))
		}
		if f.Key == "absent" && f.Value.Scalar() == "default" && !kind.BuiltIn {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.Value.At, "kind-no-built-text", kind.Name).
				WithHint("kinds", kindsWith(func(k *prompt.Kind) bool { return k.BuiltIn })))
		}
		if len(d.found) == before && slices.Contains(fileKeys, f.Key) && n.Field("text") != nil && n.Field("path") == nil {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "text-written-manifest-takes", f.Key).
				WithHint("no-files-remove-key"))
		}
	}
}

func kindsWith(takes func(*prompt.Kind) bool) diag.Names {
	var names diag.Names
	for i := range prompt.Kinds {
		if takes(&prompt.Kinds[i]) {
			names = append(names, prompt.Kinds[i].Name)
		}
	}
	return names
}

// options decodes what a source and a section have in common.
func (d *decoder) options(n *prompt.Node) prompt.Options {
	return prompt.Options{
		Style:    cases(d, n.Field("style"), d.style),
		Limit:    cases(d, n.Field("limit"), d.limit),
		Expand:   cases(d, n.Field("expand"), d.flag),
		Location: cases(d, n.Field("location"), d.text),
		Routing:  cases(d, n.Field("routing"), d.flag),
	}
}

func (d *decoder) style(n *prompt.Node) (prompt.Style, bool) {
	if w, ok := d.word(n); ok {
		return prompt.Style{Name: w}, true
	}
	w, ok := d.word(n.Field("path"))
	return prompt.Style{Path: w}, ok
}

func (d *decoder) limit(n *prompt.Node) (prompt.Limit, bool) {
	chars, ok := d.amount(n.Field("chars"))
	return prompt.Limit{
		Chars:     chars,
		PerSource: n.Field("per").Scalar() == "source",
		Cut:       n.Field("over").Scalar() == "cut",
		Refuse:    n.Field("over").Scalar() == "error",
		At:        n.At,
	}, ok
}

package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// manifest decodes the root of prompts.yaml.
func (d *decoder) manifest(tree *prompt.Tree) *prompt.Spec {
	n := tree.Manifest
	spec := &prompt.Spec{Tree: tree, File: tree.File}
	d.version(n.Field("version"))
	spec.Tokenizer, _ = d.word(n.Field("tokenizer"))
	spec.Artifacts, _ = d.word(n.Field("artifacts"))
	spec.Snapshots = d.snapshots(n.Field("snapshots"))
	spec.Checks = mappings(n.Field("checks"), d.setting)
	spec.Families, _ = d.words(n.Field("families"))
	d.folders(spec.Snapshots.Path, spec.Artifacts)

	for _, f := range entries(n.Field("tokenizers")) {
		spec.Tokenizers = append(spec.Tokenizers, d.estimator(f))
	}
	names := newDistinct()
	for _, f := range entries(n.Field("slots")) {
		slot := d.slot(f)
		d.found = append(d.found, names.once(slot.Name)...)
		spec.Slots = append(spec.Slots, slot)
	}
	for _, f := range entries(n.Field("fragments")) {
		name := d.declared(f)
		d.found = append(d.found, names.once(name)...) // slots and fragments are one namespace
		spec.Fragments = append(spec.Fragments, &prompt.Fragment{Name: name, Value: cases(d, f.Value, d.text)})
	}
	for _, f := range entries(n.Field("sources")) {
		spec.Sources = append(spec.Sources, d.source(f))
	}
	for _, f := range entries(n.Field("prompts")) {
		spec.Prompts = append(spec.Prompts, d.prompt(f))
	}
	return spec
}

// version refuses the number 1 in another spelling, such as 1.0: what is no 1
// at all was found by the schema.
func (d *decoder) version(n *prompt.Node) {
	if one, ok := d.number(n); ok && one == 1 && n.Text.Str != "1" {
		d.found = append(d.found, unknownVersion(n))
	}
}

// entries gives the fields of a mapping, none for anything else.
func entries(n *prompt.Node) []prompt.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// declared gives the name that a key declares, checked.
func (d *decoder) declared(f prompt.Field) prompt.Word {
	w := prompt.Word{Str: f.Key, At: f.KeyAt}
	d.id(w)
	return w
}

func (d *decoder) snapshots(n *prompt.Node) prompt.Snapshots {
	out := prompt.Snapshots{Path: prompt.Word{Str: "snapshots"}}
	if w, ok := d.word(n.Field("path")); ok && w.Str != "" {
		out.Path = w
	}
	if full := n.Field("full"); full != nil && full.Kind == prompt.Sequence {
		out.Full, _ = d.words(full)
	}
	return out
}

// folders checks where output goes: below the manifest's folder, and neither
// into the other.
func (d *decoder) folders(snapshots, artifacts prompt.Word) {
	usable := true
	for _, w := range []prompt.Word{snapshots, artifacts} {
		if why := folderFault(w.Str); why != "" {
			usable = false
			d.found = append(d.found, diag.New(diag.BadFolder, w.At, "folder", w.Str, diag.Say(why)).
				WithHint("name-folder-below-manifests"))
		}
	}
	a, b := path.Clean(snapshots.Str), path.Clean(artifacts.Str)
	if usable && artifacts.Str != "" && (within(a, b) || within(b, a)) {
		d.found = append(d.found, diag.New(diag.BadFolder, artifacts.At, "folders-lie-within-another", a, b).
			WithHint("give-snapshots-artifacts-folder"))
	}
}

// within reports whether a folder is another one or lies in it, on file systems
// that ignore case too.
func within(a, b string) bool {
	return strings.HasPrefix(strings.ToLower(a)+"/", strings.ToLower(b)+"/")
}

// folderFault says why output cannot go to a folder, "" where it can.
func folderFault(folder string) string {
	if folder == "" {
		return "" // not declared, or reported as empty
	}
	clean := path.Clean(folder)
	switch {
	case path.IsAbs(clean):
		return "is-absolute"
	case clean == "..", strings.HasPrefix(clean, "../"):
		return "leaves-folder"
	case clean == ".":
		return "is-own-folder"
	}
	for name := range strings.SplitSeq(clean, "/") {
		if why := pathrule.Refused(name); why != "" {
			return why
		}
	}
	return ""
}

func (d *decoder) estimator(f prompt.Field) *prompt.Estimator {
	out := &prompt.Estimator{Name: d.declared(f)}
	out.Base, _ = d.word(f.Value.Field("base"))
	out.Factor, _ = d.number(f.Value.Field("factor"))
	out.Error, _ = d.number(f.Value.Field("error"))
	if slices.Contains(builtInTokenizers, f.Key) {
		d.found = append(d.found, diag.New(diag.DuplicateName, f.KeyAt, "tokenizer-built", f.Key).
			WithHint("choose-another-name"))
	}
	return out
}

func (d *decoder) slot(f prompt.Field) *prompt.Slot {
	out := &prompt.Slot{Name: d.declared(f)}
	out.Example, _ = d.text(f.Value.Field("example"))
	out.MaxTokens, _ = d.amount(f.Value.Field("max_tokens"))
	out.Volatile, _ = d.flag(f.Value.Field("volatile"))
	out.Optional, _ = d.flag(f.Value.Field("optional"))
	return out
}

package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/language"
)

// manifest decodes the root of prompts.yaml.
func (d *decoder) manifest(tree *language.Tree) *language.Spec {
	n := extended(tree)
	spec := &language.Spec{Tree: tree, File: tree.File}
	d.version(n.Field("version"), manifestRef)
	d.words(n.Field("extends"))
	spec.Tokenizer, _ = d.word(n.Field("tokenizer"))
	spec.Artifacts, _ = d.word(n.Field("artifacts"))
	spec.Snapshots = d.snapshots(n.Field("snapshots"))
	spec.Checks = mappings(n.Field("checks"), d.setting)
	spec.Families, _ = d.words(n.Field("families"))
	d.bindings(n.Field("bindings"), spec)
	d.folders(spec)
	d.roots(n.Field("roots"))
	d.limits = d.limitsByKind(n.Field("limits"))

	for _, f := range n.Field("tokenizers").Entries() {
		spec.Tokenizers = append(spec.Tokenizers, d.estimator(f))
	}
	names := newDistinct()
	for _, f := range n.Field("slots").Entries() {
		slot := d.slot(f)
		d.found = append(d.found, names.once(slot.Name)...)
		spec.Slots = append(spec.Slots, slot)
	}
	for _, f := range n.Field("fragments").Entries() {
		name := d.declared(f)
		d.found = append(d.found, names.once(name)...) // slots and fragments are one namespace
		spec.Fragments = append(spec.Fragments, &language.Fragment{Name: name, Value: cases(d, f.Value, d.text)})
	}
	spec.Servers = d.servers(n.Field("servers"))
	for _, f := range n.Field("sources").Entries() {
		spec.Sources = append(spec.Sources, d.source(f))
	}
	for _, f := range n.Field("prompts").Entries() {
		spec.Prompts = append(spec.Prompts, d.prompt(f))
	}
	d.locks(tree, n, spec)
	d.runnable(tree, spec)
	return spec
}

// roots decodes the folders beside the project.
func (d *decoder) roots(n *ground.Node) []language.Root {
	var out []language.Root
	for _, f := range n.Entries() {
		folder, _ := d.word(f.Value)
		out = append(out, language.Root{Name: d.declared(f), Path: folder})
	}
	return out
}

// version refuses the number 1 in another spelling, such as 1.0: what is no 1
// at all was found by the schema.
func (d *decoder) version(n *ground.Node, of string) {
	if one, ok := d.number(n); ok && one == 1 && n.Text.Str != "1" {
		d.found = append(d.found, unknownVersion(n, of))
	}
}

// declared gives the name that a key declares, checked.
func (d *decoder) declared(f ground.Field) ground.Word {
	w := ground.Word{Str: f.Key, At: f.KeyAt}
	d.id(w)
	return w
}

func (d *decoder) snapshots(n *ground.Node) language.Snapshots {
	out := language.Snapshots{Path: ground.Word{Str: "snapshots"}}
	if w, ok := d.word(n.Field("path")); ok && w.Str != "" {
		out.Path = w
	}
	if full := n.Field("full"); full != nil && full.Kind == ground.Sequence {
		out.Full, _ = d.words(full)
	}
	return out
}

// bindings decodes where generated code goes, and what is named otherwise there.
func (d *decoder) bindings(n *ground.Node, spec *language.Spec) {
	for _, f := range n.Entries() {
		if f.Key == "names" {
			for _, name := range f.Value.Entries() {
				w, _ := d.word(name.Value)
				d.id(w)
				spec.CodeNames = append(spec.CodeNames, language.CodeName{Of: ground.Word{Str: name.Key, At: name.KeyAt}, Name: w})
			}
			continue
		}
		b := language.BindingFolder{Language: f.Key}
		if w, ok := d.word(f.Value); ok {
			b.Folder = w
		} else {
			b.Folder, _ = d.word(f.Value.Field("path"))
			b.Inline, _ = d.flag(f.Value.Field("inline"))
		}
		if b.Folder.Str != "" {
			spec.Bindings = append(spec.Bindings, b)
		}
	}
	if len(spec.Bindings) > 0 && spec.Artifacts.Str == "" {
		d.found = append(d.found, diag.New(diag.MissingKey, spec.Bindings[0].Folder.At, "bindings-need-artifacts").
			WithHint("add-artifacts"))
	}
}

// outputFolder is a folder that a build writes to, and what it is for.
type outputFolder struct {
	ground.Word

	of string
}

// folders checks where output goes: below the manifest's folder, and none into
// another.
func (d *decoder) folders(spec *language.Spec) {
	all := []outputFolder{{spec.Snapshots.Path, "snapshots"}, {spec.Artifacts, "artifacts"}}
	for _, b := range spec.Bindings {
		all = append(all, outputFolder{b.Folder, "bindings." + b.Language})
	}
	var usable []outputFolder
	for _, w := range all {
		switch why := folderFault(w.Str); {
		case why != "":
			d.found = append(d.found, diag.New(diag.BadFolder, w.At, "folder", w.Str, diag.Say(why)).
				WithHint("name-folder-below-manifests"))
		case w.Str != "":
			d.apart(w, usable)
			usable = append(usable, w)
		}
	}
}

// apart checks that a folder is none of others, and that neither lies in the other.
func (d *decoder) apart(w outputFolder, others []outputFolder) {
	a := path.Clean(w.Str)
	for _, o := range others {
		b := path.Clean(o.Str)
		switch {
		case within(a, b) && within(b, a):
			d.found = append(d.found, diag.New(diag.BadFolder, w.At, "folders-are-one", w.of, o.of, b).WithHint("give-folder-each", o.of, w.of))
		case within(a, b) || within(b, a):
			d.found = append(d.found, diag.New(diag.BadFolder, w.At, "folders-lie-within-another", b, a).WithHint("give-folder-each", o.of, w.of))
		}
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

func (d *decoder) estimator(f ground.Field) *language.Estimator {
	out := &language.Estimator{Name: d.declared(f)}
	out.Base, _ = d.word(f.Value.Field("base"))
	out.Factor, _ = d.number(f.Value.Field("factor"))
	out.Error, _ = d.number(f.Value.Field("error"))
	if slices.Contains(builtInTokenizers, f.Key) {
		d.found = append(d.found, diag.New(diag.DuplicateName, f.KeyAt, "tokenizer-built", f.Key).
			WithHint("choose-another-name"))
	}
	return out
}

func (d *decoder) slot(f ground.Field) *language.Slot {
	out := &language.Slot{Name: d.declared(f)}
	out.Example, _ = d.text(f.Value.Field("example"))
	out.MaxTokens, _ = d.amount(f.Value.Field("max_tokens"))
	out.Volatile, _ = d.flag(f.Value.Field("volatile"))
	out.Optional, _ = d.flag(f.Value.Field("optional"))
	return out
}

// kindKeys are the keys of a source that only some kinds take.
var kindKeys = []struct {
	key   string
	takes func(*language.Kind) bool
}{
	{"text", takesText},
	{"pull", func(k *language.Kind) bool { return k.Tools }},
	{"only", func(k *language.Kind) bool { return k.Tools }},
	{"style", func(k *language.Kind) bool { return k.Styles != nil }},
	{"root", option("root")},
	{"local", option("local")},
	{"location", option("location")},
	{"routing", option("routing")},
	{"transcript", option("transcript")},
	{"limit", func(k *language.Kind) bool { return !k.Goals && !k.Messages }},
	{"limits", func(k *language.Kind) bool { return k.Reads == language.ReadsProse }}, // what other programs read by themselves
	{"expand-imports", func(k *language.Kind) bool { return k.Reads == language.ReadsProse }},
	{"expand", func(k *language.Kind) bool { return !k.Tools && !k.Messages }},
	{"volatile", func(k *language.Kind) bool { return !k.Messages }}, // its tiers say what stays
}

// textKeys are the kind keys of a section that brings its own text, which is
// of kind text and takes none of them.
var textKeys = []string{"form", "only", "select", "style", "location", "routing"}

// fileKeys are the keys that speak of a source's files.
var fileKeys = []string{"fallback", "else", "absent", "root", "local", "limits", "expand-imports"}

// takesText reports whether a text of the manifest can stand for the kind's
// files: where these are prose without fields or names of their own.
func takesText(k *language.Kind) bool {
	return k.Reads == language.ReadsProse && k.Schema == "" && !k.Items
}

func option(name string) func(*language.Kind) bool {
	return func(k *language.Kind) bool { return slices.Contains(k.Options, name) }
}

func (d *decoder) source(f ground.Field) *language.Source {
	n := f.Value
	out := &language.Source{ID: d.declared(f), Text: cases(d, n.Field("text"), d.text)}
	out.Kind = kindOf(n)
	out.Path = cases(d, n.Field("path"), d.words)
	if w, ok := d.word(n.Field("pull")); ok {
		d.name(w, isName(w.Str), "rule-of-servers")
		out.Pull = w
		out.Path = language.Cases[[]ground.Word]{{Value: []ground.Word{{Str: language.PulledTools(w.Str), At: w.At}}, At: w.At}}
	}
	out.Only, _ = d.words(n.Field("only"))
	out.Fallback = cases(d, n.Field("fallback"), d.words)
	out.Else, _ = d.word(n.Field("else"))
	out.Absent = absentOf(n.Field("absent"))
	out.Root, _ = d.word(n.Field("root"))
	out.Local, _ = d.flag(n.Field("local"))
	out.Transcript, _ = d.word(n.Field("transcript"))
	out.Volatile, _ = d.flag(n.Field("volatile"))
	if limits := n.Field("limits"); limits != nil {
		out.Limits, _ = d.words(limits)
	} else if out.Kind != nil && n.Field("text") == nil {
		out.Limits = d.limits[out.Kind.Name]
	}
	if expand, written := d.flag(n.Field("expand-imports")); written {
		out.KeepImports = !expand
	}
	out.Pointer, _ = d.word(n.Field("pointer"))
	out.Template, _ = d.word(n.Field("template"))
	out.Symbol = d.symbols(n.Field("symbol"))
	if out.Symbol.Str != "" {
		d.foreign(n, []string{"pointer", "template", "expand"}, "code-takes-no-key", "remove-it-or-symbol")
	}
	if out.Kind != nil && out.Kind.Name != language.TextKind {
		d.foreign(n, []string{"pointer", "template", "symbol"}, "key-of-text-sources", "kind-text-or-remove")
	}
	if n.Field("text") != nil {
		d.foreign(n, []string{"pointer", "symbol"}, "key-of-text-sources", "kind-text-or-remove")
	}
	d.presets(out)
	out.Options = d.options(n)
	d.kindKeys(n, out.Kind)
	return out
}

// presets reports programs that have nothing to say about the kind of a source:
// what they take of a file is no limit for what is listed of it.
func (d *decoder) presets(s *language.Source) {
	if s.Kind == nil || !s.Kind.Skills {
		return
	}
	var listing diag.Names
	for i := range language.Presets {
		if p := &language.Presets[i]; p.Lists() {
			listing = append(listing, p.Name)
		}
	}
	for _, w := range s.Limits {
		if p, ok := language.LookupPreset(w.Str); ok && !p.Lists() {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, w.At, "no-limit-kind", w.Str, s.Kind.Name).
				WithHint("programs", listing))
		}
	}
}

func absentOf(n *ground.Node) language.Absent {
	switch n.Scalar() {
	case "omit":
		return language.AbsentOmit
	case "default":
		return language.AbsentDefault
	default:
		return language.AbsentError
	}
}

// kindOf gives the kind of a source, nil where the manifest names an unknown
// one.
func kindOf(n *ground.Node) *language.Kind {
	name := language.TextKind
	if kind := n.Field("kind"); kind != nil {
		name = kind.Scalar()
	}
	k, _ := language.LookupKind(name)
	return k
}

// kindKeys reports keys of a source that its kind does not take.
func (d *decoder) kindKeys(n *ground.Node, kind *language.Kind) {
	if kind == nil {
		return
	}
	for _, f := range n.Entries() {
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
				WithHint("kinds", kindsWith(func(k *language.Kind) bool { return k.BuiltIn })))
		}
		if len(d.found) == before && slices.Contains(fileKeys, f.Key) && n.Field("text") != nil && n.Field("path") == nil {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "text-written-manifest-takes", f.Key).
				WithHint("no-files-remove-key"))
		}
	}
}

func kindsWith(takes func(*language.Kind) bool) diag.Names {
	var names diag.Names
	for i := range language.Kinds {
		if takes(&language.Kinds[i]) {
			names = append(names, language.Kinds[i].Name)
		}
	}
	return names
}

// options decodes what a source and a section have in common.
func (d *decoder) options(n *ground.Node) language.Options {
	return language.Options{
		Style:    cases(d, n.Field("style"), d.style),
		Limit:    cases(d, n.Field("limit"), d.limit),
		Expand:   cases(d, n.Field("expand"), d.flag),
		Location: cases(d, n.Field("location"), d.text),
		Routing:  cases(d, n.Field("routing"), d.flag),
	}
}

func (d *decoder) style(n *ground.Node) (language.Style, bool) {
	if w, ok := d.word(n); ok {
		return language.Style{Name: w}, true
	}
	w, ok := d.word(n.Field("path"))
	return language.Style{Path: w}, ok
}

func (d *decoder) limit(n *ground.Node) (language.Limit, bool) {
	chars, ok := d.amount(n.Field("chars"))
	return language.Limit{
		Chars:     chars,
		PerSource: n.Field("per").Scalar() == "source",
		Cut:       n.Field("over").Scalar() == "cut",
		Refuse:    n.Field("over").Scalar() == "error",
		At:        n.At,
	}, ok
}

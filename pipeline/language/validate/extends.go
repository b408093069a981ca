package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// policyRef is the schema of the files that manifests extend.
const policyRef = "policy"

// Extends gives the policies that a manifest or policy extends.
func (Language) Extends(file *ground.Node) []ground.Word {
	var d decoder
	words, _ := d.words(file.Field("extends"))
	return slices.DeleteFunc(words, func(w ground.Word) bool { return !isWritten(w) })
}

// Roots gives the folders beside the project that a manifest declares.
func (Language) Roots(manifest *ground.Node) []language.Root {
	var d decoder
	return d.roots(manifest.Field("roots"))
}

// merging says how what one file sets under a key goes with what those that it
// extends set there.
type merging struct {
	key  string
	with func(base, own *ground.Node) *ground.Node
}

// inFiles are the keys that policies and manifests have in common, and those of
// the prompts in them.
var inFiles = []merging{
	{"tokenizers", byName},
	{"slots", byName},
	{"fragments", byName},
	{"checks", appended},
	{"limits", byName},
	{"families", nearest},
	{"defaults", func(base, own *ground.Node) *ground.Node { return mergeKeys(inPrompts, base, own) }},
}

var inPrompts = []merging{{"budget", byName}, {"expect", appended}, {"axes", byName}}

// nearest takes a value as a whole.
func nearest(base, own *ground.Node) *ground.Node {
	if own == nil {
		return base
	}
	return own
}

// byName takes the entries of two mappings by their keys. What is no mapping
// counts as a whole.
func byName(base, own *ground.Node) *ground.Node {
	if base == nil || own == nil || base.Kind != ground.Mapping || own.Kind != ground.Mapping {
		return nearest(base, own)
	}
	out := &ground.Node{Kind: ground.Mapping, At: own.At, Fields: slices.Clone(base.Fields)}
	for _, f := range own.Fields {
		setField(out, f)
	}
	return out
}

// appended takes the entries of two lists, one behind the other.
func appended(base, own *ground.Node) *ground.Node {
	if base == nil || own == nil || base.Kind != ground.Sequence || own.Kind != ground.Sequence {
		return nearest(base, own)
	}
	return &ground.Node{Kind: ground.Sequence, At: own.At, Items: slices.Concat(base.Items, own.Items)}
}

// mergeKeys gives a mapping with what another has under some keys.
func mergeKeys(keys []merging, base, own *ground.Node) *ground.Node {
	if base == nil || own == nil || base.Kind != ground.Mapping || own.Kind != ground.Mapping {
		return nearest(base, own)
	}
	out := *own
	out.Fields = slices.Clone(own.Fields)
	for _, k := range keys {
		for _, f := range base.Fields {
			if f.Key != k.key {
				continue
			}
			if mine := own.Field(k.key); mine != nil {
				f.KeyAt = keyAt(own, k.key)
				f.Value = k.with(f.Value, mine)
			}
			setField(&out, f)
		}
	}
	return &out
}

// setField puts an entry into a mapping, in the place of one with its key.
func setField(n *ground.Node, f ground.Field) {
	if i := slices.IndexFunc(n.Fields, func(x ground.Field) bool { return x.Key == f.Key }); i >= 0 {
		n.Fields[i] = f
		return
	}
	n.Fields = append(n.Fields, f)
}

func keyAt(n *ground.Node, key string) diag.Span {
	for _, f := range n.Fields {
		if f.Key == key {
			return f.KeyAt
		}
	}
	return n.At
}

// together gives what policies set together, nil for none.
func together(policies []*language.Policy) *ground.Node {
	var out *ground.Node
	for _, p := range policies {
		out = mergeKeys(inFiles, out, p.Doc.Data)
	}
	return out
}

// extended gives the manifest of a tree with what its policies set. Every value
// keeps its place, in the file that it is from.
func extended(tree *language.Tree) *ground.Node {
	base := together(tree.Policies())
	if base == nil || tree.Manifest == nil {
		return tree.Manifest
	}
	out := mergeKeys(inFiles, base, tree.Manifest)
	prompts, defaults := tree.Manifest.Field("prompts"), out.Field("defaults")
	if prompts == nil || prompts.Kind != ground.Mapping {
		return out
	}
	all := &ground.Node{Kind: ground.Mapping, At: prompts.At}
	for _, f := range prompts.Fields {
		keys := inPrompts
		if f.Value.Field("rendered") != nil {
			keys = keys[:2] // its axes are those in the names of its files
		}
		if f.Value.Kind == ground.Mapping {
			f.Value = mergeKeys(keys, defaults, f.Value)
		}
		all.Fields = append(all.Fields, f)
	}
	setField(out, ground.Field{Key: "prompts", KeyAt: keyAt(out, "prompts"), Value: all})
	return out
}

// policies checks the files that a manifest extends.
func policies(tree *language.Tree) diag.List {
	var d decoder
	for _, p := range tree.Policies() {
		d.found = append(d.found, checked(policyRef, p.Doc.Data)...)
		d.version(p.Doc.Data.Field("version"), policyRef)
		d.words(p.Doc.Data.Field("extends"))
	}
	return d.found
}

// limitsByKind gives the programs that read the files of sources, by their kind.
func (d *decoder) limitsByKind(n *ground.Node) map[string][]ground.Word {
	out := map[string][]ground.Word{}
	for _, f := range n.Entries() {
		out[f.Key], _ = d.words(f.Value)
	}
	return out
}

// lockedValue is a lock with what it locks.
type lockedValue struct {
	*language.Lock
	value *ground.Node
}

// locksOf gives what the policies of a tree lock, each with the value that its own
// policy has.
func (d *decoder) locksOf(tree *language.Tree) []lockedValue {
	var out []lockedValue
	for _, p := range tree.Policies() {
		words, _ := d.words(p.Doc.Data.Field("locked"))
		if len(words) == 0 {
			continue
		}
		set := together(p.All())
		for _, w := range words {
			value := set
			if key, _, _ := strings.Cut(w.Str, "."); key == "budget" || key == "expect" {
				value = set.Field("defaults")
			}
			for key := range strings.SplitSeq(w.Str, ".") {
				value = value.Field(key)
			}
			if value == nil {
				d.found = append(d.found, diag.New(diag.WrongValue, w.At, "locks-nothing", w.Str).WithHint("set-what-is-locked"))
				continue
			}
			out = append(out, lockedValue{&language.Lock{Key: w.Str, At: w.At}, value})
		}
	}
	return out
}

// locks finds the locks of a tree, and the names and lists that are not as these
// want them. Checks and budgets are judged when all is bound.
func (d *decoder) locks(tree *language.Tree, root *ground.Node, spec *language.Spec) {
	for _, l := range d.locksOf(tree) {
		spec.Locks = append(spec.Locks, l.Lock)
		var quiet decoder // what it would find is found where the value counts
		switch key, _, _ := strings.Cut(l.Key, "."); key {
		case "budget":
			l.Budget = quiet.lockedBudget(l)
		case "checks":
			l.Checks = mappings(l.value, quiet.setting)
		case "slots", "fragments", "tokenizers":
			d.lockedNames(l, root.Field(key))
		case "families":
			d.lockedList(l, l.value, root.Field(key), "families")
		case "limits":
			for _, f := range l.value.Entries() {
				d.lockedList(l, f.Value, root.Field(key).Field(f.Key), "limits."+f.Key)
				d.lockedSources(l, f, root)
			}
		}
	}
}

// lockedBudget decodes the limits of a budget, or one of them.
func (d *decoder) lockedBudget(l lockedValue) *language.Limits {
	n := l.value
	if _, key, one := strings.Cut(l.Key, "."); one {
		n = &ground.Node{Kind: ground.Mapping, Fields: []ground.Field{{Key: key, Value: n}}}
	}
	b, _ := d.budget(n)
	return &language.Limits{
		Tokens: only(b.Tokens, -1), Chars: only(b.Chars, -1), ToolTokens: only(b.ToolTokens, -1),
		Growth: only(b.Growth, -1), GrowthTokens: only(b.GrowthTokens, -1),
		WarnAt: only(b.WarnAt, 0), Warn: only(b.Warn, false),
	}
}

// only gives a value that has no cases.
func only[T any](c language.Cases[T], none T) T {
	if len(c) == 0 {
		return none
	}
	return c[0].Value
}

func (d *decoder) weaker(at diag.Span, l lockedValue, key string, args ...any) {
	d.found = append(d.found, diag.New(diag.LockedSetting, at, key, args...).
		WithHint("locked-by-policy", l.Key, l.At.File.Path, l.At.File.LineAt(l.At.Start)))
}

// lockedNames reports names that are declared otherwise.
func (d *decoder) lockedNames(l lockedValue, now *ground.Node) {
	for _, f := range l.value.Fields {
		if is := now.Field(f.Key); is != nil && !sameValue(f.Value, is) {
			d.weaker(keyAt(now, f.Key), l, "locked-name", f.Key, l.Key)
		}
	}
}

// sameValue reports whether two values say the same, wherever they stand.
func sameValue(a, b *ground.Node) bool {
	return a == b || a.Kind == b.Kind && a.Text.Str == b.Text.Str &&
		slices.EqualFunc(a.Items, b.Items, sameValue) &&
		len(a.Fields) == len(b.Fields) && !slices.ContainsFunc(a.Fields, func(f ground.Field) bool {
		other := b.Field(f.Key)
		return other == nil || !sameValue(f.Value, other)
	})
}

// lockedList reports a list that lacks what another one has.
func (d *decoder) lockedList(l lockedValue, was, is *ground.Node, called string) {
	if is == nil {
		return // in the place of a mapping stands something else, which the schema reports
	}
	var quiet decoder
	want, _ := quiet.words(was)
	have, _ := quiet.words(is)
	var missing diag.Names
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h ground.Word) bool { return h.Str == w.Str }) {
			missing = append(missing, w.Str)
		}
	}
	if len(missing) > 0 {
		d.weaker(is.At.FirstLine(), l, "locked-list", called, missing)
	}
}

// lockedSources reports sources that name fewer programs than those of their kind
// have to.
func (d *decoder) lockedSources(l lockedValue, want ground.Field, root *ground.Node) {
	for _, f := range root.Field("sources").Entries() {
		own := f.Value.Field("limits")
		if kind := kindOf(f.Value); own != nil && kind != nil && kind.Name == want.Key {
			d.lockedList(l, want.Value, own, "limits")
		}
	}
}

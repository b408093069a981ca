package validate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Effective gives the settings that count for a prompt, of those that policies may
// have, each with its place: first those of the prompt, then those of its manifest,
// in the order of the documentation.
func Effective(tree *language.Tree, id string) []language.Effective {
	var quiet decoder // what is wrong was found by Run
	root := extended(tree)
	e := effective{locks: quiet.locksOf(tree)}
	own := root.Field("prompts").Field(id)
	e.named("budget", "budget", own.Field("budget"))
	e.listed("expect", own.Field("expect"), func(*ground.Node) bool { return true })
	e.named("axes", "", own.Field("axes"))
	e.listed("checks", root.Field("checks"), func(row *ground.Node) bool {
		only, _ := quiet.words(row.Field("prompts"))
		return only == nil || slices.ContainsFunc(only, func(w ground.Word) bool { return w.Str == id })
	})
	e.add("families", "", root.Field("families"))
	for _, key := range []string{"limits", "slots", "fragments", "tokenizers"} {
		e.named(key, key, root.Field(key))
	}
	return e.out
}

// effective collects settings.
type effective struct {
	locks []lockedValue
	out   []language.Effective
}

// add adds a setting: one that a lock names itself, or a part of what a lock of
// another key has.
func (e *effective) add(key, lock string, n *ground.Node) {
	if n == nil {
		return
	}
	made := language.Effective{Key: key, Value: inline(n), At: n.At}
	for _, l := range e.locks {
		if l.Key == key && key != lock || l.Key == lock && l.about(key, n) {
			made.Locked = append(made.Locked, l.At)
		}
	}
	e.out = append(e.out, made)
}

// about reports whether what is locked has a setting: under the name of this, or
// as the entry of a list.
func (l lockedValue) about(key string, n *ground.Node) bool {
	_, name, isNamed := strings.Cut(key, ".")
	return isNamed && l.value.Field(name) != nil || !isNamed && slices.Contains(l.value.Items, n)
}

// named adds the entries of a mapping, or what stands in its place.
func (e *effective) named(key, lock string, n *ground.Node) {
	if n != nil && n.Kind != ground.Mapping {
		e.add(key, "", n)
	}
	for _, f := range n.Entries() {
		e.add(key+"."+f.Key, lock, f.Value)
	}
}

// listed adds those entries of a list that count.
func (e *effective) listed(key string, n *ground.Node, counts func(*ground.Node) bool) {
	for _, item := range n.List() {
		if counts(item) {
			e.add(key, key, item)
		}
	}
}

// plainScalar is a text that YAML needs no quotes for.
var plainScalar = regexp.MustCompile(`^[\pL0-9./_-][\pL0-9 ./_%*-]*$`)

// scalarForm is a text as YAML takes it in one line.
func scalarForm(text string) string {
	if plainScalar.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// inline writes a value in one line, as YAML takes it.
func inline(n *ground.Node) string {
	var parts []string
	switch {
	case n.Kind == ground.Mapping:
		for _, f := range n.Fields {
			parts = append(parts, f.Key+": "+inline(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Kind == ground.Sequence:
		for _, item := range n.Items {
			parts = append(parts, inline(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case n.Kind == ground.String:
		return scalarForm(n.Text.Str)
	default:
		return n.Text.Str
	}
}

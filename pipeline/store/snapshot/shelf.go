package snapshot

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
)

// shelf collects the files below the snapshot folder. Equal texts of a group
// share one file.
type shelf struct {
	folder    string
	outputs   []assembly.Output
	byContent map[string]int
	taken     map[string]bool // paths in lower case
}

// keep adds a file, or finds the one of the same group that has the same content
// and extension, and gives its path below the folder.
func (s *shelf) keep(at, group string, owner assembly.Owner, users assembly.Users) string {
	key := path.Ext(at) + "\x00" + group + "\x00" + owner.Text.Str
	if i, ok := s.byContent[key]; ok {
		s.use(i, users)
		return s.below(i)
	}
	s.byContent[key] = len(s.outputs)
	return s.add(at, owner, users)
}

// add adds a file, whatever the shelf has already.
func (s *shelf) add(at string, owner assembly.Owner, users assembly.Users) string {
	at = freeName(s.taken, at, path.Ext(at))
	if users.Build != nil {
		users.Set = users.Set.Clone()
		owner.Users = []assembly.Users{users}
	}
	s.outputs = append(s.outputs, assembly.Output{Path: s.folder + "/" + at, Parts: []string{owner.Text.Str}, Owner: owner})
	return at
}

// use notes more variants of a file.
func (s *shelf) use(i int, more assembly.Users) {
	owner := &s.outputs[i].Owner
	for _, u := range owner.Users {
		if u.Build == more.Build {
			u.Set.Union(more.Set)
			return
		}
	}
	more.Set = more.Set.Clone()
	owner.Users = append(owner.Users, more)
}

// below gives an output's path without the folder.
func (s *shelf) below(i int) string { return s.outputs[i].Path[len(s.folder)+1:] }

// varying is a thing that a prompt has in one or more texts: a section, an
// item, a tool. Add in the order of the variants.
type varying struct {
	texts []*distinct
	known map[string]*distinct
}

// distinct is one of the texts of a thing, and who has it.
type distinct struct {
	text    ground.Text
	users   ground.Set
	item    string // name of an item, a tool or a content
	fixture string // the first conversation that has it; "" for none
	path    string // where it is stored, once it is
}

// add notes that variants have a text.
func (v *varying) add(text ground.Text, item string, users ground.Set) *distinct {
	if d, ok := v.known[text.Str]; ok {
		d.users.Union(users)
		return d
	}
	if v.known == nil {
		v.known = map[string]*distinct{}
	}
	d := &distinct{text: text, users: users.Clone(), item: item}
	v.known[text.Str] = d
	v.texts = append(v.texts, d)
	return d
}

// usual puts the texts in the order of their first variants, and gives the
// index of the text that most variants have; the first of several such texts.
func (v *varying) usual() int {
	slices.SortStableFunc(v.texts, func(a, b *distinct) int { return a.users.First() - b.users.First() })
	most := 0
	for i, d := range v.texts {
		if d.users.Len() > v.texts[most].users.Len() {
			most = i
		}
	}
	return most
}

// suffixes gives what each text's file name has after the thing's own name:
// nothing for the usual text, and for each other text the values that its first
// variant has on the axes that tell the texts apart. As in the names of variants,
// an axis at its default is left out, so that a new flag renames nothing.
func (v *varying) suffixes(b *assembly.Build) []string {
	out := make([]string, len(v.texts))
	if len(v.texts) < 2 {
		return out
	}
	most := v.usual()
	axes := v.tellingAxes(b)
	for i, d := range v.texts {
		if i != most {
			out[i] = "@" + valuesOn(b, axes, d.users.First())
		}
	}
	return out
}

// valuesOn writes a variant's values on some axes, without those at their
// default unless all are.
func valuesOn(b *assembly.Build, axes []int, variant int) string {
	var all, other []string
	for _, a := range axes {
		axis := b.Prompt.Axes[a]
		value := axis.Values[b.Variants[variant].Values[a]].Str
		all = append(all, axis.Name.Str+"="+value)
		if value != axis.Default.Str {
			other = append(other, axis.Name.Str+"="+value)
		}
	}
	if len(other) == 0 {
		other = all
	}
	return strings.Join(other, ",")
}

// maxSearch bounds the sets of axes that are tried; past it the search for
// the smallest set gives way to one that cannot be made smaller.
const maxSearch = 2000

// tellingAxes gives the smallest set of axes on which the texts depend: any
// two variants that agree on them have the same text. Among equally small sets
// it prefers the axes that are declared last: the first axis (an entry, a mode)
// often decides the values of the later ones, and these say more closely why a
// text differs.
func (v *varying) tellingAxes(b *assembly.Build) []int {
	text := make(map[int]int)
	for t, d := range v.texts {
		for i := range b.Variants {
			if d.users.Has(i) {
				text[i] = t
			}
		}
	}
	order := make([]int, 0, len(text))
	for i := range b.Variants {
		if _, ok := text[i]; ok {
			order = append(order, i)
		}
	}
	tells := func(axes []int) bool { return tell(b, axes, order, text) }
	n, tried := len(b.Prompt.Axes), 0
	var found []int
	for size := 1; size <= n && found == nil && tried <= maxSearch; size++ {
		combinations(n, size, func(axes []int) bool {
			if tried++; tried <= maxSearch && tells(axes) {
				found = axes
			}
			return found == nil && tried <= maxSearch
		})
	}
	if found == nil {
		return shrink(n, tells)
	}
	return found
}

// shrink leaves out of all axes those that are not needed, the last first.
func shrink(n int, tells func([]int) bool) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	for i := n - 1; i >= 0; i-- {
		if without := slices.Delete(slices.Clone(axes), i, i+1); tells(without) {
			axes = without
		}
	}
	return axes
}

// tell reports whether the values on some axes decide the text.
func tell(b *assembly.Build, axes, variants []int, text map[int]int) bool {
	seen := map[string]int{}
	key := make([]byte, 0, 2*len(axes))
	for _, i := range variants {
		key = key[:0]
		for _, a := range axes {
			value := b.Variants[i].Values[a]
			key = append(key, byte(value), byte(value>>8))
		}
		t, ok := seen[string(key)]
		if ok && t != text[i] {
			return false
		}
		seen[string(key)] = text[i]
	}
	return true
}

// combinations tries every choice of size numbers below n, each ascending, the
// highest first, until it is told to stop. It reports whether it was not.
func combinations(n, size int, try func([]int) bool) bool {
	if size == 0 {
		return try(nil)
	}
	for last := n - 1; last >= size-1; last-- {
		if !combinations(last, size-1, func(rest []int) bool { return try(append(slices.Clip(rest), last)) }) {
			return false
		}
	}
	return true
}

package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// layoutKeys are the keys of a layout's mapping, beside its name.
var layoutKeys = []struct {
	layout string
	keys   []string
}{
	{"sequence", nil},
	{"phases", []string{"order", "place", "fill", "notice"}},
	{"messages", []string{"conversation", "assembly", "reminder"}},
}

// layoutForm is a layout as it is written: each of its values may have cases.
type layoutForm struct {
	node *prompt.Node
	name prompt.Cases[prompt.Word]
}

// layout decodes a layout: its name alone, or a mapping with its settings.
func (d *decoder) layout(n *prompt.Node) (layoutForm, bool) {
	out := layoutForm{node: n}
	if name, ok := d.word(n); ok {
		out.name = prompt.Cases[prompt.Word]{{Value: name, At: n.At}}
	} else {
		out.name = cases(d, n.Field("name"), d.word)
	}
	if !out.name.Set() {
		return layoutForm{}, false
	}
	d.foreignKeys(out)
	d.neededKey(out)
	return out, true
}

// foreignKeys reports the keys of a layout that belong to another one.
func (d *decoder) foreignKeys(l layoutForm) {
	var names []string
	for _, c := range l.name {
		if _, known := keysOfLayout(c.Value.Str); !known {
			return // which the schema has reported
		}
		names = append(names, c.Value.Str)
	}
	for _, own := range layoutKeys {
		for _, f := range l.node.Fields {
			if slices.Contains(own.keys, f.Key) && !slices.Contains(names, own.layout) {
				d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "layout-takes-no", names[0], f.Key).
					WithHint("key-belongs-layout", own.layout))
			}
		}
	}
}

// neededKey reports a layout `messages` without a conversation.
func (d *decoder) neededKey(l layoutForm) {
	const layout, key = "messages", "conversation"
	known := knownKeys(root("prompts#/definitions/layout/anyOf/1"))
	for _, c := range l.name {
		if c.Value.Str == layout && l.node.Field(key) == nil && !meantBy(l.node, key, known) {
			d.found = append(d.found, diag.New(diag.MissingKey, c.Value.At, "layout-lacks-key", layout, key).
				WithHint("write-layout-name-id", layout, key, key))
		}
	}
}

// keysOfLayout gives the keys that a layout takes, false for an unknown one.
func keysOfLayout(name string) ([]string, bool) {
	for _, l := range layoutKeys {
		if l.layout == name {
			return l.keys, true
		}
	}
	return nil, false
}

// maxLayouts bounds the cases of whole layouts that come of the cases inside
// one, each counted as often as its condition has alternatives.
const maxLayouts = 1000

// setting is one case of a value inside a layout, or of several together.
type setting struct {
	when prompt.Condition
	put  []func(*prompt.Layout)
}

// settings gives the cases of one value inside a layout.
func settings[T any](d *decoder, n *prompt.Node, one func(*prompt.Node) (T, bool), put func(*prompt.Layout, T)) []setting {
	var out []setting
	for _, c := range cases(d, n, one) {
		out = append(out, setting{when: c.When, put: []func(*prompt.Layout){func(l *prompt.Layout) { put(l, c.Value) }}})
	}
	return out
}

// columns gives the cases of each value of a layout by its key.
func (d *decoder) columns(n *prompt.Node) map[string][]setting {
	return map[string][]setting{
		"order":        settings(d, n.Field("order"), d.words, func(l *prompt.Layout, w []prompt.Word) { l.Order = w }),
		"place":        settings(d, n.Field("place"), d.word, func(l *prompt.Layout, w prompt.Word) { l.StickyFirst = w.Str == "sticky-first" }),
		"fill":         settings(d, n.Field("fill"), d.word, func(l *prompt.Layout, w prompt.Word) { l.Stop = w.Str == "stop" }),
		"notice":       settings(d, n.Field("notice"), d.flag, func(l *prompt.Layout, on bool) { l.Notice = on }),
		"conversation": settings(d, n.Field("conversation"), d.word, func(l *prompt.Layout, w prompt.Word) { l.Conversation = w }),
		"assembly":     settings(d, n.Field("assembly"), d.word, func(l *prompt.Layout, w prompt.Word) { l.Assembly = w }),
		"reminder":     settings(d, n.Field("reminder"), d.word, func(l *prompt.Layout, w prompt.Word) { l.Reminder = w }),
	}
}

// layouts decodes the layout of a prompt. Cases of values inside a layout are
// made cases of whole layouts: all combinations, the first keys varying the
// least, so that the first that holds has the first case that holds of each.
func (d *decoder) layouts(n *prompt.Node) prompt.Cases[prompt.Layout] {
	var s spreader
	for _, c := range cases(d, n, d.layout) {
		columns := d.columns(c.Value.node)
		for _, name := range c.Value.name {
			s.layout(c, name, columns)
		}
		if !total(c.Value.name) {
			s.bar(c.When)
		}
	}
	if s.tooMany {
		d.found = append(d.found, diag.New(diag.TooLargeToCheck, firstLine(n.At), "cases-inside-layout-make", diag.Count(maxLayouts)).
			WithHint("name-combinations-you-need"))
	}
	return s.out
}

// total reports whether one of the cases always holds.
func total[T any](c prompt.Cases[T]) bool {
	return slices.ContainsFunc(c, func(c prompt.Case[T]) bool { return len(c.When) == 0 })
}

// spreader collects cases of whole layouts.
type spreader struct {
	out  prompt.Cases[prompt.Layout]
	size int // clauses so far
	// barred are where no later case counts: an earlier one holds, and one of
	// its values has no case that does.
	barred []prompt.Condition
	closed bool // everything is barred
	// tooMany says that some were left out.
	tooMany bool
}

// layout adds the combinations of one layout under one of its names.
func (s *spreader) layout(c prompt.Case[layoutForm], name prompt.Case[prompt.Word], columns map[string][]setting) {
	if s.closed || s.tooMany {
		return
	}
	head, ok := both(c.When, name.When)
	used := []setting{{when: head, put: []func(*prompt.Layout){func(l *prompt.Layout) { l.Name, l.At = name.Value, c.At }}}}
	for _, b := range s.barred {
		if ok {
			used[0].when, ok = both(used[0].when, b)
		}
	}
	if s.tooMany = !ok; !ok {
		return
	}
	partial := false
	keys, _ := keysOfLayout(name.Value.Str)
	for _, key := range keys {
		if column := columns[key]; ok && len(column) > 0 {
			used, ok = combined(used, column)
			partial = partial || !slices.ContainsFunc(column, func(s setting) bool { return len(s.when) == 0 })
		}
	}
	for _, u := range used {
		s.size += max(1, len(u.when))
		var out prompt.Layout
		for _, put := range u.put {
			put(&out)
		}
		s.out = append(s.out, prompt.Case[prompt.Layout]{When: u.when, Value: out, At: c.At})
	}
	if s.tooMany = !ok || s.size > maxLayouts; partial {
		s.bar(head)
	}
}

// bar keeps later cases from counting where a condition holds.
func (s *spreader) bar(when prompt.Condition) {
	not, ok := negated(when)
	s.tooMany = s.tooMany || !ok
	s.closed = s.closed || len(not) == 0
	s.barred = append(s.barred, not)
}

// combined gives all pairs of two lists, those of the first of a together
// first. False is for more than anybody needs.
func combined(a, b []setting) ([]setting, bool) {
	var out []setting
	size := 0
	for _, x := range a {
		for _, y := range b {
			when, ok := both(x.when, y.when)
			if size += max(1, len(when)); !ok || size > maxLayouts {
				return out, false
			}
			out = append(out, setting{when: when, put: slices.Concat(x.put, y.put)})
		}
	}
	return out, true
}

// both gives the condition that holds where two do. False is for one of more
// alternatives than anybody needs.
func both(a, b prompt.Condition) (prompt.Condition, bool) {
	if len(a) == 0 || len(b) == 0 {
		return slices.Concat(a, b), true
	}
	if len(a)*len(b) > maxLayouts {
		return nil, false
	}
	var out prompt.Condition
	for _, x := range a {
		for _, y := range b {
			out = append(out, slices.Concat(x, y))
		}
	}
	return out, true
}

// negated gives the condition that holds where another does not, an empty one
// where that is nowhere.
func negated(c prompt.Condition) (prompt.Condition, bool) {
	var out prompt.Condition
	for _, clause := range c {
		var some prompt.Condition
		for _, t := range clause {
			t.Not = !t.Not
			some = append(some, prompt.Clause{t})
		}
		if len(some) == 0 {
			return nil, true // the clause always holds
		}
		var ok bool
		if out, ok = both(out, some); !ok {
			return nil, false
		}
	}
	return out, true
}

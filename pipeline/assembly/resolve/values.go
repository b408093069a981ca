package resolve

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/slugs"
)

// valueNames are what an axis says of its values: those that it lists, nil for
// any, and its names for what is written in the names of files and entries.
type valueNames struct {
	values []string
	folded map[string]string // values by their lower case
	list   []language.ValueName
	id     map[string]string // what is written → the value
	used   map[string]bool   // by what is written
}

func namesOf(a *language.Axis) valueNames {
	out := valueNames{folded: map[string]string{}, list: a.Names, id: map[string]string{}, used: map[string]bool{}}
	if len(a.Values) > 0 { // an axis of `auto` has none yet
		out.values = ground.Strings(a.Values)
	}
	for _, v := range out.values {
		out.folded[strings.ToLower(v)] = v
	}
	for _, n := range a.Names {
		out.id[n.Written.Str] = n.Value.Str
	}
	return out
}

// written gives what may be written for values of an axis, by its names; values
// are nil for any.
func (n *valueNames) written(values []string) []string {
	var out []string
	for _, one := range n.list {
		if values == nil || slices.Contains(values, one.Value.Str) {
			out = append(out, one.Written.Str)
		}
	}
	return out
}

// unusedNames warns of names for what nothing is called.
func (g *gathering) unusedNames() {
	for i, a := range g.prompt.Axes {
		for _, n := range a.Names {
			if !g.named[i].used[n.Written.Str] {
				g.report(diag.New(diag.RenderedUnlisted, n.Written.At, "nothing-called-so", diag.Ends(n.Written.Str), a.Name.Str).
					WithHint("write-as-in-names"))
			}
		}
	}
}

// read splits a name by a pattern and gives the values by axis, "" for those
// that it does not tell. before are the values that are known already.
func (g *gathering) read(r *readings, name string, before []string) ([]string, bool) {
	rows := g.readNamed(r, name, before)
	if len(rows) != 1 {
		listed := func(axis string) []string {
			values := g.allowed(axis, before)
			if values == nil {
				return nil
			}
			return append(slices.Clip(values), g.named[slices.Index(g.axes, axis)].written(values)...)
		}
		rows = r.pattern.Match(name, listed, false, &g.work)
	}
	if len(rows) == 0 {
		rows = g.readLoosely(r, name, before)
	}
	switch {
	case g.work < 0 || len(rows) == 0:
		return nil, false
	case len(rows) > 1:
		r.ambiguous = append(r.ambiguous, reading{name, rows})
		return nil, false
	}
	values := make([]string, len(rows[0]))
	for i, axis := range r.pattern.Axes {
		text := rows[0][i]
		values[i], _ = g.listedValue(axis, text, before, r.said)
		g.named[slices.Index(g.axes, axis)].used[text] = true
	}
	return g.row(r.pattern, values, before), true
}

// readNamed splits a name by what the axes have names for: so that one which
// splits in several ways has the one that is meant.
func (g *gathering) readNamed(r *readings, name string, before []string) [][]string {
	if !slices.ContainsFunc(r.pattern.Axes, func(axis string) bool { return len(g.named[slices.Index(g.axes, axis)].list) > 0 }) {
		return nil
	}
	written := func(axis string) []string {
		values := g.allowed(axis, before)
		if names := &g.named[slices.Index(g.axes, axis)]; len(names.list) > 0 {
			return append([]string{}, names.written(values)...)
		}
		return values
	}
	return r.pattern.Match(name, written, r.said, &g.work)
}

// readLoosely splits a name that has no legal values, or none that are listed.
// It gives the ways of sentences, and notes any other name.
func (g *gathering) readLoosely(r *readings, name string, before []string) [][]string {
	if len(r.pattern.Match(name, anyValue, true, &g.work)) == 0 {
		if !r.said {
			r.unsplit = append(r.unsplit, passed{name, r.at})
		}
		return nil
	}
	// Of a path the values are what is written, so that they have to be legal.
	takes := func(illegal bool) func(axis, text string) bool {
		return func(axis, text string) bool {
			value, ok := g.listedValue(axis, text, before, r.said)
			return ok && (r.said || illegal || axispattern.IsAxisValue(value))
		}
	}
	if rows := r.pattern.MatchBy(name, takes(false), &g.work); len(rows) > 0 {
		return rows
	}
	rows := r.pattern.MatchBy(name, takes(true), &g.work)
	switch {
	case len(rows) > 0 && g.words: // as in the names of entries
		return rows
	case len(rows) > 0:
		r.illegal = append(r.illegal, reading{name, rows})
	default:
		r.unlisted = append(r.unlisted, passed{name, r.at})
	}
	return nil
}

// allowed gives the values that an axis may have in a name: that which is known
// already, else those that are listed; nil for any.
func (g *gathering) allowed(axis string, before []string) []string {
	i := slices.Index(g.axes, axis)
	if before != nil && before[i] != "" {
		return []string{before[i]}
	}
	return g.named[i].values
}

// listedValue gives the value that a text stands for among those that an axis
// may have: the one that `names` has for it, itself, or in a sentence the one
// that is its id. Where any is allowed, it is the text.
func (g *gathering) listedValue(axis, text string, before []string, said bool) (string, bool) {
	i := slices.Index(g.axes, axis)
	names := &g.named[i]
	known := before != nil && before[i] != ""
	listed := func(value string) (string, bool) {
		if known {
			return before[i], strings.EqualFold(value, before[i])
		}
		v, ok := names.folded[strings.ToLower(value)]
		return v, ok
	}
	if id, ok := names.id[text]; ok {
		v, is := listed(id)
		return id, names.values == nil && !known || is && v == id
	}
	if names.values == nil && !known {
		return text, true
	}
	if v, ok := listed(text); ok && v == text {
		return text, true
	}
	if !said {
		return "", false
	}
	const cost = 20 // of an id, in attempts
	g.work -= cost
	short, hashed := slugs.EntryID(text)
	if v, ok := listed(hashed); ok {
		return v, true
	}
	return listed(short)
}

// slugs makes values of what the names of entries say in words, and tells which.
func (g *gathering) slugs() {
	if g.entries == nil && !g.words {
		return
	}
	for i, axis := range g.prompt.Axes {
		said := map[string]bool{}
		for _, t := range g.texts {
			if t.values[i] != "" {
				said[t.values[i]] = true
			}
		}
		var texts []string
		for text := range said {
			texts = append(texts, text)
		}
		ids := slugs.EntryIDs(texts)
		for _, t := range g.texts {
			if id := ids[t.values[i]]; id != "" {
				t.values[i] = id
			}
		}
		texts = slices.DeleteFunc(texts, axispattern.IsAxisValue)
		slices.Sort(texts)
		g.tellSlugs(axis, texts, ids)
	}
}

// tellSlugs notes the values that stand for words.
func (g *gathering) tellSlugs(axis *language.Axis, words []string, ids map[string]string) {
	if len(words) == 0 {
		return
	}
	at := g.rendered.Path.At
	if g.entries != nil {
		at = g.entries.word.At
	}
	d := diag.New(diag.RenderedSlug, at, "value-axis-stands", ids[words[0]], axis.Name.Str, diag.Ends(words[0]))
	d = andAlso(d, words, func(w string) diag.Words { return diag.Say("value-and-words", ids[w], diag.Ends(w)) })
	g.report(d.WithHint("list-values-say-meant"))
}

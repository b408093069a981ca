package resolve

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// readings are what a pattern made of names. What keeps a name from being read
// is told once for all names.
type readings struct {
	word    prompt.Word
	pattern *prompt.Pattern
	// said: the names are sentences, of which values are slugs, and those that
	// the pattern does not stand for are other tests'.
	said      bool
	ambiguous []reading
	illegal   []reading // rows[0] has a text that can be no value
	unlisted  []string
	unsplit   []string
}

// reading is a name and the ways to split it.
type reading struct {
	name string
	rows [][]string
}

// failed counts the names that are errors, and passedOver those that nothing
// reads.
func (r *readings) failed() int     { return len(r.ambiguous) + len(r.illegal) }
func (r *readings) passedOver() int { return len(r.unlisted) + len(r.unsplit) }

// read splits a name by a pattern and gives the values by axis, "" for those
// that it does not tell. before are the values that are known already.
func (g *gathering) read(r *readings, name string, before []string) ([]string, bool) {
	listed := func(axis string) []string { return g.allowed(axis, before) }
	rows := r.pattern.Match(name, listed, false, &g.work)
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
	return g.row(r.pattern, rows[0], before), true
}

// readLoosely splits a name that has no legal values, or none that are listed.
// It gives the ways of sentences, and notes any other name.
func (g *gathering) readLoosely(r *readings, name string, before []string) [][]string {
	if len(r.pattern.Match(name, func(string) []string { return nil }, true, &g.work)) == 0 {
		if !r.said {
			r.unsplit = append(r.unsplit, name)
		}
		return nil
	}
	listed := func(axis, text string) bool {
		value, ok := g.listedValue(axis, text, before, r.said)
		return ok && (r.said || value == text)
	}
	rows := r.pattern.MatchBy(name, listed, &g.work)
	for _, row := range rows {
		for i, axis := range r.pattern.Axes {
			row[i], _ = g.listedValue(axis, row[i], before, r.said)
		}
	}
	switch {
	case len(rows) == 0:
		r.unlisted = append(r.unlisted, name)
	case !r.said:
		r.illegal = append(r.illegal, reading{name, rows})
		return nil
	}
	return rows
}

// allowed gives the values that an axis may have in a name: that which is known
// already, else those that are listed; nil for any.
func (g *gathering) allowed(axis string, before []string) []string {
	i := slices.Index(g.axes, axis)
	switch {
	case before != nil && before[i] != "":
		return []string{before[i]}
	case len(g.prompt.Axes[i].Values) > 0: // an axis of `auto` has none yet
		return words(g.prompt.Axes[i].Values)
	default:
		return nil
	}
}

// listedValue gives the value that a text stands for among those that an axis
// may have: itself, or the one that is its slug. Where any is allowed, it is
// the text.
func (g *gathering) listedValue(axis, text string, before []string, said bool) (string, bool) {
	values := g.allowed(axis, before)
	if values == nil || slices.Contains(values, text) {
		return text, true
	}
	if !said {
		return "", false
	}
	const cost = 20 // of a slug, in attempts
	g.work -= cost
	id := slug(text)
	i := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, id) })
	if i < 0 {
		return "", false
	}
	return values[i], true
}

// slugs makes values of what the names of entries say in words, and tells which.
func (g *gathering) slugs() {
	if g.entries == nil {
		return
	}
	for i, axis := range g.prompt.Axes {
		taken := uniqueIDs{}
		said := map[string]string{}
		for _, t := range g.texts {
			if v := t.values[i]; prompt.IsAxisValue(v) {
				taken[strings.ToLower(v)] = 1
			} else if v != "" {
				said[v] = ""
			}
		}
		var words []string
		for w := range said {
			words = append(words, w)
		}
		slices.Sort(words)
		for _, w := range words {
			said[w] = taken.claim(slug(w))
		}
		for _, t := range g.texts {
			if id := said[t.values[i]]; id != "" {
				t.values[i] = id
			}
		}
		g.tellSlugs(axis, words, said)
	}
}

// tellSlugs notes the values that stand for words.
func (g *gathering) tellSlugs(axis *prompt.Axis, words []string, ids map[string]string) {
	n := len(words)
	if n == 0 {
		return
	}
	d := diag.New(diag.RenderedSlug, g.rendered.Entry.At, "value-axis-stands", ids[words[0]], axis.Name.Str, brief(words[0]))
	if n > 1 {
		d = diag.New(diag.RenderedSlug, g.rendered.Entry.At, "values-axis-stand-words", diag.Count(n), axis.Name.Str)
		for _, w := range words[:min(n, maxNamed)] {
			d = d.WithDetail(diag.Say("value-and-words", ids[w], brief(w)))
		}
		d = andMore(d, n)
	}
	g.report(d.WithHint("list-values-say-meant"))
}

// maxNamed is how many names stand below a finding.
const maxNamed = 10

func andMore(d diag.Diagnostic, n int) diag.Diagnostic {
	if n > maxNamed {
		return d.WithDetail(diag.Say("and-more", diag.Count(n-maxNamed)))
	}
	return d
}

// tell reports the names that cannot be read, and warns of those that nothing
// reads.
func (g *gathering) tell(r *readings) {
	if r == nil {
		return
	}
	g.tellAmbiguous(r)
	g.tellIllegal(r)
	g.unread(r.word, r.unlisted, "no-variant-has-values-of", "list-values-or-remove-unused")
	g.unread(r.word, r.unsplit, "pattern-cannot-split", "each-axis-stands-for-some")
}

func (g *gathering) tellAmbiguous(r *readings) {
	n := len(r.ambiguous)
	if n == 0 {
		return
	}
	first := r.ambiguous[0]
	one, other := g.point(r.pattern, first.rows[0]), g.point(r.pattern, first.rows[1])
	d := diag.New(diag.RenderedAmbiguous, r.word.At, "both", brief(first.name), one, other)
	if n > 1 {
		d = diag.New(diag.RenderedAmbiguous, r.word.At, "both-more-two-ways", brief(first.name), one, other,
			diag.Counted(n-1, "one-name-splits", "names-split"))
	}
	g.report(d.WithHint("list-values-axes-left"))
}

func (g *gathering) tellIllegal(r *readings) {
	n := len(r.illegal)
	if n == 0 {
		return
	}
	first := r.illegal[0]
	i := slices.IndexFunc(first.rows[0], func(v string) bool { return !prompt.IsAxisValue(v) })
	i = max(i, 0)
	value, axis := brief(first.rows[0][i]), r.pattern.Axes[i]
	d := diag.New(diag.RenderedValue, r.word.At, "no-value-axis", value, brief(first.name), axis)
	if n > 1 {
		d = diag.New(diag.RenderedValue, r.word.At, "no-value-axis-more", value, brief(first.name), axis,
			diag.Counted(n-1, "one-name-has-none", "names-have-none"))
	}
	g.report(d.WithHint("values-letters-digits-most"))
}

// unread warns of names that nothing reads.
func (g *gathering) unread(at prompt.Word, names []string, key, hint string) {
	names = slices.DeleteFunc(slices.Clone(names), g.elsewhere)
	n := len(names)
	if n == 0 {
		return
	}
	d := diag.New(diag.RenderedUnlisted, at.At, "so-nothing-reads-it", diag.Say(key, diag.Names{brief(names[0])}))
	if n > 1 {
		d = diag.New(diag.RenderedUnlisted, at.At, "so-nothing-reads-them", diag.Say(key, diag.Say("names-counted", diag.Count(n))))
		for _, name := range names[:min(n, maxNamed)] {
			d = d.WithDetail(diag.Say("quoted", brief(name)))
		}
		d = andMore(d, n)
	}
	g.report(d.WithHint(hint))
}

// elsewhere reports whether another prompt names a file by itself.
func (g *gathering) elsewhere(name string) bool {
	return slices.ContainsFunc(g.plan.Spec.Prompts, func(p *prompt.Prompt) bool {
		return p != g.prompt && p.Rendered != nil && p.Rendered.Path.Str == name
	})
}

// nothingFits reports that files were found, and none has a name that is a
// variant's.
func (g *gathering) nothingFits() {
	r := g.files
	names, fact, hint := r.unlisted, "no-variant-has-values-of", "list-values-or-write-auto"
	if len(names) == 0 {
		names, fact, hint = r.unsplit, "pattern-cannot-split", "each-axis-stands-for-some"
	}
	var quoted []string
	for _, name := range names[:min(len(names), maxMissing)] {
		quoted = append(quoted, brief(name))
	}
	g.report(diag.New(diag.RenderedMissing, r.word.At, fact, firstNames(quoted, len(names))).WithHint(hint))
}

// point writes values with their axes.
func (g *gathering) point(p *prompt.Pattern, values []string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = p.Axes[i] + "=" + brief(v)
	}
	return strings.Join(parts, ",")
}

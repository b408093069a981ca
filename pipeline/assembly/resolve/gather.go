package resolve

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/slugs"
)

// gathering finds the texts of a prompt that another program assembles.
type gathering struct {
	*binder
	prompt   *language.Prompt
	rendered *language.Rendered
	axes     []string
	path     *axispattern.Pattern
	entry    *axispattern.Pattern // nil where none is named
	tells    []bool               // by axis: a pattern of names has it
	texts    []*renderedText
	found    map[string]*renderedText // by their values
	work     int
	files    *readings // by path
	entries  *readings // by entry, nil where none is named
	// foreign are the files that have no entries although one is named.
	foreign     []string
	printed     bool           // no file has a text, but only values that were printed
	words       bool           // the files are recordings, whose names may be words
	named       []valueNames   // by axis
	besideUnits map[string]int // by the paths of the files
	bad         bool
}

func newGathering(b *binder, p *language.Prompt) *gathering {
	g := &gathering{
		binder: b, prompt: p, rendered: p.Rendered, work: maxWork,
		path: axispattern.PathPattern(p.Rendered.Path.Str), tells: make([]bool, len(p.Axes)),
		found: map[string]*renderedText{}, besideUnits: map[string]int{},
	}
	g.files = &readings{word: p.Rendered.Path, pattern: g.path}
	for _, a := range p.Axes {
		g.axes = append(g.axes, a.Name.Str)
		g.named = append(g.named, namesOf(a))
	}
	if word, isPath := p.Rendered.Names(); word.Str != "" {
		if g.entry = axispattern.NamePattern(word.Str); isPath {
			g.entry = axispattern.PathPattern(word.Str)
		}
		g.entries = &readings{word: word, pattern: g.entry, said: true}
	}
	return g
}

// report adds an error, which ends the work on the prompt.
func (g *gathering) report(d diag.Diagnostic) {
	g.diags = append(g.diags, d)
	g.bad = g.bad || d.Level == diag.Error
}

// axesKnown checks that the patterns name axes of the prompt, and every axis of it.
func (g *gathering) axesKnown() bool {
	inTools := make([]bool, len(g.axes))
	told := func(word ground.Word, pattern *axispattern.Pattern, tells []bool) {
		for _, name := range pattern.Axes {
			w := ground.Word{Str: name, At: word.At}
			if g.known(diag.UnknownAxis, w, g.axes, "prompt-no-axis", g.prompt.ID.Str, name) {
				tells[slices.Index(g.axes, name)] = true
			} else {
				g.bad = true
			}
		}
	}
	told(g.rendered.Path, g.path, g.tells)
	if g.entry != nil {
		told(g.entries.word, g.entry, g.tells)
	}
	for _, word := range g.rendered.Tools {
		told(word, axispattern.PathPattern(word.Str), inTools)
	}
	g.programKnown()
	for i, a := range g.prompt.Axes {
		if !g.tells[i] && (a.Auto || !inTools[i]) {
			g.report(diag.New(diag.RenderedPattern, a.Name.At, "axis-stands-no-name", a.Name.Str, g.prompt.ID.Str).
				WithHint("write-where-files-entries", a.Name.Str))
		}
	}
	return !g.bad
}

// gather finds the texts, and reports what keeps a name from being that of one
// variant.
func (g *gathering) gather() bool {
	docs := g.spec.Tree.Matches[g.rendered.Key()]
	if len(docs) == 0 {
		return false // load said that there are none
	}
	g.printed = !slices.ContainsFunc(docs, hasText)
	g.words = slices.ContainsFunc(docs, func(doc *language.Doc) bool {
		return slices.ContainsFunc(doc.Saved, func(s language.Saved) bool { return s.Sent != nil })
	})
	ofTools := g.toolFiles()
	for _, doc := range docs {
		if ofTools[doc.File.Path] {
			continue
		}
		g.files.at = textKey{path: doc.File.Path}
		row, ok := g.read(g.files, doc.File.Path, nil)
		if g.tooMuch() {
			return false
		}
		if ok {
			g.file(doc, row)
		}
	}
	if g.tooMuch() { // the names of the last file's entries
		return false
	}
	g.slugs()
	texts := g.texts
	g.texts = nil
	for _, t := range texts {
		g.take(t)
	}
	g.foreignFiles()
	none := !g.bad && len(g.texts) == 0 && g.files.failed() == 0
	if none && g.files.passedOver() == len(docs) {
		g.nothingFits()
		return false
	}
	g.tell(g.files)
	g.tell(g.entries)
	if none && !g.bad {
		g.noEntry(docs)
	}
	return !g.bad
}

// hasText reports whether a file is a text, or has an entry that is one.
func hasText(doc *language.Doc) bool {
	return doc.Saved == nil || slices.ContainsFunc(doc.Saved, func(s language.Saved) bool { return s.IsText })
}

// tooMuch reports a pattern by which names cannot be split in time.
func (g *gathering) tooMuch() bool {
	if g.work >= 0 {
		return false
	}
	g.report(diag.New(diag.RenderedPattern, g.rendered.At, "takes-too-long-split").
		WithHint("put-something-between-axis"))
	return true
}

// row puts the values that a pattern found where the prompt has its axes.
func (g *gathering) row(p *axispattern.Pattern, values, before []string) []string {
	out := make([]string, len(g.axes))
	copy(out, before)
	for i, name := range p.Axes {
		out[slices.Index(g.axes, name)] = values[i]
	}
	return out
}

// file takes what a file holds for the variants that its name tells.
func (g *gathering) file(doc *language.Doc, row []string) {
	switch {
	case g.entry == nil && doc.Saved == nil:
		g.add(&renderedText{doc: doc, values: row})
	case doc.Recording && len(doc.Saved) == 0: // of other requests
	case g.entry == nil && len(doc.Saved) == 1:
		g.add(&renderedText{doc: doc, entry: &doc.Saved[0], values: row})
	case g.entry == nil:
		g.whichEntry(doc)
	case doc.Saved == nil:
		g.foreign = append(g.foreign, doc.File.Path)
	default:
		for i := range doc.Saved {
			g.entries.at = textKey{doc.File.Path, &doc.Saved[i]}
			told := g.entries.failed() + g.entries.passedOver()
			if values, ok := g.read(g.entries, doc.Saved[i].Name, row); ok {
				g.add(&renderedText{doc: doc, entry: &doc.Saved[i], values: values})
			} else if g.entries.failed()+g.entries.passedOver() > told && !g.plan.Entries[&doc.Saved[i]] {
				g.plan.Entries[&doc.Saved[i]] = false
			}
		}
	}
}

// add notes a text whose values may not be known in full.
func (g *gathering) add(t *renderedText) { g.texts = append(g.texts, t) }

// take adds a text, unless another has its values.
func (g *gathering) take(t *renderedText) {
	if g.spec.Tree.Past && t.isPrinted() && !g.printed {
		return
	}
	key := strings.Join(t.values, "\x00")
	other := g.found[key]
	if other != nil && other.doc == t.doc && t.entry != nil && other.entry.Name == t.entry.Name {
		g.entryTwice(diag.RenderedTwice, t.doc, *t.entry)
		return
	}
	if other != nil {
		at := g.rendered.Path.At
		if g.entry != nil {
			at = g.entries.word.At
		}
		g.report(diag.New(diag.RenderedTwice, at, "both-rendered", other.name(), t.name(), g.variant(t.values)).
			WithHint("name-differ-axis-narrow"))
		return
	}
	g.found[key] = t
	g.texts = append(g.texts, t)
	if t.entry != nil {
		g.plan.Entries[t.entry] = true
	}
	g.taken[t.key()], g.taken[textKey{path: t.doc.File.Path}] = true, true
}

// isText reports whether what is sent is a text, or the value that was printed where
// no file has a text. What `exclude` takes away may be none.
func (g *gathering) isText(t *renderedText, v *assembly.Variant) bool {
	if !t.isPrinted() || g.printed {
		return true
	}
	d := diag.New(diag.RenderedNoText, t.entry.At, "no-text-2", t.name()).WithHint("take-snapshot-string")
	d.Variant = v.Name
	g.report(d)
	return false
}

// noteOdd notes the texts that are empty and have no tools beside them, and those
// that are what a program printed of something else: they may be meant.
func (g *gathering) noteOdd(texts []*renderedText, alone map[*renderedText]bool) {
	note := func(code diag.Code, is func(*renderedText) bool, fact, hint string) {
		var all []diag.Words
		for _, t := range texts {
			if is(t) {
				all = append(all, t.name())
			}
		}
		if len(all) > 0 {
			d := diag.New(code, g.rendered.Path.At, fact, all[0])
			d.Level = diag.Note
			g.diags = append(g.diags, andAlso(d, all, func(w diag.Words) diag.Words { return w }).WithHint(hint))
		}
	}
	note(diag.EmptyFile, func(t *renderedText) bool { return alone[t] && strings.TrimSpace(t.text().Str) == "" }, "says-nothing-2", "fine-if-nothing-sent")
	note(diag.RenderedNoText, (*renderedText).isPrinted, "printed-as-text", "snapshot-string-for-text")
}

// variant names the variant of values, as far as they are known.
func (g *gathering) variant(values []string) string {
	var parts []string
	for i, v := range values {
		if v != "" && v != g.prompt.Axes[i].Default.Str {
			parts = append(parts, g.axes[i]+"="+v)
		}
	}
	if len(parts) == 0 {
		return g.prompt.ID.Str
	}
	return g.prompt.ID.Str + "/" + strings.Join(parts, ",")
}

// whichEntry reports a file of several entries, or of none.
func (g *gathering) whichEntry(doc *language.Doc) {
	n := len(doc.Saved)
	if n == 0 {
		g.report(diag.New(diag.RenderedEntry, diag.Whole(doc.File), "snapshot-file-without-entries", doc.File.Path).
			WithHint("run-tests-write-remove"))
		return
	}
	if !slices.ContainsFunc(doc.Saved, func(s language.Saved) bool { return s.Name != doc.Saved[0].Name }) {
		g.entryTwice(diag.RenderedEntry, doc, doc.Saved[1])
		return
	}
	d := diag.New(diag.RenderedEntry, g.rendered.Path.At, "entries", doc.File.Path, diag.Count(n), diag.First(entryNames(doc), n)).
		WithHint("say-rendered-path-entry", diag.Ends(doc.Saved[0].Name))
	if g.rendered.Pointer.Str != "" {
		d = d.WithHint("axis-for-star")
	}
	g.report(d)
}

// entryTwice reports an entry that a file has again, at the second.
func (g *gathering) entryTwice(code diag.Code, doc *language.Doc, again language.Saved) {
	g.report(diag.New(code, again.NameAt, "entry-twice", doc.File.Path, diag.Ends(again.Name)).
		WithHint("remove-file-run-tests"))
}

// entryNames gives the first names of a file.
func entryNames(doc *language.Doc) []string {
	var out []string
	for _, s := range doc.Saved[:min(len(doc.Saved), maxMissing)] {
		out = append(out, diag.Ends(s.Name))
	}
	return out
}

// foreignFiles reports the files that have no entries although one is named.
func (g *gathering) foreignFiles() {
	if len(g.foreign) > 0 {
		g.report(diag.New(diag.RenderedEntry, g.entries.word.At, "no-snapshot-file-vitest", diag.Some(g.foreign, maxMissing)).
			WithHint("remove-entry-file-text"))
	}
}

// noEntry reports that files were found, and no text in them.
func (g *gathering) noEntry(docs []*language.Doc) {
	if !slices.ContainsFunc(docs, func(doc *language.Doc) bool { return !doc.Recording || len(doc.Saved) > 0 }) {
		fact, hint := "no-request-in-files", "record-or-narrow"
		if g.rendered.Symbol.Str != "" {
			fact, hint = "no-symbol-in-files", "widen-symbol"
		}
		g.report(diag.New(diag.RenderedMissing, g.rendered.Path.At, fact, g.rendered.Path.Str).WithHint(hint))
		return
	}
	d := diag.New(diag.RenderedMissing, g.entries.word.At, "no-entry-name", diag.Ends(g.entries.word.Str))
	for _, doc := range docs {
		if len(doc.Saved) > 0 {
			d = d.WithHint("has", doc.File.Path, diag.First(entryNames(doc), len(doc.Saved)))
			break
		}
	}
	g.report(d)
}

// valuesOf gives the values that an axis has in the names, in order: by number
// where all are numbers, else by bytes.
func (g *gathering) valuesOf(axis int) []string {
	var out []string
	numbers := true
	for _, t := range g.texts {
		v := t.values[axis]
		out = append(out, v)
		_, ok := number(v)
		numbers = numbers && ok
	}
	slices.SortFunc(out, func(a, b string) int {
		x, _ := number(a)
		y, _ := number(b)
		if numbers && x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

// number reads a value that is a number without a sign or an exponent.
func number(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// readings are what a pattern made of names. What keeps a name from being read
// is told once for all names.
type readings struct {
	word    ground.Word
	pattern *axispattern.Pattern
	// said: the names are sentences, of which values are slugs, and those that
	// the pattern does not stand for are other tests'.
	said      bool
	ambiguous []reading
	illegal   []reading // rows[0] has a text that can be no value
	unlisted  []passed
	unsplit   []passed
	at        textKey // what has the name that is read
}

// passed is a name that nothing reads, unless another prompt does.
type passed struct {
	name string
	of   textKey
}

// reading is a name and the ways to split it.
type reading struct {
	name string
	rows [][]string
}

func (r reading) said() diag.Words { return quotedEnds(r.name) }

// failed counts the names that are errors, and passedOver those that nothing
// reads.
func (r *readings) failed() int     { return len(r.ambiguous) + len(r.illegal) }
func (r *readings) passedOver() int { return len(r.unlisted) + len(r.unsplit) }

// maxNamed is how many names stand below a finding.
const maxNamed = 10

// andAlso lists below a finding the things behind the first, which its message
// names.
func andAlso[T any](d diag.Diagnostic, all []T, words func(T) diag.Words) diag.Diagnostic {
	for _, one := range all[1:min(len(all), maxNamed)] {
		d = d.WithDetail(words(one))
	}
	if n := len(all); n > maxNamed {
		d = d.WithDetail(diag.Say("and-more", diag.Count(n-maxNamed)))
	}
	return d
}

func quotedEnds(name string) diag.Words { return diag.Say("quoted", diag.Ends(name)) }

// tell reports the names that cannot be read, and warns of those that nothing
// reads.
func (g *gathering) tell(r *readings) {
	if r == nil {
		return
	}
	g.tellAmbiguous(r)
	g.tellIllegal(r)
	if r == g.files || g.rendered.Pointer.Str == "" && g.rendered.Symbol.Str == "" { // else the listed keys say which values are meant
		g.unread(r.word, r.unlisted, "no-variant-has-values-of", "list-values-or-remove-unused")
	}
	g.unread(r.word, r.unsplit, "pattern-cannot-split", "each-axis-stands-for-some")
}

func (g *gathering) tellAmbiguous(r *readings) {
	if len(r.ambiguous) == 0 {
		return
	}
	first := r.ambiguous[0]
	one, other := g.point(r.pattern, first.rows[0]), g.point(r.pattern, first.rows[1])
	d := andAlso(diag.New(diag.RenderedAmbiguous, r.word.At, "both", diag.Ends(first.name), one, other), r.ambiguous, reading.said)
	i := 0
	for i+1 < len(r.pattern.Axes) && first.rows[0][i] == first.rows[1][i] {
		i++
	}
	written := first.rows[0][i]
	id := slugs.EntryIDs([]string{written})[written]
	g.report(d.WithHint("choose-reading", r.pattern.Axes[i], diag.Ends(written), diag.Ends(first.rows[1][i]), diag.Ends(written), id))
}

func (g *gathering) tellIllegal(r *readings) {
	if len(r.illegal) == 0 {
		return
	}
	first := r.illegal[0]
	i := max(0, slices.IndexFunc(first.rows[0], func(v string) bool { return !axispattern.IsAxisValue(v) }))
	d := diag.New(diag.RenderedValue, r.word.At, "no-value-axis", diag.Ends(first.rows[0][i]), diag.Ends(first.name), r.pattern.Axes[i])
	g.report(andAlso(d, r.illegal, reading.said).WithHint("values-letters-digits-most"))
}

// unread warns of names that nothing reads, once it is known what other prompts
// do.
func (g *gathering) unread(at ground.Word, all []passed, key, hint string) {
	if len(all) == 0 {
		return
	}
	g.later = append(g.later, func() {
		read := map[string]bool{}
		for _, u := range g.plan.Units {
			for _, name := range u.Sources() {
				read[name] = true
			}
		}
		includes := map[string][]templates.Name{}
		g.spec.Tree.Includes(includes)
		graph, from := templates.NewGraph(includes), slices.Sorted(maps.Keys(read))
		var names []string
		for _, p := range all {
			_, link := graph.Link(from, p.of.path)
			if !g.taken[p.of] && (p.of.entry != nil || !read[p.of.path] && link < templates.Sure) {
				names = append(names, p.name)
			}
		}
		if len(names) > 0 {
			g.diags = append(g.diags, nothingReads(at, names, key, hint))
		}
	})
}

func nothingReads(at ground.Word, names []string, key, hint string) diag.Diagnostic {
	d := diag.New(diag.RenderedUnlisted, at.At, "so-nothing-reads-it", diag.Say(key, diag.Names{diag.Ends(names[0])}))
	return andAlso(d, names, quotedEnds).WithHint(hint)
}

// anyValue lists no values: an axis may have any.
func anyValue(string) []string { return nil }

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
		quoted = append(quoted, diag.Ends(name.name))
	}
	g.report(diag.New(diag.RenderedMissing, r.word.At, fact, diag.First(quoted, len(names))).WithHint(hint))
}

// point writes values with their axes.
func (g *gathering) point(p *axispattern.Pattern, values []string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = p.Axes[i] + "=" + diag.Ends(v)
	}
	return strings.Join(parts, ",")
}

package validate

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

func (d *decoder) prompt(f ground.Field) *language.Prompt {
	n := f.Value
	out := &language.Prompt{
		ID:        d.declared(f),
		Exclude:   d.condition(n.Field("exclude")),
		Tokenizer: cases(d, n.Field("tokenizer"), d.word),
		Budget:    cases(d, n.Field("budget"), d.budget),
		Layout:    cases(d, n.Field("layout"), d.layout),
		Dialect:   cases(d, n.Field("dialect"), d.word),
		Cache:     cases(d, n.Field("cache_minimum"), d.amount),
		Join:      cases(d, n.Field("join"), d.text),
		Order:     cases(d, n.Field("order"), d.words),
		Expect:    mappings(n.Field("expect"), d.expectation),
	}
	if out.Rendered = d.rendered(n); out.Rendered != nil {
		out.Dialect = nil // each body has its own
	}
	out.Axes = d.axes(n.Field("axes"), out.Rendered)
	out.Record = d.record(n.Field("record"))
	d.recorded(out)
	ids := newDistinct()
	for _, s := range mappings(n.Field("sections"), d.section) {
		if s.ID.At.Known() {
			d.id(s.ID)
			d.found = append(d.found, ids.once(s.ID)...)
		}
		out.Sections = append(out.Sections, s)
	}
	return out
}

func (d *decoder) section(n *ground.Node) *language.Section {
	out := &language.Section{
		When:    d.condition(n.Field("when")),
		Needs:   d.needs(n.Field("needs")),
		Text:    cases(d, n.Field("text"), d.text),
		Path:    cases(d, n.Field("path"), d.words),
		Source:  cases(d, n.Field("source"), d.words),
		Heading: cases(d, n.Field("heading"), d.text),
		Before:  cases(d, n.Field("before"), d.text),
		After:   cases(d, n.Field("after"), d.text),
		Join:    cases(d, n.Field("join"), d.text),
		Form:    cases(d, n.Field("form"), d.word),
		Only:    cases(d, n.Field("only"), d.words),
		Select:  cases(d, n.Field("select"), d.selection),
		Options: d.options(n),
		Budget:  cases(d, n.Field("budget"), d.budget),
		Degrade: cases(d, n.Field("degrade"), d.steps),

		Breakpoint: cases(d, n.Field("breakpoint"), d.flag),
		Volatile:   cases(d, n.Field("volatile"), d.flag),

		Phase:    cases(d, n.Field("phase"), d.word),
		Priority: cases(d, n.Field("priority"), d.number),
		Weight:   cases(d, n.Field("weight"), d.number),
		Sticky:   cases(d, n.Field("sticky"), d.flag),
	}
	out.ID, _ = d.word(n.Field("id"))
	d.ownText(n, out)
	return out
}

// ownText reports keys that mean nothing to a section with a text or path of
// its own: it is of kind text, which has no forms and no options. Sections
// with a source are looked at when the source is known.
func (d *decoder) ownText(n *ground.Node, s *language.Section) {
	if n.Field("source") != nil || n.Field("text") == nil && n.Field("path") == nil {
		return
	}
	for _, f := range n.Fields {
		if slices.Contains(textKeys, f.Key) {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "section-own-text-takes", f.Key).
				WithHint("kind-key-belongs-section", language.TextKind))
		}
	}
	for _, c := range s.Degrade {
		for _, step := range c.Value {
			if step.Form.At.Known() && !step.Source.At.Known() { // both are refused by the schema
				d.found = append(d.found, diag.New(diag.KeyNotForKind, step.Form.At, "section-own-text-no", step.Form.Str).
					WithHint("step-down-source-shorter"))
			}
		}
	}
}

// needs decodes {tools: …}, in which the list may be one of cases as well.
func (d *decoder) needs(n *ground.Node) language.Cases[language.Needs] {
	if tools := n.Field("tools"); isCases(tools) {
		var out language.Cases[language.Needs]
		for _, c := range cases(d, tools, d.words) {
			out = append(out, language.Case[language.Needs]{When: c.When, Value: language.Needs{Tools: c.Value}, At: c.At})
		}
		return out
	}
	return cases(d, n, func(n *ground.Node) (language.Needs, bool) {
		tools, ok := d.words(n.Field("tools"))
		return language.Needs{Tools: tools}, ok
	})
}

func (d *decoder) steps(n *ground.Node) ([]language.Step, bool) {
	if n.Kind != ground.Sequence {
		return nil, false
	}
	var out []language.Step
	for _, item := range n.Items {
		var step language.Step
		step.Form, _ = d.word(item.Field("form"))
		step.Source, _ = d.word(item.Field("source"))
		out = append(out, step)
	}
	return out, true
}

// auto stands for the values of an axis, or for all axes, that are found in the
// names of rendered files.
const auto = "auto"

// Keys of a prompt that say how it is assembled, and those that say what was
// assembled elsewhere.
var (
	assemblingKeys = []string{"layout", "join", "order"}
	renderedKeys   = []string{"split", "tools", "record"}
)

// rendered decodes where the texts of a prompt are that another program
// assembles; nil for a prompt of sections.
func (d *decoder) rendered(n *ground.Node) *language.Rendered {
	value := n.Field("rendered")
	if value == nil {
		d.foreign(n, renderedKeys, "prompt-sections-takes-no", "key-belongs-rendered")
		return nil
	}
	if n.Field("sections") == nil { // else the one or the other is too much
		d.foreign(n, assemblingKeys, "prompt-rendered-elsewhere-takes", "remove-key-of-sections")
	}
	out := &language.Rendered{Split: language.Splits(), At: value.At}
	path := value
	if value.Kind == ground.Mapping {
		path = value.Field("path")
		out.Entry, _ = d.word(value.Field("entry"))
		out.From, _ = d.words(value.Field("from"))
		out.As, _ = d.word(value.Field("as"))
		out.Pointer, _ = d.word(value.Field("pointer"))
		out.Template, _ = d.word(value.Field("template"))
		out.Symbol = d.symbols(value.Field("symbol"))
	}
	if out.Symbol.Str != "" {
		d.foreign(value, []string{"pointer", "entry", "as"}, "code-takes-no-key", "remove-it-or-symbol")
		d.foreign(n, []string{"split", "dialect"}, "code-takes-no-key", "remove-it-or-symbol")
	}
	if strings.Contains(out.Pointer.Str, "{") {
		d.foreign(value, []string{"entry"}, "pointer-names-entries", "remove-entry-or-axis")
	}
	out.Dialect = d.bodyDialect(n.Field("dialect"))
	if out.As.Str != "" {
		d.foreign(value, []string{"pointer"}, "text-takes-no-body-key", "remove-it-or-as-text")
		d.foreign(n, []string{"dialect"}, "text-takes-no-body-key", "remove-it-or-as-text")
	}
	out.Path, _ = d.word(path)
	out.Tools, _ = d.words(n.Field("tools"))
	if split := n.Field("split"); split != nil && split.Kind == ground.Sequence {
		named, _ := d.words(split)
		out.Split = slices.DeleteFunc(out.Split, func(s language.Split) bool {
			return !slices.ContainsFunc(named, func(w ground.Word) bool { return w.Str == string(s) })
		})
	}
	return out
}

// symbols reads the symbols that lead to texts in code, a line each.
func (d *decoder) symbols(n *ground.Node) ground.Word {
	if n == nil {
		return ground.Word{}
	}
	all, _ := d.words(n)
	if len(all) > 1 && slices.ContainsFunc(all, func(w ground.Word) bool { return strings.Contains(w.Str, "{") }) {
		d.found = append(d.found, diag.New(diag.RenderedPattern, n.At.FirstLine(), "axis-in-list-of-symbols").WithHint("one-symbol-with-axis"))
	}
	return ground.Word{Str: strings.Join(ground.Strings(all), "\n"), At: n.At.FirstLine()}
}

// bodyDialect reads the dialect of the bodies that a program sent: one for all.
func (d *decoder) bodyDialect(n *ground.Node) ground.Word {
	if n == nil {
		return ground.Word{}
	}
	word, _ := d.word(n)
	var names []string
	for _, dialect := range ground.BodyDialects() {
		names = append(names, dialect.Name)
	}
	if !slices.Contains(names, word.Str) {
		d.found = append(d.found, diag.New(diag.NoSuchDialect, n.At.FirstLine(), "no-dialect-of-bodies", word.Str).
			WithHint("use-one-of", strings.Join(names, ", ")))
		return ground.Word{}
	}
	return word
}

// foreign reports the keys of a mapping that have no meaning in it.
func (d *decoder) foreign(n *ground.Node, keys []string, key, hint string) {
	for _, f := range n.Fields {
		if slices.Contains(keys, f.Key) {
			d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, key, f.Key).WithHint(hint))
		}
	}
}

// axes decodes the axes of a prompt. `auto` for all of them makes an axis of
// every name in the patterns.
func (d *decoder) axes(n *ground.Node, rendered *language.Rendered) []*language.Axis {
	var out []*language.Axis
	for _, f := range n.Entries() {
		axis := d.axis(f)
		out = append(out, axis)
		if axis.Auto && rendered == nil {
			d.autoElsewhere(f.Value.At)
		}
		if len(axis.Names) > 0 && rendered == nil {
			d.found = append(d.found, diag.New(diag.BadAxis, f.Value.Field("names").At.FirstLine(), "names-of-rendered").
				WithHint("remove-names"))
		}
	}
	if !isAuto(n) {
		return out
	}
	if rendered == nil {
		d.autoElsewhere(n.At)
		return nil
	}
	entries, isPath := rendered.Names()
	pattern := axispattern.NamePattern
	if isPath {
		pattern = axispattern.PathPattern
	}
	for _, name := range slices.Concat(axesOf(rendered.Path, axispattern.PathPattern), axesOf(entries, pattern)) {
		if slices.ContainsFunc(out, func(a *language.Axis) bool { return a.Name.Str == name.Str }) {
			continue
		}
		d.id(name)
		out = append(out, &language.Axis{Name: name, Auto: true})
	}
	return out
}

// isAuto reports whether a value stands for what the files say.
func isAuto(n *ground.Node) bool { return n.IsScalar() && n.Text.Str == auto }

func (d *decoder) autoElsewhere(at diag.Span) {
	d.found = append(d.found, diag.New(diag.BadAxis, at, "takes-values-rendered-files", auto).
		WithHint("list-values-list-value", auto))
}

// axesOf gives the axes that a pattern names, each with its place.
func axesOf(w ground.Word, parse func(string) *axispattern.Pattern) []ground.Word {
	var out []ground.Word
	for _, name := range parse(w.Str).Axes {
		at := w.At
		if at.Known() {
			if i := strings.Index(at.File.Text[at.Start:at.End], "{"+name+"}"); i >= 0 {
				at.Start += i + 1
				at.End = at.Start + len(name)
			}
		}
		out = append(out, ground.Word{Str: name, At: at})
	}
	return out
}

func (d *decoder) budget(n *ground.Node) (language.Budget, bool) {
	if n.Kind != ground.Mapping {
		return language.Budget{}, false
	}
	out := language.Budget{
		Tokens:     cases(d, n.Field("tokens"), d.amount),
		Chars:      cases(d, n.Field("chars"), d.amount),
		ToolTokens: cases(d, n.Field("tool_tokens"), d.amount),
		WarnAt:     cases(d, n.Field("warn_at"), d.share),

		Growth:       cases(d, n.Field("growth"), d.share),
		GrowthTokens: cases(d, n.Field("growth_tokens"), d.amount),

		Warn: cases(d, n.Field("over"), func(n *ground.Node) (bool, bool) {
			return n.Scalar() == "warn", n.IsScalar()
		}),
		At: n.At,
	}
	for _, item := range n.Field("plus").List() {
		out.Plus = append(out.Plus, d.plus(item, n))
	}
	return out, true
}

// plusUnits are the limits that an entry of `plus` may raise.
var plusUnits = []string{"tokens", "chars"}

func (d *decoder) plus(n, budget *ground.Node) language.Plus {
	out := language.Plus{When: d.condition(n.Field("when")), At: n.At}
	out.Tokens, _ = d.amount(n.Field("tokens"))
	out.Chars, _ = d.amount(n.Field("chars"))
	for _, f := range n.Fields {
		for _, unit := range plusUnits {
			if f.Key == unit && budget.Field(unit) == nil {
				d.found = append(d.found, diag.New(diag.PlusOnNothing, f.KeyAt, "budget-sets-no-add", unit).
					WithHint("set-beside-plus-remove", unit))
			}
		}
	}
	return out
}

func (d *decoder) axis(f ground.Field) *language.Axis {
	out := &language.Axis{Name: d.declared(f)}
	values := f.Value
	if values.Kind == ground.Mapping {
		values = f.Value.Field("values")
		out.Default, _ = d.word(f.Value.Field("default"))
		out.Ordered, _ = d.flag(f.Value.Field("ordered"))
	}
	out.Names = d.valueNames(f.Value.Field("names"))
	names := newDistinct()
	if out.Auto = isAuto(values); out.Auto {
		d.contextOfAuto(f.Value.Field("context"))
		return out
	}
	for _, item := range values.List() {
		if w, ok := d.word(item); ok {
			d.value(w)
			d.found = append(d.found, names.once(w)...)
			out.Values = append(out.Values, w)
		}
	}
	d.sameButCase(out.Values)
	d.defaultValue(out)
	d.namedValues(out)
	d.context(out, f.Value.Field("context"))
	return out
}

// contextOfAuto refuses sizes for values that nobody listed.
func (d *decoder) contextOfAuto(n *ground.Node) {
	if n != nil {
		d.found = append(d.found, diag.New(diag.BadAxis, n.At.FirstLine(), "context-size-each-value").
			WithHint("list-values-remove-context"))
	}
}

// valueNames decodes what the values of an axis are called in the names of
// rendered files and entries.
func (d *decoder) valueNames(n *ground.Node) []language.ValueName {
	var out []language.ValueName
	for _, f := range n.Entries() {
		if id, ok := d.word(f.Value); ok {
			d.value(id)
			out = append(out, language.ValueName{Written: ground.Word{Str: f.Key, At: f.KeyAt}, Value: id})
		}
	}
	return out
}

func (d *decoder) defaultValue(axis *language.Axis) {
	d.listed(axis, axis.Default, "default-none-values-axis")
}

// namedValues checks that what `names` says are values that the axis lists.
func (d *decoder) namedValues(axis *language.Axis) {
	for _, n := range axis.Names {
		d.listed(axis, n.Value, "name-none-values-axis")
	}
}

// listed reports a word that is none of the values of an axis.
func (d *decoder) listed(axis *language.Axis, w ground.Word, key string) {
	if !w.At.Known() || len(axis.Values) == 0 {
		return
	}
	var values []string
	for _, v := range axis.Values {
		if v.Str == w.Str {
			return
		}
		values = append(values, v.Str)
	}
	found := diag.New(diag.BadAxis, w.At, key, w.Str, axis.Name.Str)
	found = withNear(found, w.Str, values)
	if found.Hint.None() {
		found = found.WithHint("values", diag.Names(values))
	}
	d.found = append(d.found, found)
}

func (d *decoder) context(axis *language.Axis, n *ground.Node) {
	if n == nil || n.Kind != ground.Sequence {
		return
	}
	for _, item := range n.Items {
		size, ok := d.amount(item)
		if !ok {
			continue
		}
		if k := len(axis.Context); k > 0 && size <= axis.Context[k-1] {
			d.found = append(d.found, diag.New(diag.BadAxis, item.At, "context-axis-not-ascend", axis.Name.Str, size, axis.Context[k-1]).
				WithHint("list-values-axis-smallest"))
		}
		axis.Context = append(axis.Context, size)
	}
	if have, want := len(n.Items), len(axis.Values); have != want && have != want-1 {
		d.found = append(d.found, diag.New(diag.BadAxis, n.At.FirstLine(), "context-axis-entries-values", axis.Name.Str, have, want).
			WithHint("give-each-value-last"))
	}
}

// keysOfLayout are the keys of a layout's mapping, beside its name.
type keysOfLayout struct {
	layout string
	keys   []string
}

var layoutKeys = []keysOfLayout{
	{"sequence", nil},
	{"phases", []string{"order", "place", "fill", "notice"}},
	{"messages", []string{"conversation", "assembly", "reminder"}},
}

// layout decodes a layout: its name alone, or a mapping with its settings.
func (d *decoder) layout(n *ground.Node) (language.Layout, bool) {
	out := language.Layout{
		Name:  cases(d, n.Field("name"), d.word),
		Order: cases(d, n.Field("order"), d.words), Place: cases(d, n.Field("place"), d.word),
		Fill: cases(d, n.Field("fill"), d.word), Notice: cases(d, n.Field("notice"), d.flag),
		Conversation: cases(d, n.Field("conversation"), d.word), Assembly: cases(d, n.Field("assembly"), d.word),
		Reminder: cases(d, n.Field("reminder"), d.word),
	}
	if name, ok := d.word(n); ok {
		out.Name = language.Cases[ground.Word]{{Value: name, At: n.At}}
	}
	if !out.Name.Set() {
		return language.Layout{}, false
	}
	d.foreignKeys(n, out.Name)
	d.neededKey(n, out.Name)
	return out, true
}

// foreignKeys reports the keys of a layout that belong to another one.
func (d *decoder) foreignKeys(n *ground.Node, named language.Cases[ground.Word]) {
	var names []string
	for _, c := range named {
		if !slices.ContainsFunc(layoutKeys, func(l keysOfLayout) bool { return l.layout == c.Value.Str }) {
			return // which the schema has reported
		}
		names = append(names, c.Value.Str)
	}
	for _, own := range layoutKeys {
		for _, f := range n.Fields {
			if slices.Contains(own.keys, f.Key) && !slices.Contains(names, own.layout) {
				d.found = append(d.found, diag.New(diag.KeyNotForKind, f.KeyAt, "layout-takes-no", names[0], f.Key).
					WithHint("key-belongs-layout", own.layout))
			}
		}
	}
}

// neededKey reports a layout `messages` without a conversation.
func (d *decoder) neededKey(n *ground.Node, named language.Cases[ground.Word]) {
	const layout, key = "messages", "conversation"
	known := knownKeys(root("prompts#/definitions/layout/anyOf/1"))
	for _, c := range named {
		if c.Value.Str == layout && n.Field(key) == nil && !meantBy(n, key, known) {
			d.found = append(d.found, diag.New(diag.MissingKey, c.Value.At, "layout-lacks-key", layout, key).
				WithHint("write-layout-name-id", layout, key, key))
		}
	}
}

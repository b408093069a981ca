package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// prompts finds what concerns prompts as a whole: prompts, axes, values and
// variants that come or go.
func (r *run) prompts() {
	for _, p := range r.pairs {
		switch {
		case p.Base == nil:
			r.wholePrompt(p, prompt.PromptAdded)
		case p.Head == nil:
			r.wholePrompt(p, prompt.PromptRemoved)
		default:
			r.axes(p)
			r.variants(p)
			r.withAxes(p)
		}
	}
}

func (r *run) wholePrompt(p *pair, kind prompt.EditKind) {
	e := &prompt.Edit{Kind: kind, InBase: p.Head == nil}
	if e.InBase {
		e.At = p.Base.Prompt.ID.At
	} else {
		e.At = p.Head.Prompt.ID.At
	}
	row(e, p, e.InBase)
	for _, t := range p.twins {
		reachWhole(e, t)
	}
	r.add(e)
}

// reachWhole says that an edit brings a variant, or takes it away, with all
// that it sends.
func reachWhole(e *prompt.Edit, t twin) {
	if t.head != nil {
		reachBy(e, t, t.head.Use+t.head.ToolTokens)
	} else {
		reachBy(e, t, -t.base.Use-t.base.ToolTokens)
	}
}

// axes finds the axes and values that only one side declares.
func (r *run) axes(p *pair) {
	for i, axis := range p.Base.Prompt.Axes {
		if axisLike(p.Base.Prompt, i, p.Head.Prompt) < 0 {
			e := &prompt.Edit{Kind: prompt.AxisRemoved, Name: axis.Name.Str, From: listed(axis.Values), At: axis.Name.At, InBase: true}
			r.declared(p, e)
		}
	}
	for i, axis := range p.Head.Prompt.Axes {
		k := axisLike(p.Head.Prompt, i, p.Base.Prompt)
		if k < 0 {
			e := &prompt.Edit{Kind: prompt.AxisAdded, Name: axis.Name.Str, To: listed(axis.Values), At: axis.Name.At}
			r.declared(p, e)
			continue
		}
		r.values(p, p.Base.Prompt.Axes[k], axis)
	}
	r.axisNames(p)
}

// settingAxes is the setting of the axes' names and order, which names
// variants.
const settingAxes = "axes"

// axisNames says that axes that both sides have are called otherwise, or stand
// in another order: then so are the names of variants.
func (r *run) axisNames(p *pair) {
	var was, is []string
	at := p.Head.Prompt.ID.At
	for _, s := range sharedAxes(p.Base.Prompt, p.Head.Prompt) {
		was = append(was, p.Base.Prompt.Axes[s[0]].Name.Str)
	}
	for _, s := range sharedAxes(p.Head.Prompt, p.Base.Prompt) {
		axis := p.Head.Prompt.Axes[s[0]]
		if n := len(is); was[n] != axis.Name.Str && slices.Equal(was[:n], is) {
			at = axis.Name.At
		}
		is = append(is, axis.Name.Str)
	}
	if !slices.Equal(was, is) {
		r.declared(p, &prompt.Edit{Kind: prompt.SettingChanged, Name: settingAxes, From: strings.Join(was, ", "), To: strings.Join(is, ", "), At: at})
	}
}

// declared adds an edit that concerns every variant of the head.
func (r *run) declared(p *pair, e *prompt.Edit) {
	row(e, p, false)
	for _, t := range p.twins {
		if t.head != nil {
			reach(e, t)
		}
	}
	r.add(e)
}

func (r *run) values(p *pair, was, is *prompt.Axis) {
	for _, v := range was.Values {
		if !hasValue(is, v.Str) {
			r.value(p, &prompt.Edit{Kind: prompt.ValueRemoved, Name: is.Name.Str, From: v.Str, At: v.At, InBase: true})
		}
	}
	for _, v := range is.Values {
		if !hasValue(was, v.Str) {
			r.value(p, &prompt.Edit{Kind: prompt.ValueAdded, Name: is.Name.Str, To: v.Str, At: v.At})
		}
	}
	if was.Default.Str != is.Default.Str {
		e := &prompt.Edit{
			Kind: prompt.SettingChanged, Name: "axes." + is.Name.Str + ".default",
			From: was.Default.Str, To: is.Default.Str, At: is.Name.At,
		}
		if is.Default.At.Known() {
			e.At = is.Default.At
		}
		r.declared(p, e)
	}
}

// value adds an edit of a value with the variants that have it and nothing to
// be compared with.
func (r *run) value(p *pair, e *prompt.Edit) {
	row(e, p, e.InBase)
	for _, t := range p.twins {
		if t.both() || (t.head == nil) != e.InBase {
			continue
		}
		if onAxis(p, t, e.Name) == e.From+e.To {
			reachWhole(e, t)
		}
	}
	r.add(e)
}

// onAxis gives the value of a variant that only one side has.
func onAxis(p *pair, t twin, name string) string {
	of := p.Head
	if t.head == nil {
		of = p.Base
	}
	if i := axisNamed(of.Prompt, name); i >= 0 {
		return valueOn(of.Prompt, t.variant(), i)
	}
	return ""
}

// variants finds the variants that come or go while their axes and values were
// there.
func (r *run) variants(p *pair) {
	for _, t := range p.twins {
		if t.both() {
			continue
		}
		if r.explained(p, t) {
			continue
		}
		kind := prompt.VariantsAdded
		if t.head == nil {
			kind = prompt.VariantsRemoved
		}
		e := r.group(variantsKey{p, kind}, func() *prompt.Edit {
			return &prompt.Edit{Kind: kind, At: excludePlace(p.Head.Prompt)}
		})
		reachWhole(e, t)
	}
}

// withAxes leaves to axes that are no more the variants that went with them:
// those that stay send what they sent.
func (r *run) withAxes(p *pair) {
	for _, e := range r.d.Edits {
		if e.Kind == prompt.AxisRemoved && e.Reach[0].Pair == p.Pair && len(e.Reach) > 1 {
			e.Reach = slices.DeleteFunc(e.Reach, func(at prompt.Reach) bool { return !at.OfBase })
		}
	}
}

type variantsKey struct {
	pair *pair
	kind prompt.EditKind
}

// explained reports whether a value, or an axis that is no more, says why a
// variant has none to be compared with. Those of a removed axis are added to
// its edit.
func (r *run) explained(p *pair, t twin) bool {
	out := false
	for i := range r.d.Edits {
		e := r.d.Edits[i]
		if len(e.Reach) == 0 || e.Reach[0].Pair != p.Pair {
			continue
		}
		switch {
		case e.Kind == prompt.AxisRemoved && t.head == nil:
			reachWhole(e, t)
			out = true
		case e.Kind == prompt.ValueAdded && t.head != nil, e.Kind == prompt.ValueRemoved && t.head == nil:
			out = out || e.Reach[0].In.Has(t.variant().Index)
		default:
		}
	}
	return out
}

// excludePlace gives the place that says what is not built, or else that of the
// prompt.
func excludePlace(p *prompt.Prompt) diag.Span {
	for _, clause := range p.Exclude {
		for _, term := range clause {
			return term.Axis.At
		}
	}
	return p.ID.At
}

func hasValue(a *prompt.Axis, value string) bool {
	return slices.ContainsFunc(a.Values, func(w prompt.Word) bool { return w.Str == value })
}

func listed(words []prompt.Word) string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, w.Str)
	}
	return strings.Join(out, ", ")
}

// renameWindow is how many sections that came are looked at for one that went,
// so that two wholly different texts cost no more than their length.
const renameWindow = 8

// rename pairs sections of texts that another program writes and that begin
// with another heading now, which is what they are called after: one that went
// and one that came at the same place of the same variants, with at least half
// of their lines in common.
func (p *pair) rename() {
	was, is := map[int]int{}, map[int]int{} // by the index on each side
	for k, s := range p.sections {
		was[s.base], is[s.head] = k, k
	}
	tried := map[int]bool{}
	paired := map[int]int{} // the section of the head for that of the base
	for _, t := range p.twins {
		if !t.both() || sameText(t.base, t.head) {
			continue
		}
		gone, come := p.gapsIn(emitted(t.base, was)), p.gapsIn(emitted(t.head, is))
		for after, old := range gone {
			p.renameIn(t, old, come[after], tried, paired)
		}
	}
	if len(paired) == 0 {
		return
	}
	for k, h := range paired {
		old, now := p.sections[k], p.sections[h]
		now.base, now.was, now.title = old.base, old.id, old.title
	}
	left := p.sections[:0]
	for k, s := range p.sections {
		if _, gone := paired[k]; !gone {
			left = append(left, s)
		}
	}
	p.sections = left
}

// gapsIn gives the sections of an order that one side alone has, by the one
// before them that both have, -1 for none.
func (p *pair) gapsIn(order []int) map[int][]int {
	out := map[int][]int{}
	after := -1
	for _, k := range order {
		if s := p.sections[k]; s.base >= 0 && s.head >= 0 {
			after = k
		} else {
			out[after] = append(out[after], k)
		}
	}
	return out
}

// renameIn pairs the sections of one gap, in order.
func (p *pair) renameIn(t twin, gone, come []int, tried map[int]bool, paired map[int]int) {
	next := 0
	for i, k := range gone {
		if tried[k] {
			continue
		}
		tried[k] = true
		for j := next; j < min(len(come), next+renameWindow); j++ {
			old, now := p.sections[k], p.sections[come[j]]
			bare := i == j && len(gone) == len(come)
			if !tried[come[j]] && alike(t, old, now, bare) && p.sameUse(old, now, bare) {
				old.title = wordLines(t.base.Used[old.base])[0]
				tried[come[j]], paired[k], next = true, come[j], j+1
				break
			}
		}
	}
}

// sameUse reports whether the variants that had the one section have the other,
// with a text that is alike.
func (p *pair) sameUse(old, now *section, bare bool) bool {
	return !slices.ContainsFunc(p.twins, func(t twin) bool {
		if !t.both() {
			return false
		}
		was, is := t.base.Used[old.base], t.head.Used[now.head]
		return (was == nil) != (is == nil) || was != nil && !alike(t, old, now, bare)
	})
}

// alike reports whether at least half of the lines of two sections that say
// something are the same; bare, that both are a heading and nothing else will
// do, too.
func alike(t twin, old, now *section, bare bool) bool {
	was, is := wordLines(t.base.Used[old.base]), wordLines(t.head.Used[now.head])
	if len(was) == 1 && len(is) == 1 {
		return bare
	}
	left := map[string]int{}
	for _, line := range was {
		left[line]++
	}
	same := 0
	for _, line := range is {
		if left[line] > 0 {
			left[line]--
			same++
		}
	}
	return same > 0 && 2*same >= max(len(was), len(is))
}

func wordLines(x *prompt.Rendering) []string {
	return slices.DeleteFunc(strings.Split(x.Text.Str, "\n"), func(line string) bool { return !hasWord(line) })
}

// renames says of the edits with the headings of sections that are called
// otherwise what they were called.
func (r *run) renames() {
	renamed := map[*prompt.Pair]map[string]*section{}
	for _, p := range r.pairs {
		for _, s := range p.sections {
			if s.was == "" {
				continue
			}
			if renamed[p.Pair] == nil {
				renamed[p.Pair] = map[string]*section{}
			}
			renamed[p.Pair][s.id] = s
		}
	}
	for _, e := range r.d.Edits {
		if e.Kind != prompt.TextChanged || len(e.Reach) == 0 {
			continue
		}
		if s := renamed[e.Reach[0].Pair][e.Section]; s != nil && slices.ContainsFunc(e.Hunks, func(h prompt.Hunk) bool {
			return slices.ContainsFunc(h.Lines, func(l prompt.HunkLine) bool { return l.Sign == '-' && l.Text == s.title })
		}) {
			e.From, e.To = s.was, s.id
		}
	}
}

// formOf names the form of a rendering: the rung of its ladder, or else the
// forms of its inputs; "" where there is only one.
func formOf(x *prompt.Rendering) string {
	if x.Unit.Step != "" {
		return x.Unit.Step
	}
	var forms []string
	for _, in := range x.Unit.Inputs {
		if in.Form != "" && !slices.Contains(forms, in.Form) {
			forms = append(forms, in.Form)
		}
	}
	return strings.Join(forms, "+")
}

// formWords names it for people: what has no forms is named after its sources,
// as the rungs of its ladder are.
func formWords(x *prompt.Rendering) string {
	if form := formOf(x); form != "" {
		return form
	}
	var sources []string
	for _, in := range x.Unit.Inputs {
		if in.Source != nil {
			sources = append(sources, in.Source.ID.Str)
		}
	}
	if len(sources) == 0 {
		return "its own text"
	}
	return strings.Join(sources, "+")
}

// sourceFile is a file behind a text, and how it was found.
type sourceFile struct {
	path   string // "" for what is in no file of its own
	origin prompt.Origin
	items  bool // its kind shows files as items
	tools  bool // it defines tools
	file   *diag.File
}

func (f sourceFile) words() string {
	switch f.origin {
	case prompt.FromFallback, prompt.FromElse:
		return f.path + " (" + f.origin.String() + ")"
	case prompt.FromBuiltIn:
		return "the built-in text"
	case prompt.FromInline:
		return "the manifest"
	default:
		return f.path
	}
}

// filesOf gives the files behind a rendering, in order, each once.
func filesOf(x *prompt.Rendering) []sourceFile {
	var out []sourceFile
	add := func(f sourceFile) {
		if !slices.ContainsFunc(out, func(g sourceFile) bool { return g.words() == f.words() }) {
			out = append(out, f)
		}
	}
	for _, in := range x.Unit.Inputs {
		items, tools := in.Kind != nil && in.Kind.Items, in.Kind != nil && in.Kind.Name == "tools"
		for _, d := range in.Docs {
			add(sourceFile{path: d.File.Path, origin: in.Origin, items: items, tools: tools, file: d.File})
		}
		if in.Origin == prompt.FromBuiltIn || in.Origin == prompt.FromInline {
			add(sourceFile{origin: in.Origin, items: items})
		}
	}
	return out
}

// otherFile reports whether the text of a change comes from other files. Items
// that come and go are said one by one; so files that kinds show as items
// count only where one stands for another, or all were found in another way.
func (c *change) otherFile() bool {
	gone, come := differing(filesOf(c.base), filesOf(c.head))
	if len(gone) == 0 || len(come) == 0 {
		return false
	}
	if !gone[0].items && !come[0].items {
		return true
	}
	whole := len(gone) == len(filesOf(c.base)) && len(come) == len(filesOf(c.head))
	return whole && (len(gone) == 1 && len(come) == 1 || gone[0].origin != come[0].origin)
}

// differing gives the files that one list alone has. Those that define tools do
// not count: edits of the tools say what came, went and changed with them.
func differing(was, is []sourceFile) (gone, come []sourceFile) {
	without := func(all, but []sourceFile) []sourceFile {
		known := map[string]bool{}
		for _, f := range but {
			known[f.words()] = true
		}
		return slices.DeleteFunc(slices.Clone(all), func(f sourceFile) bool { return f.tools || known[f.words()] })
	}
	return without(was, is), without(is, was)
}

// files gives the files that differ, in words.
func (c *change) files() (from, to string) {
	gone, come := differing(filesOf(c.base), filesOf(c.head))
	return fileWords(gone), fileWords(come)
}

func fileWords(files []sourceFile) string {
	var out []string
	for _, f := range files {
		out = append(out, f.words())
	}
	return strings.Join(out, ", ")
}

// newFile gives the place of the first file that the text comes from now.
func (c *change) newFile(s *section) diag.Span {
	_, come := differing(filesOf(c.base), filesOf(c.head))
	for _, f := range come {
		if f.file != nil {
			return diag.Whole(f.file)
		}
	}
	if at := c.head.Text.Span(0, len(c.head.Text.Str)); at.Known() {
		return at
	}
	return s.spec().ID.At
}

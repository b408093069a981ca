package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// setting is a key of a prompt or a section that decides what is sent, or how
// it is counted, with its value in a variant.
type setting struct {
	name string
	// of gives the value in words, "" where it is not set.
	of func(v *prompt.Variant) string
	// at gives where the head declares it.
	at func(p *prompt.Prompt) diag.Span
}

// promptSettings are the keys of prompts, in the order of the documentation.
var promptSettings = []setting{
	{"tokenizer", func(v *prompt.Variant) string { return v.Tokenizer }, func(p *prompt.Prompt) diag.Span { return caseAt(p.Tokenizer) }},
	{"dialect", func(v *prompt.Variant) string { return v.Dialect.Name }, func(p *prompt.Prompt) diag.Span { return caseAt(p.Dialect) }},
	{"layout", layoutName, layoutAt},
	{"layout.order", func(v *prompt.Variant) string { return strings.Join(v.Layout.Order, ", ") }, layoutAt},
	{"layout.place", func(v *prompt.Variant) string { return either(v.Layout.StickyFirst, "sticky-first", "phase") }, layoutAt},
	{"layout.fill", func(v *prompt.Variant) string { return either(v.Layout.Stop, "stop", "first-fit") }, layoutAt},
	{"layout.notice", func(v *prompt.Variant) string { return strconv.FormatBool(v.Layout.Notice) }, layoutAt},
	{"cache_minimum", func(v *prompt.Variant) string { return strconv.Itoa(v.CacheMinimum) }, func(p *prompt.Prompt) diag.Span { return caseAt(p.Cache) }},
}

// unsent are the settings that change nothing of what is sent.
var unsent = []string{"tokenizer", "cache_minimum", "volatile", settingRendered, settingSplit, "checks", "checks.order", "expect"}

// The settings of prompts that another program assembles.
const (
	settingRendered = "rendered"
	settingSplit    = "split"
)

func layoutName(v *prompt.Variant) string {
	switch {
	case v.Messages != nil:
		return "messages"
	case v.Layout.On:
		return "phases"
	default:
		return "sequence"
	}
}

func layoutAt(p *prompt.Prompt) diag.Span { return caseAt(p.Layout) }

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func caseAt[T any](c prompt.Cases[T]) diag.Span {
	if len(c) == 0 {
		return diag.Span{}
	}
	return c[0].At
}

// settingKey groups edits of settings: what stands in one place of the manifest
// is one, however many prompts it is for.
type settingKey struct {
	at                      place
	section, name, from, to string
}

// settings finds the keys whose values differ, and the joins that do.
func (r *run) settings() {
	for _, p := range r.pairs {
		r.assembly(p)
		for _, t := range p.twins {
			if !t.both() {
				continue
			}
			was, is := t.base.Variant, t.head.Variant
			for i := range promptSettings {
				s := &promptSettings[i]
				if i > 2 && strings.HasPrefix(s.name, "layout.") && !(was.Layout.On && is.Layout.On) {
					continue // the layout itself changed, or has no such keys
				}
				if from, to := s.of(was), s.of(is); from != to {
					r.promptSetting(t, s, from, to)
				}
			}
			r.messageSettings(t)
			r.sectionSettings(t)
			r.joins(t)
		}
	}
}

// promptSetting adds a key of a prompt that has another value in a variant.
func (r *run) promptSetting(t twin, s *setting, from, to string) {
	at := s.at(t.pair.Head.Prompt)
	if !at.Known() && s.name == "tokenizer" {
		at = r.d.Head.Result.Spec.Tokenizer.At
	}
	e := r.setting(t.pair, nil, s.name, from, to, at)
	switch {
	case s.name == "tokenizer":
		reachBy(e, t, r.two.Recounted(t.paired()))
	case s.name == "layout.notice":
		r.notice(e, t)
	case strings.HasPrefix(s.name, "layout.") && !laidOutAnew(t):
		r.holds(e, t)
	default:
		reach(e, t)
	}
}

// assembly says that another program assembles a prompt, or no longer does, or
// that its texts are found or split in another way.
func (r *run) assembly(p *pair) {
	if p.Base == nil || p.Head == nil {
		return
	}
	was, is := p.Base.Prompt.Rendered, p.Head.Prompt.Rendered
	at := p.Head.Prompt.ID.At
	if is != nil && is.At.Known() {
		at = is.At
	}
	if from, to := textsOf(was), textsOf(is); from != to {
		r.declared(p, &prompt.Edit{Kind: prompt.SettingChanged, Name: settingRendered, From: from, To: to, At: at})
	}
	if was != nil && is != nil && p.recut() {
		r.declared(p, &prompt.Edit{Kind: prompt.SettingChanged, Name: settingSplit, From: splitsOf(was), To: splitsOf(is), At: at})
	}
}

// textsOf says where the texts are that another program assembles, "" where
// none does.
func textsOf(of *prompt.Rendered) string {
	switch {
	case of == nil:
		return ""
	case of.Entry.Str == "":
		return of.Path.Str
	default:
		return of.Path.Str + ", entry " + of.Entry.Str
	}
}

func splitsOf(of *prompt.Rendered) string {
	var out []string
	for _, s := range of.Split {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

// messageSettings finds what differs in how a conversation is laid out.
func (r *run) messageSettings(t twin) {
	was, is := t.base.Variant.Messages, t.head.Variant.Messages
	if was == nil || is == nil {
		return
	}
	at := is.At
	if from, to := reminder(t.base), reminder(t.head); from != to {
		reach(r.setting(t.pair, nil, "layout.reminder", from, to, at), t)
	}
	before, after := r.flat(r.d.Base.Result, t.base.Variant), r.flat(r.d.Head.Result, t.head.Variant)
	if before != after {
		reach(r.setting(t.pair, nil, "layout.assembly", either(before, "flat", "tiered"), either(after, "flat", "tiered"), at), t)
	}
}

// reminder gives the id of the section behind what the user asks, "" for none.
func reminder(a *prompt.Artifact) string {
	if n := a.Variant.Messages.Reminder; n >= 0 {
		return a.Build.Prompt.Sections[n].ID.Str
	}
	return ""
}

// flat reports whether a variant's conversation is assembled without tiers.
func (r *run) flat(of *prompt.Result, v *prompt.Variant) bool {
	x := of.Conversation(v)
	return x != nil && x.Unit.Dialogue != nil && x.Unit.Dialogue.Flat
}

// setting gives the edit of a key that has other values than before.
func (r *run) setting(p *pair, s *section, name, from, to string, at diag.Span) *prompt.Edit {
	id := ""
	if s != nil {
		id = s.id
	}
	if !at.Known() && s != nil {
		at = s.spec().ID.At
	}
	if !at.Known() {
		at = p.Head.Prompt.ID.At
	}
	return r.group(settingKey{placeOf(at), id, name, from, to}, func() *prompt.Edit {
		return &prompt.Edit{Kind: prompt.SettingChanged, Section: id, Name: name, From: from, To: to, At: at}
	})
}

// sectionSettings finds the marks of sections that differ: breakpoints, and
// what is declared volatile.
func (r *run) sectionSettings(t twin) {
	for _, s := range t.pair.sections {
		if s.base < 0 || s.head < 0 {
			continue
		}
		was, is := &t.base.Variant.Uses[s.base], &t.head.Variant.Uses[s.head]
		if was.Breakpoint != is.Breakpoint {
			e := r.setting(t.pair, s, "breakpoint", strconv.FormatBool(was.Breakpoint), strconv.FormatBool(is.Breakpoint), is.BreakpointAt)
			reach(e, t)
		}
		if was.Volatile != is.Volatile {
			e := r.setting(t.pair, s, "volatile", strconv.FormatBool(was.Volatile), strconv.FormatBool(is.Volatile), caseAt(s.spec().Volatile))
			reach(e, t)
		}
		r.places(t, s)
	}
}

// joins finds sections that stand behind another join than before. A section
// that is the first on either side has none to compare.
func (r *run) joins(t twin) {
	if t.base.Variant.Join.Str == t.head.Variant.Join.Str && !t.ownJoins() {
		return
	}
	was, is := joinsOf(t.base), joinsOf(t.head)
	for _, s := range t.pair.sections {
		if s.base < 0 || s.head < 0 {
			continue
		}
		from, before := was[s.base]
		to, after := is[s.head]
		if !before || !after || from == to {
			continue
		}
		own := t.head.Variant.Uses[s.head].Join
		size := r.count(t.head.Variant.Tokenizer)
		switch {
		case own == nil && t.base.Variant.Uses[s.base].Join == nil:
			e := r.setting(t.pair, nil, "join", strconv.Quote(from), strconv.Quote(to), caseAt(t.head.Build.Prompt.Join))
			reachBy(e, t, size(to)-size(from))
		default:
			at := caseAt(s.spec().Join)
			e := r.setting(t.pair, s, "join", strconv.Quote(from), strconv.Quote(to), at)
			reachBy(e, t, size(to)-size(from))
		}
	}
}

// ownJoins reports whether a section has another join of its own than before.
func (t twin) ownJoins() bool {
	for _, s := range t.pair.sections {
		if s.base < 0 || s.head < 0 {
			continue
		}
		was, is := t.base.Variant.Uses[s.base].Join, t.head.Variant.Uses[s.head].Join
		if (was == nil) != (is == nil) || was != nil && was.Str != is.Str {
			return true
		}
	}
	return false
}

// joinsOf gives what stands before each section that an artifact emits behind
// another, by the section's index.
func joinsOf(a *prompt.Artifact) map[int]string {
	out := map[int]string{}
	pending, started := "", false
	for i := range a.Parts {
		p := &a.Parts[i]
		switch {
		case p.Passage != nil:
			pending, started = "", false // what follows the user's words is glued by the layout
		case p.Section < 0:
			pending += p.Text
		default:
			if started {
				out[p.Section] = pending
			}
			pending, started = "", true
		}
	}
	return out
}

// sendsNothing reports whether an edit changes nothing of what is sent.
func sendsNothing(e *prompt.Edit) bool {
	switch e.Kind {
	case prompt.AxisRemoved:
		return !slices.ContainsFunc(e.Reach, func(at prompt.Reach) bool { return at.OfBase })
	case prompt.AxisAdded, prompt.SlotChanged, prompt.BudgetChanged, prompt.BudgetCrossed, prompt.CacheChanged, prompt.PolicyWeakened:
		return true
	case prompt.SettingChanged:
		return e.Name == settingAxes || strings.HasPrefix(e.Name, "axes.") || slices.Contains(unsent, e.Name)
	case prompt.SectionDropped:
		return e.From != "" // it was out already
	default:
		return false
	}
}

// option is a key of the manifest that decides how sources are shown, with its
// two values.
type option struct {
	name     string
	from, to string
	at       diag.Span // in the head; unknown where it is not set there
	// shared says that it is no key of the section, but of the project.
	shared bool
}

// optionKey groups what one key does.
type optionKey struct {
	at                      place
	section, name, from, to string
}

// byOptions gives the keys of the manifest that a change follows from: those
// that differ while all sources say what they said. None where a source says
// something else, too, or where the new text stands in the manifest itself.
func (c *change) byOptions() []option {
	was, is := c.base.Unit, c.head.Unit
	if was.Exact || is.Exact || was.Dialogue != nil || is.Dialogue != nil ||
		!slices.EqualFunc(was.Inputs, is.Inputs, sameSources) {
		return nil
	}
	out := unitOptions(was, is)
	for i, now := range is.Inputs {
		for _, o := range inputOptions(was.Inputs[i], now) {
			if !slices.ContainsFunc(out, func(p option) bool { return p.name == o.name }) {
				out = append(out, o)
			}
		}
	}
	for _, b := range is.Bindings {
		i := slices.IndexFunc(was.Bindings, func(old prompt.Binding) bool { return old.Name == b.Name })
		if i < 0 || b.Slot != nil || was.Bindings[i].Slot != nil || was.Bindings[i].Value.Str == b.Value.Str {
			continue
		}
		at := b.Value.Span(0, len(b.Value.Str))
		out = append(out, option{"fragments." + b.Name, quoted(was.Bindings[i].Value.Str), quoted(b.Value.Str), at, true})
	}
	for _, o := range out {
		if slices.Contains([]string{"heading", "before", "after"}, o.name) && o.to != "" && o.to != quoted("") {
			return nil // the lines stand in the manifest
		}
	}
	return out
}

// sameSources reports whether two inputs are made from the same.
func sameSources(a, b *prompt.Input) bool {
	sameDoc := func(d, e *prompt.Doc) bool { return d.File.Path == e.File.Path && d.File.Text == e.File.Text }
	return a.Kind == b.Kind && a.Form == b.Form && a.Origin == b.Origin && a.Base == b.Base && a.Text.Str == b.Text.Str &&
		slices.EqualFunc(a.Docs, b.Docs, sameDoc) &&
		slices.EqualFunc(a.Tools, b.Tools, func(t, u *prompt.Tool) bool { return t.Canonical == u.Canonical }) &&
		slices.EqualFunc(a.Entries, b.Entries, func(e, f *prompt.Entry) bool { return e.ID.Str == f.ID.Str }) &&
		(a.StyleDoc == nil || b.StyleDoc == nil || a.StyleDoc.File.Path != b.StyleDoc.File.Path || sameDoc(a.StyleDoc, b.StyleDoc))
}

// unitOptions gives the keys of a section that differ.
func unitOptions(was, is *prompt.Unit) []option {
	var out []option
	add := func(name, from, to string, at diag.Span) {
		if from != to {
			out = append(out, option{name: name, from: from, to: to, at: at})
		}
	}
	spec := is.Section
	heading := func(u *prompt.Unit) string {
		if u.Heading == nil {
			return ""
		}
		return quoted(u.Heading.Str)
	}
	add("heading", heading(was), heading(is), caseAt(spec.Heading))
	add("before", unlessEmpty(was.Before.Str), unlessEmpty(is.Before.Str), caseAt(spec.Before))
	add("after", unlessEmpty(was.After.Str), unlessEmpty(is.After.Str), caseAt(spec.After))
	add("expand", strconv.FormatBool(was.Expand), strconv.FormatBool(is.Expand), caseAt(spec.Options.Expand))
	return out
}

// inputOptions gives the keys that differ of how a source is shown.
func inputOptions(was, is *prompt.Input) []option {
	var out []option
	add := func(name, from, to string, at diag.Span) {
		if from != to {
			out = append(out, option{name: name, from: from, to: to, at: at})
		}
	}
	set := prompt.Options{}
	if is.Source != nil {
		set = is.Source.Options
	}
	limit := func(l *prompt.Limit) string {
		if l == nil {
			return ""
		}
		words := []string{fmt.Sprintf("%d characters", l.Chars)}
		if l.PerSource {
			words = append(words, "per source")
		}
		if l.Cut {
			words = append(words, "cut")
		}
		return strings.Join(words, ", ")
	}
	at := diag.Span{}
	if is.Limit != nil {
		at = is.Limit.At
	}
	add("location", unlessEmpty(was.Location.Str), unlessEmpty(is.Location.Str), is.Location.Span(0, len(is.Location.Str)))
	add("style", styleOf(was), styleOf(is), caseAt(set.Style))
	add("limit", limit(was.Limit), limit(is.Limit), at)
	add("expand", strconv.FormatBool(was.Expand), strconv.FormatBool(is.Expand), caseAt(set.Expand))
	add("routing", strconv.FormatBool(was.Routing), strconv.FormatBool(is.Routing), caseAt(set.Routing))
	return out
}

func styleOf(in *prompt.Input) string {
	if in.StyleDoc != nil {
		return in.StyleDoc.File.Path
	}
	return in.Style
}

func quoted(s string) string { return strconv.Quote(s) }

func unlessEmpty(s string) string {
	if s == "" {
		return ""
	}
	return quoted(s)
}

// slotPair is a slot that is declared otherwise than before; a side is nil
// where it does not declare it.
type slotPair struct {
	was, is *prompt.Slot
	edit    *prompt.Edit
}

// slots finds the slots that are declared otherwise, for the variants that emit
// them.
func (r *run) slots() {
	changed := r.slotPairs()
	r.slotPlaces(changed)
	if len(changed) == 0 {
		return
	}
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if !t.both() {
				continue
			}
			for i := range changed {
				changed[i].reach(t)
			}
		}
	}
	for i := range changed {
		if len(changed[i].edit.Reach) > 0 {
			r.add(changed[i].edit)
		}
	}
}

// reach adds a variant that emits the slot on either side. Where it may grow to
// another size than before, that is what the edit is worth.
func (s *slotPair) reach(t twin) {
	before, after := emits(t.base, s.was), emits(t.head, s.is)
	switch {
	case before+after == 0:
	case s.was != nil && s.is != nil && s.was.MaxTokens != s.is.MaxTokens:
		// Of places that come or go other edits speak, with what it may grow to now.
		reachBy(s.edit, t, before*(s.is.MaxTokens-s.was.MaxTokens))
	default:
		reach(s.edit, t)
	}
}

// emits counts the places of a slot in an artifact.
func emits(a *prompt.Artifact, s *prompt.Slot) int {
	n := 0
	for _, x := range a.Used {
		if x == nil || s == nil {
			continue
		}
		for _, at := range x.Slots {
			if at.Slot.Name.Str == s.Name.Str {
				n++
			}
		}
	}
	return n
}

// slotPairs gives the slots that differ, in the order of the head, then those
// that only the base declares.
func (r *run) slotPairs() []slotPair {
	was, is := slotsOf(r.d.Base.Result), slotsOf(r.d.Head.Result)
	named := func(all []*prompt.Slot, name string) *prompt.Slot {
		if i := slices.IndexFunc(all, func(s *prompt.Slot) bool { return s.Name.Str == name }); i >= 0 {
			return all[i]
		}
		return nil
	}
	var out []slotPair
	for _, s := range is {
		old := named(was, s.Name.Str)
		from, to := slotWords(old, s)
		if from != to {
			e := &prompt.Edit{Kind: prompt.SlotChanged, Name: s.Name.Str, From: from, To: to, At: s.Name.At}
			out = append(out, slotPair{was: old, is: s, edit: e})
		}
	}
	for _, s := range was {
		if named(is, s.Name.Str) == nil {
			from, _ := slotWords(s, nil)
			e := &prompt.Edit{Kind: prompt.SlotChanged, Name: s.Name.Str, From: from, At: s.Name.At, InBase: true}
			out = append(out, slotPair{was: s, edit: e})
		}
	}
	return out
}

func slotsOf(r *prompt.Result) []*prompt.Slot {
	if r == nil || r.Spec == nil {
		return nil
	}
	return r.Spec.Slots
}

// slotWords gives what two declarations of a slot say where they differ; all
// that one says where it is alone.
func slotWords(was, is *prompt.Slot) (from, to string) {
	a, b := slotFacts(was), slotFacts(is)
	var before, after []string
	for i := range a {
		if was != nil && is != nil && a[i] == b[i] {
			continue
		}
		if was != nil && (is != nil || a[i].told) {
			before = append(before, a[i].words)
		}
		if is != nil && (was != nil || b[i].told) {
			after = append(after, b[i].words)
		}
	}
	return strings.Join(before, ", "), strings.Join(after, ", ")
}

// slotFact is one thing that is declared of a slot. Told says that it is worth
// a word where there is nothing to compare it with.
type slotFact struct {
	words string
	told  bool
}

func slotFacts(s *prompt.Slot) [4]slotFact {
	if s == nil {
		return [4]slotFact{}
	}
	not := func(yes bool, word string) slotFact {
		return slotFact{either(yes, word, "not "+word), yes}
	}
	return [4]slotFact{
		{"max_tokens " + strconv.Itoa(s.MaxTokens), true},
		not(s.Optional, "optional"),
		not(s.Volatile, "volatile"),
		{"example " + strconv.Quote(s.Example.Str), false},
	}
}

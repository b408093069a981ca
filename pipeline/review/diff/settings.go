package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// setting is a key of a prompt or a section that decides what is sent, or how
// it is counted, with its value in a variant.
type setting struct {
	name string
	// of gives the value in words, "" where it is not set.
	of func(v *assembly.Variant) string
	// at gives where the head declares it.
	at func(p *language.Prompt) diag.Span
	// ofPhases says that only the layout `phases` has it.
	ofPhases bool
}

// promptSettings are the keys of prompts, in the order of the documentation.
var promptSettings = []setting{
	{name: "tokenizer", of: func(v *assembly.Variant) string { return v.Tokenizer }, at: func(p *language.Prompt) diag.Span { return caseAt(p.Tokenizer) }},
	{name: settingDialect, of: func(v *assembly.Variant) string { return v.Dialect.Name }, at: func(p *language.Prompt) diag.Span { return caseAt(p.Dialect) }},
	{name: settingLayout, of: layoutName, at: layoutAt},
	{name: settingOrder, of: func(v *assembly.Variant) string { return strings.Join(v.Layout.Order, ", ") }, at: layoutAt, ofPhases: true},
	{name: settingPlace, of: func(v *assembly.Variant) string { return either(v.Layout.StickyFirst, "sticky-first", "phase") }, at: layoutAt, ofPhases: true},
	{name: settingFill, of: func(v *assembly.Variant) string { return either(v.Layout.Stop, "stop", "first-fit") }, at: layoutAt, ofPhases: true},
	{name: settingNotice, of: func(v *assembly.Variant) string { return strconv.FormatBool(v.Layout.Notice) }, at: layoutAt, ofPhases: true},
	{name: "cache_minimum", of: func(v *assembly.Variant) string { return strconv.Itoa(v.CacheMinimum) }, at: func(p *language.Prompt) diag.Span { return caseAt(p.Cache) }},
}

// The settings that decide what stands where.
const (
	settingDialect  = "dialect"
	settingJoin     = "join"
	settingLayout   = "layout"
	settingOrder    = "layout.order"
	settingPlace    = "layout.place"
	settingFill     = "layout.fill"
	settingNotice   = "layout.notice"
	settingReminder = "layout.reminder"
	settingAssembly = "layout.assembly"
)

// layoutSettings are those of layouts.
var layoutSettings = []string{
	settingLayout, settingOrder, settingPlace, settingFill, settingNotice, settingReminder, settingAssembly,
}

// unsent are the settings that change nothing of what is sent.
var unsent = []string{"tokenizer", "cache_minimum", "volatile", settingRendered, settingSplit, "checks", "checks.order", "expect"}

// The settings of prompts that another program assembles.
const (
	settingRendered = "rendered"
	settingSplit    = "split"
)

func layoutName(v *assembly.Variant) string {
	switch {
	case v.Messages != nil:
		return "messages"
	case v.Layout.On:
		return "phases"
	default:
		return "sequence"
	}
}

func layoutAt(p *language.Prompt) diag.Span { return caseAt(p.Layout) }

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func caseAt[T any](c language.Cases[T]) diag.Span {
	if len(c) == 0 {
		return diag.Span{}
	}
	return c[0].At
}

// settingKey groups edits of settings: what stands in one place of the manifest
// is one, however many prompts it is for.
type settingKey struct {
	at      place
	section string
	option  option
	names   string
}

// settings finds the keys whose values differ, and the joins that do.
func (r *run) settings() {
	for _, p := range r.pairs {
		r.assembly(p)
		for _, t := range p.twins {
			if !t.Both() {
				continue
			}
			was, is := t.Base.Variant, t.Head.Variant
			for i := range promptSettings {
				s := &promptSettings[i]
				if s.ofPhases && !(was.Layout.On && is.Layout.On) {
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
		reachBy(e, t, r.two.Recounted(t.Twin))
	case s.name == settingNotice:
		r.notice(e, t)
	case s.ofPhases && !laidOutAnew(t):
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
	if before, after := textsOf(was), textsOf(is); before != after {
		r.declared(p, &review.Edit{Kind: review.SettingChanged, Name: settingRendered, Was: before, Is: after, At: at})
	}
	if was != nil && is != nil && pairing.Resplit(p.Pair) {
		r.declared(p, &review.Edit{Kind: review.SettingChanged, Name: settingSplit, From: splitsOf(was), To: splitsOf(is), At: at})
	}
}

// textsOf says where the texts are that another program assembles, nil where
// none does.
func textsOf(of *language.Rendered) review.Value {
	if of == nil {
		return nil
	}
	return review.RenderedAt{Path: of.Path.Str, Entry: of.Entry.Str}
}

func splitsOf(of *language.Rendered) string {
	var out []string
	for _, s := range of.Split {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

// messageSettings finds what differs in how a conversation is laid out.
func (r *run) messageSettings(t twin) {
	was, is := t.Base.Variant.Messages, t.Head.Variant.Messages
	if was == nil || is == nil {
		return
	}
	at := is.At
	if from, to := reminder(t.Base), reminder(t.Head); from != to {
		reach(r.setting(t.pair, nil, settingReminder, from, to, at), t)
	}
	before, after := flat(r.d.Base.Result, t.Base), flat(r.d.Head.Result, t.Head)
	if before != after {
		reach(r.setting(t.pair, nil, settingAssembly, either(before, "flat", "tiered"), either(after, "flat", "tiered"), at), t)
	}
}

// reminder gives the id of the section behind what the user asks, "" for none.
func reminder(a *assembly.Artifact) string {
	if n := a.Variant.Messages.Reminder; n >= 0 {
		return a.Build.Prompt.Sections[n].ID.Str
	}
	return ""
}

// flat reports whether a variant's conversation is assembled without tiers.
func flat(of *prompt.Result, a *assembly.Artifact) bool {
	x := of.Conversation(a)
	return x != nil && x.Unit.Dialogue != nil && x.Unit.Dialogue.Flat
}

// setting gives the edit of a key that has other values than before.
func (r *run) setting(p *pair, s *section, name, from, to string, at diag.Span) *review.Edit {
	return r.optionEdit(p, s, option{name: name, from: from, to: to, at: at})
}

// optionEdit does the same for several keys. The first has no values.
func (r *run) optionEdit(p *pair, s *section, o option, names ...string) *review.Edit {
	id, of := "", p.Head.Prompt.ID.At
	if s != nil {
		id, of = s.id, s.spec().ID.At
	}
	at := o.at
	if !at.Known() {
		at = of
	}
	o.at, o.shared = diag.Span{}, false
	return r.group(settingKey{placeOf(at), id, o, fmt.Sprintf("%q", names)}, func() *review.Edit {
		return &review.Edit{
			Kind: review.SettingChanged, Section: id, Name: o.name, Names: names, From: o.from, To: o.to, Was: o.was, Is: o.is, At: at,
		}
	})
}

// competing are the keys by which sections compete with each other.
var competing = []string{"phase", "priority", "weight", "sticky"}

func phaseOf(v *assembly.Variant, u *assembly.Use) string {
	if i := u.Place.Phase; i >= 0 && i < len(v.Layout.Order) {
		return v.Layout.Order[i]
	}
	return ""
}

// editedCase gives the place of the first case that has another value, else
// that of the first.
func editedCase[T comparable](was, is language.Cases[T]) diag.Span {
	for i := range is {
		if i >= len(was) || was[i].Value != is[i].Value {
			return is[i].At
		}
	}
	return caseAt(is)
}

// sectionSettings finds the keys of sections that differ. What a section
// competes with under the layout `phases` counts where it is in on both sides or
// could be.
func (r *run) sectionSettings(t twin) {
	a, b := t.Base.Variant, t.Head.Variant
	for _, s := range t.pair.sections {
		if s.base < 0 || s.head < 0 {
			continue
		}
		was, is := &a.Uses[s.base], &b.Uses[s.head]
		old, now := t.pair.Base.Prompt.Sections[s.base], s.spec()
		set := func(name, from, to string, at diag.Span) {
			switch {
			case from == to:
			case slices.Contains(competing, name) && !laidOutAnew(t):
				r.holds(r.setting(t.pair, s, name, from, to, at), t)
			default:
				reach(r.setting(t.pair, s, name, from, to, at), t)
			}
		}
		yes := strconv.FormatBool
		set("breakpoint", yes(was.Breakpoint), yes(is.Breakpoint), is.BreakpointAt)
		set("volatile", yes(was.Volatile), yes(is.Volatile), caseAt(now.Volatile))
		if !a.Layout.On || !b.Layout.On || was.Unit < 0 || is.Unit < 0 {
			continue
		}
		number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
		set("phase", phaseOf(a, was), phaseOf(b, is), caseAt(now.Phase))
		set("priority", number(was.Place.Priority), number(is.Place.Priority), editedCase(old.Priority, now.Priority))
		set("weight", number(was.Place.Weight), number(is.Place.Weight), editedCase(old.Weight, now.Weight))
		set("sticky", yes(was.Place.Sticky), yes(is.Place.Sticky), editedCase(old.Sticky, now.Sticky))
	}
}

// joins finds sections that stand behind another join than before. A section
// that is the first on either side has none to compare.
func (r *run) joins(t twin) {
	var was, is map[int]string // found where a join differs
	for _, s := range t.pair.sections {
		if s.base < 0 || s.head < 0 {
			continue
		}
		old, now := t.Base.Variant.Uses[s.base].Join, t.Head.Variant.Uses[s.head].Join
		if joinOf(t.Base, old) == joinOf(t.Head, now) {
			continue
		}
		if was == nil {
			was, is = joinsOf(t.Base), joinsOf(t.Head)
		}
		from, before := was[s.base]
		to, after := is[s.head]
		if !before || !after || from == to {
			continue
		}
		at, of := caseAt(s.spec().Join), s
		if old == nil && now == nil {
			at, of = caseAt(t.Head.Build.Prompt.Join), nil
		}
		size := r.count(t.Head.Variant.Tokenizer)
		reachBy(r.setting(t.pair, of, settingJoin, strconv.Quote(from), strconv.Quote(to), at), t, size(to)-size(from))
	}
}

// joinOf gives what joins a section to the one before it: its own, else the
// variant's.
func joinOf(a *assembly.Artifact, own *ground.Text) string {
	if own != nil {
		return own.Str
	}
	return a.Variant.Join.Str
}

// joinsOf gives what stands before each section that an artifact emits behind
// another, by the section's index.
func joinsOf(a *assembly.Artifact) map[int]string {
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

// laidOutAnew reports whether a variant emits other sections than before, in
// other forms or in another order.
func laidOutAnew(t twin) bool { return !slices.Equal(laidOut(t.Base), laidOut(t.Head)) }

// laidOut gives the sections that an artifact emits, with their forms.
func laidOut(a *assembly.Artifact) []string {
	var out []string
	for i := range a.Parts {
		if p := &a.Parts[i]; p.Section >= 0 && p.Rendering != nil {
			out = append(out, a.Build.Prompt.Sections[p.Section].ID.Str+"\n"+formOf(p.Rendering))
		}
	}
	return out
}

// notice says of the key that asks for it that a variant names now what was
// dropped, or no longer does.
func (r *run) notice(e *review.Edit, t twin) {
	was, is := t.Base.NoticePart(), t.Head.NoticePart()
	if was < 0 && is < 0 {
		r.holds(e, t)
		return
	}
	r.owners[ownerKey{t, nil}] = e
	reachBy(e, t, costAt(t.Head, is)-costAt(t.Base, was))
}

// sendsNothing reports whether an edit changes nothing of what is sent.
func sendsNothing(e *review.Edit) bool {
	switch e.Kind {
	case review.AxisRemoved:
		return !slices.ContainsFunc(e.Reach, func(at review.Reach) bool { return at.OfBase })
	case review.AxisAdded, review.SlotChanged, review.BudgetChanged, review.BudgetCrossed, review.CacheChanged, review.PolicyWeakened:
		return true
	case review.SettingChanged:
		return e.Name == settingAxes || strings.HasPrefix(e.Name, "axes.") || slices.Contains(unsent, e.Name)
	case review.SectionDropped:
		return e.Was != nil // it was out already
	default:
		return false
	}
}

// option is a key of the manifest that decides how sources are shown, with its
// two values.
type option struct {
	name     string
	from, to string
	was, is  review.Value
	at       diag.Span // in the head; unknown where it is not set there
	// shared says that it is no key of the section, but of the project.
	shared bool
}

// byOptions gives the keys of the manifest that a change follows from: those
// that differ while all sources say what they said. None where a source says
// something else, too, or where the new text stands in the manifest itself.
func (c *change) byOptions() options {
	was, is := c.base.Unit, c.head.Unit
	if was.Exact || is.Exact || was.Dialogue != nil || is.Dialogue != nil ||
		!slices.EqualFunc(was.Inputs, is.Inputs, sameSources) {
		return nil
	}
	var out options
	out.ofUnit(was, is)
	for i, now := range is.Inputs {
		out.ofInput(was.Inputs[i], now)
	}
	for _, b := range is.Bindings {
		i := slices.IndexFunc(was.Bindings, func(old assembly.Binding) bool { return old.Name == b.Name })
		if i < 0 || b.Slot != nil || was.Bindings[i].Slot != nil || was.Bindings[i].Value.Str == b.Value.Str {
			continue
		}
		at := b.Value.Span(0, len(b.Value.Str))
		from, to := strconv.Quote(was.Bindings[i].Value.Str), strconv.Quote(b.Value.Str)
		out = append(out, option{name: "fragments." + b.Name, from: from, to: to, at: at, shared: true})
	}
	for _, o := range out {
		if slices.Contains([]string{"heading", "before", "after"}, o.name) && o.to != "" && o.to != `""` {
			return nil // the lines stand in the manifest
		}
	}
	return out
}

// options are keys, each once.
type options []option

// add takes a key in whose values differ.
func (o *options) add(name, from, to string, at diag.Span) {
	o.take(option{name: name, from: from, to: to, at: at})
}

func (o *options) take(one option) {
	if (one.from != one.to || one.was != one.is) && !slices.ContainsFunc(*o, func(p option) bool { return p.name == one.name }) {
		*o = append(*o, one)
	}
}

// sameSources reports whether two inputs are made from the same.
func sameSources(a, b *assembly.Input) bool {
	sameDoc := func(d, e *language.Doc) bool { return d.File.Path == e.File.Path && d.File.Text == e.File.Text }
	return a.Kind == b.Kind && a.Form == b.Form && a.Origin == b.Origin && a.Base == b.Base && a.Text.Str == b.Text.Str &&
		slices.EqualFunc(a.Docs, b.Docs, sameDoc) &&
		slices.EqualFunc(a.Tools, b.Tools, func(t, u *language.Tool) bool { return t.Canonical == u.Canonical }) &&
		slices.EqualFunc(a.Entries, b.Entries, func(e, f *language.Entry) bool { return e.ID.Str == f.ID.Str }) &&
		(a.StyleDoc == nil || b.StyleDoc == nil || a.StyleDoc.File.Path != b.StyleDoc.File.Path || sameDoc(a.StyleDoc, b.StyleDoc))
}

// ofUnit adds the keys of a section that differ.
func (o *options) ofUnit(was, is *assembly.Unit) {
	heading := func(u *assembly.Unit) string {
		if u.Heading == nil {
			return ""
		}
		return strconv.Quote(u.Heading.Str)
	}
	spec := is.Section
	o.add("heading", heading(was), heading(is), caseAt(spec.Heading))
	o.add("before", unlessEmpty(was.Before.Str), unlessEmpty(is.Before.Str), caseAt(spec.Before))
	o.add("after", unlessEmpty(was.After.Str), unlessEmpty(is.After.Str), caseAt(spec.After))
	o.add("expand", strconv.FormatBool(was.Expand), strconv.FormatBool(is.Expand), caseAt(spec.Options.Expand))
}

// ofInput adds the keys that differ of how a source is shown.
func (o *options) ofInput(was, is *assembly.Input) {
	set, limitAt := language.Options{}, diag.Span{}
	if is.Source != nil {
		set = is.Source.Options
	}
	if is.Limit != nil {
		limitAt = is.Limit.At
	}
	o.add("location", unlessEmpty(was.Location.Str), unlessEmpty(is.Location.Str), is.Location.Span(0, len(is.Location.Str)))
	o.add("style", styleOf(was), styleOf(is), caseAt(set.Style))
	o.take(option{name: "limit", was: limitOf(was.Limit), is: limitOf(is.Limit), at: limitAt})
	o.add("expand", strconv.FormatBool(was.Expand), strconv.FormatBool(is.Expand), caseAt(set.Expand))
	o.add("routing", strconv.FormatBool(was.Routing), strconv.FormatBool(is.Routing), caseAt(set.Routing))
}

func limitOf(l *language.Limit) review.Value {
	if l == nil {
		return nil
	}
	return review.CharLimit{Chars: l.Chars, PerSource: l.PerSource, Cut: l.Cut}
}

func styleOf(in *assembly.Input) string {
	if in.StyleDoc != nil {
		return in.StyleDoc.File.Path
	}
	return in.Style
}

func unlessEmpty(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

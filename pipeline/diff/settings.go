package diff

import (
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
var unsent = []string{"tokenizer", "cache_minimum", "volatile", settingRendered, settingSplit, settingChecks, settingChecks + ".order", settingExpect}

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
		reachBy(e, t, r.recounted(t))
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
	x := r.conversation(of, v)
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

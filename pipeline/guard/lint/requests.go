package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Providers keep prefixes: what stands behind the first byte that differs from
// the last request is read, and paid for, again.

// position is somewhere in the emitted text: a byte offset in a part.
type position struct{ part, offset int }

func (p position) before(q position) bool {
	return p.part < q.part || p.part == q.part && p.offset < q.offset
}

// early is a volatile thing of a prompt, as findings are grouped: a section, a
// source in it, or the slots in it.
type early struct {
	build   *assembly.Build
	section int
	source  string
	slots   bool
	level   diag.Level
	// wasted says that only a breakpoint follows, and nothing that stays the same.
	wasted bool
}

// cost is what such a thing takes out of the cache at most, and what is said of
// the variant where it costs most.
type cost struct {
	tally
	at    diag.Span
	slots []string
	point string
	hint  diag.Words
}

// volatileFirst finds what changes between requests and stands before what
// does not.
func (s *requestSet) volatileFirst() diag.List {
	var all ordered.Map[early, cost]
	for _, a := range s.artifacts {
		spots := spotsOf(a)
		if len(spots) == 0 {
			continue
		}
		last, ok := lastStable(a, spots)
		before := map[int]bool{} // sections that stand before something
		for _, sp := range spots {
			point, stable := pointBehind(a, sp), ok && (position{sp.Part, sp.End}).before(last)
			if !stable && (point == nil || before[sp.Section]) {
				continue
			}
			before[sp.Section] = before[sp.Section] || stable
			key := early{build: a.Build, section: sp.Section, slots: sp.Slot != nil, level: diag.Note, wasted: !stable}
			if sp.Source != nil {
				key.source = sp.Source.ID.Str
			}
			if point != nil {
				key.level = diag.Warning
			}
			c := all.Of(key)
			if sp.Slot != nil && !slices.Contains(c.slots, sp.Slot.Name.Str) {
				c.slots = append(c.slots, sp.Slot.Name.Str)
			}
			if !c.any || !c.users.Has(a.Variant.Index) { // the first slot of a section stands for those behind it
				c.charge(a, sp, point, last, stable)
			}
		}
	}
	var out diag.List
	for key, c := range all.All() {
		d := s.among(c.finding(key), key.build, c.users)
		d.Hint = c.hint
		out = append(out, d)
	}
	return out
}

// charge notes what a volatile thing costs in an artifact, by whole parts: a
// provider that finds prefixes by itself does not find what follows it; what a
// breakpoint keeps is found as a whole or not at all, from the last breakpoint
// before the thing on, else with the tools from the beginning.
func (c *cost) charge(a *assembly.Artifact, sp spot, point *assembly.Point, last position, stable bool) {
	from, end, tools, name := sp.Part, last.part+1, 0, ""
	if point != nil {
		from, end, tools, name = 0, a.Cache.Points[len(a.Cache.Points)-1].Part, a.CachedTools(), point.Name
		for _, p := range a.Cache.Points {
			if p.Part <= sp.Part {
				from, tools = p.Part, 0
			}
		}
	}
	if !c.add(a, max(1, tools+tokensBefore(a, end)-tokensBefore(a, from))) {
		return
	}
	c.at, c.point = sp.at, name
	switch {
	case stable:
		c.hint = sp.remedy(a, a.Parts[last.part].Section)
	case a.Variant.Messages == nil:
		c.hint = diag.Say("put-breakpoint-before")
	default:
		c.hint = sp.remedy(a, sp.Section)
	}
}

// tokensBefore gives the tokens of the parts before one.
func tokensBefore(a *assembly.Artifact, part int) int {
	if part == 0 {
		return 0
	}
	return a.Parts[part-1].Total
}

// finding puts one group into words.
func (c *cost) finding(key early) diag.Diagnostic {
	id, section := key.build.Prompt.ID.Str, key.build.Prompt.Sections[key.section].ID.Str
	thing := diag.Say("volatile-section", section)
	switch {
	case len(c.slots) == 1:
		thing = diag.Say("volatile-slot", diag.Some(c.slots, shown), section)
	case len(c.slots) > 1:
		thing = diag.Say("volatile-slots", diag.Some(c.slots, shown), section)
	case key.source != "":
		thing = diag.Say("volatile-source", key.source, section)
	}
	tokens := amount(c.high, "token")
	d := diag.New(diag.VolatileFirst, c.at, "changes-before-stable", tokens, id, thing)
	switch {
	case key.wasted:
		d.What = diag.Say("changes-before-breakpoint", c.point, id, tokens, thing)
	case c.point != "":
		d.What = diag.Say("changes-before-kept", tokens, id, c.point, thing)
	}
	d.Level = key.level
	return d
}

// pointBehind gives the first breakpoint behind a volatile thing that has
// something written; nil for none, and where requests leave breakpoints out.
func pointBehind(a *assembly.Artifact, sp spot) *assembly.Point {
	if !a.Variant.Shape().Markers {
		return nil
	}
	for i := range a.Cache.Points {
		if a.Cache.Points[i].Part > sp.Part {
			return &a.Cache.Points[i]
		}
	}
	return nil
}

// cacheable gives the index behind the last part that a provider may keep:
// where a request can say it by breakpoints and does, what stands behind the
// last of them is never kept.
func cacheable(a *assembly.Artifact) int {
	if n := len(a.Cache.Points); n > 0 && a.Variant.Shape().Markers {
		return a.Cache.Points[n-1].Part
	}
	return len(a.Parts)
}

// lastStable gives the end of the last text that somebody wrote, that could be
// kept and that stays the same from one request to the next. A line with a
// volatile slot is volatile as a whole.
func lastStable(a *assembly.Artifact, spots []spot) (position, bool) {
	whole := map[int]bool{} // parts without anything stable
	for _, sp := range spots {
		if sp.Slot == nil {
			whole[sp.Part] = true
		}
	}
	for i := cacheable(a) - 1; i >= 0; i-- {
		p := a.Parts[i]
		said := p.Section >= 0 && !whole[i] || p.Passage != nil && p.Passage.Content != nil
		if !said || asked(a, p) {
			continue
		}
		if end := stableEnd(p); end >= 0 {
			return position{i, end}, true
		}
	}
	return position{}, false
}

// asked reports whether a part belongs to what the user asks now, which is new
// with every request, or to the reminder behind it.
func asked(a *assembly.Artifact, p assembly.Part) bool {
	return p.Asks() || p.Passage == nil && a.Variant.Messages != nil && p.Section == a.Variant.Messages.Reminder
}

// stableEnd gives the end of the last line of a part that has text but no
// volatile slot; -1 for none.
func stableEnd(p assembly.Part) int {
	var slots []assembly.SlotAt
	if p.Rendering != nil {
		slots = p.Rendering.Slots
	}
	for end := len(p.Text); end > 0; {
		start := strings.LastIndexByte(p.Text[:end], '\n') + 1
		changes := false
		for len(slots) > 0 && slots[len(slots)-1].Start >= start {
			changes = changes || slots[len(slots)-1].Slot.Volatile
			slots = slots[:len(slots)-1]
		}
		if !changes && strings.TrimSpace(p.Text[start:end]) != "" {
			return end
		}
		end = start - 1
	}
	return -1
}

// spot is text that may change from one request to the next, and where it is
// written.
type spot struct {
	assembly.VolatileAt
	at diag.Span
}

// remedy says where it could stand: behind a section, or the last text of a
// conversation.
func (sp spot) remedy(a *assembly.Artifact, section int) diag.Words {
	rules := a.Variant.Messages
	switch {
	case rules != nil && rules.Reminder >= 0:
		return diag.Say("say-in-reminder", sectionID(a, rules.Reminder))
	case rules != nil || section < 0:
		return diag.Say("name-a-reminder")
	case section == sp.Section:
		return diag.Say("put-on-last-line", sectionID(a, section))
	case a.Variant.Layout.On:
		return diag.Say("say-in-section-scored-behind", sectionID(a, section))
	default:
		return diag.Say("say-in-section-behind", sectionID(a, section))
	}
}

func sectionID(a *assembly.Artifact, section int) string {
	return a.Build.Prompt.Sections[section].ID.Str
}

// spotsOf finds what is declared volatile in an artifact, in the order of the
// text.
func spotsOf(a *assembly.Artifact) []spot {
	var out []spot
	for v := range a.Volatile() {
		if v.Section < 0 {
			continue
		}
		sp, r := spot{v, at(a.Build.Prompt.Sections[v.Section].ID.At)}, a.Parts[v.Part].Rendering
		if v.Slot != nil {
			sp.at = at(r.Text.Span(v.Offset, v.End), sp.at)
		}
		if i := slices.IndexFunc(r.Unit.Inputs, func(in *assembly.Input) bool { return v.Source != nil && in.Source == v.Source }); i >= 0 {
			sp.at = at(r.Unit.Inputs[i].At, sp.at)
		}
		out = append(out, sp)
	}
	return out
}

// marked is a breakpoint, as findings with numbers of it are grouped.
type marked struct {
	build *assembly.Build
	code  diag.Code
	level diag.Level
	name  string
	at    diag.Span
	hint  string // its key
}

// breakpoint is what a group of such findings says.
type breakpoint struct {
	tally
	least tally // the minima
}

// breakpoints judges where prompts put cache breakpoints.
func (s *requestSet) breakpoints() diag.List {
	var all ordered.Map[marked, breakpoint]
	var others shapes
	for _, a := range s.artifacts {
		judgePoints(&all, a)
		others.leftOut(a)
		others.blanks(a)
	}
	out := others.list(s)
	for key, b := range all.All() {
		d := key.finding(b).WithHint(key.hint)
		d.Level = key.level
		out = append(out, s.among(d, key.build, b.users))
	}
	return out
}

// judgePoints finds what providers refuse or do not keep.
func judgePoints(all *ordered.Map[marked, breakpoint], a *assembly.Artifact) {
	points, d := a.Cache.Points, a.Variant.Shape()
	if len(points) > ground.MaxBreakpoints && d.JSON {
		level := diag.Warning
		if d.Markers {
			level = diag.Error
		}
		p := points[ground.MaxBreakpoints]
		all.Of(marked{a.Build, diag.TooManyBreakpoints, level, p.Name, p.At, "leave-out-each-covers"}).add(a, len(points))
	}
	for _, p := range points {
		if d.Markers && p.Tokens < a.Variant.CacheMinimum {
			move := "move-breakpoint-or-say-minimum"
			if a.Variant.Messages != nil {
				move = "fill-tier-or-say-minimum"
			}
			b := all.Of(marked{a.Build, diag.SmallPrefix, diag.Warning, p.Name, p.At, move})
			b.add(a, p.Tokens)
			b.least.add(a, a.Variant.CacheMinimum)
		}
	}
}

// finding puts one group into words.
func (m marked) finding(b *breakpoint) diag.Diagnostic {
	id := m.build.Prompt.ID
	if m.code == diag.TooManyBreakpoints {
		return diag.New(m.code, at(m.at, id.At), "request-may", id.Str, b.amount("cache-breakpoint"), ground.MaxBreakpoints)
	}
	return diag.New(m.code, at(m.at, id.At), "prefix-up-breakpoint-fewer", id.Str, m.name, b.amount("token"), b.least.amount("token"))
}

// leftOut finds breakpoints that the dialect has no place for.
func (s *shapes) leftOut(a *assembly.Artifact) {
	d, id := a.Variant.Shape(), a.Build.Prompt.ID
	if len(a.Cache.Points) == 0 || d.Markers {
		return
	}
	hint := "provider-finds-prefixes"
	if !d.JSON {
		hint = "say-dialect-with-breakpoints"
	}
	found := diag.New(diag.MarkersLeftOut, at(id.At), "no-cache-breakpoints-those", d.Name, id.Str)
	found.Level = diag.Note
	s.note(a, found.WithHint(hint))
}

// blanks finds texts that hold nothing but sections that say nothing when
// their optional slots are empty: behind a marker, and elsewhere where the
// provider refuses them.
func (s *shapes) blanks(a *assembly.Artifact) {
	d, id := a.Variant.Shape(), a.Build.Prompt.ID
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Image != nil || !b.Marked && !refusesBlank(d) || b.Marked && !d.Markers {
				continue
			}
			sections := mayVanish(a.Parts[b.From:b.To])
			if len(sections) == 0 {
				continue
			}
			place := at(a.Build.Prompt.Sections[sections[0]].ID.At, id.At)
			found := diag.New(diag.MaybeBlankMarker, place, "text-begins-stands-alone", sectionID(a, sections[0]), id.Str, d.Name)
			if b.Marked {
				found.What = diag.Say("all-text-breakpoint-marks", a.Cache.Points[b.Point].Name, id.Str)
			}
			s.note(a, found.WithHint("let-one-always-say-something"))
		}
	}
}

// mayVanish gives the sections of a text if all of them may vanish, nil if
// something always stays.
func mayVanish(parts []assembly.Part) []int {
	var sections []int
	for _, p := range parts {
		if p.Section < 0 && p.Passage == nil && strings.TrimSpace(p.Text) == "" {
			continue // a join goes with its section
		}
		if p.Section < 0 || p.Rendering == nil || !goes(p.Rendering) {
			return nil
		}
		sections = append(sections, p.Section)
	}
	return sections
}

// goes reports whether a section says nothing when its optional slots are empty.
func goes(r *assembly.Rendering) bool {
	if !slices.ContainsFunc(r.Slots, func(s assembly.SlotAt) bool { return s.Slot.Optional }) {
		return false
	}
	text, stays := r.Filled(func(s *language.Slot) string {
		if s.Optional {
			return ""
		}
		return s.Name.Str
	})
	return !stays || strings.TrimSpace(text) == ""
}

// content is what a provider documents about the contents of messages.
type content struct {
	dialect string
	blank   diag.Level // of a text of white space alone
	// images are the media types that are read, most the number that a
	// request may have, and usual the number that every model takes.
	images      []string
	usual, most int
}

// contents has a row for each dialect that is a request. From the providers'
// documentation, 2026-11: OpenAI's guide "Images and vision" (image input
// requirements; older copies say 500 images), Anthropic's page "Vision" (600 images,
// 100 with models of 200,000 tokens), Gemini's page "Image understanding" (file
// limit). That Anthropic refuses blank text comes from error messages of its
// API.
var contents = []content{
	{dialect: "openai-chat", blank: diag.Warning, images: []string{"image/png", "image/jpeg", "image/webp", "image/gif"}, usual: 1500, most: 1500},
	{dialect: "openai-responses", blank: diag.Warning, images: []string{"image/png", "image/jpeg", "image/webp", "image/gif"}, usual: 1500, most: 1500},
	{dialect: "anthropic", blank: diag.Error, images: []string{"image/png", "image/jpeg", "image/webp", "image/gif"}, usual: 100, most: 600},
	{
		dialect: "gemini", blank: diag.Warning, images: []string{"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"},
		usual: 3600, most: 3600,
	},
}

// refusesBlank reports whether a dialect's provider answers blank text with an
// error.
func refusesBlank(d *ground.Dialect) bool {
	return slices.ContainsFunc(contents, func(c content) bool { return c.dialect == d.Name && c.blank == diag.Error })
}

// misshapen is a finding about messages, as it is grouped.
type misshapen struct {
	build *assembly.Build
	code  diag.Code
	level diag.Level
	what  string // its words, to compare
	at    diag.Span
}

// shape is what is found, and where.
type shape struct {
	tally
	found diag.Diagnostic
}

// shapes collects findings about the messages of requests.
type shapes struct{ all ordered.Map[misshapen, shape] }

func (s *shapes) note(a *assembly.Artifact, d diag.Diagnostic) {
	one := s.all.Of(misshapen{a.Build, d.Code, d.Level, fmt.Sprint(d.What), d.Span})
	one.found = d
	one.add(a, 0)
}

// list gives each finding once, with the variants that it is about.
func (s *shapes) list(all *requestSet) diag.List {
	var out diag.List
	for key, one := range s.all.All() {
		out = append(out, all.among(one.found, key.build, one.users))
	}
	return out
}

// messages judges the messages of every request by its dialect.
func (s *requestSet) messages() diag.List {
	var found shapes
	for _, a := range s.artifacts {
		d := a.Variant.Shape()
		i := slices.IndexFunc(contents, func(c content) bool { return c.dialect == d.Name })
		if !d.JSON || i < 0 || a.Variant.Sent != nil { // a provider took what was sent
			continue
		}
		found.system(a)
		found.turns(a, d)
		found.texts(a, contents[i])
		found.images(a, contents[i])
	}
	return found.list(s)
}

// system finds conversations that nothing is said before.
func (s *shapes) system(a *assembly.Artifact) {
	if a.Variant.Messages == nil || len(a.Messages) > 0 && a.Messages[0].Role == language.RoleSystem {
		return
	}
	id := a.Build.Prompt.ID
	found := diag.New(diag.TurnOrder, at(id.At), "no-system-message", id.Str)
	found.Level = diag.Warning
	s.note(a, found.WithHint("give-section-says-something"))
}

// turns judges who speaks when. What is only advised against was already said
// of the dialect that the manifest gives; here it is said of another one.
func (s *shapes) turns(a *assembly.Artifact, d *ground.Dialect) {
	order := diag.Warning
	if d.MustAlternate {
		order = diag.Error
	}
	var last language.Role
	for i, m := range a.Messages {
		found := diag.Diagnostic{Code: diag.TurnOrder, Level: order, Span: at(m.At, a.Build.Prompt.ID.At)}
		switch {
		case m.Role == language.RoleSystem && (i == 0 || d.Midway == ground.MidwayKept):
			continue
		case m.Role == language.RoleSystem && d.Midway == ground.MidwayRefused:
			found.Level = diag.Error
			found.What = diag.Say("no-system-messages-inside", d.Name)
			found.Hint = diag.Say("say-system-text-user")
		case m.Role == language.RoleSystem && d.Midway == ground.MidwaySome:
			found.Level = diag.Error
			found.What = diag.Say("most-models-take-no", d.Name)
			found.Hint = diag.Say("say-system-text-user")
		case m.Role == language.RoleSystem:
			found.Level = diag.Warning
			found.What = diag.Say("some-programs-speak-refuse", d.Name)
			found.Hint = diag.Say("say-system-text-user")
		case last == "" && m.Role != language.RoleUser:
			found.What = diag.Say("first-message-expects-user", m.Role, d.Name)
			found.Hint = diag.Say("begin-conversation-user")
		case last == m.Role:
			found.What = diag.Say("two-messages-follow-another", m.Role, d.Name)
			found.Hint = diag.Say("join-two-put-answer")
		}
		if m.Role != language.RoleSystem {
			last = m.Role
		}
		if !found.What.None() && (found.Level == diag.Error || converted(a)) {
			s.note(a, found)
		}
	}
}

// texts judges the texts of messages. That a marked one is blank is said where
// the marker is set.
func (s *shapes) texts(a *assembly.Artifact, c content) {
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Image != nil || b.Marked || !isBlank(a.Parts[b.From:b.To]) {
				continue
			}
			d := diag.New(diag.BlankText, at(blankAt(a, b), m.At, a.Build.Prompt.ID.At), "text-message-blank", m.Role)
			if d.Level = c.blank; c.blank == diag.Error {
				d.What = diag.Say("refuses", d.What, c.dialect)
			}
			s.note(a, d.WithHint("leave-out-let-say"))
		}
	}
}

func isBlank(parts []assembly.Part) bool {
	return !slices.ContainsFunc(parts, func(p assembly.Part) bool { return strings.TrimSpace(p.Text) != "" })
}

// blankAt gives the place of the first thing that somebody wrote in a block.
func blankAt(a *assembly.Artifact, b assembly.Block) diag.Span {
	for _, p := range a.Parts[b.From:b.To] {
		if p.Section >= 0 {
			return a.Build.Prompt.Sections[p.Section].ID.At
		}
		if p.Passage != nil && len(p.Passage.Text.Segs) > 0 {
			return p.Passage.Text.Segs[0].At
		}
	}
	return diag.Span{}
}

// images judges the types of images and their number.
func (s *shapes) images(a *assembly.Artifact, c content) {
	var images []*language.Image
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Image != nil {
				images = append(images, b.Image)
			}
		}
	}
	id := a.Build.Prompt.ID
	for _, image := range images {
		if !slices.Contains(c.images, image.Media) {
			s.note(a, diag.New(diag.ImageRefused, at(image.At, id.At), "not-read-images-type", c.dialect, image.Media).
				WithHint("use-one-of", diag.Names(c.images)))
		}
	}
	if len(images) <= c.usual {
		return
	}
	place := at(images[c.usual].At, id.At)
	found := diag.New(diag.ImageRefused, place, "sends-images-takes-request", id.Str, diag.Count(len(images)), c.dialect, diag.Count(c.most))
	if len(images) <= c.most {
		found = diag.New(diag.ImageRefused, place, "sends-images-some-models", id.Str, diag.Count(len(images)), c.dialect, diag.Count(c.usual))
		found.Level = diag.Warning
	}
	s.note(a, found.WithHint("leave-some-out"))
}

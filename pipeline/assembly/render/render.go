// Package render turns every Unit of a Plan into the text of a section, or
// into the messages of a conversation.
//
// Everything that a file says keeps its place on the way, and everything that
// a kind says by itself stands in a template below styles, which a file of the
// user's may replace.
package render

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// kind is a row of the table: how sources of a kind become text.
type kind struct {
	name string
	// body gives the text of a group of inputs, without the heading.
	body func(b *bench, group []*assembly.Input) passage
	// merges says that neighbouring inputs with equal settings make one body
	// (one list of tools, not two).
	merges bool
}

// kinds is the table, in the order of language.Kinds. Kinds of messages have no
// row: their units are told apart by what they hold (see conversation).
var kinds = []kind{
	{name: "text", body: textBody},
	{name: "identity", body: identityBody},
	{name: "soul", body: soulBody},
	{name: "user", body: userBody},
	{name: "rules", body: rulesBody},
	{name: "skills", body: skillsBody, merges: true},
	{name: "subagents", body: subagentsBody},
	{name: "tools", body: toolsBody, merges: true},
	{name: "context", body: contextBody},
	{name: "workspace", body: workspaceBody},
	{name: "runtime", body: runtimeBody},
	{name: "goal", body: goalBody},
	{name: "registry", body: registryBody},
	{name: "records", body: recordsBody},
}

// lookupKind gives the row of a kind; text for one that has none, since every
// kind has at least a body.
func lookupKind(name string) kind {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	return kinds[max(i, 0)]
}

// Run renders every unit of the plan. The result's index is Unit.Index.
func Run(plan *assembly.Plan) ([]*assembly.Rendering, diag.List) {
	out := make([]*assembly.Rendering, len(plan.Units))
	styles := newShelf()
	fragments := declaredFragments(plan)
	var found diag.List
	for i, u := range plan.Units {
		if u.Dialogue != nil {
			out[i] = &assembly.Rendering{Unit: u, Turns: conversation(u.Dialogue)}
			continue
		}
		if u.Exact {
			out[i] = exactly(u)
			continue
		}
		b := newBench(u, styles, fragments)
		out[i] = b.section()
		found = append(found, b.found...)
	}
	return out, asTemplates(append(found, styles.found...)).Sorted()
}

// exactly gives a piece of a prompt that another program assembled: as it is.
func exactly(u *assembly.Unit) *assembly.Rendering {
	out := &assembly.Rendering{Unit: u, Text: u.Inputs[0].Text, Tags: u.Inputs[0].Tags}
	for _, in := range u.Inputs { // several files of tools, or one text
		out.Tools = append(out.Tools, in.Tools...)
	}
	out.Beside = len(out.Tools) > 0
	return out
}

// bench is where one unit is worked on.
type bench struct {
	unit     *assembly.Unit
	styles   *shelf
	found    diag.List
	out      *assembly.Rendering
	left     allowance
	bindings map[string]*binding
	// fragments are all that the manifest declares; only those that a unit's
	// texts name are bound.
	fragments []string
	names     []string // of slots and fragments, for suggestions
	tilde     uniqueNames
	tags      map[string]*language.Slot // by field
}

// declaredFragments gives the names of all fragments.
func declaredFragments(plan *assembly.Plan) []string {
	var out []string
	if plan.Spec != nil {
		for _, f := range plan.Spec.Fragments {
			out = append(out, f.Name.Str)
		}
	}
	return out
}

func newBench(u *assembly.Unit, styles *shelf, fragments []string) *bench {
	b := &bench{
		unit: u, styles: styles, fragments: fragments,
		out:      &assembly.Rendering{Unit: u},
		left:     allowance{steps: maxTemplateSteps, bytes: maxTemplateOutput},
		bindings: map[string]*binding{},
		tilde:    uniqueNames{},
	}
	for i := range u.Bindings {
		b.bindings[u.Bindings[i].Name] = &binding{Binding: &u.Bindings[i]}
		b.names = append(b.names, u.Bindings[i].Name)
	}
	for _, name := range fragments {
		if !slices.Contains(b.names, name) {
			b.names = append(b.names, name)
		}
	}
	return b
}

// section assembles heading, before, body and after. A section whose body has
// nothing to say is empty altogether.
func (b *bench) section() *assembly.Rendering {
	body, heading := b.bodyAndHeading()
	if body.empty() {
		return b.out
	}
	if b.unit.Heading != nil {
		heading = b.frameText(*b.unit.Heading)
	}
	lines := join([]passage{b.frameText(b.unit.Before), body, b.frameText(b.unit.After)}, "\n")
	whole := join([]passage{heading, lines}, "\n\n")
	slots := body.whole()
	if slot := whole.onlySlot(); slot != nil && len(whole.optional) == 0 {
		slots = []*language.Slot{slot}
	}
	if slots != nil {
		all := assembly.OptionalPart{Slots: slots, End: len(whole.text.Str)}
		whole.optional = append([]assembly.OptionalPart{all}, whole.optional...)
	}
	b.out.Text, b.out.Items, b.out.Slots, b.out.Optional = whole.text, whole.items, whole.slots, whole.optional
	b.settleTags()
	return b.out
}

// onlySlot gives the slot of a text that has no other, if it is optional.
func (p passage) onlySlot() *language.Slot {
	if len(p.slots) == 0 || slices.ContainsFunc(p.slots, func(s assembly.SlotAt) bool { return s.Slot != p.slots[0].Slot }) {
		return nil
	}
	if slot := p.slots[0].Slot; slot.Optional {
		return slot
	}
	return nil
}

// frameText gives a heading, before or after, expanded where the section is.
func (b *bench) frameText(t ground.Text) passage {
	p := plain(t)
	if b.unit.Expand {
		p = b.expand(p)
	}
	return p.trimOuter()
}

// bodyAndHeading gives the bodies of the inputs, and the heading of the first
// that says something. A later kind's own heading stands before its body,
// once, unless the manifest decides the heading.
func (b *bench) bodyAndHeading() (body, heading passage) {
	var parts []passage
	var seen []string
	for _, group := range grouped(b.unit.Inputs) {
		in := group[0]
		p := b.input(group)
		if p.empty() {
			continue
		}
		if b.unit.Heading == nil && !slices.Contains(seen, in.Kind.Name) {
			own := b.block(b.style(in), "heading", flagsOf(in)).trimOuter()
			if len(parts) == 0 {
				heading = own
			} else {
				p = join([]passage{own, p}, "\n\n")
			}
		}
		seen = append(seen, in.Kind.Name)
		parts = append(parts, p)
	}
	return join(parts, "\n\n"), heading
}

// input gives the finished body of a group.
func (b *bench) input(group []*assembly.Input) passage {
	in := group[0]
	row := lookupKind(in.Kind.Name)
	for _, in := range group {
		b.marks(in)
	}
	return row.body(b, group).trimOuter()
}

// field gives a text of an input, expanded where the input or the section is.
// It is done where the text comes in, so that what follows (an escape, a cut, a
// collapsed line break) holds for fragments, too.
func (b *bench) field(in *assembly.Input, t ground.Text) passage {
	p := plain(t)
	switch {
	case in.Source != nil && in.Source.Template.Str != "":
		p.slots = b.tagsIn(templates.Tags(in.Source.Template.Str, t.Str))
	case in.Source != nil && in.Source.Symbol.Str != "":
		for _, d := range in.Docs {
			if d.Body.Str == t.Str {
				p.slots = b.tagsIn(d.Holes)
			}
		}
	case in.Expand || b.unit.Expand:
		p = b.expand(p)
	}
	return p
}

// tagsIn gives the tags of a template as places that keep theirs in what follows.
func (b *bench) tagsIn(tags []templates.Tag) []assembly.SlotAt {
	var out []assembly.SlotAt
	for _, t := range tags {
		out = append(out, assembly.SlotAt{Slot: b.tag(t.Field), Start: t.Start, End: t.End})
	}
	return out
}

// tag gives the slot that stands for the tags of a field while a text is put together.
func (b *bench) tag(field string) *language.Slot {
	if b.tags == nil {
		b.tags = map[string]*language.Slot{}
	}
	if b.tags[field] == nil {
		b.tags[field] = &language.Slot{Name: ground.Word{Str: field}}
	}
	return b.tags[field]
}

// settleTags takes the tags out of a rendering's slots.
func (b *bench) settleTags() {
	if b.tags == nil {
		return
	}
	var slots []assembly.SlotAt
	for _, s := range b.out.Slots {
		if b.tags[s.Slot.Name.Str] == s.Slot {
			b.out.Tags = append(b.out.Tags, templates.Tag{Start: s.Start, End: s.End, Field: s.Slot.Name.Str})
		} else {
			slots = append(slots, s)
		}
	}
	b.out.Slots = slots
}

// grouped puts neighbours together that make one body.
func grouped(inputs []*assembly.Input) [][]*assembly.Input {
	var out [][]*assembly.Input
	for _, in := range inputs {
		if n := len(out); n > 0 && alike(out[n-1][0], in) && lookupKind(in.Kind.Name).merges {
			out[n-1] = append(out[n-1], in)
			continue
		}
		out = append(out, []*assembly.Input{in})
	}
	return out
}

func alike(a, b *assembly.Input) bool {
	return a.Kind.Name == b.Kind.Name && a.Form == b.Form && a.Style == b.Style && a.StyleDoc == b.StyleDoc &&
		a.Expand == b.Expand && sameLimit(a.Limit, b.Limit)
}

func sameLimit(a, b *language.Limit) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Chars == b.Chars && a.PerSource == b.PerSource && a.Cut == b.Cut
}

func (b *bench) marks(in *assembly.Input) {
	if len(in.Kind.Forms) > 0 && in.Form != "" {
		b.mark(assembly.Mark{Form: in.Form})
	}
	if in.Origin != assembly.FromPath && in.Origin != assembly.FromInline {
		b.mark(assembly.Mark{Word: in.Origin.String()})
	}
}

// mark adds a fact for the outline, once.
func (b *bench) mark(m assembly.Mark) {
	if !slices.Contains(b.out.Marks, m) {
		b.out.Marks = append(b.out.Marks, m)
	}
}

// style gives the template of an input: the built-in one of its name, under
// the user's file where there is one.
func (b *bench) style(in *assembly.Input) *style {
	name, doc := in.Style, in.StyleDoc
	switch {
	case in.Kind.Tools && in.Form != "fallback":
		name, doc = "native", nil // styles are of the form fallback
	case name == "" && len(in.Kind.Styles) > 0:
		name = in.Kind.Styles[0]
	case name == "":
		name = "default"
	}
	s := b.styles.named(in.Kind.Name, name)
	if s == nil {
		s = b.styles.named("any", "default")
	}
	if doc != nil {
		s = b.styles.user(in.Kind.Name, doc, s)
	}
	return s
}

// piece is one of the things that a kind lists.
type piece struct {
	name string // of the item; "" where the kind's form has no items
	file *diag.File
	data scope
}

// layout prints pieces by the block "item", joins them by the block
// "separator", and puts them into the frame.
func (b *bench) layout(s *style, pieces []piece, flags, extra scope) passage {
	if len(pieces) == 0 {
		return passage{}
	}
	separator := b.separator(s, flags)
	var w writer
	for i, p := range pieces {
		if i > 0 {
			w.write(separator)
		}
		body := b.block(s, "item", joined(p.data, flags))
		if p.name == "" {
			w.write(body)
			continue
		}
		w.item(b.tilde.claim(p.name), p.file, body)
	}
	data := joined(scope{passEntry("Items", w.passage()), numEntry("Count", len(pieces))}, extra)
	return b.frame(s, joined(data, flags))
}

// separator is the block between two items, a line break where the style has
// none.
func (b *bench) separator(s *style, flags scope) passage {
	if _, nodes := s.block("separator"); nodes == nil {
		return words("\n")
	}
	return b.block(s, "separator", flags)
}

// checkpoint gives a way back: what is printed to measure it claims no name,
// uses no allowance and finds nothing.
func (b *bench) checkpoint() (undo func()) {
	tilde, left, found := maps.Clone(b.tilde), b.left, len(b.found)
	return func() { b.tilde, b.left, b.found = maps.Clone(tilde), left, b.found[:found] }
}

func joined(a, b scope) scope { return append(slices.Clip(a), b...) }

// flagsOf gives the flags of a kind that has some: which of its forms is printed.
func flagsOf(in *assembly.Input) scope {
	var out scope
	for i, f := range templateOf(in.Kind.Name).Flags {
		out = append(out, flagEntry(f.Name, strings.EqualFold(f.Name, in.Form) || i == 0 && in.Form == ""))
	}
	return out
}

// relative gives a path as seen from a base folder, or the whole path where
// it is not below it.
func relative(file, base string) string {
	base = strings.Trim(base, "/")
	if base == "" || base == "." {
		return file
	}
	if rest, ok := strings.CutPrefix(file, base+"/"); ok {
		return rest
	}
	return file
}

// The extensions that are left out of items' names, the longest first.
var (
	textExtensions = []string{".instructions.md", ".mdc", ".md"}
	dataExtensions = []string{".yaml", ".yml", ".json"}
)

// fileName gives the name of an item that is a file.
func fileName(file *diag.File, base string) string { return nameWithout(textExtensions, file, base) }

func nameWithout(extensions []string, file *diag.File, base string) string {
	name := relative(file.Path, base)
	for _, ext := range extensions {
		if short, ok := strings.CutSuffix(name, ext); ok && path.Base(short) != "." && !strings.HasSuffix(short, "/") && short != "" {
			return short
		}
	}
	return name
}

// uniqueNames keeps the names of a section's items apart: they become files,
// on disks that may not tell cases apart.
// The number is the last one given out.
type uniqueNames map[string]int

// claim gives the name, with ~2, ~3, … where it is taken.
func (u uniqueNames) claim(name string) string {
	folded := strings.ToLower(name)
	out := name
	for u[strings.ToLower(out)] > 0 {
		u[folded]++
		out = name + "~" + strconv.Itoa(u[folded])
	}
	u[strings.ToLower(out)] = 1
	return out
}

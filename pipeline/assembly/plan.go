package assembly

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Plan is the Spec with every reference bound and every variant laid out.
type Plan struct {
	Spec *language.Spec
	// Tokenizer is what the manifest counts with where a prompt says nothing.
	Tokenizer string
	Builds    []*Build // one for each prompt, in declared order
	// Units are the distinct things to render, each once, in the order of
	// their first use. A Rendering has the index of its Unit.
	Units []*Unit
	// Entries are those entries of snapshot files that a pattern stands for, with
	// whether a prompt takes the text; nothing reads any other.
	Entries map[*language.Saved]bool
}

// Build is one prompt and all its variants.
type Build struct {
	Prompt   *language.Prompt
	Variants []*Variant // the product of the axes in declared order, without the excluded
	// Expect are the expectations, in declared order.
	Expect []Expected
	// Owners are those of the manifest and the sources, sorted: users, teams and
	// addresses as CODEOWNERS writes them. Nil where nobody says who owns anything.
	Owners []string
}

// Variant is one point of a prompt's axes.
type Variant struct {
	// Name is prompt/axis=value,axis=value without axes at their default, or
	// the prompt's id alone.
	Name   string
	Index  int   // in Build.Variants
	Values []int // index of the value on each axis
	// Tokenizer is the name to count with; Undeclared says that the manifest names
	// none.
	Tokenizer  string
	Undeclared bool
	Budget     language.Limits
	// Context is the size of the context window, in tokens, that the
	// variant's axes declare; 0 for none.
	Context int
	Join    ground.Text
	Layout  PhaseRules
	// Messages are the settings of the layout `messages`, nil under any other.
	Messages *MessageRules
	// Sent is the request of a program that the variant is, nil for any other.
	Sent *Sent
	// Dialect is the shape of the artifact, a row of BodyDialects or `text`; never nil.
	Dialect *ground.Dialect
	// CacheMinimum is the least prefix, in tokens, that is worth a breakpoint.
	CacheMinimum int
	// Exact says that the text ends as its last section does, without a line
	// break of its own: that of a rendered prompt is the file's to the byte.
	Exact bool
	Order []int // indices into Prompt.Sections, those left out included
	Uses  []Use // for each section of Prompt.Sections
}

// Shape gives the dialect; plain text where none is decided.
func (v *Variant) Shape() *ground.Dialect {
	if v.Dialect == nil {
		return &ground.Dialects[0]
	}
	return v.Dialect
}

// StandsFor gives the dialect whose own tokenizer the variant's stands for, so
// that its counts are estimates of an unknown error; "" where that is not so.
func (v *Variant) StandsFor() string {
	if v.Undeclared && v.Shape().OwnTokens {
		return v.Dialect.Name
	}
	return ""
}

// Estimated reports whether the counts of the variant are estimates by a spec, which is
// nil without a manifest.
func (v *Variant) Estimated(s *language.Spec) bool {
	return v.StandsFor() != "" || s.Estimator(v.Tokenizer) != nil
}

// DefaultWindow is the budget in tokens of a variant under the layout `phases`
// that declares none: without a limit nothing would compete.
const DefaultWindow = 16_384

// Phases are the phases of the layout of that name, in their default order.
func Phases() []string {
	return []string{"constraint", "task", "memory", "tools", "history", "user"}
}

// PhaseRules is a Layout with its cases decided.
type PhaseRules struct {
	// On says that the layout is `phases`, not `sequence`.
	On                        bool
	Order                     []string // the phases as they are walked
	StickyFirst, Stop, Notice bool
}

// MessageRules is a Layout `messages` with its cases decided.
type MessageRules struct {
	// Unit is the index in Plan.Units of the conversation.
	Unit int
	// Reminder is the index in Prompt.Sections of the section that follows the
	// user's prompt, which is then no part of the system text; -1 for none.
	Reminder int
	At       diag.Span // the layout
}

// Sent is a request that a program sent, with the sections of what it says.
type Sent struct {
	Entry    *language.Saved
	Messages []SentMessage
}

// SentMessage is one of its messages. Turn is the request of the conversation that
// says it first, from 1; 0 where there is only one.
type SentMessage struct {
	Role   language.Role
	Turn   int
	Blocks []SentBlock
	At     diag.Span
}

// SentBlock is a block that says the sections of these indices, one after another, or
// shows an image.
type SentBlock struct {
	Sections []int
	Image    *language.Image
	Marked   bool
}

// Talks reports whether the variant is more than its system text: it has messages
// that others say.
func (v *Variant) Talks() bool { return v.Messages != nil || v.Sent != nil }

// Reason says why a section is not in a variant.
type Reason int

// The reasons, in the outlines' words by String.
const (
	In            Reason = iota
	OutWhen              // its condition does not hold
	OutNeeds             // the toolset lacks a tool
	OutAbsent            // no file, and `absent: omit`
	OutEmpty             // nothing to say
	OutForm              // its form says nothing here
	OutBudget            // dropped to fit
	OutUnselected        // `select` leaves nothing to say
)

func (r Reason) String() string {
	return [...]string{"in", "when", "needs", "absent", "empty", "form", "budget", "empty"}[r]
}

// Empty reports whether nothing was left to say.
func (r Reason) Empty() bool { return r == OutEmpty || r == OutUnselected }

// Use is what a variant does with a section.
type Use struct {
	// Unit is the index in Plan.Units, or -1 when the section is out.
	Unit int
	// Steps are the units that the section may step down to, in order.
	Steps []StepUse
	Out   Reason
	// Why is the part of the reason that has a name: the missing tool, the
	// path. May be empty.
	Why string
	// Join replaces the prompt's join before this section; nil keeps it.
	Join *ground.Text
	// Budget limits this section alone; nil is "not limited".
	Budget *language.Limits
	// Place is where the section stands under the layout `phases`.
	Place PhasePlace
	// Needs are the tools without which the section says nothing. Layouts that
	// drop tools or step them down have to look again.
	Needs []string
	// Breakpoint puts a cache breakpoint behind the section; BreakpointAt is
	// where the manifest says so.
	Breakpoint   bool
	BreakpointAt diag.Span
	// Volatile says that the section is declared so; of its sources, those of
	// the rung that is emitted count (Unit.VolatileSource).
	Volatile bool
}

// PhasePlace is what a section competes with. Its score is priority × weight.
type PhasePlace struct {
	Phase            int // index in PhaseRules.Order
	Priority, Weight float64
	Sticky           bool
}

// Score is what sections of one phase are compared by.
func (p PhasePlace) Score() float64 { return p.Priority * p.Weight }

// StepUse is one rung of a ladder.
type StepUse struct {
	Label string // the form or the source's id
	Unit  int
}

// Unit is one distinct way to render one section: all that decides its bytes.
// A conversation is a unit, too: then Section is nil and Dialogue is not.
type Unit struct {
	Index    int
	Prompt   *language.Prompt
	Section  *language.Section
	Dialogue *Dialogue
	Inputs   []*Input
	// Heading replaces the kind's own where it is not nil.
	Heading *ground.Text
	Before  ground.Text
	After   ground.Text
	// Expand says that the whole section is expanded, and Bindings are the
	// names that may be used (in any input with Expand, too).
	Expand   bool
	Bindings []Binding
	// Step is the label of the rung, "" for the section's own rendering.
	Step string
	// Exact says that the text of the first input is emitted to the byte, and
	// that its tools go beside it: a piece of a rendered prompt.
	Exact bool
}

// VolatileSource gives the first source of the unit that is declared volatile,
// nil for none. A rung may have another than the section's own.
func (u *Unit) VolatileSource() *language.Source {
	for _, in := range u.Inputs {
		if in.Source != nil && in.Source.Volatile {
			return in.Source
		}
	}
	return nil
}

// Origin says how an input's files were found.
type Origin int

// The origins.
const (
	FromPath Origin = iota
	FromFallback
	FromElse
	FromBuiltIn // the kind's own text, `absent: default`
	FromInline
)

func (o Origin) String() string {
	return [...]string{"path", "fallback", "else", "default", "inline"}[o]
}

// Input is one source as a unit uses it.
type Input struct {
	// Source is nil for a section's own text or path.
	Source *language.Source
	Kind   *language.Kind
	Origin Origin
	// Base is the part of the path before its first wildcard, up to its last
	// slash: item names are relative to it. "" for the manifest's folder.
	Base string
	Docs []*language.Doc
	Text ground.Text // inline
	// Tools are the selected definitions in the order of the rendering.
	Tools []*language.Tool
	// Entries are the selected prompts of a registry in the order of the
	// rendering; Docs are the files that they are in.
	Entries []*language.Entry
	// Goal is the goal with the markers of its transcript applied; Docs are
	// its file and the transcripts.
	Goal *language.Goal
	// Form and Style are decided names; "" where the kind has none.
	Form     string
	Style    string
	StyleDoc *language.Doc // the template file, nil for a built-in style
	Limit    *language.Limit
	Expand   bool
	Location ground.Text // "" is the path
	Routing  bool
	// Tags are those places of Text that the engine of a template fills or takes away.
	Tags []templates.Tag
	// Lenient says that nothing to say is no error (`absent` is not `error`).
	Lenient bool
	At      diag.Span // where the manifest names it
}

// Binding is a name that text may use: a slot, or a fragment with its value
// for this unit.
type Binding struct {
	Name  string
	Slot  *language.Slot // nil for a fragment
	Value ground.Text    // the fragment's text
}

// Rendering is one distinct text of a section.
type Rendering struct {
	Unit *Unit
	// Text is the section's bytes with heading, before and after, without
	// the join. "" when the section has nothing to say in words.
	Text ground.Text
	// Items are the parts with a file of their own, ascending, not
	// overlapping.
	Items []Item
	// Slots are the places of slots in Text, ascending.
	Slots []SlotAt
	// Optional are the parts of Text that are left out if their slots are empty,
	// ascending; one is in another or beside it.
	Optional []OptionalPart
	// Tags are the places of Text that another program fills or takes away, ascending:
	// they count as nothing.
	Tags []templates.Tag
	// Tools is what the section adds to the toolset; Beside says that the
	// schemas go with the request, next to the text.
	Tools  []*language.Tool
	Beside bool
	// Cuts are the texts that a limit cut.
	Cuts []Cut
	// Progress is that of the goal that the section shows, nil where there are
	// no checkpoints.
	Progress *language.Progress
	// Marks are facts that the outline shows in brackets, each once.
	Marks []Mark
	// Turns are the messages of a conversation, which has no Text. The first
	// is the system message, where the conversation adds to it.
	Turns []Turn
}

// Mark is a fact about a rendering: the form that an input has in it, or a word.
type Mark struct{ Form, Word string }

// The marks that are words. An origin's word is one, too.
var (
	Conditional = Mark{Word: "conditional"} // rules whose condition is not applied
	CutShort    = Mark{Word: "cut"}         // by a limit
)

func (m Mark) String() string {
	if m.Form != "" {
		return "form " + m.Form
	}
	return m.Word
}

// Remarks gives the marks in the outline's words.
func (r *Rendering) Remarks() []string {
	var out []string
	for _, m := range r.Marks {
		out = append(out, m.String())
	}
	return out
}

// Item is the part [Start, End) of a rendering that has a name of its own.
type Item struct {
	Name       string
	Start, End int
	File       *diag.File
}

// SlotAt is one place of a slot: the bytes [Start, End) hold {{name}}.
type SlotAt struct {
	Slot       *language.Slot
	Start, End int
	// InLine says that it stands in a line of facts, which its value must not break.
	InLine bool
}

// OptionalPart is the part [Start, End) of a rendering that is left out if all of
// these slots are empty. One of the whole text takes its section with it.
type OptionalPart struct {
	Slots      []*language.Slot
	Start, End int
}

// Filled gives the text with values in the places of its slots, without the
// optional parts whose slots are empty. It reports whether the section stays.
func (r *Rendering) Filled(value func(*language.Slot) string) (text string, stays bool) {
	empty := func(s *language.Slot) bool { return value(s) == "" }
	var out strings.Builder
	at, slots := 0, r.Slots
	put := func(end int) {
		for ; len(slots) > 0 && slots[0].Start < end; slots = slots[1:] {
			if s := slots[0]; s.Start >= at {
				out.WriteString(r.Text.Str[at:s.Start] + value(s.Slot))
				at = s.End
			}
		}
		out.WriteString(r.Text.Str[at:max(at, end)])
		at = max(at, end)
	}
	for _, o := range r.Optional {
		if o.End <= at || slices.ContainsFunc(o.Slots, func(s *language.Slot) bool { return !empty(s) }) {
			continue
		}
		if o.Start == 0 && o.End == len(r.Text.Str) {
			return "", false
		}
		put(max(at, o.Start))
		at = o.End
	}
	put(len(r.Text.Str))
	return out.String(), true
}

// Cut says what a limit took away.
type Cut struct {
	File                      *diag.File
	Original, Included, Limit int // runes
}

// Holder is one rendering of a section, and the variants that have it.
type Holder struct {
	Rendering *Rendering
	Users     ground.Set
}

// Holders gives for each section of a prompt its renderings, in the order of
// the first variants that have them. The artifacts are by variant, nil where
// there is none.
func (b *Build) Holders(artifacts []*Artifact) [][]Holder {
	out := make([][]Holder, len(b.Prompt.Sections))
	for section := range out {
		known := map[*Rendering]int{} // the index in the section's list
		for v, a := range artifacts {
			if a == nil || section >= len(a.Used) || a.Used[section] == nil {
				continue
			}
			i, ok := known[a.Used[section]]
			if !ok {
				i = len(out[section])
				known[a.Used[section]] = i
				out[section] = append(out[section], Holder{a.Used[section], ground.NewSet(len(artifacts))})
			}
			out[section][i].Users.Add(v)
		}
	}
	return out
}

// SlotTokens adds up what the slots of a rendering, which may be nil, may grow to.
func (r *Rendering) SlotTokens() int {
	if r == nil {
		return 0
	}
	n := 0
	for _, s := range r.Slots {
		n += s.Slot.MaxTokens
	}
	return n
}

// NamedItems gives the items that lie in the text, in order, each under a name
// that no other has: the second `a` is `a#2`.
func (r *Rendering) NamedItems() []Item {
	var out []Item
	seen := map[string]int{}
	end := 0
	for _, item := range r.Items {
		if item.Start < end || item.End < item.Start || item.End > len(r.Text.Str) {
			continue
		}
		end = item.End
		if seen[item.Name]++; seen[item.Name] > 1 {
			item.Name += "#" + strconv.Itoa(seen[item.Name])
		}
		out = append(out, item)
	}
	return out
}

// Separates reports whether a text between two items only joins them. Words
// would be text that a reviewer wants to see.
func Separates(s string) bool {
	return len(s) <= 8 && strings.Trim(s, " \t\n,;|-") == ""
}

// Build finds the build of a prompt by its id, nil where there is none.
func (p *Plan) Build(id string) *Build {
	for _, b := range p.Builds {
		if b.Prompt.ID.Str == id {
			return b
		}
	}
	return nil
}

// ByBuild gives the artifacts of each build by variant, nil where there is none. A
// run that stopped has no plan: it may be nil.
func (p *Plan) ByBuild(artifacts []*Artifact) map[*Build][]*Artifact {
	if p == nil {
		return nil
	}
	out := make(map[*Build][]*Artifact, len(p.Builds))
	for _, b := range p.Builds {
		out[b] = make([]*Artifact, len(b.Variants))
	}
	for _, a := range artifacts {
		if a != nil {
			out[a.Build][a.Variant.Index] = a
		}
	}
	return out
}

// Sources gives the files that the variants of a prompt read, each once, in the
// order of their first use, also those of steps that no variant goes down to.
func (p *Plan) Sources(b *Build) []string {
	var out []string
	units, files := map[int]bool{-1: true}, map[string]bool{}
	add := func(unit int) {
		if units[unit] {
			return
		}
		units[unit] = true
		for _, name := range p.Units[unit].Sources() {
			if !files[name] {
				files[name] = true
				out = append(out, name)
			}
		}
	}
	for _, v := range b.Variants {
		for _, use := range v.Uses {
			add(use.Unit)
			for _, step := range use.Steps {
				add(step.Unit)
			}
		}
		if v.Messages != nil {
			add(v.Messages.Unit)
		}
	}
	return out
}

// Sources gives the files that a unit reads, each once, in order.
func (u *Unit) Sources() []string {
	var out []string
	for _, in := range u.Inputs {
		var paths []string
		for _, d := range in.Docs {
			paths = append(paths, d.File.Path)
			for _, imported := range d.Imported {
				paths = append(paths, imported.File.Path)
			}
		}
		for _, t := range in.Tools {
			if t.File != nil {
				paths = append(paths, t.File.Path)
			}
		}
		if in.StyleDoc != nil {
			paths = append(paths, in.StyleDoc.File.Path)
		}
		for _, p := range paths {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

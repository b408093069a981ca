package review

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Difference is what changed in meaning between two states of a project, each
// compiled by itself.
type Difference struct {
	Base, Head Side
	// Pairs has a row for each prompt: the head's in declared order, then those
	// that only the base has.
	Pairs []*Pair
	// Edits are what changed, each once however many variants it reaches, in
	// the order of the manifest: what concerns a prompt as a whole, then its
	// sections, then its tools.
	Edits []*Edit
	// Texts are the distinct pairs of texts that were compared and differ, with
	// the edits that turn the one into the other.
	Texts []*TextPair
	// Idle are the sources whose change changes no variant, and the files beside
	// them that changed and that no variant reads, by path.
	Idle []Idle
	// Stale are the rendered prompts to render again, in the order of Pairs.
	Stale []Stale
	// Policy is the state whose limits, expectations and checks count beside
	// those of the head; without a Result where the head's count alone.
	Policy Side
	// Over are the budgets that the head exceeds, its own and those of the
	// policy.
	Over []Overrun
}

// Side is one of the two states.
type Side struct {
	// Name is what people call it: the ref as written, "the working tree", "the
	// index", a folder.
	Name string
	// Result is what the state compiles to; nil where nobody wants to know.
	Result *prompt.Result
	// Patterns are those of the files that a manifest was proposed for; nil where
	// somebody wrote it.
	Patterns []string
	// Moved is a manifest that a base without one has elsewhere, and the head no
	// longer has there: its path from the repository's top, "" for none.
	Moved string
}

// Pair is a prompt on both sides.
type Pair struct {
	ID string
	// Base and Head are nil where a side does not have the prompt.
	Base, Head *assembly.Build
	// Was gives for each variant of Head the index in Base.Variants of the one
	// that it is compared with, -1 for none.
	Was []int
	// Affected are the variants of Head that send other bytes, tools included,
	// than the one they are compared with, or have none to compare with. Gone
	// are the variants of Base that no variant of Head is compared with. Each
	// is the zero Set where its side does not have the prompt.
	Affected, Gone ground.Set
	// Includers are the variants of Head, besides those in Affected, that send a
	// template which includes a file that changed.
	Includers ground.Set
}

// Reached gives the variants of Head that send something else, or will once a
// program has rendered their templates.
func (p *Pair) Reached() ground.Set {
	if p.Includers.Size() == 0 {
		return p.Affected
	}
	out := p.Affected.Clone()
	out.Union(p.Includers)
	return out
}

// Came gives the variants of Head that have none to be compared with.
func (p *Pair) Came() ground.Set {
	out := ground.NewSet(len(p.Was))
	for i, was := range p.Was {
		if was < 0 {
			out.Add(i)
		}
	}
	return out
}

// Reached gives the prompts that something changed about, in the order of Pairs.
func (d *Difference) Reached() []*Pair {
	concerned := map[*Pair]bool{}
	for _, e := range d.Edits {
		for _, r := range e.Reach {
			concerned[r.Pair] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Pairs), func(p *Pair) bool {
		return !concerned[p] && p.Reached().Len() == 0 && p.Gone.Len() == 0
	})
}

// Owners gives who owns what a prompt is made from, on either side, sorted; nil
// where nobody says who owns anything.
func (p *Pair) Owners() []string {
	var out []string
	for _, b := range []*assembly.Build{p.Base, p.Head} {
		if b != nil && b.Owners != nil {
			out = append(append([]string{}, out...), b.Owners...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Value is a side of a change that is more than a name or what a manifest says:
// one of the types below.
type Value interface{ isValue() }

// Amount is how many tokens or characters a budget allows.
type Amount int

// Share is a part that a budget allows: 0.15 is 15 %.
type Share float64

// OnlyWarns says whether what is over a budget is a warning, not an error.
type OnlyWarns bool

// Declared is what is declared of a slot.
type Declared struct {
	MaxTokens          int
	Optional, Volatile bool
	Example            string
}

// SectionOut says why a section is left out: what is needed, or is not there.
type SectionOut struct {
	Reason assembly.Reason
	Why    string
}

// Places is how many places of a section have a slot.
type Places int

// Files are the files that a text comes from, in order.
type Files []FoundFile

// FoundFile is such a file, and how it was found; Path is "" for what is in no file
// of its own.
type FoundFile struct {
	Path   string
	Origin assembly.Origin
}

// CountedBy is an estimator: the count of Base times Factor.
type CountedBy struct {
	Base   string
	Factor float64
}

// CheckLevel is how a code counts, as `checks` writes it.
type CheckLevel struct {
	Code  diag.Code
	Level string
}

// RenderedAt says where the texts are that another program assembles; Entry is the
// pattern of entries in the files, "" for whole files.
type RenderedAt struct{ Path, Entry string }

// CharLimit is how many characters a source may have, or each of its files, and
// whether more are cut.
type CharLimit struct {
	Chars          int
	PerSource, Cut bool
}

func (Amount) isValue()     {}
func (Share) isValue()      {}
func (OnlyWarns) isValue()  {}
func (Declared) isValue()   {}
func (SectionOut) isValue() {}
func (Places) isValue()     {}
func (Files) isValue()      {}
func (CountedBy) isValue()  {}
func (CheckLevel) isValue() {}
func (RenderedAt) isValue() {}
func (CharLimit) isValue()  {}

// EditKind says what changed.
type EditKind int

// The kinds of edits, in the order of editKinds.
const (
	PromptAdded EditKind = iota
	PromptRemoved
	AxisAdded       // Name is the axis, To its values
	AxisRemoved     // Name is the axis, From its values
	ValueAdded      // Name is the axis, To the value
	ValueRemoved    // Name is the axis, From the value
	VariantsAdded   // built now, by axes and values that were there
	VariantsRemoved // excluded now
	SettingChanged  // Name is the key (dialect, tokenizer, join …), From and To its values; Was and Is are a CharLimit, or RenderedAt
	BudgetChanged   // Name is the limit (tokens, chars, tool_tokens), or what raises it (plus.tokens); Was and Is are an Amount, a Share or OnlyWarns
	BudgetCrossed   // Name is the limit; Over says in which direction; Used and Limit are what is used and allowed
	SlotChanged     // Name is the slot; Was and Is are Declared, or with a section its Places
	SectionAdded    // declared now
	SectionRemoved  // declared no more
	SectionKept     // declared on both sides; was left out, Was is SectionOut
	SectionDropped  // declared on both sides; is left out, Is is SectionOut; Was where it was, for another reason
	FormChanged     // From and To are forms, or rungs of a ladder, "" for its own text; Stepped says that a budget is why
	FileChanged     // the text comes from other files: Was and Is are Files
	TextChanged     // Hunks; From and To are ids of a section that is called otherwise, with its heading
	ItemAdded
	ItemRemoved
	Moved // From and To are places counted from 1, "last" for the last; where variants have others `behind ID`, `before ID` or `3..5`; of a piece of a conversation its tier, "" for none
	ToolAdded
	ToolRemoved
	ToolChanged  // Leaves
	CacheChanged // Shorter says in which direction; From and To are what first changes from request to request
	BytesChanged // the emitted bytes differ in a way that no other edit shows: Hunks, or Name with From and To
	// PolicyWeakened is a limit that is higher than the policy's, an expectation
	// that is missing, a check that is lower or looks at less. Name is the limit,
	// "expect", "checks", "families", "limits", "locked" or "tokenizer"; the sides as
	// of BudgetChanged and SettingChanged, whose edits it replaces. Of a tokenizer
	// they have a CountedBy, too, of a check that counts for less in some files a
	// CheckLevel; From is "" for all families.
	PolicyWeakened
)

// editKinds has the names of kinds that programs rely on.
var editKinds = []string{
	PromptAdded:     "prompt-added",
	PromptRemoved:   "prompt-removed",
	AxisAdded:       "axis-added",
	AxisRemoved:     "axis-removed",
	ValueAdded:      "value-added",
	ValueRemoved:    "value-removed",
	VariantsAdded:   "variants-added",
	VariantsRemoved: "variants-removed",
	SettingChanged:  "setting-changed",
	BudgetChanged:   "budget-changed",
	BudgetCrossed:   "budget-crossed",
	SlotChanged:     "slot-changed",
	SectionAdded:    "section-added",
	SectionRemoved:  "section-removed",
	SectionKept:     "section-kept",
	SectionDropped:  "section-dropped",
	FormChanged:     "form-changed",
	FileChanged:     "file-changed",
	TextChanged:     "text-changed",
	ItemAdded:       "item-added",
	ItemRemoved:     "item-removed",
	Moved:           "moved",
	ToolAdded:       "tool-added",
	ToolRemoved:     "tool-removed",
	ToolChanged:     "tool-changed",
	CacheChanged:    "cache-changed",
	BytesChanged:    "bytes-changed",
	PolicyWeakened:  "policy-weakened",
}

// String gives the name that programs rely on.
func (k EditKind) String() string { return editKinds[k] }

// ShowsLines reports whether the lines of edits that follow from one of the kind
// are read with it: those of what came, went or comes from another file. The
// others say by themselves what happened.
func (k EditKind) ShowsLines() bool {
	switch k {
	case TextChanged, SectionAdded, SectionRemoved, SectionKept, SectionDropped, ItemAdded, ItemRemoved, FileChanged,
		PromptAdded, AxisAdded, ValueAdded, VariantsAdded:
		return true
	default:
		return false
	}
}

// EditKinds gives all kinds, in order.
func EditKinds() []EditKind {
	out := make([]EditKind, len(editKinds))
	for i := range out {
		out[i] = EditKind(i)
	}
	return out
}

// Edit is one change of meaning with all that it reaches.
type Edit struct {
	Kind EditKind
	// Section is the id of the section, "" for what belongs to none. Item is
	// the name of an item of it, or of a piece of a conversation
	// (`files/src/main.go`, without a section); "" for what stands in several
	// items of a section. Tool is the name of a tool. Where prompts call the
	// section otherwise it is that of the first.
	Section, Item, Tool string
	// Tools are all tools that changed in this way, where they are several: Tool is
	// the first of them. Of a prompt that came or went they are those of its
	// variants.
	Tools []string
	// Name, From and To are as the kind says, and so are Was and Is, nil for none.
	Name, From, To string
	Was, Is        Value
	// Names are all keys that changed where they are several: Name is the first.
	Names []string
	// At is the source of the change, in the head; InBase says that it is in
	// the base, for what is no more. Unknown for what has no place.
	At     diag.Span
	InBase bool
	// Also are the other places, on the side of At, that were edited in the same
	// way: of hunks that stand in several files of a section, or several times
	// in one. In the order in which variants have them.
	Also []diag.Span
	// Hunks are the lines that differ, without context: one hunk with the lines
	// that are gone, then those that came; or, of lines that stand elsewhere now,
	// these.
	Hunks []Hunk
	// Follows is the edit that the lines of this one follow from, such as a
	// section that came, another form, or a tool whose schema the text shows; where
	// variants have them of several, the first. Nil for an edit of its own.
	Follows *Edit
	// Leaves are what differs in a tool, or in each of several; of BytesChanged, in
	// the requests.
	Leaves []Leaf
	// Over says that a limit is exceeded now; else it no longer is. Excess is
	// by how much it is then.
	Over   bool
	Excess Amounts
	// Used and Limit are what the variants use of a budget and what it allows,
	// in the base and in the head, in the unit of the limit.
	Used, Limit [2]Amounts
	// Stepped says that a budget made a section step down to another form.
	Stepped bool
	// Shorter says that the stable prefix became shorter; else it grew.
	Shorter bool
	// Reach are the variants that it reaches, a row for each prompt, in the order of
	// Difference.Pairs. At least one.
	Reach []Reach
	// Event is the class of the edit, one of Events; "" where it changes
	// nothing that is sent.
	Event Event
}

// Row gives the row of a prompt in an edit's reach, which is made where there is
// none yet: over the head or, for what is no more there, over the base.
func (e *Edit) Row(p *Pair, ofBase bool) *Reach {
	for i := len(e.Reach) - 1; i >= 0; i-- {
		if e.Reach[i].Pair == p && e.Reach[i].OfBase == ofBase {
			return &e.Reach[i]
		}
	}
	of := p.Head
	if ofBase {
		of = p.Base
	}
	e.Reach = append(e.Reach, Reach{Pair: p, OfBase: ofBase, In: none(of)})
	return &e.Reach[len(e.Reach)-1]
}

// AddTokens adds a variant, and what the edit adds in it in tokens to what it
// has there already.
func (r *Reach) AddTokens(v *assembly.Variant, n int) {
	r.In.Add(v.Index)
	if r.Tokens == nil {
		r.Tokens = map[int]int{}
	}
	r.Tokens[v.Index] += n
}

// Amounts are the least and the most of some amounts, one for each variant; the
// zero value is for none.
type Amounts struct {
	Low, High int
	Known     bool
}

// Add takes one more amount in.
func (a *Amounts) Add(n int) {
	if !a.Known {
		*a = Amounts{n, n, true}
	}
	a.Low, a.High = min(a.Low, n), max(a.High, n)
}

// String gives `low..high`, or one figure where they are equal.
func (a Amounts) String() string {
	if a.Low == a.High {
		return strconv.Itoa(a.Low)
	}
	return strconv.Itoa(a.Low) + ".." + strconv.Itoa(a.High)
}

// TextPair are two texts that differ, and what turns the one into the other.
type TextPair struct {
	Pair *Pair
	// Base and Head have the two texts; nil for no text. Of variants that are on
	// one side alone the other is the nearest text that was there, or is.
	Base, Head *assembly.Artifact
	// Of are the variants, of the head, or with OfBase of the base.
	Of     []*assembly.Variant
	OfBase bool
	// Hunks are the places where edits stand, and Moves the lines that stand
	// elsewhere, in the order of the head.
	Hunks []TextHunk
	Moves []TextMove
	// Approximate says that fewer lines may differ than are said: the texts are
	// too long and too different.
	Approximate bool
}

// TextHunk is a place of an edit: its removed lines stood from the line BaseLine
// of the base's text on, its added ones stand from HeadLine on. Lines count
// from 1.
type TextHunk struct {
	Edit               *Edit
	BaseLine, HeadLine int
}

// TextMove are lines that stood from BaseLine on and stand from HeadLine on.
type TextMove struct {
	Edit                      *Edit
	BaseLine, HeadLine, Count int
}

// Hunk is a run of lines that differ.
type Hunk struct {
	// Heading is the nearest Markdown heading above, "" for none.
	Heading string
	// Line is the number of the first differing line in the new text.
	Line int
	// At is the source of the lines, as Edit.At is that of the edit; InBase
	// says that it is in the base. Unknown for what has no place.
	At     diag.Span
	InBase bool
	Lines  []HunkLine
	// In and Of say, where a report has several edits in one, that only so many of
	// the variants that it reaches have these lines; 0 for all.
	In, Of int
}

// HunkLine is a line that is gone ('-'), came ('+') or stands elsewhere (' ').
type HunkLine struct {
	Sign byte
	Text string // without its line break
	Open bool   // has no line break
}

// Leaf is one place of a tool's definition or of a request that differs: the
// steps that lead to it. From and To are JSON in one line, "" where the place is
// not there.
type Leaf struct {
	Steps    []ground.PathStep
	From, To string
}

// Reach says which variants of one prompt an edit reaches.
type Reach struct {
	Pair *Pair
	// OfBase says that the sets are over Pair.Base, for what is no more; else
	// they are over Pair.Head.
	OfBase bool
	In     ground.Set
	// Tokens is the difference in tokens for each variant that is reached, by
	// index; nil where the edit has no size. For CacheChanged it is the
	// difference of what is sent again with each request.
	Tokens map[int]int
	// Missed are the variants that could have the edit and do not, by cause.
	Missed []Missed
}

// Missed are variants that an edit does not reach, for one cause.
type Missed struct {
	Cause Cause
	// Why is what the cause is about: a file, a tool, an axis; may be "".
	Why string
	Set ground.Set // over the same build as Reach.In
	// Partly says, where a report has several edits in one, that the variants still
	// have some of what these replaced.
	Partly bool
	// More are the other files besides Why.
	More []string
}

// SameCause reports whether the variants of another row are not reached for the same
// cause.
func (m Missed) SameCause(o Missed) bool {
	return m.Cause == o.Cause && m.Why == o.Why && slices.Equal(m.More, o.More)
}

// All gives the variants that are reached, those whose templates include the file
// among them.
func (r Reach) All() ground.Set {
	out := r.In
	for _, m := range r.Missed {
		if m.Cause == CauseIncludes {
			out = out.Clone()
			out.Union(m.Set)
		}
	}
	return out
}

// Cause says why an edit does not reach a variant.
type Cause int

// The causes, in the order of causes.
const (
	CauseWhen       Cause = iota // the section's condition does not hold
	CauseNeeds                   // the toolset lacks a tool
	CauseOnly                    // the section selects other tools or entries
	CauseFile                    // the variant reads another file: Why
	CauseForm                    // its form does not show it: Why
	CauseBudget                  // dropped to fit
	CauseUnnamed                 // the toolset has the tool, the text does not name it; Reach.In may hold those that send its schema
	CauseAbsent                  // nothing of the kind is there, or it is empty
	CauseStale                   // still the text that the edit replaced; Why is the file that it reads
	CauseNew                     // built now, so that there is nothing to compare it with; said beside others that are missed
	CauseOther                   // its own text for the section
	CauseIncludes                // reached all the same: its file Why is a template that includes the changed one
	CauseMayInclude              // not known: its file Why names others by computed names, or several could be meant
)

var causes = []string{
	CauseWhen:    "when",
	CauseNeeds:   "needs",
	CauseOnly:    "only",
	CauseFile:    "file",
	CauseForm:    "form",
	CauseBudget:  "budget",
	CauseUnnamed: "unnamed",
	CauseAbsent:  "absent",
	CauseStale:   "old-text",
	CauseNew:     "new",
	CauseOther:   "other-text",

	CauseIncludes: "includes", CauseMayInclude: "may-include",
}

// String gives the name that programs rely on.
func (c Cause) String() string { return causes[c] }

// OfTemplates reports whether variants with the cause are not missed, or not known
// to be: what their templates include decides.
func (c Cause) OfTemplates() bool { return c == CauseIncludes || c == CauseMayInclude }

// Event is a class of edits: what a running agent would be told of them.
type Event string

// The events. There are no hooks here, so the last is in the enumeration and
// never happens.
const (
	PromptUpdated Event = "system-prompt-updated"
	ModeChanged   Event = "mode-changed"
	SkillsUpdated Event = "active-skills-updated"
	ToolsUpdated  Event = "active-tools-updated"
	MCPUpdated    Event = "active-mcp-updated"
	HooksUpdated  Event = "active-hooks-updated"
)

// Events gives all events in the order of the enumeration.
func Events() []Event {
	return []Event{PromptUpdated, ModeChanged, SkillsUpdated, ToolsUpdated, MCPUpdated, HooksUpdated}
}

// Stale is a prompt that another program renders, with inputs that changed and no
// text that did.
type Stale struct {
	Pair   *Pair
	Inputs []Idle
	At     diag.Span // where the head's manifest names the inputs
}

// Recorded reports whether promptc records the texts.
func (s Stale) Recorded() bool { return s.Pair.Head != nil && s.Pair.Head.Prompt.Record != nil }

// Idle is a source that changed without a variant that did, or a file that no
// variant reads.
type Idle struct {
	Path string // relative to the manifest's folder
	// Was is, of a file that moved, where it was, with the same text; Files is
	// 1 then. Where several moved with their folder it is how many did, and
	// Path and Was are those of the folder.
	Was   string
	Files int
	// Added and Removed say that only one side has the file.
	Added, Removed bool
	// Unread says that no variant reads the file, on either side. Entries is, of
	// a snapshot file, how many of the entries that no pattern stands for changed,
	// came or went. Partial says that Path is a folder in which not all files
	// could be compared.
	Unread  bool
	Entries int
	Partial bool
	// LineEnds says that nothing but the line ends changed, which texts do not
	// keep, in so many Files: one row for all, with the path of the first.
	LineEnds bool
	// Includer is a template that includes the file and is sent by the variants
	// Reaches; with Unsure it may include it. "" for none.
	Includer string
	Reaches  []*assembly.Variant
	Unsure   bool
	At       diag.Span // the first line that differs, in the head; in the base where it is removed
}

package prompt

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
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
	Result *Result
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
	Base, Head *Build
	// Was gives for each variant of Head the index in Base.Variants of the one
	// that it is compared with, -1 for none.
	Was []int
	// Affected are the variants of Head that send other bytes, tools included,
	// than the one they are compared with, or have none to compare with. Gone
	// are the variants of Base that no variant of Head is compared with. Each
	// is the zero Set where its side does not have the prompt.
	Affected, Gone Set
}

// Came gives the variants of Head that have none to be compared with.
func (p *Pair) Came() Set {
	out := NewSet(len(p.Was))
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
		return !concerned[p] && p.Affected.Len() == 0 && p.Gone.Len() == 0
	})
}

// Owners gives who owns what a prompt is made from, on either side, sorted; nil
// where nobody says who owns anything.
func (p *Pair) Owners() []string {
	var out []string
	for _, b := range []*Build{p.Base, p.Head} {
		if b != nil && b.Owners != nil {
			out = append(append([]string{}, out...), b.Owners...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

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
	SettingChanged  // Name is the key (dialect, tokenizer, join …), From and To its values
	BudgetChanged   // Name is the limit (tokens, chars, tool_tokens), or what raises it (plus.tokens), From and To the figures
	BudgetCrossed   // Name is the limit; Over says in which direction; Used and Limit are what is used and allowed
	SlotChanged     // Name is the slot, From and To what is declared, or with a section at how many places it has the slot, "" for none
	SectionAdded    // declared now
	SectionRemoved  // declared no more
	SectionKept     // declared on both sides; was left out, From is why
	SectionDropped  // declared on both sides; is left out, To is why; From where it was, for another reason
	FormChanged     // From and To are forms, or rungs of a ladder
	FileChanged     // the text comes from another file: From and To are paths, with how they were found
	TextChanged     // Hunks; From and To are ids of a section that is called otherwise, with its heading
	ItemAdded
	ItemRemoved
	Moved // From and To are places counted from 1, "last" for the last; where variants have others `behind ID`, `before ID` or `3..5`; of a piece of a conversation its tier
	ToolAdded
	ToolRemoved
	ToolChanged  // Leaves
	CacheChanged // Shorter says in which direction; From and To are what first changes from request to request
	BytesChanged // the emitted bytes differ in a way that no other edit shows: Hunks, or Name with From and To
	// PolicyWeakened is a limit that is higher than the policy's, an expectation
	// that is missing, a check that is lower or looks at less. Name is the limit,
	// "expect", "checks", "families", "limits" or "tokenizer"; From and To as of
	// BudgetChanged and SettingChanged, whose edits it replaces.
	PolicyWeakened
)

// editKinds is the table of kinds: the name that programs rely on and the words
// that people read.
var editKinds = []struct{ name, words string }{
	PromptAdded:     {"prompt-added", "prompt added"},
	PromptRemoved:   {"prompt-removed", "prompt removed"},
	AxisAdded:       {"axis-added", "axis added"},
	AxisRemoved:     {"axis-removed", "axis removed"},
	ValueAdded:      {"value-added", "value added"},
	ValueRemoved:    {"value-removed", "value removed"},
	VariantsAdded:   {"variants-added", "built now"},
	VariantsRemoved: {"variants-removed", "no longer built"},
	SettingChanged:  {"setting-changed", "changed"},
	BudgetChanged:   {"budget-changed", "budget changed"},
	BudgetCrossed:   {"budget-crossed", "budget crossed"},
	SlotChanged:     {"slot-changed", "slot changed"},
	SectionAdded:    {"section-added", "added"},
	SectionRemoved:  {"section-removed", "removed"},
	SectionKept:     {"section-kept", "in now"},
	SectionDropped:  {"section-dropped", "left out now"},
	FormChanged:     {"form-changed", "form"},
	FileChanged:     {"file-changed", "file"},
	TextChanged:     {"text-changed", "text changed"},
	ItemAdded:       {"item-added", "added"},
	ItemRemoved:     {"item-removed", "removed"},
	Moved:           {"moved", "moved"},
	ToolAdded:       {"tool-added", "added"},
	ToolRemoved:     {"tool-removed", "removed"},
	ToolChanged:     {"tool-changed", "changed"},
	CacheChanged:    {"cache-changed", "stable prefix"},
	BytesChanged:    {"bytes-changed", "emitted bytes changed"},
	PolicyWeakened:  {"policy-weakened", "policy weakened"},
}

// String gives the name that programs rely on.
func (k EditKind) String() string { return editKinds[k].name }

// Words gives what people read.
func (k EditKind) Words() string { return editKinds[k].words }

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
	// Name, From and To are as the kind says.
	Name, From, To string
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
	e.Reach = append(e.Reach, Reach{Pair: p, OfBase: ofBase, In: of.none()})
	return &e.Reach[len(e.Reach)-1]
}

// AddTokens adds a variant, and what the edit adds in it in tokens to what it
// has there already.
func (r *Reach) AddTokens(v *Variant, n int) {
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
	Base, Head *Artifact
	// Of are the variants, of the head, or with OfBase of the base.
	Of     []*Variant
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
	Steps    []PathStep
	From, To string
}

// PathStep leads from a value of JSON into it: to a key of an object or, with Element,
// to a place in a list, counted from 0.
type PathStep struct {
	Key     string
	Element bool
}

// Reach says which variants of one prompt an edit reaches.
type Reach struct {
	Pair *Pair
	// OfBase says that the sets are over Pair.Base, for what is no more; else
	// they are over Pair.Head.
	OfBase bool
	In     Set
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
	Set Set // over the same build as Reach.In
	// Partly says, where a report has several edits in one, that the variants still
	// have some of what these replaced.
	Partly bool
}

// Cause says why an edit does not reach a variant.
type Cause int

// The causes, in the order of causes.
const (
	CauseWhen    Cause = iota // the section's condition does not hold
	CauseNeeds                // the toolset lacks a tool
	CauseOnly                 // the section selects other tools or entries
	CauseFile                 // the variant reads another file: Why
	CauseForm                 // its form does not show it: Why
	CauseBudget               // dropped to fit
	CauseUnnamed              // the toolset has the tool, the text does not name it; Reach.In may hold those that send its schema
	CauseAbsent               // nothing of the kind is there, or it is empty
	CauseStale                // still the text that the edit replaced; Why is the file that it reads
	CauseNew                  // built now, so that there is nothing to compare it with; said beside others that are missed
	CauseOther                // its own text for the section
)

var causes = []struct{ name, words string }{
	CauseWhen:    {"when", "when"},
	CauseNeeds:   {"needs", "needs"},
	CauseOnly:    {"only", "only"},
	CauseFile:    {"file", "other file"},
	CauseForm:    {"form", "other form"},
	CauseBudget:  {"budget", "dropped"},
	CauseUnnamed: {"unnamed", "their toolset has it, their text does not name it"},
	CauseAbsent:  {"absent", "not there"},
	CauseStale:   {"old-text", "still the old text"},
	CauseNew:     {"new", "new"},
	CauseOther:   {"other-text", "other text"},
}

// String gives the name that programs rely on.
func (c Cause) String() string { return causes[c].name }

// Words gives what people read.
func (c Cause) Words() string { return causes[c].words }

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

// Stale is a prompt that another program renders, from inputs of which some
// changed while none of its texts did.
type Stale struct {
	Pair   *Pair
	Inputs []Idle
	At     diag.Span // where the head's manifest names the inputs
}

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
	At       diag.Span // the first line that differs, in the head; in the base where it is removed
}

package assembly

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Artifact is what one variant emits, with its ledger.
type Artifact struct {
	Build   *Build
	Variant *Variant
	// Parts follow one another without a gap; together they are the text (of
	// all messages, one after another).
	Parts []Part
	// Messages say who says which parts: one system message for a prompt of
	// sections alone, none where nothing is said. The dialect `text` has them
	// too, and emits their text.
	Messages []Message
	Cache    Cache
	// Used holds for each section of the prompt what it says on the rung that
	// it ended on, also where that has no text; nil where the section is out.
	Used []*Rendering
	// Beside are the tools whose schemas go next to the text, in order.
	Beside []*language.Tool
	// Toolset are all tools of the variant, in order of first appearance.
	Toolset []*language.Tool
	// Out are the sections that are not in, in the variant's order.
	Out []Omission
	// Choices are the sections that competed under the layout `phases`, in
	// the order of its walk; nil under any other.
	Choices []Choice
	// Notice says that a part names what was dropped: NoticePart.
	Notice bool
	// Tokens is the count of the emitted text; Use adds each slot's
	// max_tokens and is what a budget limits. ToolTokens is the count of the
	// native schemas in compact canonical JSON.
	Tokens, Use, ToolTokens int
	// Chars counts runes.
	Chars int
}

// Part is a run of the emitted text: a section, or what stands between two.
type Part struct {
	// Section is an index into Prompt.Sections, -1 for a join and for the
	// final line break.
	Section   int
	Text      string
	Rendering *Rendering // nil for joins and for what a conversation says
	// Passage is what a conversation says; nil for sections and their joins.
	Passage *Passage
	Start   int // byte offset in the emitted text
	// Total is the token count of the emitted text up to the end of the
	// part. A section's contribution counts the join before it.
	Total int
}

// Counted is what of a part counts: its text without the tags of a template.
func (p Part) Counted() string {
	if p.Rendering == nil || len(p.Rendering.Tags) == 0 {
		return p.Text
	}
	return templates.Prose(p.Text, p.Rendering.Tags)
}

// Asks reports whether a part is what the user asks now, which nobody has to
// declare volatile.
func (p Part) Asks() bool {
	return p.Passage != nil && p.Passage.Content != nil && p.Passage.Content.Kind == ContentPrompt
}

// Choice is what the layout `phases` decided of one section that had
// something to say.
type Choice struct {
	Section int
	Phase   string
	Score   float64
	Sticky  bool
	Kept    bool
	// Tokens is what the section added with its join when it was taken, or
	// would have added on the last rung that was tried, its slots included, which
	// may grow to Slots.
	Tokens, Slots int
	// Left is what the budget had left, in tokens, when it was the section's
	// turn; -1 without a budget.
	Left int
	// Chars and CharsLeft are the same in runes, for a budget in characters;
	// CharsLeft is -1 without one.
	Chars, CharsLeft int
	// Ended says that under `fill: stop` the walk had ended before it was the
	// section's turn.
	Ended bool
	// Steps are the rungs that it went down, in order; nil for none. Tried says
	// of each rung that did not fit by how much, the fullest first.
	Steps []string
	Tried []Refusal
}

// Refusal says why a section does not stand on a rung of its ladder: with it
// the text was over its budget. For a sticky section that is the text of the
// sticky sections alone.
type Refusal struct {
	// Step counts the rungs: 0 is the fullest, others are in Use.Steps.
	Step            int
	Over, OverChars int
}

// Omission is a section that a variant does not have.
type Omission struct {
	Section int
	Reason  Reason
	Why     string
}

// String gives the reason in the outlines' words.
func (o Omission) String() string { return strings.TrimSpace(o.Reason.String() + " " + o.Why) }

// Text gives the emitted bytes.
func (a *Artifact) Text() string {
	var b strings.Builder
	for _, p := range a.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Bytes gives the length of the emitted text.
func (a *Artifact) Bytes() int {
	if len(a.Parts) == 0 {
		return 0
	}
	last := a.Parts[len(a.Parts)-1]
	return last.Start + len(last.Text)
}

// CachedTools gives the tokens of the schemas that a provider's cached prefix begins
// with.
func (a *Artifact) CachedTools() int {
	if a.Variant.Shape().CachesTools {
		return a.ToolTokens
	}
	return 0
}

// NoticePart gives the index of the part that names what was dropped, -1 for
// none: it is the last, but for a text's final line break.
func (a *Artifact) NoticePart() int {
	i := len(a.Parts) - 1
	if !a.Variant.Shape().JSON {
		i--
	}
	if !a.Notice || i < 0 || a.Parts[i].Section >= 0 {
		return -1
	}
	return i
}

// Output is one file that a build wants on disk.
type Output struct {
	// Path is relative to the manifest's folder.
	Path string
	// Parts are what the file holds, one after another. Artifacts share those
	// of their renderings: joined, all of them are too many.
	Parts []string
	// Owner says what the file stands for; zero for generated indexes.
	Owner Owner
}

// Content joins the parts.
func (o *Output) Content() string { return strings.Join(o.Parts, "") }

// OutputKind tells what a file under snapshots/ or dist/ holds.
type OutputKind int

// The kinds of outputs.
const (
	OutIndex     OutputKind = iota // README.md, dist/manifest.json
	OutOutline                     // outline.txt
	OutRendering                   // sections/<id>.txt
	OutItem                        // sections/<id>/<item>.txt
	OutTool                        // tools/<name>.json
	OutFull                        // full/<variant>.txt
	OutArtifact                    // dist/<prompt>/<variant>.txt, .json and .tools.json
	OutContent                     // files/<path>.txt and other contents of conversations
	OutCode                        // generated code of a binding
)

// Owner ties an output to what it was made from.
type Owner struct {
	Kind    OutputKind
	Prompt  string
	Section string // "" for tools, outlines and full variants
	Item    string // item, tool or variant name
	Image   bool   // it describes an image, whose bytes never reach a snapshot
	Project string // in a workspace, the folder of an index's project
	// Text is the content with the places it came from, where it has any; ""
	// for artifacts.
	Text ground.Text
	// Users are the variants that have the text, a row for each prompt that
	// uses the file, in declared order; none for artifacts, whose Item says it.
	Users []Users
}

// Users are the variants of one prompt that have a text.
type Users struct {
	Build *Build
	Set   ground.Set
}

// Generated is the code of a binding.
type Generated struct {
	Binding language.BindingFolder
	Files   []Output
}

// Texts gives the texts that the ledger counts, each in its parts: the emitted text, or
// in a request body each text that the provider gets by itself. The counts of these add
// up to Tokens.
func (a *Artifact) Texts() [][]string {
	var out [][]string
	for _, r := range a.Runs() {
		var parts []string
		for _, p := range a.Parts[r.From:r.To] {
			parts = append(parts, p.Counted())
		}
		out = append(out, parts)
	}
	return out
}

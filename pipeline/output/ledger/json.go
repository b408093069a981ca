package ledger

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// VariantJSON has the sizes of a variant: of its text, or of the texts in its
// request body.
type VariantJSON struct {
	Name string `json:"name"`
	// Dialect is left out for a text.
	Dialect   string `json:"dialect,omitempty"`
	Tokenizer string `json:"tokenizer"`
	// Estimate says that all counts of tokens are estimates; Error is the one
	// that is stated, left out where nobody states any.
	Estimate   bool       `json:"estimate,omitempty"`
	Error      *float64   `json:"error,omitempty"`
	Tokens     int        `json:"tokens"`
	Use        int        `json:"use"`
	ToolTokens int        `json:"tool_tokens"`
	Characters int        `json:"characters"`
	Bytes      int        `json:"bytes"`
	Budget     jsonBudget `json:"budget"`
	Context    int        `json:"context,omitempty"`
	Cache      *jsonCache `json:"cache,omitempty"`
}

// jsonBudget has null for what is not limited.
type jsonBudget struct {
	Tokens     *int `json:"tokens"`
	Characters *int `json:"characters"`
	ToolTokens *int `json:"tool_tokens"`
	// Default says that nobody declared it: layout phases.
	Default bool `json:"default,omitempty"`
}

// Sized gives a variant with its sizes and limits, as JSON has it.
func Sized(spec *language.Spec, a *assembly.Artifact) VariantJSON {
	b := a.Variant.Budget
	var stated *float64
	if e := spec.Estimator(a.Variant.Tokenizer); e != nil {
		stated = &e.Error
	}
	return VariantJSON{
		Estimate: a.Variant.Estimated(spec), Error: stated,
		Name: a.Variant.Name, Dialect: Dialect(a), Tokenizer: a.Variant.Tokenizer, Tokens: a.Tokens, Use: a.Use,
		ToolTokens: a.ToolTokens, Characters: a.Chars, Bytes: a.Bytes(),
		Budget:  jsonBudget{limited(b.Tokens), limited(b.Chars), limited(b.ToolTokens), b.Default},
		Context: a.Variant.Context, Cache: cached(a),
	}
}

func limited(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

// Facts is what explain prints, as JSON and in words.
type Facts struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	Variant  VariantJSON   `json:"variant"`
	Sections []jsonSection `json:"sections"`
	Omitted  []jsonOmitted `json:"omitted"`
	Cuts     []jsonCut     `json:"cuts"`
	Slots    []jsonSlot    `json:"slots"`
	Tags     int           `json:"tags,omitempty"`
	Fields   []string      `json:"fields,omitempty"`
	Tools    []jsonTool    `json:"tools"`
	// Toolset is what there is to say of all of them together; left out where
	// there are none.
	Toolset *jsonToolset `json:"toolset,omitempty"`
	// Messages are those of a request body; left out for a text.
	Messages []jsonMessage `json:"messages,omitempty"`
	// Steps are the ladders that sections went down, also those that have no
	// text or found no place.
	Steps []jsonSteps `json:"steps,omitempty"`
	// What the layout `phases` decided; left out under any other. Notice is
	// the line that names what was dropped.
	Choices []jsonChoice `json:"choices,omitempty"`
	Notice  *jsonNotice  `json:"notice,omitempty"`
	Shrink  *jsonShrink  `json:"shrink,omitempty"`
	// WhatIf says that the variant was composed with another budget.
	WhatIf *jsonWhatIf `json:"what_if,omitempty"`
}

type jsonSteps struct {
	Section string   `json:"section"`
	Steps   []string `json:"steps"`
}

type jsonNotice struct {
	Tokens int `json:"tokens"`
	Total  int `json:"total"`
	Start  int `json:"start"`
	End    int `json:"end"`
}

type jsonSection struct {
	ID string `json:"id"`
	// Step is the form or source that the section stepped down to.
	Step string `json:"step,omitempty"`
	// Tokens is what the section adds to the text, with its join; SlotTokens
	// what its slots may add to that. Total is the text's up to its end.
	Tokens     int `json:"tokens"`
	SlotTokens int `json:"slot_tokens,omitempty"`
	Total      int `json:"total"`
	// Start and End are bytes of the emitted text.
	Start int         `json:"start"`
	End   int         `json:"end"`
	From  []jsonLines `json:"from"`
	Marks []string    `json:"marks,omitempty"`
	// Progress is that of the goal that the section shows.
	Progress *jsonProgress `json:"progress,omitempty"`
}

type jsonLines struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
}

// jsonOmitted is a section that is out, or something that the conversation
// shows elsewhere: "symbols/main.go".
type jsonOmitted struct {
	Section string `json:"section,omitempty"`
	Content string `json:"content,omitempty"`
	Reason  string `json:"reason"`
	Why     string `json:"why,omitempty"`
	reason  assembly.Reason
	says    string // both in words
}

type jsonCut struct {
	Section  string `json:"section"`
	File     string `json:"file,omitempty"`
	Original int    `json:"original"`
	Included int    `json:"included"`
	Limit    int    `json:"limit"`
}

type jsonSlot struct {
	Name      string `json:"name"`
	Places    int    `json:"places"`
	MaxTokens int    `json:"max_tokens"`
	Optional  bool   `json:"optional,omitempty"`
	Volatile  bool   `json:"volatile,omitempty"`
	slot      *language.Slot
}

type jsonTool struct {
	Name string `json:"name"`
	// Beside says that the schema goes next to the text.
	Beside bool `json:"beside"`
	// Tokens are those of the definition as it is sent, beside the text or in
	// it; 0 where it is only declared.
	Tokens int `json:"tokens"`
	// Takers are the Model Context Protocol, as "mcp", and the dialects.
	Takers []jsonTaker `json:"takers"`
}

// JSON writes the ledger of one variant as one versioned document.
func JSON(w io.Writer, r *prompt.Result, a *assembly.Artifact, with With, opt words.Options) error {
	return words.Encode(w, Of(r, a, with, opt), opt.Masking(r))
}

package report

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// ledger is what explain prints as JSON.
type ledger struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	Variant  jsonVariant   `json:"variant"`
	Sections []jsonSection `json:"sections"`
	Omitted  []jsonOmitted `json:"omitted"`
	Cuts     []jsonCut     `json:"cuts"`
	Slots    []jsonSlot    `json:"slots"`
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

// ListJSON writes the sizes of variants as one versioned document.
func ListJSON(w io.Writer, artifacts []*prompt.Artifact) error {
	doc := struct {
		Version  int           `json:"version"`
		Command  string        `json:"command"`
		Variants []jsonVariant `json:"variants"`
	}{jsonVersion, "list", []jsonVariant{}}
	for _, a := range artifacts {
		doc.Variants = append(doc.Variants, sized(a))
	}
	return encode(w, doc, Options{})
}

// ExplainJSON writes the ledger of one variant as one versioned document.
func ExplainJSON(w io.Writer, r *prompt.Result, a *prompt.Artifact, with ExplainWith, opt Options) error {
	doc := ledger{
		Version: jsonVersion, Command: "explain", Variant: sized(a),
		Sections: []jsonSection{}, Omitted: []jsonOmitted{}, Cuts: []jsonCut{}, Slots: []jsonSlot{}, Tools: []jsonTool{},
	}
	var manifest *diag.File
	if r.Spec != nil {
		manifest = r.Spec.File
	}
	for _, l := range ladders(a) {
		doc.Steps = append(doc.Steps, jsonSteps{a.Build.Prompt.Sections[l.section].ID.Str, l.labels})
	}
	doc.Messages = messages(a, manifest, opt)
	doc.compete(r, a, with)
	for _, e := range entries(a) {
		switch {
		case e.content != "":
			continue // stands in the messages
		case e.section == nil:
			doc.Notice = &jsonNotice{e.tokens, e.total, e.start, e.end}
			continue
		}
		s := jsonSection{
			ID: e.section.ID.Str, Step: e.step, Tokens: e.tokens, SlotTokens: e.slots, Total: e.total, Start: e.start, End: e.end,
			From: fromLines(e.segs(a), manifest, opt),
		}
		if e.rendering != nil {
			s.Marks, s.Progress = e.rendering.Marks, progressOf(e.rendering)
			doc.Cuts = append(doc.Cuts, cuts(s.ID, e.rendering, opt)...)
		}
		doc.Sections = append(doc.Sections, s)
	}
	for _, o := range a.Out {
		doc.Omitted = append(doc.Omitted, jsonOmitted{Section: a.Build.Prompt.Sections[o.Section].ID.Str, Reason: o.Reason.String(), Why: o.Why})
	}
	for _, l := range leftOut(r, a) {
		doc.Omitted = append(doc.Omitted, jsonOmitted{Content: l.Content().Name(), Reason: l.Why})
	}
	for _, s := range slots(a) {
		doc.Slots = append(doc.Slots, jsonSlot{s.slot.Name.Str, s.places, s.slot.MaxTokens, s.slot.Optional, s.slot.Volatile})
	}
	doc.tools(a, with.Tools, opt)
	return encode(w, doc, opt.of(r))
}

func progressOf(r *prompt.Rendering) *jsonProgress {
	if r.Progress == nil {
		return nil
	}
	return &jsonProgress{r.Progress.Completed, r.Progress.Total}
}

func cuts(section string, r *prompt.Rendering, opt Options) []jsonCut {
	var out []jsonCut
	for _, c := range r.Cuts {
		made := jsonCut{Section: section, Original: c.Original, Included: c.Included, Limit: c.Limit}
		if c.File != nil {
			made.File = opt.path(c.File.Path)
		}
		out = append(out, made)
	}
	return out
}

// ExplainCodeJSON writes what a code means as one versioned document.
func ExplainCodeJSON(w io.Writer, e diag.Entry) error {
	return encode(w, struct {
		Version     int       `json:"version"`
		Command     string    `json:"command"`
		Code        diag.Code `json:"code"`
		Level       string    `json:"level"`
		Title       string    `json:"title"`
		Explanation string    `json:"explanation"`
	}{jsonVersion, "explain", e.Code, e.Level.String(), e.Title, e.Explanation}, Options{})
}

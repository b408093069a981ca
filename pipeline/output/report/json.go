package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// FormatVersion is the version of the documents. Fields may be added to a
// version; none is renamed, removed or given another meaning.
const FormatVersion = 1

// document is what build and check print as JSON.
type document struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	Status   Verdict       `json:"status"`
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Notes    int           `json:"notes"`
	Findings []JsonFinding `json:"findings"`
	// Off are the findings that settings leave out, with the reason.
	Off       []JsonOff    `json:"off"`
	Prompts   []jsonPrompt `json:"prompts"`
	Changes   []jsonChange `json:"changes"`
	Artifacts []jsonFile   `json:"artifacts"`
	Bindings  []jsonFile   `json:"bindings,omitempty"`
	// Wrote says which of the two kinds of files were written.
	Wrote jsonWrote `json:"wrote"`
}

type jsonWrote struct {
	Snapshots bool `json:"snapshots"`
	Artifacts bool `json:"artifacts"`
}

type JsonFinding struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	*JsonPlace
	Message string   `json:"message"`
	Detail  []string `json:"detail,omitempty"`
	Hint    string   `json:"hint,omitempty"`
	// Prompts are those that it is about; none where it is about the input.
	Prompts []string `json:"prompts,omitempty"`
	// Variants are those of which the message or the detail names some only.
	Variants []string `json:"variants,omitempty"`
}

type JsonOff struct {
	JsonFinding
	Reason string `json:"reason"`
}

// JsonPlace counts lines and columns from 1, columns in code points; the end
// is behind the last character.
type JsonPlace struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

type jsonPrompt struct {
	ID         string        `json:"id"`
	Renderings int           `json:"renderings"`
	Changed    int           `json:"changed"`
	Added      int           `json:"added"`
	Removed    int           `json:"removed"`
	Variants   []JsonVariant `json:"variants"`
}

// JsonVariant has the sizes of a variant: of its text, or of the texts in its
// request body.
type JsonVariant struct {
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

type jsonFile struct {
	Path   string `json:"path"`
	Status string `json:"status"`
}

type jsonChange struct {
	jsonFile
	Kind string `json:"kind"`
	// Cause is why it differs; left out where it was written.
	Cause   string     `json:"cause,omitempty"`
	Prompt  string     `json:"prompt,omitempty"`
	Section string     `json:"section,omitempty"`
	Item    string     `json:"item,omitempty"`
	Source  *JsonPlace `json:"source,omitempty"`
	// Tokens is the difference; left out where there is none to count.
	Tokens   *int     `json:"tokens,omitempty"`
	Variants []holder `json:"variants,omitempty"`
	// Leaves are the places in which the definition of a tool differs.
	Leaves []JsonLeaf `json:"leaves,omitempty"`
}

// JSON writes a run of build or check as one versioned document.
func JSON(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	f := FactsOf(r, did, opt)
	findings := f.findings
	doc := document{
		Version: FormatVersion, Command: did.Command, Status: f.Verdict,
		Errors: findings.Count(diag.Error), Warnings: findings.Count(diag.Warning), Notes: findings.Count(diag.Note),
		Findings: []JsonFinding{}, Off: JsonOffOf(opt, r.Off), Prompts: prompts(r), Changes: []jsonChange{}, Artifacts: []jsonFile{},
		Wrote: jsonWrote{did.Snapshots, did.Artifacts},
	}
	for _, d := range findings {
		doc.Findings = append(doc.Findings, JsonFindingOf(opt, d))
	}
	for _, c := range f.changes {
		doc.Changes = append(doc.Changes, changed(c, opt))
	}
	if d := r.Delta; d != nil {
		doc.Artifacts = emitted(doc.Artifacts, &d.Artifacts, did, opt)
		for i := range d.Bindings {
			doc.Bindings = emitted(doc.Bindings, &d.Bindings[i], did, opt)
		}
	}
	return Encode(w, doc, opt.Masking(r))
}

// emitted adds the files of a folder that differ, or that were written.
func emitted(to []jsonFile, e *store.Emitted, did Outcome, opt Options) []jsonFile {
	if e.Have || did.Artifacts {
		for _, c := range e.Changes {
			to = append(to, jsonFile{opt.Path(c.Output.Path), status(c.Status)})
		}
	}
	return to
}

func JsonFindingOf(o Options, d diag.Diagnostic) JsonFinding {
	x := ProblemOf(o, d)
	out := JsonFinding{x.Rule, x.Level.String(), x.Place, x.Message, x.Detail, x.hint, x.Prompts, d.What.Unnamed()}
	for _, w := range d.Detail {
		out.Variants = append(out.Variants, w.Unnamed()...)
	}
	return out
}

func prompts(r *prompt.Result) []jsonPrompt {
	out := []jsonPrompt{}
	byBuild := r.Plan.ByBuild(r.Artifacts)
	for i, b := range builds(r) {
		made := jsonPrompt{
			ID: b.id, Renderings: b.renderings, Changed: b.files[store.Changed], Added: b.files[store.Added], Removed: b.files[store.Orphaned],
			Variants: []JsonVariant{},
		}
		for _, a := range byBuild[r.Plan.Builds[i]] {
			if a != nil {
				made.Variants = append(made.Variants, Sized(r.Spec, a))
			}
		}
		out = append(out, made)
	}
	return out
}

func Sized(spec *language.Spec, a *assembly.Artifact) JsonVariant {
	b := a.Variant.Budget
	var stated *float64
	if e := spec.Estimator(a.Variant.Tokenizer); e != nil {
		stated = &e.Error
	}
	return JsonVariant{
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

func changed(c fileChange, opt Options) jsonChange {
	owner := c.Output.Owner
	out := jsonChange{
		jsonFile: jsonFile{c.path, status(c.Status)}, Kind: kind(c.kind), Cause: cause(c.Cause),
		Prompt: owner.Prompt, Section: owner.Section, Item: owner.Item, Source: opt.Place(c.at),
		Tokens: c.tokens, Variants: c.users(),
	}
	for _, l := range c.leaves {
		out.Leaves = append(out.Leaves, JsonLeaf(l))
	}
	return out
}

// kind names a kind of output, in words that programs may rely on.
func kind(k assembly.OutputKind) string {
	return [...]string{"index", "outline", "rendering", "item", "tool", "full", "artifact", "content"}[k]
}

// status names what became of a file, in words that programs may rely on.
func status(s store.Status) string {
	return [...]string{"unchanged", "added", "changed", "orphaned"}[s]
}

// Place gives a span by lines and columns, nil where it is no place.
func (o Options) Place(at diag.Span) *JsonPlace {
	if !at.Known() {
		return nil
	}
	out := JsonPlace{File: o.Path(at.File.Path)}
	out.Line, out.Column = at.File.Position(at.Start)
	out.EndLine, out.EndColumn = at.File.Position(max(at.Start, at.End))
	return &out
}

// Position is the place as editors take it.
func (p *JsonPlace) Position() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Encode writes a value as indented JSON in which everything that a terminal
// would act upon, or not show, is escaped.
func Encode(w io.Writer, v any, opt Options) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode as JSON: %w", err)
	}
	_, err := w.Write(EscapeHidden(MaskStrings(b.Bytes(), opt.Keys())))
	return err
}

// MaskStrings masks the keys in the strings of a document.
func MaskStrings(text []byte, keys *secret.Known) []byte {
	out, from := make([]byte, 0, len(text)), 0
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		start := i
		for i++; text[i] != '"'; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		var s string
		if err := json.Unmarshal(text[start:i+1], &s); err != nil {
			continue // cannot be: it was encoded just now
		}
		if masked := keys.Mask(s); masked != s {
			out = append(append(out, text[from:start]...), canon.Value(masked)...)
			from = i + 1
		}
	}
	return append(out, text[from:]...)
}

// EscapeHidden writes hidden code points as \u escapes, and the bracket of what the
// runner of a workflow takes for a command. In JSON they can only stand inside
// strings, so this changes no value.
func EscapeHidden(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("##["), []byte(`##\u005b`))
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r < 0x80 && r != 0x7F || !chars.Hidden(r):
			out = append(out, text[i:i+size]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}

// ledger is what explain prints, as JSON and in words.
type ledger struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	Variant  JsonVariant   `json:"variant"`
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

// Project is a project of a workspace: the folder that it is in, and its result,
// moved there.
type Project struct {
	Folder string
	Result *prompt.Result
	// Owners are those of the manifest; nil where nobody says who owns anything.
	Owners []string
}

// jsonProject is what a dashboard shows of a project beside its variants.
type jsonProject struct {
	Folder   string    `json:"folder"`
	Prompts  []string  `json:"prompts"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Notes    int       `json:"notes"`
	Off      []JsonOff `json:"off"`
	// Owners are those of its manifest; nil where nobody says who owns anything.
	Owners []string `json:"owners,omitzero"`
}

// jsonPromptOwners says who owns what a prompt is made from.
type jsonPromptOwners struct {
	Prompt string   `json:"prompt"`
	Owners []string `json:"owners"`
}

// ListJSON writes the sizes of variants as one versioned document, with what there
// is to say of the projects of a workspace.
func ListJSON(w io.Writer, r *prompt.Result, artifacts []*assembly.Artifact, projects []Project, opt Options) error {
	doc := struct {
		Version  int           `json:"version"`
		Command  string        `json:"command"`
		Projects []jsonProject `json:"projects,omitempty"`
		Variants []JsonVariant `json:"variants"`
		// Owners are those of the prompts that are listed; nil where nobody says
		// who owns anything.
		Owners []jsonPromptOwners `json:"owners,omitzero"`
	}{FormatVersion, "list", nil, []JsonVariant{}, nil}
	for _, p := range projects {
		found := p.Result.Findings
		made := jsonProject{
			Folder: opt.Path(p.Folder), Prompts: []string{}, Off: JsonOffOf(opt, p.Result.Off),
			Errors: found.Count(diag.Error), Warnings: found.Count(diag.Warning), Notes: found.Count(diag.Note),
			Owners: p.Owners,
		}
		if !p.Result.Stopped {
			for _, b := range p.Result.Plan.Builds {
				made.Prompts = append(made.Prompts, b.Prompt.ID.Str)
			}
		}
		doc.Projects = append(doc.Projects, made)
	}
	for i, a := range artifacts {
		doc.Variants = append(doc.Variants, Sized(r.Spec, a))
		if b := a.Build; b.Owners != nil && (i == 0 || artifacts[i-1].Build != b) {
			doc.Owners = append(doc.Owners, jsonPromptOwners{b.Prompt.ID.Str, b.Owners})
		}
	}
	return Encode(w, doc, opt)
}

// off gives the findings that settings leave out.
func JsonOffOf(o Options, all []language.Silenced) []JsonOff {
	out := []JsonOff{}
	for _, one := range all {
		out = append(out, JsonOff{JsonFindingOf(o, one.Finding), one.By.Reason.Str})
	}
	return out
}

// ExplainJSON writes the ledger of one variant as one versioned document.
func ExplainJSON(w io.Writer, r *prompt.Result, a *assembly.Artifact, with ExplainWith, opt Options) error {
	return Encode(w, LedgerOf(r, a, with, opt), opt.Masking(r))
}

type jsonCode struct {
	Code        diag.Code `json:"code"`
	Level       string    `json:"level"`
	Title       string    `json:"title"`
	Explanation string    `json:"explanation"`
}

func coded(e diag.Entry) jsonCode {
	return jsonCode{e.Code, e.Level.String(), e.Title, e.Explanation}
}

// ExplainCodeJSON writes what a code means as one versioned document.
func ExplainCodeJSON(w io.Writer, e diag.Entry) error {
	return Encode(w, struct {
		Version int    `json:"version"`
		Command string `json:"command"`
		jsonCode
	}{FormatVersion, "explain", coded(e)}, Options{})
}

// ExplainCodesJSON writes what codes mean as one versioned document.
func ExplainCodesJSON(w io.Writer, entries []diag.Entry) error {
	out := make([]jsonCode, len(entries))
	for i, e := range entries {
		out[i] = coded(e)
	}
	return Encode(w, struct {
		Version int        `json:"version"`
		Command string     `json:"command"`
		Codes   []jsonCode `json:"codes"`
	}{FormatVersion, "explain", out}, Options{})
}

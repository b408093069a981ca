package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/report/wording"
)

// jsonVersion is the version of the documents. Fields may be added to a
// version; none is renamed, removed or given another meaning.
const jsonVersion = 1

// document is what build and check print as JSON.
type document struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	Status   Verdict       `json:"status"`
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Notes    int           `json:"notes"`
	Findings []jsonFinding `json:"findings"`
	// Off are the findings that settings leave out, with the reason.
	Off       []jsonOff    `json:"off"`
	Prompts   []jsonPrompt `json:"prompts"`
	Changes   []jsonChange `json:"changes"`
	Artifacts []jsonFile   `json:"artifacts"`
	// Wrote says which of the two kinds of files were written.
	Wrote jsonWrote `json:"wrote"`
}

type jsonWrote struct {
	Snapshots bool `json:"snapshots"`
	Artifacts bool `json:"artifacts"`
}

type jsonFinding struct {
	Code  diag.Code `json:"code"`
	Level string    `json:"level"`
	*jsonPlace
	Message string   `json:"message"`
	Detail  []string `json:"detail,omitempty"`
	Hint    string   `json:"hint,omitempty"`
	// Prompts are those that it is about; none where it is about the input.
	Prompts []string `json:"prompts,omitempty"`
}

type jsonOff struct {
	jsonFinding
	Reason string `json:"reason"`
}

// jsonPlace counts lines and columns from 1, columns in code points; the end
// is behind the last character.
type jsonPlace struct {
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
	Variants   []jsonVariant `json:"variants"`
}

// jsonVariant has the sizes of a variant: of its text, or of the texts in its
// request body.
type jsonVariant struct {
	Name string `json:"name"`
	// Dialect is left out for a text.
	Dialect    string     `json:"dialect,omitempty"`
	Tokenizer  string     `json:"tokenizer"`
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
}

type jsonFile struct {
	Path   string `json:"path"`
	Status string `json:"status"`
}

type jsonChange struct {
	jsonFile
	Kind    string     `json:"kind"`
	Prompt  string     `json:"prompt,omitempty"`
	Section string     `json:"section,omitempty"`
	Item    string     `json:"item,omitempty"`
	Source  *jsonPlace `json:"source,omitempty"`
	// Tokens is the difference; left out where there is none to count.
	Tokens   *int      `json:"tokens,omitempty"`
	Variants []jsonSet `json:"variants,omitempty"`
	// Leaves are the places in which the definition of a tool differs.
	Leaves []jsonLeaf `json:"leaves,omitempty"`
}

type jsonSet struct {
	Prompt string `json:"prompt"`
	In     int    `json:"in"`
	Of     int    `json:"of"`
	Set    string `json:"set"`
}

// JSON writes a run of build or check as one versioned document.
func JSON(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	f := factsOf(r, did, opt)
	findings := f.findings
	doc := document{
		Version: jsonVersion, Command: did.Command, Status: f.verdict,
		Errors: findings.Count(diag.Error), Warnings: findings.Count(diag.Warning), Notes: findings.Count(diag.Note),
		Findings: []jsonFinding{}, Off: []jsonOff{}, Prompts: prompts(r), Changes: []jsonChange{}, Artifacts: []jsonFile{},
		Wrote: jsonWrote{did.Snapshots, did.Artifacts},
	}
	for _, d := range findings {
		doc.Findings = append(doc.Findings, opt.found(d))
	}
	for _, o := range r.Off {
		doc.Off = append(doc.Off, jsonOff{opt.found(o.Finding), o.By.Reason.Str})
	}
	for _, c := range f.changes {
		doc.Changes = append(doc.Changes, changed(c, opt))
	}
	if d := r.Delta; d != nil && (d.HaveArtifacts || did.Artifacts) {
		for _, c := range d.Artifacts {
			doc.Artifacts = append(doc.Artifacts, jsonFile{opt.path(c.Output.Path), status(c.Status)})
		}
	}
	return encode(w, doc, opt.of(r))
}

func (o Options) found(d diag.Diagnostic) jsonFinding {
	return jsonFinding{d.Code, d.Level.String(), o.place(d.Span), wording.Message(d), wording.Detail(d), wording.Hint(d), d.Prompts}
}

func prompts(r *prompt.Result) []jsonPrompt {
	out := []jsonPrompt{}
	for i, b := range builds(r) {
		made := jsonPrompt{
			ID: b.id, Renderings: b.renderings, Changed: b.changed, Added: b.added, Removed: b.removed,
			Variants: []jsonVariant{},
		}
		for _, a := range r.Artifacts {
			if a.Build == r.Plan.Builds[i] {
				made.Variants = append(made.Variants, sized(a))
			}
		}
		out = append(out, made)
	}
	return out
}

func sized(a *prompt.Artifact) jsonVariant {
	b := a.Variant.Budget
	return jsonVariant{
		Name: a.Variant.Name, Dialect: dialect(a), Tokenizer: a.Variant.Tokenizer, Tokens: a.Tokens, Use: a.Use,
		ToolTokens: a.ToolTokens, Characters: a.Chars, Bytes: a.Bytes(),
		Budget:  jsonBudget{limited(b.Tokens), limited(b.Chars), limited(b.ToolTokens)},
		Context: a.Variant.Context, Cache: cached(a),
	}
}

func limited(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

func changed(c change, opt Options) jsonChange {
	owner := c.Output.Owner
	out := jsonChange{
		jsonFile: jsonFile{opt.path(c.Output.Path), status(c.Status)}, Kind: kind(c.kind),
		Prompt: owner.Prompt, Section: owner.Section, Item: owner.Item, Source: opt.place(c.at),
	}
	out.Tokens = c.tokens
	for _, u := range owner.Users {
		out.Variants = append(out.Variants, jsonSet{
			u.Build.Prompt.ID.Str, u.Set.Len(), len(u.Build.Variants), u.Build.Describe(u.Set),
		})
	}
	for _, l := range c.leaves {
		out.Leaves = append(out.Leaves, jsonLeaf{l.Path, l.From, l.To})
	}
	return out
}

// kind names a kind of output, in words that programs may rely on.
func kind(k prompt.OutputKind) string {
	return [...]string{"index", "outline", "rendering", "item", "tool", "full", "artifact", "content"}[k]
}

// status names what became of a file, in words that programs may rely on.
func status(s prompt.Status) string {
	return [...]string{"unchanged", "added", "changed", "orphaned"}[s]
}

// place gives a span by lines and columns, nil where it is no place.
func (o Options) place(at diag.Span) *jsonPlace {
	if !at.Known() {
		return nil
	}
	out := jsonPlace{File: o.path(at.File.Path)}
	out.Line, out.Column = at.File.Position(at.Start)
	out.EndLine, out.EndColumn = at.File.Position(max(at.Start, at.End))
	return &out
}

// encode writes a value as indented JSON in which everything that a terminal
// would act upon, or not show, is escaped.
func encode(w io.Writer, v any, opt Options) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode as JSON: %w", err)
	}
	_, err := w.Write(escapeHidden(maskStrings(b.Bytes(), opt.keys())))
	return err
}

// maskStrings masks the keys in the strings of a document.
func maskStrings(text []byte, keys *secret.Known) []byte {
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
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if err := e.Encode(masked); err != nil {
				continue // cannot be either: it is a string
			}
			out = append(append(out, text[from:start]...), bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
			from = i + 1
		}
	}
	return append(out, text[from:]...)
}

// escapeHidden writes hidden code points as \u escapes, and the bracket of what the
// runner of a workflow takes for a command. In JSON they can only stand inside
// strings, so this changes no value.
func escapeHidden(text []byte) []byte {
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

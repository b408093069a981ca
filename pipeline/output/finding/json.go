package finding

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// JSON is a finding in documents that programs read.
type JSON struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	*words.Place
	Message string   `json:"message"`
	Detail  []string `json:"detail,omitempty"`
	Hint    string   `json:"hint,omitempty"`
	// Prompts are those that it is about; none where it is about the input.
	Prompts []string `json:"prompts,omitempty"`
	// Variants are those of which the message or the detail names some only.
	Variants []string `json:"variants,omitempty"`
}

// OffJSON is a finding that a setting leaves out, with the reason.
type OffJSON struct {
	JSON
	Reason string `json:"reason"`
}

// JSONOf gives a finding as JSON has it.
func JSONOf(o words.Options, d diag.Diagnostic) JSON {
	x := Of(o, d)
	out := JSON{x.Rule, x.Level.String(), x.Place, x.Message, x.Detail, x.hint, x.Prompts, d.What.Unnamed()}
	for _, w := range d.Detail {
		out.Variants = append(out.Variants, w.Unnamed()...)
	}
	return out
}

// OffJSONOf gives the findings that settings leave out.
func OffJSONOf(o words.Options, all []language.Silenced) []OffJSON {
	out := []OffJSON{}
	for _, one := range all {
		out = append(out, OffJSON{JSONOf(o, one.Finding), one.By.Reason.Str})
	}
	return out
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
	return words.Encode(w, struct {
		Version int    `json:"version"`
		Command string `json:"command"`
		jsonCode
	}{words.JSONVersion, "explain", coded(e)}, words.Options{})
}

// ExplainCodesJSON writes what codes mean as one versioned document.
func ExplainCodesJSON(w io.Writer, entries []diag.Entry) error {
	out := make([]jsonCode, len(entries))
	for i, e := range entries {
		out[i] = coded(e)
	}
	return words.Encode(w, struct {
		Version int        `json:"version"`
		Command string     `json:"command"`
		Codes   []jsonCode `json:"codes"`
	}{words.JSONVersion, "explain", out}, words.Options{})
}

package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxSetting is how many characters of a setting the text shows; the rest is at
// its place.
const maxSetting = 60

// ExplainPolicy writes the settings that count for a prompt, a line each: what it
// says, the place that it comes from, and those that lock it.
func ExplainPolicy(w io.Writer, r *prompt.Result, id string, settings []language.Effective, opt Options) error {
	p := NewPrinter(opt.Masking(r))
	p.Line(p.Paint(Bold, Clean(id)), "   ", Count(len(settings), "setting"))
	if len(settings) > 0 {
		p.Line()
	}
	t := Table{Align: []Side{ToLeft, ToLeft, ToLeft, ToLeft}}
	for _, s := range settings {
		value := s.Value
		if utf8.RuneCountInString(value) > maxSetting {
			start := string([]rune(value)[:maxSetting])
			value = start + Omitted(value[len(start):])
		}
		var locks []string
		for _, at := range s.Locked {
			locks = append(locks, p.LineOf(at))
		}
		locked := ""
		if len(locks) > 0 {
			locked = "locked at " + strings.Join(locks, ", ")
		}
		t.Row(Clean(s.Key), Clean(value), p.LineOf(s.At), locked)
	}
	t.Print(p, 3)
	return p.Print(w)
}

type jsonSetting struct {
	Key    string       `json:"key"`
	Value  string       `json:"value"`
	Place  *JsonPlace   `json:"place"`
	Locked []*JsonPlace `json:"locked"`
}

// ExplainPolicyJSON writes the settings that count for a prompt as one versioned
// document.
func ExplainPolicyJSON(w io.Writer, r *prompt.Result, id string, settings []language.Effective, opt Options) error {
	opt = opt.Masking(r)
	out := []jsonSetting{}
	for _, s := range settings {
		made := jsonSetting{s.Key, s.Value, opt.Place(s.At), []*JsonPlace{}}
		for _, at := range s.Locked {
			made.Locked = append(made.Locked, opt.Place(at))
		}
		out = append(out, made)
	}
	return Encode(w, struct {
		Version  int           `json:"version"`
		Command  string        `json:"command"`
		Prompt   string        `json:"prompt"`
		Settings []jsonSetting `json:"settings"`
	}{FormatVersion, "explain", id, out}, opt)
}

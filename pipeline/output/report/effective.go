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
	p := newPrinter(opt.masking(r))
	p.line(p.paint(bold, clean(id)), "   ", count(len(settings), "setting"))
	if len(settings) > 0 {
		p.line()
	}
	t := table{align: []side{toLeft, toLeft, toLeft, toLeft}}
	for _, s := range settings {
		value := s.Value
		if utf8.RuneCountInString(value) > maxSetting {
			start := string([]rune(value)[:maxSetting])
			value = start + omitted(value[len(start):])
		}
		var locks []string
		for _, at := range s.Locked {
			locks = append(locks, p.lineOf(at))
		}
		locked := ""
		if len(locks) > 0 {
			locked = "locked at " + strings.Join(locks, ", ")
		}
		t.row(clean(s.Key), clean(value), p.lineOf(s.At), locked)
	}
	t.print(p, 3)
	return p.print(w)
}

type jsonSetting struct {
	Key    string       `json:"key"`
	Value  string       `json:"value"`
	Place  *jsonPlace   `json:"place"`
	Locked []*jsonPlace `json:"locked"`
}

// ExplainPolicyJSON writes the settings that count for a prompt as one versioned
// document.
func ExplainPolicyJSON(w io.Writer, r *prompt.Result, id string, settings []language.Effective, opt Options) error {
	opt = opt.masking(r)
	out := []jsonSetting{}
	for _, s := range settings {
		made := jsonSetting{s.Key, s.Value, opt.place(s.At), []*jsonPlace{}}
		for _, at := range s.Locked {
			made.Locked = append(made.Locked, opt.place(at))
		}
		out = append(out, made)
	}
	return encode(w, struct {
		Version  int           `json:"version"`
		Command  string        `json:"command"`
		Prompt   string        `json:"prompt"`
		Settings []jsonSetting `json:"settings"`
	}{formatVersion, "explain", id, out}, opt)
}

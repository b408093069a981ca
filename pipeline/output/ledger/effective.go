package ledger

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxSetting is how many characters of a setting the text shows; the rest is at
// its place.
const maxSetting = 60

// Policy writes the settings that count for a prompt, a line each: what it
// says, the place that it comes from, and those that lock it.
func Policy(w io.Writer, r *prompt.Result, id string, settings []language.Effective, opt words.Options) error {
	p := words.NewPrinter(opt.Masking(r))
	p.Line(p.Paint(words.Bold, words.Clean(id)), "   ", words.Count(len(settings), "setting"))
	if len(settings) > 0 {
		p.Line()
	}
	t := words.Table{Align: []words.Side{words.ToLeft, words.ToLeft, words.ToLeft, words.ToLeft}}
	for _, s := range settings {
		value := s.Value
		if utf8.RuneCountInString(value) > maxSetting {
			start := string([]rune(value)[:maxSetting])
			value = start + words.Omitted(value[len(start):])
		}
		var locks []string
		for _, at := range s.Locked {
			locks = append(locks, p.LineOf(at))
		}
		locked := ""
		if len(locks) > 0 {
			locked = "locked at " + strings.Join(locks, ", ")
		}
		t.Row(words.Clean(s.Key), words.Clean(value), p.LineOf(s.At), locked)
	}
	t.Print(p, 3)
	return p.Print(w)
}

type jsonSetting struct {
	Key    string         `json:"key"`
	Value  string         `json:"value"`
	Place  *words.Place   `json:"place"`
	Locked []*words.Place `json:"locked"`
}

// PolicyJSON writes the settings that count for a prompt as one versioned
// document.
func PolicyJSON(w io.Writer, r *prompt.Result, id string, settings []language.Effective, opt words.Options) error {
	opt = opt.Masking(r)
	out := []jsonSetting{}
	for _, s := range settings {
		made := jsonSetting{s.Key, s.Value, opt.Place(s.At), []*words.Place{}}
		for _, at := range s.Locked {
			made.Locked = append(made.Locked, opt.Place(at))
		}
		out = append(out, made)
	}
	return words.Encode(w, struct {
		Version  int           `json:"version"`
		Command  string        `json:"command"`
		Prompt   string        `json:"prompt"`
		Settings []jsonSetting `json:"settings"`
	}{words.JSONVersion, "explain", id, out}, opt)
}

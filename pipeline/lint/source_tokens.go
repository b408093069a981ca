package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// specialTokens finds the special tokens of the declared model families, each
// once. Where the manifest names none, all are looked for, and a finding is a
// warning.
func (l *library) specialTokens(w written) diag.List {
	declared := l.plan.Spec.Families
	text := w.text.Str
	var met ordered[string, struct{ start, count int }]
	for i := 0; i+startOfToken <= len(text); i++ {
		if c := text[i]; c != '<' && c != '[' && c != '\n' {
			continue
		}
		token := ""
		for _, t := range l.tokens[text[i:i+startOfToken]] {
			if strings.HasPrefix(text[i:], t) && len(t) > len(token) {
				token = t
			}
		}
		if token == "" || w.verbatim(i, i+len(token)) || w.quoted(i, i+len(token)) {
			continue
		}
		m := met.of(token)
		if m.count == 0 {
			m.start = i
		}
		m.count++
		i += len(token) - 1
	}
	var out diag.List
	for _, token := range met.keys {
		m := met.values[token]
		start := m.start + len(token) - len(strings.TrimLeft(token, "\n"))
		d := w.find(diag.SpecialToken, start, m.start+len(token), "special-token", token, named(familiesOf(declared, token))).
			WithHint("write-another-way-such")
		if declared != nil {
			d.Level = diag.Error
		}
		if m.count > 1 {
			d = d.WithLines(number(m.count, "time") + " in the file")
		}
		out = append(out, d)
	}
	return out
}

// startOfToken is how many bytes of a token say which it may be; all have so many.
const startOfToken = 3

// tokensByStart gives the tokens to look for by their first bytes.
func tokensByStart(declared []prompt.Word) map[string][]string {
	out := map[string][]string{}
	for i := range prompt.Families {
		f := &prompt.Families[i]
		for _, t := range tokensOf(declared, f) {
			start := t[:startOfToken]
			if !slices.Contains(out[start], t) {
				out[start] = append(out[start], t)
			}
		}
	}
	return out
}

// tokensOf gives the tokens of a family that are looked for: those that are also
// tags or words only where the manifest names it.
func tokensOf(declared []prompt.Word, f *prompt.Family) []string {
	switch {
	case declared == nil:
		return f.Tokens[:len(f.Tokens)-f.Common]
	case slices.ContainsFunc(declared, func(w prompt.Word) bool { return w.Str == f.Name }):
		return f.Tokens
	default:
		return nil
	}
}

// familiesOf names the families that have a token.
func familiesOf(declared []prompt.Word, token string) []string {
	var out []string
	for i := range prompt.Families {
		if f := &prompt.Families[i]; slices.Contains(tokensOf(declared, f), token) {
			out = append(out, f.Name)
		}
	}
	return out
}

package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// specialTokens finds the special tokens of the declared model families. Where
// the manifest names none, all are looked for, and a finding is a warning.
func specialTokens(plan *prompt.Plan, w written) diag.List {
	text := w.text.Str
	if !strings.ContainsAny(text, "<[") && !strings.Contains(text, "\n\n") {
		return nil
	}
	index := tokensBySecond(plan.Spec.Families)
	var met ordered[string, struct{ start, count int }]
	for i := 0; i+1 < len(text); i++ {
		if c := text[i]; c != '<' && c != '[' && c != '\n' {
			continue
		}
		token := ""
		for _, t := range index[text[i+1]] {
			if strings.HasPrefix(text[i:], t) && len(t) > len(token) {
				token = t
			}
		}
		if token == "" || w.verbatim(i, i+len(token)) {
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
		d := w.find(diag.SpecialToken, start, m.start+len(token), "%q is a special token of %s", token, named(familiesOf(plan.Spec.Families, token))).
			WithHint("write it in another way, such as with a blank in it: in the text of a prompt it can end a turn or open another role")
		if plan.Spec.Families != nil {
			d.Level = diag.Error
		}
		if m.count > 1 {
			d = d.WithDetail(number(m.count, "time") + " in the file")
		}
		out = append(out, d)
	}
	return out
}

// tokensBySecond gives the tokens to look for by their second byte.
func tokensBySecond(declared []prompt.Word) *[256][]string {
	var out [256][]string
	for i := range prompt.Families {
		f := &prompt.Families[i]
		if !looksFor(declared, f) {
			continue
		}
		for _, t := range f.Tokens {
			out[t[1]] = append(out[t[1]], t)
		}
	}
	return &out
}

// looksFor reports whether a family's tokens are looked for.
func looksFor(declared []prompt.Word, f *prompt.Family) bool {
	if declared == nil {
		return !f.Prose
	}
	return slices.ContainsFunc(declared, func(w prompt.Word) bool { return w.Str == f.Name })
}

// familiesOf names the families that have a token.
func familiesOf(declared []prompt.Word, token string) []string {
	var out []string
	for i := range prompt.Families {
		if f := &prompt.Families[i]; looksFor(declared, f) && slices.Contains(f.Tokens, token) {
			out = append(out, f.Name)
		}
	}
	return out
}

package lint

import (
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// secrets finds what looks like a key in a text that somebody wrote.
func secrets(_ *prompt.Plan, w written) diag.List {
	var raw map[string]bool
	var out diag.List
	for _, m := range secret.Find(w.text.Str) {
		value := w.text.Str[m.Start:m.End]
		if !w.whole && raw == nil {
			raw = keysOf(w.text.Span(0, len(w.text.Str)))
		}
		if raw[value] {
			continue // found where the file was read, at its very place
		}
		shown := w.text.Str[m.Shown:m.End]
		d := w.find(diag.SecretInText, m.Start, m.End, "what looks like %s: %q, %s",
			m.Says, beginning(shown)+"…", number(utf8.RuneCountInString(shown), "character")).
			WithHint("take it out, and have it revoked; what is needed at run time can be a slot")
		if m.Doubt != "" {
			d = d.WithDetail(m.Doubt)
		}
		d.Hides = w.text.Span(m.Shown, m.End)
		out = append(out, d)
	}
	return few(out, len(out), "key")
}

// keysOf gives the keys in the text of a place as it stands in the file.
func keysOf(at diag.Span) map[string]bool {
	out := map[string]bool{}
	if at.Known() {
		text := at.File.Text[at.Start:at.End]
		for _, m := range secret.Find(text) {
			out[text[m.Start:m.End]] = true
		}
	}
	return out
}

// beginning gives the first characters of a key, by which its owner knows it.
func beginning(s string) string {
	n := 0
	for range diag.Shown {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
	}
	return s[:n]
}

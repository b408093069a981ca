package lint

import (
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
)

// secrets finds what looks like a key in a text that somebody wrote.
func secrets(_ *library, w written) diag.List {
	var raw map[string]bool
	var kept []secret.Match
	for _, m := range secret.FindSeen(w.text.Str) {
		if !w.whole && raw == nil {
			raw = keysOf(w.text.Span(0, len(w.text.Str)))
		}
		if !raw[w.text.Str[m.Start:m.End]] { // else found where the file was read, at its very place
			kept = append(kept, m)
		}
	}
	return few(kept, w.key, moreOf("key"))
}

// key puts one into words.
func (w written) key(m secret.Match) diag.Diagnostic {
	shown := w.text.Str[m.Shown:m.End]
	d := w.find(diag.SecretInText, m.Start, m.End, "what looks like %s: %q, %s",
		m.Says, beginning(shown)+"…", number(utf8.RuneCountInString(shown), "character")).
		WithHint("take it out, and have it revoked; what is needed at run time can be a slot")
	if m.Doubt != "" {
		d = d.WithDetail(m.Doubt)
	}
	return d
}

// fewKeys is few for the keys of all texts of a file: each value with escapes is
// a text of its own.
func fewKeys(all diag.List) diag.List {
	var out diag.List
	var files ordered[*diag.File, diag.List]
	for _, d := range all {
		if d.Code != diag.SecretInText {
			out = append(out, d)
			continue
		}
		keys := files.of(d.Span.File)
		*keys = append(*keys, d)
	}
	for _, f := range files.keys {
		keys := *files.values[f]
		if len(keys) > single+1 { // else the last may count others itself
			keys = few(keys, itself, moreOf("key"))
		}
		out = append(out, keys...)
	}
	return out
}

// keysOf gives the keys in the text of a place as it stands in the file.
func keysOf(at diag.Span) map[string]bool {
	out := map[string]bool{}
	if at.Known() {
		text := at.File.Text[at.Start:at.End]
		for _, m := range secret.FindSeen(text) {
			out[text[m.Start:m.End]] = true
		}
	}
	return out
}

// beginning gives the first characters of a key, by which its owner knows it.
func beginning(s string) string {
	n := 0
	for range secret.Shown {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
	}
	return s[:n]
}

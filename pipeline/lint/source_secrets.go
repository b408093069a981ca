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
	total := 0
	for _, m := range secret.Find(w.text.Str) {
		if !w.whole && raw == nil {
			raw = keysOf(w.text.Span(0, len(w.text.Str)))
		}
		if raw[w.text.Str[m.Start:m.End]] {
			continue // found where the file was read, at its very place
		}
		if total++; total <= mostAlike+1 {
			out = append(out, key(w, m))
		} else {
			last := &out[mostAlike].Hides
			last.End = max(last.End, w.text.Span(m.Shown, m.End).End)
		}
	}
	return few(out, total, "key")
}

// key puts one into words.
func key(w written, m secret.Match) diag.Diagnostic {
	shown := w.text.Str[m.Shown:m.End]
	d := w.find(diag.SecretInText, m.Start, m.End, "what looks like %s: %q, %s",
		m.Says, beginning(shown)+"…", number(utf8.RuneCountInString(shown), "character")).
		WithHint("take it out, and have it revoked; what is needed at run time can be a slot")
	if m.Doubt != "" {
		d = d.WithDetail(m.Doubt)
	}
	d.Hides = w.text.Span(m.Shown, m.End)
	return d
}

// fewKeys is few for the keys of all texts of a file: each value with escapes is
// a text of its own.
func fewKeys(all diag.List) diag.List {
	count := map[*diag.File]int{}
	for _, d := range all {
		if d.Code == diag.SecretInText {
			count[d.Span.File]++
		}
	}
	at := map[*diag.File]int{} // where the one stands that counts the others
	met := map[*diag.File]int{}
	var out diag.List
	for _, d := range all {
		f := d.Span.File
		if d.Code != diag.SecretInText || count[f] <= mostAlike+1 {
			out = append(out, d)
			continue
		}
		switch met[f]++; {
		case met[f] <= mostAlike:
			out = append(out, d)
		case met[f] == mostAlike+1:
			d.Message = "and " + number(count[f]-mostAlike, "more key") + " in this file"
			at[f] = len(out)
			out = append(out, d)
		default:
			hides := &out[at[f]].Hides
			hides.Start, hides.End = min(hides.Start, d.Hides.Start), max(hides.End, d.Hides.End)
		}
	}
	return out
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

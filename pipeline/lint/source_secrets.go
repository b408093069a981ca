package lint

import (
	"slices"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
)

// secrets finds what looks like a key in a text that somebody wrote.
func secrets(_ *library, w written) diag.List {
	var raw map[string]bool
	var kept []secret.Match
	for _, m := range secret.Find(w.text.Str) {
		if !w.whole && raw == nil {
			raw = keysOf(w.text.Span(0, len(w.text.Str)))
		}
		if !raw[w.text.Str[m.Start:m.End]] { // else found where the file was read, at its very place
			kept = append(kept, m)
		}
	}
	out := few(kept, w.key, moreOf("key"))
	for _, m := range kept[min(len(kept), single):] {
		last := &out[single].Hides
		last.End = max(last.End, w.text.Span(m.Shown, m.End).End)
	}
	return out
}

// Veil takes out of what findings say what looks like a key: other findings may
// quote the text that holds one.
func Veil(found diag.List) {
	for i := range found {
		d := &found[i]
		d.Message, d.Hint = secret.Mask(d.Message), secret.Mask(d.Hint)
		for j, line := range d.Detail {
			if shown := secret.Mask(line); shown != line {
				d.Detail = slices.Clone(d.Detail)
				d.Detail[j] = shown
			}
		}
	}
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
	d.Hides = w.text.Span(m.Shown, m.End)
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
			rest := keys[single:]
			keys = few(keys, itself, moreOf("key"))
			for _, d := range rest {
				hides := &keys[single].Hides
				hides.Start, hides.End = min(hides.Start, d.Hides.Start), max(hides.End, d.Hides.End)
			}
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

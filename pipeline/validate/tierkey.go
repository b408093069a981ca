package validate

import (
	"path"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// selected decodes the files that are shown in full.
func (r *fixtureReader) selected(n *prompt.Node) []prompt.Word {
	var out []prompt.Word
	paths := newDistinct()
	for _, item := range itemsOf(n) {
		w, ok := r.entry(item)
		if !ok || w.Str == "" { // which the schema has reported
			continue
		}
		r.path(w, w.Str)
		r.found = append(r.found, paths.once(w)...)
		out = append(out, w)
	}
	return out
}

// folder decodes the path of a workspace. It stays as it is written, because
// that is what the folders that were read are known by.
func (r *fixtureReader) folder(n *prompt.Node) prompt.Word {
	w := wordOr(n, "")
	if p := pathrule.PlainFolder(w.Str); strings.Trim(p, "\t\n\f\r ") != "" && p != "." { // else the schema has reported it
		r.plain(w, p)
	}
	return w
}

func (r *fixtureReader) tiers(n *prompt.Node) [prompt.Tiers][]prompt.TierKey {
	var out [prompt.Tiers][]prompt.TierKey
	for i := range out {
		keys := newDistinct()
		for _, item := range itemsOf(n.Field("L" + strconv.Itoa(i))) {
			w, ok := r.entry(item)
			if !ok {
				continue
			}
			if key, ok := r.tierKey(w); ok {
				r.found = append(r.found, keys.once(w)...)
				out[i] = append(out[i], key)
			}
		}
	}
	return out
}

// tierKinds are the kinds of keys in the order of the documentation.
var tierKinds = []prompt.TierKeyKind{prompt.KeyFile, prompt.KeySymbol, prompt.KeyHistory}

// tierKey reads `file:PATH`, `symbol:PATH` and `history:N`. What is none is
// reported.
func (r *fixtureReader) tierKey(w prompt.Word) (prompt.TierKey, bool) {
	name, rest, colon := strings.Cut(w.Str, ":")
	for _, kind := range tierKinds {
		if !colon || kind.String() != name {
			continue
		}
		key := prompt.TierKey{Kind: kind, Word: w}
		if kind == prompt.KeyHistory {
			var ok bool
			key.N, ok = r.turn(w, rest)
			return key, ok
		}
		key.Path = rest
		return key, r.path(w, rest)
	}
	r.noKey(w)
	return prompt.TierKey{}, false
}

// noKey reports a text that is no key of a tier.
func (r *fixtureReader) noKey(w prompt.Word) {
	found := diag.New(diag.BadTierKey, w.At, "no-key-tier", w.Str).WithHint("keys-file-path-symbol")
	var names []string
	for _, kind := range tierKinds {
		names = append(names, kind.String())
	}
	name, rest, colon := strings.Cut(w.Str, ":")
	if meant, close := near.Best(strings.TrimSpace(name), names); colon && close && strings.TrimSpace(rest) != "" {
		found = found.WithHint("did-you-mean", meant+":"+strings.TrimSpace(rest))
	}
	r.found = append(r.found, found)
}

// number reports whether a text is a message's number as it has to be written.
func number(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0 && len(text) <= maxDigits && strconv.Itoa(n) == text
}

// maxDigits is the most digits of an index, so that it is a number everywhere.
const maxDigits = 9

// turn reads an index of the history. Only one spelling of a number is taken,
// so that an index that is there twice looks so.
func (r *fixtureReader) turn(w prompt.Word, digits string) (int, bool) {
	if number(digits) {
		n, err := strconv.Atoi(digits)
		return n, err == nil
	}
	r.found = append(r.found, diag.New(diag.BadTierKey, w.At, "names-no-message-history", w.Str).
		WithHint("write-history-n-n"))
	return 0, false
}

// path checks the path of a file of the workspace, p, as a word holds it.
func (r *fixtureReader) path(w prompt.Word, p string) bool {
	if p == "." {
		r.unplain(w, p, "is-workspace-itself")
		return false
	}
	return r.plain(w, p)
}

// plain reports a path that is not written in the one way in which paths are
// compared.
func (r *fixtureReader) plain(w prompt.Word, p string) bool {
	clean := path.Clean(p)
	switch {
	case p == "":
		r.unplain(w, p, "path-empty")
	case strings.TrimSpace(p) != p:
		r.unplain(w, p, "has-outer-blanks")
	case strings.ContainsFunc(p, pathrule.BreaksLines):
		r.unplain(w, p, "holds-control-character")
	case strings.Contains(p, `\`):
		r.unplain(w, p, "holds-backslash")
	case path.IsAbs(p), clean == "..", strings.HasPrefix(clean, "../"):
		r.unplain(w, p, "leaves-folder")
	case pathrule.InGit(p):
		r.unplain(w, p, "lies-in-git")
	case clean != p:
		r.unplain(w, p, "not-shortest")
	default:
		return true
	}
	return false
}

func (r *fixtureReader) unplain(w prompt.Word, p, fact string) {
	r.found = append(r.found, diag.New(diag.UnplainPath, firstLine(w.At), "path", p, diag.Say(fact)).WithHint("write-plain-path"))
}

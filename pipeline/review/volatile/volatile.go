// Package volatile finds changes in the declarations of slots, and stable prefixes
// that a provider can cache and that became longer or shorter.
package volatile

import (
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// Run finds the slots that are declared otherwise, that come into sections or
// go, and the stable prefixes that are longer or shorter. None of these edits
// changes a text. It is pure.
func Run(two *pairing.Two) []*review.Edit {
	f := &finder{two: two, made: map[key]*review.Edit{}}
	f.slots()
	for _, p := range two.Pairs {
		for _, t := range two.Twins(p) {
			if t.Both() {
				f.prefix(t)
			}
		}
	}
	return f.edits
}

type finder struct {
	two   *pairing.Two
	edits []*review.Edit
	made  map[key]*review.Edit
}

// key groups edits: what stands in one place of the manifest is one, whoever
// shares it.
type key struct {
	kind           review.EditKind
	of             diag.Span
	name, from, to string
	was, is        review.Value
	shorter        bool
}

// edit gives the edit that is the same, which is taken in where there is none
// yet.
func (f *finder) edit(of diag.Span, e review.Edit) *review.Edit {
	k := key{e.Kind, of, e.Name, e.From, e.To, e.Was, e.Is, e.Shorter}
	if f.made[k] == nil {
		f.made[k] = &e
		f.edits = append(f.edits, &e)
	}
	return f.made[k]
}

// prefix compares the sections and tiers that stand wholly before what changes
// from one request to the next: some no longer do, or the other way about. That
// a text grew is no such change.
func (f *finder) prefix(t pairing.Twin) {
	was, is := kept(t.Base), kept(t.Head)
	left, came := false, false
	for name, before := range was {
		now, known := is[name]
		left = left || known && before && !now
		came = came || known && !before && now
	}
	if !left && !came {
		return
	}
	tokens := sentAnew(t.Head) - sentAnew(t.Base)
	e := review.Edit{Kind: review.CacheChanged, Shorter: left, From: firstName(t.Base), To: firstName(t.Head), At: firstPlace(t.Head)}
	if left && came { // something went behind it, something else before it
		e.Shorter = tokens >= 0
	}
	if !e.At.Known() {
		e.At, e.InBase = firstPlace(t.Base), true
	}
	f.edit(e.At, e).Row(t.Pair, false).AddTokens(t.Head.Variant, tokens)
}

// kept gives the sections and tiers that an artifact emits, by name, and
// whether each stands wholly before the first byte that may change.
func kept(a *assembly.Artifact) map[string]bool {
	limit := len(a.Parts)
	if v := a.Cache.Volatile; v != nil {
		limit = v.Part
	}
	out := map[string]bool{}
	for i, p := range a.Parts {
		if p.Section >= 0 && p.Rendering != nil {
			out["section "+a.Build.Prompt.Sections[p.Section].ID.Str] = i < limit
		}
	}
	for _, m := range a.Messages {
		if n := len(m.Blocks); n > 0 && m.Tier != "" {
			name := "tier " + m.Tier
			before, known := out[name]
			out[name] = m.Blocks[n-1].To <= limit && (before || !known)
		}
	}
	return out
}

// sentAnew gives the tokens that are read anew with each request.
func sentAnew(a *assembly.Artifact) int {
	return a.Tokens + a.CachedTools() - a.Cache.Stable
}

// firstName names what changes first from one request to the next, "" for
// nothing.
func firstName(a *assembly.Artifact) string {
	if a.Cache.Volatile == nil {
		return ""
	}
	return a.Cache.Volatile.Name(a)
}

// firstPlace gives the place in the manifest of what changes first.
func firstPlace(a *assembly.Artifact) diag.Span {
	v := a.Cache.Volatile
	switch {
	case v == nil, v.Section < 0 && a.Variant.Messages == nil:
		return diag.Span{}
	case v.Section < 0:
		return a.Variant.Messages.At
	default:
		return a.Build.Prompt.Sections[v.Section].ID.At
	}
}

package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// cacheKey groups changes of stable prefixes.
type cacheKey struct {
	shorter  bool
	from, to string
	at       diag.Span
}

// cache finds what changed of the stable prefixes: sections and tiers that
// stood wholly before what changes from one request to the next and no longer
// do, or the other way about. That a text grew is none.
func (r *run) cache() {
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if t.both() {
				r.prefix(t)
			}
		}
	}
}

func (r *run) prefix(t twin) {
	left, came := compareKept(kept(t.base), kept(t.head))
	if !left && !came {
		return
	}
	tokens := sentAnew(t.head) - sentAnew(t.base)
	key := cacheKey{shorter: left, from: volatileName(t.base), to: volatileName(t.head)}
	if left && came { // something went behind it, something else before it
		key.shorter = tokens >= 0
	}
	at, inBase := volatilePlace(t.head), false
	if !at.Known() {
		at, inBase = volatilePlace(t.base), true
	}
	key.at = at
	e := r.group(key, func() *prompt.Edit {
		return &prompt.Edit{Kind: prompt.CacheChanged, Shorter: key.shorter, From: key.from, To: key.to, At: at, InBase: inBase}
	})
	reachBy(e, t, tokens)
}

// kept gives the sections and tiers that an artifact emits, by name, and
// whether each stands wholly before the first byte that may change.
func kept(a *prompt.Artifact) map[string]bool {
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

// compareKept reports whether anything that both sides have left the prefix,
// and whether anything came into it.
func compareKept(was, is map[string]bool) (left, came bool) {
	for name, before := range was {
		now, known := is[name]
		left = left || known && before && !now
		came = came || known && !before && now
	}
	return left, came
}

// sentAnew gives the tokens that are read anew with each request.
func sentAnew(a *prompt.Artifact) int {
	n := a.Tokens
	if a.Variant.Dialect.CachesTools {
		n += a.ToolTokens
	}
	return n - a.Cache.Stable
}

// volatileName names what changes first from one request to the next, "" for
// nothing.
func volatileName(a *prompt.Artifact) string {
	v := a.Cache.Volatile
	switch {
	case v == nil:
		return ""
	case v.Section < 0:
		return "the prompt"
	}
	id := a.Build.Prompt.Sections[v.Section].ID.Str
	switch {
	case v.Slot != nil:
		return "slot " + v.Slot.Name.Str + " of " + id
	case v.Source != nil:
		return "source " + v.Source.ID.Str + " of " + id
	default:
		return "section " + id
	}
}

// volatilePlace gives the place in the manifest of what changes first.
func volatilePlace(a *prompt.Artifact) diag.Span {
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

// laidOutAnew reports whether a variant emits other sections than before, in
// other forms or in another order.
func laidOutAnew(t twin) bool { return !slices.Equal(laidOut(t.base), laidOut(t.head)) }

// laidOut gives the sections that an artifact emits, with their forms.
func laidOut(a *prompt.Artifact) []string {
	var out []string
	for i := range a.Parts {
		if p := &a.Parts[i]; p.Section >= 0 && p.Rendering != nil {
			out = append(out, a.Build.Prompt.Sections[p.Section].ID.Str+"\n"+formOf(p.Rendering))
		}
	}
	return out
}

// notice says of the key that asks for it that a variant names now what was
// dropped, or no longer does.
func (r *run) notice(e *prompt.Edit, t twin) {
	was, is := t.base.NoticePart(), t.head.NoticePart()
	if was < 0 && is < 0 {
		r.holds(e, t)
		return
	}
	r.owners[ownerKey{t, nil}] = e
	reachBy(e, t, noticeCost(t.head, is)-noticeCost(t.base, was))
}

// noticeCost gives what a notice adds to a text with the join before it.
func noticeCost(a *prompt.Artifact, part int) int {
	if part < 0 {
		return 0
	}
	before := part - 1
	for before >= 0 && a.Parts[before].Section < 0 {
		before--
	}
	if before < 0 {
		return a.Parts[part].Total
	}
	return a.Parts[part].Total - a.Parts[before].Total
}

func tierWords(tier string) string {
	if tier == "" {
		return "no tier"
	}
	return tier
}

// namedIn gives the place where a fixture names a file of the workspace that a
// conversation shows in full.
func namedIn(d *prompt.Dialogue, file *diag.File) diag.Span {
	if d == nil || file == nil {
		return diag.Span{}
	}
	files := slices.Clone(d.Working)
	for i := range d.Tiers {
		files = append(files, d.Tiers[i].Files...)
	}
	for i := range files {
		if files[i].Doc != nil && files[i].Doc.File == file {
			return files[i].At
		}
	}
	return diag.Span{}
}

package report

import (
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// breakpoint adds the row of a cache breakpoint: the tokens up to there, counted
// as in the rows around it, and whose it is.
func (t *table) breakpoint(a *prompt.Artifact, point prompt.Point) {
	whose, tools := clean(point.Name), cachedTools(a)
	if tools > 0 {
		whose += ", " + number(point.Tokens) + " with tools"
	}
	if point.Tokens > a.Cache.Stable {
		whose += ", behind volatile text"
	}
	if name := dialect(a); name != "" && !a.Variant.Dialect.Markers {
		whose += ", left out: " + name + " has no markers"
	}
	t.loose = append(t.loose, len(t.rows))
	t.row(prompt.BreakpointLine, "", "", "", "", "", "", number(point.Tokens-tools), whose)
}

// cachedTools gives the tokens of the schemas that a provider's cached prefix
// begins with.
func cachedTools(a *prompt.Artifact) int {
	if d := a.Variant.Dialect; d == nil || !d.CachesTools {
		return 0
	}
	return a.ToolTokens
}

// caches reports whether there is anything to say of a variant's cache: it
// has breakpoints, something volatile, or a conversation.
func caches(a *prompt.Artifact) bool {
	return len(a.Cache.Points) > 0 || a.Cache.Volatile != nil || a.Variant.Messages != nil
}

// stable says how much of a variant is the same from one request to the next,
// "" where nobody asked.
func stable(a *prompt.Artifact) string {
	if !caches(a) {
		return ""
	}
	tools := cachedTools(a)
	whole := count(tools+a.Tokens, "token")
	if tools > 0 {
		whole += " with tools"
	}
	v := a.Cache.Volatile
	if v == nil {
		return "stable prefix " + whole + ", all: nothing is declared volatile"
	}
	until := "the prompt"
	if v.Section >= 0 {
		id := clean(a.Build.Prompt.Sections[v.Section].ID.Str)
		switch {
		case v.Slot != nil:
			until = "slot " + clean(v.Slot.Name.Str) + " of " + id
		case v.Source != nil:
			until = "source " + clean(v.Source.ID.Str) + " of " + id
		default:
			until = "section " + id
		}
	}
	return "stable prefix " + number(a.Cache.Stable) + " of " + whole + " (" + percent(a.Cache.Stable, tools+a.Tokens) + "), up to " + until
}

// jsonCache says how much of a variant a provider can keep; left out where
// there is no breakpoint, nothing volatile and no conversation. Tokens include
// the schemas beside the text where the dialect's cached prefix begins with
// them.
type jsonCache struct {
	Points []jsonPoint `json:"points"`
	// Stable is the count up to the first volatile byte, or of everything.
	Stable   int           `json:"stable"`
	Volatile *jsonVolatile `json:"volatile,omitempty"`
}

// jsonPoint is a cache breakpoint, named after its tier or section.
type jsonPoint struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
	// End is the byte of the emitted text, or of all texts one after another,
	// behind which it stands.
	End int `json:"end"`
	// Written says that the dialect has a marker for it.
	Written bool `json:"written"`
}

// jsonVolatile is the first place that may change from one request to the
// next: a slot, or the section as a whole; or what the user asks, which is the
// content `prompt`.
type jsonVolatile struct {
	Content string `json:"content,omitempty"`
	Section string `json:"section,omitempty"`
	Slot    string `json:"slot,omitempty"`
	Source  string `json:"source,omitempty"`
	Start   int    `json:"start"` // byte, as End of a point
}

// cached gives what a provider can keep of a variant.
func cached(a *prompt.Artifact) *jsonCache {
	if !caches(a) {
		return nil
	}
	out := &jsonCache{Points: []jsonPoint{}, Stable: a.Cache.Stable}
	for _, point := range a.Cache.Points {
		made := jsonPoint{Name: point.Name, Tokens: point.Tokens, Written: a.Variant.Dialect != nil && a.Variant.Dialect.Markers}
		if point.Part > 0 {
			last := a.Parts[point.Part-1]
			made.End = last.Start + len(last.Text)
		}
		out.Points = append(out.Points, made)
	}
	if v := a.Cache.Volatile; v != nil {
		out.Volatile = &jsonVolatile{Content: prompt.ContentPrompt.String(), Start: a.Parts[v.Part].Start + v.Offset}
		if v.Section >= 0 {
			out.Volatile.Content, out.Volatile.Section = "", a.Build.Prompt.Sections[v.Section].ID.Str
		}
		if v.Slot != nil {
			out.Volatile.Slot = v.Slot.Name.Str
		}
		if v.Source != nil {
			out.Volatile.Source = v.Source.ID.Str
		}
	}
	return out
}

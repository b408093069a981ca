package lint

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// marked is a finding about breakpoints, as it is grouped: rule by rule and
// place by place.
type marked struct {
	build *prompt.Build
	code  diag.Code
	level diag.Level
	name  string // of the breakpoint, or the dialect
	at    diag.Span
}

// breakpoint is what a group of such findings says.
type breakpoint struct {
	tally
	least tally // the minima
}

// breakpoints judges where prompts put cache breakpoints.
func (s *scope) breakpoints(artifacts []*prompt.Artifact) diag.List {
	var all ordered[marked, breakpoint]
	for _, a := range artifacts {
		if len(a.Cache.Points) > 0 {
			judgePoints(&all, a)
		}
	}
	var out diag.List
	for _, key := range all.keys {
		b := all.values[key]
		d := key.finding(b)
		d.Level = key.level
		out = append(out, s.among(d, key.build, b.users))
	}
	return out
}

func judgePoints(all *ordered[marked, breakpoint], a *prompt.Artifact) {
	points, d := a.Cache.Points, dialectOf(a)
	if len(points) > prompt.MaxBreakpoints {
		level := diag.Warning
		if d.Markers {
			level = diag.Error
		}
		p := points[prompt.MaxBreakpoints]
		all.of(marked{a.Build, diag.TooManyBreakpoints, level, p.Name, p.At}).add(a, len(points))
	}
	if d.JSON && !d.Markers {
		all.of(marked{a.Build, diag.MarkersLeftOut, diag.Note, d.Name, diag.Span{}}).add(a, len(points))
	}
	if !d.Markers {
		return
	}
	for _, p := range points {
		if p.Tokens < a.Variant.CacheMinimum {
			b := all.of(marked{a.Build, diag.SmallPrefix, diag.Warning, p.Name, p.At})
			b.add(a, p.Tokens)
			b.least.add(a, a.Variant.CacheMinimum)
		}
	}
	for _, i := range maybeBlank(a) {
		all.of(marked{a.Build, diag.MaybeBlankMarker, diag.Warning, points[i].Name, points[i].At}).add(a, 0)
	}
}

// finding puts one group into words.
func (m marked) finding(b *breakpoint) diag.Diagnostic {
	id := m.build.Prompt.ID
	place := at(m.at, id.At)
	switch m.code {
	case diag.TooManyBreakpoints:
		return diag.New(m.code, place, "%q has %s; a request may have %d", id.Str, b.amount("cache breakpoint"), prompt.MaxBreakpoints).
			WithHint("leave one out: each covers everything before it")
	case diag.MarkersLeftOut:
		return diag.New(m.code, place, "%q has no cache breakpoints: those of %q are left out", m.name, id.Str).
			WithHint("nothing needs to be done: the provider finds repeated prefixes by itself")
	case diag.SmallPrefix:
		move := "leave the breakpoint to a later place"
		if strings.HasPrefix(m.name, "L") { // a tier: ids have no capitals
			move = "put more into the tier"
		}
		return diag.New(m.code, place, "the prefix of %q up to the breakpoint %q has %s; fewer than %s are not cached",
			id.Str, m.name, b.amount("token"), b.least.amount("token")).
			WithHint("%s, or say cache_minimum where the models take less", move)
	default:
		return diag.New(m.code, place, "all text that the breakpoint %q of %q marks may be empty at run time", m.name, id.Str).
			WithHint("put the breakpoint on a section that always says something")
	}
}

// maybeBlank gives the breakpoints of which the marked block holds nothing but
// sections that loaders cut when their only, optional slot is empty.
func maybeBlank(a *prompt.Artifact) []int {
	var out []int
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Marked && b.Image == nil && b.Point < len(a.Cache.Points) && mayVanish(a.Parts[b.From:b.To]) {
				out = append(out, b.Point)
			}
		}
	}
	return out
}

func mayVanish(parts []prompt.Part) bool {
	sections := 0
	for _, p := range parts {
		if p.Section < 0 && p.Passage == nil && strings.TrimSpace(p.Text) == "" {
			continue // a join goes with its section
		}
		if p.Section < 0 || p.Rendering == nil || len(p.Rendering.Slots) != 1 || !p.Rendering.Slots[0].Slot.Optional {
			return false
		}
		sections++
	}
	return sections > 0
}

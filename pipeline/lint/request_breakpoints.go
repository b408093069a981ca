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
	hint  string // its key, where it depends on the variant
	// alone is the first section of a text that no breakpoint marks.
	alone string
}

// breakpoint is what a group of such findings says.
type breakpoint struct {
	tally
	least tally // the minima
}

// breakpoints judges where prompts put cache breakpoints.
func (s *requestSet) breakpoints() diag.List {
	var all ordered[marked, breakpoint]
	for _, a := range s.artifacts {
		if len(a.Cache.Points) > 0 {
			judgePoints(&all, a)
		}
		judgeBlanks(&all, a)
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
	if len(points) > prompt.MaxBreakpoints && d.JSON {
		level := diag.Warning
		if d.Markers {
			level = diag.Error
		}
		p := points[prompt.MaxBreakpoints]
		all.of(marked{build: a.Build, code: diag.TooManyBreakpoints, level: level, name: p.Name, at: p.At}).add(a, len(points))
	}
	if !d.Markers {
		hint := "provider-finds-prefixes"
		if !d.JSON {
			hint = "say-dialect-with-breakpoints"
		}
		all.of(marked{build: a.Build, code: diag.MarkersLeftOut, level: diag.Note, name: d.Name, hint: hint}).add(a, len(points))
		return
	}
	for _, p := range points {
		if p.Tokens < a.Variant.CacheMinimum {
			move := "move-breakpoint-or-say-minimum"
			if a.Variant.Messages != nil {
				move = "fill-tier-or-say-minimum"
			}
			b := all.of(marked{build: a.Build, code: diag.SmallPrefix, level: diag.Warning, name: p.Name, at: p.At, hint: move})
			b.add(a, p.Tokens)
			b.least.add(a, a.Variant.CacheMinimum)
		}
	}
}

// judgeBlanks finds texts that hold nothing but sections that say nothing when
// their optional slots are empty: behind a marker, and elsewhere where the
// provider refuses them.
func judgeBlanks(all *ordered[marked, breakpoint], a *prompt.Artifact) {
	d := dialectOf(a)
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Image != nil || !b.Marked && !refusesBlank(d) || b.Marked && !d.Markers {
				continue
			}
			sections := mayVanish(a.Parts[b.From:b.To])
			if len(sections) == 0 {
				continue
			}
			found := marked{
				build: a.Build, code: diag.MaybeBlankMarker, level: diag.Warning, name: d.Name,
				at: a.Build.Prompt.Sections[sections[0]].ID.At, hint: "let-one-always-say-something",
			}
			if b.Marked {
				found.name = a.Cache.Points[b.Point].Name
			} else {
				found.alone = sectionID(a, sections[0])
			}
			all.of(found).add(a, 0)
		}
	}
}

// finding puts one group into words.
func (m marked) finding(b *breakpoint) diag.Diagnostic {
	id := m.build.Prompt.ID
	place := at(m.at, id.At)
	switch m.code {
	case diag.TooManyBreakpoints:
		return diag.New(m.code, place, "request-may", id.Str, b.amount("cache-breakpoint"), prompt.MaxBreakpoints).
			WithHint("leave-out-each-covers")
	case diag.MarkersLeftOut:
		return diag.New(m.code, place, "no-cache-breakpoints-those", m.name, id.Str).
			WithHint(m.hint)
	case diag.SmallPrefix:
		return diag.New(m.code, place, "prefix-up-breakpoint-fewer",
			id.Str, m.name, b.amount("token"), b.least.amount("token")).
			WithHint(m.hint)
	default:
		d := diag.New(m.code, place, "all-text-breakpoint-marks", m.name, id.Str)
		if m.alone != "" {
			d.What = diag.Say("text-begins-stands-alone", m.alone, id.Str, m.name)
		}
		return d.WithHint(m.hint)
	}
}

// mayVanish gives the sections of a text all of which may vanish; nil where
// something always stays.
func mayVanish(parts []prompt.Part) []int {
	var sections []int
	for _, p := range parts {
		if p.Section < 0 && p.Passage == nil && strings.TrimSpace(p.Text) == "" {
			continue // a join goes with its section
		}
		if p.Section < 0 || p.Rendering == nil || !goes(p.Rendering) {
			return nil
		}
		sections = append(sections, p.Section)
	}
	return sections
}

// goes reports whether a section says nothing when its optional slots are
// empty: they are all its text, or it is cut with the only one that it has.
func goes(r *prompt.Rendering) bool {
	only, from := true, 0
	var rest strings.Builder
	for _, s := range r.Slots {
		only = only && s.Slot == r.Slots[0].Slot
		if s.Slot.Optional {
			rest.WriteString(r.Text.Str[from:s.Start])
			from = s.End
		}
	}
	if from == 0 { // no optional slot
		return false
	}
	rest.WriteString(r.Text.Str[from:])
	return only || strings.TrimSpace(rest.String()) == ""
}

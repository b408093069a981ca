package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/language"
)

// chainEnd is where a program stops that reads the files of a variant one after
// another.
type chainEnd struct {
	preset *language.Preset
	file   *diag.File
	offset int
}

// longChain is what the variants have whose files end in the same place.
type longChain struct {
	sources, rest []string // rest are the files behind the end
	low, high     int
	users         ordered.Map[*assembly.Build, ground.Set]
}

// longChains finds variants whose files, in all sections together, are more than the
// program that reads them takes.
func longChains(s *requestSet) diag.List {
	var all ordered.Map[chainEnd, longChain]
	for i := range language.Presets {
		p := &language.Presets[i]
		if p.ChainBytes == 0 && p.ChainRunes == 0 || !s.limited(p) {
			continue
		}
		var chains ordered.Map[string, []*assembly.Artifact] // by their units
		for _, a := range s.artifacts {
			if key := s.chainKey(a, p); key != "" {
				same := chains.Of(key)
				*same = append(*same, a)
			}
		}
		for _, users := range chains.All() {
			c := s.chain((*users)[0], p)
			if end, total, rest := c.end(p); end.file != nil {
				all.Of(end).add(c.sources, rest, total, *users)
			}
		}
	}
	var out diag.List
	for end, l := range all.All() {
		out = append(out, l.finding(s, end))
	}
	return out
}

// limited reports whether a source names a program that reads its files.
func (s *requestSet) limited(p *language.Preset) bool {
	return slices.ContainsFunc(s.plan.Spec.Sources, func(of *language.Source) bool { return limitOf(of, p).Str != "" })
}

// add notes the variants of one chain, all of the same length.
func (l *longChain) add(sources, rest []string, total int, of []*assembly.Artifact) {
	l.sources, l.rest = addNew(l.sources, sources), addNew(l.rest, rest)
	if l.low == 0 || total < l.low {
		l.low = total
	}
	l.high = max(l.high, total)
	for _, a := range of {
		users := ground.NewSet(len(a.Build.Variants))
		users.Add(a.Variant.Index)
		union(l.users.Of(a.Build), users)
	}
}

// chainKey tells the variants apart whose sections have other files for a program.
func (s *requestSet) chainKey(a *assembly.Artifact, p *language.Preset) string {
	var key strings.Builder
	for _, use := range a.Variant.Uses {
		if use.Unit >= 0 && slices.ContainsFunc(s.plan.Units[use.Unit].Inputs, func(in *assembly.Input) bool { return chained(in, p) }) {
			fmt.Fprintf(&key, "%d ", use.Unit)
		}
	}
	return key.String()
}

// chained reports whether a program reads the files of an input one after another.
func chained(in *assembly.Input, p *language.Preset) bool {
	return in.Source != nil && (in.Kind == nil || !in.Kind.Skills) && limitOf(in.Source, p).Str != ""
}

// chain are the files that a program reads of a variant, in the order of the
// sections, and the ids of their sources.
type chain struct {
	files   []*diag.File
	sources []string
}

func (s *requestSet) chain(a *assembly.Artifact, p *language.Preset) (out chain) {
	met := map[*diag.File]bool{}
	for _, use := range a.Variant.Uses {
		if use.Unit < 0 {
			continue
		}
		for _, in := range s.plan.Units[use.Unit].Inputs {
			if !chained(in, p) {
				continue
			}
			for _, f := range filesFor(in, p) {
				if strings.TrimSpace(f.Text) == "" || met[f] {
					continue // empty files count as nothing
				}
				met[f] = true
				out.files, out.sources = append(out.files, f), addNew(out.sources, []string{in.Source.ID.Str})
			}
		}
	}
	return out
}

// end gives where the program stops, with a blank line between the files, the length
// of all, and the files behind the end. Its file is nil where the program takes all.
func (c chain) end(p *language.Preset) (end chainEnd, total int, rest []string) {
	limit, unit := chainLimit(p)
	end.preset = p
	for i, f := range c.files {
		if i > 0 {
			total += len("\n\n")
		}
		n := size(f.Text, unit)
		switch {
		case end.file != nil:
			rest = append(rest, f.Path)
		case total+n > limit:
			end.file, end.offset = f, upTo(f.Text, unit, max(0, limit-total))
		}
		total += n
	}
	return end, total, rest
}

// chainLimit is how much a program takes of all files together, and in what.
func chainLimit(p *language.Preset) (limit int, unit string) {
	if p.ChainBytes > 0 {
		return p.ChainBytes, "byte"
	}
	return p.ChainRunes, "character"
}

func (l *longChain) finding(s *requestSet, end chainEnd) diag.Diagnostic {
	limit, unit := chainLimit(end.preset)
	total := tally{low: l.low, high: l.high}
	d := diag.New(diag.OverPreset, restOfLine(end.file, end.offset), "files-together-takes",
		diag.Some(l.sources, shown), total.amount(unit), end.preset.Says, diag.Count(limit), end.file.LineAt(end.offset), end.file.Path).
		WithHint("shorten-files-say-matters")
	if len(l.rest) > 0 {
		d = d.WithDetail(diag.Say("not-read-at-all", diag.Some(l.rest, shown)))
	}
	for b, users := range l.users.All() {
		if len(l.users.Keys) == 1 {
			return s.among(d, b, *users)
		}
		d.Prompts = append(d.Prompts, b.Prompt.ID.Str)
	}
	return d
}

// addNew adds those of more that are not there.
func addNew[T comparable](to, more []T) []T {
	for _, x := range more {
		if !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	return to
}

// limitOf gives where a source names a program that reads its files, the zero Word
// where it does not.
func limitOf(s *language.Source, p *language.Preset) ground.Word {
	for _, l := range s.Limits {
		if l.Str == p.Name {
			return l
		}
	}
	return ground.Word{}
}

// listing are the sections that list skills for one program, up to the one that passes
// its limit.
type listing struct {
	sections string // ids, with a blank between them
	preset   *language.Preset
	limit    ground.Word
}

// longListings compares the emitted listings of skills, those of all sections of a
// variant together, with the limit of the program that makes such listings.
func longListings(c *promptView) diag.List {
	var all ordered.Map[listing, tally]
	runes := map[*assembly.Rendering]int{}
	for i := range language.Presets {
		p := &language.Presets[i]
		if p.ListingRunes == 0 || !c.requests.limited(p) {
			continue
		}
		for _, a := range c.artifacts {
			if l, n := c.listing(a, p, runes); n > p.ListingRunes {
				all.Of(l).add(a, n)
			}
		}
	}
	var out diag.List
	for l, t := range all.All() {
		key, sections := "listing-takes", strings.Fields(l.sections)
		if len(sections) > 1 {
			key = "listings-take"
		}
		d := diag.New(diag.LongListing, l.limit.At, key,
			diag.Some(sections, shown), c.build.Prompt.ID.Str, t.amount("character"), l.preset.Says, diag.Count(l.preset.ListingRunes)).
			WithHint("shorten-descriptions-list-fewer")
		out = append(out, c.requests.among(d, c.build, t.users))
	}
	return out
}

// listing gives what a variant lists for a program, and its length in characters.
func (c *promptView) listing(a *assembly.Artifact, p *language.Preset, runes map[*assembly.Rendering]int) (out listing, total int) {
	out.preset = p
	for section, r := range a.Used {
		limit := listingLimit(r, p)
		if limit.Str == "" {
			continue
		}
		n, counted := runes[r]
		if !counted {
			n = utf8.RuneCountInString(r.Text.Str)
			runes[r] = n
		}
		if total <= p.ListingRunes {
			out.limit = limit
		}
		total += n
		out.sections += c.build.Prompt.Sections[section].ID.Str + " "
	}
	return out, total
}

// listingLimit gives where the first source of skills in a rendering names a program,
// the zero Word where none does.
func listingLimit(r *assembly.Rendering, p *language.Preset) ground.Word {
	if r == nil || r.Unit == nil {
		return ground.Word{}
	}
	for _, in := range r.Unit.Inputs {
		if in.Source == nil || in.Kind == nil || !in.Kind.Skills {
			continue
		}
		if l := limitOf(in.Source, p); l.Str != "" {
			return l
		}
	}
	return ground.Word{}
}

package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// option is a key of the manifest that decides how sources are shown, with its
// two values.
type option struct {
	name     string
	from, to string
	at       diag.Span // in the head; unknown where it is not set there
	// shared says that it is no key of the section, but of the project.
	shared bool
}

// optionKey groups what one key does.
type optionKey struct {
	at                      place
	section, name, from, to string
}

// byOptions gives the keys of the manifest that a change follows from: those
// that differ while all sources say what they said. None where a source says
// something else, too, or where the new text stands in the manifest itself.
func (c *change) byOptions() []option {
	was, is := c.base.Unit, c.head.Unit
	if was.Exact || is.Exact || was.Dialogue != nil || is.Dialogue != nil ||
		!slices.EqualFunc(was.Inputs, is.Inputs, sameSources) {
		return nil
	}
	out := unitOptions(was, is)
	for i, now := range is.Inputs {
		for _, o := range inputOptions(was.Inputs[i], now) {
			if !slices.ContainsFunc(out, func(p option) bool { return p.name == o.name }) {
				out = append(out, o)
			}
		}
	}
	for _, b := range is.Bindings {
		i := slices.IndexFunc(was.Bindings, func(old prompt.Binding) bool { return old.Name == b.Name })
		if i < 0 || b.Slot != nil || was.Bindings[i].Slot != nil || was.Bindings[i].Value.Str == b.Value.Str {
			continue
		}
		at := b.Value.Span(0, len(b.Value.Str))
		out = append(out, option{"fragments." + b.Name, quoted(was.Bindings[i].Value.Str), quoted(b.Value.Str), at, true})
	}
	for _, o := range out {
		if slices.Contains([]string{"heading", "before", "after"}, o.name) && o.to != "" && o.to != quoted("") {
			return nil // the lines stand in the manifest
		}
	}
	return out
}

// sameSources reports whether two inputs are made from the same.
func sameSources(a, b *prompt.Input) bool {
	sameDoc := func(d, e *prompt.Doc) bool { return d.File.Path == e.File.Path && d.File.Text == e.File.Text }
	return a.Kind == b.Kind && a.Form == b.Form && a.Origin == b.Origin && a.Base == b.Base && a.Text.Str == b.Text.Str &&
		slices.EqualFunc(a.Docs, b.Docs, sameDoc) &&
		slices.EqualFunc(a.Tools, b.Tools, func(t, u *prompt.Tool) bool { return t.Canonical == u.Canonical }) &&
		slices.EqualFunc(a.Entries, b.Entries, func(e, f *prompt.Entry) bool { return e.ID.Str == f.ID.Str }) &&
		(a.StyleDoc == nil || b.StyleDoc == nil || a.StyleDoc.File.Path != b.StyleDoc.File.Path || sameDoc(a.StyleDoc, b.StyleDoc))
}

// unitOptions gives the keys of a section that differ.
func unitOptions(was, is *prompt.Unit) []option {
	var out []option
	add := func(name, from, to string, at diag.Span) {
		if from != to {
			out = append(out, option{name: name, from: from, to: to, at: at})
		}
	}
	spec := is.Section
	heading := func(u *prompt.Unit) string {
		if u.Heading == nil {
			return ""
		}
		return quoted(u.Heading.Str)
	}
	add("heading", heading(was), heading(is), caseAt(spec.Heading))
	add("before", unlessEmpty(was.Before.Str), unlessEmpty(is.Before.Str), caseAt(spec.Before))
	add("after", unlessEmpty(was.After.Str), unlessEmpty(is.After.Str), caseAt(spec.After))
	add("expand", strconv.FormatBool(was.Expand), strconv.FormatBool(is.Expand), caseAt(spec.Options.Expand))
	return out
}

// inputOptions gives the keys that differ of how a source is shown.
func inputOptions(was, is *prompt.Input) []option {
	var out []option
	add := func(name, from, to string, at diag.Span) {
		if from != to {
			out = append(out, option{name: name, from: from, to: to, at: at})
		}
	}
	set := prompt.Options{}
	if is.Source != nil {
		set = is.Source.Options
	}
	limit := func(l *prompt.Limit) string {
		if l == nil {
			return ""
		}
		words := []string{fmt.Sprintf("%d characters", l.Chars)}
		if l.PerSource {
			words = append(words, "per source")
		}
		if l.Cut {
			words = append(words, "cut")
		}
		return strings.Join(words, ", ")
	}
	at := diag.Span{}
	if is.Limit != nil {
		at = is.Limit.At
	}
	add("location", unlessEmpty(was.Location.Str), unlessEmpty(is.Location.Str), is.Location.Span(0, len(is.Location.Str)))
	add("style", styleOf(was), styleOf(is), caseAt(set.Style))
	add("limit", limit(was.Limit), limit(is.Limit), at)
	add("expand", strconv.FormatBool(was.Expand), strconv.FormatBool(is.Expand), caseAt(set.Expand))
	add("routing", strconv.FormatBool(was.Routing), strconv.FormatBool(is.Routing), caseAt(set.Routing))
	return out
}

func styleOf(in *prompt.Input) string {
	if in.StyleDoc != nil {
		return in.StyleDoc.File.Path
	}
	return in.Style
}

func quoted(s string) string { return strconv.Quote(s) }

func unlessEmpty(s string) string {
	if s == "" {
		return ""
	}
	return quoted(s)
}

// optionChanged adds the edit of the keys that a change follows from, with the
// lines that do.
func (r *run) optionChanged(c *change) {
	names := make([]string, len(c.options))
	for i, o := range c.options {
		names[i] = o.name
	}
	first := c.options[0]
	lines := hunksOf(c.base.Text, c.head.Text)
	for _, u := range c.uses {
		key := optionKey{section: u.section.id, name: strings.Join(names, ", ")}
		if len(c.options) == 1 {
			key.from, key.to = first.from, first.to
		}
		at := first.at
		if !at.Known() {
			at = u.section.spec().ID.At
		}
		key.at = placeOf(at)
		if first.shared {
			key.section = ""
		}
		e := r.group(key, func() *prompt.Edit {
			return &prompt.Edit{Kind: prompt.SettingChanged, Section: key.section, Name: key.name, From: key.from, To: key.to, At: at}
		})
		r.hunkOnce(e, lines)
		r.reachAll(c, u, e)
	}
}

// hunkOnce adds the hunks to an edit that it does not have yet.
func (r *run) hunkOnce(e *prompt.Edit, hunks []hunk) {
	for i := range hunks {
		h := &hunks[i]
		var b strings.Builder
		for _, l := range h.Lines {
			b.WriteString(string(l.Sign) + l.Text + "\n")
		}
		if key := (shownText{e, b.String()}); !r.whole[key] {
			r.whole[key] = true
			e.Hunks = append(e.Hunks, h.Hunk)
		}
	}
}

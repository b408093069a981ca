package render

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// binding is a declared name; a fragment's value is prepared once a unit.
type binding struct {
	*assembly.Binding
	value *passage
}

// expand replaces the placeholders of a text. Slots stay as {{name}} and are
// recorded with their places; fragments become their values, which are not
// looked at again; {{{{name}}}} becomes {{name}}. A line that holds nothing
// but empty fragments vanishes with its line break.
func (b *bench) expand(p passage) passage {
	marks := ground.Placeholders(p.text.Str)
	if len(marks) == 0 {
		return p
	}
	x := expansion{bench: b, text: p.text}
	for i := 0; i < len(marks); {
		i = x.line(marks, i)
	}
	return p.edited(x.edits)
}

// expansion is the work on one text.
type expansion struct {
	*bench
	text  ground.Text
	edits []edit
}

// line handles the placeholders of the line that marks[i] stands on, and
// gives the index of the first after it.
func (x *expansion) line(marks []ground.Placeholder, i int) int {
	s := x.text.Str
	start := strings.LastIndexByte(s[:marks[i].Start], '\n') + 1
	end := len(s)
	if n := strings.IndexByte(s[marks[i].Start:], '\n'); n >= 0 {
		end = marks[i].Start + n
	}
	next := i
	gone, at := true, start
	before := len(x.edits)
	for ; next < len(marks) && marks[next].Start < end; next++ {
		m := marks[next]
		with := x.replacement(m, x.text.Slice(m.Start, m.End), "")
		gone = gone && with.empty() && strings.Trim(s[at:m.Start], " \t") == ""
		at = m.End
		x.edits = append(x.edits, edit{start: m.Start, end: m.End, with: &with})
	}
	if !gone || strings.Trim(s[at:end], " \t") != "" {
		return next
	}
	// The line holds only empty fragments. The last line has no break of its
	// own, so the one before it goes.
	x.edits = x.edits[:before]
	if end < len(s) {
		end++
	} else if start > 0 && (before == 0 || x.edits[before-1].end < start) {
		start--
	}
	x.edits = append(x.edits, edit{start: start, end: end, with: &passage{}})
	return next
}

// replacement gives what a placeholder becomes. fragment is the one in whose value
// it stands, "" for none.
func (b *bench) replacement(m ground.Placeholder, old ground.Text, fragment string) passage {
	at := old.Span(0, len(old.Str))
	bound, known := b.bindings[m.Name]
	declared := known || slices.Contains(b.fragments, m.Name)
	switch {
	case m.Literal:
		return plain(derived("{{"+m.Name+"}}", at))
	case m.Spaced:
		d := diag.New(diag.SpacedPlaceholder, at, "spaces-placeholders-none", old.Str).WithHint("write-placeholder", m.Name)
		if !declared {
			d.Hint = b.undeclaredHint(m.Name)
		}
		b.found = append(b.found, d)
	case known && bound.Slot != nil:
		return slotAt(old, bound.Slot)
	case declared && fragment != "":
		b.found = append(b.found, diag.New(diag.NestedFragment, at, "fragment-holds-fragment", fragment, m.Name).
			WithHint("fragments-may-hold-slots", m.Name))
	case known:
		return b.fragment(bound)
	default:
		d := diag.New(diag.UndeclaredPlaceholder, at, "no-declared-slot-fragment", m.Name)
		d.Hint = b.undeclaredHint(m.Name)
		b.found = append(b.found, d)
	}
	return plain(old)
}

// slotAt gives {{name}} with its place recorded.
func slotAt(t ground.Text, slot *language.Slot) passage {
	return passage{text: t, slots: []assembly.SlotAt{{Slot: slot, Start: 0, End: len(t.Str)}}}
}

// keywords are what template languages write like names.
var keywords = []string{"else", "end", "endif", "endfor", "this"}

// asTemplates makes one finding of those about placeholders in a file that is a
// template of another language.
func asTemplates(found diag.List) diag.List {
	var files ordered.Map[*diag.File, diag.List]
	for _, d := range found {
		if f := d.Span.File; f != nil && (d.Code == diag.UndeclaredPlaceholder || d.Code == diag.SpacedPlaceholder) {
			in := files.Of(f)
			*in = append(*in, d)
		}
	}
	for f, in := range files.All() {
		once := slices.CompactFunc(in.Sorted(), func(a, b diag.Diagnostic) bool { return a.Span == b.Span })
		if len(once) < 2 || !templates.HasTag(f.Text) {
			continue
		}
		var names []string
		for _, d := range once {
			if name := f.Text[d.Span.Start:d.Span.End]; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
			return d.Span.File == f && (d.Code == diag.UndeclaredPlaceholder || d.Code == diag.SpacedPlaceholder)
		})
		found = append(found, diag.New(diag.UndeclaredPlaceholder, once[0].Span, "template-of-another-language", diag.Count(len(once)), diag.Some(names, maxNamed)).
			WithHint("no-template-language-expanded"))
	}
	return found
}

// maxNamed is how many placeholders of a template are named.
const maxNamed = 5

func (b *bench) undeclaredHint(name string) diag.Words {
	if strings.HasPrefix(name, ".") || slices.Contains(keywords, name) {
		return diag.Say("no-template-language-expanded")
	}
	if best, ok := suggest.Best(name, b.names); ok {
		return diag.Say("did-you-mean-placeholder", best, name)
	}
	return diag.Say("declare-placeholder", name)
}

// fragment gives a fragment's value with its slots.
func (b *bench) fragment(bound *binding) passage {
	if bound.value != nil {
		return *bound.value
	}
	var edits []edit
	for _, m := range ground.Placeholders(bound.Value.Str) {
		with := b.replacement(m, bound.Value.Slice(m.Start, m.End), bound.Name)
		edits = append(edits, edit{start: m.Start, end: m.End, with: &with})
	}
	p := plain(bound.Value).edited(edits)
	bound.value = &p
	return p
}

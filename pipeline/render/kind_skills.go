package render

import (
	"regexp"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// skillsBody lists skills, in path order: with descriptions, without, or by
// name alone.
func skillsBody(b *bench, group []*prompt.Input) passage {
	first := group[0]
	var pieces []piece
	seen := map[string]diag.Span{}
	for _, in := range group {
		for _, doc := range in.Docs {
			pieces = append(pieces, b.skill(in, doc, seen))
		}
	}
	s, flags := b.style(first), flagsOf(first)
	undo := b.checkpoint()
	whole := b.layout(s, pieces, flags, nil)
	if first.Limit == nil || whole.runes() <= first.Limit.Chars {
		return whole
	}
	if first.Form != "names" && !first.Limit.Cut {
		b.overLimit(first, nil, limitPlace(first), whole.runes(),
			diag.Say("shorten-descriptions"))
		return whole
	}
	undo()
	return b.fewerSkills(first, s, flags, pieces)
}

// fewerSkills lists as many skills as fit, and says how many there are.
func (b *bench) fewerSkills(in *prompt.Input, s *style, flags scope, pieces []piece) passage {
	list := func(n int) passage {
		cut := b.block(s, "cut", joined(scope{
			numEntry("Shown", n), numEntry("Total", len(pieces)), numEntry("Limit", in.Limit.Chars),
		}, flags))
		return b.layout(s, pieces[:n], flags, scope{passEntry("Cut", cut)})
	}
	undo := b.checkpoint()
	// The length grows with every skill, so halving finds the most that fit.
	low, high := 0, len(pieces)-1
	for low < high {
		mid := (low + high + 1) / 2
		if list(mid).runes() <= in.Limit.Chars {
			low = mid
		} else {
			high = mid - 1
		}
		undo()
	}
	if low == 0 {
		b.limitTooSmall(in)
		return passage{}
	}
	for _, p := range pieces[low:] {
		b.recordCut(in, p.file, b.block(s, "item", joined(p.data, flags)).runes(), 0)
	}
	return list(low)
}

// skill gives the piece of one file.
func (b *bench) skill(in *prompt.Input, doc *prompt.Doc, seen map[string]diag.Span) piece {
	name := oneLine(b.field(in, scalarText(doc.Front.Field("name"))))
	word := name.text.Str
	at := name.text.Span(0, len(word))
	if before, twice := seen[word]; twice {
		d := diag.New(diag.DuplicateSkill, at, "skill-name-declared-twice", word)
		if before.Known() {
			d = d.WithHint("other-rename", before.File.Path)
		}
		b.found = append(b.found, d)
	} else {
		seen[word] = at
	}
	p := piece{file: doc.File, data: scope{
		passEntry("Name", name),
		passEntry("Description", b.field(in, scalarText(doc.Front.Field("description"))).trimOuter()),
		passEntry("Path", oneLine(b.location(in, doc, name))),
	}}
	if in.Form != "names" {
		p.name = word
	}
	return p
}

func scalarText(n *prompt.Node) prompt.Text {
	if !n.IsScalar() || n.Kind == prompt.Null {
		return prompt.Text{}
	}
	return n.Text
}

var locationPart = regexp.MustCompile(`\{([A-Za-z0-9_.-]*)\}`)

// location gives where a skill is to be found: its path, or the source's
// `location` with {name} and {path} filled in.
func (b *bench) location(in *prompt.Input, doc *prompt.Doc, name passage) passage {
	if in.Location.Str == "" {
		return words(doc.File.Path)
	}
	parts := []struct {
		name string
		with passage
	}{{"name", name}, {"path", words(doc.File.Path)}}
	var edits []edit
	for _, m := range locationPart.FindAllStringSubmatchIndex(in.Location.Str, -1) {
		word, known := in.Location.Str[m[2]:m[3]], false
		for _, part := range parts {
			if part.name == word {
				known = true
				edits = append(edits, edit{start: m[0], end: m[1], with: &part.with})
			}
		}
		if !known {
			b.found = append(b.found, diag.New(diag.TemplateField, in.Location.Span(m[0], m[1]),
				"location-names-unknown-part", "{"+word+"}").WithHint("known-name-path"))
		}
	}
	return plain(in.Location).edited(edits)
}

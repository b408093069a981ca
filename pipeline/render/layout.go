package render

import (
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// piece is one of the things that a kind lists.
type piece struct {
	name string // of the item; "" where the kind's form has no items
	file *diag.File
	data scope
}

// layout prints pieces by the block "item", joins them by the block
// "separator", and puts them into the frame.
func (b *bench) layout(s *style, pieces []piece, flags, extra scope) passage {
	if len(pieces) == 0 {
		return passage{}
	}
	separator := b.separator(s, flags)
	var w writer
	for i, p := range pieces {
		if i > 0 {
			w.write(separator)
		}
		body := b.block(s, "item", joined(p.data, flags))
		if p.name == "" {
			w.write(body)
			continue
		}
		w.item(b.tilde.claim(p.name), p.file, body)
	}
	data := joined(scope{passEntry("Items", w.passage()), numEntry("Count", len(pieces))}, extra)
	return b.frame(s, joined(data, flags))
}

// separator is the block between two items, a line break where the style has
// none.
func (b *bench) separator(s *style, flags scope) passage {
	if _, nodes := s.block("separator"); nodes == nil {
		return words("\n")
	}
	return b.block(s, "separator", flags)
}

// checkpoint gives a way back: what is printed to measure it claims no name,
// uses no allowance and finds nothing.
func (b *bench) checkpoint() (undo func()) {
	tilde, left, found := maps.Clone(b.tilde), b.left, len(b.found)
	return func() { b.tilde, b.left, b.found = maps.Clone(tilde), left, b.found[:found] }
}

func joined(a, b scope) scope { return append(slices.Clip(a), b...) }

// flagsOf gives the flags of a kind that has some: which form is printed.
func flagsOf(in *prompt.Input) scope {
	if in.Kind.Name != prompt.SkillsKind {
		return nil
	}
	return scope{
		flagEntry("Full", in.Form != "compact" && in.Form != "names"),
		flagEntry("Compact", in.Form == "compact"),
		flagEntry("Names", in.Form == "names"),
	}
}

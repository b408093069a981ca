package resolve

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fixture is a conversation with its keys looked up, before an assembly says
// where each thing is shown.
type fixture struct {
	conv  *prompt.Conversation
	lib   *library
	tiers [prompt.Tiers]shelf
	// full are the files that are shown in full anywhere, by what library.same
	// says of the path; of a file that a tier and the list of the selected
	// name, the tier's.
	full map[string]prompt.WorkFile
	// keyed are the paths that a tier names, as a file or by its symbols.
	keyed map[string]bool
	// working are the selected files that no tier has in full, and again are
	// the entries of those that one has.
	working []prompt.WorkFile
	again   []prompt.Word
	claims  map[claim]held
	// left are the symbols that are left out, in the order of the fixture.
	left []leftOut
	// misled says that a key of the history was refused: what the tiers leave
	// of the history is then not what was meant.
	misled bool
}

// shelf is what the keys of one tier come to, in the order of the keys.
type shelf struct {
	symbols []*prompt.SymbolBlock
	files   []prompt.WorkFile
	history []int
}

// claim is a thing that may be claimed once. The path of a file is what
// library.same says of it.
type claim struct {
	kind prompt.TierKeyKind
	path string
	n    int
}

// leftOut is something that is not shown where a fixture asks for it.
type leftOut struct {
	prompt.LeftOut

	at diag.Span
}

// held is who claimed it.
type held struct {
	tier int
	word prompt.Word
}

// fixture looks the keys of a conversation up, once.
func (b *binder) fixture(doc *prompt.Doc) *fixture {
	if known := b.fixtures[doc]; known != nil {
		return known
	}
	conv := b.spec.Conversations[doc]
	fx := &fixture{conv: conv, full: map[string]prompt.WorkFile{}, keyed: map[string]bool{}, claims: map[claim]held{}}
	b.fixtures[doc] = fx
	fx.lib = b.open(conv)
	for tier := range conv.Tiers {
		for _, k := range conv.Tiers[tier] {
			b.shelve(fx, tier, k)
		}
	}
	b.selected(fx)
	b.leaveOut(fx)
	b.straySymbols(fx)
	return fx
}

// shelve puts what one key of a tier names into it.
func (b *binder) shelve(fx *fixture, tier int, k prompt.TierKey) {
	if !b.claim(fx, tier, k) {
		fx.misled = fx.misled || k.Kind == prompt.KeyHistory
		return
	}
	t := &fx.tiers[tier]
	switch k.Kind {
	case prompt.KeyFile:
		fx.keyed[k.Path] = true
		if doc := b.file(fx.lib, k.Path, k.Word.At); doc != nil {
			w := prompt.WorkFile{Path: k.Path, Doc: doc, At: k.Word.At}
			fx.full[fx.lib.same(k.Path)] = w
			t.files = append(t.files, w)
		}
	case prompt.KeySymbol:
		fx.keyed[k.Path] = true
		if s := b.symbol(fx.lib, k); s != nil {
			t.symbols = append(t.symbols, s)
		}
	case prompt.KeyHistory:
		if b.message(fx.conv, k) {
			t.history = append(t.history, k.N)
		} else {
			fx.misled = true
		}
	}
}

// claim reports whether a key is the first of its kind to name a thing. That
// no tier has a key twice was checked before, but for the names that links
// give to a file.
func (b *binder) claim(fx *fixture, tier int, k prompt.TierKey) bool {
	c := claim{kind: k.Kind, path: k.Path, n: k.N}
	if k.Kind == prompt.KeyFile {
		c.path = fx.lib.same(k.Path)
	}
	first, taken := fx.claims[c]
	if !taken {
		fx.claims[c] = held{tier, k.Word}
		return true
	}
	code, hint := diag.BoundTwice, "first-keep-one"
	fact := diag.Say("which-stands-in-tier", first.tier)
	if first.word.Str != k.Word.Str {
		fact, hint = diag.Say("same-file-in-tier", first.word.Str, first.tier), "first-keep-one-of-link"
	}
	if first.tier == tier {
		code, fact = diag.DuplicateName, diag.Say("same-file", first.word.Str)
	}
	b.diags = append(b.diags, diag.New(code, k.Word.At, "tier-l", tier, k.Word.Str, fact).
		WithHint(hint, lineOf(first.word.At)))
	return false
}

// selected looks up the files that the user selected, whose paths are
// distinct.
func (b *binder) selected(fx *fixture) {
	for _, w := range fx.conv.Selected {
		doc := b.file(fx.lib, w.Str, w.At)
		if doc == nil {
			continue
		}
		id := fx.lib.same(w.Str)
		if _, inTier := fx.claims[claim{kind: prompt.KeyFile, path: id}]; inTier {
			fx.again = append(fx.again, w)
			continue
		}
		if first, selected := fx.full[id]; selected {
			b.diags = append(b.diags, diag.New(diag.DuplicateName, w.At, "selected-same-file", w.Str, first.Path).
				WithHint("first-keep-one-of-link", lineOf(first.At)))
			continue
		}
		f := prompt.WorkFile{Path: w.Str, Doc: doc, At: w.At}
		fx.full[id] = f
		fx.working = append(fx.working, f)
	}
}

// leaveOut takes the symbols from the tiers whose file is there in full, and
// says so at the key.
func (b *binder) leaveOut(fx *fixture) {
	for tier := range fx.tiers {
		t := &fx.tiers[tier]
		t.symbols = slices.DeleteFunc(t.symbols, func(s *prompt.SymbolBlock) bool {
			f, full := fx.full[fx.lib.same(s.Path.Str)]
			if full {
				at := fx.claims[claim{kind: prompt.KeySymbol, path: s.Path.Str}].word.At
				fx.left = append(fx.left, leftOut{prompt.LeftOut{Kind: prompt.ContentSymbols, Path: s.Path.Str, Why: "in full"}, at})
				b.diags = append(b.diags, diag.New(diag.ShownInFull, at, "symbols-left-out-file", s.Path.Str, asOther(s.Path.Str, f.Path)).
					WithHint("file-asked-keep-two", lineOf(f.At)))
			}
			return full
		})
	}
}

// asOther names a file by its other name, where it has one.
func asOther(path, other string) diag.Words {
	if path == other {
		return diag.Words{}
	}
	return diag.Say("as-other-name", other)
}

// noteAgain says which selected files stand in a tier and not among the
// working files.
func (b *binder) noteAgain(fx *fixture) {
	for _, w := range fx.again {
		f := fx.full[fx.lib.same(w.Str)]
		b.diags = append(b.diags, diag.New(diag.ShownInFull, w.At, "selected-file-shown-tier", w.Str, fx.tierOf(w), asOther(w.Str, f.Path)).
			WithHint("tier-asks-keep-two", lineOf(f.At)))
	}
}

// tierOf gives the tier that has a selected file in full.
func (fx *fixture) tierOf(w prompt.Word) int {
	return fx.claims[claim{kind: prompt.KeyFile, path: fx.lib.same(w.Str)}].tier
}

// leftOut gives what an assembly does not show where the fixture asks for it,
// in the order of the fixture. Flat, there is one place for a file.
func (fx *fixture) leftOut(flat bool) []prompt.LeftOut {
	all := slices.Clone(fx.left)
	if !flat {
		for _, w := range fx.again {
			all = append(all, leftOut{prompt.LeftOut{Kind: prompt.ContentFile, Path: w.Str, Why: fmt.Sprintf("in L%d", fx.tierOf(w))}, w.At})
		}
	}
	slices.SortStableFunc(all, func(a, b leftOut) int { return cmp.Compare(a.at.Start, b.at.Start) })
	var out []prompt.LeftOut
	for _, l := range all {
		out = append(out, l.LeftOut)
	}
	return out
}

// lineOf says where something stands.
func lineOf(at diag.Span) diag.Words {
	if !at.Known() {
		return diag.Say("another-place")
	}
	return diag.Say("path-and-line", at.File.Path, at.File.LineAt(at.Start))
}

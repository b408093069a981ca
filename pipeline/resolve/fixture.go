package resolve

import (
	"slices"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fixture is a conversation with its keys looked up, before an assembly says
// where each thing is shown.
type fixture struct {
	conv   *prompt.Conversation
	folder *prompt.Workspace // nil for none
	tiers  [prompt.Tiers]shelf
	// full are the files that are shown in full anywhere, by path; of a file
	// that a tier and the list of the selected name, the tier's.
	full map[string]prompt.WorkFile
	// keyed are the paths that a tier names, as a file or by its symbols.
	keyed map[string]bool
	// working are the selected files that no tier has in full, and again are
	// the entries of those that one has.
	working []prompt.WorkFile
	again   []prompt.Word
	claims  map[claim]held
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

// claim is a thing that may be claimed once.
type claim struct {
	kind prompt.TierKeyKind
	path string
	n    int
}

// held is who claimed it.
type held struct {
	tier int
	at   diag.Span
}

// fixture looks the keys of a conversation up, once.
func (b *binder) fixture(doc *prompt.Doc) *fixture {
	if known := b.fixtures[doc]; known != nil {
		return known
	}
	conv := b.spec.Conversations[doc]
	fx := &fixture{conv: conv, full: map[string]prompt.WorkFile{}, keyed: map[string]bool{}, claims: map[claim]held{}}
	b.fixtures[doc] = fx
	l := b.open(fx)
	for tier := range conv.Tiers {
		for _, k := range conv.Tiers[tier] {
			b.shelve(fx, l, tier, k)
		}
	}
	b.selected(fx, l)
	b.leaveOut(fx)
	b.straySymbols(l)
	return fx
}

// shelve puts what one key of a tier names into it.
func (b *binder) shelve(fx *fixture, l *library, tier int, k prompt.TierKey) {
	if !b.claim(fx, tier, k) {
		fx.misled = fx.misled || k.Kind == prompt.KeyHistory
		return
	}
	t := &fx.tiers[tier]
	switch k.Kind {
	case prompt.KeyFile:
		fx.keyed[k.Path] = true
		if doc := b.file(l, k.Path, k.Word.At); doc != nil {
			w := prompt.WorkFile{Path: k.Path, Doc: doc, At: k.Word.At}
			fx.full[k.Path] = w
			t.files = append(t.files, w)
		}
	case prompt.KeySymbol:
		fx.keyed[k.Path] = true
		if s := b.symbol(l, k); s != nil {
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
// no tier has a key twice was checked before.
func (b *binder) claim(fx *fixture, tier int, k prompt.TierKey) bool {
	c := claim{kind: k.Kind, path: k.Path, n: k.N}
	first, taken := fx.claims[c]
	if !taken {
		fx.claims[c] = held{tier, k.Word.At}
		return true
	}
	b.diags = append(b.diags, diag.New(diag.BoundTwice, k.Word.At, "tier L%d has %q, which stands in L%d, too", tier, k.Word.Str, first.tier).
		WithHint("the first is at %s; keep one, since everything is shown once", lineOf(first.at)))
	return false
}

// selected looks up the files that the user selected, which are distinct.
func (b *binder) selected(fx *fixture, l *library) {
	for _, w := range fx.conv.Selected {
		doc := b.file(l, w.Str, w.At)
		if doc == nil {
			continue
		}
		if _, inTier := fx.full[w.Str]; inTier {
			fx.again = append(fx.again, w)
			continue
		}
		f := prompt.WorkFile{Path: w.Str, Doc: doc, At: w.At}
		fx.full[w.Str] = f
		fx.working = append(fx.working, f)
	}
}

// leaveOut takes the symbols from the tiers whose file is there in full, and
// says so at the key.
func (b *binder) leaveOut(fx *fixture) {
	for tier := range fx.tiers {
		t := &fx.tiers[tier]
		t.symbols = slices.DeleteFunc(t.symbols, func(s *prompt.SymbolBlock) bool {
			f, full := fx.full[s.Path.Str]
			if full {
				at := fx.claims[claim{kind: prompt.KeySymbol, path: s.Path.Str}].at
				b.diags = append(b.diags, diag.New(diag.ShownInFull, at, "the symbols of %q are left out: the file is there in full", s.Path.Str).
					WithHint("the file is asked for at %s; keep one of the two", lineOf(f.At)))
			}
			return full
		})
	}
}

// noteAgain says which selected files stand in a tier and not among the
// working files.
func (b *binder) noteAgain(fx *fixture) {
	for _, w := range fx.again {
		tier := fx.claims[claim{kind: prompt.KeyFile, path: w.Str}].tier
		b.diags = append(b.diags, diag.New(diag.ShownInFull, w.At, "the selected file %q is shown in tier L%d, not among the working files", w.Str, tier).
			WithHint("the tier asks for it at %s; keep one of the two", lineOf(fx.full[w.Str].At)))
	}
}

// lineOf writes a place as people read it.
func lineOf(at diag.Span) string {
	if !at.Known() {
		return "another place"
	}
	line, _ := at.File.Position(at.Start)
	return at.File.Path + ":" + strconv.Itoa(line)
}

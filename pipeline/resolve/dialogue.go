package resolve

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// assembled names a fixture in one assembly.
type assembled struct {
	doc  *prompt.Doc
	flat bool
}

// spoken is a conversation in one assembly, with the dialects that it is sent
// in. Prompts that use it share it.
type spoken struct {
	dialogue prompt.Dialogue // without a name
	dialects []*prompt.Dialect
}

// inUse remembers a dialect.
func (b *spoken) inUse(d *prompt.Dialect) {
	if !slices.Contains(b.dialects, d) {
		b.dialects = append(b.dialects, d)
	}
}

// assemble binds a fixture for one assembly, once for all that use it.
func (b *binder) assemble(doc *prompt.Doc, flat bool) *spoken {
	key := assembled{doc, flat}
	if known := b.spoken[key]; known != nil {
		return known
	}
	fx, out := b.fixture(doc), &spoken{}
	if flat {
		out.dialogue = fx.flattened()
	} else {
		out.dialogue = fx.tiered()
		b.noteAgain(fx)
		b.noteOrder(fx, &out.dialogue)
	}
	b.spoken[key] = out
	b.spokenBy = append(b.spokenBy, out)
	return out
}

// tiered shows everything where its tier says, and the rest outside.
func (fx *fixture) tiered() prompt.Dialogue {
	out := prompt.Dialogue{Conversation: fx.conv, Tree: fx.tree(), LeftOut: fx.leftOut(false)}
	held := map[int]bool{}
	for i := range fx.tiers {
		t := &fx.tiers[i]
		out.Tiers[i] = prompt.Tier{
			Symbols: byPath(t.symbols, blockPath), Files: byPath(t.files, filePath), History: slices.Sorted(slices.Values(t.history)),
		}
		for _, n := range t.history {
			held[n] = true
		}
	}
	for _, s := range fx.rest() {
		if !fx.keyed[s.Path.Str] {
			out.Symbols = append(out.Symbols, s)
		}
	}
	out.Symbols, out.Working = byPath(out.Symbols, blockPath), byPath(fx.working, filePath)
	for n := range fx.conv.History {
		if !held[n] {
			out.Active = append(out.Active, n)
		}
	}
	return out
}

// flattened shows everything without tiers.
func (fx *fixture) flattened() prompt.Dialogue {
	out := prompt.Dialogue{Conversation: fx.conv, Flat: true, Tree: fx.tree(), Symbols: byPath(fx.rest(), blockPath), LeftOut: fx.leftOut(true)}
	files := fx.working
	for i := range fx.tiers {
		files = slices.Concat(files, fx.tiers[i].files)
	}
	out.Working = byPath(files, filePath)
	for n := range fx.conv.History {
		out.Active = append(out.Active, n)
	}
	return out
}

// rest gives the symbol blocks whose file is not there in full, as written.
func (fx *fixture) rest() []*prompt.SymbolBlock {
	var out []*prompt.SymbolBlock
	for i := range fx.conv.Symbols {
		s := &fx.conv.Symbols[i]
		if _, full := fx.full[fx.lib.same(s.Path.Str)]; !full {
			out = append(out, s)
		}
	}
	return out
}

func (fx *fixture) tree() []string {
	if fx.lib.folder == nil {
		return nil
	}
	return fx.lib.folder.Files
}

func blockPath(s *prompt.SymbolBlock) string { return s.Path.Str }

func filePath(w prompt.WorkFile) string { return w.Path }

// byPath sorts by bytes what has distinct paths; nil stays nil.
func byPath[T any](list []T, path func(T) string) []T {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b T) int { return cmp.Compare(path(a), path(b)) })
	return out
}

package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// fixture is a conversation with its keys looked up, before an assembly says
// where each thing is shown.
type fixture struct {
	conv  *language.Conversation
	lib   *library
	tiers [language.Tiers]shelf
	// full are the files that are shown in full anywhere, by what library.same
	// says of the path; of a file that a tier and the list of the selected
	// name, the tier's.
	full map[string]assembly.WorkFile
	// keyed are the paths that a tier names, as a file or by its symbols.
	keyed map[string]bool
	// working are the selected files that no tier has in full, and again are
	// the entries of those that one has.
	working []assembly.WorkFile
	again   []ground.Word
	claims  map[claim]held
	// left are the symbols and the empty files that are left out.
	left []leftOut
	// misled says that a key of the history was refused: what the tiers leave
	// of the history is then not what was meant.
	misled bool
}

// shelf is what the keys of one tier come to, in the order of the keys.
type shelf struct {
	symbols []*language.SymbolBlock
	files   []assembly.WorkFile
	history []int
}

// claim is a thing that may be claimed once. The path of a file is what
// library.same says of it.
type claim struct {
	kind language.TierKeyKind
	path string
	n    int
}

// leftOut is something that is not shown where a fixture asks for it.
type leftOut struct {
	assembly.LeftOut

	at diag.Span
}

// held is who claimed it.
type held struct {
	tier int
	word ground.Word
}

// fixture looks the keys of a conversation up, once.
func (b *binder) fixture(doc *language.Doc) *fixture {
	if known := b.fixtures[doc]; known != nil {
		return known
	}
	conv := b.spec.Conversations[doc]
	fx := &fixture{conv: conv, full: map[string]assembly.WorkFile{}, keyed: map[string]bool{}, claims: map[claim]held{}}
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
func (b *binder) shelve(fx *fixture, tier int, k language.TierKey) {
	if !b.claim(fx, tier, k) {
		fx.misled = fx.misled || k.Kind == language.KeyHistory
		return
	}
	t := &fx.tiers[tier]
	switch k.Kind {
	case language.KeyFile:
		doc := b.file(fx.lib, k.Path, k.Word.At)
		if doc != nil && doc.File.Text == "" {
			b.leaveEmpty(fx, k.Path, k.Word.At)
			return
		}
		fx.keyed[k.Path] = true
		if doc != nil {
			w := assembly.WorkFile{Path: k.Path, Doc: doc, At: k.Word.At}
			fx.full[fx.lib.same(k.Path)] = w
			t.files = append(t.files, w)
		}
	case language.KeySymbol:
		fx.keyed[k.Path] = true
		if s := b.symbol(fx.lib, k); s != nil {
			t.symbols = append(t.symbols, s)
		}
	case language.KeyHistory:
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
func (b *binder) claim(fx *fixture, tier int, k language.TierKey) bool {
	c := claim{kind: k.Kind, path: k.Path, n: k.N}
	if k.Kind == language.KeyFile {
		c.path = fx.lib.same(k.Path)
	}
	first, taken := fx.claims[c]
	if !taken {
		fx.claims[c] = held{tier, k.Word}
		return true
	}
	code := diag.BoundTwice
	if first.tier == tier { // by the names that links give to a file
		code = diag.DuplicateName
	}
	b.diags = append(b.diags, diag.New(code, k.Word.At, "tier-l", tier, k.Word.Str, first.tier, first.word.Str).
		WithHint("first-keep-one", lineOf(first.word.At)))
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
		_, inTier := fx.claims[claim{kind: language.KeyFile, path: id}]
		switch empty := doc.File.Text == ""; {
		case empty && !inTier:
			b.leaveEmpty(fx, w.Str, w.At)
			continue
		case empty: // which the tier says
			continue
		case inTier:
			fx.again = append(fx.again, w)
			continue
		}
		if first, selected := fx.full[id]; selected {
			b.diags = append(b.diags, diag.New(diag.DuplicateName, w.At, "selected-same-file", w.Str, first.Path).
				WithHint("first-keep-one", lineOf(first.At)))
			continue
		}
		f := assembly.WorkFile{Path: w.Str, Doc: doc, At: w.At}
		fx.full[id] = f
		fx.working = append(fx.working, f)
	}
}

// leaveEmpty notes a file that is left out: an empty fence says nothing.
func (b *binder) leaveEmpty(fx *fixture, name string, at diag.Span) {
	fx.left = append(fx.left, leftOut{assembly.LeftOut{Kind: assembly.ContentFile, Path: name, Empty: true}, at})
	b.diags.Add(diag.PartAbsent, at, "file-empty-left-out", name)
}

// leaveOut takes the symbols from the tiers whose file is there in full, and
// says so at the key.
func (b *binder) leaveOut(fx *fixture) {
	for tier := range fx.tiers {
		t := &fx.tiers[tier]
		t.symbols = slices.DeleteFunc(t.symbols, func(s *language.SymbolBlock) bool {
			f, full := fx.full[fx.lib.same(s.Path.Str)]
			if full {
				at := fx.claims[claim{kind: language.KeySymbol, path: s.Path.Str}].word.At
				fx.left = append(fx.left, leftOut{assembly.LeftOut{Kind: assembly.ContentSymbols, Path: s.Path.Str}, at})
				b.diags = append(b.diags, diag.New(diag.ShownInFull, at, "symbols-left-out-file", s.Path.Str).
					WithHint("file-asked-keep-two", lineOf(f.At)))
			}
			return full
		})
	}
}

// noteAgain says which selected files stand in a tier and not among the
// working files.
func (b *binder) noteAgain(fx *fixture) {
	for _, w := range fx.again {
		f := fx.full[fx.lib.same(w.Str)]
		b.diags = append(b.diags, diag.New(diag.ShownInFull, w.At, "selected-file-shown-tier", w.Str, fx.tierOf(w)).
			WithHint("tier-asks-keep-two", lineOf(f.At)))
	}
}

// tierOf gives the tier that has a selected file in full.
func (fx *fixture) tierOf(w ground.Word) int {
	return fx.claims[claim{kind: language.KeyFile, path: fx.lib.same(w.Str)}].tier
}

// leftOut gives what an assembly does not show where the fixture asks for it,
// in the order of the fixture. Flat, there is one place for a file.
func (fx *fixture) leftOut(flat bool) []assembly.LeftOut {
	all := slices.Clone(fx.left)
	if !flat {
		for _, w := range fx.again {
			all = append(all, leftOut{assembly.LeftOut{Kind: assembly.ContentFile, Path: w.Str, Tier: fx.tierOf(w)}, w.At})
		}
	}
	slices.SortStableFunc(all, func(a, b leftOut) int { return cmp.Compare(a.at.Start, b.at.Start) })
	var out []assembly.LeftOut
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

// maxHints bounds how often a run looks for the name that was probably meant:
// comparing a path with those of a large workspace takes long, and nobody
// reads a hundred findings of this sort.
const maxHints = 10

// library is where the keys of a fixture are looked up.
type library struct {
	conv    *language.Conversation
	folder  *language.Workspace // nil where there is none
	files   map[string]bool
	symbols map[string]*language.SymbolBlock
}

// open makes the library of a fixture, and reports a workspace that is not
// there.
func (b *binder) open(conv *language.Conversation) *library {
	l := &library{conv: conv, files: map[string]bool{}, symbols: map[string]*language.SymbolBlock{}}
	for i := range conv.Symbols {
		l.symbols[conv.Symbols[i].Path.Str] = &conv.Symbols[i]
	}
	if conv.Workspace.Str == "" {
		return l
	}
	if l.folder = b.spec.Tree.Workspaces[conv.Workspace.Str]; l.folder == nil {
		d := diag.New(diag.NoWorkspace, conv.Workspace.At, "workspace-not", conv.Workspace.Str).
			WithHint("relative-to-manifest-not-fixture")
		if meant := b.spec.Tree.Meant[conv.Workspace.Str]; meant != "" {
			d = d.WithHint("did-you-mean", meant)
		}
		b.diags = append(b.diags, d)
		return l
	}
	for _, f := range l.folder.Files {
		l.files[f] = true
	}
	return l
}

// file gives a file of the workspace; where it is not there, that is reported
// at the place that names it.
func (b *binder) file(l *library, name string, at diag.Span) *language.Doc {
	if l.folder == nil {
		return nil // that there is none was reported
	}
	if doc := l.folder.Docs[name]; doc != nil {
		return doc
	}
	if l.files[name] {
		return nil // why it cannot be read was reported with the file
	}
	b.notThere(l, name, at)
	return nil
}

// notThere reports a file that the workspace does not have.
func (b *binder) notThere(l *library, name string, at diag.Span) {
	d := diag.New(diag.NotThere, at, "workspace-no-file", l.conv.Workspace.Str, name)
	b.diags = append(b.diags, b.nearestFile(d, l, name))
}

// nearestFile adds the file that was probably meant.
func (b *binder) nearestFile(d diag.Diagnostic, l *library, name string) diag.Diagnostic {
	if strings.ContainsAny(name, "*?") {
		return d.WithHint("patterns-not-taken-name")
	}
	if best, ok := b.meantPath(name, l.folder.Files); ok {
		return d.WithHint("did-you-mean", best)
	}
	return d.WithHint("paths-below-workspace")
}

// meantPath gives the path that was probably meant.
func (b *binder) meantPath(name string, paths []string) (string, bool) {
	if b.hints++; b.hints > maxHints {
		return "", false
	}
	return suggest.Path(name, paths)
}

// same gives what is one for all names of a file: the path that links lead to.
func (l *library) same(p string) string {
	if l.folder == nil {
		return p
	}
	if real, linked := l.folder.Real[p]; linked {
		return real
	}
	return p
}

// has reports whether the workspace has a file, be it one that cannot be read.
func (l *library) has(name string) bool {
	return l.files[name] || l.folder.Docs[name] != nil
}

// symbol gives the block that a key names. Where a fixture has a workspace, its
// file is there, too.
func (b *binder) symbol(l *library, k language.TierKey) *language.SymbolBlock {
	if s := l.symbols[k.Path]; s != nil {
		if l.folder != nil && !l.has(k.Path) {
			b.notThere(l, k.Path, k.Word.At)
			return nil
		}
		return s
	}
	d := diag.New(diag.NotThere, k.Word.At, "fixture-no-symbols", k.Path).
		WithHint("add-under-symbols-name", k.Path)
	known := make([]string, len(l.conv.Symbols))
	for i := range l.conv.Symbols {
		known[i] = l.conv.Symbols[i].Path.Str
	}
	if best, ok := b.meantPath(k.Path, known); ok {
		d = d.WithHint("did-you-mean", best)
	}
	b.diags = append(b.diags, d)
	return nil
}

// message reports whether the history has the message that a key names.
func (b *binder) message(conv *language.Conversation, k language.TierKey) bool {
	if k.N >= 0 && k.N < len(conv.History) {
		return true
	}
	d := diag.New(diag.NotThere, k.Word.At, "history-no-message", k.N)
	if n := len(conv.History); n == 0 {
		d = d.WithHint("fixture-no-history")
	} else {
		d = d.WithHint("messages-counted-0-last", n-1)
	}
	b.diags = append(b.diags, d)
	return false
}

// straySymbols warns of blocks whose file the workspace does not have. Where a
// tier names the file, that is an error there.
func (b *binder) straySymbols(fx *fixture) {
	l := fx.lib
	if l.folder == nil {
		return
	}
	for _, s := range l.conv.Symbols {
		if fx.keyed[s.Path.Str] || l.has(s.Path.Str) {
			continue
		}
		d := diag.New(diag.StraySymbols, s.Path.At, "symbols-workspace-not", s.Path.Str, l.conv.Workspace.Str)
		b.diags = append(b.diags, b.nearestFile(d, l, s.Path.Str))
	}
}

// noteOrder says where the tiers take the history out of its order: the model
// reads what a tier has before what the next has, and that before what is in
// none. One note stands for all.
func (b *binder) noteOrder(fx *fixture, d *assembly.Dialogue) {
	if fx.misled {
		return // its keys are to be repaired first
	}
	var read []int
	for i := range d.Tiers {
		read = append(read, d.Tiers[i].History...)
	}
	read = append(read, d.Active...)
	least := make([]int, len(read)) // the first message of those behind
	for i := len(read) - 2; i >= 0; i-- {
		least[i] = read[i+1]
		if i < len(read)-2 {
			least[i] = min(least[i], least[i+1])
		}
	}
	for i := range max(0, len(read)-1) {
		early, late := read[i], least[i]
		if early < late {
			continue
		}
		// What is in no tier comes last, ascending: a tier has the early one.
		key := fx.claims[claim{kind: language.KeyHistory, n: early}].word
		where := diag.Say("in-no-tier")
		if h, held := fx.claims[claim{kind: language.KeyHistory, n: late}]; held {
			where = diag.Say("in-tier", h.tier)
		}
		b.diags = append(b.diags, diag.New(diag.HistoryOrder, key.At, "message-read-too-early", early, late, where).
			WithHint("l0-l3-read-after", late))
		return
	}
}

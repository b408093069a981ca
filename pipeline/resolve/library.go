package resolve

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxHints bounds how often a run looks for the name that was probably meant:
// comparing a path with those of a large workspace takes long, and nobody
// reads a hundred findings of this sort.
const maxHints = 10

// library is where the keys of a fixture are looked up.
type library struct {
	conv    *prompt.Conversation
	folder  *prompt.Workspace // nil where there is none
	files   map[string]bool
	symbols map[string]*prompt.SymbolBlock
}

// open makes the library of a fixture, and reports a workspace that is not
// there.
func (b *binder) open(conv *prompt.Conversation) *library {
	l := &library{conv: conv, files: map[string]bool{}, symbols: map[string]*prompt.SymbolBlock{}}
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
func (b *binder) file(l *library, name string, at diag.Span) *prompt.Doc {
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

// meantPath gives the path that was probably meant: one that ends like the other
// from a folder on, or the closest.
func (b *binder) meantPath(name string, paths []string) (string, bool) {
	if b.hints++; b.hints > maxHints {
		return "", false
	}
	for _, p := range paths {
		if strings.HasSuffix(p, "/"+name) || strings.HasSuffix(name, "/"+p) || strings.HasSuffix(name, ":"+p) {
			return p, true
		}
	}
	return near.Best(name, paths)
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
func (b *binder) symbol(l *library, k prompt.TierKey) *prompt.SymbolBlock {
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
func (b *binder) message(conv *prompt.Conversation, k prompt.TierKey) bool {
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

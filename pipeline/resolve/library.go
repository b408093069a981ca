package resolve

import (
	"path"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxHints bounds how often a run looks for the name that was probably meant:
// comparing a path with those of a large workspace takes long, and nobody
// reads a hundred findings of this sort.
const maxHints = 20

// library is where the keys of a fixture are looked up.
type library struct {
	conv    *prompt.Conversation
	folder  *prompt.Workspace // nil where there is none
	files   map[string]bool
	symbols map[string]*prompt.SymbolBlock
}

// open makes the library of a fixture, and reports a workspace that is not
// there.
func (b *binder) open(fx *fixture) *library {
	conv := fx.conv
	l := &library{conv: conv, files: map[string]bool{}, symbols: map[string]*prompt.SymbolBlock{}}
	for i := range conv.Symbols {
		l.symbols[conv.Symbols[i].Path.Str] = &conv.Symbols[i]
	}
	if conv.Workspace.Str == "" {
		return l
	}
	fx.folder = b.spec.Tree.Workspaces[conv.Workspace.Str]
	if l.folder = fx.folder; l.folder == nil {
		b.diags = append(b.diags, diag.New(diag.NoWorkspace, conv.Workspace.At, "the workspace %q is not there", conv.Workspace.Str).
			WithHint("%s", workspaceHint(conv)))
		return l
	}
	for _, f := range l.folder.Files {
		l.files[f] = true
	}
	return l
}

// workspaceHint says what the path of a workspace means, and how the one that
// stands beside the fixture would be written.
func workspaceHint(c *prompt.Conversation) string {
	written := c.Workspace.Str
	beside := path.Join(path.Dir(c.Doc.File.Path), written)
	if beside == path.Clean(written) || beside == ".." || strings.HasPrefix(beside, "../") || path.IsAbs(written) {
		return "the path is relative to the manifest"
	}
	return "the path is relative to the manifest, not to the fixture; beside the fixture it is \"" + beside + "\""
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
	d := diag.New(diag.NotThere, at, "the workspace %q has no file %q", l.conv.Workspace.Str, name)
	b.diags = append(b.diags, b.nearestFile(d, l, name))
	return nil
}

// nearestFile adds the file that was probably meant.
func (b *binder) nearestFile(d diag.Diagnostic, l *library, name string) diag.Diagnostic {
	const below = "paths are below the workspace"
	if b.hints++; b.hints > maxHints {
		return d.WithHint(below)
	}
	if rest, ok := strings.CutPrefix(name, path.Clean(l.conv.Workspace.Str)+"/"); ok && l.files[rest] {
		return d.WithHint("%s: did you mean %q?", below, rest)
	}
	alike := l.namesakes(name)
	if best, ok := near.Best(name, l.folder.Files); ok && len(alike) != 1 {
		return d.WithHint("did you mean %q?", best)
	}
	if len(alike) > 0 {
		return d.WithHint("did you mean %q?", alike[0])
	}
	return d.WithHint(below)
}

// namesakes gives the files of the same name in any folder.
func (l *library) namesakes(name string) []string {
	var out []string
	base := path.Base(name)
	for _, f := range l.folder.Files {
		if strings.EqualFold(path.Base(f), base) {
			out = append(out, f)
		}
	}
	return out
}

// symbol gives the block that a key names.
func (b *binder) symbol(l *library, k prompt.TierKey) *prompt.SymbolBlock {
	if s := l.symbols[k.Path]; s != nil {
		return s
	}
	d := diag.New(diag.NotThere, k.Word.At, "the fixture has no symbols of %q", k.Path).
		WithHint("add them under symbols:, or name the file in full as file:%s", k.Path)
	if b.hints++; b.hints <= maxHints {
		known := make([]string, len(l.conv.Symbols))
		for i := range l.conv.Symbols {
			known[i] = l.conv.Symbols[i].Path.Str
		}
		if best, ok := near.Best(k.Path, known); ok {
			d = d.WithHint("did you mean %q?", best)
		}
	}
	b.diags = append(b.diags, d)
	return nil
}

// message reports whether the history has the message that a key names.
func (b *binder) message(conv *prompt.Conversation, k prompt.TierKey) bool {
	if k.N >= 0 && k.N < len(conv.History) {
		return true
	}
	d := diag.New(diag.NotThere, k.Word.At, "the history has no message %d", k.N)
	if n := len(conv.History); n == 0 {
		d = d.WithHint("the fixture has no history")
	} else {
		d = d.WithHint("messages are counted from 0; the last is %d", n-1)
	}
	b.diags = append(b.diags, d)
	return false
}

// straySymbols warns of blocks whose file the workspace does not have.
func (b *binder) straySymbols(l *library) {
	if l.folder == nil {
		return
	}
	for _, s := range l.conv.Symbols {
		if l.files[s.Path.Str] || l.folder.Docs[s.Path.Str] != nil {
			continue
		}
		d := diag.New(diag.StraySymbols, s.Path.At, "there are symbols of %q, which the workspace %q does not have", s.Path.Str, l.conv.Workspace.Str)
		b.diags = append(b.diags, b.nearestFile(d, l, s.Path.Str))
	}
}

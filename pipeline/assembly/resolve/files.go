package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// inquiry asks for the files of a source or of a section's own path.
type inquiry struct {
	kind     *language.Kind
	source   *language.Source // nil for a section's own path
	paths    []ground.Word
	fallback []ground.Word
	surely   bool // the files are used, not only a rung that may be taken
	how      language.How
}

// found is what an inquiry came to.
type found struct {
	docs   []*language.Doc
	origin assembly.Origin
	base   string
	reason assembly.Reason
	why    string
}

// fallbackUse collects where a source's fallback stood in.
type fallbackUse struct {
	at    diag.Span
	files []string
	users []assembly.Users
}

// fill puts the files into an input, or says why there are none.
func (sec *section) fill(v *assembly.Variant, in *assembly.Input, r inquiry) (*assembly.Input, string, assembly.Reason) {
	f, ok := sec.find(v, r)
	if !ok {
		return nil, "", assembly.OutAbsent
	}
	if f.reason != assembly.In {
		return nil, f.why, f.reason
	}
	if f.origin == assembly.FromFallback && r.surely {
		sec.noteFallback(v, r, f)
		sec.memory.fallbacks = append(sec.memory.fallbacks, r.source)
	}
	in.Docs, in.Origin, in.Base = f.docs, f.origin, f.base
	return in, "", assembly.In
}

// find looks the files of an inquiry up in the tree, once for each distinct
// set of paths.
func (s *scope) find(v *assembly.Variant, r inquiry) (*found, bool) {
	paths, ok := s.paths(v, r.paths)
	fallback, ok2 := s.paths(v, r.fallback)
	if !ok || !ok2 {
		return nil, false
	}
	id := ""
	if r.source != nil {
		id = r.source.ID.Str
	}
	within := ""
	if r.source != nil && r.source.Within().Str != "" {
		if within, ok = s.axisIn(r.source.Within(), v); !ok {
			return nil, false
		}
		r.how = r.source.How(within)
	}
	key := id + "\x00" + within + "\x00" + strings.Join(paths, "\x00") + "\x01" + strings.Join(fallback, "\x00")
	if r.source == nil {
		key += "\x02" + r.paths[0].At.File.Path
	}
	if f, ok := s.files[key]; ok {
		return f, true
	}
	f := s.search(r, paths, fallback)
	s.files[key] = f
	return f, true
}

func (s *scope) paths(v *assembly.Variant, list []ground.Word) ([]string, bool) {
	out := make([]string, len(list))
	for i, w := range list {
		p, ok := s.axisIn(w, v)
		if !ok {
			return nil, false
		}
		out[i] = p
	}
	return out, true
}

// search tries the paths, then the fallbacks one by one, then `else`, then
// what `absent` allows.
func (b *binder) search(r inquiry, paths, fallback []string) *found {
	docs, missing := b.lookup(r, paths)
	switch {
	case len(missing) == 0:
		return b.checked(r, &found{docs: docs, base: base(paths[0])})
	case len(docs) > 0 && b.absent(r) != language.AbsentError:
		for _, i := range missing {
			b.diags.Add(diag.PartAbsent, r.paths[i].At, "matches-no-file-source", paths[i], r.source.ID.Str)
		}
		return b.checked(r, &found{docs: docs, base: base(paths[0])})
	case len(docs) > 0 && b.spec.Tree.Borrowed: // the rest was there
		for _, i := range missing {
			b.noFile(r, r.paths[i], paths[i])
		}
		return b.checked(r, &found{docs: docs, base: base(paths[0])})
	case len(docs) > 0:
		b.noFile(r, r.paths[missing[0]], paths[missing[0]])
		return &found{reason: assembly.OutAbsent}
	}
	for _, p := range fallback {
		if docs, _ := b.lookup(r, []string{p}); len(docs) > 0 {
			return b.checked(r, &found{docs: docs, origin: assembly.FromFallback, base: base(p)})
		}
	}
	if r.source != nil && r.source.Else.Str != "" {
		if docs, _ := b.lookup(r, []string{r.source.Else.Str}); len(docs) > 0 {
			return b.checked(r, &found{docs: docs, origin: assembly.FromElse, base: base(r.source.Else.Str)})
		}
		b.noFile(r, r.source.Else, r.source.Else.Str)
		return &found{reason: assembly.OutAbsent}
	}
	switch b.absent(r) {
	case language.AbsentOmit:
		return &found{reason: assembly.OutAbsent, why: strings.Join(paths, ", ")}
	case language.AbsentDefault:
		return &found{origin: assembly.FromBuiltIn}
	case language.AbsentError:
		b.noFile(r, r.paths[0], paths[0])
	}
	return &found{reason: assembly.OutAbsent}
}

func (b *binder) absent(r inquiry) language.Absent {
	if r.source == nil {
		return language.AbsentError
	}
	return r.source.Absent
}

func (b *binder) noFile(r inquiry, w ground.Word, expanded string) {
	ways := diag.Say("ways-without-file")
	if r.kind.Messages {
		ways = diag.Say("ways-without-messages")
	}
	d := diag.New(diag.NoFile, w.At, "matches-no-file", expanded)
	if meant := b.spec.Tree.Meant[expanded]; meant != "" {
		b.diags = append(b.diags, d.WithHint("did-you-mean", meant))
		return
	}
	if r.source != nil && r.source.Pull.Str != "" && w == r.paths[0] {
		b.diags = append(b.diags, b.notPulled(d, r.source.Pull.Str))
		return
	}
	b.diags = append(b.diags, d.WithHint("paths-relative-manifest-source", ways))
}

// notPulled hints at the server that was meant where the manifest names none of the
// name; else .mcp.json may.
func (b *binder) notPulled(d diag.Diagnostic, server string) diag.Diagnostic {
	var names []string
	for _, s := range b.spec.Servers {
		names = append(names, s.Name.Str)
	}
	if meant, ok := suggest.Best(server, names); ok && !slices.Contains(names, server) {
		return d.WithHint("did-you-mean", meant)
	}
	return d.WithHint("pull-server", server)
}

// lookup gives the files of all paths, each once, and the indices of the
// paths that have none.
func (b *binder) lookup(r inquiry, paths []string) (docs []*language.Doc, missing []int) {
	seen := map[*language.Doc]bool{}
	for i, p := range paths {
		matches := b.spec.Tree.Matches[language.MatchKey{Path: p, Kind: r.kind.Name, How: r.how}]
		if r.kind.Walks && r.source != nil {
			if walked, ok := b.spec.Tree.Walks[walkKey(r.source, p)]; ok {
				matches = walked // fallback and else name files of their own
			}
		}
		if len(matches) == 0 {
			missing = append(missing, i)
		}
		for _, d := range matches {
			if !seen[d] {
				seen[d] = true
				docs = append(docs, d)
			}
		}
	}
	return docs, missing
}

func walkKey(src *language.Source, p string) language.WalkKey {
	root := src.Root.Str
	if root == "" {
		root = "."
	}
	return language.WalkKey{Path: p, Root: root, Local: src.Local}
}

// checked leaves out the files that say nothing, or refuses them.
func (b *binder) checked(r inquiry, f *found) *found {
	if r.kind.Walks && r.source != nil {
		f.base = walkKey(r.source, "").Root
		if f.base == "." {
			f.base = ""
		}
	}
	var kept, silent []*language.Doc
	for _, d := range f.docs {
		switch {
		case !b.saysNothing(d, r.kind):
			kept = append(kept, d)
		case b.absent(r) == language.AbsentError && !r.kind.Walks:
			hint := "write-or-omit-absent"
			if r.kind.Messages {
				hint = "write-at-least-prompt"
			}
			b.diags = append(b.diags, diag.New(diag.EmptyFile, diag.Whole(d.File), "says-nothing", d.File.Path).WithHint(hint))
		default:
			f.why = d.File.Path
			silent = append(silent, d)
		}
	}
	if len(kept) > 0 { // a source that says nothing at all is in the outline
		for _, d := range silent {
			b.diags.Add(diag.PartAbsent, diag.Whole(d.File), "says-nothing-source-without", d.File.Path, r.source.ID.Str)
		}
	}
	if r.source == nil || !r.source.KeepImports {
		kept = withImports(kept)
	}
	f.docs = kept
	switch {
	case len(kept) > 0:
	case b.absent(r) == language.AbsentDefault:
		return &found{origin: assembly.FromBuiltIn}
	default:
		f.reason = assembly.OutEmpty
	}
	return f
}

// withImports gives files with the texts that they import. A file that another
// one imports is not there a second time.
func withImports(docs []*language.Doc) []*language.Doc {
	there := map[*diag.File]bool{}
	for i, d := range docs {
		if d.Expanded != nil && !there[d.File] {
			docs[i] = d.Expanded
			for _, imported := range d.Expanded.Imported {
				there[imported.File] = true
			}
		}
	}
	return slices.DeleteFunc(docs, func(d *language.Doc) bool { return there[d.File] })
}

// saysNothing reports whether a file has neither text nor fields that its
// kind reads, or declares no tools where it should.
func (b *binder) saysNothing(d *language.Doc, k *language.Kind) bool {
	if !d.Empty() {
		// A tool of a server may be left out.
		return k.Tools && len(b.spec.Tools[d]) == 0 && b.spec.Pulled[d] == "" || k.Entries && len(b.spec.Entries[d]) == 0
	}
	return k.Schema == "" || d.Front == nil || len(d.Front.Fields) == 0
}

// base gives the folder of a path up to its first wildcard.
func base(p string) string {
	if i := strings.IndexAny(p, "*?[{"); i >= 0 {
		p = p[:i]
		return strings.TrimSuffix(p[:strings.LastIndexByte(p, '/')+1], "/")
	}
	if dir := path.Dir(p); dir != "." {
		return dir
	}
	return ""
}

// common gives the deepest folder that holds both.
func common(a, b string) string {
	for a != b {
		if len(a) < len(b) {
			a, b = b, a
		}
		i := strings.LastIndexByte(a, '/')
		if i < 0 {
			return ""
		}
		a = a[:i]
	}
	return a
}

// noteFallback remembers that a fallback stood in, for one note a source.
func (s *scope) noteFallback(v *assembly.Variant, r inquiry, f *found) {
	u := s.fallbacks.Of(r.source)
	u.at = cmp.Or(u.at, r.paths[0].At)
	u.stoodIn(s, v)
	for _, d := range f.docs {
		if !slices.Contains(u.files, d.File.Path) {
			u.files = append(u.files, d.File.Path)
		}
	}
}

// stoodIn notes a variant that the fallback stood in for.
func (u *fallbackUse) stoodIn(s *scope, v *assembly.Variant) {
	if n := len(u.users); n == 0 || u.users[n-1].Build != s.build {
		u.users = append(u.users, assembly.Users{Build: s.build, Set: ground.NewSet(s.all.Size())})
	}
	u.users[len(u.users)-1].Set.Add(v.Index)
}

func (b *binder) reportFallbacks() {
	for src, u := range b.fallbacks.All() {
		d := diag.New(diag.FallbackUsed, u.at, "source-no-file-own", src.ID.Str, diag.Names(u.files))
		for _, in := range u.users {
			d = d.WithDetail(diag.Say("in-variants-of", in.Set.Len(), in.Set.Size(), in.Build.Prompt.ID.Str, setcover.NewCover(in.Build).InWords(in.Set)))
		}
		b.diags = append(b.diags, d)
	}
}

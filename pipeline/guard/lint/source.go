package lint

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/language"
)

// sourceText is what somebody wrote: a whole file, or a value or key of one in
// which escapes were undone, so that the file does not hold the characters.
type sourceText struct {
	text ground.Text
	file *diag.File
	// whole says that it is the file itself.
	whole bool
	// prose says that it is a file in Markdown, whose code is only shown.
	prose bool
	// prompts are the ids of the prompts that have the file, in declared order;
	// nil for the manifest and for what no prompt has.
	prompts []string
	// asides are those of a manifest or policy; nil for other files.
	asides *language.Asides
	// recording says that it is a recording, of which most is said by others: answers,
	// headers. sent says that it is what a request in one says.
	recording, sent bool
}

// find makes a finding at bytes of the text.
func (w sourceText) find(code diag.Code, start, end int, key string, args ...any) diag.Diagnostic {
	d := diag.New(code, at(w.text.Span(start, end), diag.Whole(w.file)), key, args...)
	d.Prompts = w.prompts
	return d
}

// verbatim reports whether some bytes of the text stand in the file as they are,
// where who reads the file as a whole finds them.
func (w sourceText) verbatim(start, end int) bool {
	i, found := slices.BinarySearchFunc(w.text.Segs, start, func(s ground.Seg, at int) int { return cmp.Compare(s.Start, at) })
	if !found {
		i--
	}
	return !w.whole && !w.sent && i >= 0 && w.text.Segs[i].Exact() && end <= w.text.Segs[i].End
}

// sourceSet is what was read.
type sourceSet struct {
	plan *assembly.Plan
	// docs are all files but the manifest, by path.
	docs []*language.Doc
	// users are the ids of the prompts that have a file, by its path.
	users map[string][]string
	// tokens are the special tokens to look for.
	tokens map[string][]string
}

func newSourceSet(plan *assembly.Plan) *sourceSet {
	return &sourceSet{plan: plan, docs: plan.Spec.Tree.Docs(), users: usersOf(plan), tokens: tokensByStart(plan.Spec.Families)}
}

// texts gives every text of the inputs, by the paths of the files.
func (l *sourceSet) texts() []sourceText {
	tree := l.plan.Spec.Tree
	out := []sourceText{whole(tree.File, nil)}
	out = append(out, escaped(tree.File, tree.Manifest, nil)...)
	last := tree.File.Path
	for _, d := range l.docs {
		f, prompts := d.File, l.users[d.File.Path]
		if f.Path != last { // a file may have been read as several things
			w := whole(f, prompts)
			w.prose, w.recording = d.Format == language.Markdown, d.Recording
			out = append(out, w)
		}
		last = f.Path
		out = append(out, escaped(f, d.Front, prompts)...)
		out = append(out, escaped(f, d.Data, prompts)...)
		for _, s := range d.Saved {
			switch {
			case s.Sent != nil: // JSON in JSON, in YAML, or compressed
				for _, text := range s.Sent.Body.Texts() {
					out = append(out, sourceText{text: text, file: f, prompts: prompts, sent: d.Recording})
				}
			case strings.Contains(f.Text[s.NameAt.Start:s.At.End], `\`):
				out = append(out, sourceText{text: ground.Derived(s.Name, s.NameAt), file: f, prompts: prompts},
					sourceText{text: s.Value, file: f, prompts: prompts})
			}
		}
	}
	for i := range out {
		out[i].asides = l.plan.Spec.Asides[out[i].file]
	}
	return out
}

// usersOf gives the prompts that have a file, by its path.
func usersOf(plan *assembly.Plan) map[string][]string {
	out := map[string][]string{}
	for _, b := range plan.Builds {
		met := map[int]bool{}
		for _, v := range b.Variants {
			if v.Messages != nil {
				met[v.Messages.Unit] = true
			}
			for _, u := range v.Uses {
				if u.Unit >= 0 {
					met[u.Unit] = true
				}
				for _, step := range u.Steps {
					met[step.Unit] = true
				}
			}
		}
		for _, unit := range slices.Sorted(maps.Keys(met)) {
			for _, d := range documentsOf(plan.Units[unit], plan.Spec.Tree) {
				if ids := out[d.File.Path]; len(ids) == 0 || ids[len(ids)-1] != b.Prompt.ID.Str {
					out[d.File.Path] = append(ids, b.Prompt.ID.Str)
				}
			}
		}
	}
	return out
}

// documentsOf gives the files of a unit: those of its inputs, or of its
// conversation with what that shows.
func documentsOf(u *assembly.Unit, tree *language.Tree) []*language.Doc {
	var out []*language.Doc
	for _, in := range u.Inputs {
		out = append(out, in.Docs...)
		for _, d := range in.Docs {
			out = append(out, d.Imported...)
		}
	}
	if u.Dialogue != nil {
		c := u.Dialogue.Conversation
		out = append(out, c.Doc)
		if w := tree.Workspaces[c.Workspace.Str]; w != nil {
			for _, name := range slices.Sorted(maps.Keys(w.Docs)) {
				out = append(out, w.Docs[name])
			}
		}
	}
	return slices.DeleteFunc(out, func(d *language.Doc) bool { return d == nil || d.File == nil })
}

func whole(f *diag.File, prompts []string) sourceText {
	return sourceText{text: ground.Verbatim(diag.Span{File: f, Start: 0, End: len(f.Text)}), file: f, whole: true, prompts: prompts}
}

// escaped gives the values and keys below a node that are written with a
// backslash: what they say stands nowhere in the file.
func escaped(f *diag.File, n *ground.Node, prompts []string) []sourceText {
	if n == nil || !n.At.Known() || !strings.Contains(f.Text, `\`) {
		return nil
	}
	var out []sourceText
	if n.IsScalar() && strings.Contains(f.Text[n.At.Start:n.At.End], `\`) {
		out = append(out, sourceText{text: n.Text, file: f, prompts: prompts})
	}
	for _, item := range n.Items {
		out = append(out, escaped(f, item, prompts)...)
	}
	for _, field := range n.Fields {
		if strings.Contains(f.Text[field.KeyAt.Start:field.KeyAt.End], `\`) {
			out = append(out, sourceText{text: ground.Derived(field.Key, field.KeyAt), file: f, prompts: prompts})
		}
		out = append(out, escaped(f, field.Value, prompts)...)
	}
	return out
}

// isAside reports whether some bytes of a text are a part of what the manifest
// only speaks of.
func (w sourceText) isAside(start, end int) bool {
	return w.asides != nil && inSpans(w.text.Span(start, end), w.asides.All)
}

// isSought reports whether some bytes stand as escapes in a text that is looked
// for: whoever reads the manifest sees them.
func (w sourceText) isSought(start, end int) bool {
	return w.asides != nil && !w.whole && inSpans(w.text.Span(start, end), w.asides.Sought)
}

// inSpans reports whether a place is in one of some, which are sorted.
func inSpans(at diag.Span, spans []diag.Span) bool {
	i, found := slices.BinarySearchFunc(spans, at.Start, func(s diag.Span, start int) int { return cmp.Compare(s.Start, start) })
	if !found {
		i--
	}
	return at.Known() && i >= 0 && at.End <= spans[i].End
}

// secrets finds what looks like a key in a file that somebody wrote, also where
// it is written with escapes.
func secrets(_ *sourceSet, w sourceText) diag.List {
	found := w.file.Secrets()
	switch {
	case w.sent: // what was compressed stands nowhere in the file
		known := found
		found = slices.DeleteFunc(secret.Find(w.text.Str), func(m secret.Match) bool {
			at := w.text.Span(m.Start, m.End)
			return slices.ContainsFunc(known, func(k secret.Match) bool { return k.Start < at.End && at.Start < k.End })
		})
	case !w.whole:
		return nil
	}
	return capPerFile(found, func(m secret.Match) diag.Diagnostic {
		return w.find(diag.SecretInText, m.Start, m.End, "looks-like", m.Says, m.Text[:secret.Shown]+"…", amount(len(m.Text), "character")).
			WithHint("take-out-revoked-needed")
	})
}

// secretInPath finds a key in the name of a file.
func secretInPath(name string, at diag.Span) diag.List {
	found := secret.Find(name)
	if len(found) == 0 {
		return nil
	}
	return diag.List{diag.New(diag.SecretInText, at, "path-holds-looks-like", secret.Mask(name), found[0].Says).
		WithHint("rename-file-folder-key")}
}

// specialTokens finds the special tokens of the declared model families, each
// once. Where the manifest names none, all are looked for, and a finding is a
// warning.
func (l *sourceSet) specialTokens(w sourceText) diag.List {
	declared := l.plan.Spec.Families
	text := w.text.Str
	if w.recording {
		return nil
	}
	var met ordered.Map[string, struct{ start, count int }]
	for i := 0; i+startOfToken <= len(text); i++ {
		if c := text[i]; c != '<' && c != '[' && c != '\n' {
			continue
		}
		token := ""
		for _, t := range l.tokens[text[i:i+startOfToken]] {
			if strings.HasPrefix(text[i:], t) && len(t) > len(token) {
				token = t
			}
		}
		if token == "" || w.verbatim(i, i+len(token)) || w.isAside(i, i+len(token)) {
			continue
		}
		m := met.Of(token)
		if m.count == 0 {
			m.start = i
		}
		m.count++
		i += len(token) - 1
	}
	var out diag.List
	for token, m := range met.All() {
		start := m.start + len(token) - len(strings.TrimLeft(token, "\n"))
		d := w.find(diag.SpecialToken, start, m.start+len(token), "special-token", token, diag.Some(familiesOf(declared, token), shown)).
			WithHint("write-another-way-such")
		if declared != nil {
			d.Level = diag.Error
		}
		out = append(out, morePlaces(d, m.count-1))
	}
	return out
}

// startOfToken is how many bytes of a token say which it may be; all have so many.
const startOfToken = 3

// tokensByStart gives the tokens to look for by their first bytes.
func tokensByStart(declared []ground.Word) map[string][]string {
	out := map[string][]string{}
	for i := range language.Families {
		f := &language.Families[i]
		for _, t := range tokensOf(declared, f) {
			start := t[:startOfToken]
			if !slices.Contains(out[start], t) {
				out[start] = append(out[start], t)
			}
		}
	}
	return out
}

// tokensOf gives the tokens of a family that are looked for: those that are also
// tags or words only where the manifest names it.
func tokensOf(declared []ground.Word, f *language.Family) []string {
	switch {
	case declared == nil:
		return f.Tokens[:len(f.Tokens)-f.Common]
	case slices.ContainsFunc(declared, func(w ground.Word) bool { return w.Str == f.Name }):
		return f.Tokens
	default:
		return nil
	}
}

// familiesOf names the families that have a token.
func familiesOf(declared []ground.Word, token string) []string {
	var out []string
	for i := range language.Families {
		if f := &language.Families[i]; slices.Contains(tokensOf(declared, f), token) {
			out = append(out, f.Name)
		}
	}
	return out
}

// overPresets finds files that are longer, as they are on disk, than the program takes
// that their source names.
func overPresets(l *sourceSet) diag.List {
	var out diag.List
	met := map[string]bool{}
	for _, u := range l.plan.Units {
		for _, in := range u.Inputs {
			if in.Source == nil || len(in.Source.Limits) == 0 || len(in.Docs) == 0 {
				continue
			}
			parts := []string{in.Source.ID.Str}
			for _, d := range in.Docs {
				parts = append(parts, d.File.Path)
			}
			key := strings.Join(parts, "\x00")
			if met[key] {
				continue
			}
			met[key] = true
			for _, limit := range in.Source.Limits {
				preset, ok := language.LookupPreset(limit.Str)
				if !ok {
					continue // refused before
				}
				for _, d := range judgeFiles(in, preset) {
					d.Prompts = l.users[d.Span.File.Path]
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// judgeFiles finds the files of an input that are longer than one program takes.
func judgeFiles(in *assembly.Input, p *language.Preset) diag.List {
	var out diag.List
	if in.Kind != nil && in.Kind.Skills {
		for _, d := range in.Docs {
			out = append(out, longEntry(d, p)...)
		}
		return out
	}
	for _, f := range filesFor(in, p) {
		if found, ok := overFile(f, p); ok {
			out = append(out, found)
		}
	}
	return out
}

// filesFor gives the files of an input that a program reads as instructions.
func filesFor(in *assembly.Input, p *language.Preset) []*diag.File {
	var out []*diag.File
	for _, d := range in.Docs {
		if in.Kind == nil || !in.Kind.Walks || p.Reads(d.File.Path) {
			out = append(out, d.File)
		}
	}
	return out
}

// overFile compares one file.
func overFile(f *diag.File, p *language.Preset) (diag.Diagnostic, bool) {
	limit := p.Runes(path.Base(f.Path))
	if n := size(f.Text, "character"); limit > 0 && n > limit {
		stop := upTo(f.Text, "character", limit)
		return diag.New(diag.OverPreset, restOfLine(f, stop), "takes",
			f.Path, amount(n, "character"), p.Says, diag.Count(limit), f.LineAt(stop)).
			WithHint("shorten-file-say-matters"), true
	}
	lines := strings.Count(strings.TrimRight(f.Text, "\n"), "\n") + 1
	if p.FileLines == 0 || lines < p.FileLines || f.Text == "" {
		return diag.Diagnostic{}, false
	}
	at := 0
	for range p.FileLines - 1 {
		at += strings.IndexByte(f.Text[at:], '\n') + 1
	}
	d := diag.New(diag.OverPreset, restOfLine(f, at), "advises-fewer", f.Path, amount(lines, "line"), p.Says, diag.Count(p.FileLines)).
		WithHint("longer-files-read-but")
	d.Level = diag.Note
	return d, true
}

// size counts a text in bytes or in characters.
func size(text, unit string) int {
	if unit == "byte" {
		return len(text)
	}
	return utf8.RuneCountInString(text)
}

// upTo gives the byte offset behind so many bytes or characters, at the
// beginning of a character.
func upTo(text, unit string, n int) int {
	if unit == "byte" {
		for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
			n--
		}
		return min(n, len(text))
	}
	for i := range text {
		if n--; n < 0 {
			return i
		}
	}
	return len(text)
}

// restOfLine is the place from an offset to the end of its line.
func restOfLine(f *diag.File, offset int) diag.Span {
	end := len(f.Text)
	if i := strings.IndexByte(f.Text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	return diag.Span{File: f, Start: offset, End: end}
}

// listed are the fields of a skill that a listing shows.
var listed = []string{"description", "when_to_use"}

// longEntry compares what a listing shows of a skill.
func longEntry(doc *language.Doc, p *language.Preset) diag.List {
	if p.EntryRunes == 0 {
		return nil
	}
	n, stop := 0, diag.Span{}
	for _, key := range listed {
		f := doc.Front.Field(key)
		if !f.IsScalar() || f.Text.Str == "" {
			continue
		}
		if left := p.EntryRunes - n; !stop.Known() && size(f.Text.Str, "character") > left {
			stop = at(f.Text.Span(upTo(f.Text.Str, "character", left), len(f.Text.Str)), f.At)
		}
		n += size(f.Text.Str, "character")
	}
	if n <= p.EntryRunes {
		return nil
	}
	return diag.List{diag.New(diag.LongListing, stop, "skill-lists",
		doc.Front.Field("name").Scalar(), amount(n, "character"), p.Says, diag.Count(p.EntryRunes)).
		WithHint("say-first-skill-when")}
}

package load

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
)

// importers are the files whose programs expand `@path` in them.
var importers = []string{"CLAUDE.md", "CLAUDE.local.md", "GEMINI.md"}

const (
	// maxImportDepth is how many files an import may be away from the first.
	maxImportDepth = 5
	// maxImports bounds the mentions that one file leads to.
	maxImports = 10_000
	// maxLeft is how many mentions one note names.
	maxLeft = 3
)

var (
	// mention is `@path` behind a blank or at the start of a line; a blank in the
	// path has a backslash before it.
	mention = regexp.MustCompile(`(?:^|\s)(@(?:[^\s\\]|\\ )+)`)
	// pathStart begins what may be a path: people and packages start otherwise.
	pathStart = regexp.MustCompile(`^[A-Za-z0-9._~/-]`)
	// comment is not read by the program.
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// imported is a file with its imports on the way.
type imported struct {
	*run
	out  *language.Doc
	size int
	// met are the files that are in, by where their links lead.
	met      map[string]bool
	mentions int
	left     []leftMention
}

// leftMention is an import that stays what is written.
type leftMention struct {
	at  diag.Span
	why diag.Words
}

// expandImports reads what a file imports and gives it a copy that has these
// texts. What cannot be imported stays as it is written, with one note a file.
func (r *run) expandImports(doc *language.Doc) error {
	if r.expanded[doc] || doc.Format != language.Markdown || !slices.Contains(importers, path.Base(doc.File.Path)) {
		return nil
	}
	r.expanded[doc] = true
	whole := *doc
	i := &imported{run: r, out: &whole, size: len(doc.Body.Str), met: map[string]bool{doc.Real: true}}
	body, err := i.expand(doc, 0)
	if err != nil {
		return err
	}
	if whole.Body = body; len(whole.Imported) > 0 {
		doc.Expanded = &whole
	}
	if len(i.left) == 0 {
		return nil
	}
	d := diag.New(diag.ImportLeft, i.left[0].at, "imports-left", doc.File.Path, diag.Counted(len(i.left), "one-import", "several-imports")).
		WithHint("expand-imports-false")
	for _, l := range i.left[:min(len(i.left), maxLeft)] {
		d = d.WithDetail(diag.Say("import-left", l.at.File.Text[l.at.Start:l.at.End], l.why))
	}
	if more := len(i.left) - maxLeft; more > 0 {
		d = d.WithDetail(diag.Say("more-imports", diag.Count(more)))
	}
	r.found = append(r.found, d)
	return nil
}

// expand gives the body of a file with what it imports: in place of a line that
// holds nothing else, otherwise behind the file.
func (i *imported) expand(doc *language.Doc, depth int) (ground.Text, error) {
	var b, behind ground.Builder
	pos := 0
	for _, m := range mentions(doc) {
		text, err := i.take(doc, m, depth)
		if err != nil {
			return ground.Text{}, err
		}
		switch {
		case text == nil:
		case m.alone:
			b.WriteText(doc.Body.Slice(pos, m.Start))
			b.WriteText(*text)
			pos = m.End
		default:
			behind.WriteString("\n\n")
			behind.WriteText(*text)
		}
	}
	b.WriteText(doc.Body.Slice(pos, len(doc.Body.Str)))
	b.WriteText(behind.Text())
	return b.Text(), nil
}

// mentioned is a mention in a body; alone in its line or not.
type mentioned struct {
	markdown.Span
	alone bool
}

// mentions finds the mentions in a body that are neither code nor in a comment.
func mentions(doc *language.Doc) []mentioned {
	s := doc.Body.Str
	if !strings.Contains(s, "@") {
		return nil
	}
	lines := markdown.Lines(s)
	comments := comment.FindAllStringIndex(s, -1)
	var out []mentioned
	for _, line := range lines {
		text := s[line.Start:line.End]
		if line.Fenced || line.Indented || !strings.Contains(text, "@") {
			continue
		}
		code := markdown.CodeSpans(text)
		for _, at := range mention.FindAllStringSubmatchIndex(text, -1) {
			m := markdown.Span{Start: line.Start + at[2], End: line.Start + at[3]}
			for len(comments) > 0 && comments[0][1] <= m.Start {
				comments = comments[1:]
			}
			inComment := len(comments) > 0 && comments[0][0] <= m.Start
			inCode := slices.ContainsFunc(code, func(c markdown.Span) bool { return c.Start < at[3] && at[2] < c.End })
			if !inComment && !inCode {
				out = append(out, mentioned{m, strings.TrimSpace(text) == text[at[2]:at[3]]})
			}
		}
	}
	return out
}

// take reads what a mention names; nil where it stays as it is written.
func (i *imported) take(doc *language.Doc, m mentioned, depth int) (*ground.Text, error) {
	written := strings.ReplaceAll(doc.Body.Str[m.Start+1:m.End], `\ `, " ")
	written, _, _ = strings.Cut(written, "#")
	if !pathStart.MatchString(written) {
		return nil, nil // a person, a package
	}
	leave := func(why diag.Words) (*ground.Text, error) {
		i.left = append(i.left, leftMention{doc.Body.Span(m.Start, m.End), why})
		return nil, nil
	}
	if written[0] == '~' || written[0] == '/' {
		return leave(diag.Say("import-outside"))
	}
	name := path.Join(path.Dir(strings.TrimPrefix(doc.File.Path, i.root)), written)
	if name == ".." || strings.HasPrefix(name, "../") {
		return leave(diag.Say("import-outside"))
	}
	stands := missing
	if checkPath(name) == nil {
		var err error
		if stands, err = i.disk.inspect(name); err != nil {
			return nil, err
		}
	}
	switch {
	case stands == missing && (m.alone || isFileName(written)):
		return leave(stands.fact())
	case stands == missing, stands == directory:
		return nil, nil // words, as most that begin so
	case stands != regular:
		return leave(stands.fact())
	case i.isOutput(path.Dir(name)):
		return leave(diag.Say("import-of-output"))
	}
	real, err := i.disk.real(name)
	if err != nil {
		return nil, err
	}
	real = i.root + real
	if i.mentions++; i.met[real] || i.mentions > maxImports {
		if m.alone || !i.met[real] {
			return leave(diag.Say(map[bool]string{true: "import-again", false: "import-many"}[i.met[real]]))
		}
		return nil, nil // its text is there
	}
	if depth == maxImportDepth {
		return leave(diag.Say("import-deep", maxImportDepth))
	}
	i.met[real] = true
	return i.read(name, doc.Body.Span(m.Start, m.End), depth, leave)
}

// read gives the text of a file that is imported. One that has none is no reason
// to end a run: the program does not take it either.
func (i *imported) read(name string, at diag.Span, depth int, leave func(diag.Words) (*ground.Text, error)) (*ground.Text, error) {
	before := i.found
	_, wasRead := i.files[name]
	doc, err := i.document(name, language.TextKind, language.How{}, at)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		why := diag.Say("import-no-text")
		if added := i.found[len(before):]; len(added) > 0 {
			why = added.Sorted()[0].What
		}
		if i.found = before; !wasRead { // who names it as a source is told
			delete(i.files, name)
			delete(i.docs, docKey{path: name, kind: language.TextKind})
		}
		return leave(why)
	}
	if i.size += len(doc.Body.Str); i.size > maxBytes {
		return leave(diag.Say("import-large"))
	}
	i.out.Imported = append(i.out.Imported, doc)
	text, err := i.expand(doc, depth+1)
	return &text, err
}

// isFileName reports whether a mention looks like that of a file.
func isFileName(written string) bool {
	return strings.HasPrefix(written, ".") || path.Ext(strings.TrimRight(written, ".,;:!?)\"'")) != ""
}

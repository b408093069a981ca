package load

import (
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
)

// front reads a document's front matter into it and gives the first byte of
// the body.
func (r *run) front(doc *language.Doc, kind *language.Kind) (body int, ok bool) {
	file := doc.File
	f, starts := markdown.FrontMatter(file.Text)
	if !starts {
		at, hint, almost := almostFront(file)
		switch {
		case len(kind.FrontKeys) > 0 && almost:
			r.found = append(r.found, diag.New(diag.FrontMissing, at, "no-front-matter-files", kind.Name).WithHint(hint))
		case len(kind.FrontKeys) > 0:
			r.found = append(r.found, frontMissing(file, kind))
		case almost && !kind.FrontLoose:
			r.found = append(r.found, diag.New(diag.FrontUnread, at, "starts-no-front-matter").WithHint(hint))
		}
		return 0, len(kind.FrontKeys) == 0
	}
	if f == nil {
		if kind.FrontLoose {
			r.keepAsBody(file, diag.Say("is-never-closed"))
			return 0, true
		}
		r.found = append(r.found, unterminated(file))
		return 0, false
	}
	var found diag.List
	node, ok := parseFront(file, f, isLineByLine(file, kind), &found)
	if kind.FrontLoose && found.HasErrors() {
		r.keepAsBody(file, diag.Say("cannot-read-front-matter", found.Sorted()[0].What))
		return 0, true
	}
	r.found = append(r.found, found...)
	if !ok {
		return f.Body, false
	}
	r.unread(file, kind, f)
	doc.Front = node
	doc.FrontAt = diag.Span{File: file, Start: 0, End: f.Body}
	return f.Body, true
}

// unread finds what promptc takes in front matter, and programs that read the file by
// themselves do not. The sentences name them: Codex, Gemini CLI, Cline, VS Code, and
// the reference of Agent Skills; gray-matter and python-frontmatter, with which
// others read it. From their sources, 2026-11.
func (r *run) unread(file *diag.File, kind *language.Kind, f *markdown.Front) {
	if !kind.Skills && kind.Name != language.RulesKind {
		return
	}
	odd := r.changed[file]
	first := diag.Span{File: file, End: f.Start - 1}
	last := diag.Span{File: file, Start: f.End, End: f.End + len("...")}
	for _, row := range []struct {
		found        bool
		at           diag.Span
		skills, rule string // the keys of the sentences
		hint         string
	}{
		{odd.bom, first, "mark-before-front-of-skill", "mark-before-front", "save-without-mark"},
		{odd.cr, first, "front-in-cr-of-skill", "", "save-with-lf"},
		{first.End > len("---"), first, "blanks-behind-front-of-skill", "", "remove-blanks"},
		{strings.HasPrefix(file.Text[f.End:], "..."), last, "front-ends-in-dots-of-skill", "front-ends-in-dots", "end-front-in-dashes"},
	} {
		key := row.rule
		if kind.Skills {
			key = row.skills
		}
		if row.found && key != "" {
			r.found = append(r.found, diag.New(diag.FrontUnread, row.at, key).WithHint(row.hint))
		}
	}
}

func (r *run) keepAsBody(file *diag.File, why diag.Words) {
	r.found = append(r.found, diag.New(diag.FrontAsBody, diag.Whole(file), "block-starts-kept-text", why).
		WithHint("meant-front-matter-correct"))
}

// frontMissing explains a file without front matter.
func frontMissing(file *diag.File, kind *language.Kind) diag.Diagnostic {
	return diag.New(diag.FrontMissing, diag.Whole(file), "no-front-matter-files", kind.Name).
		WithHint("start-with-front-matter", diag.Names(kind.FrontKeys))
}

// isLineByLine reports whether front matter that is not YAML may be read as Cursor
// reads it: in files that are named so, in those of Windsurf and Copilot, whose
// globs need no quotes either, and wherever nothing of it is used.
func isLineByLine(file *diag.File, kind *language.Kind) bool {
	return extension(file.Path) == ".mdc" || strings.HasSuffix(file.Path, ".instructions.md") ||
		strings.HasPrefix(file.Path, ".windsurf/") || strings.Contains(file.Path, "/.windsurf/") || kind.Schema == "" && !kind.FrontLoose
}

// parseFront reads what stands between the fences. Cursor's rules are written
// as YAML, but are not: there `globs: **/*.ts` is a plain text.
func parseFront(file *diag.File, f *markdown.Front, lineByLine bool, found *diag.List) (*ground.Node, bool) {
	var own diag.List
	node, ok := parseYAML(file, f.Start, f.End, &own)
	if (!ok || own.HasErrors()) && lineByLine {
		var dialect diag.List
		if node, ok := cursorFront(file, f, &dialect); ok {
			*found = append(*found, dialect...)
			return node, true
		}
	}
	*found = append(*found, own...)
	at := diag.Span{File: file, Start: f.Start, End: f.End}
	switch {
	case !ok:
		return nil, false
	case node == nil:
		return &ground.Node{Kind: ground.Mapping, At: at}, true
	case node.Kind != ground.Mapping:
		*found = append(*found, diag.New(diag.NotMapping, node.At, "front-matter-not-mapping", shape(node)).
			WithHint("write-key-value-lines"))
		return nil, false
	default:
		return node, true
	}
}

// cursorFront reads front matter in Cursor's dialect: every line is
// `key: value`, the value is the rest of the line, quotes around it go. A key
// without a value may be followed by a list. It is false when a line is
// something else; then the YAML error is the better explanation.
func cursorFront(file *diag.File, f *markdown.Front, found *diag.List) (*ground.Node, bool) {
	out := &ground.Node{Kind: ground.Mapping, At: diag.Span{File: file, Start: f.Start, End: f.End}}
	places := map[string]diag.Span{}
	for at := f.Start; at < f.End; {
		line, _, _ := strings.Cut(file.Text[at:f.End], "\n")
		start := at
		at += len(line) + 1
		trimmed := strings.TrimLeft(line, " \t")
		indent := len(line) - len(trimmed)
		switch {
		case strings.TrimSpace(line) == "", strings.HasPrefix(trimmed, "#"):
			continue
		case strings.HasPrefix(trimmed, "- "):
			if !cursorItem(out, file, start+indent+len("- "), start+len(line)) {
				return nil, false
			}
			continue
		}
		key, _, ok := strings.Cut(trimmed, ":")
		if !ok || indent > 0 || key == "" || strings.ContainsAny(key, " \t\"'") {
			return nil, false
		}
		keyAt := diag.Span{File: file, Start: start, End: start + len(key)}
		if first, ok := places[key]; ok {
			*found = append(*found, repeatedKey(key, keyAt, first))
			continue
		}
		places[key] = keyAt
		out.Fields = append(out.Fields, ground.Field{
			Key: key, KeyAt: keyAt, Value: cursorValue(file, start+len(key)+1, start+len(line)),
		})
	}
	return out, true
}

// cursorItem adds an item to the list of the last key; false where that key
// has a value of its own.
func cursorItem(out *ground.Node, file *diag.File, start, end int) bool {
	if len(out.Fields) == 0 {
		return false
	}
	list := out.Fields[len(out.Fields)-1].Value
	if list.Kind == ground.Null && list.Text.Str == "" {
		list.Kind = ground.Sequence
		list.At = diag.Span{File: file, Start: start - len("- ")}
	}
	if list.Kind != ground.Sequence {
		return false
	}
	item := cursorValue(file, start, end)
	list.Items = append(list.Items, item)
	list.At.End = item.At.End
	return true
}

func cursorValue(file *diag.File, start, end int) *ground.Node {
	value := strings.Trim(file.Text[start:end], " \t\r")
	start += strings.Index(file.Text[start:end], value)
	at := diag.Span{File: file, Start: start, End: start + len(value)}
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		inner := diag.Span{File: file, Start: at.Start + 1, End: at.End - 1}
		return &ground.Node{Kind: ground.String, At: at, Text: ground.Verbatim(inner)}
	}
	return &ground.Node{Kind: yamlKind(value), At: at, Text: ground.Verbatim(at)}
}

// body gives the text from start on without leading Markdown comments (where
// asked) and without outer blank lines. The first line that has text keeps
// its indentation, the last one its trailing blanks.
func (r *run) body(file *diag.File, start int, comments bool) (ground.Text, bool) {
	for comments {
		rest := file.Text[start:]
		open := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
		if !strings.HasPrefix(rest[open:], "<!--") {
			break
		}
		// `<!-->` is a whole comment, so that the end may overlap the start.
		end := strings.Index(rest[open+len("<!"):], "-->")
		if end < 0 {
			line, _, _ := strings.Cut(rest[open:], "\n")
			at := diag.Span{File: file, Start: start + open, End: start + open + len(line)}
			r.found = append(r.found, diag.New(diag.CommentUnterminated, at, "comment-start-never-closed").
				WithHint("close"))
			return ground.Text{}, false
		}
		start += open + len("<!") + end + len("-->")
	}
	text := file.Text[start:]
	if first := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }); first >= 0 {
		// Behind a comment in the same line, text starts with its first
		// character; in a line of its own, with the line.
		if line := strings.LastIndexByte(text[:first], '\n') + 1; line > 0 || start == 0 || file.Text[start-1] == '\n' {
			first = line
		}
		start += first
		text = text[first:]
	}
	kept := strings.TrimRightFunc(text, unicode.IsSpace)
	if kept == "" {
		return ground.Text{}, true
	}
	end, _, _ := strings.Cut(text[len(kept):], "\n")
	return ground.Verbatim(diag.Span{File: file, Start: start, End: start + len(kept) + len(end)}), true
}

// labels finds the items `- **Label:** value` of a body's bullet lists.
func (r *run) labels(body ground.Text) []language.Label {
	if len(body.Segs) == 0 {
		return nil
	}
	at := body.Segs[0].At // a body is one verbatim piece of its file
	bullets, deep := markdown.Bullets(body.Str)
	if deep != nil {
		blanks := len(body.Str[deep.Start:]) - len(strings.TrimLeft(body.Str[deep.Start:], " \t"))
		r.found = append(r.found, diag.New(diag.TooComplex,
			diag.Span{File: at.File, Start: at.Start + deep.Start + blanks, End: at.Start + deep.End},
			"lists-quotes-nested-deeper", markdown.MaxContainers).WithHint("right-file"))
		return nil
	}
	var out []language.Label
	for _, lines := range bullets {
		if label, ok := readLabel(body, lines); ok {
			out = append(out, label)
		}
	}
	return out
}

func readLabel(body ground.Text, lines []markdown.Span) (language.Label, bool) {
	if len(lines) == 0 {
		return language.Label{}, false
	}
	first := trimmed(body, lines[0].Start, lines[0].End)
	start, end, rest, ok := cutLabel(first.Str)
	if !ok {
		return language.Label{}, false
	}
	name := first.Slice(start, end).Trim(white)
	if name.Str == "" {
		return language.Label{}, false
	}
	var value ground.Builder
	for i := range lines {
		line := first.Slice(rest, len(first.Str)).Trim(white)
		if i > 0 {
			line = trimmed(body, lines[i].Start, lines[i].End)
		}
		if line.Str != "" && value.Len() > 0 {
			value.WriteString(" ")
		}
		value.WriteText(line)
	}
	whole := trimmed(body, lines[0].Start, lines[len(lines)-1].End)
	return language.Label{Name: name, Value: value.Text(), Placed: whole.Span(0, len(whole.Str))}, true
}

// cutLabel gives the label s[start:end] of a line and where its value starts.
// The label ends at the first colon, or full-width colon; emphasis around it
// closes before or behind the colon. A plain colon must be followed by a
// blank, so that `http://…` is no label.
func cutLabel(s string) (start, end, rest int, ok bool) {
	start = len(s) - len(strings.TrimLeft(s, "*_"))
	open := s[:start]
	end = strings.IndexAny(s, ":：")
	if end < start || strings.Contains(s[:end], "`") { // a colon in code ends no label
		return 0, 0, 0, false
	}
	full := strings.HasPrefix(s[end:], "：")
	rest = end + 1
	if full {
		rest = end + len("：")
	}
	if open != "" {
		if name := strings.TrimRight(s[start:end], white); strings.HasSuffix(name, open) {
			end = start + len(name) - len(open)
		} else if strings.HasPrefix(s[rest:], open) {
			rest += len(open)
		} else {
			return 0, 0, 0, false
		}
	}
	return start, end, rest, full || rest == len(s) || s[rest] == ' ' || s[rest] == '\t'
}

// white is what is trimmed around labels and values; the last one is the
// blank of Chinese and Japanese text.
const white = " \t\n\u3000"

func trimmed(t ground.Text, start, end int) ground.Text {
	return t.Slice(start, end).Trim(white)
}

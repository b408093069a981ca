package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// hiddenText finds the characters that nobody sees. What is a part of garbled text
// is found as that.
func hiddenText(_ *library, w written) diag.List {
	runs, crowd := chars.ScanText(w.text.Str)
	if len(runs) == 0 {
		return w.crowded(crowd)
	}
	broken := garbled(w)
	var hidden, odd []chars.Run
	for _, r := range runs {
		for len(broken) > 0 && broken[0].End <= r.Start {
			broken = broken[1:]
		}
		switch {
		case len(broken) > 0 && broken[0].Start <= r.Start, w.verbatim(r.Start, r.End), w.sought(r.Start, r.End), isPageBreak(w.text.Str, r):
		case r.Deliberate():
			hidden = append(hidden, r)
		default:
			odd = append(odd, r)
		}
	}
	out := append(w.runs(diag.HiddenText, hidden, "text with hidden characters"), w.runs(diag.OddCharacter, odd, "places with such characters")...)
	return append(out, w.crowded(crowd)...)
}

// crowded finds lines where characters that are legitimate one by one are so many
// that they hold something themselves.
func (w written) crowded(c chars.Crowd) diag.List {
	if !c.Found() || w.verbatim(c.Start, c.End) || w.sought(c.Start, c.End) {
		return nil
	}
	d := w.find(diag.OddCharacter, c.Start, c.End, "line-holds-nobody-sees", number(c.Count, "character"), diag.Number(c.Seen)).
		WithHint("remove-but-those-word")
	if c.Lines > 1 {
		d = d.WithDetail(diag.Say("such-lines", diag.Count(c.All), diag.Count(c.Lines)))
	}
	return diag.List{d}
}

// isPageBreak reports whether a form feed is all that a line holds.
func isPageBreak(text string, r chars.Run) bool {
	return text[r.Start:r.End] == "\f" && (r.Start == 0 || text[r.Start-1] == '\n') && (r.End == len(text) || text[r.End] == '\n')
}

// runs makes the findings of one code, the last of which counts those that are
// too many.
func (w written) runs(code diag.Code, all []chars.Run, rest string) diag.List {
	out := few(all, func(r chars.Run) diag.Diagnostic {
		return w.find(code, r.Start, r.End, "name-and-fact", around(w.text.Str, r.Start, r.End), nobodySees(r, w.text.Str[r.Start:r.End])).
			WithHint("%s", remedy(r))
	}, func(n int) string { return "and " + diag.Number(n) + " more " + rest + " from here on" })
	if len(out) > single {
		out[single].Hint = diag.Say("remove-all-editor-show")
	}
	return out
}

// nobodySees says what is not seen, and what it hides where that can be read.
func nobodySees(r chars.Run, row string) string {
	same := strings.Count(row, string(r.First)) == r.Count
	what := "holds " + chars.Name(r.First)
	switch {
	case r.Class == chars.Stacked:
		what = fmt.Sprintf("stacks %s marks on one character", diag.Number(r.Count))
	case r.Count == 2 && same:
		what += " twice"
	case r.Count > 1 && same:
		what += fmt.Sprintf(", %s times in a row", diag.Number(r.Count))
	case r.Count > 1:
		what = fmt.Sprintf("holds %s hidden characters in a row, among them %s", diag.Number(r.Count), chars.Name(r.First))
	}
	if text, ok := chars.Unhide(row); ok {
		what = fmt.Sprintf("hides the text %s in %s", diag.Quote(brief(text)), number(r.Count, "character"))
	}
	return what
}

// remedy says what to do about characters that are not seen.
func remedy(r chars.Run) string {
	switch r.Class {
	case chars.Tag, chars.Coded:
		return "remove them: nobody sees them, and a model reads them"
	case chars.Unended:
		return fmt.Sprintf("remove it, or end it with %s in its paragraph: what follows is not shown in the order in which it is read", chars.Name(chars.Ends(r.First)))
	case chars.Doubled:
		return "keep one at most: more have no meaning but a hidden one"
	case chars.Repeated:
		return "keep one of the two that stand behind the emoji"
	case chars.Variant:
		return "remove it, unless the character has to be drawn in this way: models and searches take it for another"
	case chars.Direction:
		return "remove it: what is shown is not in the order in which it is read"
	case chars.Selector:
		return "remove it: what stands before it has no other look"
	case chars.Control:
		return control(r.First)
	case chars.Private:
		return "remove it: what it shows depends on the font, and a model does not see that"
	case chars.Blank:
		return "write an ordinary space (U+0020), or a no-break space (U+00A0)"
	case chars.Stacked:
		return "remove the marks that the word is not spelled with"
	case chars.Invisible:
		if r.Deliberate() {
			return "remove them: so many in a row are there to hide something"
		}
	}
	return "remove it: nobody sees it, and a model reads another word"
}

func control(r rune) string {
	const escapes = "\a\b\v\f\x1b"
	switch i := strings.IndexRune(escapes, r); {
	case i >= 0:
		return fmt.Sprintf("remove it, or write the `%s` that a program read as this character", [...]string{`\a`, `\b`, `\v`, `\f`, `\e`}[i])
	case r == '\r':
		return "end the line with a line feed"
	case r == 0x2028 || r == 0x2029:
		return "write a line break"
	default:
		return "remove it, or write the character that was lost here"
	}
}

// reach is how many characters of a word a finding shows on either side.
const reach = 20

// around gives a place with the rest of the word that it is in; of a long place
// its first character.
func around(text string, start, end int) string {
	from, to, middle := start, end, text[start:end]
	for range reach {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if size == 0 || unicode.IsSpace(r) {
			break
		}
		from -= size
	}
	for range reach {
		r, size := utf8.DecodeRuneInString(text[to:])
		if size == 0 || unicode.IsSpace(r) {
			break
		}
		to += size
	}
	if utf8.RuneCountInString(middle) > 2 {
		_, size := utf8.DecodeRuneInString(middle)
		middle = middle[:size] + "…"
	}
	return text[from:start] + middle + text[end:to]
}

// paths finds characters that nobody sees in the names of files and of the
// folders that they are in: a prompt may show them.
func (l *library) paths() diag.List {
	var out diag.List
	for _, d := range l.docs {
		out = append(out, pathOf(d.File.Path, diag.Whole(d.File), l.users[d.File.Path])...)
	}
	spec := l.plan.Spec
	fixtures := make([]*prompt.Conversation, 0, len(spec.Conversations))
	for _, c := range spec.Conversations {
		fixtures = append(fixtures, c)
	}
	slices.SortFunc(fixtures, func(a, b *prompt.Conversation) int { return strings.Compare(a.Doc.File.Path, b.Doc.File.Path) })
	for _, c := range fixtures {
		w := spec.Tree.Workspaces[c.Workspace.Str]
		if w == nil {
			continue
		}
		for _, name := range w.Files {
			out = append(out, pathOf(name, at(c.Workspace.At, diag.Whole(c.Doc.File)), l.users[c.Doc.File.Path])...)
		}
	}
	return out
}

// pathOf judges the name of a file: keys and characters that nobody sees.
func pathOf(name string, at diag.Span, prompts []string) diag.List {
	out := secretInPath(name, at, prompts)
	runs := chars.ScanName(name)
	if len(runs) == 0 {
		return out
	}
	r := runs[0]
	for _, other := range runs {
		if other.Deliberate() {
			r = other
			break
		}
	}
	code := diag.OddCharacter
	if r.Deliberate() {
		code = diag.HiddenText
	}
	d := diag.New(code, at, "path-2", name, nobodySees(r, name[r.Start:r.End])).WithHint("rename-file-folder")
	d.Prompts = prompts
	return append(out, d)
}

package lint

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// hiddenText finds the characters that nobody sees. What is a part of garbled text
// is found as that.
func hiddenText(_ *sourceSet, w sourceText) diag.List {
	if w.recording {
		return nil
	}
	runs := chars.Scan(w.text.Str)
	if len(runs) == 0 {
		return nil
	}
	broken := garbled(w)
	var hidden, odd []chars.Run
	for _, r := range runs {
		for len(broken) > 0 && broken[0].End <= r.Start {
			broken = broken[1:]
		}
		switch {
		case len(broken) > 0 && broken[0].Start <= r.Start, w.verbatim(r.Start, r.End), w.isSought(r.Start, r.End), isPageBreak(w.text.Str, r):
		case r.Deliberate():
			hidden = append(hidden, r)
		default:
			odd = append(odd, r)
		}
	}
	return append(w.unseen(diag.HiddenText, hidden), w.unseen(diag.OddCharacter, odd)...)
}

// isPageBreak reports whether a form feed is all that a line holds.
func isPageBreak(text string, r chars.Run) bool {
	return text[r.Start:r.End] == "\f" && (r.Start == 0 || text[r.Start-1] == '\n') && (r.End == len(text) || text[r.End] == '\n')
}

// unseen makes the findings of one code.
func (w sourceText) unseen(code diag.Code, all []chars.Run) diag.List {
	return capPerFile(all, func(r chars.Run) diag.Diagnostic {
		return w.find(code, r.Start, r.End, "name-and-fact", around(w.text.Str, r.Start, r.End), holds(r, w.text.Str[r.Start:r.End])).
			WithHint(remedies[r.Class])
	})
}

// holds says what is not seen, and what it hides where that can be read.
func holds(r chars.Run, row string) diag.Words {
	if text, ok := chars.Unhide(row); ok {
		return diag.Say("hides-text", text, amount(r.Count, "character"))
	}
	if r.Count > 1 {
		return diag.Say("holds-hidden-row", diag.Count(r.Count), chars.Name(r.First))
	}
	return diag.Say("holds-character", chars.Name(r.First))
}

// remedies are what to do about characters that are not seen, by their class.
var remedies = [...]string{
	chars.Tag:       "remove-read-by-models",
	chars.Direction: "remove-turns-order",
	chars.Unended:   "end-in-its-paragraph",
	chars.Coded:     "remove-read-by-models",
	chars.Doubled:   "keep-one-at-most",
	chars.Invisible: "remove-splits-words",
	chars.Repeated:  "keep-one-behind-emoji",
	chars.Variant:   "remove-unless-drawn-so",
	chars.Selector:  "remove-selects-nothing",
	chars.Control:   "remove-or-write-escape",
	chars.Private:   "remove-depends-on-font",
	chars.Blank:     "write-ordinary-space",
}

// around gives a place with the rest of the word that it is in; of a long place
// its first character.
func around(text string, start, end int) string {
	const reach = 40 // bytes
	before := text[max(0, start-reach):start]
	before = before[strings.LastIndexAny(before, " \t\n")+1:]
	after := text[end:min(len(text), end+reach)]
	if i := strings.IndexAny(after, " \t\n"); i >= 0 {
		after = after[:i]
	}
	middle := text[start:end]
	if utf8.RuneCountInString(middle) > 2 {
		_, size := utf8.DecodeRuneInString(middle)
		middle = middle[:size] + "…"
	}
	return strings.ToValidUTF8(before+middle+after, "")
}

// paths judges the names of files and of the folders that they are in, which a
// prompt may show: keys, and characters that nobody sees.
func (l *sourceSet) paths() diag.List {
	var out diag.List
	for _, d := range l.docs {
		out = append(out, judgePath(d.File.Path, diag.Whole(d.File), l.users[d.File.Path])...)
	}
	byPath := func(a, b *language.Conversation) int { return strings.Compare(a.Doc.File.Path, b.Doc.File.Path) }
	for _, c := range slices.SortedFunc(maps.Values(l.plan.Spec.Conversations), byPath) {
		w := l.plan.Spec.Tree.Workspaces[c.Workspace.Str]
		if w == nil {
			continue
		}
		for _, name := range w.Files {
			out = append(out, judgePath(name, at(c.Workspace.At, diag.Whole(c.Doc.File)), l.users[c.Doc.File.Path])...)
		}
	}
	return out
}

func judgePath(name string, at diag.Span, prompts []string) diag.List {
	out := secretInPath(name, at)
	if runs := chars.ScanName(name); len(runs) > 0 {
		r, code := runs[0], diag.OddCharacter
		if i := slices.IndexFunc(runs, chars.Run.Deliberate); i >= 0 {
			r, code = runs[i], diag.HiddenText
		}
		out = append(out, diag.New(code, at, "path-and-fact", name, holds(r, name[r.Start:r.End])).WithHint("rename-file-folder"))
	}
	for i := range out {
		out[i].Prompts = prompts
	}
	return out
}

// garbledText finds text that was read in another encoding than the one that it was
// written in: all of it in a text is one mistake.
func garbledText(_ *sourceSet, w sourceText) diag.List {
	if w.recording {
		return nil
	}
	var decoded, lost []chars.Garbled
	for _, g := range garbled(w) {
		switch {
		case w.verbatim(g.Start, g.End):
		case g.Meant == "":
			lost = append(lost, g)
		default:
			decoded = append(decoded, g)
		}
	}
	var out diag.List
	if len(decoded) > 0 {
		g := decoded[0]
		d := w.find(diag.Mojibake, g.Start, g.End, "decoded-another-encoding-own", w.text.Str[g.Start:g.End], g.Meant)
		out = append(out, morePlaces(d, len(decoded)-1).WithHint("read-file-utf-8"))
	}
	if len(lost) > 0 {
		g := lost[0]
		d := w.find(diag.Mojibake, g.Start, g.End, "holds-fffd-replacement-character", around(w.text.Str, g.Start, g.End))
		out = append(out, morePlaces(d, len(lost)-1).WithHint("put-was-meant"))
	}
	return out
}

// garbled gives the places of a text that are garbled, without those that a code
// span in Markdown shows.
func garbled(w sourceText) []chars.Garbled {
	isShown := inCodeSpans(w.text.Str)
	return slices.DeleteFunc(chars.Mojibake(w.text.Str), func(g chars.Garbled) bool {
		return w.isAside(g.Start, g.End) || w.prose && isShown(g.Start)
	})
}

// name is what somebody calls something. Its noun is the key of what that is.
type name struct {
	noun, text string
	at         diag.Span
}

// names finds names that are not what they look like, of the things whose names
// need not be ASCII.
func (l *sourceSet) names() diag.List {
	skills := map[*language.Doc]bool{}
	for key, docs := range l.plan.Spec.Tree.Matches {
		kind, ok := language.LookupKind(key.Kind)
		for _, d := range docs {
			skills[d] = skills[d] || ok && kind.Skills
		}
	}
	var out diag.List
	for _, d := range l.docs {
		for _, w := range l.namesIn(d, skills[d]) {
			odd, ok := chars.InName(w.text)
			if !ok || odd.Like == 0 && !odd.Mixed { // what is not seen is found as that
				continue
			}
			found := diag.New(diag.Lookalike, at(w.at, diag.Whole(d.File)), w.noun, w.text, odd).WithHint("write-name-letters-alphabet")
			if !odd.Mixed || odd.Like == 0 {
				found.Level = diag.Warning
			}
			found.Prompts = l.users[d.File.Path]
			out = append(out, found)
		}
	}
	return capFindings(out)
}

// namesIn gives the names in a file.
func (l *sourceSet) namesIn(d *language.Doc, isSkill bool) []name {
	var out []name
	if n := d.Front.Field("name"); isSkill && n.IsScalar() {
		out = append(out, name{"skill-name-holds", n.Text.Str, n.At})
	}
	for _, e := range l.plan.Spec.Entries[d] {
		out = append(out, name{"registry-id-holds", e.ID.Str, e.ID.At})
	}
	for _, t := range l.plan.Spec.Tools[d] {
		for _, s := range schemas(t.Input) {
			for _, p := range s.node.Field("properties").Entries() {
				out = append(out, name{"argument-holds", p.Key, p.KeyAt})
			}
		}
	}
	return out
}

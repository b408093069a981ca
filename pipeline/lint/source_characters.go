package lint

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/internal/markdown"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// garbledText finds text that was read in another encoding than the one that it was
// written in: all of it in a text is one mistake.
func garbledText(_ *library, w written) diag.List {
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
		out = append(out, w.find(diag.Mojibake, g.Start, g.End, "decoded-another-encoding-own",
			brief(w.text.Str[g.Start:g.End]), brief(g.Meant)).
			WithLines(w.others(decoded)...).
			WithHint("read-file-utf-8"))
	}
	if len(lost) > 0 {
		g := lost[0]
		d := w.find(diag.Mojibake, g.Start, g.End, "holds-fffd-replacement-character",
			around(w.text.Str, g.Start, g.End)).WithHint("put-was-meant")
		if n := len(lost) - 1; n > 0 {
			d = d.WithLines(number(n, "more such place"))
		}
		out = append(out, d)
	}
	return out
}

// garbled gives the places of a text that are garbled. Where all stand in the
// code of a file in Markdown, that only shows what it looks like.
func garbled(w written) []chars.Garbled {
	all := slices.DeleteFunc(chars.Mojibake(w.text.Str), func(g chars.Garbled) bool { return w.quoted(g.Start, g.End) })
	if w.prose && len(all) > 0 && allShown(w.text.Str, all) {
		return nil
	}
	return all
}

// allShown reports whether all places are in code spans and fences. A drawing in
// a fence is meant to be seen as it was.
func allShown(text string, all []chars.Garbled) bool {
	lines, last := markdown.Lines(text), -1
	var spans []markdown.Span
	for _, g := range all {
		i := sort.Search(len(lines), func(i int) bool { return lines[i].End >= g.Start })
		line := lines[i]
		if line.Fenced {
			if strings.ContainsFunc(g.Meant, isDrawn) {
				return false
			}
			continue
		}
		if i > last {
			spans, last = markdown.CodeSpans(text[line.Start:line.End]), i
		}
		if !within(spans, g.Start-line.Start) {
			return false
		}
	}
	return true
}

// isDrawn reports whether a character is an arrow, or a line or block of which
// drawings are made.
func isDrawn(r rune) bool { return r >= 0x2190 && r <= 0x21FF || r >= 0x2500 && r <= 0x259F }

// others says what else of a text is garbled, each form once.
func (w written) others(all []chars.Garbled) []string {
	const most = 5
	form := func(g chars.Garbled) string { return w.text.Str[g.Start:g.End] }
	counts := map[string]int{}
	var forms []chars.Garbled
	for _, g := range all {
		if counts[form(g)] == 0 {
			forms = append(forms, g)
		}
		counts[form(g)]++
	}
	if len(all) == 1 {
		return nil
	}
	lines := []string{diag.Number(len(all)) + " such places in the file"}
	for i, g := range forms {
		if i > most {
			return append(lines, "and "+number(len(forms)-i, "other form"))
		}
		if i > 0 {
			line := w.file.LineAt(w.text.Span(g.Start, g.End).Start)
			lines = append(lines, fmt.Sprintf("line %d: %s is %s", line, diag.Quote(brief(form(g))), diag.Quote(brief(g.Meant))))
		}
	}
	return lines
}

// name is what somebody calls something.
type name struct {
	what, text string
	at         diag.Span
}

// names finds names that are not what they look like, of the things whose names
// need not be ASCII. Of a file it names some, and counts the others.
func (l *library) names() diag.List {
	skills := skillsOf(l.plan.Spec.Tree)
	var out diag.List
	for _, d := range l.docs {
		n := 0
		for _, w := range l.namesIn(d, skills[d]) {
			odd, ok := chars.InName(w.text)
			if !ok || odd.Like == 0 && !odd.Mixed { // what is not seen is found as that
				continue
			}
			if n++; n > single {
				continue
			}
			found := diag.New(diag.Lookalike, at(w.at, diag.Whole(d.File)), "holds", w.what, brief(w.text), odd.Says()).
				WithHint("write-name-letters-alphabet")
			if !odd.Mixed || odd.Like == 0 {
				found.Level = diag.Warning
			}
			found.Prompts = l.users[d.File.Path]
			out = append(out, found)
		}
		if n > single {
			last := &out[len(out)-1]
			*last = last.WithLines("and " + number(n-single, "more such name") + " in the file")
		}
	}
	return out
}

// namesIn gives the names in a file.
func (l *library) namesIn(d *prompt.Doc, isSkill bool) []name {
	var out []name
	if n := d.Front.Field("name"); isSkill && n.IsScalar() {
		out = append(out, name{"skill", n.Text.Str, n.At})
	}
	for _, e := range l.plan.Spec.Entries[d] {
		out = append(out, name{"registry id", e.ID.Str, e.ID.At})
	}
	for _, t := range l.plan.Spec.Tools[d] {
		for _, s := range schemas(t.Input) {
			for _, p := range fields(s.node.Field("properties")) {
				out = append(out, name{"argument", p.Key, p.KeyAt})
			}
		}
	}
	return out
}

// skillsOf gives the files that were read as skills.
func skillsOf(tree *prompt.Tree) map[*prompt.Doc]bool {
	out := map[*prompt.Doc]bool{}
	for key, docs := range tree.Matches {
		for _, d := range docs {
			if key.Kind == prompt.SkillsKind {
				out[d] = true
			}
		}
	}
	return out
}
